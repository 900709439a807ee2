/*
 * Graphs generated on a GPU, compared entry by entry with those made from tuples on the host, with
 * enough device memory for two copies of the matrix and with less (SEMLA_CUDA_MEMORY); and the
 * validation of trees against the generator. Skipped without a GPU.
 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/bfs.h>

#include "support.h"

/* Environment under which the engine keeps the reordered graph alone, with edges in host memory. */
static const char *const limits[] = {"", "64M", "10M"};
enum { LIMITS = sizeof limits / sizeof *limits };

static sl_context *host, *gpu;

static const sl_generator models[] = {
    {.model = SL_MODEL_KRONECKER, .scale = 0},
    {.model = SL_MODEL_KRONECKER, .scale = 1, .seed = 3},
    {.model = SL_MODEL_KRONECKER, .scale = 6, .edge_factor = 0.3},
    {.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 7},
    {.model = SL_MODEL_KRONECKER, .scale = 12, .seed = 1},
    {.model = SL_MODEL_KRONECKER, .scale = 13, .edge_factor = 5.5},
    {.model = SL_MODEL_KRONECKER, .scale = 11, .seed = 4, .a = .45, .b = .15, .c = .25},
    {.model = SL_MODEL_KRONECKER, .scale = 8, .seed = 4, .a = .6, .b = 0, .c = .4},
    {.model = SL_MODEL_UNIFORM, .vertices = 1, .edges = 5},
    {.model = SL_MODEL_UNIFORM, .vertices = 1000, .edges = 0},
    {.model = SL_MODEL_UNIFORM, .vertices = 3001, .edges = 9000, .seed = 2},
};
enum { MODELS = sizeof models / sizeof *models };

static void name_of(char text[80], const sl_generator *m)
{
    if (m->model == SL_MODEL_KRONECKER)
        snprintf(text, 80, "kronecker:%u,edgefactor=%g,seed=%d", m->scale, m->edge_factor,
                 (int)m->seed);
    else
        snprintf(text, 80, "uniform:%d,edges=%d,seed=%d", (int)m->vertices, (int)m->edges,
                 (int)m->seed);
}

static sl_matrix *made_of_tuples(sl_context *ctx, const sl_generator *model, unsigned flags)
{
    sl_read_options options = {.flags = flags, .duplicates = SL_DUPLICATES_MIN};
    sl_edges edges;
    sl_matrix *A;
    OK(ctx, sl_generate(&edges, ctx, model));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
    return A;
}

static void assert_same(const sl_matrix *A, const sl_matrix *B, const char *name, unsigned flags,
                        const char *limit)
{
    sl_csr a, b;
    OK(host, sl_matrix_copy_csr(&a, A));
    OK(gpu, sl_matrix_copy_csr(&b, B));
    assert_int_equal(a.nrows, b.nrows);
    assert_int_equal(a.type, b.type);
    const bool weighted = a.type != SL_BOOL && a.values && b.values;
    assert_true(weighted || !b.values);
    if (memcmp(a.start, b.start, (a.nrows + 1) * sizeof *a.start) ||
        memcmp(a.index, b.index, a.start[a.nrows] * sizeof *a.index) ||
        (weighted && memcmp(a.values, b.values, a.start[a.nrows] * sizeof(double))))
        fail_msg("%s, flags %u, SEMLA_CUDA_MEMORY=%s: other entries than the host's", name, flags,
                 limit);
    free_rows(&a);
    free_rows(&b);
}

static void limit_memory(const char *limit)
{
    setenv("SEMLA_CUDA_MEMORY", limit, 1);
}

static void same_entries(void **state)
{
    (void)state;
    static const unsigned flags[] = {0, SL_READ_NO_LOOPS, SL_READ_SYMMETRIC,
                                     SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    for (size_t m = 0; m < MODELS; m++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            char name[80];
            sl_read_options options = {.flags = flags[f]};
            sl_matrix *A = made_of_tuples(host, &models[m], flags[f]);
            name_of(name, &models[m]);
            for (size_t k = 0; k < LIMITS; k++) {
                sl_matrix *B, *copy;
                uint64_t entries, expected;
                limit_memory(limits[k]);
                OK(gpu, sl_matrix_generate(&B, gpu, &models[m], &options));
                OK(gpu, sl_matrix_nvals(&entries, B));
                OK(host, sl_matrix_nvals(&expected, A));
                assert_int_equal(entries, expected);
                OK(gpu, sl_matrix_dup(&copy, B));
                assert_same(A, B, name, flags[f], limits[k]);
                sl_matrix_free(B);
                assert_same(A, copy, name, flags[f], limits[k]);
                sl_matrix_free(copy);
            }
            sl_matrix_free(A);
        }
    limit_memory("");
}

/* Weights are the same as those of the host: the least of equal edges. The edges are generated on
 * the GPU where its memory suffices, and otherwise on the host. */
static void assert_same_weights(const sl_generator *weights)
{
    static const unsigned flags[] = {0, SL_READ_SYMMETRIC, SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    for (size_t m = 0; m < MODELS; m++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            char name[80];
            sl_generator model = models[m];
            const sl_read_options options = {.flags = flags[f], .duplicates = SL_DUPLICATES_MIN};
            model.weighted = true;
            model.integer_weights = weights->integer_weights;
            model.least_weight = weights->least_weight;
            model.greatest_weight = weights->greatest_weight;
            sl_matrix *A = made_of_tuples(host, &model, flags[f]);
            name_of(name, &model);
            for (size_t k = 0; k < LIMITS; k++) {
                sl_matrix *B;
                limit_memory(limits[k]);
                /* the engine keeps the least weight by its bits, so that none may be negative */
                if (!*limits[k])
                    assert_int_equal(sl_generator_supported(gpu, &model), model.least_weight >= 0);
                OK(gpu, sl_matrix_generate(&B, gpu, &model, &options));
                assert_same(A, B, name, flags[f], limits[k]);
                sl_matrix_free(B);
            }
            sl_matrix_free(A);
        }
    limit_memory("");
}

static void same_weights(void **state)
{
    (void)state;
    static const sl_generator weights[] = {
        {0},
        {.integer_weights = true, .least_weight = 1, .greatest_weight = 255},
        {.integer_weights = true, .greatest_weight = 0x1p53},
        {.least_weight = 0.1, .greatest_weight = 7.3},
        {.least_weight = 1e-300, .greatest_weight = 1e300},
        {.integer_weights = true, .least_weight = -5, .greatest_weight = 5},
        {.least_weight = -0.5, .greatest_weight = 0.5},
    };
    for (size_t k = 0; k < sizeof weights / sizeof *weights; k++)
        assert_same_weights(&weights[k]);
}

/* The endpoints of generated tuples and the vertices of the matrix are the same. */
static void same_ends(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        sl_edges edges;
        sl_vector *ends, *joined;
        OK(host, sl_generate(&edges, host, &models[m]));
        OK(gpu, sl_generator_degrees(&ends, &joined, gpu, &models[m]));
        int64_t *count = calloc(edges.nrows, sizeof *count), *got;
        bool *join = calloc(edges.nrows, sizeof *join), yes = true;
        uint64_t *marked = malloc(edges.nrows * sizeof *marked), marks = edges.nrows, next = 0;
        for (uint64_t e = 0; e < edges.count; e++) {
            count[edges.row[e]]++;
            count[edges.col[e]]++;
            join[edges.row[e]] |= edges.row[e] != edges.col[e];
            join[edges.col[e]] |= edges.row[e] != edges.col[e];
        }
        OK(gpu, sl_search_array(&got, ends));
        OK(gpu, sl_vector_extract_tuples(marked, NULL, &marks, joined));
        for (uint64_t v = 0; v < edges.nrows; v++) {
            assert_int_equal(got[v], count[v] ? count[v] : SL_UNREACHED);
            if (join[v])
                assert_true(next < marks && marked[next++] == v);
        }
        assert_int_equal(next, marks);
        if (marks > 0) {
            sl_scalar mark;
            OK(gpu, sl_vector_get(&mark, joined, marked[0]));
            assert_memory_equal(&mark.as, &yes, sizeof yes);
        }
        free(count);
        free(join);
        sl_free(got);
        free(marked);
        sl_vector_free(ends);
        sl_vector_free(joined);
        sl_edges_free(&edges);
    }
}

/* ---- trees ----------------------------------------------------------------------- */

static uint64_t random_state;

static uint64_t draw(uint64_t bound)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (random_state >> 33) % bound;
}

static sl_vector *vector_of(const int64_t *parent, uint64_t n, sl_type type)
{
    uint64_t *index = malloc(n * sizeof *index), count = 0;
    int64_t *value = malloc(n * sizeof *value);
    sl_vector *v, *wide;
    for (uint64_t i = 0; i < n; i++)
        if (parent[i] != SL_UNREACHED) {
            index[count] = i;
            value[count++] = parent[i];
        }
    OK(gpu, sl_vector_new(&wide, gpu, SL_INT64, n));
    OK(gpu, sl_vector_build(wide, index, value, count, NULL));
    OK(gpu, sl_vector_new(&v, gpu, type, n));
    OK(gpu, sl_vector_apply(v, NULL, NULL, SL_IDENTITY_INT64, wide, NULL));
    sl_vector_free(wide);
    free(index);
    free(value);
    return v;
}

static sl_tree_check checked(const sl_generator *model, const int64_t *parent, uint64_t n,
                             sl_type type, uint64_t root)
{
    sl_vector *v = vector_of(parent, n, type);
    sl_tree_check check;
    OK(gpu, sl_generator_check_tree(&check, v, model, root));
    sl_vector_free(v);
    return check;
}

/* Makes one random error in a tree. */
static void corrupt(int64_t *parent, uint64_t n, uint64_t root)
{
    uint64_t v = draw(n);
    switch (draw(5)) {
    case 0:
        parent[v] = SL_UNREACHED;
        break;
    case 1:
        parent[v] = (int64_t)draw(n);
        break;
    case 2:
        parent[root] = (int64_t)v;
        break;
    case 3: /* a cycle, if both vertices are in the tree */
        parent[v] = (int64_t)(v + 1) % (int64_t)n;
        parent[(v + 1) % n] = (int64_t)v;
        break;
    default: /* the parent of a sibling, or the grandparent */
        if (parent[v] != SL_UNREACHED)
            parent[v] = parent[parent[v]];
        break;
    }
}

static void trees(void **state)
{
    (void)state;
    enum { TREES = 400 };
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 7, .edge_factor = 4};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    unsigned met[SL_TREE_NO_EDGE + 1] = {0};
    sl_matrix *A = made_of_tuples(host, &model, undirected.flags), *B;
    sl_csr rows;
    OK(host, sl_matrix_copy_csr(&rows, A));
    limit_memory("10M");
    OK(gpu, sl_matrix_generate(&B, gpu, &model, &undirected));
    limit_memory("");
    const uint64_t n = rows.nrows;
    for (random_state = 1; random_state <= TREES; random_state++) {
        const uint64_t seed = random_state;
        uint64_t root = draw(n);
        sl_graph_view view = sl_view_of(&rows);
        sl_vector *tree;
        int64_t *parent;
        sl_check_result verdict;
        OK(gpu, sl_bfs(&tree, NULL, B, root, &(sl_bfs_options){.int32 = seed % 4 < 2}));
        OK(gpu, sl_search_array(&parent, tree));
        if (seed % 8)
            corrupt(parent, n, root);
        OK(host, sl_validate_search(&verdict, &view, root, parent, NULL, -1));
        sl_tree_check check = checked(&model, parent, n, seed % 2 ? SL_INT64 : SL_INT32, root);
        if (verdict.valid != (check.fault == SL_TREE_VALID))
            fail_msg("random_state %d, root %d: fault %d (%d, %d), but the validator says '%s'",
                     (int)seed, (int)root, (int)check.fault, (int)check.vertex, (int)check.other,
                     verdict.valid ? "valid" : verdict.reason);
        if (verdict.valid) {
            assert_int_equal(check.reached, verdict.reached);
            assert_int_equal(check.depth, verdict.depth);
        }
        met[check.fault]++;
        sl_free(parent);
        sl_vector_free(tree);
        random_state = seed;
    }
    for (int fault = 0; fault <= SL_TREE_NO_EDGE; fault++)
        if (!met[fault])
            fail_msg("no tree had fault %d; draw more trees", fault);
    free_rows(&rows);
    sl_matrix_free(A);
    sl_matrix_free(B);
}

/* A weighted graph beside which there is no room for another: degrees and trees ignore weights. */
static void full_of_weights(void **state)
{
    (void)state;
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 14, .weighted = true};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC, .duplicates = SL_DUPLICATES_MIN};
    sl_matrix *A;
    sl_vector *tree, *ends, *joined;
    sl_tree_check check;
    limit_memory("9M");
    assert_true(sl_generator_supported(gpu, &model));
    OK(gpu, sl_matrix_generate(&A, gpu, &model, &options));
    assert_false(sl_generator_supported(gpu, &model));
    OK(gpu, sl_generator_degrees(&ends, &joined, gpu, &model));
    OK(gpu, sl_bfs(&tree, NULL, A, 1, NULL));
    OK(gpu, sl_generator_check_tree(&check, tree, &model, 1));
    assert_int_equal(check.fault, SL_TREE_VALID);
    limit_memory("");
    sl_vector_free(ends);
    sl_vector_free(joined);
    sl_vector_free(tree);
    sl_matrix_free(A);
}

/* ---- other operations on generated matrices -------------------------------------- */

static void other_operations(void **state)
{
    (void)state;
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 8};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC};
    sl_matrix *A = made_of_tuples(host, &model, SL_READ_SYMMETRIC), *B;
    sl_placement placed;
    limit_memory("10M");
    OK(gpu, sl_matrix_generate(&B, gpu, &model, &undirected));
    OK(gpu, sl_matrix_placement(&placed, B));
    assert_true(placed.ordered);
    assert_true(placed.device_bytes > 0 && placed.host_bytes > 0);
    limit_memory("");
    for (uint64_t k = 0; k < 12; k++) {
        /* Levels or least parents, also of searches with a target. */
        const bool least = k % 3 > 0;
        const uint64_t target = 2 * k + 1;
        sl_vector *v_here, *v_there;
        sl_bfs_options options = {.deterministic = least,
                                  .direction = (sl_direction)(k / 3 % 3),
                                  .targets = &target,
                                  .ntargets = k % 3 > 1};
        int64_t *here, *there;
        OK(host, sl_bfs(least ? &v_here : NULL, least ? NULL : &v_here, A, 5 + k, &options));
        OK(gpu, sl_bfs(least ? &v_there : NULL, least ? NULL : &v_there, B, 5 + k, &options));
        OK(host, sl_search_array(&here, v_here));
        OK(gpu, sl_search_array(&there, v_there));
        assert_memory_equal(here, there, sl_matrix_nrows(A) * sizeof *here);
        sl_free(here);
        sl_free(there);
        sl_vector_free(v_here);
        sl_vector_free(v_there);
    }
    sl_vector *rows_here, *rows_there;
    int64_t *here, *there;
    OK(host, sl_vector_new(&rows_here, host, SL_INT64, sl_matrix_nrows(A)));
    OK(gpu, sl_vector_new(&rows_there, gpu, SL_INT64, sl_matrix_nrows(A)));
    OK(host, sl_matrix_reduce_rows(rows_here, NULL, NULL, SL_PLUS_MONOID_INT64, A, NULL));
    OK(gpu, sl_matrix_reduce_rows(rows_there, NULL, NULL, SL_PLUS_MONOID_INT64, B, NULL));
    OK(host, sl_search_array(&here, rows_here));
    OK(gpu, sl_search_array(&there, rows_there));
    assert_memory_equal(here, there, sl_matrix_nrows(A) * sizeof *here);
    sl_free(here);
    sl_free(there);
    sl_vector_free(rows_here);
    sl_vector_free(rows_there);
    sl_matrix_free(A);
    sl_matrix_free(B);
}

static void wrong_limits(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0", "-1", "x", "1Q", "1GB", "99999999999999999999G"};
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 5};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        sl_matrix *A;
        limit_memory(wrong[k]);
        assert_int_equal(sl_matrix_generate(&A, gpu, &model, NULL), SL_INVALID);
        assert_non_null(strstr(sl_context_message(gpu), "SEMLA_CUDA_MEMORY"));
        assert_null(A);
    }
    limit_memory("");
}

/* Generates, validates and searches, with each allocation failing in turn: host, device and pinned
 * memory. */
static sl_status make_and_check(void *data)
{
    const sl_generator *model = data;
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC,
                                        .duplicates = SL_DUPLICATES_MIN};
    sl_matrix *A = NULL;
    sl_vector *ends = NULL, *joined = NULL, *parent = NULL;
    sl_tree_check check;
    sl_status status = sl_matrix_generate(&A, gpu, model, &undirected);
    if (status == SL_OK)
        status = sl_generator_degrees(&ends, &joined, gpu, model);
    if (status == SL_OK)
        status = sl_bfs(&parent, NULL, A, 1, NULL);
    if (status == SL_OK)
        status = sl_generator_check_tree(&check, parent, model, 1);
    if (status == SL_OK)
        assert_int_equal(check.fault, SL_TREE_VALID);
    sl_vector_free(parent);
    sl_vector_free(joined);
    sl_vector_free(ends);
    sl_matrix_free(A);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 6};
    static const char *const limit[] = {"", "10M", ""};
    for (int k = 0; k < 3; k++) {
        model.weighted = k == 2;
        limit_memory(limit[k]);
        /* The first call allocates what the process keeps between calls. */
        assert_int_equal(make_and_check(&model), SL_OK);
        assert_true(allocator_fail_each(make_and_check, &model) > 20);
    }
    limit_memory("");
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_entries),     cmocka_unit_test(same_weights),
        cmocka_unit_test(same_ends),        cmocka_unit_test(trees),
        cmocka_unit_test(other_operations), cmocka_unit_test(wrong_limits),
        cmocka_unit_test(memory_runs_out),  cmocka_unit_test(full_of_weights),
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
