/*
 * The techniques of a GPU's searches, each switched off (SEMLA_TRAVERSAL): none changes
 * what is found. Levels against the queue-based search, trees by the validator, closures
 * from several vertices against the host's engines. Without a GPU there is nothing to test.
 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/bfs.h>

#include "support.h"

static const char *const switches[] = {
    "",          "nopersistent", "nolayout",          "noslots",       "nohubs",
    "nocluster", "kolganov",     "nolayout,kolganov", "noslots,nohubs"};
enum { SWITCHES = sizeof switches / sizeof *switches };

static sl_context *host, *gpu;

/* The same graph on both, prepared on the GPU. */
typedef struct {
    const char *name;
    sl_matrix *on_host, *on_gpu;
    sl_csr rows;
} graph;

static sl_matrix *matrix_of(sl_context *ctx, const sl_edges *edges, bool undirected)
{
    sl_matrix *A;
    sl_read_options options = {.flags = undirected ? SL_READ_SYMMETRIC : 0};
    OK(ctx, sl_matrix_from_edges(&A, ctx, edges, &options));
    return A;
}

static graph graph_of(const char *name, bool undirected, const sl_edges *edges)
{
    graph g = {.name = name, .on_host = matrix_of(host, edges, undirected)};
    OK(host, sl_matrix_copy_csr(&g.rows, g.on_host));
    g.on_gpu = matrix_of(gpu, edges, undirected);
    OK(gpu, sl_matrix_optimize(g.on_gpu, SL_FOR_TRAVERSAL));
    return g;
}

static graph model(const char *name, bool undirected, sl_generator generator)
{
    sl_edges edges;
    OK(host, sl_generate(&edges, host, &generator));
    graph g = graph_of(name, undirected, &edges);
    sl_edges_free(&edges);
    return g;
}

static void free_graph(graph *g)
{
    sl_matrix_free(g->on_host);
    sl_matrix_free(g->on_gpu);
    sl_free(g->rows.start);
    sl_free(g->rows.index);
    sl_free(g->rows.values);
}

/* One search; which of the two results are asked for is `what`, 1, 2 or 3. */
static void check_search(const graph *g, const char *off, uint64_t source, sl_direction direction,
                         int what, int64_t depth)
{
    sl_vector *parent = NULL, *level = NULL;
    sl_step_log log = {0};
    sl_bfs_options options = {.direction = direction,
                              .bounded = depth >= 0,
                              .max_depth = depth >= 0 ? (uint64_t)depth : 0,
                              .log = &log};
    OK(gpu,
       sl_bfs(what & 1 ? &parent : NULL, what & 2 ? &level : NULL, g->on_gpu, source, &options));
    int64_t *parents = NULL, *levels = NULL;
    if (parent)
        OK(gpu, sl_search_array(&parents, parent));
    if (level)
        OK(gpu, sl_search_array(&levels, level));
    sl_graph_view view = {g->rows.nrows, g->rows.start, g->rows.index};
    sl_verdict verdict;
    OK(host, sl_validate_search(&verdict, &view, source, parents, levels, depth));
    if (!verdict.valid)
        fail_msg("%s from %d, SEMLA_TRAVERSAL=%s, %s, results %d, depth %d: %s", g->name,
                 (int)source, off, sl_direction_name(direction), what, (int)depth, verdict.reason);
    if (depth < 0 && log.count == 0 && g->rows.start[source + 1] > g->rows.start[source])
        fail_msg("%s from %d, SEMLA_TRAVERSAL=%s: no step was logged", g->name, (int)source, off);
    sl_step_log_clear(&log);
    sl_free(parents);
    sl_free(levels);
    sl_vector_free(parent);
    sl_vector_free(level);
}

/* pi has `settled` vertices, of which some are in q, perhaps one of q is not in pi. */
static sl_vector *closed(sl_context *ctx, const sl_matrix *A, const uint64_t *settled,
                         uint64_t count, bool stray)
{
    uint64_t n = sl_matrix_nrows(A);
    sl_vector *pi, *q, *level;
    OK(ctx, sl_vector_new(&pi, ctx, SL_INT64, n));
    OK(ctx, sl_vector_new(&q, ctx, SL_INT64, n));
    OK(ctx, sl_vector_new(&level, ctx, SL_INT64, n));
    for (uint64_t k = 0; k < count; k++) {
        OK(ctx, sl_vector_set(pi, settled[k], sl_scalar_int64((int64_t)settled[k])));
        if (k % 2 == 0)
            OK(ctx, sl_vector_set(q, settled[k], sl_scalar_int64(0)));
    }
    if (stray)
        OK(ctx, sl_vector_set(q, (settled[0] + 1) % n, sl_scalar_int64(0)));
    sl_closure_options options = {.level = level};
    OK(ctx, sl_closure(pi, q, A, SL_ANY_SECONDI_INT64, &options));
    uint64_t reached, levels;
    OK(ctx, sl_vector_nvals(&reached, pi));
    OK(ctx, sl_vector_nvals(&levels, level));
    if (!stray) /* q is not written */
        assert_true(reached >= levels);
    sl_vector_free(pi);
    sl_vector_free(q);
    return level;
}

static void check_closure(const graph *g, const char *off, uint64_t *random)
{
    uint64_t n = g->rows.nrows, settled[5], count = 1 + test_random(random) % 5;
    bool stray = test_random(random) % 4 == 0;
    for (uint64_t k = 0; k < count; k++)
        settled[k] = test_random(random) % n;
    sl_vector *mine = closed(gpu, g->on_gpu, settled, count, stray);
    sl_vector *theirs = closed(host, g->on_host, settled, count, stray);
    int64_t *a, *b;
    OK(gpu, sl_search_array(&a, mine));
    OK(host, sl_search_array(&b, theirs));
    for (uint64_t v = 0; v < n; v++)
        if (a[v] != b[v])
            fail_msg("%s, SEMLA_TRAVERSAL=%s, closure of %d vertices from %d%s: vertex %d has "
                     "level %d, not %d",
                     g->name, off, (int)count, (int)settled[0], stray ? " and a stray" : "", (int)v,
                     (int)a[v], (int)b[v]);
    sl_free(a);
    sl_free(b);
    sl_vector_free(mine);
    sl_vector_free(theirs);
}

static void check_graph(graph g, int sources, uint64_t *random)
{
    for (int k = 0; k < SWITCHES; k++) {
        assert_int_equal(setenv("SEMLA_TRAVERSAL", switches[k], 1), 0);
        for (int s = 0; s < sources; s++) {
            uint64_t source = s == 0 ? 0 : test_random(random) % g.rows.nrows;
            for (int direction = SL_AUTO; direction <= SL_PULL; direction++)
                check_search(&g, switches[k], source, (sl_direction)direction, 3, -1);
            check_search(&g, switches[k], source, SL_AUTO, 1, -1);
            check_search(&g, switches[k], source, SL_AUTO, 2, -1);
            check_search(&g, switches[k], source, SL_AUTO, 3, (int64_t)(test_random(random) % 4));
            check_closure(&g, switches[k], random);
        }
    }
    unsetenv("SEMLA_TRAVERSAL");
    free_graph(&g);
}

#define SKIP_WITHOUT_GPU()                                                                         \
    if (!gpu)                                                                                      \
    skip()

static void models(void **state)
{
    (void)state;
    SKIP_WITHOUT_GPU();
    uint64_t random = 1;
    check_graph(model("kronecker 10", true,
                      (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 1, .scale = 10}),
                3, &random);
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

/* From a handful of vertices with loops and without edges up to a thousand. */
static void random_graphs(void **state)
{
    (void)state;
    SKIP_WITHOUT_GPU();
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

/* What was prepared of a matrix is not searched after it was written. */
static void written_matrices(void **state)
{
    (void)state;
    SKIP_WITHOUT_GPU();
    graph g = model("star", true, (sl_generator){.model = SL_MODEL_STAR, .vertices = 200});
    graph path = model("path", true, (sl_generator){.model = SL_MODEL_PATH, .vertices = 200});
    sl_vector *level;
    uint64_t reached;
    OK(gpu, sl_bfs(NULL, &level, g.on_gpu, 0, NULL));
    sl_vector_free(level);
    /* Of the star the path leaves the edge between 0 and 1. */
    sl_binary_op pair = sl_binary_op_get(SL_BINARY_PAIR, SL_BOOL);
    OK(gpu, sl_matrix_ewise_mult(g.on_gpu, NULL, NULL, pair, g.on_gpu, path.on_gpu, NULL));
    for (int k = 0; k < 2; k++) {
        OK(gpu, sl_bfs(NULL, &level, g.on_gpu, 0, NULL));
        OK(gpu, sl_vector_nvals(&reached, level));
        assert_int_equal(reached, 2);
        sl_vector_free(level);
        OK(gpu, sl_matrix_optimize(g.on_gpu, SL_FOR_TRAVERSAL));
    }
    free_graph(&g);
    free_graph(&path);
}

static void unknown_words(void **state)
{
    (void)state;
    SKIP_WITHOUT_GPU();
    graph g = model("path", true, (sl_generator){.model = SL_MODEL_PATH, .vertices = 9});
    sl_vector *parent;
    setenv("SEMLA_TRAVERSAL", "nohubs,nohub", 1);
    assert_int_equal(sl_bfs(&parent, NULL, g.on_gpu, 0, NULL), SL_INVALID);
    assert_non_null(strstr(sl_context_message(gpu), "'nohub'"));
    unsetenv("SEMLA_TRAVERSAL");
    free_graph(&g);
}

int main(void)
{
    if (sl_context_create(&host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    if (sl_context_create(&gpu, SL_ENGINE_CUDA) != SL_OK) {
        print_message("skipped: no GPU\n");
        gpu = NULL;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(written_matrices),
        cmocka_unit_test(unknown_words),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(gpu);
    sl_context_free(host);
    return failed;
}
