/* assign and extract. */
#include "grb.h"

/* GraphBLAS's list of all: semla's is NULL. */
static const GrB_Index *list(const uint64_t *indices)
{
    return indices ? indices : GrB_ALL;
}

sl_status sl_grb_assign(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_Descriptor desc = sl_grb_descriptor(call->flags);
    GrB_Info info =
        call->out->is_matrix
            ? GrB_Matrix_assign(sl_grb_matrix(call->out), sl_grb_matrix(call->mask), accum,
                                sl_grb_matrix(call->a), list(call->rows), call->nrows,
                                list(call->cols), call->ncols, desc)
            : GrB_Vector_assign(sl_grb_vector(call->out), sl_grb_vector(call->mask), accum,
                                sl_grb_vector(call->a), list(call->rows), call->nrows, desc);
    return sl_grb_status(call->ctx, "assign", info);
}

/* SuiteSparse 7.4 miscounts entries where one value goes to every place of an
 * object that has removed entries to clear away: so that work is finished first. */
static GrB_Info finish_before_filling(const sl_call *call)
{
    const sl_object *out = call->out;
    if (call->mask || call->nrows < out->nrows || (out->is_matrix && call->ncols < out->ncols))
        return GrB_SUCCESS;
    return out->is_matrix ? GrB_Matrix_wait(sl_grb_matrix(out), GrB_MATERIALIZE)
                          : GrB_Vector_wait(sl_grb_vector(out), GrB_MATERIALIZE);
}

sl_status sl_grb_assign_scalar(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_Descriptor desc = sl_grb_descriptor(call->flags);
    GrB_Info info = finish_before_filling(call);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, "assign_scalar", info);
    info = GrB_INVALID_VALUE;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_assign_##NAME(sl_grb_matrix(call->out), sl_grb_matrix(call->mask), accum,    \
                                    call->scalar.as.member, list(call->rows), call->nrows,         \
                                    list(call->cols), call->ncols, desc)
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_assign_##NAME(sl_grb_vector(call->out), sl_grb_vector(call->mask), accum,    \
                                    call->scalar.as.member, list(call->rows), call->nrows, desc)
    if (call->out->is_matrix)
        SL_GRB_SWITCH(call->scalar.type, MATRIX)
    else
        SL_GRB_SWITCH(call->scalar.type, VECTOR)
#undef MATRIX
#undef VECTOR
    return sl_grb_status(call->ctx, "assign_scalar", info);
}

sl_status sl_grb_extract(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_Descriptor desc = sl_grb_descriptor(call->flags);
    GrB_Info info =
        call->out->is_matrix
            ? GrB_Matrix_extract(sl_grb_matrix(call->out), sl_grb_matrix(call->mask), accum,
                                 sl_grb_matrix(call->a), list(call->rows), call->nrows,
                                 list(call->cols), call->ncols, desc)
            : GrB_Vector_extract(sl_grb_vector(call->out), sl_grb_vector(call->mask), accum,
                                 sl_grb_vector(call->a), list(call->rows), call->nrows, desc);
    return sl_grb_status(call->ctx, "extract", info);
}

sl_status sl_grb_extract_column(sl_call *call)
{
    return sl_grb_status(call->ctx, "extract_column",
                         GrB_Col_extract(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                         sl_grb_binary(call->accum), sl_grb_matrix(call->a),
                                         list(call->rows), call->nrows, call->col,
                                         sl_grb_descriptor(call->flags)));
}
