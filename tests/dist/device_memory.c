/* Device memory of generated graphs: the peak while a graph is generated and prepared for searches is
 * at most 1.25 times the memory that remains, on one device and on grids of one column and of one row;
 * the first search then takes no more memory from the device. The same for the preparation of
 * graphs that were not generated, whose edges are exchanged. Graphs that have no room are refused
 * before memory is allocated, with one message on all ranks. Products of matrices in stages. Ranks
 * may share a device: each has a pool. */
#include "cuda/runtime/device.h"

#include "ranks.h"
#include "support.h"

enum { SCALE = 20, ROOT_TRIES = 64 };

static const double most_of_remaining = 1.25;

static uint64_t pool_bytes(enum cudaMemPoolAttr attribute)
{
    uint64_t bytes = 0;
    assert_int_equal(cudaStreamSynchronize(cuda_stream()), cudaSuccess);
    assert_int_equal(cudaMemPoolGetAttribute(sl_cuda_device()->pool, attribute, &bytes),
                     cudaSuccess);
    return bytes;
}

/* One search from a vertex with edges. */
static void search(sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    uint64_t reached = 1;
    for (uint64_t root = 0; reached == 1 && root < ROOT_TRIES; root++) {
        sl_vector *parent = NULL, *level = NULL;
        assert_ok(ctx, sl_bfs(&parent, &level, A, root, NULL));
        assert_ok(ctx, sl_vector_nvals(&reached, parent));
        sl_vector_free(parent);
        sl_vector_free(level);
    }
    assert_true(reached > 1);
}

/* A search of a small graph: the devices of a grid keep memory for their messages from then on. */
static void open_links(sl_context *ctx)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 8, .seed = 5};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    sl_matrix *A;
    assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, &undirected));
    assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    search(A);
    sl_matrix_free(A);
}

static void try_context(sl_context *ctx, const char *name)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = SCALE, .seed = 5};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    sl_context_counts before_optimize, optimized;
    sl_matrix *A;
    uint64_t none = 0;
    const uint64_t before = pool_bytes(cudaMemPoolAttrUsedMemCurrent);
    assert_int_equal(
        cudaMemPoolSetAttribute(sl_cuda_device()->pool, cudaMemPoolAttrUsedMemHigh, &none),
        cudaSuccess);
    assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, &undirected));
    const uint64_t generating = pool_bytes(cudaMemPoolAttrUsedMemHigh) - before;
    sl_context_get_counts(ctx, &before_optimize);
    assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    sl_context_get_counts(ctx, &optimized);
    assert_int_equal(optimized.fallbacks, before_optimize.fallbacks);
    const uint64_t peak = pool_bytes(cudaMemPoolAttrUsedMemHigh) - before,
                   remaining = pool_bytes(cudaMemPoolAttrUsedMemCurrent) - before,
                   reserved = pool_bytes(cudaMemPoolAttrReservedMemCurrent);
    print_message("%s: peak %.1f MB generating, %.1f in all; %.1f MB remain: times %.2f\n", name,
                  1e-6 * (double)generating, 1e-6 * (double)peak, 1e-6 * (double)remaining,
                  (double)peak / (double)remaining);
    if ((double)peak > most_of_remaining * (double)remaining)
        fail_msg("%s: rank %d: the peak is %.2f times what remains", name, world_rank(),
                 (double)peak / (double)remaining);
    search(A);
    assert_int_equal(pool_bytes(cudaMemPoolAttrReservedMemCurrent), reserved);
    sl_matrix_free(A);
    assert_int_equal(pool_bytes(cudaMemPoolAttrUsedMemCurrent), before);
}

static void one_device(void **unused)
{
    sl_context *ctx;
    assert_ok(NULL, sl_context_create(&ctx, SL_ENGINE_CUDA));
    try_context(ctx, "one device");
    sl_context_free(ctx);
}

static void grids(void **unused)
{
    for (int row = 0; row < 2; row++) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, row ? 1 : world_size(),
                                               row ? world_size() : 1, SL_ENGINE_CUDA));
        setenv("SEMLA_DIST", "1d", 1);
        open_links(ctx);
        try_context(ctx, row ? "one row" : "one column");
        unsetenv("SEMLA_DIST");
        sl_context_free(ctx);
    }
}

/* A graph whose edges move along the rows of a grid: on each rank there are its block, those that
 * it collects, and those by target, until the collected ones are freed. */
static void try_exchanged(int rows)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = SCALE, .seed = 5};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    const int cols = world_size() / rows;
    uint64_t none = 0;
    sl_context *ctx;
    sl_edges edges;
    sl_matrix *A;
    assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
    const uint64_t before = pool_bytes(cudaMemPoolAttrUsedMemCurrent);
    assert_ok(ctx, sl_generate(&edges, ctx, &model));
    assert_ok(ctx, sl_matrix_from_edges(&A, ctx, &edges, &undirected));
    sl_edges_free(&edges);
    assert_int_equal(
        cudaMemPoolSetAttribute(sl_cuda_device()->pool, cudaMemPoolAttrUsedMemHigh, &none),
        cudaSuccess);
    setenv("SEMLA_DIST", "1d", 1);
    assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    unsetenv("SEMLA_DIST");
    const uint64_t peak = pool_bytes(cudaMemPoolAttrUsedMemHigh) - before,
                   remaining = pool_bytes(cudaMemPoolAttrUsedMemCurrent) - before;
    print_message("%d x %d, edges exchanged: peak %.1f MB; %.1f MB remain: times %.2f\n", rows,
                  cols, 1e-6 * (double)peak, 1e-6 * (double)remaining,
                  (double)peak / (double)remaining);
    if ((double)peak > most_of_remaining * (double)remaining)
        fail_msg("%d x %d: rank %d: the peak is %.2f times what remains", rows, cols, world_rank(),
                 (double)peak / (double)remaining);
    sl_matrix_free(A);
    sl_context_free(ctx);
}

static void exchanged(void **unused)
{
    try_exchanged(1);
    if (world_size() == 4)
        try_exchanged(2);
}

/* Graphs of more bytes than any device and its host have. on_grid: all ranks have the same message. */
static void try_huge(sl_context *ctx, unsigned flags, bool weighted, bool on_grid)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER,
                                .scale = 31,
                                .edge_factor = 1 << 16,
                                .seed = 5,
                                .weighted = weighted};
    const sl_read_options options = {.flags = flags, .duplicates = SL_DUPLICATES_MIN};
    unsigned long long edges = 0, needed = 0, present = 0;
    sl_matrix *A;
    assert_int_equal(sl_matrix_generate(&A, ctx, &model, &options), SL_NO_MEMORY);
    assert_null(A);
    const char *message = sl_context_message(ctx), *numbers = strstr(message, "need ");
    char first[512];
    snprintf(first, sizeof first, "%s", message);
    const char *what = strstr(message, "generate: "); /* on a grid behind the rank */
    if (!numbers || !what || sscanf(what, "generate: no memory for %llu edges", &edges) != 1 ||
        sscanf(numbers, "need %llu", &needed) != 1 || !strstr(numbers, ", and ") ||
        sscanf(strstr(numbers, ", and "), ", and %llu bytes are present", &present) != 1)
        fail_msg("message '%s'", message);
    assert_true(edges == 1ull << 47 && present > 0 && present < needed);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (on_grid)
        assert_string_equal(first, message);
}

static void no_room(void **unused)
{
    sl_context *ctx;
    assert_ok(NULL, sl_context_create(&ctx, SL_ENGINE_CUDA));
    try_huge(ctx, SL_READ_SYMMETRIC, false, false);
    try_huge(ctx, 0, false, false);
    sl_context_free(ctx);
    assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 0, SL_ENGINE_CUDA));
    try_huge(ctx, SL_READ_SYMMETRIC, false, true);
    try_huge(ctx, SL_READ_SYMMETRIC, true, true);
    sl_context_free(ctx);
}

/* ---- products of matrices in stages ----------------------------------------------------------------- */

/* Few entries times a large block of each rank: the result takes little memory. */
static void open_factors(sl_context *ctx, sl_matrix **few, sl_matrix **large, sl_matrix **result)
{
    enum { VERTICES = 1 << 13, EDGES = 1 << 19, ENTRIES = 40 };
    const sl_generator model = {
        .model = SL_MODEL_UNIFORM, .vertices = VERTICES, .edges = EDGES, .seed = 3};
    uint64_t rows[ENTRIES], cols[ENTRIES], seed = 1;
    for (int k = 0; k < ENTRIES; k++) {
        rows[k] = (uint64_t)k;
        cols[k] = test_random(&seed) % VERTICES;
    }
    assert_ok(ctx, sl_matrix_generate(large, ctx, &model, NULL));
    assert_ok(ctx, sl_matrix_new(few, ctx, SL_BOOL, VERTICES, VERTICES));
    assert_ok(ctx, sl_matrix_build(*few, rows, cols, NULL, world_rank() == 0 ? ENTRIES : 0, NULL));
    assert_ok(ctx, sl_matrix_new(result, ctx, SL_INT64, VERTICES, VERTICES));
}

/* A rank has the blocks of two stages at most: the factors of one, and the messages of the next. */
static void two_stages(void **unused)
{
    sl_context *ctx;
    sl_matrix *few, *large, *result;
    uint64_t none = 0, edges;
    assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, 1, world_size(), SL_ENGINE_CUDA));
    open_factors(ctx, &few, &large, &result);
    assert_ok(ctx, sl_matrix_nvals(&edges, large));
    const uint64_t block = edges / (uint64_t)world_size() * sizeof(uint32_t),
                   before = pool_bytes(cudaMemPoolAttrUsedMemCurrent);
    assert_int_equal(
        cudaMemPoolSetAttribute(sl_cuda_device()->pool, cudaMemPoolAttrUsedMemHigh, &none),
        cudaSuccess);
    setenv("SEMLA_DIST", "stages", 1);
    assert_ok(ctx, sl_mxm(result, NULL, NULL, SL_PLUS_PAIR_INT64, few, large, NULL));
    unsetenv("SEMLA_DIST");
    const uint64_t peak = pool_bytes(cudaMemPoolAttrUsedMemHigh) - before;
    print_message("stages: peak %.2f MB, blocks of %.2f MB\n", 1e-6 * (double)peak,
                  1e-6 * (double)block);
    if (world_size() > 2 && (double)peak > 2.75 * (double)block)
        fail_msg("stages: rank %d: the peak is %.2f blocks", world_rank(),
                 (double)peak / (double)block);
    sl_matrix_free(few);
    sl_matrix_free(large);
    sl_matrix_free(result);
    sl_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_device), cmocka_unit_test(grids),
                                       cmocka_unit_test(exchanged), cmocka_unit_test(no_room),
                                       cmocka_unit_test(two_stages)};
    if (!start_with_gpu())
        return 0;
    return run_ranks("device_memory", tests, sizeof tests / sizeof *tests);
}
