/* sort, by GxB_Vector_sort. */
#include "suitesparse/grb_engine.h"

/* The results are written to new vectors: the input may be one of them. SuiteSparse 7.4 may return no
 * entries for a vector with pending work, which is therefore done first. */
sl_status sl_grb_sort(sl_call *call)
{
    sl_object *const outs[] = {call->out, call->second_out};
    GrB_Vector made[] = {NULL, NULL};
    GrB_Info info = GrB_SUCCESS;
    for (int k = 0; k < 2 && info == GrB_SUCCESS; k++)
        if (outs[k])
            info = GrB_Vector_new(&made[k], sl_grb_type(outs[k]->type), outs[k]->nrows);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_wait(sl_grb_vector(call->a), GrB_MATERIALIZE);
    if (info == GrB_SUCCESS && call->a->nrows > 0)
        info = GxB_Vector_sort(made[0], made[1], sl_grb_binary(call->operators.binary),
                               sl_grb_vector(call->a), sl_grb_descriptor(call->ctx, 0));
    for (int k = 0; k < 2 && info == GrB_SUCCESS; k++)
        if (outs[k]) {
            sl_grb_release_object(outs[k], sl_grb_vector(outs[k]));
            outs[k]->held[SL_SLOT_HOST] = made[k];
            made[k] = NULL;
        }
    for (int k = 0; k < 2; k++)
        GrB_Vector_free(&made[k]);
    return sl_grb_status(call->ctx, "sort", info);
}
