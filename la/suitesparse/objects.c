/* GraphBLAS objects: creation, copies and release, as the store needs them. */
#include "suitesparse/grb_engine.h"

#include <string.h>

/* Stores matrices by row, whatever default the program has set in GraphBLAS, so that tuples are
 * extracted in the order of rows. */
static GrB_Info create_matrix(GrB_Matrix *A, GrB_Type type, const sl_object *object)
{
    GrB_Info info = GrB_Matrix_new(A, type, object->nrows, object->ncols);
    return info == GrB_SUCCESS ? sl_grb_set_by_row(*A, true) : info;
}

sl_status sl_grb_create_object(void **handle, const sl_object *object)
{
    GrB_Type type = sl_grb_type(object->type);
    GrB_Info info = object->is_matrix ? create_matrix((GrB_Matrix *)handle, type, object)
                                      : GrB_Vector_new((GrB_Vector *)handle, type, object->nrows);
    return sl_grb_status(object->ctx, "new", info);
}

sl_status sl_grb_copy_object(void **handle, const sl_object *object, void *source)
{
    GrB_Info info = object->is_matrix ? GrB_Matrix_dup((GrB_Matrix *)handle, source)
                                      : GrB_Vector_dup((GrB_Vector *)handle, source);
    return sl_grb_status(object->ctx, "dup", info);
}

void sl_grb_release_object(const sl_object *object, void *handle)
{
    if (object->is_matrix)
        GrB_Matrix_free((GrB_Matrix *)&handle);
    else
        GrB_Vector_free((GrB_Vector *)&handle);
}

void *sl_grb_duplicate(const void *from, size_t size)
{
    void *to = sl_malloc(size);
    if (to && size)
        memcpy(to, from, size);
    return to;
}

GrB_Info sl_grb_copy_in_orientation(GrB_Matrix *copy, const sl_object *object, GrB_Matrix A,
                                    bool by_row)
{
    bool is_by_row;
    *copy = NULL;
    GrB_Info info = sl_grb_is_by_row(&is_by_row, A);
    if (info != GrB_SUCCESS || is_by_row == by_row)
        return info;
    info = GrB_Matrix_new(copy, sl_grb_type(object->type), object->nrows, object->ncols);
    if (info == GrB_SUCCESS)
        info = sl_grb_set_by_row(*copy, by_row);
    if (info == GrB_SUCCESS) /* the descriptor transposes the operand: the result is A itself */
        info = GrB_transpose(*copy, NULL, NULL, A, sl_grb_descriptor(object->ctx, SL_TRANSPOSE_A));
    if (info != GrB_SUCCESS)
        GrB_Matrix_free(copy);
    return info;
}
