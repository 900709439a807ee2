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

static double size_of(const sl_object *object)
{
    return (double)object->nrows * (double)object->ncols;
}

/* The operation with a copy of its mask, or of its first input, that is kept in a form (GxB_SPARSITY_CONTROL). */
static sl_status run_with_form(sl_call *call, bool of_mask, int form,
                               sl_status (*operation)(sl_call *))
{
    const sl_object *from = of_mask ? call->mask : call->a;
    sl_object copy = *from;
    void *handle;
    sl_status status = sl_grb_copy_object(&handle, from, from->held[SL_SLOT_HOST]);
    if (status != SL_OK)
        return status;
    copy.held[SL_SLOT_HOST] = handle;
    GrB_Info info = copy.is_matrix ? GxB_Matrix_Option_set(handle, GxB_SPARSITY_CONTROL, form)
                                   : GxB_Vector_Option_set(handle, GxB_SPARSITY_CONTROL, form);
    if (info == GrB_SUCCESS) {
        sl_call with_copy = *call;
        *(of_mask ? &with_copy.mask : &with_copy.a) = &copy;
        status = operation(&with_copy);
    } else {
        status = sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    }
    sl_grb_release_object(&copy, handle);
    return status;
}

static bool assigns(sl_operation op)
{
    return op == SL_OP_ASSIGN || op == SL_OP_ASSIGN_ROW || op == SL_OP_ASSIGN_COLUMN;
}

static bool sums_products(sl_operation op)
{
    return op == SL_OP_VXM || op == SL_OP_MXV || op == SL_OP_MXM || op == SL_OP_REDUCE_ROWS;
}

/* Whether a matrix of sums has too few entries for a full result, which has at least one of each row or column. */
static GrB_Info has_few_entries(bool *few, const sl_call *call)
{
    const sl_object *out = call->out;
    const uint64_t rows = out->nrows, columns = out->ncols;
    const uint64_t needed = call->op == SL_OP_MXM && columns < rows ? columns : rows;
    const sl_object *const inputs[] = {call->a, call->b};
    GrB_Info info = GrB_SUCCESS;
    *few = false;
    for (int k = 0; k < 2 && info == GrB_SUCCESS && !*few; k++)
        if (inputs[k] && inputs[k]->is_matrix) {
            uint64_t count = 0;
            info = GrB_Matrix_nvals(&count, sl_grb_matrix(inputs[k]));
            *few = count < needed;
        }
    return info;
}

/*
 * Whether the result may be full before it is masked: it has the form of an input. Sums under a mask have
 * its form, but for sums of equal values. Elementwise sums and products always have it.
 */
static GrB_Info makes_full(bool *full, const sl_call *call)
{
    const sl_operation op = call->op;
    const bool sums = sums_products(op);
    const sl_object *const inputs[] = {call->a, call->b};
    GrB_Info info = GrB_SUCCESS;
    *full = false;
    if (op == SL_OP_EWISE_ADD || op == SL_OP_EWISE_MULT || op == SL_OP_EWISE_UNION)
        return GrB_SUCCESS;
    /* Each value of a Kronecker product has one of both inputs. */
    const bool all = op == SL_OP_KRONECKER;
    *full = all;
    for (int k = 0; k < 2 && info == GrB_SUCCESS && *full == all; k++)
        if (inputs[k]) {
            info = sl_grb_is_full(full, inputs[k]);
            *full = *full && size_of(inputs[k]) > 0; /* without indices it is kept as full, too */
            if (info == GrB_SUCCESS && *full && sums)
                info = sl_grb_is_iso(full, inputs[k]);
        }
    if (info == GrB_SUCCESS && *full && sums) {
        bool few;
        info = has_few_entries(&few, call);
        *full = !few;
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
    /* An assign to a part of the output has a mask that is larger than its input. Other operations would
     * make a full result of a copy that is not full. */
    if (full_result && assigns(call->op) && size_of(call->mask) > size_of(call->a))
        return run_with_form(call, false, GxB_SPARSE + GxB_HYPERSPARSE, operation);
    if (full_result || !(call->flags & SL_STRUCTURE))
        return run_with_form(call, true, GxB_BITMAP, operation);
    sl_call all = *call;
    all.mask = NULL;
    return operation(&all);
}
