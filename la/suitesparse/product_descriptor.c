/*
 * A detour around an error of SuiteSparse:GraphBLAS 7.4 to 10.5: a product can run for ever.
 *
 * Its multiplication of sparse operands collects a row of the result in a hash table, whose size it
 * derives from the number of multiplications. Under a mask that is stored as a bitmap or as a full
 * array, it counts rows of more than 256 entries as empty (GB_AxB_saxpy3_flopcount). Then the table
 * can be smaller than the row, and the search for a free place does not end. Gustavson's method,
 * which a descriptor can demand, has no such table. It takes O(size of the mask) time, which
 * few_products.c avoids.
 */
#include "suitesparse/grb_engine.h"

/* *dense: the object is stored as a bitmap or as a full array. */
static GrB_Info is_dense(bool *dense, bool is_matrix, void *handle)
{
    int form = GxB_SPARSE;
    GrB_Info info = is_matrix ? GxB_Matrix_Option_get(handle, GxB_SPARSITY_STATUS, &form)
                              : GxB_Vector_Option_get(handle, GxB_SPARSITY_STATUS, &form);
    *dense = form == GxB_BITMAP || form == GxB_FULL;
    return info;
}

/* Completes the mask's pending changes, which can change its form. */
static GrB_Info complete(const sl_object *mask)
{
    return mask->is_matrix ? GrB_Matrix_wait(sl_grb_matrix(mask), GrB_MATERIALIZE)
                           : GrB_Vector_wait(sl_grb_vector(mask), GrB_MATERIALIZE);
}

/* A product of the matrix's rows with a vector is not at risk: SuiteSparse transposes the vector, and
 * each row of the transposed vector has at most one entry. */
GrB_Info sl_grb_is_at_risk(bool *risk, const sl_call *call, void *a, void *b)
{
    const sl_object *mask = call->mask;
    const bool gathers = call->op == SL_OP_MXV   ? !(call->flags & SL_TRANSPOSE_A)
                         : call->op == SL_OP_VXM ? call->flags & SL_TRANSPOSE_B
                                                 : false;
    bool dense = false;
    *risk = false;
    if (!mask || (call->flags & SL_COMPLEMENT) || gathers)
        return GrB_SUCCESS;
    GrB_Info info = complete(mask);
    if (info == GrB_SUCCESS)
        info = is_dense(risk, mask->is_matrix, mask->held[SL_SLOT_HOST]);
    if (info == GrB_SUCCESS && *risk)
        info = is_dense(&dense, call->a->is_matrix, a);
    if (info == GrB_SUCCESS && *risk && !dense)
        info = is_dense(&dense, call->b->is_matrix, b);
    *risk = *risk && !dense;
    return info;
}

GrB_Info sl_grb_product_descriptor(GrB_Descriptor *desc, GrB_Descriptor *own, const sl_call *call,
                                   void *a, void *b)
{
    bool risk;
    *own = NULL;
    *desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = sl_grb_is_at_risk(&risk, call, a, b);
    if (info != GrB_SUCCESS || !risk)
        return info;
    info = sl_grb_new_descriptor(own, call->ctx, call->flags);
    if (info == GrB_SUCCESS)
        info = GxB_Desc_set(*own, GxB_AxB_METHOD, GxB_AxB_GUSTAVSON);
    *desc = *own;
    return info;
}
