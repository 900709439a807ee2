/* Searches by devices in two dimensions are compared with searches by one process, on every grid of
 * the ranks and with every transport that is available. Ranks may share a device. */
#include "dist/grid/blocks.h"

#include "device_graphs.h" /* after the headers of semla: it declares `rows` and `cols` */

static const search_case cases[] = {
    {.sources = 1}, {.sources = 1, .direction = SL_PUSH}, {.sources = 1, .direction = SL_PULL},
    {.sources = 5}, {.sources = 3, .direction = SL_PULL}, {.sources = 1, .most = 2},
};

/* The transports; NCCL may be missing, and refuses ranks that share a device. */
static const struct {
    const char *words, *name;
    bool optional;
} transports[] = {{"2d", NULL, false},
                  {"2d,peers", "peers", false},
                  {"2d,nccl", "nccl", true},
                  {"2d,hosts", "hosts", false},
                  {"2d,hosts,codecs", "hosts", false},
                  {"2d,peers,codecs", "peers", false},
                  {"2d,hosts,nocodecs", "hosts", false}};
enum { TRANSPORTS = sizeof transports / sizeof *transports };

/* Selects a transport, and searches once to see whether it is available. */
static bool is_available(const graph_pair *g, size_t k)
{
    sl_vector *parent = NULL;
    setenv("SEMLA_DIST", transports[k].words, 1);
    const sl_status status = sl_bfs(&parent, NULL, g->A, 0, NULL);
    sl_vector_free(parent);
    if (status == SL_UNSUPPORTED && transports[k].optional)
        return false;
    assert_ok(g->ctx, status);
    return true;
}

static void try_case(const graph_pair *g, const search_case *q, const char *transport)
{
    sl_grid_info info;
    search_result got = run_search(g->ctx, g->A, q), right = run_search(local, g->local_A, q);
    compare_results(g, q, &got, &right);
    free_result(&got);
    free_result(&right);
    assert_ok(g->ctx, sl_grid_describe(&info, g->ctx));
    if (transport)
        assert_string_equal(info.transport, transport);
}

/* All cases by all transports, the first case also over any_pair, with and without first neighbours; then searches from
 * many sources. */
static void try_graph(const graph_pair *g)
{
    for (size_t t = 0; t < TRANSPORTS; t++) {
        if (!is_available(g, t))
            continue;
        for (size_t k = 0; k <= sizeof cases / sizeof *cases; k++) {
            search_case q = cases[k > 0 ? k - 1 : 0];
            q.semiring = k > 0 ? SL_ANY_SECONDI_INT64 : SL_ANY_PAIR_BOOL;
            setenv("SEMLA_TRAVERSAL", (t + k) % 3 ? "" : "noell", 1);
            try_case(g, &q, transports[t].name);
        }
    }
    unsetenv("SEMLA_TRAVERSAL");
    setenv("SEMLA_DIST", "2d", 1);
    try_sources(g);
    unsetenv("SEMLA_DIST");
}

/* ---- graphs -------------------------------------------------------------------------------- */

static void test_models(void **unused)
{
    static const struct {
        sl_generator model;
        bool directed;
    } graphs[] = {
        {{.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 3}, false},
        {{.model = SL_MODEL_KRONECKER, .scale = 12, .seed = 7}, false},
        {{.model = SL_MODEL_KRONECKER, .scale = 10, .seed = 5}, true},
        {{.model = SL_MODEL_UNIFORM, .vertices = 700, .edges = 2000, .seed = 8}, true},
        {{.model = SL_MODEL_STAR, .vertices = 3000}, false},
        {{.model = SL_MODEL_STAR, .vertices = 3000}, true},
        {{.model = SL_MODEL_PATH, .vertices = 9}, false},
        {{.model = SL_MODEL_PATH, .vertices = 34}, true},
        {{.model = SL_MODEL_PATH, .vertices = 1}, false},
    };
    for (rows = cols = 0; next_grid(&rows, &cols);)
        for (size_t m = 0; m < sizeof graphs / sizeof *graphs; m++) {
            graph_pair g;
            open_graph_pair(&g, &graphs[m].model, graphs[m].directed);
            try_graph(&g);
            close_graph_pair(&g);
        }
}

/* Graphs of single edges: without any, with self-loops alone, with isolated vertices. */
static void test_edges(void **unused)
{
    static const struct {
        uint64_t n, count, edges[6][2];
    } graphs[] = {{1, 0, {{0, 0}}},
                  {1, 1, {{0, 0}}},
                  {50, 0, {{0, 0}}},
                  {200, 2, {{0, 0}, {160, 160}}},
                  {200, 5, {{0, 199}, {199, 3}, {3, 3}, {40, 80}, {120, 0}}}};
    for (rows = cols = 0; next_grid(&rows, &cols);)
        for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
            graph_pair g = {.n = graphs[k].n};
            assert_ok(NULL,
                      sl_grid_context_create(&g.ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
            assert_ok(g.ctx, sl_matrix_new(&g.A, g.ctx, SL_BOOL, g.n, g.n));
            assert_ok(local, sl_matrix_new(&g.local_A, local, SL_BOOL, g.n, g.n));
            for (uint64_t e = 0; e < graphs[k].count; e++) {
                const uint64_t *edge = graphs[k].edges[e];
                assert_ok(g.ctx, sl_matrix_set(g.A, edge[0], edge[1], sl_scalar_bool(true)));
                assert_ok(local, sl_matrix_set(g.local_A, edge[0], edge[1], sl_scalar_bool(true)));
            }
            try_graph(&g);
            close_graph_pair(&g);
        }
}

/* A graph that the devices generate; with little memory it is generated again when it is needed. */
static void try_generated(const char *memory)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = device_scale(), .seed = 5};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    graph_pair g = {.n = UINT64_C(1) << model.scale, .local_A = make(local, &model, false)};
    assert_ok(NULL, sl_grid_context_create(&g.ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
    setenv("SEMLA_CUDA_MEMORY", memory, 1);
    assert_ok(g.ctx, sl_matrix_generate(&g.A, g.ctx, &model, &options));
    unsetenv("SEMLA_CUDA_MEMORY");
    setenv("SEMLA_DIST", "2d", 1);
    try_case(&g, &(search_case){.semiring = SL_ANY_SECONDI_INT64, .sources = 1}, NULL);
    unsetenv("SEMLA_DIST");
    close_graph_pair(&g);
}

static void test_generated(void **unused)
{
    for (rows = cols = 0; next_grid(&rows, &cols);) {
        try_generated("100G");
        try_generated("1M");
    }
}

/* ---- traffic and choice ---------------------------------------------------------------------- */

static uint64_t received(const sl_context *ctx, const char *phase, const char *codec)
{
    sl_grid_traffic t;
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++)
        if (strcmp(t.phase, phase) == 0 && strcmp(t.codec, codec) == 0)
            return t.bytes;
    return 0;
}

/* Between hosts sets are expanded along columns, folded and shared along rows, as lists and as bitmaps. */
static void test_traffic(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 13, .seed = 4};
    for (rows = cols = 0; next_grid(&rows, &cols);) {
        graph_pair g;
        open_graph_pair(&g, &model, false);
        setenv("SEMLA_DIST", "2d,hosts", 1);
        assert_ok(g.ctx, sl_grid_reset_traffic(g.ctx));
        try_case(&g, &(search_case){.semiring = SL_ANY_SECONDI_INT64, .sources = 5}, NULL);
        const uint64_t expanded = received(g.ctx, "expand", "bitmap"),
                       shared = received(g.ctx, "share", "bitmap"),
                       folded = received(g.ctx, "fold", "bitmap"),
                       parents = received(g.ctx, "parents", "values"),
                       lists = received(g.ctx, "expand", "list") + received(g.ctx, "share", "list");
        assert_int_equal(expanded > 0, rows > 1);
        assert_int_equal(shared > 0, cols > 1);
        assert_int_equal(folded > 0, cols > 1);
        assert_int_equal(parents > 0, cols > 1);
        assert_int_equal(lists > 0, rows * cols > 1);
        unsetenv("SEMLA_DIST");
        close_graph_pair(&g);
    }
}

/* Within a host sets travel as bitmaps at known places. In each level every other process of the
 * column or of the row sends one set to expand, share and fold; the only other messages are those
 * by which a row meets in a fold, and at the end those that announce requests for parents and their
 * answers. */
static void try_bitmaps(const graph_pair *g, sl_direction direction)
{
    const search_case q = {.semiring = SL_ANY_SECONDI_INT64, .sources = 1, .direction = direction};
    const sl_traffic *t = &sl_grid_of(g->ctx)->traffic;
    assert_ok(g->ctx, sl_grid_reset_traffic(g->ctx));
    search_result got = run_search(g->ctx, g->A, &q);
    const uint64_t levels = got.log.count, row = (uint64_t)cols - 1, column = (uint64_t)rows - 1;
    assert_true(levels > 2);
    assert_int_equal(t->messages[SL_PHASE_EXPAND], levels * column);
    assert_int_equal(t->messages[SL_PHASE_SHARE], levels * row);
    assert_int_equal(t->messages[SL_PHASE_FOLD], levels * row);
    assert_int_equal(t->messages[SL_PHASE_PARENTS], 2 * row);
    assert_int_equal(t->messages[SL_PHASE_COUNTS], (levels + 2) * row);
    assert_int_equal(received(g->ctx, "fold", "bitmap"),
                     levels * received(g->ctx, "parents", "bitmap"));
    assert_int_equal(received(g->ctx, "expand", "list") + received(g->ctx, "share", "list") +
                         received(g->ctx, "fold", "list") + received(g->ctx, "parents", "list"),
                     0);
    free_result(&got);
}

static void test_bitmaps(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 13, .seed = 4};
    for (rows = cols = 0; next_grid(&rows, &cols);) {
        graph_pair g;
        open_graph_pair(&g, &model, false);
        setenv("SEMLA_DIST", "2d,peers", 1);
        try_bitmaps(&g, SL_PUSH);
        try_bitmaps(&g, SL_PULL);
        unsetenv("SEMLA_DIST");
        close_graph_pair(&g);
    }
}

/* Bytes of the answers to requests for parents, in a search with the words of SEMLA_TRAVERSAL. */
static uint64_t parent_bytes(const graph_pair *g, const char *words)
{
    setenv("SEMLA_TRAVERSAL", words, 1);
    assert_ok(g->ctx, sl_grid_reset_traffic(g->ctx));
    try_case(g, &(search_case){.semiring = SL_ANY_SECONDI_INT64, .sources = 1}, NULL);
    unsetenv("SEMLA_TRAVERSAL");
    return received(g->ctx, "parents", "values");
}

/* A parent that is the first source of a column travels as one bit. Without arrays of first neighbours none is known to
 * be. */
static void test_first_parents(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 12, .seed = 4};
    for (rows = cols = 0; next_grid(&rows, &cols);) {
        graph_pair g;
        open_graph_pair(&g, &model, false);
        setenv("SEMLA_DIST", "2d", 1);
        const uint64_t values = parent_bytes(&g, "noell"), bits = parent_bytes(&g, "");
        assert_int_equal(values > 0, cols > 1);
        assert_true(cols > 1 ? bits < values : bits == 0);
        unsetenv("SEMLA_DIST");
        close_graph_pair(&g);
    }
}

/* ---- cancellation ------------------------------------------------------------------------------ */

/* The progress function: cancels at question number *left. */
static int ask(void *left, const sl_progress *progress)
{
    return (*(uint64_t *)left)-- == 0;
}

/* The status of a search that the last rank cancels at question number `at`: the same on all ranks. */
static sl_status search_until(const graph_pair *g, uint64_t at)
{
    sl_vector *parent = NULL;
    uint64_t left = world_rank() + 1 == world_size() ? at : UINT64_MAX;
    assert_ok(g->ctx, sl_context_set_progress(g->ctx, ask, &left, 0));
    const sl_status status = sl_bfs(&parent, NULL, g->A, 0, NULL);
    assert_ok(g->ctx, sl_context_set_progress(g->ctx, NULL, NULL, 0));
    sl_vector_free(parent);
    int codes[] = {status, -status};
    MPI_Allreduce(MPI_IN_PLACE, codes, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    assert_int_equal(codes[0], -codes[1]);
    return status;
}

/* One rank cancels a search at its first, second, ... question: all ranks stop, and the next search is right. */
static void test_cancelled(void **unused)
{
    static const char *const words[] = {"2d,peers", "2d,hosts"};
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 3};
    for (rows = cols = 0; next_grid(&rows, &cols);) {
        graph_pair g;
        open_graph_pair(&g, &model, false);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            uint64_t at = 0;
            setenv("SEMLA_DIST", words[k], 1);
            sl_status status;
            while ((status = search_until(&g, at)) == SL_CANCELLED) {
                if (at++ % 4 == 0)
                    try_case(&g, &(search_case){.semiring = SL_ANY_SECONDI_INT64, .sources = 1},
                             NULL);
            }
            assert_ok(g.ctx, status);
            assert_true(at > 2);
            unsetenv("SEMLA_DIST");
        }
        close_graph_pair(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),     cmocka_unit_test(test_models),
        cmocka_unit_test(test_traffic),   cmocka_unit_test(test_bitmaps),
        cmocka_unit_test(test_generated), cmocka_unit_test(test_first_parents),
        cmocka_unit_test(test_cancelled),
    };
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&local, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    int failures = run_ranks("device_grid", tests, sizeof tests / sizeof *tests);
    sl_context_free(local);
    return failures;
}
