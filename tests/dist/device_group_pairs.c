#include "device_graphs.h"

sl_context *local;
int rows, cols;

sl_matrix *make(sl_context *ctx, const sl_generator *model, bool directed)
{
    sl_edges edges;
    sl_matrix *A;
    const sl_read_options options = {.flags = directed ? 0 : SL_READ_SYMMETRIC};
    assert_ok(ctx, sl_generate(&edges, ctx, model));
    assert_ok(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
    return A;
}

void open_graph_pair(graph_pair *g, const sl_generator *model, bool directed)
{
    assert_ok(NULL, sl_grid_context_create(&g->ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
    g->A = make(g->ctx, model, directed);
    g->local_A = make(local, model, directed);
    g->n = sl_matrix_nrows(g->local_A);
}

void close_graph_pair(graph_pair *g)
{
    sl_matrix_free(g->A);
    sl_matrix_free(g->local_A);
    sl_context_free(g->ctx);
}

search_result run_search(sl_context *ctx, const sl_matrix *A, const search_case *q)
{
    search_result a = {0};
    sl_vector *frontier;
    const uint64_t n = sl_matrix_nrows(A);
    const sl_type type = q->semiring == SL_ANY_PAIR_BOOL       ? SL_BOOL
                         : q->semiring == SL_ANY_SECONDI_INT32 ? SL_INT32
                                                               : SL_INT64;
    assert_ok(ctx, sl_vector_new(&a.pi, ctx, type, n));
    assert_ok(ctx, sl_vector_new(&a.level, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_new(&frontier, ctx, type, n));
    for (uint64_t k = 0; k < q->sources; k++) {
        const uint64_t v = n * k / q->sources;
        const sl_scalar x =
            type == SL_BOOL ? sl_scalar_bool(true) : sl_scalar_cast(sl_scalar_uint64(v), type);
        assert_ok(ctx, sl_vector_set(a.pi, v, x));
        assert_ok(ctx, sl_vector_set(a.level, v, sl_scalar_int64(0)));
        assert_ok(ctx, sl_vector_set(frontier, v, x));
    }
    const sl_closure_options options = {.from_source = q->sources == 0,
                                        .source = q->source,
                                        .direction = q->direction,
                                        .bounded = q->most > 0,
                                        .max_iterations = q->most,
                                        .level = a.level,
                                        .log = &a.log};
    assert_ok(ctx, sl_closure(a.pi, q->sources > 0 ? frontier : NULL, A, q->semiring, &options));
    sl_vector_free(frontier);
    return a;
}

void free_result(search_result *a)
{
    sl_vector_free(a->pi);
    sl_vector_free(a->level);
    sl_iteration_log_clear(&a->log);
}

unsigned device_scale(void)
{
    return world_size() > 4 ? 14 : 12;
}

static int64_t level_of(const search_result *a, uint64_t v)
{
    sl_scalar x;
    return sl_vector_get(&x, a->level, v) == SL_OK ? x.as.int64_ : -1;
}

/* Whether the search in use leaves dead ends out of frontiers, so that a push examines fewer edges. */
static bool drops_dead_ends(const graph_pair *g)
{
    const char *words = getenv("SEMLA_DIST");
    bool symmetric;
    assert_ok(local, sl_matrix_is_symmetric(&symmetric, g->local_A));
    return symmetric && words && (strstr(words, "2d") || strstr(words, "nodevices"));
}

void compare_results(const graph_pair *g, const search_case *q, const search_result *got,
                     const search_result *right)
{
    const sl_type type = sl_vector_type(got->pi);
    uint64_t count = g->n, all, expected;
    uint64_t *index = malloc((g->n + 1) * sizeof *index);
    int64_t *values = malloc((g->n + 1) * sizeof *values);
    assert_ok(g->ctx, sl_vector_nvals(&all, got->level));
    assert_ok(local, sl_vector_nvals(&expected, right->level));
    assert_int_equal(all, expected);
    assert_ok(g->ctx, sl_vector_nvals(&all, got->pi));
    assert_int_equal(all, expected);
    assert_ok(g->ctx, sl_vector_extract_tuples(index, values, &count, got->level));
    for (uint64_t k = 0; k < count; k++)
        assert_int_equal(values[k], level_of(right, index[k]));
    count = g->n;
    if (q->semiring != SL_ANY_PAIR_BOOL)
        assert_ok(g->ctx, sl_vector_extract_tuples(index, values, &count, got->pi));
    for (uint64_t k = 0; k < count && q->semiring != SL_ANY_PAIR_BOOL; k++) {
        const char *at = (const char *)values + k * sl_type_size(type);
        const uint64_t parent = sl_scalar_cast(sl_scalar_load(type, at), SL_UINT64).as.uint64_;
        const int64_t level = level_of(right, index[k]);
        sl_scalar edge;
        assert_int_equal(level_of(right, parent), level > 0 ? level - 1 : 0);
        if (level > 0)
            assert_int_equal(sl_matrix_get(&edge, g->local_A, parent, index[k]), SL_OK);
    }
    assert_int_equal(got->log.count, right->log.count);
    for (size_t k = 0; k < got->log.count; k++) {
        assert_int_equal(got->log.iterations[k].frontier, right->log.iterations[k].frontier);
        const uint64_t examined = got->log.iterations[k].edges;
        if (q->direction == SL_PUSH && drops_dead_ends(g))
            assert_true(examined <= right->log.iterations[k].edges);
        else if (q->direction == SL_PUSH)
            assert_int_equal(examined, right->log.iterations[k].edges);
    }
    free(index);
    free(values);
}

void try_sources(const graph_pair *g)
{
    enum { SOURCES = 24 };
    const sl_semiring semirings[] = {SL_ANY_SECONDI_INT64, SL_ANY_SECONDI_INT32, SL_ANY_PAIR_BOOL};
    for (uint64_t k = 0; k < SOURCES; k++) {
        const search_case q = {.semiring = semirings[k % 3],
                               .most = k % 4 == 3 ? 2 : 0,
                               .source = (g->n - 1) * k / (SOURCES - 1)};
        search_result got = run_search(g->ctx, g->A, &q), right = run_search(local, g->local_A, &q);
        compare_results(g, &q, &got, &right);
        free_result(&got);
        free_result(&right);
    }
}
