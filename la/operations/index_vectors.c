/* gather, scatter and sort: checks, then dispatch. */
#include "la/core/check.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_integer(sl_type type)
{
    return (unsigned)type < SL_TYPE_COUNT && type != SL_BOOL && type != SL_FP32 && type != SL_FP64;
}

static bool is_unsigned(sl_type type)
{
    return type == SL_UINT8 || type == SL_UINT16 || type == SL_UINT32 || type == SL_UINT64;
}

static sl_status check_indices(const sl_call *call)
{
    if (is_integer(call->b->type))
        return SL_OK;
    return SL_REFUSE(call->ctx, SL_MISMATCH,
                     "%s: the type of indices is %s; it must be an integer type",
                     sl_operation_name(call->op), sl_type_name(call->b->type));
}

sl_status sl_fail_index(const sl_call *call, uint64_t position, uint64_t index)
{
    char value[24];
    snprintf(value, sizeof value, is_unsigned(call->b->type) ? "%" PRIu64 : "%" PRId64, index);
    return sl_fail(call->ctx, SL_OUT_OF_RANGE,
                   "%s: index %s at position %" PRIu64
                   " of the index vector is out of range: there are %" PRIu64,
                   sl_operation_name(call->op), value, position, sl_call_index_bound(call));
}

sl_status sl_vector_gather(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                           const sl_vector *u, const sl_vector *indices, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_GATHER, OF_V(w), OF_V(mask), accum, desc);
    call.a = OF_V(u);
    call.b = OF_V(indices);
    SL_CHECK_CALL(&call, w, u, indices);
    SL_TRY(sl_check_length(&call, "the output's size", call.out->nrows, call.b->nrows));
    SL_TRY(check_indices(&call));
    return sl_dispatch(&call);
}

sl_status sl_vector_scatter(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_monoid dup,
                            const sl_vector *u, const sl_vector *indices, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_SCATTER, OF_V(w), OF_V(mask), accum, desc);
    call.operators.monoid = dup;
    call.a = OF_V(u);
    call.b = OF_V(indices);
    SL_CHECK_CALL(&call, w, u, indices);
    SL_TRY(sl_check_length(&call, "the input's size", call.a->nrows, call.b->nrows));
    SL_TRY(check_indices(&call));
    return sl_dispatch(&call);
}

static sl_status check_complete(const sl_call *call, const sl_vector *indices)
{
    uint64_t count;
    SL_TRY(sl_vector_nvals(&count, indices));
    if (count == call->b->nrows)
        return SL_OK;
    return SL_REFUSE(call->ctx, SL_INVALID,
                     "%s: the index vector has %" PRIu64 " entries; it must have all %" PRIu64,
                     sl_operation_name(call->op), count, call->b->nrows);
}

sl_status sl_matrix_gather(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                           const sl_matrix *A, const sl_vector *indices, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_GATHER_MATRIX, OF_M(C), OF_M(mask), accum, desc);
    call.a = OF_M(A);
    call.b = OF_V(indices);
    SL_CHECK_CALL(&call, C, A, indices);
    SL_TRY(sl_check_length(&call, "the number of A's columns", call.a->ncols, call.a->nrows));
    SL_TRY(sl_check_length(&call, "the number of C's rows", call.out->nrows, call.b->nrows));
    SL_TRY(sl_check_length(&call, "the number of C's columns", call.out->ncols, call.b->nrows));
    SL_TRY(check_indices(&call));
    SL_TRY(check_complete(&call, indices));
    return sl_dispatch(&call);
}

/* ---- sort --------------------------------------------------------------------- */

static bool orders(sl_binary_op before)
{
    return !before->user && (before->code == SL_BINARY_LT || before->code == SL_BINARY_GT);
}

static sl_status check_type(const sl_call *call, const char *what, sl_type got, sl_type wanted)
{
    if (got == wanted)
        return SL_OK;
    return SL_REFUSE(call->ctx, SL_MISMATCH, "sort: the type of %s is %s; it must be %s", what,
                     sl_type_name(got), sl_type_name(wanted));
}

/* Checks one of the results; NULL is valid. */
static sl_status check_sorted(const sl_call *call, const char *what, const sl_object *result,
                              sl_type type)
{
    if (!result)
        return SL_OK;
    if (result->nrows != call->a->nrows)
        return SL_REFUSE(call->ctx, SL_MISMATCH,
                         "sort: the size of %s is %" PRIu64 "; it must be %" PRIu64, what,
                         result->nrows, call->a->nrows);
    return check_type(call, what, result->type, type);
}

sl_status sl_vector_sort(sl_vector *w, sl_vector *order, sl_binary_op before, const sl_vector *u)
{
    sl_call call = {.op = SL_OP_SORT,
                    .out = OF_V(w),
                    .second_out = OF_V(order),
                    .operators.binary = before,
                    .a = OF_V(u)};
    SL_CHECK_CALL(&call, before, u);
    if (w == order)
        return SL_REFUSE(call.ctx, SL_INVALID, "sort: w and order are %s",
                         w ? "the same vector" : "NULL; one of them must be given");
    if (!orders(before))
        return SL_REFUSE(call.ctx, SL_INVALID,
                         "sort: the operator is %s; it must be SL_LT_... or SL_GT_...",
                         before->name);
    SL_TRY(check_type(&call, "the operator", before->type, call.a->type));
    SL_TRY(check_sorted(&call, "w", call.out, call.a->type));
    SL_TRY(check_sorted(&call, "order", call.second_out, SL_INT64));
    return sl_dispatch(&call);
}
