/* Operators that also read the indices of their operands (GxB_IndexBinaryOp). */
#ifndef SEMLA_GRB_INDEXED_H
#define SEMLA_GRB_INDEXED_H

#include "graphblas/api_object.h"

/*
 * semla's operators read values only. An operation with such an operator first makes a copy of each operand whose
 * values are of a type of their own: the indices of the entry, then its value. The operator of semla takes these
 * values and calls the program's function.
 *
 * What a GrB_BinaryOp needs for this. The function and theta are found through a variable, which is set while the lock
 * is held: an operator of semla has no argument for them.
 */
struct grb_indexed {
    GxB_IndexBinaryOp op;
    void *theta;
    sl_type types[2];         /* of the indexed first and second operand */
    void *missing[2];         /* room for a value of each type */
    sl_index_op add_index[2]; /* makes a value of types[k] of a value and its indices */
};

void grb_indexed_free(struct grb_indexed *indexed);

/* An operand as semla takes it: a vector or a matrix, of the program or indexed and owned. */
typedef struct {
    sl_vector *v;
    sl_matrix *A;
    bool owned;
} grb_operand;

/*
 * Sets *first and *second to the operands of `op`: the objects' own vectors and matrices, or indexed copies of them.
 * Indexed copies have the indices of transposed objects where `transposed` has SL_TRANSPOSE_A or SL_TRANSPOSE_B; a
 * transposed vector is a row. The caller frees them by grb_operands_free. The lock is held.
 */
sl_status grb_operands_open(grb_operand *first, grb_operand *second, GrB_BinaryOp op, const void *a,
                            const void *b, unsigned transposed);
void grb_operands_free(grb_operand *first, grb_operand *second);

/* What stands for missing entries of the operand `side` (0 or 1) in an elementwise union: `value`, or for an indexed
 * operator a copy of it, until the next call. The lock is held. */
sl_scalar grb_indexed_scalar(GrB_BinaryOp op, int side, sl_scalar value);

/* C<mask> accum= op(A, B) where both have entries, and the entry of one alone. All are vectors, or all matrices. */
sl_status grb_indexed_add(const void *C, const void *mask, sl_binary_op accum, GrB_BinaryOp op,
                          const void *A, const void *B, GrB_Descriptor desc);

/*
 * Ends a function: runs `call`, an expression of type sl_status in which a and b are the operands of `op` that
 * stand for the objects A and B.
 */
#define GRB_RUN_OPERANDS(output, op, A, B, transposed, call)                                       \
    grb_operand a, b;                                                                              \
    grb_lock();                                                                                    \
    sl_status status = grb_operands_open(&a, &b, op, A, B, transposed);                            \
    if (status == SL_OK)                                                                           \
        status = (call);                                                                           \
    grb_operands_free(&a, &b);                                                                     \
    return grb_finish(&(output)->header, status)

#endif
