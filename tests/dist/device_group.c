/* Searches by a device group are compared with searches by one process, with every transport that
 * is available. Ranks may share a device. */
#include "device_graphs.h"

static const search_case cases[] = {
    {.sources = 1},
    {.sources = 1, .direction = SL_PUSH},
    {.sources = 1, .direction = SL_PULL},
    {.sources = 5},
    {.sources = 1, .most = 2},
};

/* Runs all cases, the first one also over any_pair, and checks which transport was used. */
static void run_all_cases(graph_pair *g, const char *transport)
{
    sl_grid_info info;
    for (size_t k = 0; k <= sizeof cases / sizeof *cases; k++) {
        search_case q = cases[k > 0 ? k - 1 : 0];
        q.semiring = k > 0 ? SL_ANY_SECONDI_INT64 : SL_ANY_PAIR_BOOL;
        search_result got = run_search(g->ctx, g->A, &q), right = run_search(local, g->local_A, &q);
        compare_results(g, &q, &got, &right);
        free_result(&got);
        free_result(&right);
        assert_ok(g->ctx, sl_grid_describe(&info, g->ctx));
        assert_string_equal(info.transport, transport);
    }
}

/* The transports, and whether a machine may lack them. A missing one is skipped unless
 * SEMLA_TEST_TRANSPORTS names it. NCCL refuses more ranks than devices: it is then skipped always,
 * as the message says. */
static const struct {
    const char *name;
    bool optional;
} all_transports[] = {{"peers", false}, {"nccl", true}, {"hosts", false}};
enum { TRANSPORTS = sizeof all_transports / sizeof *all_transports };
static const char *transports[TRANSPORTS];
static size_t transport_count;

static void find_transport(size_t k)
{
    const sl_generator model = {.model = SL_MODEL_PATH, .vertices = 9};
    const char *name = all_transports[k].name, *required = getenv("SEMLA_TEST_TRANSPORTS");
    graph_pair g;
    rows = cols = 0;
    open_graph_pair(&g, &model, false);
    setenv("SEMLA_DIST", name, 1);
    const sl_status status = sl_matrix_optimize(g.A, SL_FOR_TRAVERSAL);
    unsetenv("SEMLA_DIST");
    const bool shared = strstr(sl_context_message(g.ctx), "two ranks share a device") != NULL;
    if (status == SL_UNSUPPORTED && all_transports[k].optional &&
        (shared || !(required && strstr(required, name)))) {
        print_message("transport %s skipped: %s\n", name, sl_context_message(g.ctx));
    } else {
        assert_ok(g.ctx, status);
        transports[transport_count++] = name;
    }
    close_graph_pair(&g);
}

static void test_transports(void **unused)
{
    for (size_t k = 0; k < TRANSPORTS; k++)
        find_transport(k);
}

static void try_models(void)
{
    const sl_generator models[] = {
        {.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 3},
        {.model = SL_MODEL_UNIFORM, .vertices = 700, .edges = 2000, .seed = 8},
        {.model = SL_MODEL_STAR, .vertices = 3000},
        {.model = SL_MODEL_PATH, .vertices = 9},
        {.model = SL_MODEL_PATH, .vertices = 1},
    };
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        graph_pair g;
        open_graph_pair(&g, &models[m], m == 1);
        for (size_t w = 0; w < transport_count; w++) {
            setenv("SEMLA_DIST", transports[w], 1);
            run_all_cases(&g, transports[w]);
        }
        setenv("SEMLA_DIST", "nodevices", 1);
        run_all_cases(&g, "processors");
        unsetenv("SEMLA_DIST");
        close_graph_pair(&g);
    }
}

static void test_models(void **unused)
{
    for (rows = cols = 0; next_grid(&rows, &cols);)
        try_models();
}

/* In the sparse graph most vertices lack edges in one direction or both. */
static void test_sources(void **unused)
{
    const sl_generator models[] = {
        {.model = SL_MODEL_UNIFORM, .vertices = 700, .edges = 500, .seed = 2},
        {.model = SL_MODEL_KRONECKER, .scale = 11, .seed = 7},
        {.model = SL_MODEL_STAR, .vertices = 24},
        {.model = SL_MODEL_PATH, .vertices = 1},
    };
    rows = cols = 0;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        graph_pair g;
        open_graph_pair(&g, &models[m], m == 0);
        for (size_t w = 0; w < transport_count; w++) {
            setenv("SEMLA_DIST", transports[w], 1);
            try_sources(&g);
        }
        unsetenv("SEMLA_DIST");
        close_graph_pair(&g);
    }
}

/* Bytes of frontiers that this rank received in a codec since the counters were last reset. */
static uint64_t received(const sl_context *ctx, const char *codec)
{
    sl_grid_traffic t;
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++)
        if (strcmp(t.phase, "expand") == 0 && strcmp(t.codec, codec) == 0)
            return t.bytes;
    return 0;
}

/* Short frontiers travel as lists, others as bitmaps, whether kernels store them or the hosts exchange them. */
static void test_messages(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 11, .seed = 4};
    static const char *const by[] = {"peers", "hosts"};
    graph_pair g;
    rows = cols = 0;
    open_graph_pair(&g, &model, false);
    for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
        setenv("SEMLA_DIST", by[k], 1);
        assert_ok(g.ctx, sl_grid_reset_traffic(g.ctx));
        run_all_cases(&g, by[k]);
        if (world_size() > 1) {
            assert_true(received(g.ctx, "list") > 0);
            assert_true(received(g.ctx, "bitmap") > 0);
        }
    }
    unsetenv("SEMLA_DIST");
    close_graph_pair(&g);
}

/* Half of the out-edges in pinned memory of the hosts, as where the devices have too little. */
static void test_pinned(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 11, .seed = 6};
    sl_placement placement;
    graph_pair g;
    rows = cols = 0;
    open_graph_pair(&g, &model, false);
    setenv("SEMLA_TRAVERSAL", "pinned", 1);
    run_all_cases(&g, "peers");
    unsetenv("SEMLA_TRAVERSAL");
    assert_ok(g.ctx, sl_matrix_placement(&placement, g.A));
    assert_true(placement.device_bytes > 0 && placement.host_bytes > 0);
    close_graph_pair(&g);
}

/* A modified matrix loses its prepared partition; a larger one gets larger blocks. */
static void try_modified(void)
{
    const sl_generator small = {.model = SL_MODEL_PATH, .vertices = 40},
                       large = {.model = SL_MODEL_KRONECKER, .scale = 12, .seed = 1};
    const search_case q = {.semiring = SL_ANY_SECONDI_INT64, .sources = 1};
    graph_pair g;
    open_graph_pair(&g, &small, false);
    for (int round = 0; round < 3; round++) {
        search_result got = run_search(g.ctx, g.A, &q), right = run_search(local, g.local_A, &q);
        compare_results(&g, &q, &got, &right);
        free_result(&got);
        free_result(&right);
        if (round == 0) {
            assert_ok(g.ctx, sl_matrix_set(g.A, 2, 30, sl_scalar_bool(true)));
            assert_ok(local, sl_matrix_set(g.local_A, 2, 30, sl_scalar_bool(true)));
        } else if (round == 1) {
            sl_matrix_free(g.A);
            sl_matrix_free(g.local_A);
            g.A = make(g.ctx, &large, false);
            g.local_A = make(local, &large, false);
            g.n = sl_matrix_nrows(g.local_A);
        }
    }
    close_graph_pair(&g);
}

static void test_modified(void **unused)
{
    for (rows = cols = 0; next_grid(&rows, &cols);)
        try_modified();
}

/* Compares all entries, gathered on rank 0. */
static void compare_entries(const graph_pair *g)
{
    sl_arrays got;
    sl_csr right;
    assert_ok(g->ctx, sl_grid_gather_matrix(&got, g->A, 0));
    assert_ok(local, sl_matrix_copy_csr(&right, g->local_A));
    for (uint64_t v = 0; world_rank() == 0 && v < g->n; v++)
        for (uint64_t e = right.start[v]; e < right.start[v + 1]; e++) {
            assert_int_equal(got.rows[e], v);
            assert_int_equal(got.cols[e], right.index[e]);
        }
    sl_arrays_free(&got);
    sl_free(right.start);
    sl_free(right.index);
    sl_free(right.values);
}

/* A graph that the devices generate equals the one made from its edges. With little memory the
 * local pieces are generated only when they are needed. */
static void try_generated(const char *memory)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = device_scale(), .seed = 5};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    const search_case q = {.semiring = SL_ANY_SECONDI_INT64, .sources = 1};
    uint64_t edges, expected;
    sl_context_counts before, after;
    graph_pair g = {.n = UINT64_C(1) << model.scale, .local_A = make(local, &model, false)};
    assert_ok(NULL, sl_grid_context_create(&g.ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
    assert_true(sl_generator_supported(g.ctx, &model));
    setenv("SEMLA_CUDA_MEMORY", memory, 1);
    assert_ok(g.ctx, sl_matrix_generate(&g.A, g.ctx, &model, &options));
    unsetenv("SEMLA_CUDA_MEMORY");
    assert_ok(g.ctx, sl_matrix_nvals(&edges, g.A));
    assert_ok(local, sl_matrix_nvals(&expected, g.local_A));
    assert_int_equal(edges, expected);
    sl_context_get_counts(g.ctx, &before);
    search_result got = run_search(g.ctx, g.A, &q), right = run_search(local, g.local_A, &q);
    sl_context_get_counts(g.ctx, &after);
    assert_int_equal(after.copies, before.copies);
    compare_results(&g, &q, &got, &right);
    free_result(&got);
    free_result(&right);
    compare_entries(&g);
    close_graph_pair(&g);
}

static void test_generated(void **unused)
{
    for (rows = cols = 0; next_grid(&rows, &cols);) {
        try_generated("100G");
        try_generated("1M");
    }
}

static void test_trees(void **unused)
{
    rows = cols = 0;
    while (next_grid(&rows, &cols))
        for (size_t w = 0; w < transport_count; w++)
            try_trees(transports[w]);
}

/* Closures that the device group does not support run on the hosts; an unknown transport is an
 * error. */
static void test_unsupported(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 7, .seed = 2};
    search_case q = {.semiring = SL_MIN_SECONDI_INT64, .sources = 1, .direction = SL_PULL};
    sl_grid_info info;
    graph_pair g;
    rows = cols = 0;
    open_graph_pair(&g, &model, false);
    search_result got = run_search(g.ctx, g.A, &q), right = run_search(local, g.local_A, &q);
    compare_results(&g, &q, &got, &right);
    free_result(&got);
    free_result(&right);
    assert_ok(g.ctx, sl_grid_describe(&info, g.ctx));
    assert_string_equal(info.transport, "processors");
    assert_true(info.rows <= info.cols); /* the default with devices */
    static const char *const unknown[] = {"pigeons", "copies", "mpi"};
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        setenv("SEMLA_DIST", unknown[k], 1);
        assert_int_equal(sl_matrix_optimize(g.A, SL_FOR_TRAVERSAL), SL_INVALID);
        assert_non_null(strstr(sl_context_message(g.ctx), unknown[k]));
    }
    unsetenv("SEMLA_DIST");
    close_graph_pair(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transports),  cmocka_unit_test(test_models),
        cmocka_unit_test(test_sources),     cmocka_unit_test(test_messages),
        cmocka_unit_test(test_pinned),      cmocka_unit_test(test_modified),
        cmocka_unit_test(test_generated),   cmocka_unit_test(test_trees),
        cmocka_unit_test(test_unsupported),
    };
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&local, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    int failures = run_ranks("device_group", tests, sizeof tests / sizeof *tests);
    sl_context_free(local);
    return failures;
}
