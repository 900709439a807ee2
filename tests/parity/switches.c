/*
 * Each technique of searches that SEMLA_TRAVERSAL can switch off: switching it off changes no
 * result, on any engine. Levels are compared with a search by a queue, trees are checked by the
 * validator, least parents and closures from several vertices are compared with SuiteSparse.
 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

static const char *const switches[] = {"",
                                       "nopersistent",
                                       "noreorder",
                                       "noell",
                                       "nohubs",
                                       "nobalance",
                                       "nobalance,noreorder",
                                       "nosmallfrontier",
                                       "kolganov",
                                       "noreorder,kolganov",
                                       "noell,nohubs",
                                       "pinned",
                                       "pinned,noell",
                                       "alpha=0.5",
                                       "alpha=30,beta=2",
                                       "weight=100",
                                       "nodelta"};
enum { SWITCHES = sizeof switches / sizeof *switches };

static sl_context *host, *ctx;

static graph model(const char *name, bool undirected, sl_generator generator)
{
    return graph_of_model(host, ctx, name, &generator, undirected ? SL_READ_SYMMETRIC : 0,
                          SL_FOR_TRAVERSAL);
}

/* Runs one search; `what` has bit 0 for parents and bit 1 for levels. */
static void check_search(const graph *g, const char *off, uint64_t source, sl_direction direction,
                         int what, int64_t depth)
{
    sl_vector *parent = NULL, *level = NULL;
    sl_iteration_log log = {0};
    sl_bfs_options options = {.direction = direction,
                              .bounded = depth >= 0,
                              .max_depth = depth >= 0 ? (uint64_t)depth : 0,
                              .log = &log,
                              .int32 = (source + (uint64_t)what) % 2};
    OK(ctx,
       sl_bfs(what & 1 ? &parent : NULL, what & 2 ? &level : NULL, g->tested, source, &options));
    int64_t *parents = take_array(parent), *levels = take_array(level);
    sl_check_result verdict = validate(g, source, parents, levels, depth);
    if (!verdict.valid)
        fail_msg("%s from %d, SEMLA_TRAVERSAL=%s, %s, results %d, depth %d: %s", g->name,
                 (int)source, off, sl_direction_name(direction), what, (int)depth, verdict.reason);
    if (depth < 0 && log.count == 0 && g->rows.start[source + 1] > g->rows.start[source])
        fail_msg("%s from %d, SEMLA_TRAVERSAL=%s: no level was logged", g->name, (int)source, off);
    sl_iteration_log_clear(&log);
    sl_free(parents);
    sl_free(levels);
}

/* A random start of a closure: pi has the vertices `settled`, some of which are the frontier; the
 * closure may end at targets. */
typedef struct {
    uint64_t settled[5], count;
    uint64_t targets[3], ntargets;
    sl_until until;
    sl_monoid_code choice; /* the monoid that chooses parents */
    sl_type type, level;   /* types of parents and levels */
} beginning;

static beginning draw_beginning(uint64_t n, uint64_t *random)
{
    static const sl_monoid_code choices[] = {SL_MONOID_ANY, SL_MONOID_MIN, SL_MONOID_MAX};
    beginning b = {.choice = choices[test_random(random) % 3],
                   .count = 1 + test_random(random) % 5,
                   .ntargets = test_random(random) % 4,
                   .until = test_random(random) % 2 ? SL_UNTIL_ANY : SL_UNTIL_ALL};
    b.type = test_random(random) % 2 ? SL_INT64 : SL_INT32;
    b.level = test_random(random) % 2 ? SL_INT64 : SL_INT32;
    for (uint64_t k = 0; k < b.count; k++)
        b.settled[k] = test_random(random) % n;
    for (uint64_t k = 0; k < b.ntargets; k++)
        b.targets[k] = test_random(random) % n;
    return b;
}

/* The levels, and the parents if the semiring determines them, as an array. */
static int64_t *closed(sl_context *on, const sl_matrix *A, const beginning *b)
{
    sl_semiring semiring;
    uint64_t n = sl_matrix_nrows(A);
    sl_vector *pi, *q, *level, *targets;
    OK(on, sl_vector_new(&pi, on, b->type, n));
    OK(on, sl_vector_new(&q, on, b->type, n));
    OK(on, sl_vector_new(&level, on, b->level, n));
    OK(on, sl_vector_new(&targets, on, SL_BOOL, n));
    for (uint64_t k = 0; k < b->count; k++) {
        OK(on, sl_vector_set(pi, b->settled[k], sl_scalar_int64((int64_t)b->settled[k])));
        if (k % 2 == 0)
            OK(on, sl_vector_set(q, b->settled[k], sl_scalar_int64(0)));
    }
    for (uint64_t k = 0; k < b->ntargets; k++)
        OK(on, sl_vector_set(targets, b->targets[k], sl_scalar_bool(true)));
    sl_closure_options options = {
        .level = level, .targets = b->ntargets ? targets : NULL, .until = b->until};
    OK(on, sl_semiring_new(&semiring, on, "parents", sl_monoid_get(b->choice, b->type),
                           sl_binary_op_get(SL_BINARY_SECONDI, b->type)));
    OK(on, sl_closure(pi, q, A, semiring, &options));
    sl_semiring_free(semiring);
    uint64_t reached, levels;
    OK(on, sl_vector_nvals(&reached, pi));
    OK(on, sl_vector_nvals(&levels, level));
    assert_true(reached >= levels); /* the frontier has no level */
    int64_t *array = take_array(level), *parents = take_array(pi);
    array = sl_realloc(array, (2 * n + 1) * sizeof *array);
    for (uint64_t v = 0; v < n; v++)
        array[n + v] = b->choice == SL_MONOID_ANY ? 0 : parents[v];
    sl_free(parents);
    sl_vector_free(q);
    sl_vector_free(targets);
    return array;
}

static void check_closure(const graph *g, const char *off, uint64_t *random)
{
    const uint64_t n = g->rows.nrows;
    const beginning b = draw_beginning(n, random);
    int64_t *mine = closed(ctx, g->tested, &b), *theirs = closed(host, g->on_host, &b);
    for (uint64_t k = 0; k < 2 * n; k++)
        if (mine[k] != theirs[k])
            fail_msg("%s, SEMLA_TRAVERSAL=%s, closure of %d vertices from %d to %d targets: "
                     "vertex %d has the %s %s%d, not %d",
                     g->name, off, (int)b.count, (int)b.settled[0], (int)b.ntargets, (int)(k % n),
                     k < n                       ? "level"
                     : b.choice == SL_MONOID_MIN ? "least"
                                                 : "greatest",
                     k < n ? "" : "parent ", (int)mine[k], (int)theirs[k]);
    sl_free(mine);
    sl_free(theirs);
}

/* Least parents are equal bit for bit, also if the reordered graph does not support them. */
static void check_least(const graph *g, const char *off, uint64_t source)
{
    const sl_bfs_options least = {.deterministic = true},
                         int32 = {.deterministic = true, .int32 = true};
    sl_vector *mine, *theirs;
    OK(ctx, sl_bfs(&mine, NULL, g->tested, source, source % 2 ? &least : &int32));
    OK(host, sl_bfs(&theirs, NULL, g->on_host, source, &least));
    int64_t *a = take_array(mine), *b = take_array(theirs);
    for (uint64_t v = 0; v < g->rows.nrows; v++)
        if (a[v] != b[v])
            fail_msg("%s from %d, SEMLA_TRAVERSAL=%s: the least parent of %d is %d, not %d",
                     g->name, (int)source, off, (int)v, (int)a[v], (int)b[v]);
    sl_free(a);
    sl_free(b);
}

static void check_graph(graph g, int sources, uint64_t *random)
{
    sl_matrix *usual = g.tested;
    for (int k = 0; k < SWITCHES; k++) {
        assert_int_equal(setenv("SEMLA_TRAVERSAL", switches[k], 1), 0);
        if (strstr(switches[k], "pinned")) { /* read when the graph is prepared */
            OK(ctx, sl_matrix_dup(&g.tested, usual));
            OK(ctx, sl_matrix_optimize(g.tested, SL_FOR_TRAVERSAL));
        }
        for (int s = 0; s < sources; s++) {
            uint64_t source = s == 0 ? 0 : test_random(random) % g.rows.nrows;
            for (int direction = SL_AUTO; direction <= SL_PULL; direction++)
                check_search(&g, switches[k], source, (sl_direction)direction, 3, -1);
            check_search(&g, switches[k], source, SL_AUTO, 1, -1);
            check_search(&g, switches[k], source, SL_AUTO, 2, -1);
            check_search(&g, switches[k], source, SL_AUTO, 3, (int64_t)(test_random(random) % 4));
            check_closure(&g, switches[k], random);
            check_least(&g, switches[k], source);
        }
        if (g.tested != usual)
            sl_matrix_free(g.tested);
        g.tested = usual;
    }
    unsetenv("SEMLA_TRAVERSAL");
    free_graph(&g);
}

/* Prepared Kronecker graphs of several scales. */
static void scales(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (unsigned scale = 7; scale <= 13; scale++) {
        sl_generator kronecker = {.model = SL_MODEL_KRONECKER, .seed = scale, .scale = scale};
        graph g = model("kronecker", scale != 9 && scale != 10, kronecker);
        for (int direction = SL_AUTO; direction <= SL_PULL; direction++)
            check_search(&g, "", test_random(&random) % g.rows.nrows, (sl_direction)direction, 3,
                         -1);
        check_closure(&g, "", &random);
        free_graph(&g);
    }
}

/* A graph with short rows that is large enough for the openmp engine to reorder it by clusters. */
static void clusters(void **state)
{
    (void)state;
    uint64_t random = 6;
    sl_generator road = {.model = SL_MODEL_ROAD, .seed = 7, .side = {270, 250, 0}};
    graph g = model("a large road", true, road);
    check_search(&g, "", test_random(&random) % g.rows.nrows, SL_AUTO, 3, -1);
    check_closure(&g, "", &random);
    free_graph(&g);
}

static void models(void **state)
{
    (void)state;
    uint64_t random = 1;
    check_graph(model("kronecker 10", true,
                      (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 1, .scale = 10}),
                3, &random);
    check_graph(model("kronecker 13", true,
                      (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 4, .scale = 13}),
                2, &random);
    check_graph(model("grid", true, (sl_generator){.model = SL_MODEL_GRID, .side = {37, 20, 0}}), 2,
                &random);
    check_graph(
        model("road", true, (sl_generator){.model = SL_MODEL_ROAD, .seed = 2, .side = {30, 20, 0}}),
        2, &random);
    check_graph(model("star", true, (sl_generator){.model = SL_MODEL_STAR, .vertices = 700}), 2,
                &random);
    check_graph(model("path", true, (sl_generator){.model = SL_MODEL_PATH, .vertices = 1300}), 2,
                &random);
    check_graph(model("complete", true, (sl_generator){.model = SL_MODEL_COMPLETE, .vertices = 90}),
                2, &random);
    check_graph(model("directed kronecker 9", false,
                      (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 3, .scale = 9}),
                2, &random);
}

/* From a few vertices with loops and without edges up to a thousand. */
static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t random = seed;
        uint64_t n = (test_random(&random) % 1024 >> test_random(&random) % 10) + 1;
        sl_generator g = {.model = SL_MODEL_UNIFORM,
                          .seed = seed,
                          .vertices = n,
                          .edges = test_random(&random) % (16 * n + 1)};
        char name[32];
        snprintf(name, sizeof name, "seed %d", (int)seed);
        check_graph(model(name, seed % 4 != 0, g), 2, &random);
    }
}

/* After a matrix was written, the graph that was prepared from it is not searched. */
static void written_matrices(void **state)
{
    (void)state;
    graph g = model("star", true, (sl_generator){.model = SL_MODEL_STAR, .vertices = 200});
    graph path = model("path", true, (sl_generator){.model = SL_MODEL_PATH, .vertices = 200});
    sl_vector *level;
    uint64_t reached;
    OK(ctx, sl_bfs(NULL, &level, g.tested, 0, NULL));
    sl_vector_free(level);
    /* The path has only the edge 0 - 1 in common with the star. */
    sl_binary_op pair = sl_binary_op_get(SL_BINARY_PAIR, SL_BOOL);
    OK(ctx, sl_matrix_ewise_mult(g.tested, NULL, NULL, pair, g.tested, path.tested, NULL));
    for (int k = 0; k < 2; k++) {
        OK(ctx, sl_bfs(NULL, &level, g.tested, 0, NULL));
        OK(ctx, sl_vector_nvals(&reached, level));
        assert_int_equal(reached, 2);
        sl_vector_free(level);
        OK(ctx, sl_matrix_optimize(g.tested, SL_FOR_TRAVERSAL));
    }
    free_graph(&g);
    free_graph(&path);
}

static void check_result(const graph *g, uint64_t source, sl_vector *parent, sl_vector *level)
{
    int64_t *parents = take_array(parent), *levels = take_array(level);
    sl_check_result verdict = validate(g, source, parents, levels, -1);
    if (!verdict.valid)
        fail_msg("%s from %d: %s", g->name, (int)source, verdict.reason);
    sl_free(parents);
    sl_free(levels);
}

/* Results that are read after the next search, after the other vector of the search was freed, from
 * a copy, or after the matrix was freed. */
static void results_outlive_the_matrix(void **state)
{
    (void)state;
    graph graphs[] = {
        model("kronecker 9", true,
              (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 5, .scale = 9}),
        model("grid", true, (sl_generator){.model = SL_MODEL_GRID, .side = {23, 17, 0}})};
    for (int k = 0; k < 2; k++) {
        const sl_bfs_options options = {.int32 = k};
        graph *g = &graphs[k];
        sl_vector *parent[4], *level[4], *copy;
        uint64_t reached, again;
        for (uint64_t s = 0; s < 4; s++)
            OK(ctx, sl_bfs(&parent[s], &level[s], g->tested, s, &options));
        check_result(g, 2, parent[2], level[2]);
        sl_vector_free(level[1]);
        check_result(g, 1, parent[1], NULL);
        sl_vector_free(parent[3]); /* the result of the last search, never read */
        sl_matrix_free(g->tested);
        g->tested = NULL;
        check_result(g, 3, NULL, level[3]);
        OK(ctx, sl_vector_nvals(&reached, parent[0]));
        OK(ctx, sl_vector_dup(&copy, parent[0]));
        OK(ctx, sl_vector_nvals(&again, copy));
        assert_int_equal(reached, again);
        sl_vector_free(parent[0]);
        check_result(g, 0, copy, level[0]);
        free_graph(g);
    }
}

static void unknown_words(void **state)
{
    (void)state;
    graph g = model("path", true, (sl_generator){.model = SL_MODEL_PATH, .vertices = 9});
    sl_vector *parent;
    setenv("SEMLA_TRAVERSAL", "nohubs,nohub", 1);
    assert_int_equal(sl_bfs(&parent, NULL, g.tested, 0, NULL), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), "'nohub'"));
    static const char *const wrong[] = {"alpha",   "alpha=",    "alpha=0",   "beta=-1",
                                        "alpha=x", "beta=1e99", "weight=1x", "gamma=3"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv("SEMLA_TRAVERSAL", wrong[k], 1);
        assert_int_equal(sl_bfs(&parent, NULL, g.tested, 0, NULL), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), wrong[k]));
    }
    unsetenv("SEMLA_TRAVERSAL");
    free_graph(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models),           cmocka_unit_test(scales),
        cmocka_unit_test(clusters),         cmocka_unit_test(random_graphs),
        cmocka_unit_test(written_matrices), cmocka_unit_test(results_outlive_the_matrix),
        cmocka_unit_test(unknown_words),
    };
    int failed = 0;
    sl_engine_info engine;
    if (sl_context_create(&host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    for (size_t k = 0; next_engine(&engine, &k);) {
        if (engine.choice == SL_ENGINE_SUITESPARSE)
            continue;
        print_message("engine %s\n", engine.name);
        if (sl_context_create(&ctx, engine.choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests_name(engine.name, tests, NULL, NULL);
        sl_context_free(ctx);
    }
    sl_context_free(host);
    return failed;
}
