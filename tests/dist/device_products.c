/*
 * Products and algorithms on grids of ranks with devices, compared with SuiteSparse in one process, on
 * every grid of the ranks and with every transport that is available. Ranks may share a device. Once the
 * objects are on the devices no data passes through the hosts, except by the transport `hosts`.
 */
#include "product_cases.h"
#include "ranks.h"
#include "same.h"
#include "support.h"

#include "dist/grid/grid.h"
#include "exchanges.h"

static sl_context *host;

/* The transports; NCCL may be missing, and refuses ranks that share a device. */
static const struct {
    const char *name;
    bool optional, by_hosts;
} transports[] = {{"peers", false, false}, {"nccl", true, false}, {"hosts", false, true}};
enum { TRANSPORTS = sizeof transports / sizeof *transports };

static sl_context *open_grid(int rows, int cols)
{
    sl_context *ctx;
    assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
    return ctx;
}

/* ---- data through the hosts ------------------------------------------------------------------ */

/* Bytes that this rank has received, in all, or by way of a host's memory. */
static uint64_t received(const sl_context *ctx, bool by_hosts)
{
    sl_grid_traffic t;
    const char *phase = "";
    uint64_t bytes = 0;
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++) {
        if (strcmp(t.phase, "counts") == 0)
            continue;
        if (!by_hosts)
            bytes += t.bytes;
        else if (strcmp(t.phase, phase) != 0) /* the same for all codecs of a phase */
            bytes += t.host_bytes;
        phase = t.phase;
    }
    return bytes;
}

static uint64_t copied(const sl_context *ctx)
{
    sl_context_counts counts;
    sl_context_get_counts(ctx, &counts);
    return counts.bytes_copied;
}

/* Begins to watch a context, and asserts that nothing passed through the hosts since. */
static uint64_t copied_before;
static void watch(sl_context *ctx)
{
    assert_ok(ctx, sl_grid_reset_traffic(ctx));
    copied_before = copied(ctx);
}
static void assert_on_devices(sl_context *ctx, const char *what)
{
    const uint64_t by_hosts = received(ctx, true), moved = copied(ctx) - copied_before;
    if (by_hosts || moved)
        fail_msg("%s: %llu bytes received by way of the hosts, %llu migrated", what,
                 (unsigned long long)by_hosts, (unsigned long long)moved);
}

/* ---- products --------------------------------------------------------------------------------- */

static sl_status fetch(sl_arrays *list, const sl_vector *v)
{
    return sl_grid_gather_vector(list, v, 0);
}

/* A vector of all indices below n, or of every `step`-th, with small values, on the devices. */
static sl_vector *numbers(sl_context *ctx, sl_type type, uint64_t n, uint64_t step)
{
    sl_vector *made, *cast;
    uint64_t *index = malloc((n + 1) * sizeof *index), count = 0;
    int64_t *value = malloc((n + 1) * sizeof *value);
    for (uint64_t k = 0; k < n; k += step) {
        index[count] = k;
        value[count++] = (int64_t)(k * 7 % 3);
    }
    if (ctx != host && world_rank() > 0)
        count = 0;
    assert_ok(ctx, sl_vector_new(&made, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_build(made, index, value, count, NULL));
    assert_ok(ctx, sl_vector_new(&cast, ctx, type, n));
    assert_ok(ctx, sl_vector_assign(cast, NULL, NULL, made, SL_ALL, 0, NULL));
    sl_vector_free(made);
    free(index);
    free(value);
    return cast;
}

/* Vectors from this size on are not short: their messages may take more than 4 MiB. */
enum { LONG = (1 << 20) + 77 };

static sl_matrix *graph(sl_context *ctx, sl_type type, uint64_t n)
{
    sl_matrix *A, *cast;
    const sl_generator model = {
        .model = SL_MODEL_UNIFORM, .vertices = n, .edges = n < LONG ? 4 * n : n / 64, .seed = 5};
    assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, NULL));
    assert_ok(ctx, sl_matrix_new(&cast, ctx, type, n, n));
    assert_ok(ctx, sl_matrix_assign(cast, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    sl_matrix_free(A);
    return cast;
}

/* Whether a transport works on this grid. Entries are exchanged even in a line of one. */
static bool is_available(sl_context *ctx, size_t t)
{
    const uint64_t index = 7;
    const int64_t value = 1;
    sl_vector *u;
    assert_ok(ctx, sl_vector_new(&u, ctx, SL_INT64, 200));
    setenv("SEMLA_DIST", transports[t].name, 1);
    const sl_status status = sl_vector_build(u, &index, &value, world_rank() == 0, NULL);
    sl_vector_free(u);
    if (status == SL_UNSUPPORTED && transports[t].optional)
        return false;
    assert_ok(ctx, status);
    return true;
}

/* Calls a function for every grid and every transport. */
static void try_all(void (*try)(sl_context *ctx, size_t transport))
{
    for (int rows = 0, cols; next_grid(&rows, &cols);)
        for (size_t t = 0; t < TRANSPORTS; t++) {
            sl_context *ctx = open_grid(rows, cols);
            if (is_available(ctx, t))
                try(ctx, t);
            sl_context_free(ctx);
            unsetenv("SEMLA_DIST");
        }
}

static void try_hostile(sl_context *ctx, size_t transport)
{
    check_products(&(product_test){.tested = ctx,
                                   .host = host,
                                   .rank = world_rank(),
                                   .fetch = fetch,
                                   .checks = world_rank() == 0,
                                   .every = transport == 0 ? 149 : 401});
}

static void test_hostile(void **unused)
{
    try_all(try_hostile);
}

/* One product in a context. */
static sl_vector *product(sl_context *ctx, sl_semiring semiring, uint64_t n, uint64_t step,
                          bool masked, bool watched)
{
    sl_matrix *A = graph(ctx, semiring->multiply->type, n);
    sl_vector *u = numbers(ctx, semiring->multiply->type, n, step), *w, *warm;
    sl_vector *mask = masked ? numbers(ctx, SL_INT32, n, 2) : NULL;
    const sl_descriptor replace = sl_descriptor_get(SL_REPLACE);
    assert_ok(ctx, sl_vector_new(&w, ctx, semiring->result, n));
    assert_ok(ctx, sl_vector_new(&warm, ctx, semiring->result, n));
    assert_ok(ctx, sl_vxm(warm, mask, NULL, semiring, u, A, replace)); /* migrates the matrix */
    if (watched)
        watch(ctx);
    assert_ok(ctx, sl_vxm(w, mask, NULL, semiring, u, A, replace));
    assert_ok(ctx, sl_mxv(w, mask, semiring->add->op, semiring, A, u, NULL));
    if (watched)
        assert_on_devices(ctx, semiring->name);
    sl_vector_free(mask);
    sl_vector_free(u);
    sl_vector_free(warm);
    sl_matrix_free(A);
    return w;
}

static void try_product(sl_context *ctx, size_t transport, sl_semiring semiring,
                        sl_semiring right_semiring, uint64_t n, uint64_t step, bool masked)
{
    char what[160];
    snprintf(what, sizeof what, "%s of %d with each %d-th%s by %s", semiring->name, (int)n,
             (int)step, masked ? " masked" : "", transports[transport].name);
    sl_vector *got =
        product(ctx, semiring, n, step, masked, !transports[transport].by_hosts && n > 100);
    sl_vector *right = product(host, right_semiring, n, step, masked, false);
    assert_same_vectors(got, right, what);
    sl_vector_free(got);
    sl_vector_free(right);
}

/* Every type and form of vector, and semirings of all kinds. */
static void try_semirings(sl_context *ctx, size_t transport)
{
    static const sl_semiring_code codes[] = {SL_SEMIRING_PLUS_TIMES, SL_SEMIRING_MIN_PLUS,
                                             SL_SEMIRING_PLUS_PAIR, SL_SEMIRING_MAX_MIN};
    static const uint64_t steps[] = {1, 3, 90, 1 << 20};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            const sl_semiring semiring = sl_semiring_get(codes[k], (sl_type)type);
            const size_t s = (k + (size_t)type) % 4;
            if (semiring && (transport == 0 || (k + (size_t)type) % 5 == 0))
                try_product(ctx, transport, semiring, semiring, 1500, steps[s], s % 2);
        }
    for (uint64_t n = 1; n < 30; n += 7)
        try_product(ctx, transport, SL_PLUS_TIMES_FP64, SL_PLUS_TIMES_FP64, n, 1, false);
    try_product(ctx, transport, SL_LOR_LAND_BOOL, SL_LOR_LAND_BOOL, 1500, 2, true);
}

static void test_semirings(void **unused)
{
    try_all(try_semirings);
}

/* Long messages, on which the processes agree before they move. */
static void try_long(sl_context *ctx, size_t transport)
{
    if (transport != 0)
        return;
    try_product(ctx, transport, SL_PLUS_TIMES_FP64, SL_PLUS_TIMES_FP64, LONG, 1, false);
    try_product(ctx, transport, SL_LOR_LAND_BOOL, SL_LOR_LAND_BOOL, LONG, 90, true);
}

static void test_long(void **unused)
{
    try_all(try_long);
}

/* Products that are indices, and a monoid of the user. */
static void larger(void *z, const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    *(int64_t *)z = a > b ? a : b;
}

static sl_semiring positional(sl_context *ctx, sl_monoid add, sl_binary_code multiply)
{
    sl_semiring made;
    assert_ok(ctx,
              sl_semiring_new(&made, ctx, "positional", add, sl_binary_op_get(multiply, SL_INT64)));
    return made;
}

static void try_positional(sl_context *ctx, size_t transport)
{
    static const sl_binary_code indices[] = {SL_BINARY_FIRSTI, SL_BINARY_FIRSTJ, SL_BINARY_SECONDI,
                                             SL_BINARY_SECONDJ};
    const sl_monoid monoids[] = {SL_MIN_MONOID_INT64, SL_MAX_MONOID_INT64, SL_PLUS_MONOID_INT64};
    for (size_t m = 0; m < 3; m++)
        for (size_t k = 0; k < 4; k++) {
            const sl_semiring mine = positional(ctx, monoids[m], indices[k]),
                              theirs = positional(host, monoids[m], indices[k]);
            try_product(ctx, transport, mine, theirs, 900, m + 1, k % 2);
            sl_semiring_free(mine);
            sl_semiring_free(theirs);
        }
    sl_context *const contexts[] = {ctx, host};
    sl_semiring semirings[2];
    sl_monoid adds[2];
    sl_binary_op ops[2];
    for (int k = 0; k < 2; k++) {
        assert_ok(contexts[k], sl_binary_op_new(&ops[k], contexts[k], "larger", SL_INT64, SL_INT64,
                                                SL_INT64, larger, NULL));
        assert_ok(contexts[k], sl_monoid_new(&adds[k], contexts[k], "larger", ops[k],
                                             sl_scalar_int64(INT64_MIN), NULL));
        assert_ok(contexts[k], sl_semiring_new(&semirings[k], contexts[k], "larger_times", adds[k],
                                               sl_binary_op_get(SL_BINARY_TIMES, SL_INT64)));
    }
    sl_vector *got = product(ctx, semirings[0], 700, 1, false, false);
    sl_vector *right = product(host, semirings[1], 700, 1, false, false);
    assert_same_vectors(got, right, "a monoid of the user");
    sl_vector_free(got);
    sl_vector_free(right);
    for (int k = 0; k < 2; k++) {
        sl_semiring_free(semirings[k]);
        sl_monoid_free(adds[k]);
        sl_binary_op_free(ops[k]);
    }
}

/* A bitmap of each third index, whose values are the indices. */
static sl_vector *indices(sl_context *ctx, sl_type type, uint64_t n)
{
    sl_vector *v, *third = numbers(ctx, type, n, 3), *all = numbers(ctx, type, n, 1);
    assert_ok(ctx, sl_vector_new(&v, ctx, type, n));
    assert_ok(ctx,
              sl_vector_assign(v, third, NULL, all, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    assert_ok(ctx, sl_vector_apply_index(v, NULL, NULL, sl_index_op_get(SL_INDEX_ROWINDEX, type), v,
                                         sl_scalar_int64(0), NULL));
    sl_vector_free(third);
    sl_vector_free(all);
    return v;
}

/* Products of a vector whose values are its indices, which are chosen by a monoid or added up; then of the same vector
 * with another value. The vector itself stays as it is. */
static void try_own_indices(sl_context *ctx, size_t transport)
{
    static const sl_semiring_code codes[][2] = {{SL_SEMIRING_MIN_FIRST, SL_SEMIRING_MIN_SECOND},
                                                {SL_SEMIRING_MAX_FIRST, SL_SEMIRING_MAX_SECOND},
                                                {SL_SEMIRING_PLUS_FIRST, SL_SEMIRING_PLUS_SECOND}};
    sl_context *const contexts[] = {ctx, host};
    for (unsigned kind = 0; kind < 12; kind++) {
        const bool mxv = kind % 2, written = kind / 6;
        const sl_type type = kind % 4 < 2 ? SL_INT64 : SL_INT32;
        const sl_semiring semiring = sl_semiring_get(codes[kind / 2 % 3][mxv], type);
        const sl_descriptor replace = sl_descriptor_get(SL_REPLACE | SL_COMPLEMENT);
        sl_vector *results[2], *u[2];
        for (int k = 0; k < 2; k++) {
            sl_matrix *A = graph(contexts[k], SL_BOOL, 700);
            sl_vector *mask = numbers(contexts[k], SL_INT32, 700, 2);
            u[k] = indices(contexts[k], type, 700);
            if (written)
                assert_ok(contexts[k], sl_vector_set(u[k], 6, sl_scalar_int64(1)));
            assert_ok(contexts[k], sl_vector_new(&results[k], contexts[k], type, 700));
            if (mxv)
                assert_ok(contexts[k], sl_mxv(results[k], mask, NULL, semiring, A, u[k], replace));
            else
                assert_ok(contexts[k], sl_vxm(results[k], mask, NULL, semiring, u[k], A, replace));
            sl_vector_free(mask);
            sl_matrix_free(A);
        }
        assert_same_vectors(results[0], results[1], semiring->name);
        assert_same_vectors(u[0], u[1], "indices");
        for (int k = 0; k < 2; k++) {
            sl_vector_free(results[k]);
            sl_vector_free(u[k]);
        }
    }
}

static void test_positional(void **unused)
{
    try_all(try_positional);
    try_all(try_own_indices);
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* The second level of a search, when the matrix is on the devices and there is room for messages. */
static void try_level(sl_context *ctx, size_t transport)
{
    enum { N = 3000 };
    const sl_grid *grid = sl_grid_of(ctx);
    sl_vector *level, *u = numbers(ctx, SL_INT64, N, 90), *q;
    sl_matrix *A = graph(ctx, SL_BOOL, N);
    assert_ok(ctx, sl_vector_new(&level, ctx, SL_INT64, N));
    assert_ok(ctx, sl_vector_new(&q, ctx, SL_BOOL, N));
    assert_ok(ctx, sl_vxm(q, level, NULL, SL_ANY_PAIR_BOOL, u, A,
                          sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT)));
    if (transport == 0)
        assert_exchanges_of_level(level, q, A, grid->rows, grid->cols, true);
    sl_vector_free(u);
    sl_vector_free(q);
    sl_vector_free(level);
    sl_matrix_free(A);
}

static void test_level(void **unused)
{
    try_all(try_level);
}

/* ---- sums over tiles ------------------------------------------------------------------------- */

static sl_matrix *undirected(sl_context *ctx, const sl_generator *model)
{
    sl_matrix *A;
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    assert_ok(ctx, sl_matrix_generate(&A, ctx, model, &options));
    return A;
}

/* Counts the operations of a rank that ran over tiles; data: the context of its local operations. */
static unsigned over_tiles;
static void count_tiles(void *data, const sl_operation_record *unused)
{
    const sl_context *local = data;
    over_tiles += local->library && strcmp(local->library, "tiles") == 0;
}

/* The last of three sums of each kind: by rows and by columns, and onto a vector. */
static sl_vector *sum(sl_context *ctx, const sl_generator *model, sl_type type)
{
    sl_matrix *A = undirected(ctx, model);
    const uint64_t n = sl_matrix_nrows(A);
    sl_vector *u = numbers(ctx, type, n, 1), *w = numbers(ctx, type, n, 1);
    const sl_semiring first = sl_semiring_get(SL_SEMIRING_PLUS_FIRST, type),
                      second = sl_semiring_get(SL_SEMIRING_PLUS_SECOND, type);
    for (int k = 0; k < 3; k++) {
        assert_ok(ctx, sl_vxm(w, NULL, NULL, first, u, A, NULL));
        assert_ok(ctx, sl_mxv(w, NULL, first->add->op, second, A, u, NULL));
    }
    sl_vector_free(u);
    sl_matrix_free(A);
    return w;
}

/* Sums of a full vector's values, as in PageRank, run over the tiles of each rank's block. */
static void try_tiles(sl_context *ctx, size_t transport)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 11, .seed = 3};
    const sl_type types[] = {SL_FP64, SL_FP32};
    sl_context *local = sl_grid_of(ctx)->local;
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    assert_ok(ctx, sl_context_set_observer(local, count_tiles, local));
    for (int k = 0; k < 2; k++) {
        over_tiles = 0;
        sl_vector *got = sum(ctx, &model, types[k]), *right = sum(host, &model, types[k]);
        assert_int_equal(over_tiles, 6);
        assert_same_vectors(got, right, transports[transport].name);
        sl_vector_free(got);
        sl_vector_free(right);
    }
    assert_ok(ctx, sl_context_set_observer(local, NULL, NULL));
    unsetenv("SEMLA_TRAVERSAL");
}

static void test_tiles(void **unused)
{
    try_all(try_tiles);
}

/* ---- algorithms ------------------------------------------------------------------------------- */

typedef enum { PAGERANK, COMPONENTS, SHORTEST_PATHS, SEARCH, ALGORITHMS } algorithm;
static const char *const names[] = {"pagerank", "components", "sssp", "bfs"};

static sl_vector *run_algorithm(algorithm which, const sl_matrix *A)
{
    sl_vector *result = NULL;
    sl_context *ctx = sl_matrix_context(A);
    const sl_pagerank_options few = {.max_iterations = 12, .tolerance = 1e-30};
    switch (which) {
    case PAGERANK:
        assert_ok(ctx, sl_pagerank(&result, A, &few, NULL));
        break;
    case COMPONENTS:
        assert_ok(ctx, sl_components(&result, A));
        break;
    case SHORTEST_PATHS:
        assert_ok(ctx, sl_sssp(&result, NULL, A, 1));
        break;
    default:
        assert_ok(ctx, sl_bfs(NULL, &result, A, 1, NULL));
    }
    return result;
}

/* Sums of floating-point numbers in another order: equal up to 1e-9 of the greatest rank. */
static void assert_close_vectors(const sl_vector *got, const sl_vector *right)
{
    sl_arrays mine, theirs;
    sl_context *ctx = sl_vector_context(got);
    assert_ok(ctx, sl_grid_gather_vector(&mine, got, 0));
    if (world_rank() == 0) {
        assert_ok(host, sl_vector_copy_out(&theirs, right, SL_FORMAT_LIST));
        assert_ok(host, sl_arrays_expand(host, &theirs));
        assert_int_equal(mine.nvals, theirs.nvals);
        for (uint64_t k = 0; k < mine.nvals; k++) {
            const double x = ((double *)mine.values)[k], y = ((double *)theirs.values)[k];
            if (!(x - y < 1e-9 && y - x < 1e-9))
                fail_msg("rank of %d: %.12g, not %.12g", (int)k, x, y);
        }
        sl_arrays_free(&theirs);
    }
    sl_arrays_free(&mine);
}

/* The second run of each algorithm, when the graph is on the devices. */
static void try_algorithm(sl_context *ctx, algorithm which, const sl_generator *model,
                          size_t transport)
{
    sl_matrix *A = undirected(ctx, model), *right_A = undirected(host, model);
    sl_vector_free(run_algorithm(which, A));
    watch(ctx);
    sl_vector *got = run_algorithm(which, A);
    if (!transports[transport].by_hosts)
        assert_on_devices(ctx, names[which]);
    uint64_t bytes = received(ctx, false);
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_true(bytes > 0 || world_size() == 1);
    sl_vector *right = run_algorithm(which, right_A);
    if (which == PAGERANK)
        assert_close_vectors(got, right);
    else
        assert_same_vectors(got, right, names[which]);
    sl_vector_free(got);
    sl_vector_free(right);
    sl_matrix_free(A);
    sl_matrix_free(right_A);
}

static void try_algorithms(sl_context *ctx, size_t transport)
{
    const sl_generator models[] = {{.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 2},
                                   {.model = SL_MODEL_PATH, .vertices = 120, .seed = 2}};
    for (size_t m = 0; m < 2; m++)
        for (algorithm which = 0; which < ALGORITHMS; which++) {
            sl_generator model = models[m];
            if (which == SHORTEST_PATHS)
                model.weighted = true;
            if (transport == 0 || m == 0)
                try_algorithm(ctx, which, &model, transport);
        }
}

static void test_algorithms(void **unused)
{
    try_all(try_algorithms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_semirings), cmocka_unit_test(test_positional),
        cmocka_unit_test(test_long),      cmocka_unit_test(test_level),
        cmocka_unit_test(test_hostile),   cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_algorithms)};
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    int failures = run_ranks("device_products", tests, sizeof tests / sizeof *tests);
    sl_context_free(host);
    return failures;
}
