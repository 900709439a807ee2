/* Comparison of two objects, of patterns or values, by elementwise operations: the objects are
 * compared in the memory that they are in. O(entries). */
#include "la/core/check.h"

/* An empty boolean object of the same shape. */
static sl_status new_like(sl_object **made, const sl_object *like)
{
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    sl_status status = like->is_matrix
                           ? sl_matrix_new(&A, like->ctx, SL_BOOL, like->nrows, like->ncols)
                           : sl_vector_new(&v, like->ctx, SL_BOOL, like->nrows);
    *made = A ? OF_M(A) : OF_V(v);
    return status;
}

static void free_object(sl_object *object)
{
    if (object && object->is_matrix)
        sl_matrix_free((sl_matrix *)object);
    else
        sl_vector_free((sl_vector *)object);
}

/* out = a op b, on the entries that both have. */
static sl_status combine(sl_object *out, sl_binary_op op, sl_object *a, sl_object *b)
{
    sl_call call = {.op = SL_OP_EWISE_MULT,
                    .ctx = out->ctx,
                    .out = out,
                    .operators.binary = op,
                    .a = a,
                    .b = b};
    return sl_dispatch(&call);
}

static sl_status count(uint64_t *nvals, sl_object *a)
{
    sl_call call = {.op = SL_OP_NVALS, .ctx = a->ctx, .a = a};
    sl_status status = sl_dispatch(&call);
    *nvals = call.count;
    return status;
}

static sl_status all_true(bool *answer, sl_object *a)
{
    sl_call call = {
        .op = SL_OP_REDUCE, .ctx = a->ctx, .operators.monoid = SL_LAND_MONOID_BOOL, .a = a};
    sl_status status = sl_dispatch(&call);
    *answer = status == SL_OK && call.scalar.as.bool_;
    return status;
}

/* Computes met = a op b on the common entries, and *same: whether the patterns are equal. They are
 * if a, b and their intersection have the same number of entries. */
static sl_status meet(bool *same, sl_object *met, sl_binary_op op, sl_object *a, sl_object *b)
{
    uint64_t of_a, of_b, common;
    *same = false;
    SL_TRY(count(&of_a, a));
    SL_TRY(count(&of_b, b));
    if (of_a != of_b)
        return SL_OK;
    SL_TRY(combine(met, op, a, b));
    SL_TRY(count(&common, met));
    *same = common == of_a;
    return SL_OK;
}

/* equal |= (a is NaN and b is NaN); x != x is true for NaN only. */
static sl_status allow_nan(sl_object *equal, sl_object *a, sl_object *b)
{
    sl_binary_op differs = sl_binary_op_get(SL_BINARY_NE, a->type);
    sl_object *nan_a = NULL, *nan_b = NULL;
    sl_status status = new_like(&nan_a, a);
    if (status == SL_OK)
        status = new_like(&nan_b, b);
    if (status == SL_OK)
        status = combine(nan_a, differs, a, a);
    if (status == SL_OK)
        status = combine(nan_b, differs, b, b);
    if (status == SL_OK)
        status = combine(nan_a, SL_LAND_BOOL, nan_a, nan_b);
    if (status == SL_OK)
        status = combine(equal, SL_LOR_BOOL, equal, nan_a);
    free_object(nan_a);
    free_object(nan_b);
    return status;
}

static sl_status compare_values(bool *same, sl_object *met, sl_object *a, sl_object *b)
{
    SL_TRY(meet(same, met, sl_binary_op_get(SL_BINARY_EQ, a->type), a, b));
    if (!*same)
        return SL_OK;
    SL_TRY(all_true(same, met));
    if (*same || (a->type != SL_FP32 && a->type != SL_FP64))
        return SL_OK;
    SL_TRY(allow_nan(met, a, b));
    return all_true(same, met);
}

/* Compares two objects: patterns and values, or patterns only if !values. */
static sl_status equal(bool *answer, sl_object *a, sl_object *b, bool values)
{
    const char *name = values ? "equal" : "same_pattern";
    sl_context *ctx = a ? a->ctx : b ? b->ctx : NULL;
    if (answer)
        *answer = false;
    sl_status status = SL_OK;
    if (!answer || !a || !b)
        status = sl_fail(ctx, SL_INVALID, "%s: argument is NULL", name);
    else if (a->ctx != b->ctx)
        status = sl_fail(ctx, SL_MISMATCH, "%s: the objects belong to different contexts", name);
    else if (values && a->type == b->type && sl_type_is_user_defined(a->type))
        status = sl_fail(ctx, SL_UNSUPPORTED, "equal: values of type %s, which is user-defined",
                         sl_type_name(a->type));
    SL_TRY(sl_agree(ctx, status));
    if (a->nrows != b->nrows || a->ncols != b->ncols || (values && a->type != b->type))
        return SL_OK;
    *answer = a == b;
    if (a == b)
        return SL_OK;
    sl_object *met;
    SL_TRY(new_like(&met, a));
    status = values ? compare_values(answer, met, a, b) : meet(answer, met, SL_PAIR_BOOL, a, b);
    free_object(met);
    return status;
}

sl_status sl_matrix_equal(bool *same, const sl_matrix *A, const sl_matrix *B)
{
    return equal(same, OF_M(A), OF_M(B), true);
}

sl_status sl_vector_equal(bool *same, const sl_vector *u, const sl_vector *v)
{
    return equal(same, OF_V(u), OF_V(v), true);
}

sl_status sl_matrix_same_pattern(bool *same, const sl_matrix *A, const sl_matrix *B)
{
    return equal(same, OF_M(A), OF_M(B), false);
}

sl_status sl_vector_same_pattern(bool *same, const sl_vector *u, const sl_vector *v)
{
    return equal(same, OF_V(u), OF_V(v), false);
}
