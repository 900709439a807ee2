/* Private to the SuiteSparse engine: GraphBLAS handles of semla's things. */
#ifndef SEMLA_SUITESPARSE_GRB_H
#define SEMLA_SUITESPARSE_GRB_H

#include <semla/engine.h>

#include "compat.h"

/* ---- handles.c: NULL in, NULL (GraphBLAS's "none") out ------------------- */

GrB_Type sl_grb_type(sl_type type);
GrB_UnaryOp sl_grb_unary(sl_unary_op op);
GrB_BinaryOp sl_grb_binary(sl_binary_op op);
GrB_IndexUnaryOp sl_grb_index(sl_index_op op);
GrB_Monoid sl_grb_monoid(sl_monoid monoid);
GrB_Semiring sl_grb_semiring(sl_semiring semiring);
enum { SL_GRB_FLAG_SETS = 32 };
GrB_Descriptor sl_grb_common_descriptor(unsigned flags);

/* ---- team.c: threads, and the context's descriptor for a set of flags ------ */

sl_status sl_grb_set_threads(sl_context *ctx, int threads);
void sl_grb_enter(sl_context *ctx);
void sl_grb_leave(sl_context *ctx);
GrB_Descriptor sl_grb_descriptor(const sl_context *ctx, unsigned flags);

/* ---- engine.c ------------------------------------------------------------ */

/* SL_UNSUPPORTED if GraphBLAS was initialised by the program and does not allocate by
 * sl_malloc; else it keeps no free blocks from now on. */
sl_status sl_grb_expose_memory(sl_context *ctx);

/* ---- user.c: what a user defines ------------------------------------------ */

sl_status sl_grb_define(sl_user *user);
void sl_grb_forget(sl_user *user);
/* user_index.c: index-unary operators, and their operations. */
GrB_Info sl_grb_define_index(void **handle, sl_index_op op);
void sl_grb_forget_index(void *handle);
sl_status sl_grb_apply_user_index(sl_call *call);
sl_status sl_grb_select_user(sl_call *call);

/* ---- shared.c: objects that store one value for all their entries ---------- */

/* Whether there are entries, and one value for all. */
GrB_Info sl_grb_shares_value(bool *shared, const sl_object *a);
/* That value, cast. */
GrB_Info sl_grb_shared_value(sl_scalar *x, const sl_object *a, sl_type type);
/* The elementwise product of two such objects with a user's operator. */
GrB_Info sl_grb_multiply_shared(const sl_call *call);

/* ---- errors ------------------------------------------------------------- */

/* The status that stands for GraphBLAS's, with its message on the context.
 * `what` names the operation. SL_OK for GrB_SUCCESS, SL_NO_VALUE for GrB_NO_VALUE. */
sl_status sl_grb_status(sl_context *ctx, const char *what, GrB_Info info);

/* ---- the objects behind a call ------------------------------------------ */

static inline GrB_Matrix sl_grb_matrix(const sl_object *object)
{
    return object ? sl_handle(object, &sl_store_host) : NULL;
}
static inline GrB_Vector sl_grb_vector(const sl_object *object)
{
    return object ? sl_handle(object, &sl_store_host) : NULL;
}

/* Scalar number 0 or 1 of the context with this value: valid until the next of that
 * number (scalars.c). */
GrB_Info sl_grb_scalar(GrB_Scalar *lent, sl_context *ctx, int number, sl_scalar value);
void sl_grb_free_scalars(sl_context *ctx);

/* C<M> = C accum nothing, `nothing` being of this type (nothing.c). */
GrB_Info sl_grb_write_nothing(sl_call *call, sl_type type);

/* A case for every type: CASE(NAME, member), as in GrB_..._NAME(as.member). */
#define SL_GRB_CASE(NAME, name, T, class, lo, hi, CALL)                                            \
    case SL_##NAME:                                                                                \
        CALL(NAME, name##_);                                                                       \
        break;
#define SL_GRB_SWITCH(type, CALL)                                                                  \
    switch (type) {                                                                                \
        SL_TYPES_ALL(SL_GRB_CASE, CALL)                                                            \
    default:                                                                                       \
        break;                                                                                     \
    }

/* ---- arrays.c ------------------------------------------------------------- */

/* Moves arrays into an empty object; on success the pointers are NULL. values is not
 * NULL, unless there are no entries. It takes no memory, save of a vector's list. */
GrB_Info sl_grb_pack(const sl_object *object, void *handle, sl_arrays *arrays);
/* Moves an object's arrays out in a format, in order; an iso object's one value is in
 * values. What the object holds then means nothing; on failure it is as it was. */
GrB_Info sl_grb_unpack(sl_arrays *arrays, const sl_object *object, void *handle, sl_format format);

/* Of a matrix that is kept by column, while rows are asked for, or the other way round: a
 * copy that is kept so. Else NULL. */
GrB_Info sl_grb_turned(GrB_Matrix *turned, const sl_object *object, GrB_Matrix A, bool by_row);

/* `pack` with values NULL for a pattern, and a message. The arrays are the object's
 * then, though their pointers are still there; on failure they are the caller's. */
sl_status sl_grb_take_into(const sl_object *object, void *handle, const sl_arrays *arrays);

/* A copy of some bytes, or NULL. */
void *sl_grb_duplicate(const void *from, size_t size);

/* ---- masks.c --------------------------------------------------------------- */

/* The operation, with its mask in a form that GraphBLAS takes with an accumulator. */
sl_status sl_grb_masked(sl_call *call, sl_status (*operation)(sl_call *));

/* ---- the engine's operations, by file ------------------------------------ */

sl_status sl_grb_product(sl_call *call); /* products.c */
sl_status sl_grb_ewise_add(sl_call *call);
sl_status sl_grb_ewise_mult(sl_call *call);
sl_status sl_grb_ewise_union(sl_call *call);
sl_status sl_grb_kronecker(sl_call *call);
sl_status sl_grb_apply(sl_call *call); /* apply.c */
sl_status sl_grb_apply_first(sl_call *call);
sl_status sl_grb_apply_second(sl_call *call);
sl_status sl_grb_apply_index(sl_call *call);
sl_status sl_grb_select(sl_call *call);
sl_status sl_grb_transpose(sl_call *call);
sl_status sl_grb_reduce(sl_call *call); /* reduce.c */
sl_status sl_grb_reduce_rows(sl_call *call);
sl_status sl_grb_assign(sl_call *call); /* assign.c */
sl_status sl_grb_assign_scalar(sl_call *call);
sl_status sl_grb_assign_row(sl_call *call);
sl_status sl_grb_assign_column(sl_call *call);
sl_status sl_grb_extract(sl_call *call);
sl_status sl_grb_extract_column(sl_call *call);
sl_status sl_grb_diag(sl_call *call); /* shape.c */
sl_status sl_grb_resize(sl_call *call);
sl_status sl_grb_build(sl_call *call); /* entries.c */
sl_status sl_grb_tuples(sl_call *call);
sl_status sl_grb_set(sl_call *call);
sl_status sl_grb_get(sl_call *call);
sl_status sl_grb_remove(sl_call *call);
sl_status sl_grb_nvals(sl_call *call);
sl_status sl_grb_is_pattern(sl_call *call);
sl_status sl_grb_take(sl_call *call); /* arrays.c */
sl_status sl_grb_give(sl_call *call);
sl_status sl_grb_copy_out(sl_call *call);
sl_status sl_grb_row_entries(sl_call *call); /* store.c */

#endif
