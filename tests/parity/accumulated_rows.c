/*
 * C accum= T for matrices, on every engine, compared with SuiteSparse: T has only entries that C has, or others too,
 * or is C; C has values, or only ones; types differ; with a mask and without. A product with C before and after shows
 * that nothing derived from the old values is used. Then element-wise operations, apply and select, whose operands and
 * masks have numbers of entries that differ much.
 */
#include <stdlib.h>
#include <string.h>

#include "host_and_engine.h"

enum { N = 70 };

/* Which entries: one of `every` in each row and column, from `first` on; values 1 to 5, or all 1. */
typedef struct {
    unsigned every, first;
    bool ones;
} entries;

static sl_matrix *matrix_of(sl_context *ctx, entries of, sl_type type)
{
    static uint64_t rows[N * N], cols[N * N];
    static int64_t values[N * N];
    uint64_t count = 0;
    sl_matrix *A, *cast;
    for (uint64_t k = of.first; k < N * N; k += of.every, count++) {
        rows[count] = k / N;
        cols[count] = k % N;
        values[count] = (int64_t)(k * 7 % 5 + 1);
    }
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT64, N, N));
    OK(ctx, sl_matrix_build(A, rows, cols, values, count, SL_FIRST_INT64));
    OK(ctx, sl_matrix_new(&cast, ctx, type, N, N));
    if (of.ones)
        OK(ctx, sl_matrix_apply(cast, NULL, NULL, sl_unary_op_get(SL_UNARY_ONE, type), A, NULL));
    else
        OK(ctx, sl_matrix_assign(cast, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    sl_matrix_free(A);
    return cast;
}

/* The matrix afterwards, and the sum of its values by a product. */
typedef struct {
    sl_csr C;
    double sum;
} outcome;

typedef enum { ASSIGN, EWISE_MULT, EWISE_ADD, EWISE_UNION, APPLY, APPLY_INDEX, SELECT } operation;

typedef struct {
    entries C, T, second, mask;
    sl_type type, of_t;
    sl_binary_op accum;
    operation op;
    unsigned flags; /* of the descriptor; UINT32_MAX: there is no mask */
    bool itself;    /* T is C */
} trial;

static double sum_of(sl_context *ctx, const sl_matrix *C)
{
    sl_vector *ones, *w;
    sl_scalar sum;
    OK(ctx, sl_vector_new(&ones, ctx, SL_FP64, N));
    OK(ctx, sl_vector_assign_scalar(ones, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_new(&w, ctx, SL_FP64, N));
    OK(ctx, sl_vxm(w, NULL, NULL, SL_PLUS_TIMES_FP64, ones, C, NULL));
    OK(ctx, sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, w));
    sl_vector_free(ones);
    sl_vector_free(w);
    return sum.as.fp64_;
}

/* One value in five is 0. NULL: there is no mask. */
static sl_matrix *mask_of(sl_context *ctx, const trial *t)
{
    sl_matrix *M;
    if (t->flags == UINT32_MAX)
        return NULL;
    M = matrix_of(ctx, t->mask, SL_INT8);
    OK(ctx, sl_matrix_apply_second(M, NULL, NULL, sl_binary_op_get(SL_BINARY_MINUS, SL_INT8), M,
                                   sl_scalar_int64(1), NULL));
    return M;
}

static void compute(const trial *t, sl_matrix *C, const sl_matrix *M, const sl_matrix *T,
                    const sl_matrix *S)
{
    sl_context *ctx = sl_matrix_context(C);
    const sl_descriptor d = sl_descriptor_get(M ? t->flags : 0);
    const sl_binary_op minus = sl_binary_op_get(SL_BINARY_MINUS, SL_INT32);
    switch (t->op) {
    case ASSIGN:
        OK(ctx, sl_matrix_assign(C, M, t->accum, T, SL_ALL, 0, SL_ALL, 0, d));
        break;
    case EWISE_MULT:
        OK(ctx, sl_matrix_ewise_mult(C, M, t->accum, minus, T, S, d));
        break;
    case EWISE_ADD:
        OK(ctx, sl_matrix_ewise_add(C, M, t->accum, minus, T, S, d));
        break;
    case EWISE_UNION:
        OK(ctx, sl_matrix_ewise_union(C, M, t->accum, minus, T, sl_scalar_int64(20), S,
                                      sl_scalar_int64(30), d));
        break;
    case APPLY:
        OK(ctx, sl_matrix_apply(C, M, t->accum, sl_unary_op_get(SL_UNARY_AINV, SL_INT32), T, d));
        break;
    case APPLY_INDEX:
        OK(ctx, sl_matrix_apply_index(C, M, t->accum, sl_index_op_get(SL_INDEX_COLINDEX, SL_INT64),
                                      T, sl_scalar_int64(3), d));
        break;
    default:
        OK(ctx, sl_matrix_select(C, M, t->accum, sl_index_op_get(SL_INDEX_VALUEGT, SL_INT64), T,
                                 sl_scalar_int64(2), d));
    }
}

static outcome run(sl_context *ctx, const trial *t)
{
    outcome r;
    sl_matrix *C = matrix_of(ctx, t->C, t->type), *T = matrix_of(ctx, t->T, t->of_t);
    sl_matrix *S = t->second.every ? matrix_of(ctx, t->second, SL_FP32) : NULL;
    sl_matrix *M = mask_of(ctx, t);
    (void)sum_of(ctx, C);
    compute(t, C, M, t->itself ? C : T, S);
    r.sum = sum_of(ctx, C);
    OK(ctx, sl_matrix_copy_csr(&r.C, C));
    sl_matrix_free(C);
    sl_matrix_free(T);
    sl_matrix_free(S);
    sl_matrix_free(M);
    return r;
}

static void compare(const trial *t, int number)
{
    outcome expected = run(host, t), got = run(engine, t);
    const uint64_t nnz = expected.C.start[N];
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), t->type);
    const size_t size = sl_type_size(t->type);
    if (memcmp(got.C.start, expected.C.start, (N + 1) * sizeof *got.C.start) != 0 ||
        memcmp(got.C.index, expected.C.index, nnz * sizeof *got.C.index) != 0)
        fail_msg("trial %d: other entries", number);
    for (uint64_t k = 0; k < nnz; k++) {
        const void *a = expected.C.values ? (char *)expected.C.values + k * size : (void *)&one.as,
                   *b = got.C.values ? (char *)got.C.values + k * size : (void *)&one.as;
        if (memcmp(a, b, size) != 0)
            fail_msg("trial %d: entry %d has another value", number, (int)k);
    }
    if (got.sum != expected.sum)
        fail_msg("trial %d: a product afterwards gives %g, not %g", number, got.sum, expected.sum);
    free_rows(&expected.C);
    free_rows(&got.C);
}

static void accumulated_rows(void **state)
{
    (void)state;
    static const entries left[] = {{1, 0, false},
                                   {2, 0, false},
                                   {2, 0, true},
                                   {N * N + 1, 0, false}},
                         right[] = {{4, 2, false}, {6, 0, true}, {3, 0, false}, {N * N, 0, false}};
    const struct {
        sl_type type, of_t;
        sl_binary_op accum;
    } types[] = {{SL_INT64, SL_INT64, sl_binary_op_get(SL_BINARY_PLUS, SL_INT64)},
                 {SL_FP64, SL_INT32, sl_binary_op_get(SL_BINARY_MINUS, SL_FP64)},
                 {SL_INT8, SL_FP32, sl_binary_op_get(SL_BINARY_TIMES, SL_INT32)},
                 {SL_INT64, SL_INT64, sl_binary_op_get(SL_BINARY_SECOND, SL_INT64)},
                 {SL_BOOL, SL_INT16, sl_binary_op_get(SL_BINARY_GE, SL_INT16)}};
    static const unsigned flags[] = {UINT32_MAX, SL_STRUCTURE, SL_REPLACE,
                                     SL_STRUCTURE | SL_COMPLEMENT | SL_REPLACE};
    int number = 0;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        for (int c = 0; c < 4; c++)
            for (int t = 0; t < 4; t++)
                for (int f = 0; f < 4; f++) {
                    const trial of = {.C = left[c],
                                      .T = right[t],
                                      .mask = {3, 1, false},
                                      .type = types[k].type,
                                      .of_t = types[k].of_t,
                                      .accum = types[k].accum,
                                      .flags = flags[f],
                                      .itself = (c + t + f) % 7 == 0};
                    compare(&of, number++);
                }
}

static void unequal_operands(void **state)
{
    (void)state;
    static const entries many[] = {{1, 0, false}, {2, 0, true}},
                         few[] = {{40, 3, false}, {31, 0, true}},
                         masks[] = {{2, 1, false}, {23, 0, false}, {N * N + 1, 0, false}};
    static const unsigned flags[] = {UINT32_MAX, SL_STRUCTURE, SL_REPLACE,
                                     SL_STRUCTURE | SL_REPLACE, SL_COMPLEMENT | SL_REPLACE};
    int number = 1000;
    for (operation op = EWISE_MULT; op <= SELECT; op++)
        for (unsigned k = 0; k < 8; k++)
            for (int m = 0; m < 3; m++)
                for (int f = 0; f < 5; f++) {
                    const trial of = {.C = {3, 0, false},
                                      .T = k & 1 ? few[k >> 2] : many[k >> 2],
                                      .second = k & 2 ? few[k >> 2] : many[!(k >> 2)],
                                      .mask = masks[m],
                                      .type = SL_INT64,
                                      .of_t = f & 1 ? SL_INT16 : SL_FP64,
                                      .accum = number % 3 ? NULL : SL_PLUS_INT64,
                                      .op = op,
                                      .flags = flags[f]};
                    compare(&of, number++);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accumulated_rows),
                                       cmocka_unit_test(unequal_operands)};
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
