/*
 * Every public function with every one of its allocations failing, SuiteSparse's
 * own among them: the status is SL_NO_MEMORY, nothing leaks, inputs are what they
 * were and outputs can be used again.
 */
#include "support.h"

#include <string.h>

enum { SIDE = 6 };

static sl_context *ctx;

/* What an operation may use; all but the outputs C and w are inputs. */
typedef struct {
    sl_matrix *A, *B, *mask, *C;
    sl_vector *u, *v, *vmask, *w;
} objects;

typedef sl_status (*operation)(objects *o);

#define TRY(call)                                                                                  \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* ---- operands ---------------------------------------------------------------- */

/* How the inputs' entries are kept: a few, as lists; all but one; all; and a few
 * that were set one by one, which an engine may not have put in order yet. */
typedef enum { SPARSE, DENSE, FULL, SET, FORMS } form;

static bool in_matrix(form kept, uint64_t i, uint64_t j)
{
    return kept == FULL || (kept == DENSE ? i + j > 0 : j == (i + 1) % SIDE);
}

static bool in_vector(form kept, uint64_t i)
{
    return kept == FULL || (kept == DENSE ? i > 0 : i == 2);
}

static sl_status make_matrix(sl_matrix **A, form kept, bool pattern)
{
    uint64_t rows[SIDE * SIDE], cols[SIDE * SIDE], count = 0;
    double values[SIDE * SIDE];
    for (uint64_t i = 0; i < SIDE; i++)
        for (uint64_t j = 0; j < SIDE; j++)
            if (in_matrix(kept, i, j)) {
                rows[count] = i;
                cols[count] = j;
                values[count++] = (double)(i + 10 * j);
            }
    TRY(sl_matrix_new(A, ctx, SL_FP64, SIDE, SIDE));
    for (uint64_t k = 0; kept == SET && k < count; k++)
        TRY(sl_matrix_set(*A, rows[k], cols[k], sl_scalar_fp64(pattern ? 1 : values[k])));
    if (kept == SET)
        return SL_OK;
    return sl_matrix_build(*A, rows, cols, pattern ? NULL : values, count, NULL);
}

static sl_status make_vector(sl_vector **v, form kept)
{
    uint64_t index[SIDE], count = 0;
    double values[SIDE];
    for (uint64_t i = 0; i < SIDE; i++)
        if (in_vector(kept, i)) {
            index[count] = i;
            values[count++] = (double)i;
        }
    TRY(sl_vector_new(v, ctx, SL_FP64, SIDE));
    for (uint64_t k = 0; kept == SET && k < count; k++)
        TRY(sl_vector_set(*v, index[k], sl_scalar_fp64(values[k])));
    if (kept == SET)
        return SL_OK;
    return sl_vector_build(*v, index, values, count, NULL);
}

static sl_status make_objects(objects *o, form kept)
{
    TRY(make_matrix(&o->A, kept, false));
    TRY(make_matrix(&o->B, kept, true));
    TRY(make_matrix(&o->mask, SPARSE, false));
    TRY(make_matrix(&o->C, DENSE, false));
    TRY(make_vector(&o->u, kept));
    TRY(make_vector(&o->v, FULL));
    TRY(make_vector(&o->vmask, SPARSE));
    return make_vector(&o->w, SPARSE);
}

static void free_objects(objects *o)
{
    sl_matrix *const matrices[] = {o->A, o->B, o->mask, o->C};
    sl_vector *const vectors[] = {o->u, o->v, o->vmask, o->w};
    for (int k = 0; k < 4; k++) {
        sl_matrix_free(matrices[k]);
        sl_vector_free(vectors[k]);
    }
}

static void check_matrix(const sl_matrix *A, form kept, bool pattern)
{
    uint64_t rows[SIDE * SIDE], cols[SIDE * SIDE], count = SIDE * SIDE, k = 0;
    double values[SIDE * SIDE];
    OK(ctx, sl_matrix_extract_tuples(rows, cols, values, &count, A));
    if (kept == SET && count == 0)
        return; /* lost when they were to be put in order: see sl_matrix_set */
    for (uint64_t i = 0; i < SIDE; i++)
        for (uint64_t j = 0; j < SIDE; j++)
            if (in_matrix(kept, i, j)) {
                assert_true(k < count && rows[k] == i && cols[k] == j);
                assert_true(values[k] == (pattern ? 1 : (double)(i + 10 * j)));
                k++;
            }
    assert_int_equal(k, count);
}

static void check_vector(const sl_vector *v, form kept)
{
    uint64_t index[SIDE], count = SIDE, k = 0;
    double values[SIDE];
    OK(ctx, sl_vector_extract_tuples(index, values, &count, v));
    if (kept == SET && count == 0)
        return;
    for (uint64_t i = 0; i < SIDE; i++)
        if (in_vector(kept, i)) {
            assert_true(k < count && index[k] == i && values[k] == (double)i);
            k++;
        }
    assert_int_equal(k, count);
}

/* Inputs are as they were; outputs hold something, and can be filled anew. */
static void check_objects(objects *o, form kept)
{
    uint64_t count;
    check_matrix(o->A, kept, false);
    check_matrix(o->B, kept, true);
    check_matrix(o->mask, SPARSE, false);
    check_vector(o->u, kept);
    check_vector(o->v, FULL);
    check_vector(o->vmask, SPARSE);
    OK(ctx, sl_matrix_nvals(&count, o->C));
    OK(ctx, sl_matrix_apply(o->C, NULL, NULL, SL_IDENTITY_FP64, o->A, NULL));
    check_matrix(o->C, kept, false);
    OK(ctx, sl_vector_nvals(&count, o->w));
    OK(ctx, sl_vector_apply(o->w, NULL, NULL, SL_IDENTITY_FP64, o->u, NULL));
    check_vector(o->w, kept);
}

/* ---- the operations ------------------------------------------------------------ */

static sl_descriptor replace(void)
{
    return sl_descriptor_get(SL_REPLACE);
}

static sl_status vxm(objects *o)
{
    TRY(sl_vxm(o->w, o->vmask, NULL, SL_PLUS_TIMES_FP64, o->u, o->A, replace()));
    return sl_vxm(o->w, o->vmask, SL_PLUS_FP64, SL_MIN_SECONDI_INT64, o->u, o->A,
                  sl_descriptor_get(SL_COMPLEMENT | SL_TRANSPOSE_B));
}

static sl_status mxv(objects *o)
{
    TRY(sl_mxv(o->w, o->vmask, NULL, SL_PLUS_TIMES_FP64, o->A, o->u, replace()));
    return sl_mxv(o->w, NULL, SL_PLUS_FP64, SL_ANY_PAIR_BOOL, o->B, o->v,
                  sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status mxm(objects *o)
{
    TRY(sl_mxm(o->C, o->mask, NULL, SL_PLUS_TIMES_FP64, o->A, o->B, replace()));
    TRY(sl_mxm(o->C, NULL, SL_PLUS_FP64, SL_PLUS_PAIR_INT64, o->A, o->A,
               sl_descriptor_get(SL_TRANSPOSE_A)));
    return sl_mxm(o->C, o->mask, SL_PLUS_FP64, SL_MIN_SECONDI_INT64, o->B, o->A,
                  sl_descriptor_get(SL_COMPLEMENT | SL_STRUCTURE | SL_TRANSPOSE_B));
}

static sl_status ewise(objects *o)
{
    TRY(sl_vector_ewise_add(o->w, o->vmask, NULL, SL_PLUS_FP64, o->u, o->v, replace()));
    TRY(sl_vector_ewise_mult(o->w, NULL, SL_MIN_FP64, SL_TIMES_INT32, o->u, o->v, NULL));
    TRY(sl_matrix_ewise_add(o->C, o->mask, NULL, SL_PLUS_FP64, o->A, o->B, replace()));
    TRY(sl_matrix_ewise_add(o->C, o->A, NULL, SL_PLUS_INT32, o->A, o->A, NULL));
    return sl_matrix_ewise_mult(o->C, NULL, SL_MIN_FP64, SL_TIMES_INT32, o->A, o->B,
                                sl_descriptor_get(SL_TRANSPOSE_B));
}

static sl_status apply(objects *o)
{
    sl_scalar k = sl_scalar_int64(1);
    TRY(sl_vector_apply(o->w, o->vmask, NULL, SL_AINV_FP64, o->u, replace()));
    TRY(sl_vector_apply_index(o->w, o->vmask, NULL, SL_ROWINDEX_INT64, o->u, k, NULL));
    TRY(sl_matrix_apply(o->C, o->mask, SL_PLUS_FP64, SL_AINV_FP64, o->A, NULL));
    return sl_matrix_apply_index(o->C, NULL, NULL, SL_COLINDEX_INT64, o->A, k,
                                 sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status selection(objects *o)
{
    sl_scalar k = sl_scalar_int64(1);
    TRY(sl_vector_select(o->w, o->vmask, NULL, SL_VALUEGT_FP64, o->u, k, NULL));
    TRY(sl_matrix_select(o->C, NULL, NULL, SL_TRIL_BOOL, o->A, k, NULL));
    return sl_matrix_select(o->C, o->mask, SL_PLUS_FP64, SL_VALUEGT_FP64, o->A, k,
                            sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status transpose(objects *o)
{
    TRY(sl_transpose(o->C, o->mask, SL_PLUS_FP64, o->A, NULL));
    return sl_transpose(o->C, NULL, NULL, o->A, NULL);
}

static sl_status reduce(objects *o)
{
    sl_scalar sum;
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, o->u));
    TRY(sl_matrix_reduce(&sum, SL_MAX_FP64, SL_MAX_MONOID_FP64, o->A));
    TRY(sl_matrix_reduce_rows(o->w, o->vmask, NULL, SL_PLUS_MONOID_FP64, o->A, NULL));
    return sl_matrix_reduce_rows(o->w, NULL, SL_PLUS_FP64, SL_PLUS_MONOID_FP64, o->B,
                                 sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status reduce_no_rows(objects *o)
{
    sl_matrix *nothing;
    TRY(sl_matrix_new(&nothing, ctx, SL_FP64, SIDE, 0));
    sl_status status = sl_matrix_reduce_rows(o->w, NULL, NULL, SL_PLUS_MONOID_FP64, nothing, NULL);
    sl_matrix_free(nothing);
    return status;
}

static sl_status vector_assign(objects *o)
{
    static const uint64_t all_but_one[] = {5, 4, 3, 2, 1};
    sl_scalar x = sl_scalar_fp64(3);
    TRY(sl_vector_assign(o->w, o->vmask, NULL, o->v, SL_ALL, 0, replace()));
    TRY(sl_vector_assign_scalar(o->w, NULL, SL_PLUS_FP64, x, all_but_one, 5, NULL));
    TRY(sl_vector_assign(o->w, o->u, NULL, o->u, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    return sl_vector_assign_scalar(o->w, o->vmask, NULL, x, SL_ALL, 0, NULL);
}

static sl_status matrix_assign(objects *o)
{
    static const uint64_t swapped[] = {1, 0, 2, 3, 5, 4};
    sl_scalar x = sl_scalar_fp64(3);
    TRY(sl_matrix_assign(o->C, o->mask, NULL, o->A, SL_ALL, 0, SL_ALL, 0, replace()));
    TRY(sl_matrix_assign(o->C, NULL, SL_PLUS_FP64, o->A, swapped, 6, swapped, 6, NULL));
    TRY(sl_matrix_assign_scalar(o->C, o->mask, NULL, x, swapped, 3, SL_ALL, 0, NULL));
    return sl_matrix_assign_scalar(o->C, NULL, NULL, x, SL_ALL, 0, SL_ALL, 0, NULL);
}

static sl_status extraction(objects *o)
{
    static const uint64_t some[] = {1, 1, 2, 3, 5, 0};
    TRY(sl_vector_extract(o->w, o->vmask, NULL, o->u, some, 6, NULL));
    TRY(sl_matrix_extract(o->C, o->mask, SL_PLUS_FP64, o->A, some, 6, SL_ALL, 0, NULL));
    TRY(sl_matrix_extract(o->C, NULL, NULL, o->A, SL_ALL, 0, some, 6,
                          sl_descriptor_get(SL_TRANSPOSE_A)));
    return sl_matrix_extract_column(o->w, NULL, NULL, o->A, some, 6, 3, NULL);
}

static sl_status tuples(objects *o)
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

static sl_status dup(objects *o)
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

static sl_status single_entries(objects *o)
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

static sl_status rebuild(objects *o)
{
    static const uint64_t index[] = {3, 1, 3, 2};
    TRY(sl_matrix_clear(o->C));
    TRY(sl_vector_clear(o->w));
    TRY(sl_matrix_build(o->C, index, index, NULL, 4, SL_FIRST_FP64));
    TRY(sl_matrix_clear(o->C));
    TRY(sl_matrix_build(o->C, index, index, NULL, 4, SL_PLUS_FP64));
    return sl_vector_build(o->w, index, NULL, 4, SL_PLUS_FP64);
}

static sl_status copy_rows(objects *o)
{
    sl_matrix *const from[] = {o->A, o->B, o->C};
    for (int k = 0; k < 3; k++) {
        sl_csr csr;
        sl_status status = sl_matrix_copy_csr(&csr, from[k]);
        assert_true((status == SL_OK) == (csr.start != NULL && csr.index != NULL));
        sl_free(csr.start);
        sl_free(csr.index);
        sl_free(csr.values);
        TRY(status);
    }
    return SL_OK;
}

/* What cannot be taken stays the caller's. */
static sl_status take_rows(objects *o)
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

static sl_status symmetry(objects *o)
{
    bool symmetric;
    TRY(sl_matrix_is_symmetric(&symmetric, o->A));
    TRY(sl_matrix_is_symmetric(&symmetric, o->mask));
    TRY(sl_matrix_optimize(o->C, SL_FOR_TRAVERSAL));
    return sl_matrix_promise_symmetric(o->C);
}

/* ---- all of them ---------------------------------------------------------------- */

typedef struct {
    operation run;
    form kept;
} trial;

static sl_status attempt(void *data)
{
    const trial *t = data;
    objects o = {0};
    sl_status status = make_objects(&o, t->kept);
    if (status == SL_OK) {
        status = t->run(&o);
        allocator_fail_after(-1);
        check_objects(&o, t->kept);
    }
    free_objects(&o);
    return status;
}

static void test_operations(void **state)
{
    static const operation operations[] = {vxm,           mxv,           mxm,
                                           ewise,         apply,         selection,
                                           transpose,     reduce,        reduce_no_rows,
                                           vector_assign, matrix_assign, extraction,
                                           tuples,        dup,           single_entries,
                                           rebuild,       copy_rows,     take_rows,
                                           symmetry};
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

/* The first context of the process, SuiteSparse's start with it, and a later one. */
static void test_context(void **state)
{
    assert_true(allocator_fail_each(make_context, NULL) > 0);
    assert_true(allocator_fail_each(make_context, NULL) > 0);
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_OK);
}

static void test_nothing_is_left(void **state)
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
        cmocka_unit_test(test_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
