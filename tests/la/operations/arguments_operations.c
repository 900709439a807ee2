/*
 * Invalid arguments of products, elementwise operations, apply, select, transpose and reduce: each
 * call must return the expected status and a message that names the argument, and must leave every
 * object unchanged.
 */
#include "arguments.h"

static void test_vxm(void **state)
{
    sl_semiring s = SL_PLUS_TIMES_FP64;
    NULL_REFUSED(sl_vxm(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "vxm: w is NULL", sl_vxm(NULL, NULL, NULL, s, u, A, NULL));
    REFUSED(SL_INVALID, "semiring is NULL", sl_vxm(w, NULL, NULL, NULL, u, A, NULL));
    REFUSED(SL_INVALID, "u is NULL", sl_vxm(w, NULL, NULL, s, NULL, A, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_vxm(w, NULL, NULL, s, u, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_vxm(w, NULL, NULL, s, u, foreign, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_vxm(w, foreign_vector, NULL, s, u, A, NULL));
    REFUSED(SL_MISMATCH, "the mask is 3 x 1, the output 4 x 1", sl_vxm(w, u, NULL, s, u, A, NULL));
    REFUSED(SL_INVALID, "secondi_int64 cannot accumulate",
            sl_vxm(w, NULL, SL_SECONDI_INT64, s, u, A, NULL));
    REFUSED(SL_MISMATCH, "vxm: the vector's size is 4, not 3",
            sl_vxm(w, NULL, NULL, s, v, A, NULL));
    REFUSED(SL_MISMATCH, "the output's size is 3, not 4", sl_vxm(u, NULL, NULL, s, u, A, NULL));
    REFUSED(SL_MISMATCH, "the vector's size is 3, not 4",
            sl_vxm(w, NULL, NULL, s, u, A, flag(SL_TRANSPOSE_B)));
}

static void test_mxv(void **state)
{
    sl_semiring s = SL_PLUS_TIMES_FP64;
    NULL_REFUSED(sl_mxv(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "mxv: w is NULL", sl_mxv(NULL, NULL, NULL, s, D, u, NULL));
    REFUSED(SL_INVALID, "semiring is NULL", sl_mxv(w, NULL, NULL, NULL, D, u, NULL));
    REFUSED(SL_INVALID, "u is NULL", sl_mxv(w, NULL, NULL, s, D, NULL, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_mxv(w, NULL, NULL, s, NULL, u, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_mxv(u, NULL, NULL, s, A, foreign_vector, NULL));
    REFUSED(SL_MISMATCH, "the mask is 3 x 1", sl_mxv(w, u, NULL, s, D, u, NULL));
    REFUSED(SL_INVALID, "cannot accumulate", sl_mxv(w, NULL, SL_FIRSTI_INT64, s, D, u, NULL));
    REFUSED(SL_MISMATCH, "the vector's size is 4, not 3", sl_mxv(w, NULL, NULL, s, D, v, NULL));
    REFUSED(SL_MISMATCH, "the output's size is 3, not 4", sl_mxv(u, NULL, NULL, s, D, u, NULL));
    REFUSED(SL_MISMATCH, "the vector's size is 3, not 4",
            sl_mxv(w, NULL, NULL, s, D, u, flag(SL_TRANSPOSE_A)));
}

static void test_mxm(void **state)
{
    sl_semiring s = SL_PLUS_TIMES_FP64;
    NULL_REFUSED(sl_mxm(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "mxm: C is NULL", sl_mxm(NULL, NULL, NULL, s, A, square, NULL));
    REFUSED(SL_INVALID, "semiring is NULL", sl_mxm(C, NULL, NULL, NULL, A, square, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_mxm(C, NULL, NULL, s, NULL, square, NULL));
    REFUSED(SL_INVALID, "B is NULL", sl_mxm(C, NULL, NULL, s, A, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_mxm(C, NULL, NULL, s, foreign, square, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_mxm(C, foreign, NULL, s, A, square, NULL));
    REFUSED(SL_MISMATCH, "the mask is 4 x 3", sl_mxm(C, D, NULL, s, A, square, NULL));
    REFUSED(SL_INVALID, "cannot accumulate", sl_mxm(C, NULL, SL_FIRSTI_INT64, s, A, square, NULL));
    REFUSED(SL_MISMATCH, "mxm: the second matrix's number of rows is 3, not 4",
            sl_mxm(C, NULL, NULL, s, A, B, NULL));
    REFUSED(SL_MISMATCH, "number of rows is 4, not 3",
            sl_mxm(C, NULL, NULL, s, A, D, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "the output's number of rows is 3, not 4",
            sl_mxm(C, NULL, NULL, s, square, D, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "the output's number of columns is 4, not 3",
            sl_mxm(C, NULL, NULL, s, A, D, NULL));
    REFUSED(SL_MISMATCH, "the output's number of columns is 4, not 3",
            sl_mxm(C, NULL, NULL, s, A, B, flag(SL_TRANSPOSE_B)));
}

static void test_ewise(void **state)
{
    sl_binary_op op = SL_PLUS_FP64;
#define VECTORS(call, name)                                                                        \
    NULL_REFUSED(call(NULL, NULL, NULL, NULL, NULL, NULL, NULL));                                  \
    REFUSED(SL_INVALID, name ": out is NULL", call(NULL, NULL, NULL, op, v, v, NULL));             \
    REFUSED(SL_INVALID, name ": binary is NULL", call(w, NULL, NULL, NULL, v, v, NULL));           \
    REFUSED(SL_INVALID, name ": a is NULL", call(w, NULL, NULL, op, NULL, v, NULL));               \
    REFUSED(SL_INVALID, name ": b is NULL", call(w, NULL, NULL, op, v, NULL, NULL));               \
    REFUSED(SL_MISMATCH, "contexts", call(w, NULL, NULL, op, foreign_vector, v, NULL));            \
    REFUSED(SL_MISMATCH, "contexts", call(w, NULL, NULL, op, v, foreign_vector, NULL));            \
    REFUSED(SL_MISMATCH, "the mask is 3 x 1", call(w, u, NULL, op, v, v, NULL));                   \
    REFUSED(SL_INVALID, "cannot accumulate", call(w, NULL, SL_FIRSTJ_INT64, op, v, v, NULL));      \
    REFUSED(SL_MISMATCH, "rows is 3, not 4", call(w, NULL, NULL, op, u, v, NULL));                 \
    REFUSED(SL_MISMATCH, "rows is 3, not 4", call(w, NULL, NULL, op, v, u, NULL));
    VECTORS(sl_vector_ewise_add, "ewise_add")
    VECTORS(sl_vector_ewise_mult, "ewise_mult")
#undef VECTORS
#define MATRICES(call, name)                                                                       \
    NULL_REFUSED(call(NULL, NULL, NULL, NULL, NULL, NULL, NULL));                                  \
    REFUSED(SL_INVALID, name ": out is NULL", call(NULL, NULL, NULL, op, A, B, NULL));             \
    REFUSED(SL_INVALID, name ": binary is NULL", call(C, NULL, NULL, NULL, A, B, NULL));           \
    REFUSED(SL_INVALID, name ": a is NULL", call(C, NULL, NULL, op, NULL, B, NULL));               \
    REFUSED(SL_INVALID, name ": b is NULL", call(C, NULL, NULL, op, A, NULL, NULL));               \
    REFUSED(SL_MISMATCH, "contexts", call(C, foreign, NULL, op, A, B, NULL));                      \
    REFUSED(SL_MISMATCH, "the mask is 4 x 3", call(C, D, NULL, op, A, B, NULL));                   \
    REFUSED(SL_MISMATCH, "rows is 4, not 3", call(C, NULL, NULL, op, A, D, NULL));                 \
    REFUSED(SL_MISMATCH, "rows is 4, not 3", call(C, NULL, NULL, op, A, B, flag(SL_TRANSPOSE_A))); \
    REFUSED(SL_MISMATCH, "rows is 4, not 3", call(C, NULL, NULL, op, A, B, flag(SL_TRANSPOSE_B)));
    MATRICES(sl_matrix_ewise_add, "ewise_add")
    MATRICES(sl_matrix_ewise_mult, "ewise_mult")
#undef MATRICES
}

static void test_ewise_union(void **state)
{
    sl_binary_op op = SL_PLUS_FP64;
    sl_scalar x = sl_scalar_fp64(1), typeless = {.type = SL_TYPE_COUNT};
    NULL_REFUSED(sl_vector_ewise_union(NULL, NULL, NULL, NULL, NULL, x, NULL, x, NULL));
    REFUSED(SL_INVALID, "ewise_union: out is NULL",
            sl_vector_ewise_union(NULL, NULL, NULL, op, v, x, v, x, NULL));
    REFUSED(SL_INVALID, "binary is NULL",
            sl_vector_ewise_union(w, NULL, NULL, NULL, v, x, v, x, NULL));
    REFUSED(SL_INVALID, "b is NULL", sl_vector_ewise_union(w, NULL, NULL, op, v, x, NULL, x, NULL));
    REFUSED(SL_INVALID, "alpha has no type",
            sl_vector_ewise_union(w, NULL, NULL, op, v, typeless, v, x, NULL));
    REFUSED(SL_INVALID, "beta has no type",
            sl_vector_ewise_union(w, NULL, NULL, op, v, x, v, typeless, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_vector_ewise_union(w, NULL, NULL, op, v, x, foreign_vector, x, NULL));
    REFUSED(SL_MISMATCH, "rows is 3, not 4",
            sl_vector_ewise_union(w, NULL, NULL, op, u, x, v, x, NULL));
    NULL_REFUSED(sl_matrix_ewise_union(NULL, NULL, NULL, NULL, NULL, x, NULL, x, NULL));
    REFUSED(SL_INVALID, "a is NULL", sl_matrix_ewise_union(C, NULL, NULL, op, NULL, x, B, x, NULL));
    REFUSED(SL_MISMATCH, "the mask is 4 x 3",
            sl_matrix_ewise_union(C, D, NULL, op, A, x, B, x, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_matrix_ewise_union(C, NULL, SL_FIRSTI_INT64, op, A, x, B, x, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_ewise_union(C, NULL, NULL, op, A, x, B, x, flag(SL_TRANSPOSE_B)));
}

static void test_kronecker(void **state)
{
    sl_binary_op op = SL_TIMES_FP64;
    sl_matrix *huge, *square_of_huge;
    OK(ctx, sl_matrix_new(&huge, ctx, SL_BOOL, (uint64_t)1 << 32, (uint64_t)1 << 40));
    OK(ctx, sl_matrix_new(&square_of_huge, ctx, SL_BOOL, 0, 0)); /* 2^64 rows overflow to 0 */
    NULL_REFUSED(sl_kronecker(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "kronecker: C is NULL", sl_kronecker(NULL, NULL, NULL, op, A, B, NULL));
    REFUSED(SL_INVALID, "op is NULL", sl_kronecker(C, NULL, NULL, NULL, A, B, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_kronecker(C, NULL, NULL, op, NULL, B, NULL));
    REFUSED(SL_INVALID, "B is NULL", sl_kronecker(C, NULL, NULL, op, A, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_kronecker(C, NULL, NULL, op, A, foreign, NULL));
    REFUSED(SL_MISMATCH, "the mask is 4 x 3", sl_kronecker(C, D, NULL, op, A, B, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_kronecker(C, NULL, SL_FIRSTI_INT64, op, A, B, NULL));
    REFUSED(SL_MISMATCH, "number of rows is 3, not 9", sl_kronecker(C, NULL, NULL, op, A, B, NULL));
    REFUSED(SL_MISMATCH, "number of rows is 3, not 12",
            sl_kronecker(C, NULL, NULL, op, A, B, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "number of rows is 0, not 4294967296 times 4294967296",
            sl_kronecker(square_of_huge, NULL, NULL, op, huge, huge, NULL));
    sl_matrix_free(huge);
    sl_matrix_free(square_of_huge);
}

/* apply, apply_index and select: the same errors, with the last arguments of each. */
static void test_maps(void **state)
{
    sl_scalar k = sl_scalar_int64(0), typeless = {.type = SL_TYPE_COUNT};
#define MAP(vector_call, matrix_call, name, op, ...)                                               \
    NULL_REFUSED(vector_call(NULL, NULL, NULL, NULL, NULL, __VA_ARGS__));                          \
    NULL_REFUSED(matrix_call(NULL, NULL, NULL, NULL, NULL, __VA_ARGS__));                          \
    REFUSED(SL_INVALID, name ": operator is NULL",                                                 \
            vector_call(w, NULL, NULL, NULL, v, __VA_ARGS__));                                     \
    REFUSED(SL_INVALID, name ": a is NULL", vector_call(w, NULL, NULL, op, NULL, __VA_ARGS__));    \
    REFUSED(SL_INVALID, name ": out is NULL", vector_call(NULL, NULL, NULL, op, v, __VA_ARGS__));  \
    REFUSED(SL_MISMATCH, "contexts", vector_call(w, NULL, NULL, op, foreign_vector, __VA_ARGS__)); \
    REFUSED(SL_MISMATCH, "rows is 3, not 4", vector_call(w, NULL, NULL, op, u, __VA_ARGS__));      \
    REFUSED(SL_MISMATCH, "mask is 3 x 1", vector_call(w, u, NULL, op, v, __VA_ARGS__));            \
    REFUSED(SL_INVALID, name ": operator is NULL",                                                 \
            matrix_call(C, NULL, NULL, NULL, A, __VA_ARGS__));                                     \
    REFUSED(SL_INVALID, name ": a is NULL", matrix_call(C, NULL, NULL, op, NULL, __VA_ARGS__));    \
    REFUSED(SL_INVALID, name ": out is NULL", matrix_call(NULL, NULL, NULL, op, A, __VA_ARGS__));  \
    REFUSED(SL_MISMATCH, "contexts", matrix_call(C, NULL, NULL, op, foreign, __VA_ARGS__));        \
    REFUSED(SL_MISMATCH, "rows is 4, not 3", matrix_call(C, NULL, NULL, op, D, __VA_ARGS__));      \
    REFUSED(SL_MISMATCH, "mask is 4 x 4", matrix_call(C, square, NULL, op, A, __VA_ARGS__));       \
    REFUSED(SL_INVALID, "cannot accumulate",                                                       \
            matrix_call(C, NULL, SL_SECONDJ_INT64, op, A, __VA_ARGS__));
    MAP(sl_vector_apply, sl_matrix_apply, "apply", SL_AINV_FP64, NULL)
    MAP(sl_vector_apply_index, sl_matrix_apply_index, "apply_index", SL_ROWINDEX_INT64, k, NULL)
    MAP(sl_vector_select, sl_matrix_select, "select", SL_TRIL_BOOL, k, NULL)
#undef MAP
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_apply(C, NULL, NULL, SL_AINV_FP64, A, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_INVALID, "the thunk has no type",
            sl_vector_select(w, NULL, NULL, SL_VALUEGT_FP64, v, typeless, NULL));
    REFUSED(SL_INVALID, "the thunk has no type",
            sl_matrix_apply_index(C, NULL, NULL, SL_VALUEGT_FP64, A, typeless, NULL));
}

static void test_bound(void **state)
{
    sl_binary_op op = SL_MINUS_FP64;
    sl_scalar x = sl_scalar_fp64(1), typeless = {.type = SL_TYPE_COUNT};
    NULL_REFUSED(sl_vector_apply_first(NULL, NULL, NULL, NULL, x, NULL, NULL));
    NULL_REFUSED(sl_vector_apply_second(NULL, NULL, NULL, NULL, NULL, x, NULL));
    NULL_REFUSED(sl_matrix_apply_first(NULL, NULL, NULL, NULL, x, NULL, NULL));
    NULL_REFUSED(sl_matrix_apply_second(NULL, NULL, NULL, NULL, NULL, x, NULL));
    REFUSED(SL_INVALID, "apply_first: operator is NULL",
            sl_vector_apply_first(w, NULL, NULL, NULL, x, v, NULL));
    REFUSED(SL_INVALID, "apply_second: a is NULL",
            sl_vector_apply_second(w, NULL, NULL, op, NULL, x, NULL));
    REFUSED(SL_INVALID, "apply_first: the scalar has no type",
            sl_vector_apply_first(w, NULL, NULL, op, typeless, v, NULL));
    REFUSED(SL_INVALID, "apply_second: the scalar has no type",
            sl_matrix_apply_second(C, NULL, NULL, op, A, typeless, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_matrix_apply_first(C, NULL, NULL, op, x, foreign, NULL));
    REFUSED(SL_MISMATCH, "mask is 3 x 1", sl_vector_apply_second(w, u, NULL, op, v, x, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_matrix_apply_first(C, NULL, SL_FIRSTI_INT64, op, x, A, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_apply_first(C, NULL, NULL, op, x, A, flag(SL_TRANSPOSE_B)));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_apply_first(C, NULL, NULL, op, x, D, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_apply_second(C, NULL, NULL, op, A, x, flag(SL_TRANSPOSE_A)));
}

static void test_transpose(void **state)
{
    NULL_REFUSED(sl_transpose(NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "transpose: out is NULL", sl_transpose(NULL, NULL, NULL, D, NULL));
    REFUSED(SL_INVALID, "transpose: ", sl_transpose(C, NULL, NULL, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_transpose(C, NULL, NULL, foreign, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3", sl_transpose(C, NULL, NULL, A, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3", sl_transpose(C, NULL, NULL, D, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "mask is 4 x 3", sl_transpose(C, D, NULL, D, NULL));
}

static void test_reduce(void **state)
{
    sl_scalar x = sl_scalar_fp64(2), typeless = {.type = SL_TYPE_COUNT};
    sl_monoid m = SL_PLUS_MONOID_FP64;
    NULL_REFUSED(sl_vector_reduce(&x, NULL, m, NULL));
    REFUSED(SL_INVALID, "value is NULL", sl_vector_reduce(NULL, NULL, m, u));
    REFUSED(SL_INVALID, "monoid is NULL", sl_vector_reduce(&x, NULL, NULL, u));
    REFUSED(SL_INVALID, "cannot accumulate", sl_vector_reduce(&x, SL_FIRSTI_INT64, m, u));
    REFUSED(SL_INVALID, "no type", sl_vector_reduce(&typeless, SL_PLUS_FP64, m, u));
    REFUSED(SL_INVALID, "value is NULL",
            sl_vector_reduce_pair(NULL, NULL, m, NULL, SL_PLUS_FP64, u, u));
    REFUSED(SL_INVALID, "op is NULL", sl_vector_reduce_pair(&x, NULL, m, NULL, NULL, u, u));
    REFUSED(SL_INVALID, "v is NULL",
            sl_vector_reduce_pair(&x, NULL, m, NULL, SL_PLUS_FP64, u, NULL));
    REFUSED(SL_INVALID, "no type",
            sl_vector_reduce_pair(&typeless, SL_PLUS_FP64, m, NULL, SL_PLUS_FP64, u, u));
    NULL_REFUSED(sl_matrix_reduce(&x, NULL, m, NULL));
    REFUSED(SL_INVALID, "value is NULL", sl_matrix_reduce(NULL, NULL, m, A));
    REFUSED(SL_INVALID, "monoid is NULL", sl_matrix_reduce(&x, NULL, NULL, A));
    assert_true(sl_scalar_equal(x, sl_scalar_fp64(2)));

    NULL_REFUSED(sl_matrix_reduce_rows(NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "w is NULL", sl_matrix_reduce_rows(NULL, NULL, NULL, m, D, NULL));
    REFUSED(SL_INVALID, "monoid is NULL", sl_matrix_reduce_rows(w, NULL, NULL, NULL, D, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_matrix_reduce_rows(w, NULL, NULL, m, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_matrix_reduce_rows(w, foreign_vector, NULL, m, D, NULL));
    REFUSED(SL_MISMATCH, "size is 4, not 3", sl_matrix_reduce_rows(w, NULL, NULL, m, A, NULL));
    REFUSED(SL_MISMATCH, "size is 4, not 3",
            sl_matrix_reduce_rows(w, NULL, NULL, m, D, flag(SL_TRANSPOSE_A)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vxm),         cmocka_unit_test(test_mxv),
        cmocka_unit_test(test_mxm),         cmocka_unit_test(test_ewise),
        cmocka_unit_test(test_ewise_union), cmocka_unit_test(test_kronecker),
        cmocka_unit_test(test_maps),        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_transpose),   cmocka_unit_test(test_reduce),
    };
    return cmocka_run_group_tests(tests, make_all, free_all);
}
