/*
 * User-defined index operators. GraphBLAS calls index operators with unsigned indices, semla's
 * functions take signed ones; so GraphBLAS gets one common function, which calls the user's
 * function stored in the thunk.
 */
#include "suitesparse/grb_engine.h"

#include <string.h>

/* What `held` of a user-defined index operator points to. */
typedef struct {
    GrB_IndexUnaryOp op;
    GrB_IndexUnaryOp of_int64; /* ignores its input, which is int64: for bound_thunk.iso_x */
    GrB_Type thunk;            /* the type of a pointer to a bound_thunk */
} index_handle;

/* GraphBLAS passes a pointer to it to the common function as the thunk, so that a call copies no more. */
typedef struct {
    sl_index_function function; /* the user's */
    const void *thunk;          /* the bytes of the user's */
    bool iso_x;                 /* use x instead of the value that GraphBLAS passes */
    sl_scalar x;
} bound_thunk;

static void call_with_signed_indices(void *z, const void *x, GrB_Index i, GrB_Index j,
                                     const void *thunk)
{
    const bound_thunk *b;
    memcpy(&b, thunk, sizeof b); /* it may be unaligned */
    b->function(z, b->iso_x ? sl_scalar_bytes(&b->x) : x, (int64_t)i, (int64_t)j, b->thunk);
}

GrB_Info sl_grb_define_index(void **handle, sl_index_op op)
{
    index_handle *made = sl_calloc(1, sizeof *made);
    *handle = made;
    if (!made)
        return GrB_OUT_OF_MEMORY;
    GrB_Info info = GrB_Type_new(&made->thunk, sizeof(const bound_thunk *));
    if (info == GrB_SUCCESS)
        info = GxB_IndexUnaryOp_new(&made->op, call_with_signed_indices, sl_grb_type(op->result),
                                    sl_grb_type(op->type), made->thunk, NULL, NULL);
    if (info == GrB_SUCCESS)
        info = GxB_IndexUnaryOp_new(&made->of_int64, call_with_signed_indices,
                                    sl_grb_type(op->result), GrB_INT64, made->thunk, NULL, NULL);
    return info;
}

void sl_grb_forget_index(void *handle)
{
    index_handle *made = handle;
    if (!made)
        return;
    GrB_IndexUnaryOp_free(&made->op);
    GrB_IndexUnaryOp_free(&made->of_int64);
    GrB_Type_free(&made->thunk);
    sl_free(made);
}

static GrB_IndexUnaryOp handle_of(sl_index_op op, bool iso_x)
{
    const index_handle *made = op->user->held[SL_SLOT_HOST];
    return iso_x ? made->of_int64 : made->op;
}

static bound_thunk bind(const sl_call *call)
{
    return (bound_thunk){.function = call->operators.index->eval,
                         .thunk = sl_scalar_bytes(&call->scalar)};
}

/* ---- apply ------------------------------------------------------------------ */

static GrB_Info apply_matrix(const sl_call *call, GrB_Matrix A, const bound_thunk *b)
{
    return GrB_Matrix_apply_IndexOp_UDT(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                        sl_grb_binary(call->accum),
                                        handle_of(call->operators.index, b->iso_x), A, &b,
                                        sl_grb_descriptor(call->ctx, call->flags));
}

static GrB_Info apply_vector(const sl_call *call, GrB_Vector u, const bound_thunk *b)
{
    return GrB_Vector_apply_IndexOp_UDT(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                        sl_grb_binary(call->accum),
                                        handle_of(call->operators.index, b->iso_x), u, &b,
                                        sl_grb_descriptor(call->ctx, call->flags));
}

/*
 * A detour around an error of SuiteSparse 7.4, which reads an iso input as if it stored every
 * value: the operator is applied to an object with the same pattern that stores values, and ignores
 * them.
 */
static GrB_Info apply_to_iso(const sl_call *call, bound_thunk *b)
{
    const sl_object *a = call->a;
    GrB_Matrix A = NULL;
    GrB_Vector u = NULL;
    b->iso_x = true;
    GrB_Info info = sl_grb_new_room(&b->x, call->operators.index->type);
    if (info == GrB_SUCCESS)
        info = sl_grb_iso_value(&b->x, a, call->operators.index->type);
    if (info == GrB_SUCCESS)
        info = a->is_matrix ? GrB_Matrix_new(&A, GrB_INT64, a->nrows, a->ncols)
                            : GrB_Vector_new(&u, GrB_INT64, a->nrows);
    if (info == GrB_SUCCESS)
        info = a->is_matrix ? GrB_Matrix_apply_IndexOp_INT64(A, NULL, NULL, GrB_ROWINDEX_INT64,
                                                             sl_grb_matrix(a), 0, NULL)
                            : GrB_Vector_apply_IndexOp_INT64(u, NULL, NULL, GrB_ROWINDEX_INT64,
                                                             sl_grb_vector(a), 0, NULL);
    if (info == GrB_SUCCESS)
        info = a->is_matrix ? apply_matrix(call, A, b) : apply_vector(call, u, b);
    sl_grb_free_room(&b->x);
    GrB_Matrix_free(&A);
    GrB_Vector_free(&u);
    return info;
}

sl_status sl_grb_apply_user_index(sl_call *call)
{
    const sl_object *a = call->a;
    bound_thunk b = bind(call);
    bool iso = false;
    GrB_Info info = GrB_SUCCESS;
    if (call->accum) /* as sort_input in apply.c */
        info = a->is_matrix ? GrB_Matrix_wait(sl_grb_matrix(a), GrB_MATERIALIZE)
                            : GrB_Vector_wait(sl_grb_vector(a), GrB_MATERIALIZE);
    if (info == GrB_SUCCESS)
        info = sl_grb_is_iso(&iso, a);
    if (info == GrB_SUCCESS)
        info = iso            ? apply_to_iso(call, &b)
               : a->is_matrix ? apply_matrix(call, sl_grb_matrix(a), &b)
                              : apply_vector(call, sl_grb_vector(a), &b);
    return sl_grb_status(call->ctx, "apply_index", info);
}

/* ---- select ----------------------------------------------------------------- */

sl_status sl_grb_select_user(sl_call *call)
{
    const bound_thunk bound = bind(call), *b = &bound;
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_IndexUnaryOp op = handle_of(call->operators.index, false);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = call->out->is_matrix
                        ? GrB_Matrix_select_UDT(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                                accum, op, sl_grb_matrix(call->a), &b, desc)
                        : GrB_Vector_select_UDT(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                                accum, op, sl_grb_vector(call->a), &b, desc);
    return sl_grb_status(call->ctx, "select", info);
}
