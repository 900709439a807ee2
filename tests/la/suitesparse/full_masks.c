/* Masks with an entry at every index, and results with one under masks of few entries, with an accumulator: SuiteSparse
 * 7.4 would read outside of its arrays. */
#include "objects.h"

/* A full mask with an accumulator, on inputs with few entries, gives the same result as a mask of
 * only the indices with a true value. */
enum { WIDE = 1000 };

static sl_vector *few(uint64_t n, uint64_t step)
{
    sl_vector *v = new_vector(SL_INT64, n);
    for (uint64_t i = 0; i < n; i += step)
        OK(ctx, sl_vector_set(v, i, sl_scalar_int64((int64_t)i + 1)));
    return v;
}

/* Runs operation number `which` with the mask; returns false if there is no such operation. */
static bool masked(int which, sl_vector *w, const sl_vector *mask, const sl_vector *u,
                   unsigned flags)
{
    sl_descriptor desc = sl_descriptor_get(flags);
    sl_binary_op accum = SL_MINUS_INT64;
    switch (which) {
    case 0:
        OK(ctx, sl_vector_assign(w, mask, accum, u, SL_ALL, WIDE, desc));
        return true;
    case 1:
        OK(ctx, sl_vector_apply(w, mask, accum, SL_AINV_INT64, u, desc));
        return true;
    case 2:
        OK(ctx, sl_vector_ewise_add(w, mask, accum, SL_PLUS_INT64, u, w, desc));
        return true;
    case 3:
        OK(ctx, sl_vector_ewise_mult(w, mask, accum, SL_PLUS_INT64, u, u, desc));
        return true;
    case 4:
        OK(ctx, sl_vector_select(w, mask, accum, SL_VALUEGT_INT64, u, sl_scalar_int64(200), desc));
        return true;
    case 5:
        OK(ctx, sl_vector_extract(w, mask, accum, u, SL_ALL, WIDE, desc));
        return true;
    case 6:
        OK(ctx, sl_vector_assign_scalar(w, mask, accum, sl_scalar_int64(3), SL_ALL, WIDE, desc));
        return true;
    default:
        return false;
    }
}

static void test_mask_with_all_entries(void **state)
{
    sl_vector *u = few(WIDE, 160), *all = new_vector(SL_BOOL, WIDE), *some = few(WIDE, 2);
    OK(ctx, sl_vector_assign_scalar(all, NULL, NULL, sl_scalar_bool(false), SL_ALL, WIDE, NULL));
    OK(ctx, sl_vector_assign_scalar(all, some, NULL, sl_scalar_bool(true), SL_ALL, WIDE,
                                    sl_descriptor_get(SL_STRUCTURE)));
    bool is = true;
    for (int which = 0; is; which++)
        for (int structural = 0; structural < 2; structural++) {
            sl_vector *w = few(WIDE, 166), *expected = few(WIDE, 166);
            is = masked(which, w, all, u, structural ? SL_STRUCTURE : 0);
            masked(which, expected, structural ? NULL : some, u, SL_STRUCTURE);
            bool equal;
            OK(ctx, sl_vector_equal(&equal, w, expected));
            assert_true(equal);
            sl_vector_free(w);
            sl_vector_free(expected);
        }
    sl_vector_free(u);
    sl_vector_free(all);
    sl_vector_free(some);
}

/* The same for matrices: operations with a mask of the output's shape. */
static void test_matrix_mask_with_all_entries(void **state)
{
    enum { SIDE = 50 };
    sl_matrix *A = new_matrix(SL_INT64, SIDE, SIDE), *some = new_matrix(SL_BOOL, SIDE, SIDE);
    sl_matrix *all = new_matrix(SL_BOOL, SIDE, SIDE);
    for (uint64_t k = 0; k < SIDE; k += 7)
        OK(ctx, sl_matrix_set(A, k, (3 * k + 1) % SIDE, sl_scalar_int64((int64_t)k + 1)));
    for (uint64_t k = 0; k < SIDE * SIDE; k += 3)
        OK(ctx, sl_matrix_set(some, k / SIDE, k % SIDE, sl_scalar_bool(true)));
    OK(ctx, sl_matrix_assign_scalar(all, NULL, NULL, sl_scalar_bool(false), SL_ALL, SIDE, SL_ALL,
                                    SIDE, NULL));
    OK(ctx, sl_matrix_assign_scalar(all, some, NULL, sl_scalar_bool(true), SL_ALL, SIDE, SL_ALL,
                                    SIDE, sl_descriptor_get(SL_STRUCTURE)));
    for (int k = 0; k < 4; k++) {
        const unsigned flags = k % 2 ? SL_STRUCTURE : 0;
        sl_matrix *C[2], *masks[] = {all, k % 2 ? NULL : some};
        for (int side = 0; side < 2; side++) {
            sl_descriptor desc = sl_descriptor_get(side ? SL_STRUCTURE : flags);
            OK(ctx, sl_matrix_dup(&C[side], A));
            if (k < 2)
                OK(ctx, sl_matrix_assign(C[side], masks[side], SL_MINUS_INT64, A, SL_ALL, SIDE,
                                         SL_ALL, SIDE, desc));
            else
                OK(ctx, sl_transpose(C[side], masks[side], SL_MINUS_INT64, A, desc));
        }
        bool equal;
        OK(ctx, sl_matrix_equal(&equal, C[0], C[1]));
        assert_true(equal);
        sl_matrix_free(C[0]);
        sl_matrix_free(C[1]);
    }
    sl_matrix_free(A);
    sl_matrix_free(some);
    sl_matrix_free(all);
}

/* ---- full results ------------------------------------------------------------------------ */

enum { FULL = 100 };

/* Objects without a missing entry, with values that are equal or not. */
static sl_vector *full_vector(bool equal)
{
    sl_vector *v = new_vector(SL_INT64, FULL);
    OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_int64(3), SL_ALL, 0, NULL));
    if (!equal)
        OK(ctx, sl_vector_set(v, 7, sl_scalar_int64(5)));
    return v;
}

static sl_matrix *full_matrix(bool equal)
{
    sl_matrix *A = new_matrix(SL_INT64, FULL, FULL);
    OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, sl_scalar_int64(3), SL_ALL, 0, SL_ALL, 0, NULL));
    if (!equal)
        OK(ctx, sl_matrix_set(A, 7, 7, sl_scalar_int64(5)));
    return A;
}

/* Operation number `which`, w<mask> or C<M> -= ... */
static sl_status accumulate(int which, sl_vector *w, const sl_vector *mask, sl_matrix *C,
                            const sl_matrix *M, const sl_vector *u, const sl_matrix *A)
{
    const sl_binary_op minus = SL_MINUS_INT64;
    const sl_scalar low = sl_scalar_int64(-100);
    switch (which) {
    case 0:
        return sl_vector_assign(w, mask, minus, u, SL_ALL, 0, NULL);
    case 1:
        return sl_vector_apply(w, mask, minus, SL_AINV_INT64, u, NULL);
    case 2:
        return sl_vector_apply_index(w, mask, minus, SL_ROWINDEX_INT64, u, low, NULL);
    case 3:
        return sl_vector_apply_second(w, mask, minus, SL_PLUS_INT64, u, low, NULL);
    case 4:
        return sl_vector_select(w, mask, minus, SL_VALUEGT_INT64, u, low, NULL);
    case 5:
        return sl_vector_extract(w, mask, minus, u, SL_ALL, 0, NULL);
    case 6:
        return sl_matrix_extract_column(w, mask, minus, A, SL_ALL, 0, 7, NULL);
    case 7:
        return sl_matrix_reduce_rows(w, mask, minus, SL_PLUS_MONOID_INT64, A, NULL);
    case 8:
        return sl_mxv(w, mask, minus, SL_PLUS_TIMES_INT64, A, u, NULL);
    case 9:
        return sl_vector_ewise_add(w, mask, minus, SL_PLUS_INT64, u, u, NULL);
    case 10:
        return sl_vector_ewise_mult(w, mask, minus, SL_PLUS_INT64, u, u, NULL);
    case 11:
        return sl_matrix_assign(C, M, minus, A, SL_ALL, 0, SL_ALL, 0, NULL);
    case 12:
        return sl_matrix_assign_row(C, mask, minus, u, 7, SL_ALL, 0, NULL);
    case 13:
        return sl_matrix_assign_column(C, mask, minus, u, SL_ALL, 0, 7, NULL);
    case 14:
        return sl_matrix_apply(C, M, minus, SL_AINV_INT64, A, NULL);
    case 15:
        return sl_matrix_apply_index(C, M, minus, SL_ROWINDEX_INT64, A, low, NULL);
    case 16:
        return sl_matrix_select(C, M, minus, SL_VALUEGT_INT64, A, low, NULL);
    case 17:
        return sl_transpose(C, M, minus, A, NULL);
    case 18:
        return sl_matrix_extract(C, M, minus, A, SL_ALL, 0, SL_ALL, 0, NULL);
    case 19:
        return sl_mxm(C, M, minus, SL_PLUS_TIMES_INT64, A, A, NULL);
    case 20:
        return sl_matrix_ewise_add(C, M, minus, SL_PLUS_INT64, A, A, NULL);
    default:
        return sl_matrix_ewise_mult(C, M, minus, SL_PLUS_INT64, A, A, NULL);
    }
}

/* The masks have the entries 7 and (7, 7); the result there is that without a mask. */
static void test_full_result(void **state)
{
    sl_vector *mask = new_vector(SL_BOOL, FULL);
    sl_matrix *M = new_matrix(SL_BOOL, FULL, FULL);
    OK(ctx, sl_vector_set(mask, 7, sl_scalar_bool(true)));
    OK(ctx, sl_matrix_set(M, 7, 7, sl_scalar_bool(true)));
    for (int k = 0; k < 4 * 22; k++) {
        const int which = k / 4;
        sl_vector *u = full_vector(k % 2), *w[2] = {full_vector(k / 2 % 2), full_vector(k / 2 % 2)};
        sl_matrix *A = full_matrix(k % 2), *C[2] = {full_matrix(k / 2 % 2), full_matrix(k / 2 % 2)};
        OK(ctx, accumulate(which, w[0], NULL, C[0], NULL, u, A));
        OK(ctx, accumulate(which, w[1], mask, C[1], M, u, A));
        sl_scalar all, one, other;
        OK(ctx, sl_vector_get(&all, w[0], 7));
        OK(ctx, sl_vector_get(&one, w[1], 7));
        OK(ctx, sl_vector_get(&other, w[1], 8));
        assert_true(sl_scalar_equal(all, one) && other.as.int64_ == 3);
        OK(ctx, sl_matrix_get(&all, C[0], 7, 7));
        OK(ctx, sl_matrix_get(&one, C[1], 7, 7));
        OK(ctx, sl_matrix_get(&other, C[1], 7, 8));
        assert_true(sl_scalar_equal(all, one) && other.as.int64_ == 3);
        sl_vector_free(u);
        sl_matrix_free(A);
        for (int side = 0; side < 2; side++) {
            sl_vector_free(w[side]);
            sl_matrix_free(C[side]);
        }
    }
    sl_vector_free(mask);
    sl_matrix_free(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_result),
        cmocka_unit_test(test_mask_with_all_entries),
        cmocka_unit_test(test_matrix_mask_with_all_entries),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
