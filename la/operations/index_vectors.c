/* gather and scatter: checks, then dispatch. */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_integer(sl_type type)
{
    return type != SL_BOOL && type != SL_FP32 && type != SL_FP64;
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
    sl_call call = {.op = SL_OP_GATHER,
                    .out = OF_V(w),
                    .mask = OF_V(mask),
                    .accum = accum,
                    .a = OF_V(u),
                    .b = OF_V(indices),
                    .flags = sl_descriptor_flags(desc)};
    SL_CHECK_CALL(&call, w, u, indices);
    SL_TRY(sl_check_length(&call, "the output's size", call.out->nrows, call.b->nrows));
    SL_TRY(check_indices(&call));
    return sl_dispatch(&call);
}

sl_status sl_vector_scatter(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_monoid dup,
                            const sl_vector *u, const sl_vector *indices, sl_descriptor desc)
{
    sl_call call = {.op = SL_OP_SCATTER,
                    .out = OF_V(w),
                    .mask = OF_V(mask),
                    .accum = accum,
                    .monoid = dup,
                    .a = OF_V(u),
                    .b = OF_V(indices),
                    .flags = sl_descriptor_flags(desc)};
    SL_CHECK_CALL(&call, w, u, indices);
    SL_TRY(sl_check_length(&call, "the input's size", call.a->nrows, call.b->nrows));
    SL_TRY(check_indices(&call));
    return sl_dispatch(&call);
}
