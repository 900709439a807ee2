/* Weighted graphs that the GPUs of a grid generate, entry by entry beside those that the processors make of edges, with
 * much and with little device memory; the operations, searches and validators that read them; the
 * benchmark's kernel 3. Skipped without a GPU. */
#include <semla/engine.h>

#include "dist/grid/blocks.h"
#include "ranks.h"
#include "same.h"

static sl_context *local; /* of this process alone, on the host */

static const sl_generator models[] = {
    {.model = SL_MODEL_KRONECKER, .scale = 13, .seed = 5},
    {.model = SL_MODEL_KRONECKER,
     .scale = 12,
     .seed = 2,
     .edge_factor = 5.5,
     .integer_weights = true,
     .least_weight = 1,
     .greatest_weight = 255},
    {.model = SL_MODEL_UNIFORM,
     .vertices = 5003,
     .edges = 40000,
     .seed = 3,
     .least_weight = 0.1,
     .greatest_weight = 7.3},
    {.model = SL_MODEL_UNIFORM, /* few vertices of a block have several edges */
     .vertices = 6000,
     .edges = 900,
     .integer_weights = true,
     .greatest_weight = 0x1p53},
    {.model = SL_MODEL_UNIFORM, .vertices = 4096, .edges = 0},
};
enum { MODELS = sizeof models / sizeof *models };

static const unsigned flags[] = {SL_READ_SYMMETRIC, SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
enum { FLAGS = sizeof flags / sizeof *flags };

static sl_generator weighted(size_t m)
{
    sl_generator model = models[m];
    model.weighted = true;
    return model;
}

static sl_matrix *of_edges(const sl_generator *model, unsigned how)
{
    const sl_read_options options = {.flags = how, .duplicates = SL_DUPLICATES_MIN};
    sl_edges edges;
    sl_matrix *A;
    assert_ok(local, sl_generate(&edges, local, model));
    assert_ok(local, sl_matrix_from_edges(&A, local, &edges, &options));
    sl_edges_free(&edges);
    return A;
}

/* Generates by the devices: nothing falls back or moves between the memories. */
static sl_matrix *by_devices(sl_context *ctx, const sl_generator *model, unsigned how,
                             const char *memory)
{
    const sl_read_options options = {.flags = how, .duplicates = SL_DUPLICATES_MIN};
    sl_context_counts before, after;
    sl_matrix *A;
    assert_true(sl_generator_supported(ctx, model));
    setenv("SEMLA_CUDA_MEMORY", memory, 1);
    sl_context_get_counts(ctx, &before);
    assert_ok(ctx, sl_matrix_generate(&A, ctx, model, &options));
    sl_context_get_counts(ctx, &after);
    unsetenv("SEMLA_CUDA_MEMORY");
    assert_int_equal(after.operations, before.operations + 1);
    assert_int_equal(after.fallbacks, before.fallbacks);
    assert_int_equal(after.copies, before.copies);
    return A;
}

/* A copy, the transpose, which is the same, and doubled weights in the matrix itself. */
static void compare_derived(sl_matrix *A, const sl_matrix *right)
{
    sl_context *ctx = sl_matrix_context(A);
    const uint64_t n = sl_matrix_nrows(A);
    const bool reals = sl_matrix_type(A) == SL_FP64;
    const sl_binary_op plus = reals ? SL_PLUS_FP64 : SL_PLUS_INT64;
    sl_matrix *copy, *T, *doubled;
    assert_ok(ctx, sl_matrix_dup(&copy, A));
    assert_same(copy, right);
    assert_ok(ctx, sl_matrix_new(&T, ctx, sl_matrix_type(A), n, n));
    assert_ok(ctx, sl_transpose(T, NULL, NULL, A, NULL));
    assert_same(T, right);
    assert_ok(ctx, sl_matrix_ewise_add(A, NULL, NULL, plus, A, copy, NULL));
    assert_ok(local, sl_matrix_new(&doubled, local, sl_matrix_type(A), n, n));
    assert_ok(local, sl_matrix_ewise_add(doubled, NULL, NULL, plus, right, right, NULL));
    assert_same(A, doubled);
    sl_matrix_free(copy);
    sl_matrix_free(T);
    sl_matrix_free(doubled);
}

static void try_model(sl_context *ctx, const sl_generator *model, unsigned how, const char *memory,
                      const sl_matrix *right)
{
    uint64_t entries, expected;
    sl_matrix *A = by_devices(ctx, model, how, memory);
    assert_ok(ctx, sl_matrix_nvals(&entries, A));
    assert_ok(local, sl_matrix_nvals(&expected, right));
    assert_int_equal(entries, expected);
    assert_same(A, right);
    compare_derived(A, right);
    sl_matrix_free(A);
}

static void test_entries(void **unused)
{
    for (size_t m = 0; m < MODELS; m++)
        for (size_t f = 0; f < FLAGS; f++) {
            const sl_generator model = weighted(m);
            sl_matrix *right = of_edges(&model, flags[f]);
            for (int rows = 0, cols; next_grid(&rows, &cols);) {
                sl_context *ctx;
                assert_ok(NULL,
                          sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
                try_model(ctx, &model, flags[f], "100G", right);
                try_model(ctx, &model, flags[f], "1M", right);
                sl_context_free(ctx);
            }
            sl_matrix_free(right);
        }
}

/* Weights that may be negative come from the processors. */
static void test_negative(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_UNIFORM,
                                .vertices = 5000,
                                .edges = 9000,
                                .weighted = true,
                                .least_weight = -0.5,
                                .greatest_weight = 0.5};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC, .duplicates = SL_DUPLICATES_MIN};
    sl_matrix *right = of_edges(&model, SL_READ_SYMMETRIC), *A;
    sl_context *ctx;
    assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 0, SL_ENGINE_CUDA));
    assert_false(sl_generator_supported(ctx, &model));
    assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, &options));
    assert_same(A, right);
    sl_matrix_free(A);
    sl_matrix_free(right);
    sl_context_free(ctx);
}

/* ---- searches ----------------------------------------------------------------------------------- */

/* Vectors on a grid and in one process have the same entries. */
static void same_vectors(const sl_vector *got, const sl_vector *right)
{
    sl_arrays all;
    uint64_t count;
    const uint64_t n = sl_vector_size(right);
    assert_ok(sl_vector_context(got), sl_grid_gather_vector(&all, got, 0));
    uint64_t *index = malloc((n + 1) * sizeof *index);
    int64_t *values = malloc((n + 1) * sizeof *values);
    count = n;
    assert_ok(local, sl_vector_extract_tuples(index, values, &count, right));
    if (world_rank() == 0) {
        assert_int_equal(all.nvals, count);
        assert_memory_equal(all.rows, index, count * sizeof *index);
        assert_memory_equal(all.values, values, count * sl_type_size(sl_vector_type(right)));
    }
    free(index);
    free(values);
    sl_arrays_free(&all);
}

static sl_vector *distances(sl_context *ctx, const sl_matrix *A, uint64_t root, sl_vector **parent)
{
    sl_vector *distance;
    sl_closure_options options = {
        .from_source = true, .source = root, .source_value = sl_scalar_fp64(0)};
    const uint64_t n = sl_matrix_nrows(A);
    assert_ok(ctx, sl_vector_new(&distance, ctx, SL_FP64, n));
    assert_ok(ctx, sl_vector_new(parent, ctx, SL_INT64, n));
    options.parent = *parent;
    assert_ok(ctx, sl_closure(distance, NULL, A, SL_MIN_PLUS_FP64, &options));
    return distance;
}

/* The degrees, a tree, its check and the distances, of a graph that is generated with weights. */
static void try_searches(sl_context *ctx, const sl_generator *model, const sl_matrix *right,
                         uint64_t root)
{
    sl_vector *tree, *level, *right_tree, *right_level, *parent, *right_parent, *ends, *joined;
    sl_tree_check check;
    sl_matrix *A = by_devices(ctx, model, SL_READ_SYMMETRIC, "100G");
    assert_ok(ctx, sl_generator_degrees(&ends, &joined, ctx, model));
    assert_ok(ctx, sl_bfs(&tree, &level, A, root, NULL));
    assert_ok(local, sl_bfs(&right_tree, &right_level, right, root, NULL));
    same_vectors(level, right_level);
    assert_ok(ctx, sl_generator_check_tree(&check, tree, model, root));
    assert_int_equal(check.fault, SL_TREE_VALID);
    assert_true(check.reached > 1);
    sl_vector *distance = distances(ctx, A, root, &parent),
              *right_distance = distances(local, right, root, &right_parent);
    same_vectors(distance, right_distance);
    sl_vector *const all[] = {tree,         level, right_tree, right_level, parent,
                              right_parent, ends,  joined,     distance,    right_distance};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        sl_vector_free(all[k]);
    sl_matrix_free(A);
}

/* A vertex of a large component: the first with at least 5 edges. */
static uint64_t root_of(const sl_matrix *right)
{
    sl_csr rows;
    uint64_t v = 0;
    assert_ok(local, sl_matrix_copy_csr(&rows, right));
    while (rows.start[v + 1] - rows.start[v] < 5)
        v++;
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    return v;
}

static void test_searches(void **unused)
{
    const sl_generator model = weighted(0);
    sl_matrix *right = of_edges(&model, SL_READ_SYMMETRIC);
    const uint64_t root = root_of(right);
    static const char *const ways[] = {"1d", "2d"};
    for (int rows = 0, cols; next_grid(&rows, &cols);)
        for (size_t w = 0; w < 2; w++) {
            sl_context *ctx;
            setenv("SEMLA_DIST", ways[w], 1);
            assert_ok(NULL,
                      sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
            try_searches(ctx, &model, right, root);
            sl_context_free(ctx);
            unsetenv("SEMLA_DIST");
        }
    sl_matrix_free(right);
}

/* ---- little memory ------------------------------------------------------------------------------ */

/* Whether this rank's block has no entries on the device, only what it was generated from and what was derived. */
static bool gave_up_entries(const sl_matrix *A)
{
    sl_placement placement;
    const sl_object *block = sl_grid_block(sl_object_of_matrix((sl_matrix *)A));
    assert_ok(NULL, sl_matrix_placement(&placement, (const sl_matrix *)block));
    return placement.ordered;
}

/* least: for each vertex the least distance(u) + length over the edges (u, v). */
static sl_vector *least_over_edges(const sl_vector *distance, const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_vector *least;
    assert_ok(ctx, sl_vector_new(&least, ctx, SL_FP64, sl_matrix_nrows(A)));
    assert_ok(ctx, sl_vxm(least, NULL, NULL, SL_MIN_PLUS_FP64, distance, A, NULL));
    return least;
}

/* A product of the distances by the devices, which need the entries for it: with much memory nothing falls back. */
static void try_product(sl_context *ctx, const sl_generator *model, const sl_matrix *A,
                        const sl_matrix *right)
{
    sl_vector *parent, *right_parent;
    const uint64_t root = root_of(right);
    sl_context_counts before, after;
    sl_vector *distance = distances(ctx, A, root, &parent),
              *right_distance = distances(local, right, root, &right_parent);
    sl_matrix_free(
        by_devices(ctx, model, SL_READ_SYMMETRIC, "100G")); /* there is memory from now on */
    sl_context_get_counts(ctx, &before);
    sl_vector *least = least_over_edges(distance, A);
    sl_context_get_counts(ctx, &after);
    assert_int_equal(after.fallbacks, before.fallbacks);
    sl_vector *right_least = least_over_edges(right_distance, right);
    same_vectors(least, right_least);
    sl_vector *const all[] = {parent, right_parent, distance, right_distance, least, right_least};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        sl_vector_free(all[k]);
}

/* Where a graph that is prepared for both leaves no room for its entries, paths, searches and the entries are as on
 * the host. `gives_up`: the grid has the shape and the little memory for it. */
static void try_prepared(sl_context *ctx, const sl_generator *model, const sl_matrix *right,
                         const char *memory, bool gives_up)
{
    const uint64_t root = root_of(right);
    sl_vector *tree, *level, *right_tree, *right_level, *parent, *right_parent;
    sl_matrix *A = by_devices(ctx, model, SL_READ_SYMMETRIC, memory);
    setenv("SEMLA_CUDA_MEMORY", memory, 1);
    assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL | SL_FOR_PATHS));
    unsetenv("SEMLA_CUDA_MEMORY");
    assert_int_equal(gave_up_entries(A), gives_up);
    for (int repeated = 0; repeated < 2; repeated++) {
        sl_vector *distance = distances(ctx, A, root, &parent),
                  *right_distance = distances(local, right, root, &right_parent);
        same_vectors(distance, right_distance);
        assert_ok(ctx, sl_bfs(&tree, &level, A, root, NULL));
        assert_ok(local, sl_bfs(&right_tree, &right_level, right, root, NULL));
        same_vectors(level, right_level);
        sl_vector *const all[] = {tree,   level,        right_tree, right_level,
                                  parent, right_parent, distance,   right_distance};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            sl_vector_free(all[k]);
    }
    try_product(ctx, model, A, right);
    assert_int_equal(gave_up_entries(A), gives_up);
    assert_same(A, right);
    compare_derived(A, right);
    sl_matrix_free(A);
}

static void test_little_memory(void **unused)
{
    const sl_generator model = weighted(0);
    sl_matrix *right = of_edges(&model, SL_READ_SYMMETRIC);
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        try_prepared(ctx, &model, right, "100G", false);
        try_prepared(ctx, &model, right, "64M", rows == 1);
        sl_context_free(ctx);
    }
    sl_matrix_free(right);
}

/* Trees and paths are valid, and no edge is generated outside kernel 1. */
static void test_graph500(void **unused)
{
    const sl_graph500_options options = {.scale = 12, .roots = 3, .seed = 2, .sssp = true};
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_graph500_report r;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        assert_ok(ctx, sl_graph500(&r, ctx, &options));
        assert_string_equal(r.failure.reason, "");
        assert_int_equal(r.valid, 3);
        assert_int_equal(r.sssp.valid, 3);
        assert_true(r.generation_seconds == 0);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries), cmocka_unit_test(test_negative),
        cmocka_unit_test(test_searches), cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_graph500)};
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&local, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    const int failures = run_ranks("device_weights", tests, sizeof tests / sizeof *tests);
    sl_context_free(local);
    return failures;
}
