/*
 * User-defined types, operators, monoids and semirings as GraphBLAS objects. A monoid or semiring that
 * equals a built-in one uses the built-in handle.
 */
#include "suitesparse/grb_engine.h"

static GrB_Info define_unary(void **handle, sl_unary_op op)
{
    GrB_UnaryOp made = NULL;
    GrB_Info info = sl_grb_new_unary(&made, op);
    *handle = made;
    return info;
}

static GrB_Info define_binary(void **handle, sl_binary_op op)
{
    GrB_BinaryOp made = NULL;
    GrB_Info info = sl_grb_new_binary(&made, op);
    *handle = made;
    return info;
}

/* ---- monoids and semirings -------------------------------------------------- */

static GrB_Info define_monoid(void **handle, sl_monoid monoid)
{
    GrB_Monoid made = NULL;
    GrB_Info info = sl_grb_new_monoid(&made, monoid);
    *handle = made;
    return info;
}

/* The operator for GraphBLAS. For firsti and secondj it is first or second, because products.c
 * replaces the values of an operand by indices. */
static GrB_BinaryOp multiply_operator(sl_binary_op op)
{
    if (op->code == SL_BINARY_FIRSTI)
        return sl_grb_binary(sl_binary_op_get(SL_BINARY_FIRST, op->result));
    if (op->code == SL_BINARY_SECONDJ)
        return sl_grb_binary(sl_binary_op_get(SL_BINARY_SECOND, op->result));
    return sl_grb_binary(op);
}

static GrB_Info define_semiring(void **handle, sl_semiring semiring)
{
    GrB_Semiring made = NULL;
    GrB_Info info = GrB_Semiring_new(&made, sl_grb_monoid(semiring->add),
                                     multiply_operator(semiring->multiply));
    *handle = made;
    return info;
}

sl_status sl_grb_define(sl_user *user)
{
    void **handle = &user->held[SL_SLOT_HOST];
    GrB_Info info = GrB_SUCCESS;
    switch (user->kind) {
    case SL_USER_TYPE:
        info = GrB_Type_new((GrB_Type *)handle, user->as.type.entry.size);
        break;
    case SL_USER_UNARY_OP:
        info = define_unary(handle, &user->as.unary);
        break;
    case SL_USER_BINARY_OP:
        info = define_binary(handle, &user->as.binary);
        break;
    case SL_USER_INDEX_OP:
        info = sl_grb_define_index(handle, &user->as.index);
        break;
    case SL_USER_MONOID:
        if (user->as.monoid.code == SL_MONOID_COUNT)
            info = define_monoid(handle, &user->as.monoid);
        break;
    case SL_USER_SEMIRING:
        if (user->as.semiring.code == SL_SEMIRING_COUNT)
            info = define_semiring(handle, &user->as.semiring);
        break;
    }
    return sl_grb_status(user->ctx, user->name, info);
}

void sl_grb_forget(sl_user *user)
{
    void *handle = user->held[SL_SLOT_HOST];
    switch (user->kind) {
    case SL_USER_TYPE:
        sl_grb_free_other_scalars(user->ctx);
        GrB_Type_free(&(GrB_Type){handle});
        break;
    case SL_USER_UNARY_OP:
        GrB_UnaryOp_free(&(GrB_UnaryOp){handle});
        break;
    case SL_USER_BINARY_OP:
        GrB_BinaryOp_free(&(GrB_BinaryOp){handle});
        break;
    case SL_USER_INDEX_OP:
        sl_grb_forget_index(handle);
        break;
    case SL_USER_MONOID:
        GrB_Monoid_free(&(GrB_Monoid){handle});
        break;
    case SL_USER_SEMIRING:
        GrB_Semiring_free(&(GrB_Semiring){handle});
        break;
    }
}
