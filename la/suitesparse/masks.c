/*
 * Detours for all operations that have a mask. SuiteSparse 7.4 reads outside its arrays if an operation has a
 * full mask (an entry everywhere), an accumulator, and a sparse result. And it takes time for each row of a
 * matrix without columns; such an output has no entries to write.
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

sl_status sl_grb_masked(sl_call *call, sl_status (*operation)(sl_call *))
{
    if (call->out->nrows == 0 || call->out->ncols == 0)
        return SL_OK;
    if (!call->mask || !call->accum || (call->flags & SL_COMPLEMENT))
        return operation(call);
    bool full;
    GrB_Info info = sl_grb_is_full(&full, call->mask);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    if (!full)
        return operation(call);
    if (!(call->flags & SL_STRUCTURE))
        return run_with_bitmap_mask(call, operation);
    sl_call all = *call;
    all.mask = NULL;
    return operation(&all);
}
