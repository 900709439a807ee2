/*
 * A program of built-in types and operators runs on the GPU without fallbacks and without copies,
 * from building the objects to extracting tuples. Results are compared with those of the host.
 * Skipped without a GPU.
 */
#include "support.h"

enum { SIDE = 40, MOST = SIDE * SIDE };

/* The results of the program. */
typedef struct {
    uint64_t rows[MOST], cols[MOST], count;
    double values[MOST];
    uint64_t index[MOST], vector_count;
    double vector_values[MOST];
    sl_scalar sum, entry;
    bool pattern, equal;
} results;

static sl_matrix *matrix(sl_context *ctx, uint64_t seed)
{
    uint64_t rows[3 * SIDE], cols[3 * SIDE];
    double values[3 * SIDE];
    sl_matrix *A;
    for (int k = 0; k < 3 * SIDE; k++) {
        rows[k] = test_random(&seed) % SIDE;
        cols[k] = test_random(&seed) % SIDE;
        values[k] = (double)(test_random(&seed) % 9) / 2;
    }
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, SIDE, SIDE));
    OK(ctx, sl_matrix_build(A, rows, cols, values, 3 * SIDE, SL_PLUS_FP64));
    return A;
}

static sl_vector *vector(sl_context *ctx, uint64_t step)
{
    uint64_t index[SIDE], count = 0;
    sl_vector *v;
    for (uint64_t i = SIDE; i-- > 0;)
        if (i % step == 0)
            index[count++] = i;
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, SIDE));
    OK(ctx, sl_vector_build(v, index, NULL, count, NULL));
    return v;
}

static const uint64_t some[] = {7, 3, 31, 0, 12}, back[] = {SIDE - 1, 0, (uint64_t)-2};

static void whole_matrices(sl_context *ctx, sl_matrix *C, sl_matrix *A, sl_matrix *B)
{
    sl_descriptor structure = sl_descriptor_get(SL_STRUCTURE | SL_REPLACE);
    sl_scalar two = sl_scalar_fp64(2);
    OK(ctx, sl_matrix_ewise_add(C, NULL, NULL, SL_PLUS_FP64, A, B, NULL));
    OK(ctx, sl_mxm(C, A, SL_PLUS_FP64, SL_PLUS_TIMES_FP64, A, B, structure));
    OK(ctx, sl_mxm(C, NULL, SL_PLUS_FP64, SL_PLUS_TIMES_FP64, A, B, NULL));
    OK(ctx, sl_transpose(C, NULL, SL_MAX_FP64, C, NULL));
    OK(ctx, sl_matrix_select(C, NULL, NULL, SL_VALUEGT_FP64, C, two, NULL));
    OK(ctx, sl_matrix_apply_second(C, B, NULL, SL_TIMES_FP64, C, two, NULL));
}

static void parts_of_matrices(sl_context *ctx, sl_matrix *C, sl_matrix *A, sl_vector *u)
{
    sl_matrix *part;
    sl_scalar two = sl_scalar_fp64(2);
    OK(ctx, sl_matrix_new(&part, ctx, SL_FP64, 5, 5));
    OK(ctx, sl_matrix_extract(part, NULL, NULL, A, some, 5, some, 5, NULL));
    OK(ctx, sl_matrix_assign(C, NULL, SL_PLUS_FP64, part, some, 5, some, 5, NULL));
    OK(ctx, sl_matrix_assign_scalar(C, A, NULL, two, back, SL_RANGE, SL_ALL, 0, NULL));
    OK(ctx, sl_matrix_assign_scalar(C, NULL, SL_MIN_FP64, two, some, 5, some, 2, NULL));
    OK(ctx, sl_matrix_assign_row(C, NULL, SL_PLUS_FP64, u, 3, SL_ALL, 0, NULL));
    OK(ctx, sl_matrix_assign_column(C, u, NULL, u, SL_ALL, 0, 5, NULL));
    OK(ctx, sl_matrix_resize(part, 2, 2));
    sl_matrix *product;
    OK(ctx, sl_matrix_new(&product, ctx, SL_FP64, 2 * SIDE, 2 * SIDE));
    OK(ctx, sl_kronecker(product, NULL, NULL, SL_TIMES_FP64, part, C, NULL));
    OK(ctx, sl_matrix_resize(product, SIDE, SIDE));
    OK(ctx, sl_matrix_ewise_add(C, NULL, NULL, SL_PLUS_FP64, C, product, NULL));
    sl_matrix_free(product);
    sl_matrix_free(part);
}

static void vectors(sl_context *ctx, sl_vector *w, const sl_matrix *C, const sl_vector *u)
{
    sl_vector *d;
    sl_matrix *D;
    OK(ctx, sl_vxm(w, NULL, NULL, SL_PLUS_TIMES_FP64, u, C, NULL));
    OK(ctx, sl_matrix_extract_column(w, NULL, SL_PLUS_FP64, C, SL_ALL, 0, 5, NULL));
    OK(ctx, sl_vector_diag(&d, C, 0));
    OK(ctx, sl_vector_ewise_add(w, u, NULL, SL_PLUS_FP64, w, d, NULL));
    OK(ctx, sl_matrix_diag(&D, w, 0));
    OK(ctx, sl_matrix_reduce_rows(w, NULL, SL_MAX_FP64, SL_PLUS_MONOID_FP64, D, NULL));
    OK(ctx, sl_vector_set(w, 1, sl_scalar_fp64(11)));
    OK(ctx, sl_vector_remove(w, 0));
    sl_matrix_free(D);
    sl_vector_free(d);
}

static void read_all(sl_context *ctx, results *r, const sl_matrix *C, const sl_vector *w)
{
    sl_matrix *copy;
    r->count = r->vector_count = MOST;
    OK(ctx, sl_matrix_dup(&copy, C));
    OK(ctx, sl_matrix_equal(&r->equal, copy, C));
    OK(ctx, sl_matrix_is_pattern(&r->pattern, copy));
    OK(ctx, sl_matrix_reduce(&r->sum, NULL, SL_PLUS_MONOID_FP64, copy));
    OK(ctx, sl_matrix_get(&r->entry, copy, 0, 5));
    OK(ctx, sl_matrix_extract_tuples(r->rows, r->cols, r->values, &r->count, C));
    OK(ctx, sl_vector_extract_tuples(r->index, r->vector_values, &r->vector_count, w));
    sl_matrix_free(copy);
}

static void program(sl_context *ctx, results *r)
{
    sl_matrix *A = matrix(ctx, 1), *B = matrix(ctx, 2), *C;
    sl_vector *u = vector(ctx, 2), *w;
    OK(ctx, sl_matrix_new(&C, ctx, SL_FP64, SIDE, SIDE));
    OK(ctx, sl_vector_new(&w, ctx, SL_FP64, SIDE));
    whole_matrices(ctx, C, A, B);
    parts_of_matrices(ctx, C, A, u);
    vectors(ctx, w, C, u);
    read_all(ctx, r, C, w);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
    sl_vector_free(u);
    sl_vector_free(w);
}

/* A context of the cuda engine; skips the test if there is no GPU. */
static sl_context *gpu_context(void)
{
    sl_context *ctx = NULL;
    if (!has_gpu())
        skip();
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_CUDA), SL_OK);
    return ctx;
}

static void test_a_program_stays_on_the_gpu(void **state)
{
    static results here, there;
    sl_context_counts counts;
    sl_context *gpu = gpu_context(), *host;
    assert_int_equal(sl_context_create(&host, SL_ENGINE_SUITESPARSE), SL_OK);
    program(host, &here);
    program(gpu, &there);
    sl_context_get_counts(gpu, &counts);
    assert_int_equal(counts.fallbacks, 0);
    assert_int_equal(counts.copies, 0);
    assert_int_equal(counts.bytes_copied, 0);
    assert_true(here.count > SIDE && here.vector_count > 1);
    assert_int_equal(there.count, here.count);
    assert_int_equal(there.vector_count, here.vector_count);
    assert_memory_equal(there.rows, here.rows, here.count * sizeof *here.rows);
    assert_memory_equal(there.cols, here.cols, here.count * sizeof *here.cols);
    assert_memory_equal(there.values, here.values, here.count * sizeof *here.values);
    assert_memory_equal(there.index, here.index, here.vector_count * sizeof *here.index);
    assert_memory_equal(there.vector_values, here.vector_values,
                        here.vector_count * sizeof *here.vector_values);
    assert_true(sl_scalar_equal(there.sum, here.sum));
    assert_true(sl_scalar_equal(there.entry, here.entry));
    assert_true(there.equal && here.equal && !there.pattern && !here.pattern);
    sl_context_free(gpu);
    sl_context_free(host);
}

/* Single entries of a matrix are accessed on the host: one copy to the host and one back, for any
 * number of entries. */
static void test_entries_of_a_matrix_cost_one_copy_each_way(void **state)
{
    sl_context_counts counts;
    sl_context *gpu = gpu_context();
    sl_matrix *A = matrix(gpu, 3);
    for (uint64_t i = 0; i < SIDE; i++)
        OK(gpu, sl_matrix_set(A, i, SIDE - 1 - i, sl_scalar_fp64(3)));
    OK(gpu, sl_matrix_remove(A, 0, 0));
    OK(gpu, sl_transpose(A, NULL, NULL, A, NULL));
    OK(gpu, sl_transpose(A, NULL, NULL, A, NULL));
    sl_context_get_counts(gpu, &counts);
    assert_int_equal(counts.copies, 2);
    sl_matrix_free(A);
    sl_context_free(gpu);
}

/* A few entries of a vector are set on the GPU; for many, the vector is copied to the host once. */
static void test_entries_of_a_vector(void **state)
{
    enum { LONG = 1000 };
    sl_context_counts counts;
    sl_context *gpu = gpu_context();
    sl_vector *v;
    uint64_t nvals;
    OK(gpu, sl_vector_new(&v, gpu, SL_FP64, LONG));
    OK(gpu, sl_vector_set(v, 17, sl_scalar_fp64(3)));
    OK(gpu, sl_vector_apply(v, NULL, NULL, SL_AINV_FP64, v, NULL));
    OK(gpu, sl_vector_remove(v, 17));
    OK(gpu, sl_vector_nvals(&nvals, v));
    assert_int_equal(nvals, 0);
    sl_context_get_counts(gpu, &counts);
    assert_int_equal(counts.copies, 0);
    for (uint64_t i = 0; i < LONG; i++)
        OK(gpu, sl_vector_set(v, i, sl_scalar_fp64((double)i)));
    OK(gpu, sl_vector_apply(v, NULL, NULL, SL_AINV_FP64, v, NULL));
    OK(gpu, sl_vector_nvals(&nvals, v));
    assert_int_equal(nvals, LONG);
    sl_context_get_counts(gpu, &counts);
    assert_int_equal(counts.copies, 2);
    sl_vector_free(v);
    sl_context_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_program_stays_on_the_gpu),
        cmocka_unit_test(test_entries_of_a_matrix_cost_one_copy_each_way),
        cmocka_unit_test(test_entries_of_a_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
