/* Fills and reads objects: build, tuples, single entries, number of entries. */
#include "la/core/check.h"

#include <inttypes.h>

/* An object that no store has is empty; it is not dispatched, because that would create a handle.
 */
static sl_status nvals(uint64_t *count, sl_object *a)
{
    sl_call call = {.op = SL_OP_NVALS, .a = a};
    SL_CHECK_CALL(&call, a, count);
    *count = 0;
    if (!sl_object_has_contents(a))
        return sl_agree(a->ctx, SL_OK);
    SL_TRY(sl_dispatch(&call));
    *count = call.count;
    return SL_OK;
}

sl_status sl_matrix_nvals(uint64_t *count, const sl_matrix *A)
{
    return nvals(count, OF_M(A));
}

sl_status sl_vector_nvals(uint64_t *count, const sl_vector *v)
{
    return nvals(count, OF_V(v));
}

sl_status sl_matrix_is_pattern(bool *pattern, const sl_matrix *A)
{
    sl_call call = {.op = SL_OP_IS_PATTERN, .a = OF_M(A)};
    SL_CHECK_CALL(&call, A, pattern);
    SL_TRY(sl_dispatch(&call));
    *pattern = call.scalar.as.bool_;
    return SL_OK;
}

/* The tuples of this process. */
static sl_status check_tuples(const sl_call *call)
{
    SL_TRY(sl_check_list(call, "row", call->tuples.rows, call->count, call->out->nrows));
    return call->out->is_matrix
               ? sl_check_list(call, "column", call->tuples.cols, call->count, call->out->ncols)
               : SL_OK;
}

static sl_status build(sl_call *call)
{
    sl_binary_op dup = call->operators.binary;
    sl_type type = call->out->type;
    if (dup && (dup->type != type || dup->type_y != type || dup->result != type || dup->positional))
        return SL_REFUSE(call->ctx, SL_MISMATCH, "build: %s cannot combine duplicates of type %s",
                         dup->name, sl_type_name(type));
    uint64_t there;
    SL_TRY(nvals(&there, call->out));
    if (there > 0)
        return SL_REFUSE(call->ctx, SL_INVALID,
                         "build: the output has %" PRIu64 " entries; it must be empty", there);
    sl_status status = check_tuples(call);
    if (status == SL_OK)
        status = sl_dispatch(call);
    /* On all processes of a grid, also if the tuples of one alone are wrong. */
    if (status != SL_OK)
        sl_object_empty(call->out);
    return status;
}

sl_status sl_matrix_build(sl_matrix *A, const uint64_t *rows, const uint64_t *cols,
                          const void *values, uint64_t count, sl_binary_op dup)
{
    sl_call call = {.op = SL_OP_BUILD,
                    .out = OF_M(A),
                    .tuples = {(uint64_t *)rows, (uint64_t *)cols, (void *)values},
                    .count = count,
                    .operators.binary = dup};
    if (count > 0)
        SL_CHECK_CALL(&call, A, rows, cols);
    else
        SL_CHECK_CALL(&call, A);
    return build(&call);
}

sl_status sl_vector_build(sl_vector *v, const uint64_t *indices, const void *values, uint64_t count,
                          sl_binary_op dup)
{
    sl_call call = {.op = SL_OP_BUILD,
                    .out = OF_V(v),
                    .tuples = {.rows = (uint64_t *)indices, .values = (void *)values},
                    .count = count,
                    .operators.binary = dup};
    if (count > 0)
        SL_CHECK_CALL(&call, v, indices);
    else
        SL_CHECK_CALL(&call, v);
    return build(&call);
}

/* The number of entries on this process. */
static sl_status local_nvals(uint64_t *count, sl_object *a)
{
    sl_call call = {.op = SL_OP_LOCAL_NVALS, .ctx = a->ctx, .a = a};
    if (!sl_dispatch_supports(&call))
        return nvals(count, a);
    *count = 0;
    SL_TRY(sl_dispatch(&call));
    *count = call.count;
    return SL_OK;
}

static sl_status tuples(sl_call *call, uint64_t *count)
{
    SL_CHECK_CALL(call, call->a, count);
    uint64_t room = *count;
    SL_TRY(local_nvals(count, call->a));
    bool wanted = call->tuples.rows || call->tuples.cols || call->tuples.values;
    sl_status status = SL_OK;
    call->count = *count;
    if (wanted && room < *count)
        status = sl_fail(call->ctx, SL_MISMATCH,
                         "extract_tuples: room for %" PRIu64 " entries, but there are %" PRIu64,
                         room, *count);
    else if (wanted && *count > 0)
        status = sl_dispatch(call);
    return sl_agree(call->ctx, status);
}

sl_status sl_matrix_extract_tuples(uint64_t *rows, uint64_t *cols, void *values, uint64_t *count,
                                   const sl_matrix *A)
{
    sl_call call = {.op = SL_OP_TUPLES, .a = OF_M(A), .tuples = {rows, cols, values}};
    return tuples(&call, count);
}

sl_status sl_vector_extract_tuples(uint64_t *indices, void *values, uint64_t *count,
                                   const sl_vector *v)
{
    sl_call call = {
        .op = SL_OP_TUPLES, .a = OF_V(v), .tuples = {.rows = indices, .values = values}};
    return tuples(&call, count);
}

/* Checks and dispatches set, get and remove. Their object is out or a. */
static sl_status one_entry(sl_call *call, const void *value)
{
    const sl_object *object = call->out ? call->out : call->a;
    SL_CHECK_CALL(call, object, value);
    SL_TRY(
        sl_check_index(call->ctx, object->is_matrix ? "row" : "index", call->row, object->nrows));
    SL_TRY(sl_check_index(call->ctx, "column", call->col, object->ncols));
    if (call->op != SL_OP_SET && !sl_object_has_contents(object)) { /* it is empty */
        SL_TRY(sl_agree(call->ctx, SL_OK));
        return call->op == SL_OP_GET ? SL_NO_VALUE : SL_OK;
    }
    return sl_dispatch(call);
}

static sl_status set(sl_object *out, uint64_t row, uint64_t col, sl_scalar value)
{
    if (out && sl_type_size(value.type) == 0)
        return SL_REFUSE(out->ctx, SL_INVALID, "set: the scalar has no type");
    sl_call call = {.op = SL_OP_SET, .out = out, .row = row, .col = col};
    if (out)
        call.scalar = sl_scalar_cast(value, out->type);
    return one_entry(&call, &value);
}

sl_status sl_matrix_set(sl_matrix *A, uint64_t row, uint64_t col, sl_scalar value)
{
    return set(OF_M(A), row, col, value);
}

sl_status sl_vector_set(sl_vector *v, uint64_t index, sl_scalar value)
{
    return set(OF_V(v), index, 0, value);
}

static sl_status get(sl_scalar *value, sl_object *a, uint64_t row, uint64_t col)
{
    sl_call call = {.op = SL_OP_GET, .a = a, .row = row, .col = col};
    if (a && value && sl_type_is_user_defined(a->type)) {
        if (value->type != a->type || !value->as.other)
            return SL_REFUSE(a->ctx, value->type == a->type ? SL_INVALID : SL_MISMATCH,
                             "get: the scalar must have the type %s and the address of a value",
                             sl_type_name(a->type));
        call.scalar = *value;
    }
    SL_TRY(one_entry(&call, value));
    *value = call.scalar;
    return SL_OK;
}

sl_status sl_matrix_get(sl_scalar *value, const sl_matrix *A, uint64_t row, uint64_t col)
{
    return get(value, OF_M(A), row, col);
}

sl_status sl_vector_get(sl_scalar *value, const sl_vector *v, uint64_t index)
{
    return get(value, OF_V(v), index, 0);
}

sl_status sl_matrix_remove(sl_matrix *A, uint64_t row, uint64_t col)
{
    sl_call call = {.op = SL_OP_REMOVE, .out = OF_M(A), .row = row, .col = col};
    return one_entry(&call, A);
}

sl_status sl_vector_remove(sl_vector *v, uint64_t index)
{
    sl_call call = {.op = SL_OP_REMOVE, .out = OF_V(v), .row = index};
    return one_entry(&call, v);
}
