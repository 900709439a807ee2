/* Masked products of a vector and a matrix by every engine, compared with SuiteSparse. */
#include "product_cases.h"
#include "support.h"

static sl_context *host, *engine;

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products),
                                       cmocka_unit_test(one_vector_for_all)};
    int failed = 0;
    size_t position = 0;
    sl_engine_info info;
    OK(NULL, sl_context_create(&host, SL_ENGINE_SUITESPARSE));
    while (next_engine(&info, &position)) {
        OK(NULL, sl_context_create(&engine, info.choice));
        failed += cmocka_run_group_tests_name(info.name, tests, NULL, NULL);
        sl_context_free(engine);
    }
    sl_context_free(host);
    return failed;
}
