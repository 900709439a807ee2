/* Every workflow of <semla/algorithms.h> on grids returns the results of one process. */
#include "ranks.h"

#include <math.h>

enum { N = 60, SOURCES = 3 };

static const uint64_t sources[SOURCES] = {0, 7, 31};

/* The results of the workflows for one graph. */
typedef struct {
    sl_context *ctx;
    sl_matrix *A, *lengths, *levels, *truss, *forest;
    sl_vector *component, *label, *scc, *set, *khop, *distance, *parent, *rank, *between, *corners,
        *level, *core, *clustering, *closeness[3];
    uint64_t path, triangles, greatest_core, diameter[2];
    bool connected, bipartite;
    double mean_clustering;
} results;

/* Undirected: some paths, a hub and random edges; directed: random edges alone. Writes edge k, or
 * returns false. */
static bool edge(uint64_t k, bool directed, uint64_t *from, uint64_t *to)
{
    uint64_t random = (k + 1) * 0x9e3779b97f4a7c15u;
    random ^= random >> 31;
    *from = directed || k >= N ? random % N : k;
    *to = directed ? random / N % N : k >= 2 * N ? random / N % N : k + 1;
    if (k >= N && k < 2 * N - 25)
        *from = 9;
    return *from != *to && *to < N && (directed || (*from % 20 != 19 && *to % 20 != 0));
}

/* Builds the graph; each rank passes its part. */
static void build(results *r, bool directed)
{
    uint64_t rows[8 * N], cols[8 * N], count = 0, first, last;
    double values[8 * N];
    sl_context_local_range(r->ctx, 4 * N, &first, &last);
    for (uint64_t k = first; k < last; k++) {
        uint64_t from, to;
        if (!edge(k, directed, &from, &to))
            continue;
        for (int mirrored = 0; mirrored < (directed ? 1 : 2); mirrored++) {
            rows[count] = mirrored ? to : from;
            cols[count] = mirrored ? from : to;
            values[count++] = (double)(1 + (from + to) % 4);
        }
    }
    assert_ok(r->ctx, sl_matrix_new(&r->A, r->ctx, SL_BOOL, N, N));
    assert_ok(r->ctx, sl_matrix_build(r->A, rows, cols, NULL, count, SL_FIRST_BOOL));
    assert_ok(r->ctx, sl_matrix_new(&r->lengths, r->ctx, SL_FP64, N, N));
    assert_ok(r->ctx, sl_matrix_build(r->lengths, rows, cols, values, count, SL_MIN_FP64));
}

static void run(results *r, bool directed)
{
    const sl_multi_source_options from_all = {0};
    const sl_closeness_options estimate = {.estimate = true};
    build(r, directed);
    assert_ok(r->ctx, sl_bfs(NULL, &r->level, r->A, 7, NULL));
    assert_ok(r->ctx, sl_components(&r->component, r->A));
    assert_ok(r->ctx, sl_scc(&r->scc, NULL, r->A));
    assert_ok(r->ctx, sl_label_propagation(&r->label, r->A, 5, NULL));
    assert_ok(r->ctx, sl_multi_source_bfs(NULL, &r->levels, r->A, sources, SOURCES, &from_all));
    assert_ok(r->ctx, sl_khop(&r->khop, r->A, sources, SOURCES, 2));
    assert_ok(r->ctx, sl_st_connected(&r->connected, &r->path, NULL, r->A, 7, 31));
    assert_ok(r->ctx, sl_sssp(&r->distance, &r->parent, r->lengths, 7));
    assert_ok(r->ctx, sl_spanning_forest(&r->forest, NULL, r->lengths));
    assert_ok(r->ctx, sl_pagerank(&r->rank, r->A, NULL, NULL));
    assert_ok(r->ctx, sl_betweenness(&r->between, r->A, sources, SOURCES, NULL));
    assert_ok(r->ctx, sl_closeness(&r->closeness[0], r->A, SL_ALL, 0, NULL));
    assert_ok(r->ctx, sl_closeness(&r->closeness[1], r->A, sources, SOURCES, NULL));
    assert_ok(r->ctx, sl_closeness(&r->closeness[2], r->A, sources, SOURCES, &estimate));
    if (directed) {
        sl_status status = sl_triangles(&r->triangles, NULL, r->A);
        assert_int_equal(status, SL_INVALID);
        assert_non_null(strstr(sl_context_message(r->ctx), "has no mirror edge"));
        return;
    }
    sl_diameter d;
    assert_ok(r->ctx, sl_pseudo_diameter(&d, r->A, NULL));
    r->diameter[0] = d.lower;
    r->diameter[1] = d.upper;
    assert_ok(r->ctx, sl_bipartite(&r->bipartite, NULL, NULL, r->A));
    assert_ok(r->ctx, sl_independent_set(&r->set, r->A, 11));
    assert_ok(r->ctx, sl_triangles(&r->triangles, &r->corners, r->A));
    assert_ok(r->ctx, sl_core_numbers(&r->core, &r->greatest_core, r->A));
    sl_clustering clustering;
    assert_ok(r->ctx, sl_local_clustering(&r->clustering, r->A, &clustering));
    r->mean_clustering = clustering.mean;
    assert_ok(r->ctx, sl_ktruss(&r->truss, r->A, 3));
}

static void free_results(results *r)
{
    sl_matrix *const matrices[] = {r->A, r->lengths, r->levels, r->truss, r->forest};
    sl_vector *const vectors[] = {r->component,  r->label,        r->scc,          r->set,
                                  r->khop,       r->distance,     r->parent,       r->rank,
                                  r->between,    r->corners,      r->level,        r->core,
                                  r->clustering, r->closeness[0], r->closeness[1], r->closeness[2]};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        sl_matrix_free(matrices[k]);
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        sl_vector_free(vectors[k]);
    sl_context_free(r->ctx);
}

/* ---- comparing -------------------------------------------------------------------------- */

static double value(const sl_arrays *a, uint64_t k)
{
    size_t size = sl_type_size(a->type);
    return sl_scalar_cast(sl_scalar_load(a->type, (const char *)a->values + k * size), SL_FP64)
        .as.fp64_;
}

static void same(const char *what, const sl_arrays *got, const sl_arrays *right)
{
    if (got->nvals != right->nvals)
        fail_msg("%s: %d entries, not %d", what, (int)got->nvals, (int)right->nvals);
    for (uint64_t k = 0; k < right->nvals; k++) {
        assert_int_equal(got->rows[k], right->rows[k]);
        if (right->cols)
            assert_int_equal(got->cols[k], right->cols[k]);
        if (fabs(value(got, k) - value(right, k)) > 1e-9 * (1 + fabs(value(right, k))))
            fail_msg("%s: entry %d is %g, not %g", what, (int)k, value(got, k), value(right, k));
    }
}

static void same_vector(const char *what, const sl_vector *got, const sl_vector *right)
{
    sl_arrays a, b;
    if (!right)
        return;
    assert_ok(sl_vector_context(got), sl_grid_gather_vector(&a, got, 0));
    assert_ok(sl_vector_context(right), sl_vector_copy_out(&b, right, SL_FORMAT_LIST));
    assert_ok(NULL, sl_arrays_expand(sl_vector_context(right), &b));
    if (world_rank() == 0)
        same(what, &a, &b);
    sl_arrays_free(&a);
    sl_arrays_free(&b);
}

static void same_matrix(const char *what, const sl_matrix *got, const sl_matrix *right)
{
    sl_context *ctx = sl_matrix_context(right);
    sl_arrays a, b;
    if (!right)
        return;
    assert_ok(sl_matrix_context(got), sl_grid_gather_matrix(&a, got, 0));
    assert_ok(sl_matrix_context(got), sl_arrays_expand(sl_matrix_context(got), &a));
    assert_ok(ctx, sl_matrix_copy_out(&b, right, SL_FORMAT_COO));
    assert_ok(ctx, sl_arrays_expand(ctx, &b));
    if (world_rank() == 0)
        same(what, &a, &b);
    sl_arrays_free(&a);
    sl_arrays_free(&b);
}

static void compare(const results *got, const results *right)
{
    same_vector("levels", got->level, right->level);
    same_vector("components", got->component, right->component);
    same_vector("strong components", got->scc, right->scc);
    same_vector("independent set", got->set, right->set);
    same_vector("label propagation", got->label, right->label);
    same_vector("k-hop", got->khop, right->khop);
    same_vector("distances", got->distance, right->distance);
    same_vector("parents", got->parent, right->parent);
    same_vector("ranks", got->rank, right->rank);
    same_vector("betweenness", got->between, right->between);
    same_vector("triangles", got->corners, right->corners);
    same_vector("core numbers", got->core, right->core);
    same_vector("clustering", got->clustering, right->clustering);
    assert_true(fabs(got->mean_clustering - right->mean_clustering) < 1e-12);
    for (int k = 0; k < 3; k++)
        same_vector("closeness", got->closeness[k], right->closeness[k]);
    same_matrix("the truss", got->truss, right->truss);
    same_matrix("levels of several sources", got->levels, right->levels);
    same_matrix("spanning forest", got->forest, right->forest);
    assert_int_equal(got->connected, right->connected);
    assert_int_equal(got->path, right->path);
    assert_int_equal(got->triangles, right->triangles);
    assert_int_equal(got->greatest_core, right->greatest_core);
    assert_int_equal(got->bipartite, right->bipartite);
    assert_int_equal(got->diameter[0], right->diameter[0]);
    assert_int_equal(got->diameter[1], right->diameter[1]);
}

static void on_every_grid(bool directed)
{
    results right = {0};
    assert_int_equal(sl_context_create(&right.ctx, SL_ENGINE_SUITESPARSE), SL_OK);
    run(&right, directed);
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        results got = {0};
        assert_int_equal(
            sl_grid_context_create(&got.ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_AUTO), SL_OK);
        assert_int_equal(sl_context_processes(got.ctx), world_size());
        run(&got, directed);
        compare(&got, &right);
        free_results(&got);
    }
    free_results(&right);
}

static void undirected(void **unused)
{
    on_every_grid(false);
}

static void directed(void **unused)
{
    on_every_grid(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(undirected), cmocka_unit_test(directed)};
    return run_ranks("workflows", tests, sizeof tests / sizeof *tests);
}
