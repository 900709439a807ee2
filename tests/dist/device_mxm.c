/* Products of matrices with blocks that travel from device to device, on every grid of the ranks and with every
 * transport that works, compared with SuiteSparse in one process. Ranks may share a device. */
#include "mxm_cases.h"
#include "support.h"

#include "dist/grid/blocks.h"

/* The transports; NCCL may be missing, and refuses ranks that share a device. */
static const struct {
    const char *name;
    bool optional;
} transports[] = {{NULL, false}, {"peers", false}, {"nccl", true}, {"hosts", false}};
enum { TRANSPORTS = sizeof transports / sizeof *transports };

static void select_transport(const char *name)
{
    if (name)
        setenv("SEMLA_DIST", name, 1);
    else
        unsetenv("SEMLA_DIST");
}

typedef struct {
    sl_context *ctx;
    sl_matrix *A, *B, *C;
} operands;

static void to_device(sl_context *ctx, sl_matrix *A)
{
    assert_ok(ctx, sl_matrix_apply(A, NULL, NULL, SL_IDENTITY_FP64, A, NULL));
}

static operands open_operands(int rows, int cols)
{
    operands o;
    assert_ok(NULL, sl_grid_context_create(&o.ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
    o.A = random_square(o.ctx, SL_FP64, 700, 9, 1);
    o.B = random_square(o.ctx, SL_FP64, 700, 7, 2);
    o.C = random_square(o.ctx, SL_FP64, 700, 2, 3);
    to_device(o.ctx, o.A);
    to_device(o.ctx, o.B);
    to_device(o.ctx, o.C);
    return o;
}

static void close_operands(operands *o)
{
    sl_matrix_free(o->A);
    sl_matrix_free(o->B);
    sl_matrix_free(o->C);
    sl_context_free(o->ctx);
}

static sl_status multiply(const operands *o, sl_semiring ring)
{
    return sl_mxm(o->C, NULL, NULL, ring, o->A, o->B, NULL);
}

/* Whether the transport works, on all ranks. A product of one rank does not use it. */
static bool works(const operands *o, size_t k)
{
    if (world_size() == 1 && transports[k].optional)
        return false;
    const sl_status status = multiply(o, SL_PLUS_TIMES_FP64);
    if (status == SL_UNSUPPORTED && transports[k].optional)
        return false;
    assert_ok(o->ctx, status);
    return true;
}

static void products_on_every_grid(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        operands o = open_operands(rows, cols);
        for (size_t k = 0; k < TRANSPORTS; k++) {
            char what[64];
            select_transport(transports[k].name);
            if (!works(&o, k))
                continue;
            snprintf(what, sizeof what, "grid %d x %d, %s", rows, cols,
                     transports[k].name ? transports[k].name : "default");
            try_products(o.ctx, (unsigned)test_number("SEMLA_TEST_TRIALS", k == 0 ? 24 : 8),
                         test_number("SEMLA_TEST_SEED", 1) + k, k == 0, transports[k].name, what);
        }
        select_transport(NULL);
        close_operands(&o);
    }
}

static uint64_t block_bytes(const sl_traffic *t)
{
    uint64_t bytes = 0;
    for (int e = 0; e < SL_ENCODING_COUNT; e++)
        bytes += t->bytes[SL_PHASE_BLOCKS][e];
    return bytes;
}

/* Blocks that are on the devices stay there; only transport `hosts` passes them through the hosts. */
static void nothing_passes_through_hosts(void **unused)
{
    static const sl_phase blocks = SL_PHASE_BLOCKS;
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        operands o = open_operands(rows, cols);
        const sl_semiring rings[] = {SL_PLUS_TIMES_FP64, SL_PLUS_PAIR_INT64, SL_MIN_SECONDI_INT64};
        for (size_t k = 0; k < TRANSPORTS; k++) {
            sl_context_counts before, after;
            select_transport(transports[k].name);
            if (!works(&o, k))
                continue;
            assert_ok(o.ctx, sl_grid_reset_traffic(o.ctx));
            sl_context_get_counts(o.ctx, &before);
            for (size_t r = 0; r < sizeof rings / sizeof *rings; r++)
                assert_ok(o.ctx, multiply(&o, rings[r]));
            sl_context_get_counts(o.ctx, &after);
            const sl_traffic *t = &sl_grid_of(o.ctx)->traffic;
            const uint64_t bytes = block_bytes(t);
            const bool hosts = transports[k].name && strcmp(transports[k].name, "hosts") == 0;
            assert_int_equal(after.bytes_copied - before.bytes_copied, 0);
            assert_int_equal(after.fallbacks - before.fallbacks, 0);
            assert_int_equal(bytes > 0, rows * cols > 1);
            assert_int_equal(t->host_bytes[blocks], hosts ? bytes : 0);
        }
        select_transport(NULL);
        close_operands(&o);
    }
}

/* What a rank receives in a product in stages, all at once, and while it multiplies. */
static void try_stages(const operands *o, const char *transport, int cols)
{
    char words[32];
    const sl_traffic *t = &sl_grid_of(o->ctx)->traffic;
    snprintf(words, sizeof words, "%s,stages", transport ? transport : "");
    select_transport(words);
    assert_ok(o->ctx, sl_grid_reset_traffic(o->ctx));
    assert_ok(o->ctx, multiply(o, SL_PLUS_TIMES_FP64));
    const uint64_t overlapped = t->overlapped_bytes[SL_PHASE_BLOCKS], in_stages = block_bytes(t);
    assert_true(cols == 1 ? overlapped == 0 : overlapped > 0 && overlapped <= in_stages);
    if (cols == world_size()) /* then a stage after the first one receives a block of B */
        assert_int_equal(overlapped, in_stages);
    select_transport(transport);
    assert_ok(o->ctx, sl_grid_reset_traffic(o->ctx));
    assert_ok(o->ctx, multiply(o, SL_PLUS_TIMES_FP64));
    assert_int_equal(t->overlapped_bytes[SL_PHASE_BLOCKS], 0);
}

/* The blocks of every stage but the first travel while the stage before is multiplied. */
static void stages_overlap(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        operands o = open_operands(rows, cols);
        for (size_t k = 0; k < TRANSPORTS; k++) {
            select_transport(transports[k].name);
            if (works(&o, k))
                try_stages(&o, transports[k].name, cols);
        }
        select_transport(NULL);
        close_operands(&o);
    }
}

/* The bytes of a block in a message: row starts and column indices of 32 bits, and values, each at a
 * multiple of 256 bytes. */
static uint64_t message_bytes(const sl_matrix *A)
{
    const sl_object *block = sl_grid_block(sl_object_of_matrix(A));
    uint64_t entries, bytes = 0;
    assert_ok(block->ctx, sl_matrix_nvals(&entries, (const sl_matrix *)block));
    const uint64_t arrays[] = {4 * (block->nrows + 1), 4 * entries, 8 * entries};
    for (int k = 0; k < 3; k++)
        bytes += (arrays[k] + 255) / 256 * 256;
    return bytes;
}

static uint64_t sum(uint64_t mine)
{
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return mine;
}

/* Gathered blocks travel once to each other rank of the line, with indices of 32 bits. */
static void indices_have_32_bits(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        operands o = open_operands(rows, cols);
        assert_ok(o.ctx, sl_grid_reset_traffic(o.ctx));
        assert_ok(o.ctx, multiply(&o, SL_PLUS_TIMES_FP64));
        const uint64_t sent =
            (uint64_t)(rows - 1) * message_bytes(o.A) + (uint64_t)(cols - 1) * message_bytes(o.B);
        assert_int_equal(sum(block_bytes(&sl_grid_of(o.ctx)->traffic)), sum(sent));
        close_operands(&o);
    }
}

/* Operands that are read transposed are redistributed between the devices. */
static void transposed_operands(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        operands o = open_operands(rows, cols);
        sl_context_counts before, after;
        assert_ok(o.ctx, sl_grid_reset_traffic(o.ctx));
        sl_context_get_counts(o.ctx, &before);
        assert_ok(o.ctx, sl_mxm(o.C, NULL, NULL, SL_PLUS_TIMES_FP64, o.A, o.B,
                                sl_descriptor_get(SL_TRANSPOSE_A | SL_TRANSPOSE_B)));
        sl_context_get_counts(o.ctx, &after);
        assert_int_equal(after.bytes_copied - before.bytes_copied, 0);
        for (int phase = 0; phase < SL_PHASE_COUNT; phase++)
            assert_int_equal(sl_grid_of(o.ctx)->traffic.host_bytes[phase], 0);
        close_operands(&o);
    }
}

/* Without devices for the exchange, the same products pass through the hosts. */
static void exchange_by_hosts(void **unused)
{
    operands o = open_operands(0, 0);
    select_transport("nodevices");
    assert_ok(o.ctx, sl_grid_reset_traffic(o.ctx));
    assert_ok(o.ctx, multiply(&o, SL_PLUS_TIMES_FP64));
    const sl_traffic *t = &sl_grid_of(o.ctx)->traffic;
    assert_int_equal(t->host_bytes[SL_PHASE_BLOCKS] > 0, world_size() > 1);
    try_products(o.ctx, 10, 5, false, "nodevices", "by hosts");
    select_transport(NULL);
    close_operands(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_on_every_grid), cmocka_unit_test(nothing_passes_through_hosts),
        cmocka_unit_test(stages_overlap),         cmocka_unit_test(indices_have_32_bits),
        cmocka_unit_test(exchange_by_hosts),      cmocka_unit_test(transposed_operands),
    };
    if (!start_with_gpu())
        return 0;
    return run_ranks("device_mxm", tests, sizeof tests / sizeof *tests);
}
