/* Out of memory on one rank while the devices search a graph or exchange entries, at one
 * allocation after another, on the host and on the device: every rank returns the same error,
 * nothing leaks, and no rank waits for ever. SEMLA_TEST_EVERY fails every allocation instead of a
 * sample; SEMLA_TEST_FROM=N begins with the Nth. */
#include "ranks.h"
#include "support.h"

enum { N = 300, SAMPLES = 8 };

static int rank, ranks;
static char said[256];        /* message of the last failure */
static const char *transport; /* value of SEMLA_DIST: a transport, and perhaps switches */
static bool one_row;          /* the grid has one row, else one column */

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

/* A path with random edges; rank 0 provides all of them. */
static sl_status build(sl_matrix *A)
{
    uint64_t rows[4 * N], cols[4 * N], count = 0;
    for (uint64_t k = 0; k < 2 * N && rank == 0; k++) {
        const uint64_t from = k < N ? k : k * 7919 % N, to = k < N ? k + 1 : k * 104729 % N;
        if (from == to || to >= N)
            continue;
        rows[count] = cols[count + 1] = from;
        rows[count + 1] = cols[count] = to;
        count += 2;
    }
    return sl_matrix_build(A, rows, cols, NULL, count, SL_FIRST_BOOL);
}

/*
 * Creates, uses and closes a device group. *used: whether it used the transport that was asked for.
 */
static sl_status scenario(bool *used)
{
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *parent = NULL, *level = NULL;
    sl_grid_info info;
    uint64_t reached = 0;
    sl_status status;
    TRY(sl_grid_context_create(&ctx, MPI_COMM_WORLD, one_row ? 1 : ranks, one_row ? ranks : 1,
                               SL_ENGINE_CUDA));
    TRY(sl_matrix_new(&A, ctx, SL_BOOL, N, N));
    TRY(build(A));
    TRY(sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    for (int search = 0; search < 2; search++) {
        sl_vector_free(parent);
        sl_vector_free(level);
        parent = level = NULL;
        TRY(sl_bfs(&parent, &level, A, 3, NULL));
    }
    TRY(sl_vector_nvals(&reached, parent));
    assert_int_equal(reached, N);
    assert_int_equal(sl_grid_describe(&info, ctx), SL_OK);
    *used = strncmp(info.transport, transport, strlen(info.transport)) == 0;
out:
    if (status != SL_OK)
        snprintf(said, sizeof said, "%s", ctx ? sl_context_message(ctx) : "no context");
    /* Where the hosts exchange data, ranks agree twice, and the message may be that of an earlier
     * failure. */
    if (status == SL_NO_MEMORY && ctx && strcmp(transport, "peers") == 0 && !strstr(said, "memory"))
        fail_msg("%s: out of memory, but the message is '%s'", transport, said);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status;
}

static bool weighted; /* of the graph that the devices generate */

/* The same with a graph that the devices generate, on a grid of several columns, including the
 * validation of a tree. */
static sl_status generated(bool *used)
{
    const sl_generator model = {
        .model = SL_MODEL_UNIFORM, .vertices = 4096, .edges = 6000, .weighted = weighted};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC,
                                        .duplicates = SL_DUPLICATES_MIN};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *parent = NULL;
    sl_grid_info info;
    sl_tree_check check;
    sl_status status;
    TRY(sl_grid_context_create(&ctx, MPI_COMM_WORLD, 1, ranks, SL_ENGINE_CUDA));
    TRY(sl_matrix_generate(&A, ctx, &model, &undirected));
    TRY(sl_bfs(&parent, NULL, A, 3, NULL));
    TRY(sl_generator_check_tree(&check, parent, &model, 3));
    assert_int_equal(check.fault, SL_TREE_VALID);
    assert_int_equal(sl_grid_describe(&info, ctx), SL_OK);
    *used = strncmp(info.transport, transport, strlen(info.transport)) == 0;
out:
    if (status == SL_NO_MEMORY && ctx)
        assert_non_null(strstr(sl_context_message(ctx), "memory"));
    sl_vector_free(parent);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status;
}

/* Operations that send entries to other ranks, of objects on the devices. */
static sl_status moves(bool *used)
{
    uint64_t at[N];
    int64_t value[N];
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *index = NULL, *w = NULL;
    sl_status status;
    for (uint64_t k = 0; k < N; k++) {
        at[k] = k;
        value[k] = (int64_t)(k * 7919 % N);
    }
    TRY(sl_grid_context_create(&ctx, MPI_COMM_WORLD, one_row ? 1 : ranks, one_row ? ranks : 1,
                               SL_ENGINE_CUDA));
    TRY(sl_matrix_new(&A, ctx, SL_BOOL, N, N));
    TRY(build(A));
    TRY(sl_vector_new(&index, ctx, SL_INT64, N));
    TRY(sl_vector_new(&w, ctx, SL_INT64, N));
    TRY(sl_vector_build(index, at, value, rank == 0 ? N : 0, NULL));
    TRY(sl_vector_gather(w, NULL, NULL, index, index, NULL));
    TRY(sl_vector_scatter(w, NULL, NULL, SL_MIN_MONOID_INT64, index, index, NULL));
    TRY(sl_transpose(A, NULL, NULL, A, NULL));
    TRY(sl_vector_assign(w, NULL, NULL, index, at, N, NULL));
    TRY(sl_matrix_assign_row(A, index, NULL, w, 3, at, N, NULL));
    *used = true;
out:
    if (status == SL_NO_MEMORY && ctx)
        assert_non_null(strstr(sl_context_message(ctx), "memory"));
    sl_vector_free(index);
    sl_vector_free(w);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status;
}

/* Products of a full and of a sparse vector under a mask, and of indices. */
static sl_status products(bool *used)
{
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *full = NULL, *few = NULL, *w = NULL;
    const sl_descriptor replace = sl_descriptor_get(SL_REPLACE);
    uint64_t left;
    sl_status status;
    TRY(sl_grid_context_create(&ctx, MPI_COMM_WORLD, one_row ? 1 : ranks, one_row ? ranks : 1,
                               SL_ENGINE_CUDA));
    TRY(sl_matrix_new(&A, ctx, SL_BOOL, N, N));
    TRY(build(A));
    TRY(sl_vector_new(&full, ctx, SL_INT64, N));
    TRY(sl_vector_new(&few, ctx, SL_INT64, N));
    TRY(sl_vector_new(&w, ctx, SL_INT64, N));
    TRY(sl_vector_assign_scalar(full, NULL, NULL, sl_scalar_int64(2), SL_ALL, 0, NULL));
    TRY(sl_vector_apply_index(full, NULL, NULL, SL_ROWINDEX_INT64, full, sl_scalar_int64(0), NULL));
    TRY(sl_vector_select(few, NULL, NULL, SL_ROWLE_BOOL, full, sl_scalar_int64(9), NULL));
    TRY(sl_vxm(w, NULL, NULL, SL_PLUS_TIMES_INT64, full, A, NULL));
    TRY(sl_vxm(w, full, NULL, SL_MIN_SECONDI_INT64, full, A, replace));
    TRY(sl_mxv(w, few, NULL, SL_PLUS_TIMES_INT64, A, few, replace));
    TRY(sl_vector_nvals(&left, w));
    *used = left > 0;
out:
    if (status == SL_NO_MEMORY && ctx)
        assert_non_null(strstr(sl_context_message(ctx), "memory"));
    sl_vector_free(full);
    sl_vector_free(few);
    sl_vector_free(w);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status;
}

/* Products of matrices, also of indices. */
static sl_status matrix_products(bool *used)
{
    sl_context *ctx = NULL;
    sl_matrix *A = NULL, *C = NULL;
    uint64_t left;
    sl_status status;
    TRY(sl_grid_context_create(&ctx, MPI_COMM_WORLD, one_row ? 1 : ranks, one_row ? ranks : 1,
                               SL_ENGINE_CUDA));
    TRY(sl_matrix_new(&A, ctx, SL_BOOL, N, N));
    TRY(build(A));
    TRY(sl_matrix_new(&C, ctx, SL_INT64, N, N));
    TRY(sl_matrix_apply(A, NULL, NULL, SL_IDENTITY_BOOL, A, NULL)); /* on the devices */
    TRY(sl_mxm(C, A, NULL, SL_MIN_SECONDI_INT64, A, A, sl_descriptor_get(SL_REPLACE)));
    TRY(sl_mxm(C, NULL, NULL, SL_PLUS_TIMES_INT64, A, A, NULL));
    TRY(sl_matrix_nvals(&left, C));
    *used = left > 0;
out:
    if (status == SL_NO_MEMORY && ctx)
        assert_non_null(strstr(sl_context_message(ctx), "memory"));
    sl_matrix_free(A);
    sl_matrix_free(C);
    sl_context_free(ctx);
    return status;
}

/* After a failure the same graph is searched on the same grid, without failures. A rank that failed to
 * allocate its block must not wait for the others to grow theirs. */
static sl_status repeated(bool *used)
{
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *parent = NULL;
    uint64_t reached = 0;
    sl_status status, again = SL_OK;
    TRY(sl_grid_context_create(&ctx, MPI_COMM_WORLD, one_row ? 1 : ranks, one_row ? ranks : 1,
                               SL_ENGINE_CUDA));
    TRY(sl_matrix_new(&A, ctx, SL_BOOL, N, N));
    TRY(build(A));
    status = sl_matrix_optimize(A, SL_FOR_TRAVERSAL);
    allocator_fail_after(-1);
    again = sl_bfs(&parent, NULL, A, 3, NULL);
    if (again == SL_OK)
        again = sl_vector_nvals(&reached, parent);
    assert_int_equal(again, SL_OK);
    assert_int_equal(reached, N);
    *used = true;
out:
    sl_vector_free(parent);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status;
}

static sl_status (*run)(bool *used);

/* Runs with allocation n of one rank failing; returns the status, which must be the same on all
 * ranks. */
static sl_status attempt(int failing, long n)
{
    const long before = allocator_alive();
    bool used = false;
    if (rank == failing)
        allocator_fail_after(n);
    const sl_status status = run(&used);
    allocator_fail_after(-1);
    int most = status, least = status;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (most != least || (status != SL_OK && status != SL_NO_MEMORY))
        fail_msg("%s, allocation %ld of rank %d failing: rank %d returns %s: %s", transport, n,
                 failing, rank, sl_status_string(status), said);
    if (failing >= 0 && allocator_alive() != before)
        fail_msg("%s, allocation %ld of rank %d failing: rank %d leaked %ld", transport, n, failing,
                 rank, allocator_alive() - before);
    if (status == SL_OK && failing < 0)
        assert_true(used);
    return status;
}

/* The number of allocations of a run on the last rank. */
static long allocations(void)
{
    long least = 0, most = 1 << 12; /* the first one that is not reached, by bisection */
    while (least < most) {
        const long middle = least + (most - least) / 2;
        if (attempt(ranks - 1, middle) == SL_OK)
            most = middle;
        else
            least = middle + 1;
    }
    return least;
}

static int samples = SAMPLES; /* of the allocations that fail, on each rank */

static void out_of_memory_by(const char *name, sl_status (*what)(bool *used))
{
    transport = name;
    run = what;
    setenv("SEMLA_DIST", transport, 1);
    assert_int_equal(attempt(-1, 0), SL_OK);
    const long all = allocations();
    const long stride = getenv("SEMLA_TEST_EVERY") ? 1 : 1 + all / samples;
    assert_true(all > 20);
    const long from = getenv("SEMLA_TEST_FROM") ? atol(getenv("SEMLA_TEST_FROM")) : 0;
    for (int failing = 0; failing < ranks; failing++)
        for (long n = from + failing; n < all + stride; n += stride)
            attempt(failing, n);
    unsetenv("SEMLA_DIST");
}

static void peers(void **unused)
{
    out_of_memory_by("peers", scenario);
}

static void hosts(void **unused)
{
    out_of_memory_by("hosts,codecs", scenario);
}

static void generated_by_peers(void **unused)
{
    for (int k = 0; k < 2; k++) {
        weighted = k;
        out_of_memory_by("peers", generated);
    }
    weighted = false;
}

static void moved_entries(void **unused)
{
    out_of_memory_by("peers", moves);
    out_of_memory_by("hosts", moves);
}

static void folded_vectors(void **unused)
{
    for (int row = 0; row < 2; row++) {
        one_row = row;
        out_of_memory_by("peers", products);
    }
    out_of_memory_by("hosts", products);
    one_row = false;
}

static void joined_blocks(void **unused)
{
    for (int row = 0; row < 2; row++) {
        one_row = row;
        out_of_memory_by("peers", matrix_products);
        out_of_memory_by("peers,stages", matrix_products);
    }
    one_row = false;
}

static void repeated_by_peers(void **unused)
{
    samples = 4 * SAMPLES; /* few allocations are those of blocks */
    out_of_memory_by("peers", repeated);
    samples = SAMPLES;
}

/* Searches in two dimensions, which expand along columns or fold along rows. */
static void two_dimensions(void **unused)
{
    for (int row = 0; row < 2; row++) {
        one_row = row;
        out_of_memory_by("peers,2d", scenario);
        out_of_memory_by("hosts,codecs,2d", scenario);
    }
    out_of_memory_by("peers,2d", generated);
    one_row = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(generated_by_peers),
                                       cmocka_unit_test(peers),
                                       cmocka_unit_test(hosts),
                                       cmocka_unit_test(repeated_by_peers),
                                       cmocka_unit_test(two_dimensions),
                                       cmocka_unit_test(moved_entries),
                                       cmocka_unit_test(folded_vectors),
                                       cmocka_unit_test(joined_blocks)};
    allocator_install();
    if (!start_with_gpu())
        return 0;
    rank = world_rank();
    ranks = world_size();
    return run_ranks("device_group_memory", tests, sizeof tests / sizeof *tests);
}
