/*
 * Matrices larger than the device memory allowed by SEMLA_CUDA_MEMORY: their entries are in pinned
 * host memory. The results of all operations are compared with SuiteSparse's. Skipped without a
 * GPU.
 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/algorithms.h>

#include "support.h"

static sl_context *host, *gpu;

typedef struct {
    const char *name;
    unsigned flags;
    sl_generator model;
} graph;

static const graph graphs[] = {
    {"kronecker", SL_READ_SYMMETRIC, {.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 3}},
    {"directed", 0, {.model = SL_MODEL_UNIFORM, .vertices = 700, .edges = 4000, .seed = 5}},
    {"grid", SL_READ_SYMMETRIC, {.model = SL_MODEL_GRID, .side = {31, 22}}},
    {"no edges", 0, {.model = SL_MODEL_UNIFORM, .vertices = 50, .edges = 0}},
};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

static void limit_memory(const char *limit)
{
    setenv("SEMLA_CUDA_MEMORY", limit, 1);
}

/* The matrix of a generated graph, with small weights if requested, as the host made it. */
static sl_matrix *matrix_of(sl_context *ctx, const graph *g, bool weighted)
{
    sl_read_options options = {.flags = g->flags, .duplicates = SL_DUPLICATES_MIN};
    sl_edges edges;
    sl_matrix *A;
    OK(host, sl_generate(&edges, host, &g->model));
    if (weighted) {
        int64_t *lengths = sl_malloc((edges.count + 1) * sizeof *lengths);
        assert_non_null(lengths);
        for (uint64_t k = 0; k < edges.count; k++)
            lengths[k] = (int64_t)(1 + (edges.row[k] * edges.col[k] + 7 * edges.row[k]) % 13);
        edges.values = lengths;
        edges.type = SL_INT64;
    }
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
    return A;
}

static sl_placement placement_of(const sl_matrix *A)
{
    sl_placement placement;
    OK(gpu, sl_matrix_placement(&placement, A));
    return placement;
}

static void assert_same_matrix(const graph *g, const sl_matrix *here, const sl_matrix *there)
{
    sl_csr a, b;
    OK(host, sl_matrix_copy_csr(&a, here));
    OK(gpu, sl_matrix_copy_csr(&b, there));
    assert_int_equal(a.type, b.type);
    if (memcmp(a.start, b.start, (a.nrows + 1) * sizeof *a.start) ||
        memcmp(a.index, b.index, a.start[a.nrows] * sizeof *a.index) ||
        (a.values == NULL) != (b.values == NULL) ||
        (a.values && memcmp(a.values, b.values, a.start[a.nrows] * sizeof(int64_t))))
        fail_msg("%s: other entries than the host's", g->name);
    sl_csr *both[] = {&a, &b};
    for (int k = 0; k < 2; k++) {
        sl_free(both[k]->start);
        sl_free(both[k]->index);
        sl_free(both[k]->values);
    }
}

static void assert_same_vector(const graph *g, const char *what, sl_vector *here, sl_vector *there)
{
    int64_t *a, *b;
    OK(host, sl_search_array(&a, here));
    OK(gpu, sl_search_array(&b, there));
    for (uint64_t k = 0; k < sl_vector_size(here); k++)
        if (a[k] != b[k])
            fail_msg("%s: %s: entry %d is %d, not %d", g->name, what, (int)k, (int)b[k], (int)a[k]);
    sl_free(a);
    sl_free(b);
    sl_vector_free(here);
    sl_vector_free(there);
}

/* Compares levels and least parents; other parents are checked against the levels. */
static void compare_searches(const graph *g, const sl_matrix *A, const sl_matrix *B)
{
    const sl_bfs_options least = {.deterministic = true};
    for (uint64_t source = 0; source < 10; source += 3) {
        sl_vector *parent[2], *level[2];
        OK(host, sl_bfs(&parent[0], &level[0], A, source, &least));
        OK(gpu, sl_bfs(&parent[1], &level[1], B, source, &least));
        assert_same_vector(g, "least parents", parent[0], parent[1]);
        assert_same_vector(g, "levels", level[0], level[1]);
        OK(host, sl_bfs(NULL, &level[0], A, source, NULL));
        OK(gpu, sl_bfs(&parent[1], &level[1], B, source, NULL));
        sl_check_result verdict;
        OK(gpu, sl_validate_search_in_place(&verdict, B, source, parent[1], level[1], -1));
        if (!verdict.valid)
            fail_msg("%s from %d: %s", g->name, (int)source, verdict.reason);
        sl_vector_free(parent[1]);
        assert_same_vector(g, "levels of any", level[0], level[1]);
    }
}

static void searches(void **state)
{
    (void)state;
    for (int k = 0; k < GRAPHS; k++) {
        const graph *g = &graphs[k];
        limit_memory("1");
        sl_matrix *A = matrix_of(host, g, false), *B = matrix_of(gpu, g, false);
        compare_searches(g, A, B);
        const sl_placement before = placement_of(B);
        uint64_t entries;
        OK(gpu, sl_matrix_nvals(&entries, B));
        assert_false(before.ordered);
        assert_true(before.device_bytes > 0);
        assert_true(before.host_bytes >= entries * sizeof(uint32_t));
        OK(gpu, sl_matrix_optimize(B, SL_FOR_TRAVERSAL));
        compare_searches(g, A, B);
        assert_true(placement_of(B).host_bytes >= before.host_bytes);
        sl_matrix_free(B);

        limit_memory(""); /* no limit */
        B = matrix_of(gpu, g, false);
        compare_searches(g, A, B);
        assert_int_equal(placement_of(B).host_bytes, 0);
        sl_matrix_free(A);
        sl_matrix_free(B);
    }
}

static sl_vector *paths(sl_context *ctx, const sl_matrix *A)
{
    sl_vector *distance;
    OK(ctx, sl_sssp(&distance, NULL, A, 1));
    return distance;
}

static sl_vector *product(sl_context *ctx, const sl_matrix *A)
{
    sl_vector *w;
    const uint64_t n = sl_matrix_nrows(A);
    OK(ctx, sl_vector_new(&w, ctx, SL_INT64, n));
    OK(ctx, sl_vector_assign_scalar(w, NULL, NULL, sl_scalar_int64(3), SL_ALL, 0, NULL));
    OK(ctx, sl_mxv(w, NULL, NULL, SL_PLUS_TIMES_INT64, A, w, NULL));
    return w;
}

static sl_matrix *square(sl_context *ctx, const sl_matrix *A)
{
    sl_matrix *C;
    OK(ctx, sl_matrix_new(&C, ctx, SL_INT64, sl_matrix_nrows(A), sl_matrix_nrows(A)));
    OK(ctx, sl_mxm(C, A, NULL, SL_PLUS_TIMES_INT64, A, A, sl_descriptor_get(SL_STRUCTURE)));
    return C;
}

static void operations(void **state)
{
    (void)state;
    limit_memory("1");
    for (int k = 0; k < GRAPHS; k++) {
        const graph *g = &graphs[k];
        sl_matrix *A = matrix_of(host, g, true), *B = matrix_of(gpu, g, true), *copy;
        assert_same_vector(g, "shortest paths", paths(host, A), paths(gpu, B));
        assert_same_vector(g, "product", product(host, A), product(gpu, B));
        /* the square does not fit into device memory either: SuiteSparse computes it */
        sl_context_counts before, after;
        sl_context_get_counts(gpu, &before);
        sl_matrix *AA = square(host, A), *BB = square(gpu, B);
        sl_context_get_counts(gpu, &after);
        assert_true(after.fallbacks > before.fallbacks || g->model.edges == 0);
        assert_same_matrix(g, AA, BB);
        assert_true(placement_of(B).host_bytes > 0 || g->model.edges == 0);

        OK(gpu, sl_matrix_dup(&copy, B));
        OK(host, sl_matrix_apply(A, NULL, NULL, SL_AINV_INT64, A, NULL));
        OK(gpu, sl_matrix_apply(B, NULL, NULL, SL_AINV_INT64, B, NULL));
        assert_same_matrix(g, A, B);
        OK(host, sl_matrix_apply(A, NULL, NULL, SL_AINV_INT64, A, NULL));
        assert_same_matrix(g, A, copy);
        OK(host, sl_matrix_assign(A, A, SL_PLUS_INT64, AA, SL_ALL, 0, SL_ALL, 0, NULL));
        OK(gpu, sl_matrix_assign(copy, copy, SL_PLUS_INT64, BB, SL_ALL, 0, SL_ALL, 0, NULL));
        assert_same_matrix(g, A, copy);
        sl_matrix *all[] = {A, B, AA, BB, copy};
        for (int m = 0; m < 5; m++)
            sl_matrix_free(all[m]);
    }
    limit_memory("");
}

/* With each allocation failing in turn: host, device, pinned. */
static sl_status prepare_and_search(void *data)
{
    sl_matrix *A = NULL;
    sl_vector *distance = NULL, *parent = NULL;
    sl_status status = sl_matrix_dup(&A, data); /* on the host only */
    if (status == SL_OK)
        status = sl_sssp(&distance, NULL, A, 0);
    if (status == SL_OK)
        status = sl_matrix_optimize(A, SL_FOR_TRAVERSAL);
    if (status == SL_OK)
        status = sl_bfs(&parent, NULL, A, 1, NULL);
    sl_vector_free(distance);
    sl_vector_free(parent);
    sl_matrix_free(A);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    const graph g = {"wheel", SL_READ_SYMMETRIC, {.model = SL_MODEL_COMPLETE, .vertices = 12}};
    sl_matrix *A = matrix_of(gpu, &g, true);
    limit_memory("1");
    /* The first call allocates what the process keeps between calls. */
    assert_int_equal(prepare_and_search(A), SL_OK);
    assert_true(allocator_fail_each(prepare_and_search, A) > 20);
    limit_memory("");
    sl_matrix_free(A);
}

static void wrong_limit(void **state)
{
    (void)state;
    sl_vector *parent;
    sl_matrix *A = matrix_of(gpu, &graphs[2], false);
    limit_memory("much");
    assert_int_equal(sl_bfs(&parent, NULL, A, 0, NULL), SL_INVALID);
    assert_non_null(
        strstr(sl_context_message(gpu), "SEMLA_CUDA_MEMORY: 'much' is not a number of bytes"));
    limit_memory("");
    OK(gpu, sl_bfs(&parent, NULL, A, 0, NULL));
    sl_vector_free(parent);
    sl_matrix_free(A);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches),
        cmocka_unit_test(operations),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(wrong_limit),
    };
    if (sl_context_create(&host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    int failed = 0;
    if (sl_context_create(&gpu, SL_ENGINE_CUDA) == SL_OK)
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    else
        puts("engine cuda skipped: no GPU");
    sl_context_free(gpu);
    sl_context_free(host);
    return failed;
}
