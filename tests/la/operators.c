/*
 * A user's own operators, monoids and semirings: they do what built-in ones do, in
 * every operation, with every allocation failing too, and none of another context.
 */
#include "objects.h"

#include <math.h>
#include <stdatomic.h>

enum { SIDE = 6 };

#define TRY(call)                                                                                  \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* ---- the users' functions, and built-in ones of the same meaning ------------ */

static void negative(void *z, const void *x)
{
    *(int32_t *)z = -*(const int32_t *)x;
}

/* Of the accumulator, which may be needed as long as it is there. */
static bool freed;
static atomic_int calls_of_the_freed;

static void sum(void *z, const void *x, const void *y)
{
    if (freed)
        calls_of_the_freed++;
    *(int32_t *)z = *(const int32_t *)x + *(const int32_t *)y;
}

static void product(void *z, const void *x, const void *y)
{
    *(int32_t *)z = *(const int32_t *)x * *(const int32_t *)y;
}

static void row(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int64_t *)z = i + *(const int64_t *)thunk;
}

static void greater(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(bool *)z = *(const int32_t *)x > *(const int32_t *)thunk;
}

/* One of each kind. */
typedef struct {
    sl_unary_op unary;
    sl_binary_op binary, multiply;
    sl_index_op index, condition;
    sl_monoid monoid;
    sl_semiring semiring;
} operators;

static operators built_in(void)
{
    return (operators){SL_AINV_INT32,      SL_PLUS_INT32,    SL_TIMES_INT32,
                       SL_ROWINDEX_INT64,  SL_VALUEGT_INT32, SL_PLUS_MONOID_INT32,
                       SL_PLUS_TIMES_INT32};
}

static sl_status define(operators *o, sl_context *of)
{
    TRY(sl_unary_op_new(&o->unary, of, "negative", SL_INT32, SL_INT32, negative, "*z = -*x;"));
    TRY(sl_binary_op_new(&o->binary, of, "sum", SL_INT32, SL_INT32, SL_INT32, sum, NULL));
    TRY(sl_binary_op_new(&o->multiply, of, "product", SL_INT32, SL_INT32, SL_INT32, product, NULL));
    TRY(sl_index_op_new(&o->index, of, "row", SL_INT64, SL_INT32, SL_INT64, row, NULL));
    TRY(sl_index_op_new(&o->condition, of, "greater", SL_BOOL, SL_INT32, SL_INT32, greater, NULL));
    TRY(sl_monoid_new(&o->monoid, of, "sums", o->binary, sl_scalar_int32(0), NULL));
    return sl_semiring_new(&o->semiring, of, "sums of products", o->monoid, o->multiply);
}

static void forget(operators *o)
{
    sl_unary_op_free(o->unary);
    sl_binary_op_free(o->binary);
    sl_binary_op_free(o->multiply);
    sl_index_op_free(o->index);
    sl_index_op_free(o->condition);
    sl_monoid_free(o->monoid);
    sl_semiring_free(o->semiring);
}

/* ---- every use of them ------------------------------------------------------- */

/* A is a band, B and v have one value everywhere; C, w and x are written. */
typedef struct {
    sl_matrix *A, *B, *mask, *C;
    sl_vector *u, *v, *w;
    sl_scalar x;
} objects;

static sl_status make_objects(objects *o)
{
    *o = (objects){.x = sl_scalar_int32(100)};
    TRY(sl_matrix_new(&o->A, ctx, SL_INT32, SIDE, SIDE));
    TRY(sl_matrix_new(&o->B, ctx, SL_INT32, SIDE, SIDE));
    TRY(sl_matrix_new(&o->mask, ctx, SL_BOOL, SIDE, SIDE));
    TRY(sl_vector_new(&o->u, ctx, SL_INT32, SIDE));
    TRY(sl_vector_new(&o->v, ctx, SL_INT32, SIDE));
    for (uint64_t i = 0; i < SIDE; i++) {
        TRY(sl_matrix_set(o->A, i, i, sl_scalar_int32((int32_t)i - 2)));
        TRY(sl_matrix_set(o->A, i, (i + 1) % SIDE, sl_scalar_int32(3)));
        TRY(sl_matrix_set(o->mask, i, 2 * i % SIDE, sl_scalar_bool(i != 3)));
    }
    TRY(sl_vector_set(o->u, 1, sl_scalar_int32(5)));
    TRY(sl_vector_set(o->u, 4, sl_scalar_int32(-7)));
    sl_scalar two = sl_scalar_int32(2);
    TRY(sl_matrix_assign_scalar(o->B, NULL, NULL, two, SL_ALL, 0, SL_ALL, 0, NULL));
    TRY(sl_vector_assign_scalar(o->v, NULL, NULL, two, SL_ALL, 0, NULL));
    TRY(sl_matrix_dup(&o->C, o->A));
    return sl_vector_dup(&o->w, o->u);
}

static void free_objects(objects *o)
{
    sl_matrix *const matrices[] = {o->A, o->B, o->mask, o->C};
    sl_vector *const vectors[] = {o->u, o->v, o->w};
    for (int k = 0; k < 4; k++)
        sl_matrix_free(matrices[k]);
    for (int k = 0; k < 3; k++)
        sl_vector_free(vectors[k]);
}

typedef sl_status (*use)(const operators *f, objects *o);

static sl_status vxm(const operators *f, objects *o)
{
    return sl_vxm(o->w, NULL, f->binary, f->semiring, o->u, o->A, NULL);
}

static sl_status mxv(const operators *f, objects *o)
{
    return sl_mxv(o->w, o->u, NULL, f->semiring, o->A, o->v,
                  sl_descriptor_get(SL_COMPLEMENT | SL_TRANSPOSE_A));
}

static sl_status mxm(const operators *f, objects *o)
{
    return sl_mxm(o->C, o->mask, f->binary, f->semiring, o->A, o->B, NULL);
}

static sl_status ewise_union(const operators *f, objects *o)
{
    sl_scalar x = sl_scalar_fp64(7.5), y = sl_scalar_int8(-1);
    TRY(sl_vector_ewise_union(o->w, NULL, NULL, f->binary, o->u, x, o->v, y, NULL));
    return sl_matrix_ewise_union(o->C, o->mask, f->binary, f->multiply, o->A, x, o->B, y, NULL);
}

static sl_status kronecker_with(const operators *f, objects *o, sl_matrix *column)
{
    for (uint64_t i = 0; i < SIDE; i++)
        TRY(sl_matrix_set(column, i, 0, sl_scalar_int32((int32_t)i)));
    return sl_kronecker(o->C, NULL, f->binary, f->multiply, column, column,
                        sl_descriptor_get(SL_TRANSPOSE_B));
}

static sl_status kronecker(const operators *f, objects *o)
{
    sl_matrix *column;
    TRY(sl_matrix_new(&column, ctx, SL_INT32, SIDE, 1));
    sl_status status = kronecker_with(f, o, column);
    sl_matrix_free(column);
    return status;
}

static sl_status vector_ewise_add(const operators *f, objects *o)
{
    return sl_vector_ewise_add(o->w, NULL, f->binary, f->binary, o->u, o->v, NULL);
}

static sl_status matrix_ewise_add(const operators *f, objects *o)
{
    return sl_matrix_ewise_add(o->C, o->mask, f->binary, f->binary, o->A, o->B, NULL);
}

static sl_status vector_ewise_mult(const operators *f, objects *o)
{
    return sl_vector_ewise_mult(o->w, NULL, NULL, f->multiply, o->u, o->v, NULL);
}

static sl_status matrix_ewise_mult(const operators *f, objects *o)
{
    return sl_matrix_ewise_mult(o->C, o->mask, f->binary, f->multiply, o->B, o->B, NULL);
}

static sl_status vector_apply(const operators *f, objects *o)
{
    return sl_vector_apply(o->w, NULL, f->binary, f->unary, o->u, NULL);
}

static sl_status matrix_apply(const operators *f, objects *o)
{
    return sl_matrix_apply(o->C, o->mask, NULL, f->unary, o->B, sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status apply_bound(const operators *f, objects *o)
{
    sl_scalar x = sl_scalar_fp64(5.5);
    TRY(sl_vector_apply_first(o->w, NULL, f->binary, f->multiply, x, o->u, NULL));
    TRY(sl_vector_apply_second(o->w, NULL, f->binary, f->multiply, o->v, x, NULL));
    TRY(sl_matrix_apply_first(o->C, o->mask, NULL, f->multiply, x, o->A, NULL));
    return sl_matrix_apply_second(o->C, NULL, f->binary, f->multiply, o->B, x, NULL);
}

static sl_status vector_apply_index(const operators *f, objects *o)
{
    return sl_vector_apply_index(o->w, NULL, f->binary, f->index, o->u, sl_scalar_int64(-3), NULL);
}

static sl_status matrix_apply_index(const operators *f, objects *o)
{
    return sl_matrix_apply_index(o->C, NULL, NULL, f->index, o->A, sl_scalar_fp64(2.5),
                                 sl_descriptor_get(SL_TRANSPOSE_A));
}

static sl_status vector_select(const operators *f, objects *o)
{
    return sl_vector_select(o->w, NULL, NULL, f->condition, o->u, sl_scalar_int64(0), NULL);
}

static sl_status matrix_select(const operators *f, objects *o)
{
    return sl_matrix_select(o->C, o->mask, f->binary, f->condition, o->A, sl_scalar_int64(0), NULL);
}

static sl_status vector_reduce(const operators *f, objects *o)
{
    return sl_vector_reduce(&o->x, f->binary, f->monoid, o->u);
}

static sl_status matrix_reduce(const operators *f, objects *o)
{
    return sl_matrix_reduce(&o->x, NULL, f->monoid, o->A);
}

static sl_status reduce_nothing(const operators *f, objects *o)
{
    TRY(sl_vector_clear(o->w));
    return sl_vector_reduce(&o->x, NULL, f->monoid, o->w);
}

static sl_status reduce_rows(const operators *f, objects *o)
{
    return sl_matrix_reduce_rows(o->w, NULL, f->binary, f->monoid, o->A,
                                 sl_descriptor_get(SL_TRANSPOSE_A));
}

static const uint64_t some[] = {5, 0, 3};

static sl_status vector_assign(const operators *f, objects *o)
{
    return sl_vector_assign_scalar(o->w, NULL, f->binary, sl_scalar_fp64(9), some, 3, NULL);
}

static sl_status matrix_assign(const operators *f, objects *o)
{
    TRY(sl_matrix_assign(o->C, o->mask, f->binary, o->B, SL_ALL, 0, SL_ALL, 0, NULL));
    return sl_matrix_assign_scalar(o->C, NULL, f->binary, sl_scalar_int8(9), some, 3, some, 2,
                                   NULL);
}

static sl_status assign_line(const operators *f, objects *o)
{
    TRY(sl_matrix_assign_row(o->C, o->u, f->binary, o->v, 2, SL_ALL, 0, NULL));
    return sl_matrix_assign_column(o->C, NULL, f->binary, o->u, SL_ALL, 0, 3, NULL);
}

static sl_status extract(const operators *f, objects *o)
{
    TRY(sl_vector_extract(o->w, o->v, f->binary, o->u, SL_ALL, 0, NULL));
    TRY(sl_matrix_extract(o->C, NULL, f->binary, o->A, SL_ALL, 0, SL_ALL, 0,
                          sl_descriptor_get(SL_TRANSPOSE_A)));
    return sl_matrix_extract_column(o->w, NULL, f->binary, o->A, SL_ALL, 0, 2, NULL);
}

static sl_status transpose(const operators *f, objects *o)
{
    return sl_transpose(o->C, NULL, f->binary, o->A, NULL);
}

static sl_status build(const operators *f, objects *o)
{
    static const uint64_t index[] = {3, 1, 3, 3};
    static const int32_t values[] = {1, 2, 3, 4};
    TRY(sl_matrix_clear(o->C));
    TRY(sl_matrix_build(o->C, index, index, values, 4, f->binary));
    TRY(sl_vector_clear(o->w));
    return sl_vector_build(o->w, index, NULL, 4, f->binary);
}

static const use uses[] = {
    vxm,
    mxv,
    mxm,
    ewise_union,
    kronecker,
    vector_ewise_add,
    matrix_ewise_add,
    vector_ewise_mult,
    matrix_ewise_mult,
    vector_apply,
    matrix_apply,
    apply_bound,
    vector_apply_index,
    matrix_apply_index,
    vector_select,
    matrix_select,
    vector_reduce,
    matrix_reduce,
    reduce_nothing,
    reduce_rows,
    vector_assign,
    matrix_assign,
    assign_line,
    extract,
    transpose,
    build,
};
enum { USES = sizeof uses / sizeof *uses };

/* ---- the same as built-in ones ------------------------------------------------ */

static void assert_same_matrix(const sl_matrix *A, const sl_matrix *B)
{
    uint64_t i[2][SIDE * SIDE], j[2][SIDE * SIDE], count[2] = {SIDE * SIDE, SIDE * SIDE};
    int32_t values[2][SIDE * SIDE];
    OK(ctx, sl_matrix_extract_tuples(i[0], j[0], values[0], &count[0], A));
    OK(ctx, sl_matrix_extract_tuples(i[1], j[1], values[1], &count[1], B));
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(i[0], i[1], count[0] * sizeof **i);
    assert_memory_equal(j[0], j[1], count[0] * sizeof **j);
    assert_memory_equal(values[0], values[1], count[0] * sizeof **values);
}

static void assert_same_vector(const sl_vector *u, const sl_vector *v)
{
    uint64_t i[2][SIDE], count[2] = {SIDE, SIDE};
    int32_t values[2][SIDE];
    OK(ctx, sl_vector_extract_tuples(i[0], values[0], &count[0], u));
    OK(ctx, sl_vector_extract_tuples(i[1], values[1], &count[1], v));
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(i[0], i[1], count[0] * sizeof **i);
    assert_memory_equal(values[0], values[1], count[0] * sizeof **values);
}

static void test_uses(void **state)
{
    for (size_t k = 0; k < USES; k++) {
        operators own, theirs = built_in();
        objects with_own, with_theirs;
        OK(ctx, define(&own, ctx));
        OK(ctx, make_objects(&with_own));
        OK(ctx, make_objects(&with_theirs));
        OK(ctx, uses[k](&own, &with_own));
        OK(ctx, uses[k](&theirs, &with_theirs));
        forget(&own);
        assert_same_matrix(with_own.C, with_theirs.C);
        assert_same_vector(with_own.w, with_theirs.w);
        assert_true(sl_scalar_equal(with_own.x, with_theirs.x));
        free_objects(&with_own);
        free_objects(&with_theirs);
    }
}

/* What is added to a sparse object may be put off, but not past the operator's end. */
static void test_put_off(void **state)
{
    operators own;
    OK(ctx, define(&own, ctx));
    sl_matrix *C = new_matrix(SL_INT32, 1000, 1000);
    sl_vector *w = new_vector(SL_INT32, 1000000);
    sl_scalar nine = sl_scalar_int32(9);
    for (int k = 0; k < 2; k++) {
        OK(ctx, sl_matrix_assign_scalar(C, NULL, own.binary, nine, some, 3, some, 3, NULL));
        OK(ctx, sl_vector_assign_scalar(w, NULL, own.binary, nine, some, 3, NULL));
    }
    forget(&own);
    freed = true;
    assert_true(value_at(C, 5, 3) == 18 && vector_value_at(w, 3) == 18);
    freed = false;
    assert_int_equal(calls_of_the_freed, 0);
    sl_matrix_free(C);
    sl_vector_free(w);
}

/* Of another context: every use is refused, and changes nothing. */
static void test_contexts(void **state)
{
    sl_context *other;
    assert_int_equal(sl_context_create(&other, SL_ENGINE_SUITESPARSE), SL_OK);
    operators foreign, own;
    OK(other, define(&foreign, other));
    OK(ctx, define(&own, ctx));
    for (size_t k = 0; k < USES; k++) {
        objects o, fresh;
        OK(ctx, make_objects(&o));
        OK(ctx, make_objects(&fresh));
        assert_int_equal(uses[k](&foreign, &o), SL_MISMATCH);
        SAYS("is of another context");
        if (uses[k] != reduce_nothing && uses[k] != build) { /* which clear them first */
            assert_same_matrix(o.C, fresh.C);
            assert_same_vector(o.w, fresh.w);
        }
        free_objects(&o);
        free_objects(&fresh);
    }
    sl_monoid monoid;
    sl_semiring semiring;
    sl_scalar zero = sl_scalar_int32(0);
    assert_int_equal(sl_monoid_new(&monoid, ctx, "sums", foreign.binary, zero, NULL), SL_MISMATCH);
    SAYS("monoid_new sums: sum is of another context");
    assert_null(monoid);
    assert_int_equal(sl_semiring_new(&semiring, ctx, "s", foreign.monoid, own.multiply),
                     SL_MISMATCH);
    assert_int_equal(sl_semiring_new(&semiring, ctx, "s", own.monoid, foreign.multiply),
                     SL_MISMATCH);
    assert_null(semiring);
    forget(&foreign);
    forget(&own);
    sl_context_free(other);
}

static sl_status use_with_failures(void *data)
{
    operators f = {0};
    objects o = {0};
    sl_status status = define(&f, ctx);
    if (status == SL_OK)
        status = make_objects(&o);
    if (status == SL_OK)
        status = (*(const use *)data)(&f, &o);
    allocator_fail_after(-1);
    forget(&f);
    free_objects(&o);
    return status;
}

static void test_memory(void **state)
{
    for (size_t k = 0; k < USES; k++)
        assert_true(allocator_fail_each(use_with_failures, (void *)&uses[k]) > 0);
}

/* Operators count for their context, and keep to its limit. */
static void test_limit(void **state)
{
    sl_context *limited;
    sl_context_memory before, between, after;
    operators f = {0};
    assert_int_equal(sl_context_create(&limited, SL_ENGINE_AUTO), SL_OK);
    OK(limited, sl_context_set_memory_limit(limited, 0));
    sl_context_get_memory(limited, &before);
    OK(limited, define(&f, limited));
    sl_context_get_memory(limited, &between);
    forget(&f);
    sl_context_get_memory(limited, &after);
    assert_true(between.used > before.used && after.used == before.used);
    f = (operators){0};
    OK(limited, sl_context_set_memory_limit(limited, 100));
    assert_int_equal(define(&f, limited), SL_NO_MEMORY);
    assert_non_null(strstr(sl_context_message(limited), "above the context's limit of 100"));
    forget(&f);
    sl_context_free(limited);
}

/* ---- types that differ ---------------------------------------------------------- */

/* The share of x, in percent, that is above y. */
static void above(void *z, const void *x, const void *y)
{
    *(double *)z = *(const int8_t *)x * 100.0 > *(const uint16_t *)y ? *(const int8_t *)x : -0.5;
}

static void root(void *z, const void *x)
{
    *(float *)z = sqrtf((float)*(const uint8_t *)x);
}

static void far_from_thunk(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int16_t *)z = (int16_t)(i * 10 + j + *(const bool *)x - (int64_t) * (const float *)thunk);
}

static void test_types(void **state)
{
    sl_binary_op op;
    sl_unary_op square_root;
    sl_index_op far;
    OK(ctx, sl_binary_op_new(&op, ctx, "above", SL_FP64, SL_INT8, SL_UINT16, above, NULL));
    OK(ctx, sl_unary_op_new(&square_root, ctx, "root", SL_FP32, SL_UINT8, root, NULL));
    OK(ctx, sl_index_op_new(&far, ctx, "far", SL_INT16, SL_BOOL, SL_FP32, far_from_thunk, NULL));
    assert_true(op->type == SL_INT8 && op->type_y == SL_UINT16 && op->result == SL_FP64);
    assert_true(square_root->type == SL_UINT8 && square_root->result == SL_FP32);
    assert_true(far->type == SL_BOOL && far->type_thunk == SL_FP32 && far->result == SL_INT16);

    sl_matrix *A = new_matrix(SL_FP64, 3, 3), *B = new_matrix(SL_INT64, 3, 3);
    sl_matrix *C = new_matrix(SL_FP64, 3, 3);
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_fp64(7.9))); /* 7 as int8 */
    OK(ctx, sl_matrix_set(A, 2, 2, sl_scalar_fp64(7)));
    OK(ctx, sl_matrix_set(B, 1, 2, sl_scalar_int64(600)));
    OK(ctx, sl_matrix_set(B, 2, 2, sl_scalar_int64(701)));
    OK(ctx, sl_matrix_ewise_mult(C, NULL, NULL, op, A, B, NULL));
    assert_true(value_at(C, 1, 2) == 7 && value_at(C, 2, 2) == -0.5);
    OK(ctx, sl_matrix_apply(C, NULL, NULL, square_root, A, NULL));
    assert_true(value_at(C, 2, 2) == sqrtf(7));
    OK(ctx, sl_matrix_apply_index(C, NULL, NULL, far, A, sl_scalar_int64(4), NULL));
    assert_true(value_at(C, 1, 2) == 12 + 1 - 4);

    /* As an accumulator into a scalar: int8 of 5, uint16 of the sum 1301. */
    sl_scalar x = sl_scalar_int64(5);
    OK(ctx, sl_matrix_reduce(&x, op, SL_PLUS_MONOID_INT64, B));
    assert_true(sl_scalar_equal(x, sl_scalar_int64(0))); /* -0.5, cut */

    sl_vector *v = new_vector(SL_INT8, 3);
    const uint64_t index[] = {1, 1};
    assert_int_equal(sl_vector_build(v, index, NULL, 2, op), SL_MISMATCH);
    SAYS("above cannot combine duplicates of type int8");
    assert_int_equal(sl_matrix_select(C, NULL, NULL, far, A, sl_scalar_int64(4), NULL), SL_INVALID);
    SAYS("far is not a condition");
    sl_vector_free(v);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
    sl_binary_op_free(op);
    sl_unary_op_free(square_root);
    sl_index_op_free(far);
}

/* ---- lifetimes ------------------------------------------------------------------------- */

static void test_freeing(void **state)
{
    sl_unary_op_free(NULL);
    sl_binary_op_free(NULL);
    sl_index_op_free(NULL);
    sl_monoid_free(NULL);
    sl_semiring_free(NULL);
    operators theirs = built_in();
    forget(&theirs);
    assert_string_equal(theirs.semiring->name, "plus_times_int32");
}

static void test_nothing_is_left(void **state)
{
    free_context(state);
    assert_int_equal(allocator_alive(), 0);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uses),     cmocka_unit_test(test_put_off),
        cmocka_unit_test(test_contexts), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_limit),    cmocka_unit_test(test_types),
        cmocka_unit_test(test_freeing),  cmocka_unit_test(test_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, make_context, NULL);
}
