/* The same trial by SuiteSparse called directly: SuiteSparse's own objects with the same tuples,
 * and SuiteSparse's handles of the same operators. */
#ifndef SEMLA_PARITY_DIRECT_H
#define SEMLA_PARITY_DIRECT_H

#include "graphblas.h"
#include "operations.h"

/* SuiteSparse's equivalents of `user_operators`, at the same positions, and descriptors. */
typedef struct {
    GrB_UnaryOp unary[2];
    GrB_BinaryOp binary[7];
    GrB_IndexUnaryOp index[2];
    GrB_Monoid monoid[3];
    GrB_Semiring semiring[11];
    GrB_Descriptor descriptors[32]; /* indexed by semla's flags */
} direct_handles;

void direct_define(direct_handles *h, const user_operators *u);
void direct_undefine(direct_handles *h);

typedef struct {
    const trial *t;
    const direct_handles *handles;
    /* The GrB_Matrix or GrB_Vector of each of the trial's operands, as void * for functions of
     * either. */
    void *operands[sizeof((trial *)0)->operands / sizeof(operand)];
    void *out, *mask, *a, *b;
    GrB_BinaryOp accum, binary;
    GrB_UnaryOp unary;
    GrB_IndexUnaryOp index;
    GrB_Monoid monoid;
    GrB_Semiring semiring;
    GrB_Descriptor desc;
    sl_scalar sum; /* the result of an operation that returns a scalar, with its type */
} direct;

/* Creates an object with the contents of the trial's operand `o`, which must not have one yet. */
void direct_make(direct *d, const operand *o);
/* Sets the members for the trial's arguments; called after the trial's operation has run. */
void direct_prepare(direct *d);
/* Reads the entries of the output as a model; its shape must equal that of `like`. */
GrB_Info direct_read(const direct *d, const operand *like, model *contents);
void direct_free(direct *d);

#define X(name) GrB_Info direct_##name(direct *d);
PARITY_OPERATIONS(X)
#undef X

/* Calls GrB_Matrix_f or GrB_Vector_f, depending on the trial's operands. */
#define EITHER(f, ...)                                                                             \
    (d->t->matrices ? GrB_Matrix_##f(d->out, d->mask, d->accum, __VA_ARGS__)                       \
                    : GrB_Vector_##f(d->out, d->mask, d->accum, __VA_ARGS__))
/* One case per type: CALL(NAME, member). */
#define DIRECT_CASE(NAME, name, T, class, lo, hi, CALL)                                            \
    case SL_##NAME:                                                                                \
        return CALL(NAME, name##_);
#define BY_TYPE(type, CALL)                                                                        \
    switch (type) {                                                                                \
        SL_TYPES_ALL(DIRECT_CASE, CALL)                                                            \
    default:                                                                                       \
        return GrB_INVALID_VALUE;                                                                  \
    }

#endif
