/*
 * Searches by the devices of all ranks against searches of one process, by every way in which
 * devices exchange data that is there. Ranks may share a device.
 */
#include "team.h"

static int64_t level_of(const answer *a, uint64_t v)
{
    sl_scalar x;
    return sl_vector_get(&x, a->level, v) == SL_OK ? x.as.int64_ : -1;
}

/* Levels are the same; parents are any that fit. */
static void compare(const pair *g, const question *q, const answer *got, const answer *right)
{
    uint64_t count = g->n, all, expected;
    uint64_t *index = malloc((g->n + 1) * sizeof *index);
    int64_t *values = malloc((g->n + 1) * sizeof *values);
    assert_ok(g->ctx, sl_vector_nvals(&all, got->level));
    assert_ok(one, sl_vector_nvals(&expected, right->level));
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
        const uint64_t parent = (uint64_t)values[k];
        const int64_t level = level_of(right, index[k]);
        sl_scalar edge;
        assert_int_equal(level_of(right, parent), level > 0 ? level - 1 : 0);
        if (level > 0)
            assert_int_equal(sl_matrix_get(&edge, g->whole, parent, index[k]), SL_OK);
    }
    assert_int_equal(got->log.count, right->log.count);
    for (size_t k = 0; k < got->log.count; k++) {
        assert_int_equal(got->log.steps[k].frontier, right->log.steps[k].frontier);
        if (q->direction == SL_PUSH)
            assert_int_equal(got->log.steps[k].edges, right->log.steps[k].edges);
    }
    free(index);
    free(values);
}

static const question questions[] = {
    {.sources = 1},
    {.sources = 1, .direction = SL_PUSH},
    {.sources = 1, .direction = SL_PULL},
    {.sources = 5},
    {.sources = 1, .most = 2},
};

/* All questions, the first of them also over any_pair; the searches went this way. */
static void ask_all(pair *g, const char *way)
{
    sl_grid_info info;
    for (size_t k = 0; k <= sizeof questions / sizeof *questions; k++) {
        question q = questions[k > 0 ? k - 1 : 0];
        q.semiring = k > 0 ? SL_ANY_SECONDI_INT64 : SL_ANY_PAIR_BOOL;
        answer got = ask(g->ctx, g->A, &q), right = ask(one, g->whole, &q);
        compare(g, &q, &got, &right);
        drop(&got);
        drop(&right);
        assert_ok(g->ctx, sl_grid_describe(&info, g->ctx));
        assert_string_equal(info.transport, way);
    }
}

/* Ways in which devices exchange data: those that every machine has, and those of which these tests
 * skip what is not there, unless SEMLA_TEST_WAYS names it. */
static const struct {
    const char *name;
    bool may_lack;
} all_ways[] = {
    {"peers", false}, {"copies", false}, {"nccl", true}, {"mpi", true}, {"hosts", false}};
enum { WAYS = sizeof all_ways / sizeof *all_ways };
static const char *ways[WAYS];
static size_t way_count;

static void find_way(size_t k)
{
    const sl_generator model = {.model = SL_MODEL_PATH, .vertices = 9};
    const char *name = all_ways[k].name, *required = getenv("SEMLA_TEST_WAYS");
    pair g;
    rows = cols = 0;
    open_pair(&g, &model, false);
    setenv("SEMLA_DIST", name, 1);
    const sl_status status = sl_matrix_optimize(g.A, SL_FOR_TRAVERSAL);
    unsetenv("SEMLA_DIST");
    if (status == SL_UNSUPPORTED && all_ways[k].may_lack && !(required && strstr(required, name))) {
        print_message("way %s skipped: %s\n", name, sl_context_message(g.ctx));
    } else {
        assert_ok(g.ctx, status);
        ways[way_count++] = name;
    }
    close_pair(&g);
}

static void test_ways(void **unused)
{
    for (size_t k = 0; k < WAYS; k++)
        find_way(k);
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
        pair g;
        open_pair(&g, &models[m], m == 1);
        for (size_t w = 0; w < way_count; w++) {
            setenv("SEMLA_DIST", ways[w], 1);
            ask_all(&g, ways[w]);
        }
        setenv("SEMLA_DIST", "nodevices", 1);
        ask_all(&g, "none");
        unsetenv("SEMLA_DIST");
        close_pair(&g);
    }
}

static void test_models(void **unused)
{
    for (rows = cols = 0; next_grid(&rows, &cols);)
        try_models();
}

/* What this rank received of frontiers by a codec since the sums were last set to 0. */
static uint64_t received(const sl_context *ctx, const char *codec)
{
    sl_grid_traffic t;
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++)
        if (strcmp(t.phase, "expand") == 0 && strcmp(t.codec, codec) == 0)
            return t.bytes;
    return 0;
}

/* What leaves the reach of the devices travels as the shortest of messages where that is asked for,
 * as ranks on one host do not do so by themselves; what kernels write to each other does not. */
static void test_messages(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 11, .seed = 4};
    static const struct {
        const char *switches, *way;
        bool vlq, bitmap;
    } cases[] = {{"peers", "peers", false, true},
                 {"hosts", "hosts", false, true},
                 {"hosts,codecs", "hosts", true, true},
                 {"hosts,codecs,nocodecs", "hosts", false, true}};
    pair g;
    rows = cols = 0;
    open_pair(&g, &model, false);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setenv("SEMLA_DIST", cases[k].switches, 1);
        assert_ok(g.ctx, sl_grid_reset_traffic(g.ctx));
        ask_all(&g, cases[k].way);
        if (world_size() > 1) {
            assert_int_equal(received(g.ctx, "vlq") > 0, cases[k].vlq);
            assert_int_equal(received(g.ctx, "bitmap") > 0, cases[k].bitmap);
        }
    }
    unsetenv("SEMLA_DIST");
    close_pair(&g);
}

/* A matrix that is written loses what was prepared of it; one that is larger gets more room. */
static void try_written(void)
{
    const sl_generator small = {.model = SL_MODEL_PATH, .vertices = 40},
                       large = {.model = SL_MODEL_KRONECKER, .scale = 12, .seed = 1};
    const question q = {.semiring = SL_ANY_SECONDI_INT64, .sources = 1};
    pair g;
    open_pair(&g, &small, false);
    for (int round = 0; round < 3; round++) {
        answer got = ask(g.ctx, g.A, &q), right = ask(one, g.whole, &q);
        compare(&g, &q, &got, &right);
        drop(&got);
        drop(&right);
        if (round == 0) {
            assert_ok(g.ctx, sl_matrix_set(g.A, 2, 30, sl_scalar_bool(true)));
            assert_ok(one, sl_matrix_set(g.whole, 2, 30, sl_scalar_bool(true)));
        } else if (round == 1) {
            sl_matrix_free(g.A);
            sl_matrix_free(g.whole);
            g.A = make(g.ctx, &large, false);
            g.whole = make(one, &large, false);
            g.n = sl_matrix_nrows(g.whole);
        }
    }
    close_pair(&g);
}

static void test_written(void **unused)
{
    for (rows = cols = 0; next_grid(&rows, &cols);)
        try_written();
}

/* All entries, gathered on rank 0. */
static void compare_entries(const pair *g)
{
    sl_arrays got;
    sl_csr right;
    assert_ok(g->ctx, sl_grid_gather_matrix(&got, g->A, 0));
    assert_ok(one, sl_matrix_copy_csr(&right, g->whole));
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

/* The graph that the devices make by themselves is the one that is made of tuples; with little
 * memory the pieces are not there before they are asked for. */
static void try_generated(const char *memory)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = device_scale(), .seed = 5};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    const question q = {.semiring = SL_ANY_SECONDI_INT64, .sources = 1};
    uint64_t edges, expected;
    sl_context_counts before, after;
    pair g = {.n = UINT64_C(1) << model.scale, .whole = make(one, &model, false)};
    assert_ok(NULL, sl_grid_context_create(&g.ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
    assert_true(sl_generator_supported(g.ctx, &model));
    setenv("SEMLA_CUDA_MEMORY", memory, 1);
    assert_ok(g.ctx, sl_matrix_generate(&g.A, g.ctx, &model, &options));
    unsetenv("SEMLA_CUDA_MEMORY");
    assert_ok(g.ctx, sl_matrix_nvals(&edges, g.A));
    assert_ok(one, sl_matrix_nvals(&expected, g.whole));
    assert_int_equal(edges, expected);
    sl_context_get_counts(g.ctx, &before);
    answer got = ask(g.ctx, g.A, &q), right = ask(one, g.whole, &q);
    sl_context_get_counts(g.ctx, &after);
    assert_int_equal(after.copies, before.copies);
    compare(&g, &q, &got, &right);
    drop(&got);
    drop(&right);
    compare_entries(&g);
    close_pair(&g);
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
        for (size_t w = 0; w < way_count; w++)
            try_trees(ways[w]);
}

/* What the devices do not take goes to the hosts, and a way that is none is an error. */
static void test_others(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 7, .seed = 2};
    question q = {.semiring = SL_MIN_SECONDI_INT64, .sources = 1};
    sl_grid_info info;
    pair g;
    rows = cols = 0;
    open_pair(&g, &model, false);
    answer got = ask(g.ctx, g.A, &q), right = ask(one, g.whole, &q);
    compare(&g, &q, &got, &right);
    drop(&got);
    drop(&right);
    assert_ok(g.ctx, sl_grid_describe(&info, g.ctx));
    assert_string_equal(info.transport, "none");
    assert_int_equal(info.cols, 1); /* the default where there are devices */
    setenv("SEMLA_DIST", "pigeons", 1);
    assert_int_equal(sl_matrix_optimize(g.A, SL_FOR_TRAVERSAL), SL_INVALID);
    assert_non_null(strstr(sl_context_message(g.ctx), "'pigeons'"));
    unsetenv("SEMLA_DIST");
    close_pair(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),      cmocka_unit_test(test_models),
        cmocka_unit_test(test_messages),  cmocka_unit_test(test_written),
        cmocka_unit_test(test_generated), cmocka_unit_test(test_trees),
        cmocka_unit_test(test_others),
    };
    MPI_Init(NULL, NULL);
    if (!has_gpu()) {
        if (world_rank() == 0)
            printf("engine cuda skipped: there is no device\n");
        MPI_Finalize();
        return 0;
    }
    if (sl_context_create(&one, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    int failures = run_ranks("team", tests, sizeof tests / sizeof *tests);
    sl_context_free(one);
    return failures;
}
