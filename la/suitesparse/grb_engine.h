/* Declarations that the files of the SuiteSparse engine share. Private to this folder. */
#ifndef SEMLA_SUITESPARSE_GRB_H
#define SEMLA_SUITESPARSE_GRB_H

#include <semla/engine.h>

#include "suitesparse/compat.h"

/*
 * ---- handles.c: the GraphBLAS handle of a type, operator, monoid or semiring -----
 * The handle of NULL is NULL, which GraphBLAS reads as "none".
 */

GrB_Type sl_grb_type(sl_type type);
GrB_UnaryOp sl_grb_unary(sl_unary_op op);
GrB_BinaryOp sl_grb_binary(sl_binary_op op);
GrB_IndexUnaryOp sl_grb_index(sl_index_op op);
GrB_Monoid sl_grb_monoid(sl_monoid monoid);
GrB_Semiring sl_grb_semiring(sl_semiring semiring);
/* Make and free the handles of the table's operators and monoids that GraphBLAS does not have, of
 * their host functions. On failure none is left. */
GrB_Info sl_grb_make_operators(void);
void sl_grb_free_operators(void);
enum { SL_GRB_FLAG_SETS = 32 }; /* number of combinations of descriptor flags */
/* GraphBLAS's predefined descriptor for these flags; NULL for 0. */
GrB_Descriptor sl_grb_predefined_descriptor(unsigned flags);

/* ---- threads.c: the number of threads, and descriptors ---------------------- */

/* Sets the number of threads of a context's operations; 0: GraphBLAS's default. SL_NO_MEMORY. */
sl_status sl_grb_set_threads(sl_context *ctx, int threads);
/* Engage and disengage the context's number of threads around an operation; calls may nest. */
void sl_grb_enter(sl_context *ctx);
void sl_grb_leave(sl_context *ctx);
/* The descriptor for these flags, with the context's number of threads where descriptors set it. */
GrB_Descriptor sl_grb_descriptor(const sl_context *ctx, unsigned flags);
/* A new descriptor with the same contents. */
GrB_Info sl_grb_new_descriptor(GrB_Descriptor *desc, const sl_context *ctx, unsigned flags);

/* ---- product_descriptor.c ------------------------------------------------- */

/* *risk: the product of the handles a and b under the call's mask could use a hash table that is too small. */
GrB_Info sl_grb_is_at_risk(bool *risk, const sl_call *call, void *a, void *b);
/* The descriptor of a product of the handles a and b. *own: the same if it was made for this product,
 * else NULL; the caller frees it, also after an error. */
GrB_Info sl_grb_product_descriptor(GrB_Descriptor *desc, GrB_Descriptor *own, const sl_call *call,
                                   void *a, void *b);

/* ---- row_view.c ---------------------------------------------------------- */

/* The rows of a matrix as GraphBLAS stores them. */
typedef struct {
    const uint64_t *start; /* of row k of the list, count + 1 pointers; NULL: rows count as full */
    const uint64_t *list;  /* the nonempty rows; NULL: all rows */
    const uint64_t *cols;  /* may be unsorted within a row */
    uint64_t count;        /* rows in the list */
    uint64_t length;       /* number of columns */
    uint64_t nvals;
} sl_grb_rows;

/* The arrays stay valid until the matrix is written. GrB_NO_VALUE: the matrix is stored by column. */
GrB_Info sl_grb_view_rows(sl_grb_rows *rows, GrB_Matrix A, GrB_Descriptor desc);
/* sl_store.view: converts the matrix to a list of all rows. */
sl_status sl_grb_view(sl_csr *lent, const sl_object *object, void *handle);
/* sl_grb_view_rows; a matrix that is stored neither as a list of all rows nor as one of its nonempty rows is converted
 * to the former. */
sl_status sl_grb_list_rows(sl_grb_rows *rows, const sl_object *object, const char *what);
/* The number of entries of row number `row` of the matrix. */
uint64_t sl_grb_row_length(const sl_grb_rows *rows, uint64_t row);

/* ---- row_pieces.c --------------------------------------------------------- */

/* Runs an mxm or kronecker in pieces of rows if it takes long; *ran: it has run, or failed. The operands of the
 * mxm are the handles a and b. SL_CANCELLED. */
sl_status sl_grb_mxm_in_pieces(bool *ran, const sl_call *call, GrB_Matrix a, GrB_Matrix b);
sl_status sl_grb_kronecker_in_pieces(bool *ran, const sl_call *call);
/* multiply.c: C<M> = C accum A B over the call's semiring, with the flags of a descriptor. */
GrB_Info sl_grb_multiply_matrices(GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum,
                                  const sl_call *call, GrB_Matrix A, GrB_Matrix B, unsigned flags);

/* ---- handles.c ----------------------------------------------------------- */

/* New GraphBLAS objects of an operator's host function, and of a monoid. */
GrB_Info sl_grb_new_unary(GrB_UnaryOp *made, sl_unary_op op);
GrB_Info sl_grb_new_binary(GrB_BinaryOp *made, sl_binary_op op);
GrB_Info sl_grb_new_monoid(GrB_Monoid *made, sl_monoid monoid);

/* ---- user.c: user-defined operators, monoids and semirings ---------------- */

/* Creates the GraphBLAS objects of a definition, and frees them. */
sl_status sl_grb_define(sl_user *user);
void sl_grb_forget(sl_user *user);
/* user_index.c: user-defined index-unary operators, and apply and select with them. */
GrB_Info sl_grb_define_index(void **handle, sl_index_op op);
void sl_grb_forget_index(void *handle);
sl_status sl_grb_apply_user_index(sl_call *call);
sl_status sl_grb_select_user(sl_call *call);

/* ---- iso_values.c: iso objects, which store one value for all entries ------ */

/* Room for a value of a type, with memory of its own if the type is user-defined; sl_grb_free_room also after an
 * error. */
GrB_Info sl_grb_new_room(sl_scalar *x, sl_type type);
void sl_grb_free_room(sl_scalar *x);
/* *iso: the object has entries and stores one value for all of them. */
GrB_Info sl_grb_is_iso(bool *iso, const sl_object *a);
/* The value of an iso object, cast to `type`; x has room for it. */
GrB_Info sl_grb_iso_value(sl_scalar *x, const sl_object *a, sl_type type);
/* Clears an iso output into which SuiteSparse 7.4 could write a full result past the end. */
GrB_Info sl_grb_clear_iso_output(const sl_call *call);
/* The elementwise product of two iso objects with an operator that is not positional. */
GrB_Info sl_grb_multiply_iso(const sl_call *call);

/* ---- errors ------------------------------------------------------------- */

/* Translates a result of GraphBLAS to a status and, for an error, sets the context's message.
 * `what` names the operation. SL_OK for GrB_SUCCESS, SL_NO_VALUE for GrB_NO_VALUE. */
sl_status sl_grb_status(sl_context *ctx, const char *what, GrB_Info info);

/* ---- operands ----------------------------------------------------------- */

/* The handle of an object in the host store; NULL for NULL. */

static inline GrB_Matrix sl_grb_matrix(const sl_object *object)
{
    return object ? object->held[SL_SLOT_HOST] : NULL;
}
static inline GrB_Vector sl_grb_vector(const sl_object *object)
{
    return object ? object->held[SL_SLOT_HOST] : NULL;
}

/* Where a function writes a value of the scalar's type. */
static inline void *sl_grb_room(sl_scalar *scalar)
{
    return (void *)sl_scalar_bytes(scalar);
}

/* scalars.c: *scalar is the context's GrB_Scalar number 0 or 1 of the value's type, set to the
 * value. The context owns it; the next call with this number may overwrite it. */
GrB_Info sl_grb_scalar(GrB_Scalar *scalar, sl_context *ctx, int number, sl_scalar value);
void sl_grb_free_scalars(sl_context *ctx);
/* Frees the scalars of user-defined types. */
void sl_grb_free_other_scalars(sl_context *ctx);

/* empty_result.c: C<M> = C accum E, where E is an object of this type without entries. */
GrB_Info sl_grb_write_empty(sl_call *call, sl_type type);

/* A switch over the types, for GraphBLAS functions with the type in their name: CALL(NAME, member)
 * uses GrB_..._NAME and value.as.member. They take values of user-defined types by address. */
#define SL_GRB_CASE(NAME, name, T, class, lo, hi, CALL)                                            \
    case SL_##NAME:                                                                                \
        CALL(NAME, name##_);                                                                       \
        break;
#define SL_GRB_SWITCH(type, CALL)                                                                  \
    switch (type) {                                                                                \
        SL_TYPES_ALL(SL_GRB_CASE, CALL)                                                            \
    default:                                                                                       \
        CALL(UDT, other);                                                                          \
        break;                                                                                     \
    }

/* ---- arrays.c ------------------------------------------------------------- */

/* Moves arrays into an empty object without a copy. `values` may be NULL only if there are no
 * entries. On success the pointers are NULL. Allocates only for a vector's list. */
GrB_Info sl_grb_pack(const sl_object *object, void *handle, sl_arrays *arrays);
/* Moves the arrays of an object out, converted to `format` and sorted; the `values` of an iso
 * object hold one value. Afterwards the object has no defined contents; on failure it is unchanged.
 */
GrB_Info sl_grb_unpack(sl_arrays *arrays, const sl_object *object, void *handle, sl_format format);

/* ---- objects.c ------------------------------------------------------------ */

/* A new object of GraphBLAS with the type and shape of `object`, or a copy of `source`. */
sl_status sl_grb_create_object(void **handle, const sl_object *object);
sl_status sl_grb_copy_object(void **handle, const sl_object *object, void *source);
void sl_grb_release_object(const sl_object *object, void *handle);

/* *copy is a copy of A stored by row (by_row) or by column, or NULL if A itself is stored so. */
GrB_Info sl_grb_copy_in_orientation(GrB_Matrix *copy, const sl_object *object, GrB_Matrix A,
                                    bool by_row);

/* As sl_grb_pack, but `values` is NULL for a pattern, and errors set the context's message. On
 * success the object owns the arrays, although `arrays` still holds the pointers; on failure the
 * caller keeps them. */
sl_status sl_grb_take_into(const sl_object *object, void *handle, const sl_arrays *arrays);

/* A copy of `size` bytes from sl_malloc; NULL if out of memory. */
void *sl_grb_duplicate(const void *from, size_t size);

/* ---- long_ranges.c --------------------------------------------------------- */

/* True if a range of the call is so long that SuiteSparse would not end. */
bool sl_grb_is_endless(const sl_call *call);
/* The operations on pieces of a range. */
typedef struct {
    sl_status (*extract)(sl_call *call);
    sl_status (*extract_column)(sl_call *call);
    sl_status (*assign)(sl_call *call);
    sl_status (*assign_scalar)(sl_call *call);
    sl_status (*assign_row)(sl_call *call);
    sl_status (*assign_column)(sl_call *call);
} sl_grb_indexed;
/* Run such a call. */
sl_status sl_grb_extract_long_range(sl_call *call, const sl_grb_indexed *on);
sl_status sl_grb_assign_long_range(sl_call *call, const sl_grb_indexed *on);

/* ---- masks.c --------------------------------------------------------------- */

/* Runs the operation, with detours that depend on its output and mask: see masks.c. */
sl_status sl_grb_masked(sl_call *call, sl_status (*operation)(sl_call *));
/* *full: the object is stored as a full array. */
GrB_Info sl_grb_is_full(bool *full, const sl_object *object);

/* ---- initialise.c ---------------------------------------------------------- */

sl_status sl_grb_start(sl_context *ctx);
void sl_grb_stop(sl_context *ctx);
/* The version of the library, or before it is initialised the version of its header. */
const char *sl_grb_version(void);
/* Makes GraphBLAS return every freed block to sl_free from now on, so that memory can be counted.
 * SL_UNSUPPORTED if the program initialised GraphBLAS, which then does not use sl_malloc. */
sl_status sl_grb_expose_memory(sl_context *ctx);

/* ---- the engine's operations, by file ------------------------------------ */

sl_status sl_grb_product(sl_call *call);           /* few_products.c */
sl_status sl_grb_multiply_operands(sl_call *call); /* products.c: the product, under its mask */
sl_status sl_grb_ewise_mult(sl_call *call);
sl_status sl_grb_ewise_union(sl_call *call);
sl_status sl_grb_kronecker(sl_call *call);
sl_status sl_grb_ewise_add(sl_call *call); /* ewise_add.c */
sl_status sl_grb_apply(sl_call *call);     /* apply.c */
sl_status sl_grb_apply_first(sl_call *call);
sl_status sl_grb_apply_second(sl_call *call);
sl_status sl_grb_apply_index(sl_call *call);
sl_status sl_grb_select(sl_call *call);
sl_status sl_grb_transpose(sl_call *call);
sl_status sl_grb_reduce(sl_call *call); /* reduce.c */
sl_status sl_grb_reduce_rows(sl_call *call);
sl_status sl_grb_reduce_pair(sl_call *call);
sl_status sl_grb_assign(sl_call *call); /* assign.c */
sl_status sl_grb_assign_scalar(sl_call *call);
sl_status sl_grb_assign_row(sl_call *call);
sl_status sl_grb_assign_column(sl_call *call);
sl_status sl_grb_extract(sl_call *call);
sl_status sl_grb_extract_column(sl_call *call);
sl_status sl_grb_gather(sl_call *call); /* gather.c */
sl_status sl_grb_gather_matrix(sl_call *call);
sl_status sl_grb_sort(sl_call *call);    /* sort.c */
sl_status sl_grb_scatter(sl_call *call); /* scatter.c */
sl_status sl_grb_diag(sl_call *call);    /* shape.c */
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
sl_status sl_grb_sum_mirrors(sl_call *call); /* mirrors.c */

#endif
