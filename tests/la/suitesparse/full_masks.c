/* Masks with an entry at every index, with an accumulator: SuiteSparse 7.4 would read outside of
 * its arrays. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mask_with_all_entries),
        cmocka_unit_test(test_matrix_mask_with_all_entries),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
