/* One user-defined operator of each kind, and one function for each operation that takes an
 * operator. See user_operator_calls.h. */
#include "user_operator_calls.h"

#include "try.h"

/* ---- user-defined functions, and built-in operators with the same meaning -------- */

static void negative(void *z, const void *x)
{
    *(int32_t *)z = -*(const int32_t *)x;
}

bool freed;
atomic_int calls_of_the_freed;

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

operators built_in_operators(void)
{
    return (operators){SL_AINV_INT32,      SL_PLUS_INT32,    SL_TIMES_INT32,
                       SL_ROWINDEX_INT64,  SL_VALUEGT_INT32, SL_PLUS_MONOID_INT32,
                       SL_PLUS_TIMES_INT32};
}

sl_status define_operators(operators *o, sl_context *of)
{
    TRY(sl_unary_op_new(&o->unary, of, "negative", SL_INT32, SL_INT32, negative, "*z = -*x;"));
    TRY(sl_binary_op_new(&o->binary, of, "sum", SL_INT32, SL_INT32, SL_INT32, sum, NULL));
    TRY(sl_binary_op_new(&o->multiply, of, "product", SL_INT32, SL_INT32, SL_INT32, product, NULL));
    TRY(sl_index_op_new(&o->index, of, "row", SL_INT64, SL_INT32, SL_INT64, row, NULL));
    TRY(sl_index_op_new(&o->condition, of, "greater", SL_BOOL, SL_INT32, SL_INT32, greater, NULL));
    TRY(sl_monoid_new(&o->monoid, of, "sums", o->binary, sl_scalar_int32(0), NULL));
    return sl_semiring_new(&o->semiring, of, "sums of products", o->monoid, o->multiply);
}

void free_operators(operators *o)
{
    sl_unary_op_free(o->unary);
    sl_binary_op_free(o->binary);
    sl_binary_op_free(o->multiply);
    sl_index_op_free(o->index);
    sl_index_op_free(o->condition);
    sl_monoid_free(o->monoid);
    sl_semiring_free(o->semiring);
}

/* ---- all uses of them ------------------------------------------------------------ */

sl_status make_objects(objects *o, sl_context *ctx)
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

void free_objects(objects *o)
{
    sl_matrix *const matrices[] = {o->A, o->B, o->mask, o->C};
    sl_vector *const vectors[] = {o->u, o->v, o->w};
    for (int k = 0; k < 4; k++)
        sl_matrix_free(matrices[k]);
    for (int k = 0; k < 3; k++)
        sl_vector_free(vectors[k]);
}

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
    TRY(sl_matrix_new(&column, sl_matrix_context(o->A), SL_INT32, SIDE, 1));
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

static sl_status assign_row_and_column(const operators *f, objects *o)
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

const use uses[] = {
    {vxm, false},
    {mxv, false},
    {mxm, false},
    {ewise_union, false},
    {kronecker, false},
    {vector_ewise_add, false},
    {matrix_ewise_add, false},
    {vector_ewise_mult, false},
    {matrix_ewise_mult, false},
    {vector_apply, false},
    {matrix_apply, false},
    {apply_bound, false},
    {vector_apply_index, false},
    {matrix_apply_index, false},
    {vector_select, false},
    {matrix_select, false},
    {vector_reduce, false},
    {matrix_reduce, false},
    {reduce_nothing, true},
    {reduce_rows, false},
    {vector_assign, false},
    {matrix_assign, false},
    {assign_row_and_column, false},
    {extract, false},
    {transpose, false},
    {build, true},
};
const size_t uses_count = sizeof uses / sizeof *uses;
