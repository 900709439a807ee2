/* Operations whose result has no entries before mask and accumulator are applied. */
#include "grb.h"

/* As GraphBLAS writes an empty matrix or vector of the type: under the mask the
 * output keeps its entries if there is an accumulator, and has none if not. */
GrB_Info sl_grb_write_nothing(sl_call *call, sl_type type)
{
    const sl_object *out = call->out;
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_UnaryOp identity = sl_grb_unary(sl_unary_op_get(SL_UNARY_IDENTITY, type));
    GrB_Descriptor desc =
        sl_grb_descriptor(call->ctx, call->flags & ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B));
    GrB_Matrix matrix = NULL;
    GrB_Vector vector = NULL;
    GrB_Info info = out->is_matrix
                        ? GrB_Matrix_new(&matrix, sl_grb_type(type), out->nrows, out->ncols)
                        : GrB_Vector_new(&vector, sl_grb_type(type), out->nrows);
    if (info == GrB_SUCCESS)
        info = out->is_matrix ? GrB_Matrix_apply(sl_grb_matrix(out), sl_grb_matrix(call->mask),
                                                 accum, identity, matrix, desc)
                              : GrB_Vector_apply(sl_grb_vector(out), sl_grb_vector(call->mask),
                                                 accum, identity, vector, desc);
    GrB_Matrix_free(&matrix);
    GrB_Vector_free(&vector);
    return info;
}
