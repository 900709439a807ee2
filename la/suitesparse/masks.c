/*
 * Detours for all operations that have a mask. SuiteSparse 7.4 reads outside its arrays if an operation has an
 * accumulator and either a full mask (an entry everywhere) and a sparse result, or a full result and a mask
 * with less than a 32nd of its entries in some row (it searches the list of indices, which a full result does not
 * have). And it takes time for each row of a matrix without columns; such an output has no entries to write.
 */
#include "suitesparse/grb_engine.h"

GrB_Info sl_grb_is_full(bool *full, const sl_object *object)
{
    int form = GxB_SPARSE;
    GrB_Info info = object->is_matrix
                        ? GxB_Matrix_Option_get(sl_grb_matrix(object), GxB_SPARSITY_STATUS, &form)
                        : GxB_Vector_Option_get(sl_grb_vector(object), GxB_SPARSITY_STATUS, &form);
    *full = form == GxB_FULL;
    return info;
}

/* The operation with a copy of its mask that is kept as a bitmap. */
static sl_status run_with_bitmap_mask(sl_call *call, sl_status (*operation)(sl_call *))
{
    sl_object bitmap = *call->mask;
    void *handle;
    sl_status status = sl_grb_copy_object(&handle, call->mask, call->mask->held[SL_SLOT_HOST]);
    if (status != SL_OK)
        return status;
    bitmap.held[SL_SLOT_HOST] = handle;
    GrB_Info info = bitmap.is_matrix
                        ? GxB_Matrix_Option_set(handle, GxB_SPARSITY_CONTROL, GxB_BITMAP)
                        : GxB_Vector_Option_set(handle, GxB_SPARSITY_CONTROL, GxB_BITMAP);
    if (info == GrB_SUCCESS) {
        sl_call under = *call;
        under.mask = &bitmap;
        status = operation(&under);
    } else {
        status = sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    }
    sl_grb_release_object(&bitmap, handle);
    return status;
}

/*
 * Whether the result may be full before it is masked: it has the form of an input. Sums under a mask have
 * its form, but for sums of equal values. Elementwise sums and products always have it.
 */
static GrB_Info makes_full(bool *full, const sl_call *call)
{
    const sl_operation op = call->op;
    const bool sums =
        op == SL_OP_VXM || op == SL_OP_MXV || op == SL_OP_MXM || op == SL_OP_REDUCE_ROWS;
    const sl_object *const inputs[] = {call->a, call->b};
    GrB_Info info = GrB_SUCCESS;
    *full = false;
    if (op == SL_OP_EWISE_ADD || op == SL_OP_EWISE_MULT || op == SL_OP_EWISE_UNION)
        return GrB_SUCCESS;
    for (int k = 0; k < 2 && info == GrB_SUCCESS && !*full; k++)
        if (inputs[k]) {
            info = sl_grb_is_full(full, inputs[k]);
            if (info == GrB_SUCCESS && *full && sums)
                info = sl_grb_is_iso(full, inputs[k]);
        }
    return info;
}

sl_status sl_grb_masked(sl_call *call, sl_status (*operation)(sl_call *))
{
    if (call->out->nrows == 0 || call->out->ncols == 0)
        return SL_OK;
    if (!call->mask || !call->accum || (call->flags & SL_COMPLEMENT))
        return operation(call);
    bool full, full_result = false;
    GrB_Info info = sl_grb_is_full(&full, call->mask);
    if (info == GrB_SUCCESS && !full)
        info = makes_full(&full_result, call);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    if (!full && !full_result)
        return operation(call);
    if (full_result || !(call->flags & SL_STRUCTURE))
        return run_with_bitmap_mask(call, operation);
    sl_call all = *call;
    all.mask = NULL;
    return operation(&all);
}
