/* diag and resize. */
#include "suitesparse/grb_engine.h"

sl_status sl_grb_diag(sl_call *call)
{
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, 0);
    GrB_Info info = call->out->is_matrix
                        ? GxB_Matrix_diag(sl_grb_matrix(call->out), sl_grb_vector(call->a),
                                          call->settings.offset, desc)
                        : GxB_Vector_diag(sl_grb_vector(call->out), sl_grb_matrix(call->a),
                                          call->settings.offset, desc);
    return sl_grb_status(call->ctx, "diag", info);
}

/* A detour around an error of SuiteSparse 10.5, which writes outside its arrays if an object from which
 * entries were removed grows before it has finished the removals. */
static GrB_Info finish_removals(const sl_object *o)
{
    return o->is_matrix ? GrB_Matrix_wait(sl_grb_matrix(o), GrB_MATERIALIZE)
                        : GrB_Vector_wait(sl_grb_vector(o), GrB_MATERIALIZE);
}

sl_status sl_grb_resize(sl_call *call)
{
    GrB_Info info = finish_removals(call->out);
    if (info == GrB_SUCCESS)
        info = call->out->is_matrix
                   ? GrB_Matrix_resize(sl_grb_matrix(call->out), call->rows.count, call->cols.count)
                   : GrB_Vector_resize(sl_grb_vector(call->out), call->rows.count);
    return sl_grb_status(call->ctx, "resize", info);
}
