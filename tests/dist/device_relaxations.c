/*
 * Closures that relax on grids whose ranks have devices, by every transport that is available, compared with
 * SuiteSparse in one process: shortest paths with predecessors, over sorted lengths and not, negative
 * lengths, negative cycles, cancellation. Their data must not pass through the hosts. Ranks may share a
 * device. SEMLA_TEST_SEED and SEMLA_TEST_TRIALS choose other trials.
 */
#include "device_places.h"
#include "device_relaxation_graphs.h"

enum { TRIALS = 14 };

static sl_context *one; /* of this process alone, on the host */

/* On a grid rank 0 passes the tuples. Lengths that are not whole have an exact sum, too. */
static sl_matrix *matrix_of(sl_context *ctx, const graph *g)
{
    const bool whole = g->type == SL_INT32 || g->type == SL_INT64;
    const uint64_t count = ctx == one || world_rank() == 0 ? g->edges : 0;
    sl_matrix *lengths, *A;
    assert_ok(ctx, sl_matrix_new(&lengths, ctx, SL_INT64, g->n, g->n));
    assert_ok(ctx, sl_matrix_build(lengths, g->from, g->to, g->length, count, SL_MIN_INT64));
    assert_ok(ctx, sl_matrix_new(&A, ctx, g->type, g->n, g->n));
    assert_ok(ctx, sl_matrix_apply(A, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, g->type),
                                   lengths, NULL));
    if (!whole)
        assert_ok(ctx,
                  sl_matrix_apply_second(A, NULL, NULL, sl_binary_op_get(SL_BINARY_DIV, g->type), A,
                                         sl_scalar_cast(sl_scalar_int64(3), g->type), NULL));
    sl_matrix_free(lengths);
    return A;
}

/* ---- one closure ---------------------------------------------------------------------------------- */

typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *pi, *parent;
    sl_status status;
} result;

/* prepared: by sl_matrix_optimize. */
static result run(sl_context *ctx, const graph *g, bool parents, bool prepared)
{
    result r = {.ctx = ctx, .A = matrix_of(ctx, g)};
    assert_ok(ctx, sl_vector_new(&r.pi, ctx, g->type, g->n));
    assert_ok(ctx, sl_vector_new(&r.parent, ctx, SL_INT64, g->n));
    if (ctx != one)
        place(sl_object_of_matrix(r.A));
    if (prepared)
        assert_ok(ctx, sl_matrix_optimize(r.A, SL_FOR_PATHS));
    const sl_closure_options options = {.from_source = true,
                                        .source = g->source,
                                        .source_value = sl_scalar_cast(sl_scalar_int64(0), g->type),
                                        .parent = parents ? r.parent : NULL};
    r.status =
        sl_closure(r.pi, NULL, r.A, sl_semiring_get(SL_SEMIRING_MIN_PLUS, g->type), &options);
    return r;
}

static void free_result(result *r)
{
    sl_matrix_free(r->A);
    sl_vector_free(r->pi);
    sl_vector_free(r->parent);
}

static void same_vector(const char *where, const graph *g, const sl_vector *got,
                        const sl_vector *right)
{
    sl_arrays a, b;
    assert_ok(sl_vector_context(got), sl_grid_gather_vector(&a, got, 0));
    if (world_rank() == 0) {
        const size_t size = sl_type_size(sl_vector_type(right));
        assert_ok(one, sl_vector_copy_out(&b, right, SL_FORMAT_LIST));
        assert_ok(one, sl_arrays_expand(one, &b));
        if (a.nvals != b.nvals || memcmp(a.rows, b.rows, b.nvals * sizeof *b.rows) != 0)
            fail_msg("%s, graph %d (%s): %d entries instead of %d, or others", where, (int)g->seed,
                     g->shape, (int)a.nvals, (int)b.nvals);
        assert_ok(NULL, sl_arrays_expand(sl_vector_context(got), &a));
        for (uint64_t k = 0; k < b.nvals; k++)
            if (memcmp((char *)a.values + k * size, (char *)b.values + k * size, size) != 0)
                fail_msg("%s, graph %d (%s): entry %d differs", where, (int)g->seed, g->shape,
                         (int)a.rows[k]);
        sl_arrays_free(&b);
    }
    sl_arrays_free(&a);
}

/* ---- trials --------------------------------------------------------------------------------------- */

static uint64_t host_bytes(const sl_context *ctx)
{
    const sl_traffic *t = &sl_grid_of(ctx)->traffic;
    uint64_t bytes = 0;
    for (int k = 0; k < SL_PHASE_COUNT; k++)
        bytes += t->host_bytes[k];
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

/* Whether each process works on all edges of its vertices: rows are long enough, and every edge has a mirror edge. */
static bool uses_whole_rows(const graph *g, const sl_matrix *A)
{
    uint64_t entries;
    assert_ok(NULL, sl_matrix_nvals(&entries, A));
    return entries / g->n >= 8 && strcmp(g->shape, "directed") != 0 &&
           strcmp(g->shape, "one way shorter") != 0;
}

static void check_note(sl_context *ctx, const graph *g, const sl_matrix *A)
{
    const sl_grid *grid = sl_grid_of(ctx);
    const bool collects = strstr(grid->search.note, "all edges") != NULL;
    assert_non_null(strstr(grid->search.note, "devices"));
    assert_int_equal(collects, grid->rows > 1 && uses_whole_rows(g, A));
}

static void one_trial(sl_context *ctx, const char *where, uint64_t seed, size_t transport)
{
    graph g = make_graph(seed);
    result right = run(one, &g, true, false), got, without;
    assert_ok(ctx, sl_grid_reset_traffic(ctx));
    got = run(ctx, &g, true, seed % 2);
    without = run(ctx, &g, false, seed % 2 == 0);
    assert_ok(one, right.status);
    assert_ok(ctx, got.status);
    assert_ok(ctx, without.status);
    same_vector(where, &g, got.pi, right.pi);
    same_vector(where, &g, without.pi, right.pi);
    same_vector(where, &g, got.parent, right.parent);
    if (strcmp(transports[transport].words, "nodevices") != 0)
        check_note(ctx, &g, without.A);
    free_result(&got);
    free_result(&without);
    free_result(&right);
    free_graph(&g);
}

static void test_trials(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (size_t k = 0; k < TRANSPORTS; k++) {
            char where[64];
            snprintf(where, sizeof where, "grid %dx%d by %s", rows, cols, transports[k].words);
            if (!is_available(ctx, k))
                continue;
            const test_seeds seeds =
                test_seeds_from(((uint64_t)rows * TRANSPORTS + k) * TRIALS, TRIALS);
            for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
                one_trial(ctx, where, seed, k);
        }
        unsetenv("SEMLA_DIST");
        sl_context_free(ctx);
    }
}

/* No byte passes through the hosts or is copied to another store, whatever the shape of the grid. */
static void test_traffic(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (uint64_t seed = 5; seed < 4 * SHAPES; seed += SHAPES) { /* dense, of each type */
            graph g = make_graph(seed);
            sl_matrix *A = matrix_of(ctx, &g);
            sl_vector *pi;
            sl_context_counts before, after;
            place(sl_object_of_matrix(A));
            assert_ok(ctx, sl_vector_new(&pi, ctx, g.type, g.n));
            assert_ok(ctx, sl_grid_reset_traffic(ctx));
            const sl_closure_options options = {.from_source = true,
                                                .source = g.source,
                                                .source_value =
                                                    sl_scalar_cast(sl_scalar_int64(0), g.type)};
            sl_context_get_counts(ctx, &before);
            assert_ok(ctx, sl_closure(pi, NULL, A, sl_semiring_get(SL_SEMIRING_MIN_PLUS, g.type),
                                      &options));
            sl_context_get_counts(ctx, &after);
            assert_int_equal(after.fallbacks, before.fallbacks);
            assert_int_equal(host_bytes(ctx), 0);
            assert_int_equal(after.bytes_copied, before.bytes_copied);
            const sl_traffic *t = &sl_grid_of(ctx)->traffic;
            uint64_t bytes = t->bytes[SL_PHASE_OPERAND][SL_ENCODING_VALUES] +
                             t->bytes[SL_PHASE_RESULT][SL_ENCODING_VALUES];
            MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
            assert_int_equal(bytes > 0, world_size() > 1);
            sl_vector_free(pi);
            sl_matrix_free(A);
            free_graph(&g);
        }
        sl_context_free(ctx);
    }
}

/* ---- preparation ---------------------------------------------------------------------------------- */

static sl_matrix *block_of(const sl_matrix *A)
{
    return (sl_matrix *)sl_grid_block(sl_object_of_matrix(A));
}

/* Bytes on the devices of all ranks: of the blocks, and of what the grid keeps with the matrix. */
static uint64_t device_bytes(const sl_matrix *A)
{
    sl_placement block, kept;
    assert_ok(NULL, sl_matrix_placement(&block, block_of(A)));
    assert_ok(NULL, sl_matrix_placement(&kept, A));
    uint64_t bytes = block.device_bytes + kept.device_bytes;
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

static void find_distances(sl_matrix *A, const graph *g)
{
    sl_context *ctx = sl_matrix_context(A);
    const sl_closure_options options = {.from_source = true,
                                        .source = g->source,
                                        .source_value =
                                            sl_scalar_cast(sl_scalar_int64(0), g->type)};
    sl_vector *pi;
    assert_ok(ctx, sl_vector_new(&pi, ctx, g->type, g->n));
    assert_ok(ctx,
              sl_closure(pi, NULL, A, sl_semiring_get(SL_SEMIRING_MIN_PLUS, g->type), &options));
    sl_vector_free(pi);
}

/* The preparation sorts the rows and columns of the block, if rows are long enough. If every edge
 * has a mirror edge, it collects whole rows, unless each process has them, sorts only the rows, and
 * puts the vertices in an order. The first closure keeps nothing more. */
static void try_prepared(sl_context *ctx, int rows, uint64_t seed)
{
    graph g = make_graph(seed);
    sl_matrix *A = matrix_of(ctx, &g);
    uint64_t entries;
    place(sl_object_of_matrix(A));
    assert_ok(ctx, sl_matrix_nvals(&entries, A));
    const uint64_t before = device_bytes(A);
    assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_PATHS));
    const uint64_t with = device_bytes(A), ranks = (uint64_t)world_size(), n = g.n;
    if (uses_whole_rows(&g, A)) {
        const uint64_t starts = 8 * (n + ranks), order = 8 * (n + ranks) + 5 * n * (ranks + 1);
        const uint64_t copied = rows > 1 ? entries * (4 + sl_type_size(g.type)) + starts : 0;
        assert_in_range(with, before + copied + 8 * entries,
                        before + copied + 12 * entries + order);
    } else if (entries / n >= 8)
        assert_true(with >= before + 2 * 8 * entries);
    else
        assert_int_equal(with, before);
    find_distances(A, &g);
    assert_int_equal(device_bytes(A), with);
    sl_matrix_free(A);
    free_graph(&g);
}

static void test_prepared(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (uint64_t seed = 0; seed < 4 * SHAPES; seed += 5) /* some of each type */
            try_prepared(ctx, rows, seed);
        sl_context_free(ctx);
    }
}

/* ---- negative lengths ---------------------------------------------------------------------------- */

/* Edges that lead to greater vertices have any length; `cycle`: an edge leads back. */
static void try_negative(sl_context *ctx, uint64_t seed, bool cycle)
{
    graph g = make_graph(10 * seed + 10 * SHAPES);
    g.n = 40;
    g.edges = 0;
    g.source = 0;
    for (uint64_t k = 0; k < 300; k++) {
        const uint64_t a = below(&g, g.n - 1);
        add_edge(&g, a, a + 1 + below(&g, g.n - 1 - a), (int64_t)below(&g, 50) - 25);
    }
    add_edge(&g, 0, 1, -100);
    if (cycle)
        add_edge(&g, 1, 0, 99);
    result right = run(one, &g, false, false), got = run(ctx, &g, false, seed % 2);
    assert_int_equal(right.status, cycle ? SL_INVALID : SL_OK);
    assert_int_equal(got.status, right.status);
    if (cycle)
        assert_non_null(strstr(sl_context_message(ctx), "does not converge"));
    else
        same_vector("negative lengths", &g, got.pi, right.pi);
    assert_non_null(strstr(sl_grid_of(ctx)->search.note, "devices"));
    free_result(&got);
    free_result(&right);
    free_graph(&g);
}

static void test_negative(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (uint64_t seed = 0; seed < 4; seed++) {
            try_negative(ctx, seed, false);
            try_negative(ctx, seed, true);
        }
        sl_context_free(ctx);
    }
}

/* ---- cancellation --------------------------------------------------------------------------------- */

typedef struct {
    uint64_t calls, cancel_at;
} question;

static int ask(void *data, const sl_progress *progress)
{
    question *q = data;
    (void)progress;
    return q->calls++ >= q->cancel_at;
}

/* The last rank cancels at question number `at`: all ranks return SL_CANCELLED, or SL_OK after fewer
 * questions. */
static sl_status attempt(sl_context *ctx, const graph *g, uint64_t at)
{
    question q = {.cancel_at = world_rank() == world_size() - 1 ? at : UINT64_MAX};
    sl_matrix *A = matrix_of(ctx, g);
    sl_vector *pi;
    assert_ok(ctx, sl_vector_new(&pi, ctx, g->type, g->n));
    place(sl_object_of_matrix(A));
    const sl_closure_options options = {.from_source = true,
                                        .source = g->source,
                                        .source_value =
                                            sl_scalar_cast(sl_scalar_int64(0), g->type)};
    assert_ok(ctx, sl_context_set_progress(ctx, ask, &q, 0));
    const sl_status status =
        sl_closure(pi, NULL, A, sl_semiring_get(SL_SEMIRING_MIN_PLUS, g->type), &options);
    assert_ok(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    int codes[] = {status, -status};
    MPI_Allreduce(MPI_IN_PLACE, codes, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    assert_int_equal(codes[0], -codes[1]);
    sl_vector_free(pi);
    sl_matrix_free(A);
    return status;
}

static void test_cancelled(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        graph g = make_graph(2 + SHAPES); /* a path */
        g.source = 0;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        uint64_t at = 0;
        while (attempt(ctx, &g, at) == SL_CANCELLED)
            at++;
        assert_true(at > 3);
        assert_ok(ctx, attempt(ctx, &g, UINT64_MAX));
        sl_context_free(ctx);
        free_graph(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trials),    cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_prepared),  cmocka_unit_test(test_negative),
        cmocka_unit_test(test_cancelled),
    };
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&one, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    int failures = run_ranks("device_relaxations", tests, sizeof tests / sizeof *tests);
    sl_context_free(one);
    return failures;
}
