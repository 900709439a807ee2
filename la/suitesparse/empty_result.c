/*
 * Writes the result of an operation that computes no entries, for calls in which SuiteSparse 7.4
 * would compute some.
 */
#include "suitesparse/grb_engine.h"

/* Assigns an empty object, so that GraphBLAS handles mask and accumulator: where
 * the mask allows writing, the output keeps its entries if there is an accumulator; otherwise they
 * are deleted. */
GrB_Info sl_grb_write_empty(sl_call *call, sl_type type)
{
    const sl_object *out = call->out;
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_Descriptor desc =
        sl_grb_descriptor(call->ctx, call->flags & ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B));
    GrB_Matrix matrix = NULL;
    GrB_Vector vector = NULL;
    GrB_Info info = out->is_matrix
                        ? GrB_Matrix_new(&matrix, sl_grb_type(type), out->nrows, out->ncols)
                        : GrB_Vector_new(&vector, sl_grb_type(type), out->nrows);
    if (info == GrB_SUCCESS)
        info = out->is_matrix
                   ? GrB_Matrix_assign(sl_grb_matrix(out), sl_grb_matrix(call->mask), accum, matrix,
                                       GrB_ALL, out->nrows, GrB_ALL, out->ncols, desc)
                   : GrB_Vector_assign(sl_grb_vector(out), sl_grb_vector(call->mask), accum, vector,
                                       GrB_ALL, out->nrows, desc);
    GrB_Matrix_free(&matrix);
    GrB_Vector_free(&vector);
    return info;
}
