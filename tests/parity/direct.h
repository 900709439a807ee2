/*
 * The same trial through SuiteSparse called directly: its own objects, of the same
 * tuples, and its own handles of the same operators.
 */
#ifndef SEMLA_PARITY_DIRECT_H
#define SEMLA_PARITY_DIRECT_H

#include "graphblas.h"
#include "operations.h"

/* SuiteSparse's own of what `users` has, each at the same place, and descriptors. */
typedef struct {
    GrB_UnaryOp unary[2];
    GrB_BinaryOp binary[7];
    GrB_IndexUnaryOp index[2];
    GrB_Monoid monoid[3];
    GrB_Semiring semiring[11];
    GrB_Descriptor descriptors[32]; /* by semla's flags */
} direct_handles;

void direct_define(direct_handles *h, const users *u);
void direct_undefine(direct_handles *h);

typedef struct {
    const trial *t;
    const direct_handles *handles;
    /* Of t->made: a GrB_Matrix or a GrB_Vector, which is a void * to functions of
     * either, as are the parts below. */
    void *made[sizeof((trial *)0)->made / sizeof(operand)];
    void *out, *mask, *a, *b;
    GrB_BinaryOp accum, binary;
    GrB_UnaryOp unary;
    GrB_IndexUnaryOp index;
    GrB_Monoid monoid;
    GrB_Semiring semiring;
    GrB_Descriptor desc;
    sl_scalar sum; /* where the operation gives one: with its type, its value */
} direct;

/* An object of the same contents as operand `o` of the trial, which has no others yet. */
void direct_make(direct *d, const operand *o);
/* Fills in the parts that the trial has; its operation is over. */
void direct_prepare(direct *d);
/* The entries of the output as a model of its type; its shape has to be `like`'s. */
GrB_Info direct_read(const direct *d, const operand *like, model *contents);
void direct_free(direct *d);

#define X(name) GrB_Info direct_##name(direct *d);
PARITY_OPERATIONS(X)
#undef X

/* GrB_Matrix_f(...) or GrB_Vector_f(...), as the trial is of matrices or vectors. */
#define EITHER(f, ...)                                                                             \
    (d->t->matrices ? GrB_Matrix_##f(d->out, d->mask, d->accum, __VA_ARGS__)                       \
                    : GrB_Vector_##f(d->out, d->mask, d->accum, __VA_ARGS__))
/* The case of each type: CALL(NAME, member). */
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
