/*
 * Iso objects, which store one value for all entries: the test for them, their value, and detours
 * around errors of SuiteSparse 7.4. One error exchanges the operands of a non-commutative
 * operator if both inputs of an elementwise product are iso. The detour computes z = f(x, y)
 * once and writes z to the common positions.
 */
#include "suitesparse/grb_engine.h"

GrB_Info sl_grb_new_room(sl_scalar *x, sl_type type)
{
    *x = (sl_scalar){.type = type};
    if (!sl_type_is_user_defined(type))
        return GrB_SUCCESS;
    x->as.other = sl_malloc(sl_type_size(type));
    return x->as.other ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
}

void sl_grb_free_room(sl_scalar *x)
{
    if (sl_type_is_user_defined(x->type))
        sl_free(x->as.other);
}

GrB_Info sl_grb_is_iso(bool *iso, const sl_object *a)
{
    GrB_Index count;
    *iso = false;
    GrB_Info info = a->is_matrix ? GrB_Matrix_nvals(&count, sl_grb_matrix(a))
                                 : GrB_Vector_nvals(&count, sl_grb_vector(a));
    if (info != GrB_SUCCESS)
        return info;
    info = a->is_matrix ? GxB_Matrix_iso(iso, sl_grb_matrix(a))
                        : GxB_Vector_iso(iso, sl_grb_vector(a));
    *iso = *iso && count > 0;
    return info;
}

/* Copies the first entry to x. */
static GrB_Info first_value(void *x, const sl_object *a)
{
    GxB_Iterator iterator = NULL;
    GrB_Info info = GxB_Iterator_new(&iterator);
    if (info == GrB_SUCCESS)
        info = a->is_matrix ? GxB_Matrix_Iterator_attach(iterator, sl_grb_matrix(a), NULL)
                            : GxB_Vector_Iterator_attach(iterator, sl_grb_vector(a), NULL);
    if (info == GrB_SUCCESS)
        info = a->is_matrix ? GxB_Matrix_Iterator_seek(iterator, 0)
                            : GxB_Vector_Iterator_seek(iterator, 0);
    if (info == GrB_SUCCESS)
        GxB_Iterator_get_UDT(iterator, x);
    GxB_Iterator_free(&iterator);
    return info;
}

GrB_Info sl_grb_iso_value(sl_scalar *x, const sl_object *a, sl_type type)
{
    if (sl_type_is_user_defined(type))
        return first_value(x->as.other, a);
    GrB_Monoid any = sl_grb_monoid(sl_monoid_get(SL_MONOID_ANY, type));
    GrB_Info info = GrB_INVALID_VALUE;
    x->type = type;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_reduce_##NAME(sl_grb_room(x), NULL, any, sl_grb_matrix(a), NULL)
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_reduce_##NAME(sl_grb_room(x), NULL, any, sl_grb_vector(a), NULL)
    if (a->is_matrix)
        SL_GRB_SWITCH(type, MATRIX)
    else
        SL_GRB_SWITCH(type, VECTOR)
#undef MATRIX
#undef VECTOR
    return info;
}

/*
 * A detour around an error of SuiteSparse 7.4, which writes a full result into the array of a full
 * iso output, although that array has room for one value only. An iso output whose old entries the
 * operation does not read is cleared first.
 */
GrB_Info sl_grb_clear_iso_output(const sl_call *call)
{
    sl_object *out = call->out;
    if (call->mask || call->accum || (call->flags & SL_COMPLEMENT) || out == call->a ||
        out == call->b)
        return GrB_SUCCESS;
    bool iso = false;
    GrB_Info info = out->is_matrix ? GxB_Matrix_iso(&iso, sl_grb_matrix(out))
                                   : GxB_Vector_iso(&iso, sl_grb_vector(out));
    if (info != GrB_SUCCESS || !iso)
        return info;
    return out->is_matrix ? GrB_Matrix_clear(sl_grb_matrix(out))
                          : GrB_Vector_clear(sl_grb_vector(out));
}

/* ---- the elementwise product of two iso objects ------------------------------- */

/* The same for a user-defined type, which has no operator "second". */
static GrB_Info write_other_matrix(const sl_call *call, GrB_Matrix common, sl_scalar z)
{
    const sl_object *out = call->out;
    const unsigned flags = call->flags & ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B);
    GrB_Matrix Z = NULL;
    GrB_Info info = GrB_Matrix_new(&Z, sl_grb_type(z.type), out->nrows, out->ncols);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_assign_UDT(Z, common, NULL, z.as.other, GrB_ALL, out->nrows, GrB_ALL,
                                     out->ncols, sl_grb_descriptor(call->ctx, SL_STRUCTURE));
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_assign(sl_grb_matrix(out), sl_grb_matrix(call->mask),
                                 sl_grb_binary(call->accum), Z, GrB_ALL, out->nrows, GrB_ALL,
                                 out->ncols, sl_grb_descriptor(call->ctx, flags));
    GrB_Matrix_free(&Z);
    return info;
}

static GrB_Info write_other_vector(const sl_call *call, GrB_Vector common, sl_scalar z)
{
    const sl_object *out = call->out;
    GrB_Vector Z = NULL;
    GrB_Info info = GrB_Vector_new(&Z, sl_grb_type(z.type), out->nrows);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_assign_UDT(Z, common, NULL, z.as.other, GrB_ALL, out->nrows,
                                     sl_grb_descriptor(call->ctx, SL_STRUCTURE));
    if (info == GrB_SUCCESS)
        info = GrB_Vector_assign(sl_grb_vector(out), sl_grb_vector(call->mask),
                                 sl_grb_binary(call->accum), Z, GrB_ALL, out->nrows,
                                 sl_grb_descriptor(call->ctx, call->flags));
    GrB_Vector_free(&Z);
    return info;
}

/* C<M> = C accum Z, where Z has the value z at the entries of `common`. */
static GrB_Info write_value_matrix(const sl_call *call, GrB_Matrix common, sl_scalar z)
{
    if (sl_type_is_user_defined(z.type))
        return write_other_matrix(call, common, z);
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_BinaryOp second = sl_grb_binary(sl_binary_op_get(SL_BINARY_SECOND, z.type));
    GrB_Descriptor desc =
        sl_grb_descriptor(call->ctx, call->flags & ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B));
    GrB_Info info = GrB_INVALID_VALUE;
#define SPREAD(NAME, member)                                                                       \
    info =                                                                                         \
        GrB_Matrix_apply_BinaryOp2nd_##NAME(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),   \
                                            accum, second, common, z.as.member, desc)
    SL_GRB_SWITCH(z.type, SPREAD)
#undef SPREAD
    return info;
}

static GrB_Info write_value_vector(const sl_call *call, GrB_Vector common, sl_scalar z)
{
    if (sl_type_is_user_defined(z.type))
        return write_other_vector(call, common, z);
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_BinaryOp second = sl_grb_binary(sl_binary_op_get(SL_BINARY_SECOND, z.type));
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = GrB_INVALID_VALUE;
#define SPREAD(NAME, member)                                                                       \
    info =                                                                                         \
        GrB_Vector_apply_BinaryOp2nd_##NAME(sl_grb_vector(call->out), sl_grb_vector(call->mask),   \
                                            accum, second, common, z.as.member, desc)
    SL_GRB_SWITCH(z.type, SPREAD)
#undef SPREAD
    return info;
}

/* As the function below; x, y and z have room for values of the operator's types. */
static GrB_Info multiply_values(const sl_call *call, sl_scalar x, sl_scalar y, sl_scalar z)
{
    const sl_object *out = call->out;
    GrB_Matrix C = NULL;
    GrB_Vector w = NULL;
    GrB_Info info = sl_grb_iso_value(&x, call->a, call->operators.binary->type);
    if (info == GrB_SUCCESS)
        info = sl_grb_iso_value(&y, call->b, call->operators.binary->type_y);
    if (info == GrB_SUCCESS)
        info = out->is_matrix ? GrB_Matrix_new(&C, GrB_BOOL, out->nrows, out->ncols)
                              : GrB_Vector_new(&w, GrB_BOOL, out->nrows);
    if (info == GrB_SUCCESS)
        info =
            out->is_matrix
                ? GrB_Matrix_eWiseMult_BinaryOp(
                      C, NULL, NULL, GxB_PAIR_BOOL, sl_grb_matrix(call->a), sl_grb_matrix(call->b),
                      sl_grb_descriptor(call->ctx, call->flags & (SL_TRANSPOSE_A | SL_TRANSPOSE_B)))
                : GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GxB_PAIR_BOOL,
                                                sl_grb_vector(call->a), sl_grb_vector(call->b),
                                                NULL);
    if (info == GrB_SUCCESS) {
        call->operators.binary->eval(sl_grb_room(&z), sl_scalar_bytes(&x), sl_scalar_bytes(&y));
        info = out->is_matrix ? write_value_matrix(call, C, z) : write_value_vector(call, w, z);
    }
    GrB_Matrix_free(&C);
    GrB_Vector_free(&w);
    return info;
}

GrB_Info sl_grb_multiply_iso(const sl_call *call)
{
    sl_scalar x, y, z;
    GrB_Info info = sl_grb_new_room(&x, call->operators.binary->type);
    GrB_Info info_y = sl_grb_new_room(&y, call->operators.binary->type_y);
    GrB_Info info_z = sl_grb_new_room(&z, call->operators.binary->result);
    info = info != GrB_SUCCESS ? info : info_y != GrB_SUCCESS ? info_y : info_z;
    if (info == GrB_SUCCESS)
        info = multiply_values(call, x, y, z);
    sl_grb_free_room(&x);
    sl_grb_free_room(&y);
    sl_grb_free_room(&z);
    return info;
}
