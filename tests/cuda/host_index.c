/*
 * Select on a matrix of the GPU by index operators that only the host can call: results equal SuiteSparse's, the matrix
 * stays on the device, and the call counts as a fallback.
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"

typedef struct {
    const uint64_t *label;
} labels; /* points to the program's memory, as LAGraph's components do */

static void differ(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    const uint64_t *label = ((const labels *)thunk)->label;
    (void)x;
    *(bool *)z = label[i] != label[j];
}

/* Truth values other than 1. */
static void remainder_of(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int32_t *)z = (int32_t)((*(const int32_t *)x + 3 * i + j) % *(const int64_t *)thunk);
}

enum { MOST_ROWS = 3000 };
static uint64_t label[MOST_ROWS];

typedef struct {
    sl_context *ctx;
    sl_type by_pointer;
    sl_index_op different, remainder;
} side;

static side gpu, host;

static void begin_side(side *s, sl_engine_choice engine)
{
    assert_int_equal(sl_context_create(&s->ctx, engine), SL_OK);
    OK(s->ctx, sl_type_new(&s->by_pointer, s->ctx, "labels", sizeof(labels), NULL));
    OK(s->ctx, sl_index_op_new(&s->different, s->ctx, "differ", SL_BOOL, SL_BOOL, s->by_pointer,
                               differ, NULL));
    OK(s->ctx, sl_index_op_new(&s->remainder, s->ctx, "remainder", SL_INT32, SL_INT32, SL_INT64,
                               remainder_of, NULL));
}

static void end_side(side *s)
{
    sl_index_op_free(s->different);
    sl_index_op_free(s->remainder);
    sl_type_free(s->by_pointer);
    sl_context_free(s->ctx);
}

static int begin(void **state)
{
    (void)state;
    if (!has_gpu()) {
        print_message("engine cuda skipped\n");
        return 0;
    }
    allocator_install();
    begin_side(&gpu, SL_ENGINE_CUDA);
    begin_side(&host, SL_ENGINE_SUITESPARSE);
    for (uint64_t i = 0; i < MOST_ROWS; i++)
        label[i] = i / 7 % 5;
    return 0;
}

static int end(void **state)
{
    (void)state;
    if (gpu.ctx) {
        end_side(&gpu);
        end_side(&host);
    }
    return 0;
}

/* ---- shapes ------------------------------------------------------------------------------------ */

typedef bool (*shape)(uint64_t i, uint64_t j);

static bool nothing(uint64_t i, uint64_t j)
{
    (void)i, (void)j;
    return false;
}
static bool everything(uint64_t i, uint64_t j)
{
    (void)i, (void)j;
    return true;
}
static bool hub(uint64_t i, uint64_t j)
{
    return i == 1 || j == 1;
}
static bool path(uint64_t i, uint64_t j)
{
    return i + 1 == j;
}
static bool isolated(uint64_t i, uint64_t j)
{
    return i % 50 == 49 && j % 11 == 0;
}

/* The matrix of a shape, with values or as a pattern, on one side. */
static sl_matrix *matrix_of(side *s, shape has, uint64_t nrows, uint64_t ncols, bool values)
{
    sl_matrix *A;
    uint64_t *rows = sl_malloc((nrows * ncols + 1) * sizeof *rows),
             *cols = sl_malloc((nrows * ncols + 1) * sizeof *cols), count = 0;
    int32_t *x = sl_malloc((nrows * ncols + 1) * sizeof *x);
    assert_true(rows && cols && x);
    for (uint64_t i = 0; i < nrows; i++)
        for (uint64_t j = 0; j < ncols; j++)
            if (has(i, j)) {
                rows[count] = i;
                cols[count] = j;
                x[count] = (int32_t)(count % 1000) - 500;
                count++;
            }
    OK(s->ctx, sl_matrix_new(&A, s->ctx, SL_INT32, nrows, ncols));
    OK(s->ctx, sl_matrix_build(A, rows, cols, values ? x : NULL, count, NULL));
    sl_free(rows);
    sl_free(cols);
    sl_free(x);
    return A;
}

static void expect_equal(sl_matrix *C, sl_matrix *expected)
{
    sl_csr a, b;
    OK(gpu.ctx, sl_matrix_copy_csr(&a, C));
    OK(host.ctx, sl_matrix_copy_csr(&b, expected));
    assert_int_equal(a.start[a.nrows], b.start[b.nrows]);
    assert_memory_equal(a.start, b.start, (a.nrows + 1) * sizeof *a.start);
    if (a.start[a.nrows]) {
        assert_memory_equal(a.index, b.index, a.start[a.nrows] * sizeof *a.index);
        assert_int_equal(!a.values, !b.values);
        if (a.values)
            assert_memory_equal(a.values, b.values, a.start[a.nrows] * sizeof(int32_t));
    }
    free_rows(&a);
    free_rows(&b);
}

static sl_status select_by(side *s, sl_matrix *C, sl_matrix *mask, bool by_pointer, sl_matrix *A,
                           sl_descriptor d)
{
    const labels thunk = {label};
    return by_pointer ? sl_matrix_select(C, mask, NULL, s->different, A,
                                         sl_scalar_other(s->by_pointer, &thunk), d)
                      : sl_matrix_select(C, mask, NULL, s->remainder, A, sl_scalar_int64(3), d);
}

static uint64_t fallbacks(void)
{
    sl_context_counts counts;
    sl_context_get_counts(gpu.ctx, &counts);
    return counts.fallbacks;
}

/* Selects on both sides, without a mask, under one, and under its complement. */
static void compare(shape has, uint64_t nrows, uint64_t ncols, bool values, bool by_pointer)
{
    const sl_descriptor descriptors[] = {NULL, sl_descriptor_get(SL_REPLACE),
                                         sl_descriptor_get(SL_COMPLEMENT | SL_STRUCTURE)};
    sl_matrix *A = matrix_of(&gpu, has, nrows, ncols, values),
              *B = matrix_of(&host, has, nrows, ncols, values);
    sl_matrix *mask_a = matrix_of(&gpu, hub, nrows, ncols, true),
              *mask_b = matrix_of(&host, hub, nrows, ncols, true);
    sl_context_counts before, after;
    for (size_t k = 0; k < sizeof descriptors / sizeof *descriptors; k++) {
        sl_matrix *C, *D;
        OK(gpu.ctx, sl_matrix_dup(&C, mask_a));
        OK(host.ctx, sl_matrix_dup(&D, mask_b));
        sl_context_get_counts(gpu.ctx, &before);
        OK(gpu.ctx, select_by(&gpu, C, k ? mask_a : NULL, by_pointer, A, descriptors[k]));
        OK(gpu.ctx, select_by(&gpu, C, k ? mask_a : NULL, by_pointer, A, descriptors[k]));
        sl_context_get_counts(gpu.ctx, &after);
        assert_true(after.fallbacks > before.fallbacks);
        assert_int_equal(after.copies, before.copies); /* nothing migrated */
        OK(host.ctx, select_by(&host, D, k ? mask_b : NULL, by_pointer, B, descriptors[k]));
        OK(host.ctx, select_by(&host, D, k ? mask_b : NULL, by_pointer, B, descriptors[k]));
        expect_equal(C, D);
        sl_matrix_free(C);
        sl_matrix_free(D);
    }
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(mask_a);
    sl_matrix_free(mask_b);
}

static void need_gpu(void)
{
    if (!gpu.ctx)
        skip();
}

static void test_shapes(void **state)
{
    static const shape shapes[] = {nothing, everything, hub, path, isolated};
    (void)state;
    need_gpu();
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int kind = 0; kind < 4; kind++) {
            compare(shapes[k], 1, 1, kind & 1, kind & 2);
            compare(shapes[k], 200, 130, kind & 1, kind & 2);
        }
}

/* More entries than visit the host at a time. */
static void test_pieces(void **state)
{
    (void)state;
    need_gpu();
    compare(everything, MOST_ROWS, 800, true, false);
    compare(everything, MOST_ROWS, 800, false, true);
}

/* Counts the times that a call asks, and cancels it at the last. */
typedef struct {
    int asked, last;
} asking;

static int ask(void *data, const sl_progress *progress)
{
    asking *a = data;
    a->asked += strcmp(progress->operation, "select") == 0;
    return a->asked == a->last;
}

/* A call asks between pieces whether it is cancelled. The input is as it was, and the next call works. */
static void test_cancelled(void **state)
{
    (void)state;
    need_gpu();
    sl_matrix *A = matrix_of(&gpu, everything, MOST_ROWS, 800, true), *C;
    asking a = {.last = 4};
    OK(gpu.ctx, sl_matrix_new(&C, gpu.ctx, SL_INT32, MOST_ROWS, 800));
    OK(gpu.ctx, sl_context_set_progress(gpu.ctx, ask, &a, 0));
    assert_int_equal(select_by(&gpu, C, NULL, true, A, NULL), SL_CANCELLED);
    assert_int_equal(a.asked, a.last);
    OK(gpu.ctx, sl_context_set_progress(gpu.ctx, NULL, NULL, 0));
    sl_matrix_free(A);
    sl_matrix_free(C);
    compare(hub, MOST_ROWS, 800, true, true);
}

static sl_status select_once(void *A)
{
    sl_matrix *C;
    sl_status status = sl_matrix_new(&C, gpu.ctx, SL_INT32, MOST_ROWS, 20);
    if (status == SL_OK)
        status = select_by(&gpu, C, NULL, true, A, NULL);
    sl_matrix_free(C);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    need_gpu();
    sl_matrix *A = matrix_of(&gpu, everything, MOST_ROWS, 20, true);
    OK(gpu.ctx, select_once(A)); /* afterwards the program's pinned memory is there */
    assert_true(allocator_fail_each(select_once, A) > 3);
    sl_matrix_free(A);
}

/* Where no other engine may run, the operator is refused. */
static void test_device_alone(void **state)
{
    (void)state;
    need_gpu();
    const uint64_t before = fallbacks();
    side only;
    assert_int_equal(setenv("SEMLA_ENGINE", "cuda", 1), 0);
    begin_side(&only, SL_ENGINE_CUDA);
    assert_int_equal(unsetenv("SEMLA_ENGINE"), 0);
    sl_matrix *A = matrix_of(&only, path, 10, 10, true);
    assert_int_equal(select_by(&only, A, NULL, false, A, NULL), SL_UNSUPPORTED);
    sl_matrix_free(A);
    end_side(&only);
    assert_int_equal(fallbacks(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_pieces),
                                       cmocka_unit_test(test_cancelled),
                                       cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_device_alone)};
    return cmocka_run_group_tests(tests, begin, end);
}
