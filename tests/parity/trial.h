/*
 * A trial is one call of one operation, made at random from a seed: the same
 * operands as a model and as an object of an engine.
 */
#ifndef SEMLA_PARITY_TRIAL_H
#define SEMLA_PARITY_TRIAL_H

#include "model.h"
#include "support.h"

/* One operand: its model, and the object, a matrix or a vector. */
typedef struct {
    model model;
    sl_matrix *A;
    sl_vector *v;
} operand;

/* Which values the operands have, so that what is computed is exact in any order. */
typedef enum {
    SMALL, /* small integers and halves */
    WILD,  /* integers up to the limits of their types too */
    POWERS /* 1 and 2 and 1/2, whose products are exact */
} value_range;

enum { MAX_SIDE = 24 };

typedef struct {
    sl_context *ctx;
    uint64_t seed, state;
    bool matrices; /* or vectors */
    value_range range;
    sl_type type; /* that of the operator, which half of the operands have */
    const char *operation, *operator_name;
    operand made[4];
    int count;
    operand *out, *mask, *a, *b; /* of `made`; an object may have several parts */
    unsigned flags;
    sl_binary_op accum;
    sl_scalar sum;        /* what a reduction to a scalar gave, */
    model_cell right_sum; /* and what it may give; empty: there is no such */
} trial;

/* Chances and choices. */
uint64_t trial_below(trial *t, uint64_t bound);
bool trial_chance(trial *t, int percent);
sl_scalar trial_value(trial *t, sl_type type);
sl_scalar trial_thunk(trial *t);
uint64_t trial_side(trial *t);

/* Operators, with t->type and t->range set by them. */
sl_semiring trial_semiring(trial *t);
sl_monoid trial_monoid(trial *t);
sl_binary_op trial_binary(trial *t);
sl_unary_op trial_unary(trial *t);
sl_index_op trial_index(trial *t, bool condition);
/* None in three of five. */
sl_binary_op trial_accumulator(trial *t);

/* Output, mask, accumulator and flags: the first thing made after the operator. */
void trial_output(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols);
/* An input, at times the output or the mask itself if its shape is the same. */
operand *trial_input(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols);
/* An index list below `bound`, in `room` of MAX_SIDE; distinct if asked for. */
model_list trial_list(trial *t, uint64_t *room, uint64_t bound, bool distinct);

sl_descriptor trial_descriptor(const trial *t);
model_mask trial_mask(const trial *t);
const sl_vector *trial_mask_vector(const trial *t);
const sl_matrix *trial_mask_matrix(const trial *t);

/* Compares every operand with its model; false, with one line in `why`, if one differs. */
bool trial_agrees(trial *t, char *why, size_t room);
/* What was tried: one line. */
void trial_describe(const trial *t, char *text, size_t room);
void trial_end(trial *t);

#endif
