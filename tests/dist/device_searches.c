/*
 * Searches on grids whose ranks have devices, compared with those by SuiteSparse in one process. Searches for the least
 * parent and to targets run on the devices without a fallback, though the operands are on the
 * hosts, unless they have to pull. For searches in one dimension the devices exchange the edges,
 * not the hosts. Ranks may share a device.
 */
#include <inttypes.h>

#include "device_places.h"
#include "support.h"

static sl_context *local; /* of this process alone, on the host */

/* ---- searches ----------------------------------------------------------------------------------- */

typedef struct {
    sl_semiring_code code;
    sl_type type;
    bool targets;
    sl_until until;
    sl_direction direction;
} search_case;

static const search_case cases[] = {
    {.code = SL_SEMIRING_MIN_SECONDI, .type = SL_INT64},
    {.code = SL_SEMIRING_MIN_SECONDI, .type = SL_INT32},
    {.code = SL_SEMIRING_MIN_SECONDI, .type = SL_INT64, .targets = true, .until = SL_UNTIL_ALL},
    {.code = SL_SEMIRING_ANY_SECONDI, .type = SL_INT64, .targets = true, .until = SL_UNTIL_ANY},
    {.code = SL_SEMIRING_ANY_PAIR, .type = SL_BOOL, .targets = true, .until = SL_UNTIL_ALL},
};

static const search_case pulled = {
    .code = SL_SEMIRING_MIN_SECONDI, .type = SL_INT64, .direction = SL_PULL};

typedef struct {
    sl_vector *pi, *level;
    unsigned fallbacks;
} search_result;

static void free_result(search_result *r)
{
    sl_vector_free(r->pi);
    sl_vector_free(r->level);
}

/* Moves this rank's block from its device to its host. */
static void leave_on_host(const sl_object *object)
{
    sl_object *block = sl_grid_block(object);
    if (!block || !sl_object_has_contents(block))
        return;
    assert_ok(block->ctx, sl_object_migrate(block, &sl_store_host));
    sl_object_drop(block, sl_grid_of(object->ctx)->device_engine->store);
}

static sl_vector *mark(sl_context *ctx, sl_type type, uint64_t n, uint64_t v)
{
    sl_vector *made;
    assert_ok(ctx, sl_vector_new(&made, ctx, type, n));
    assert_ok(ctx, sl_vector_set(made, v, sl_scalar_cast(sl_scalar_uint64(v), type)));
    return made;
}

/* Counts operations that fell back. */
static void observe(void *fallbacks, const sl_operation_record *record)
{
    *(unsigned *)fallbacks += record->fell_back;
}

/* A search from vertex 1; the middle vertex of the graph and the last one are targets. */
static search_result run(sl_context *ctx, sl_matrix *A, const search_case *c)
{
    const uint64_t n = sl_matrix_nrows(A);
    sl_vector *q = mark(ctx, c->type, n, 1), *targets = mark(ctx, SL_BOOL, n, n / 2);
    search_result r = {.pi = mark(ctx, c->type, n, 1)};
    assert_ok(ctx, sl_vector_new(&r.level, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_set(targets, n - 1, sl_scalar_bool(true)));
    const sl_closure_options options = {.direction = c->direction,
                                        .targets = c->targets ? targets : NULL,
                                        .until = c->until,
                                        .level = r.level};
    if (ctx != local) {
        leave_on_host(sl_object_of_vector(r.pi));
        leave_on_host(sl_object_of_vector(r.level));
        leave_on_host(sl_object_of_vector(q));
        leave_on_host(sl_object_of_vector(targets));
    }
    sl_context_set_observer(ctx, observe, &r.fallbacks);
    assert_ok(ctx, sl_closure(r.pi, q, A, sl_semiring_get(c->code, c->type), &options));
    sl_context_set_observer(ctx, NULL, NULL);
    sl_vector_free(q);
    sl_vector_free(targets);
    return r;
}

/* This rank's entries are those of the other vector; the ranks have as many together. */
static void compare(const sl_vector *got, const sl_vector *right, bool values)
{
    sl_context *ctx = sl_vector_context(got);
    const sl_type type = sl_vector_type(got);
    uint64_t all, expected;
    assert_ok(ctx, sl_vector_nvals(&all, got));
    assert_ok(local, sl_vector_nvals(&expected, right));
    assert_int_equal(all, expected);
    uint64_t *index = malloc((all + 1) * sizeof *index), count = all;
    char *value = malloc((all + 1) * sl_type_size(type));
    assert_ok(ctx, sl_vector_extract_tuples(index, value, &count, got));
    for (uint64_t k = 0; k < count; k++) {
        sl_scalar x;
        assert_int_equal(sl_vector_get(&x, right, index[k]), SL_OK);
        if (values)
            assert_int_equal(
                sl_scalar_cast(sl_scalar_load(type, value + k * sl_type_size(type)), SL_INT64)
                    .as.int64_,
                sl_scalar_cast(x, SL_INT64).as.int64_);
    }
    free(index);
    free(value);
}

/* ---- graphs ---------------------------------------------------------------------------------------- */

static sl_matrix *make(sl_context *ctx, unsigned scale)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = scale, .seed = 3};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    sl_edges edges;
    sl_matrix *A;
    assert_ok(ctx, sl_generate(&edges, ctx, &model));
    assert_ok(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
    if (ctx != local)
        leave_on_host(sl_object_of_matrix(A));
    return A;
}

static bool is_on_device(const sl_matrix *A)
{
    const sl_object *object = sl_object_of_matrix((sl_matrix *)A);
    return sl_handle(sl_grid_block(object), sl_grid_of(object->ctx)->device_engine->store);
}

static const char *transport_of(const sl_context *ctx)
{
    sl_grid_info info;
    assert_ok(NULL, sl_grid_describe(&info, ctx));
    return info.transport;
}

static void try_case(sl_context *ctx, const search_case *c, bool by_devices, unsigned fell_back)
{
    enum { SCALE = 8 };
    sl_matrix *A = make(ctx, SCALE), *right = make(local, SCALE);
    assert_false(is_on_device(A));
    search_result got = run(ctx, A, c), expected = run(local, right, c);
    assert_int_equal(got.fallbacks, fell_back);
    assert_int_equal(is_on_device(A), by_devices);
    if (!by_devices || world_size() > 1) /* a single rank exchanges nothing */
        assert_int_equal(strcmp(transport_of(ctx), "processors") != 0, by_devices);
    compare(got.level, expected.level, true);
    compare(got.pi, expected.pi, c->code == SL_SEMIRING_MIN_SECONDI);
    free_result(&got);
    free_result(&expected);
    sl_matrix_free(A);
    sl_matrix_free(right);
}

/* Grids choose no engine by the size of a graph. */
static void test_searches(void **unused)
{
    static const sl_engine_choice engines[] = {SL_ENGINE_CUDA, SL_ENGINE_AUTO};
    for (int rows = 0, cols = 0; next_grid(&rows, &cols);)
        for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
            sl_context *ctx;
            assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, engines[e]));
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
                try_case(ctx, &cases[k], true, 0);
            try_case(ctx, &pulled, false, 1);
            setenv("SEMLA_DIST", "nodevices", 1);
            try_case(ctx, &cases[0], false, 0);
            unsetenv("SEMLA_DIST");
            sl_context_free(ctx);
        }
}

/* ---- edges of searches in one dimension --------------------------------------------------------------- */

static uint64_t sum(uint64_t mine)
{
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return mine;
}

/* The edges of this rank that other ranks of its grid row search: those into vertices that they own. */
static uint64_t count_moving(const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_vector *v;
    uint64_t count, first, last, moving = 0;
    assert_ok(ctx, sl_vector_new(&v, ctx, SL_BOOL, sl_matrix_ncols(A)));
    assert_ok(ctx, sl_grid_vector_range(&first, &last, v, world_rank()));
    assert_ok(ctx, sl_matrix_nvals(&count, A));
    uint64_t *row = malloc((count + 1) * sizeof *row), *col = malloc((count + 1) * sizeof *col);
    assert_ok(ctx, sl_matrix_extract_tuples(row, col, NULL, &count, A));
    for (uint64_t k = 0; k < count; k++)
        moving += col[k] < first || col[k] >= last;
    sl_vector_free(v);
    free(row);
    free(col);
    return sum(moving);
}

/* The graph is prepared without a copy of a block and with no byte through the hosts. An edge takes
 * 4 bytes, and so does each row of a block for each receiver; a piece of a message has at most 512
 * bytes beside them. */
static void try_exchange(sl_context *ctx, const char *where, bool hosts, int cols)
{
    enum { MOST_PIECES = 33 };
    const unsigned scale = world_size() > 2 ? 14 : 13; /* several pieces */
    sl_matrix *A = make(ctx, scale), *right = make(local, scale);
    const uint64_t edges = count_moving(A), ranks = (uint64_t)world_size(),
                   others = (uint64_t)cols - 1,
                   rows = sl_matrix_nrows(A) * (ranks / (uint64_t)cols) * others;
    place(sl_object_of_matrix(A));
    sl_context_counts before, after;
    sl_context_get_counts(ctx, &before);
    assert_ok(ctx, sl_grid_reset_traffic(ctx));
    assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    sl_context_get_counts(ctx, &after);
    const sl_traffic *t = &sl_grid_of(ctx)->traffic;
    uint64_t by_hosts = 0;
    for (int k = 0; k < SL_PHASE_COUNT; k++)
        by_hosts += t->host_bytes[k];
    by_hosts = sum(by_hosts);
    const uint64_t bytes = sum(t->bytes[SL_PHASE_TUPLES][SL_ENCODING_VALUES]),
                   least = 4 * (edges + rows), messages = sum(t->messages[SL_PHASE_TUPLES]);
    if (bytes < least || bytes > least + 512 * messages ||
        messages > MOST_PIECES * ranks * others || (cols > 1 && messages < 2 * ranks * others) ||
        by_hosts != (hosts ? bytes : 0) || after.bytes_copied > before.bytes_copied)
        fail_msg("%s: %" PRIu64 " bytes in %" PRIu64 " messages, not %" PRIu64 "; %" PRIu64
                 " through hosts, %" PRIu64 " copied",
                 where, bytes, messages, least, by_hosts, after.bytes_copied - before.bytes_copied);
    const search_case any = {.code = SL_SEMIRING_ANY_SECONDI, .type = SL_INT64};
    search_result got = run(ctx, A, &any), expected = run(local, right, &any);
    compare(got.level, expected.level, true);
    compare(got.pi, expected.pi, false);
    free_result(&got);
    free_result(&expected);
    sl_matrix_free(A);
    sl_matrix_free(right);
}

static void test_exchange(void **unused)
{
    for (int rows = 0, cols = 0; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (size_t k = 0; k < TRANSPORTS; k++) {
            char words[64];
            if (strcmp(transports[k].words, "nodevices") == 0 || !is_available(ctx, k))
                continue;
            snprintf(words, sizeof words, "1d,%s", transports[k].words);
            setenv("SEMLA_DIST", words, 1);
            try_exchange(ctx, words, transports[k].hosts, cols);
        }
        unsetenv("SEMLA_DIST");
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_searches),
                                       cmocka_unit_test(test_exchange)};
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&local, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    const int failures = run_ranks("device_searches", tests, sizeof tests / sizeof *tests);
    sl_context_free(local);
    return failures;
}
