/*
 * Operations on matrices with any amount of device memory left: each succeeds, or is SL_NO_MEMORY and can be called
 * again once there is memory. Nothing leaks.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_filling.h"
#include "support.h"

enum { N = 3000, ROWS = 4, MOST = N * 12, ROOM = 64 << 20 };

static sl_context *ctx;
static sl_matrix *A, *F, *G;    /* a square matrix, two of few rows with many entries */
static sl_matrix *few, *square; /* few entries: of few rows; a square mask */

/* One of `every` entries, from number `first` on, with values 1 to 9. */
static sl_matrix *matrix_of(uint64_t rows, uint64_t every, uint64_t first, sl_type type)
{
    static uint64_t row[MOST], column[MOST];
    static int64_t value[MOST];
    uint64_t count = 0;
    sl_matrix *made, *cast;
    for (uint64_t k = first; k < rows * N; k += every, count++) {
        row[count] = k / N;
        column[count] = k % N;
        value[count] = 1 + (int64_t)(k * 7 % 9);
    }
    OK(ctx, sl_matrix_new(&made, ctx, SL_INT64, rows, N));
    OK(ctx, sl_matrix_build(made, row, column, value, count, SL_FIRST_INT64));
    OK(ctx, sl_matrix_new(&cast, ctx, type, rows, N));
    OK(ctx,
       sl_matrix_apply(cast, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, type), made, NULL));
    sl_matrix_free(made);
    return cast;
}

/* ---- operations: each replaces the contents of C ---------------------------------------------- */

static sl_descriptor replacing(unsigned flags)
{
    return sl_descriptor_get(SL_REPLACE | flags);
}

static sl_status multiply_rows(sl_matrix *C)
{
    return sl_mxm(C, NULL, NULL, SL_PLUS_TIMES_INT64, F, A, NULL);
}
static sl_status multiply_masked_rows(sl_matrix *C)
{
    return sl_mxm(C, G, NULL, SL_MIN_PLUS_INT32, F, A, replacing(SL_STRUCTURE | SL_COMPLEMENT));
}
static sl_status multiply_few(sl_matrix *C)
{
    return sl_mxm(C, NULL, NULL, SL_PLUS_TIMES_INT64, few, A, NULL);
}
static sl_status multiply_dots(sl_matrix *C)
{
    return sl_mxm(C, few, NULL, SL_PLUS_TIMES_INT64, G, A, replacing(SL_STRUCTURE));
}
static sl_status multiply_square(sl_matrix *C)
{
    return sl_mxm(C, square, NULL, SL_PLUS_TIMES_INT64, A, A, replacing(0));
}
static sl_status count_pairs(sl_matrix *C)
{
    return sl_mxm(C, square, NULL, sl_semiring_get(SL_SEMIRING_PLUS_PAIR, SL_INT64), A, A,
                  replacing(SL_STRUCTURE | SL_TRANSPOSE_B));
}
static sl_status multiply_entries(sl_matrix *C)
{
    return sl_matrix_ewise_mult(C, few, NULL, SL_PLUS_INT64, F, G, replacing(0));
}
static sl_status add_entries(sl_matrix *C)
{
    return sl_matrix_ewise_add(C, few, NULL, SL_PLUS_INT64, F, G, replacing(SL_COMPLEMENT));
}
static sl_status apply(sl_matrix *C)
{
    return sl_matrix_apply(C, few, NULL, SL_AINV_INT64, F, replacing(SL_STRUCTURE));
}
static sl_status choose(sl_matrix *C)
{
    return sl_matrix_select(C, NULL, NULL, sl_index_op_get(SL_INDEX_VALUEGT, SL_INT64), F,
                            sl_scalar_int64(3), NULL);
}
static sl_status choose_columns(sl_matrix *C)
{
    return sl_matrix_select(C, NULL, NULL, sl_index_op_get(SL_INDEX_TRIL, SL_BOOL), A,
                            sl_scalar_int64(0), NULL);
}
static sl_status extract(sl_matrix *C)
{
    static uint64_t reverse[N];
    for (uint64_t k = 0; k < N; k++)
        reverse[k] = N - 1 - k;
    return sl_matrix_extract(C, NULL, NULL, A, reverse, N, reverse, N, NULL);
}
static sl_status transpose(sl_matrix *C)
{
    return sl_transpose(C, NULL, NULL, A, NULL);
}

static const struct {
    const char *name;
    uint64_t rows;
    sl_status (*run)(sl_matrix *C);
} operations[] = {{"rows as vectors", ROWS, multiply_rows},
                  {"masked rows as vectors", ROWS, multiply_masked_rows},
                  {"product of few entries", ROWS, multiply_few},
                  {"dot products", ROWS, multiply_dots},
                  {"product of square matrices", N, multiply_square},
                  {"ewise_mult", ROWS, multiply_entries},
                  {"ewise_add", ROWS, add_entries},
                  {"apply", ROWS, apply},
                  {"select", ROWS, choose},
                  {"counts of pairs", N, count_pairs},
                  {"lower triangle", N, choose_columns},
                  {"extract", N, extract},
                  {"transpose", N, transpose}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* ---- with any amount of memory ------------------------------------------------------------------ */

static sl_csr rows_of(const sl_matrix *C)
{
    sl_csr rows;
    OK(ctx, sl_matrix_copy_csr(&rows, C));
    return rows;
}

static void check(const char *name, const sl_matrix *C, const sl_csr *expected)
{
    sl_csr got = rows_of(C);
    const uint64_t nnz = expected->start[expected->nrows];
    if (memcmp(got.start, expected->start, (got.nrows + 1) * sizeof *got.start) != 0 ||
        memcmp(got.index, expected->index, nnz * sizeof *got.index) != 0 ||
        memcmp(got.values, expected->values, nnz * sizeof(int64_t)) != 0)
        fail_msg("%s: another result", name);
    free_rows(&got);
}

/* Whether the operation succeeds with so many bytes. */
static bool succeeds(int k, uint64_t left, const sl_csr *expected)
{
    sl_matrix *C = matrix_of(operations[k].rows, 500, 3, SL_INT64);
    fill_memory(ctx, left);
    const sl_status status = operations[k].run(C);
    empty_memory(ctx);
    if (status != SL_OK && status != SL_NO_MEMORY)
        fail_msg("%s with %d bytes: %s", operations[k].name, (int)left, sl_context_message(ctx));
    if (status != SL_OK)
        OK(ctx, operations[k].run(C));
    check(operations[k].name, C, expected);
    sl_matrix_free(C);
    return status == SL_OK;
}

static uint64_t used_bytes(void)
{
    uint64_t used;
    OK(ctx, sl_cuda_wait(ctx, "test"));
    assert_int_equal(
        cudaMemPoolGetAttribute(sl_cuda_device()->pool, cudaMemPoolAttrUsedMemCurrent, &used),
        cudaSuccess);
    return used;
}

static void make_operands(void)
{
    A = matrix_of(N, 290, 1, SL_INT64);
    square = matrix_of(N, 333, 5, SL_INT64);
    F = matrix_of(ROWS, 2, 0, SL_INT64);
    G = matrix_of(ROWS, 3, 0, SL_INT64);
    few = matrix_of(ROWS, 60, 0, SL_INT64);
}

static void free_operands(void)
{
    sl_matrix *const all[] = {A, square, F, G, few};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        sl_matrix_free(all[k]);
}

/* With new operands, of which nothing is derived. `tries`: with short memory; else with all. Returns how often the
 * operation failed. */
static unsigned run(int k, bool tries)
{
    unsigned failed = 0, succeeded = 0;
    sl_matrix *C;
    make_operands();
    OK(ctx, sl_matrix_new(&C, ctx, SL_INT64, operations[k].rows, N));
    OK(ctx, operations[k].run(C));
    sl_csr expected = rows_of(C);
    sl_matrix_free(C);
    for (uint64_t left = 0; tries && succeeded < 3; left += left / 5 + 1000) {
        const bool ran = succeeds(k, left, &expected);
        failed += !ran;
        succeeded += ran;
    }
    free_rows(&expected);
    free_operands();
    return failed;
}

/* Takes the device's memory but for ROOM bytes: to take all of it each time would last minutes. */
static void *take_most(void)
{
    const cuda_device *device = sl_cuda_device();
    const uint64_t all = sl_cuda_free_bytes();
    void *most = NULL;
    if (all > ROOM)
        assert_int_equal(cudaMallocFromPoolAsync(&most, all - ROOM, device->pool, device->stream),
                         cudaSuccess);
    OK(ctx, sl_cuda_wait(ctx, "test"));
    return most;
}

static void any_amount(void **state)
{
    unsigned failed = 0;
    void *most = take_most();
    (void)state;
    for (int k = 0; k < OPERATIONS; k++) {
        run(k, false); /* the engine keeps some bytes of its first operation */
        const uint64_t used = used_bytes();
        failed += run(k, true);
        if (used_bytes() != used)
            fail_msg("%s: %d bytes are not freed", operations[k].name, (int)(used_bytes() - used));
    }
    assert_true(failed >= OPERATIONS);
    assert_int_equal(cudaFreeAsync(most, sl_cuda_device()->stream), cudaSuccess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_amount)};
    if (sl_cuda_unavailable_reason()) {
        printf("engine cuda skipped: %s\n", sl_cuda_unavailable_reason());
        return 0;
    }
    setenv("SEMLA_TRAVERSAL", "tiles", 1); /* rows are multiplied as vectors whatever their size */
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK)
        return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failures;
}
