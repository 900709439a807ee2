/*
 * sl_closure, sl_advance and sl_bfs on every grid of the ranks, compared with one rank, through the
 * public interface alone.
 */
#include "ranks.h"
#include "support.h"

static sl_context *one; /* a context of one rank */

/* The same graph in both contexts. */
typedef struct {
    sl_context *ctx; /* the grid's context */
    sl_matrix *A, *whole;
    uint64_t n;
    bool promised; /* A is known to be symmetric */
} pair;

static pair pair_make(sl_generator model, int rows, int cols)
{
    pair g = {0};
    sl_edges edges;
    assert_ok(one, sl_generate(&edges, one, &model));
    g.n = edges.nrows;
    assert_ok(one, sl_matrix_from_edges(&g.whole, one, &edges,
                                        &(sl_read_options){.flags = SL_READ_SYMMETRIC}));
    sl_edges_free(&edges);
    uint64_t count;
    assert_ok(one, sl_matrix_nvals(&count, g.whole));
    uint64_t *row = malloc((count + 1) * sizeof *row), *col = malloc((count + 1) * sizeof *col);
    assert_ok(one, sl_matrix_extract_tuples(row, col, NULL, &count, g.whole));
    assert_int_equal(
        sl_grid_context_create(&g.ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
    assert_ok(g.ctx, sl_matrix_new(&g.A, g.ctx, SL_BOOL, g.n, g.n));
    /* Builds the graph; each rank passes a part of the tuples. */
    uint64_t each = count / (uint64_t)world_size() + 1, first = each * (uint64_t)world_rank();
    uint64_t mine = first < count ? (count - first < each ? count - first : each) : 0;
    assert_ok(g.ctx, sl_matrix_build(g.A, row + (mine ? first : 0), col + (mine ? first : 0), NULL,
                                     mine, NULL));
    free(row);
    free(col);
    return g;
}

static void pair_free(pair *g)
{
    sl_matrix_free(g->A);
    sl_matrix_free(g->whole);
    sl_context_free(g->ctx);
}

/* ---- comparing -------------------------------------------------------------------------- */

/* Each of this rank's entries of `part` is an entry of `whole`, and both have the same number. */
static void same_vector(sl_context *ctx, const sl_vector *part, const sl_vector *whole)
{
    uint64_t n = sl_vector_size(whole), count = n, all, expected;
    uint64_t *index = malloc((n + 1) * sizeof *index);
    int64_t *values = malloc((n + 1) * sizeof *values);
    assert_ok(ctx, sl_vector_nvals(&all, part));
    assert_ok(one, sl_vector_nvals(&expected, whole));
    assert_int_equal(all, expected);
    assert_ok(ctx, sl_vector_extract_tuples(index, values, &count, part));
    for (uint64_t k = 0; k < count; k++) {
        sl_scalar x;
        assert_int_equal(sl_vector_get(&x, whole, index[k]), SL_OK);
        if (sl_vector_type(whole) == SL_INT64)
            assert_int_equal(values[k], x.as.int64_);
    }
    free(index);
    free(values);
}

typedef struct {
    sl_vector *pi, *q, *level, *targets;
} vectors;

static vectors vectors_make(sl_context *ctx, sl_type type, uint64_t n, uint64_t source,
                            uint64_t target)
{
    vectors v = {0};
    sl_scalar value = type == SL_BOOL ? sl_scalar_bool(true) : sl_scalar_int64((int64_t)source);
    assert_ok(ctx, sl_vector_new(&v.pi, ctx, type, n));
    assert_ok(ctx, sl_vector_new(&v.q, ctx, type, n));
    assert_ok(ctx, sl_vector_new(&v.level, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_new(&v.targets, ctx, SL_BOOL, n));
    assert_ok(ctx, sl_vector_set(v.pi, source, value));
    assert_ok(ctx, sl_vector_set(v.q, source, value));
    assert_ok(ctx, sl_vector_set(v.targets, target, sl_scalar_bool(true)));
    return v;
}

static void vectors_free(vectors *v)
{
    sl_vector_free(v->pi);
    sl_vector_free(v->q);
    sl_vector_free(v->level);
    sl_vector_free(v->targets);
}

/* Runs one closure in both contexts and compares the results. */
static void closures(pair *g, sl_semiring semiring, sl_type type, uint64_t source, bool targeted,
                     sl_direction direction)
{
    sl_iteration_log logs[2] = {{0}, {0}};
    vectors here = vectors_make(g->ctx, type, g->n, source, g->n / 2);
    vectors there = vectors_make(one, type, g->n, source, g->n / 2);
    sl_closure_options options = {.direction = direction, .level = here.level, .log = &logs[0]};
    options.targets = targeted ? here.targets : NULL;
    assert_ok(g->ctx, sl_closure(here.pi, here.q, g->A, semiring, &options));
    options.level = there.level;
    options.log = &logs[1];
    options.targets = targeted ? there.targets : NULL;
    assert_ok(one, sl_closure(there.pi, there.q, g->whole, semiring, &options));
    same_vector(g->ctx, here.level, there.level);
    if (semiring != SL_ANY_SECONDI_INT64)
        same_vector(g->ctx, here.pi, there.pi);
    assert_int_equal(logs[0].count, logs[1].count);
    for (size_t k = 0; k < logs[0].count && direction == SL_PUSH; k++) {
        assert_int_equal(logs[0].iterations[k].frontier, logs[1].iterations[k].frontier);
        /* Dead ends are not followed, if the matrix is known to be symmetric. */
        if (g->promised)
            assert_true(logs[0].iterations[k].edges <= logs[1].iterations[k].edges);
        else
            assert_int_equal(logs[0].iterations[k].edges, logs[1].iterations[k].edges);
    }
    sl_iteration_log_clear(&logs[0]);
    sl_iteration_log_clear(&logs[1]);
    vectors_free(&here);
    vectors_free(&there);
}

static const sl_generator models[] = {
    {.model = SL_MODEL_KRONECKER, .scale = 8, .seed = 4},
    {.model = SL_MODEL_ROAD, .side = {12, 12}, .seed = 5},
    {.model = SL_MODEL_STAR, .vertices = 5},
    {.model = SL_MODEL_PATH, .vertices = 1},
};

static void test_closures(void **unused)
{
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int rows = 0, cols; next_grid(&rows, &cols);) {
            pair g = pair_make(models[m], rows, cols);
            closures(&g, SL_MIN_SECONDI_INT64, SL_INT64, g.n / 3, false, SL_AUTO);
            closures(&g, SL_MIN_SECONDI_INT64, SL_INT64, 0, false, SL_PUSH);
            closures(&g, SL_MAX_SECONDI_INT64, SL_INT64, g.n - 1, true, SL_PULL);
            closures(&g, SL_ANY_SECONDI_INT64, SL_INT64, 0, true, SL_AUTO);
            closures(&g, SL_ANY_PAIR_BOOL, SL_BOOL, g.n / 2, false, SL_AUTO);
            pair_free(&g);
        }
}

/* A write of the matrix drops the data prepared for it. */
static void test_written(void **unused)
{
    pair g = pair_make((sl_generator){.model = SL_MODEL_PATH, .vertices = 40}, 1, world_size());
    closures(&g, SL_MIN_SECONDI_INT64, SL_INT64, 0, false, SL_AUTO);
    assert_ok(g.ctx, sl_matrix_set(g.A, 0, 39, sl_scalar_bool(true)));
    assert_ok(one, sl_matrix_set(g.whole, 0, 39, sl_scalar_bool(true)));
    closures(&g, SL_MIN_SECONDI_INT64, SL_INT64, 0, false, SL_PUSH);
    assert_ok(g.ctx, sl_matrix_optimize(g.A, SL_FOR_TRAVERSAL));
    closures(&g, SL_MIN_SECONDI_INT64, SL_INT64, 0, false, SL_PULL);
    pair_free(&g);
}

/* The parent tree of a search on the grid; it may be any valid tree, so its rules are checked. */
static void test_bfs(void **unused)
{
    pair g = pair_make((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 6},
                       some_rows(), 0);
    sl_vector *parent, *level, *expected, *expected_level;
    sl_bfs_options options = {.deterministic = true};
    assert_ok(g.ctx, sl_bfs(&parent, &level, g.A, 7, &options));
    assert_ok(one, sl_bfs(&expected, &expected_level, g.whole, 7, &options));
    same_vector(g.ctx, parent, expected);
    same_vector(g.ctx, level, expected_level);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_vector_free(expected);
    sl_vector_free(expected_level);
    pair_free(&g);
}

static void test_switches(void **unused)
{
    pair g = pair_make((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 7, .seed = 2},
                       some_rows(), 0);
    static const char *const switches[] = {"novisited", "nocodecs,nodeferred",
                                           "nodeferred,novisited,nocodecs", "noorder"};
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++) {
        setenv("SEMLA_DIST", switches[k], 1);
        closures(&g, SL_MIN_SECONDI_INT64, SL_INT64, 3, false, SL_AUTO);
        closures(&g, SL_ANY_SECONDI_INT64, SL_INT64, 3, false, SL_AUTO);
    }
    /* Unknown words on all ranks; words that differ between ranks. */
    static const char *const bad[] = {"nocodecs,fast", "novisited"};
    for (size_t k = 0; k < 2; k++) {
        vectors v = vectors_make(g.ctx, SL_INT64, g.n, 3, 0);
        setenv("SEMLA_DIST", world_rank() == world_size() - 1 ? bad[k] : "", 1);
        sl_status status = sl_closure(v.pi, v.q, g.A, SL_ANY_SECONDI_INT64, NULL);
        assert_int_equal(status, k == 0 ? SL_INVALID : world_size() > 1 ? SL_MISMATCH : SL_OK);
        if (k == 0)
            assert_non_null(
                strstr(sl_context_message(g.ctx), "unknown word 'fast'; semla(1) lists"));
        vectors_free(&v);
    }
    unsetenv("SEMLA_DIST");
    pair_free(&g);
}

/* The words that ask for a search by devices are errors where it is not possible, and do not apply to
 * other closures. */
static void test_dimensions(void **unused)
{
    const struct {
        const char *words, *message;
        sl_semiring semiring;
        sl_status status;
    } asked[] = {{"1d", "'1d'", SL_ANY_SECONDI_INT64, SL_UNSUPPORTED},
                 {"2d", "'2d'", SL_ANY_SECONDI_INT64, SL_UNSUPPORTED},
                 {"2d", "", SL_MIN_SECONDI_INT64, SL_OK},
                 {"2d,nodevices", "", SL_ANY_SECONDI_INT64, SL_OK},
                 {"2d,1d", "both '1d' and '2d'", SL_MIN_SECONDI_INT64, SL_INVALID}};
    pair g = pair_make((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 6, .seed = 2},
                       some_rows(), 0);
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        vectors v = vectors_make(g.ctx, SL_INT64, g.n, 3, 0);
        setenv("SEMLA_DIST", asked[k].words, 1);
        assert_int_equal(sl_closure(v.pi, v.q, g.A, asked[k].semiring, NULL), asked[k].status);
        if (asked[k].status != SL_OK)
            assert_non_null(strstr(sl_context_message(g.ctx), asked[k].message));
        vectors_free(&v);
    }
    unsetenv("SEMLA_DIST");
    pair_free(&g);
}

/* Traffic is counted for each context, and grows with every search. */
static void test_traffic(void **unused)
{
    pair g = pair_make((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 10, .seed = 3},
                       some_rows(), 0);
    sl_grid_traffic t;
    uint64_t bytes[2] = {0, 0}, expand = 0;
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(sl_grid_reset_traffic(g.ctx), SL_OK);
        for (size_t k = 0; sl_grid_get_traffic(&t, g.ctx, k) == SL_OK; k++)
            assert_int_equal(t.bytes, 0);
        setenv("SEMLA_DIST", turn ? "nocodecs" : "", 1);
        closures(&g, SL_MIN_SECONDI_INT64, SL_INT64, 732, false, SL_PUSH);
        for (size_t k = 0; sl_grid_get_traffic(&t, g.ctx, k) == SL_OK; k++) {
            bytes[turn] += strcmp(t.codec, "plain") ? t.bytes : 0;
            if (strcmp(t.phase, "expand") == 0)
                expand += t.bytes;
            if (turn && (strcmp(t.codec, "bitmap") == 0 || strcmp(t.codec, "vlq") == 0))
                assert_int_equal(t.bytes, 0);
        }
    }
    unsetenv("SEMLA_DIST");
    MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &expand, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    sl_grid_info info;
    assert_int_equal(sl_grid_describe(&info, g.ctx), SL_OK);
    assert_int_equal(expand > 0, info.rows > 1);
    if (world_size() > 1)
        assert_true(bytes[0] > 0 && bytes[0] < bytes[1]);
    assert_int_equal(sl_grid_get_traffic(&t, one, 0), SL_INVALID);
    assert_int_equal(sl_grid_get_traffic(NULL, g.ctx, 0), SL_INVALID);
    assert_int_equal(sl_grid_reset_traffic(one), SL_INVALID);
    pair_free(&g);
}

/* The bytes that all ranks receive in searches from some vertices, with these words of SEMLA_DIST.
 */
static uint64_t bytes_moved(pair *g, const char *switches)
{
    static const uint64_t sources[] = {3, 732, 1000};
    sl_grid_traffic t;
    uint64_t bytes = 0;
    setenv("SEMLA_DIST", switches, 1);
    assert_int_equal(sl_grid_reset_traffic(g->ctx), SL_OK);
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
        closures(g, SL_ANY_SECONDI_INT64, SL_INT64, sources[k], false, SL_AUTO);
    for (size_t k = 0; sl_grid_get_traffic(&t, g->ctx, k) == SL_OK; k++)
        bytes += t.bytes;
    unsetenv("SEMLA_DIST");
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

/*
 * Codecs, shared visited bits and deferred parents save most of the bytes of plain lists of
 * vertices and parents; degree order does not add bytes. On 4 x 4 at scale 20 the factor is 8
 * (bench_dist
 * --compare); it grows with the number of ranks.
 */
static void test_bytes(void **unused)
{
    if (world_size() < 4)
        return;
    pair g = pair_make((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 12, .seed = 3},
                       some_rows(), 0);
    const uint64_t raw = bytes_moved(&g, "nocodecs,novisited,nodeferred");
    const uint64_t ascending = bytes_moved(&g, "noorder"), all = bytes_moved(&g, "");
    assert_true(all > 0);
    assert_true(raw >= 4 * all);
    assert_true(100 * all <= 102 * ascending);
    pair_free(&g);
}

/* The bytes that this rank received to expand frontiers, in searches of a graph, promised to be symmetric or not. */
static uint64_t expanded_bytes(bool promised, sl_direction direction)
{
    pair g = pair_make((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 12, .seed = 3},
                       world_size(), 1);
    sl_grid_traffic t;
    uint64_t bytes = 0;
    g.promised = promised;
    if (promised)
        assert_ok(g.ctx, sl_matrix_promise_symmetric(g.A));
    closures(&g, SL_ANY_SECONDI_INT64, SL_INT64, 732, false, direction);
    closures(&g, SL_ANY_SECONDI_INT64, SL_INT64, 3, false, direction);
    for (size_t k = 0; sl_grid_get_traffic(&t, g.ctx, k) == SL_OK; k++)
        bytes += strcmp(t.phase, "expand") == 0 ? t.bytes : 0;
    pair_free(&g);
    return bytes;
}

/* In undirected graphs vertices with one edge are not expanded: about a fifth of those with edges. */
static void test_dead_ends(void **unused)
{
    static const sl_direction directions[] = {SL_AUTO, SL_PUSH, SL_PULL};
    for (size_t k = 0; k < sizeof directions / sizeof *directions && world_size() > 1; k++) {
        const uint64_t with = expanded_bytes(false, directions[k]),
                       without = expanded_bytes(true, directions[k]);
        assert_true(without > 0 && 10 * without < 9 * with);
    }
}

/* ---- memory --------------------------------------------------------------------------- */

/* Allocation number n fails on one rank during a search or its preparation: every rank returns the
 * error, nothing leaks, and the next search is correct. */
static void test_memory(void **unused)
{
    pair g = pair_make((sl_generator){.model = SL_MODEL_KRONECKER, .scale = 6, .seed = 8},
                       some_rows(), 0);
    for (int failing = 0; failing<world_size(); failing += world_size()> 1 ? world_size() - 1 : 1) {
        const sl_semiring semiring = failing == 0 ? SL_ANY_SECONDI_INT64 : SL_MIN_SECONDI_INT64;
        bool done = false;
        for (long n = 0; !done; n++) {
            sl_iteration_log log = {0};
            vectors v = vectors_make(g.ctx, SL_INT64, g.n, 3, 0);
            /* A write drops the prepared data; the write is finished, because work that SuiteSparse
             * deferred is lost if it fails. */
            uint64_t entries;
            assert_ok(g.ctx, sl_matrix_set(g.A, 0, 1, sl_scalar_bool(true)));
            assert_ok(g.ctx, sl_matrix_nvals(&entries, g.A));
            if (world_rank() == failing)
                allocator_fail_after(n);
            sl_status status = sl_closure(v.pi, v.q, g.A, semiring,
                                          &(sl_closure_options){.level = v.level, .log = &log});
            allocator_fail_after(-1);
            if (status != SL_OK && status != SL_NO_MEMORY)
                fail_msg("allocation %ld: %s (%s)", n, sl_status_string(status),
                         sl_context_message(g.ctx));
            int same[2] = {(int)status, -(int)status};
            MPI_Allreduce(MPI_IN_PLACE, same, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
            assert_int_equal(same[0], -same[1]);
            done = status == SL_OK;
            assert_ok(g.ctx, sl_vector_nvals(&entries, v.pi));
            sl_iteration_log_clear(&log);
            vectors_free(&v);
        }
    }
    assert_ok(one, sl_matrix_set(g.whole, 0, 1, sl_scalar_bool(true)));
    closures(&g, SL_MIN_SECONDI_INT64, SL_INT64, 3, false, SL_AUTO);
    pair_free(&g);
}

static void test_nothing_leaks(void **unused)
{
    long before = allocator_alive();
    test_memory(unused);
    assert_int_equal(allocator_alive(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closures),  cmocka_unit_test(test_written),
        cmocka_unit_test(test_bfs),       cmocka_unit_test(test_switches),
        cmocka_unit_test(test_traffic),   cmocka_unit_test(test_nothing_leaks),
        cmocka_unit_test(test_bytes),     cmocka_unit_test(test_dimensions),
        cmocka_unit_test(test_dead_ends),
    };
    allocator_install();
    assert_int_equal(sl_context_create(&one, SL_ENGINE_SUITESPARSE), SL_OK);
    int failures = run_ranks("closure", tests, sizeof tests / sizeof *tests);
    sl_context_free(one);
    return failures;
}
