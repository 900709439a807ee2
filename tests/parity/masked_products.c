/* Masked products of a vector and a matrix, and scalars assigned under masks, by every engine,
 * compared with SuiteSparse. */
#include "host_and_engine.h"
#include "product_cases.h"

static sl_status fetch(sl_arrays *list, const sl_vector *v)
{
    return sl_vector_copy_out(list, v, SL_FORMAT_LIST);
}

static void products(void **unused)
{
    check_products(&(product_test){
        .tested = engine, .host = host, .fetch = fetch, .checks = true, .every = 1});
}

/* A product whose vector is its mask and its output. */
static void one_vector_for_all(void **unused)
{
    enum { N = 3000 };
    for (int k = 0; k < 2; k++) {
        sl_context *ctx = k ? engine : host;
        sl_matrix *A;
        sl_vector *v;
        uint64_t row[4 * N], col[4 * N], count;
        for (uint64_t e = 0; e < 4 * N; e++) {
            row[e] = e % N;
            col[e] = (e % N * 7 + e / N + 1) % N;
        }
        OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, N, N));
        OK(ctx, sl_matrix_build(A, row, col, NULL, 4 * N, NULL));
        OK(ctx, sl_vector_new(&v, ctx, SL_BOOL, N));
        OK(ctx, sl_vector_build(v, row, NULL, N / 2, NULL)); /* 0 to N / 2 - 1 */
        OK(ctx, sl_vxm(v, v, NULL, SL_ANY_PAIR_BOOL, v, A,
                       sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT)));
        OK(ctx, sl_vector_nvals(&count, v));
        uint64_t expected = 0;
        for (uint64_t j = N / 2; j < N; j++) {
            bool reached = false;
            for (uint64_t e = 0; e < 4 * N; e++)
                reached |= col[e] == j && row[e] < N / 2;
            expected += reached;
        }
        assert_int_equal(count, expected);
        sl_vector_free(v);
        sl_matrix_free(A);
    }
}

/* w<mask> = scalar, in one context: the arrays of w. `own`: w is its own mask. */
static sl_arrays assigned(sl_context *ctx, sl_type type, unsigned w_step, unsigned mask_step,
                          bool own, unsigned flags)
{
    enum { N = 5000 };
    static uint64_t index[N], count;
    static double value[N];
    sl_vector *vectors[2], *w;
    const unsigned steps[] = {w_step, mask_step};
    sl_arrays list;
    for (int k = 0; k < 2; k++) {
        count = 0;
        for (uint64_t v = 0; v < N; v++)
            if (steps[k] && v % steps[k] == 0) {
                index[count] = v;
                value[count++] = (double)(v % 100);
            }
        sl_vector *made;
        OK(ctx, sl_vector_new(&made, ctx, SL_FP64, N));
        OK(ctx, sl_vector_build(made, index, value, count, NULL));
        OK(ctx, sl_vector_new(&vectors[k], ctx, type, N));
        OK(ctx, sl_vector_assign(vectors[k], NULL, NULL, made, SL_ALL, 0, NULL));
        sl_vector_free(made);
    }
    w = vectors[0];
    OK(ctx, sl_vector_assign_scalar(w, own ? w : vectors[1], NULL, sl_scalar_fp64(117.25), SL_ALL,
                                    0, sl_descriptor_get(SL_STRUCTURE | flags)));
    OK(ctx, sl_vector_copy_out(&list, w, SL_FORMAT_LIST));
    OK(ctx, sl_arrays_expand(ctx, &list));
    sl_vector_free(vectors[0]);
    sl_vector_free(vectors[1]);
    return list;
}

/* The scalar is cast to the type of w; entries outside the mask remain, or are removed. */
static void scalars_under_masks(void **unused)
{
    static const sl_type types[] = {SL_BOOL, SL_INT16, SL_FP32, SL_INT64};
    static const unsigned steps[] = {0, 1, 2, 30, 700};
    static const unsigned flags[] = {0, SL_REPLACE, SL_COMPLEMENT, SL_REPLACE | SL_COMPLEMENT};
    for (size_t t = 0; t < 4; t++)
        for (size_t w = 0; w < 5; w++)
            for (size_t m = 0; m < 5; m++)
                for (size_t f = 0; f < 8; f++) {
                    sl_arrays right =
                        assigned(host, types[t], steps[w], steps[m], f & 4, flags[f & 3]);
                    sl_arrays got =
                        assigned(engine, types[t], steps[w], steps[m], f & 4, flags[f & 3]);
                    assert_int_equal(got.nvals, right.nvals);
                    assert_memory_equal(got.rows, right.rows, right.nvals * sizeof *right.rows);
                    assert_memory_equal(got.values, right.values,
                                        right.nvals * sl_type_size(types[t]));
                    sl_arrays_free(&right);
                    sl_arrays_free(&got);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products),
                                       cmocka_unit_test(one_vector_for_all),
                                       cmocka_unit_test(scalars_under_masks)};
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
