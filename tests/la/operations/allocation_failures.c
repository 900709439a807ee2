/*
 * Every public function with each of its allocations failing in turn, those of SuiteSparse
 * included: the status is SL_NO_MEMORY, nothing leaks, inputs are unchanged and outputs are valid
 * objects.
 */
#include "operands.h"

static sl_context *ctx;

typedef sl_status (*operation)(operands *o);

/* ---- operations ------------------------------------------------------------------ */

static sl_descriptor replace(void)
{
    return sl_descriptor_get(SL_REPLACE);
}

static sl_status vxm(operands *o)
{
    TRY(sl_vxm(o->w, o->vmask, NULL, SL_PLUS_TIMES_FP64, o->u, o->A, replace()));
    return sl_vxm(o->w, o->vmask, SL_PLUS_FP64, SL_MIN_SECONDI_INT64, o->u, o->A,
                  sl_descriptor_get(SL_COMPLEMENT | SL_TRANSPOSE_B));
}

static sl_status mxv(operands *o)
{
    TRY(sl_mxv(o->w, o->vmask, NULL, SL_PLUS_TIMES_FP64, o->A, o->u, replace()));
    return sl_mxv(o->w, NULL, SL_PLUS_FP64, SL_ANY_PAIR_BOOL, o->B, o->v,
                  sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status mxm(operands *o)
{
    TRY(sl_mxm(o->C, o->mask, NULL, SL_PLUS_TIMES_FP64, o->A, o->B, replace()));
    TRY(sl_mxm(o->C, NULL, SL_PLUS_FP64, SL_PLUS_PAIR_INT64, o->A, o->A,
               sl_descriptor_get(SL_TRANSPOSE_A)));
    return sl_mxm(o->C, o->mask, SL_PLUS_FP64, SL_MIN_SECONDI_INT64, o->B, o->A,
                  sl_descriptor_get(SL_COMPLEMENT | SL_STRUCTURE | SL_TRANSPOSE_B));
}

static sl_status ewise(operands *o)
{
    TRY(sl_vector_ewise_add(o->w, o->vmask, NULL, SL_PLUS_FP64, o->u, o->v, replace()));
    TRY(sl_vector_ewise_mult(o->w, NULL, SL_MIN_FP64, SL_TIMES_INT32, o->u, o->v, NULL));
    TRY(sl_matrix_ewise_add(o->C, o->mask, NULL, SL_PLUS_FP64, o->A, o->B, replace()));
    TRY(sl_matrix_ewise_add(o->C, o->A, NULL, SL_PLUS_INT32, o->A, o->A, NULL));
    return sl_matrix_ewise_mult(o->C, NULL, SL_MIN_FP64, SL_TIMES_INT32, o->A, o->B,
                                sl_descriptor_get(SL_TRANSPOSE_B));
}

static sl_status ewise_union(operands *o)
{
    sl_scalar x = sl_scalar_fp64(1), y = sl_scalar_int8(2);
    TRY(sl_vector_ewise_union(o->w, o->vmask, NULL, SL_MINUS_FP64, o->u, x, o->v, y, replace()));
    TRY(sl_vector_ewise_union(o->w, NULL, NULL, SL_PLUS_FP64, o->u, x, o->v, y, NULL));
    TRY(sl_matrix_ewise_union(o->C, NULL, SL_PLUS_FP64, SL_MINUS_INT32, o->A, x, o->B, y,
                              sl_descriptor_get(SL_TRANSPOSE_A)));
    return sl_matrix_ewise_union(o->C, o->mask, NULL, SL_DIV_FP64, o->A, x, o->A, y, replace());
}

/* With a factor of 1 x 1, so that the product has the shape of the output. */
static sl_status kronecker(operands *o)
{
    sl_matrix *one;
    TRY(sl_matrix_new(&one, ctx, SL_FP64, 1, 1));
    sl_status status = sl_matrix_set(one, 0, 0, sl_scalar_fp64(2));
    if (status == SL_OK)
        status = sl_kronecker(o->C, o->mask, NULL, SL_TIMES_FP64, o->A, one, replace());
    if (status == SL_OK)
        status = sl_kronecker(o->C, NULL, SL_PLUS_FP64, SL_MINUS_INT16, one, o->A,
                              sl_descriptor_get(SL_TRANSPOSE_B));
    sl_matrix_free(one);
    return status;
}

static sl_status apply_bound(operands *o)
{
    sl_scalar x = sl_scalar_int64(3);
    TRY(sl_vector_apply_first(o->w, o->vmask, NULL, SL_MINUS_FP64, x, o->u, replace()));
    TRY(sl_vector_apply_second(o->w, NULL, SL_PLUS_FP64, SL_MINUS_INT32, o->u, x, NULL));
    TRY(sl_matrix_apply_first(o->C, o->mask, NULL, SL_FIRSTJ_INT64, x, o->A, NULL));
    return sl_matrix_apply_second(o->C, NULL, NULL, SL_DIV_FP64, o->A, x,
                                  sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status apply(operands *o)
{
    sl_scalar k = sl_scalar_int64(1);
    TRY(sl_vector_apply(o->w, o->vmask, NULL, SL_AINV_FP64, o->u, replace()));
    TRY(sl_vector_apply_index(o->w, o->vmask, NULL, SL_ROWINDEX_INT64, o->u, k, NULL));
    TRY(sl_matrix_apply(o->C, o->mask, SL_PLUS_FP64, SL_AINV_FP64, o->A, NULL));
    return sl_matrix_apply_index(o->C, NULL, NULL, SL_COLINDEX_INT64, o->A, k,
                                 sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status selection(operands *o)
{
    sl_scalar k = sl_scalar_int64(1);
    TRY(sl_vector_select(o->w, o->vmask, NULL, SL_VALUEGT_FP64, o->u, k, NULL));
    TRY(sl_matrix_select(o->C, NULL, NULL, SL_TRIL_BOOL, o->A, k, NULL));
    return sl_matrix_select(o->C, o->mask, SL_PLUS_FP64, SL_VALUEGT_FP64, o->A, k,
                            sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status transpose(operands *o)
{
    TRY(sl_transpose(o->C, o->mask, SL_PLUS_FP64, o->A, NULL));
    return sl_transpose(o->C, NULL, NULL, o->A, NULL);
}

static sl_status reduce(operands *o)
{
    sl_scalar sum;
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, o->u));
    TRY(sl_vector_reduce_pair(&sum, NULL, SL_PLUS_MONOID_FP64, SL_ABS_FP64, SL_MINUS_FP64, o->u,
                              o->u));
    TRY(sl_matrix_reduce(&sum, SL_MAX_FP64, SL_MAX_MONOID_FP64, o->A));
    TRY(sl_matrix_reduce_rows(o->w, o->vmask, NULL, SL_PLUS_MONOID_FP64, o->A, NULL));
    return sl_matrix_reduce_rows(o->w, NULL, SL_PLUS_FP64, SL_PLUS_MONOID_FP64, o->B,
                                 sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status reduce_no_rows(operands *o)
{
    sl_matrix *nothing;
    TRY(sl_matrix_new(&nothing, ctx, SL_FP64, SIDE, 0));
    sl_status status = sl_matrix_reduce_rows(o->w, NULL, NULL, SL_PLUS_MONOID_FP64, nothing, NULL);
    sl_matrix_free(nothing);
    return status;
}

static sl_status vector_assign(operands *o)
{
    static const uint64_t all_but_one[] = {5, 4, 3, 2, 1};
    sl_scalar x = sl_scalar_fp64(3);
    TRY(sl_vector_assign(o->w, o->vmask, NULL, o->v, SL_ALL, 0, replace()));
    TRY(sl_vector_assign_scalar(o->w, NULL, SL_PLUS_FP64, x, all_but_one, 5, NULL));
    TRY(sl_vector_assign(o->w, o->u, NULL, o->u, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    return sl_vector_assign_scalar(o->w, o->vmask, NULL, x, SL_ALL, 0, NULL);
}

static sl_status matrix_assign(operands *o)
{
    static const uint64_t swapped[] = {1, 0, 2, 3, 5, 4};
    sl_scalar x = sl_scalar_fp64(3);
    TRY(sl_matrix_assign(o->C, o->mask, NULL, o->A, SL_ALL, 0, SL_ALL, 0, replace()));
    TRY(sl_matrix_assign(o->C, NULL, SL_PLUS_FP64, o->A, swapped, 6, swapped, 6, NULL));
    TRY(sl_matrix_assign_scalar(o->C, o->mask, NULL, x, swapped, 3, SL_ALL, 0, NULL));
    return sl_matrix_assign_scalar(o->C, NULL, NULL, x, SL_ALL, 0, SL_ALL, 0, NULL);
}

static sl_status row_col_assign(operands *o)
{
    static const uint64_t some[] = {5, 0, 2, 1, 3, 4};
    TRY(sl_matrix_assign_row(o->C, NULL, NULL, o->v, 2, SL_ALL, 0, NULL));
    TRY(sl_matrix_assign_row(o->C, o->vmask, SL_PLUS_FP64, o->u, 3, some, 6, replace()));
    TRY(sl_matrix_assign_column(o->C, o->u, NULL, o->u, some, 6, 1, NULL));
    return sl_matrix_assign_column(o->C, NULL, SL_PLUS_FP64, o->v, SL_ALL, 0, 5, NULL);
}

static sl_status ranges(operands *o)
{
    static const uint64_t all[] = {0, SIDE, 1}, back[] = {SIDE - 1, UINT64_MAX, UINT64_MAX};
    static const uint64_t even[] = {0, SIDE, 2}, none[] = {3, 3, 1};
    sl_scalar x = sl_scalar_fp64(3);
    TRY(sl_vector_assign(o->w, o->vmask, NULL, o->u, back, SL_RANGE, NULL));
    TRY(sl_matrix_assign(o->C, NULL, SL_PLUS_FP64, o->A, back, SL_RANGE, all, SL_RANGE, NULL));
    TRY(sl_matrix_assign_scalar(o->C, o->mask, NULL, x, even, SL_RANGE, none, SL_RANGE, NULL));
    TRY(sl_matrix_extract(o->C, o->mask, NULL, o->A, all, SL_RANGE, back, SL_RANGE, replace()));
    return sl_vector_extract(o->w, NULL, NULL, o->v, back, SL_RANGE, NULL);
}

static sl_status extraction(operands *o)
{
    static const uint64_t some[] = {1, 1, 2, 3, 5, 0};
    TRY(sl_vector_extract(o->w, o->vmask, NULL, o->u, some, 6, NULL));
    TRY(sl_matrix_extract(o->C, o->mask, SL_PLUS_FP64, o->A, some, 6, SL_ALL, 0, NULL));
    TRY(sl_matrix_extract(o->C, NULL, NULL, o->A, SL_ALL, 0, some, 6,
                          sl_descriptor_get(SL_TRANSPOSE_A)));
    return sl_matrix_extract_column(o->w, NULL, NULL, o->A, some, 6, 3, NULL);
}

/* The values of `from`, which are indices, as integers. */
static sl_status make_indices(sl_vector **indices, const sl_vector *from)
{
    TRY(sl_vector_new(indices, ctx, SL_INT64, SIDE));
    return sl_vector_apply(*indices, NULL, NULL, SL_IDENTITY_FP64, from, NULL);
}

static sl_status index_vectors_of(operands *o, sl_vector **few, sl_vector **all)
{
    TRY(make_indices(few, o->u));
    TRY(make_indices(all, o->v));
    TRY(sl_vector_gather(o->w, o->vmask, NULL, o->v, *few, replace()));
    TRY(sl_vector_gather(o->w, NULL, SL_PLUS_FP64, o->u, *all, NULL));
    TRY(sl_vector_scatter(o->w, NULL, SL_MIN_FP64, SL_MIN_MONOID_FP64, o->v, *few, NULL));
    TRY(sl_vector_scatter(o->w, o->vmask, NULL, SL_PLUS_MONOID_INT64, o->v, *all, replace()));
    TRY(sl_vector_scatter(o->w, NULL, NULL, NULL, o->u, *all, NULL)); /* removes entries */
    TRY(sl_matrix_gather(o->C, o->mask, SL_PLUS_FP64, o->A, *all, NULL));
    return sl_vector_sort(o->w, *few, SL_GT_FP64, o->u);
}

static sl_status index_vectors(operands *o)
{
    sl_vector *few = NULL, *all = NULL;
    sl_status status = index_vectors_of(o, &few, &all);
    sl_vector_free(few);
    sl_vector_free(all);
    return status;
}

static sl_status tuples(operands *o)
{
    uint64_t rows[SIDE * SIDE], count = SIDE * SIDE;
    double values[SIDE * SIDE];
    bool pattern;
    TRY(sl_matrix_extract_tuples(rows, NULL, values, &count, o->A));
    count = SIDE;
    TRY(sl_vector_extract_tuples(rows, values, &count, o->u));
    TRY(sl_matrix_is_pattern(&pattern, o->B));
    return sl_matrix_nvals(&count, o->A);
}

static sl_status dup(operands *o)
{
    sl_matrix *copy = (sl_matrix *)1;
    sl_vector *vector_copy = (sl_vector *)1;
    sl_status status = sl_matrix_dup(&copy, o->A);
    assert_true((status == SL_OK) == (copy != NULL));
    if (status == SL_OK) {
        status = sl_vector_dup(&vector_copy, o->u);
        assert_true((status == SL_OK) == (vector_copy != NULL));
        sl_vector_free(vector_copy);
    }
    sl_matrix_free(copy);
    return status;
}

/* Objects that were created are freed; a function that failed has set its output to NULL. */
static sl_status diagonals(operands *o)
{
    sl_vector *v = (sl_vector *)1;
    sl_matrix *A = (sl_matrix *)1;
    sl_status status = sl_vector_diag(&v, o->A, 1);
    assert_true((status == SL_OK) == (v != NULL));
    if (status == SL_OK) {
        status = sl_matrix_diag(&A, v, -2);
        assert_true((status == SL_OK) == (A != NULL));
        sl_matrix_free(A);
    }
    sl_vector_free(v);
    return status;
}

/* After a failed resize, the object has its old shape. */
static sl_status resize(operands *o)
{
    for (uint64_t side = 4; side <= 9; side += 5) {
        sl_status status = sl_matrix_resize(o->C, side, side);
        assert_int_equal(sl_matrix_nrows(o->C) == side, status == SL_OK);
        if (status == SL_OK)
            status = sl_vector_resize(o->w, side);
        if (status != SL_OK) { /* the shape that check_operands expects */
            allocator_fail_after(-1);
            OK(ctx, sl_matrix_resize(o->C, SIDE, SIDE));
            OK(ctx, sl_vector_resize(o->w, SIDE));
            return status;
        }
    }
    sl_status status = sl_matrix_resize(o->C, SIDE, SIDE), of_vector = sl_vector_resize(o->w, SIDE);
    if (status != SL_OK || of_vector != SL_OK) {
        allocator_fail_after(-1);
        OK(ctx, sl_matrix_resize(o->C, SIDE, SIDE));
        OK(ctx, sl_vector_resize(o->w, SIDE));
    }
    return status != SL_OK ? status : of_vector;
}

static sl_status comparison(operands *o)
{
    bool equal;
    TRY(sl_matrix_equal(&equal, o->A, o->B));
    TRY(sl_vector_equal(&equal, o->u, o->v));
    TRY(sl_matrix_same_pattern(&equal, o->A, o->B));
    assert_true(equal);
    TRY(sl_vector_same_pattern(&equal, o->u, o->vmask));
    return SL_OK;
}

static sl_status single_entries(operands *o)
{
    sl_scalar x = sl_scalar_fp64(3);
    uint64_t count;
    for (uint64_t i = 0; i < SIDE; i++) {
        TRY(sl_matrix_set(o->C, i, SIDE - 1 - i, x));
        TRY(sl_vector_set(o->w, SIDE - 1 - i, x));
    }
    TRY(sl_matrix_nvals(&count, o->C));
    TRY(sl_matrix_get(&x, o->C, 0, SIDE - 1));
    TRY(sl_vector_get(&x, o->w, 0));
    TRY(sl_matrix_remove(o->C, 0, SIDE - 1));
    TRY(sl_vector_remove(o->w, 0));
    TRY(sl_vector_nvals(&count, o->w));
    return sl_matrix_nvals(&count, o->C);
}

static sl_status rebuild(operands *o)
{
    static const uint64_t index[] = {3, 1, 3, 2};
    TRY(sl_matrix_clear(o->C));
    TRY(sl_vector_clear(o->w));
    TRY(sl_matrix_build(o->C, index, index, NULL, 4, SL_FIRST_FP64));
    TRY(sl_matrix_clear(o->C));
    TRY(sl_matrix_build(o->C, index, index, NULL, 4, SL_PLUS_FP64));
    return sl_vector_build(o->w, index, NULL, 4, SL_PLUS_FP64);
}

static sl_status copy_rows(operands *o)
{
    sl_matrix *const from[] = {o->A, o->B, o->C};
    for (int k = 0; k < 3; k++) {
        sl_csr csr;
        sl_status status = sl_matrix_copy_csr(&csr, from[k]);
        assert_true((status == SL_OK) == (csr.start != NULL && csr.index != NULL));
        free_rows(&csr);
        TRY(status);
    }
    return SL_OK;
}

/* Arrays that could not be imported are still owned by the caller. */
static sl_status take_rows(operands *o)
{
    sl_csr csr = {.nrows = 2, .ncols = 2, .type = SL_FP64};
    sl_matrix *A = (sl_matrix *)1;
    csr.start = sl_calloc(3, sizeof *csr.start);
    csr.index = sl_malloc(sizeof *csr.index);
    sl_status status = SL_NO_MEMORY;
    if (csr.start && csr.index) {
        csr.index[0] = 1;
        csr.start[1] = csr.start[2] = 1;
        status = sl_matrix_take_csr(&A, ctx, &csr);
        assert_true((status == SL_OK) == (A != NULL));
        assert_true((status == SL_OK) == (csr.start == NULL));
        assert_true((status == SL_OK) == (csr.index == NULL));
        sl_matrix_free(A);
    }
    sl_free(csr.start);
    sl_free(csr.index);
    return status;
}

static sl_status symmetry(operands *o)
{
    bool symmetric;
    TRY(sl_matrix_is_symmetric(&symmetric, o->A));
    TRY(sl_matrix_is_symmetric(&symmetric, o->mask));
    sl_value_range range;
    TRY(sl_matrix_value_range(&range, o->A));
    TRY(sl_matrix_optimize(o->C, SL_FOR_TRAVERSAL));
    TRY(sl_matrix_optimize(o->C, SL_FOR_TRAVERSAL | SL_PRUNED));
    return sl_matrix_promise_symmetric(o->C);
}

/* ---- all operations -------------------------------------------------------------- */

typedef struct {
    operation run;
    form kept;
} trial;

static sl_status attempt(void *data)
{
    const trial *t = data;
    operands o = {0};
    sl_status status = make_operands(&o, ctx, t->kept);
    if (status == SL_OK) {
        status = t->run(&o);
        allocator_fail_after(-1);
        check_operands(&o, ctx, t->kept);
    }
    free_operands(&o);
    return status;
}

static void test_operations(void **state)
{
    static const operation operations[] = {
        vxm,           mxv,           mxm,
        ewise,         ewise_union,   kronecker,
        apply,         apply_bound,   selection,
        transpose,     reduce,        reduce_no_rows,
        vector_assign, matrix_assign, row_col_assign,
        ranges,        extraction,    index_vectors,
        tuples,        dup,           diagonals,
        resize,        comparison,    single_entries,
        rebuild,       copy_rows,     take_rows,
        symmetry,
    };
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        for (int kept = 0; kept < FORMS; kept++) {
            trial t = {operations[k], (form)kept};
            assert_int_equal(attempt(&t), SL_OK);
            assert_true(allocator_fail_each(attempt, &t) > 0);
        }
}

static sl_status make_context(void *data)
{
    sl_context *made = (sl_context *)1;
    sl_status status = sl_context_create(&made, SL_ENGINE_AUTO);
    assert_true((status == SL_OK) == (made != NULL));
    sl_context_free(made);
    return status;
}

/* The first context of the process, which initialises SuiteSparse, and a later one. */
static void test_context(void **state)
{
    assert_true(allocator_fail_each(make_context, NULL) > 0);
    assert_true(allocator_fail_each(make_context, NULL) > 0);
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_OK);
}

static void test_no_allocation_is_left(void **state)
{
    sl_context_free(ctx);
    assert_int_equal(allocator_alive(), 0);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_no_allocation_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
