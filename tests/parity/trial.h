/*
 * A trial is one call of one operation, made at random from a seed: the same
 * operands as a model and as an object of an engine.
 */
#ifndef SEMLA_PARITY_TRIAL_H
#define SEMLA_PARITY_TRIAL_H

#include "model.h"
#include "support.h"
#include "users.h"

/* One operand: its model, and the object, a matrix or a vector. */
typedef struct {
    model model;
    sl_matrix *A;
    sl_vector *v;
} operand;

/* Which values the operands have, so that what is computed is exact in any order. */
typedef enum {
    SMALL,  /* small integers and halves */
    WILD,   /* integers up to the limits of their types too */
    POWERS, /* 1 and 2 and 1/2, whose products are exact */
    NANS    /* as SMALL, with what is not a number */
} value_range;

enum { MAX_SIDE = 24 };

/* An index list as an operation takes it, and as it is meant. */
typedef struct {
    const uint64_t *list;
    uint64_t count;
    model_list meant;
    uint64_t items[MAX_SIDE], range[3];
} index_list;

typedef struct trial {
    sl_context *ctx;
    const users *users; /* of this context */
    /* Of a grid of ranks: this rank, and who has an entry; `owner` is NULL elsewhere. */
    int rank;
    int (*owner)(const operand *o, uint64_t i, uint64_t j);
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
    /* What the operation took besides; NULL or 0 where it took none. */
    sl_semiring semiring;
    sl_monoid monoid;
    sl_unary_op unary;
    sl_binary_op binary;
    sl_index_op index;
    sl_scalar scalar, beta; /* bound operand, thunk, value, what is accumulated into */
    index_list rows, cols;
    uint64_t row, col;
    int64_t offset; /* of a diagonal */
    sl_scalar sum;        /* what a reduction to a scalar gave, */
    model_cell right_sum; /* and what it may give; empty: there is no such */
    /* May be NULL: called with each operand before the operation. */
    void (*made_one)(struct trial *t, const operand *o);
    void *observer; /* of whoever set it */
} trial;

/* Chances and choices. */
uint64_t trial_below(trial *t, uint64_t bound);
bool trial_chance(trial *t, int percent);
sl_type trial_type(trial *t);
bool trial_is_float(sl_type type);
sl_scalar trial_value(trial *t, sl_type type);
sl_scalar trial_thunk(trial *t);
uint64_t trial_side(trial *t);
/* An index list below `bound`, whose indices are distinct if asked for. */
void trial_list(trial *t, index_list *l, uint64_t bound, bool distinct);

/* Operators, with t->type and t->range set by them. */
sl_semiring trial_semiring(trial *t);
sl_monoid trial_monoid(trial *t);
sl_binary_op trial_binary(trial *t);
sl_unary_op trial_unary(trial *t);
sl_index_op trial_index(trial *t, bool condition);
/* None in three of five. */
sl_binary_op trial_accumulator(trial *t);

/* No operator: any type, and values up to its limits. */
void trial_any_values(trial *t);

/* Output, mask, accumulator and flags: the first thing made after the operator. */
void trial_output(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols);
/* The same of a random shape, a matrix or a vector as t->matrices says. */
void trial_shaped_output(trial *t);
/* A matrix, and a vector for a mask of one of its rows or columns. */
void trial_line_output(trial *t, uint64_t nrows, uint64_t ncols, uint64_t length);
/* How many ways to write have not been drawn so far: all flags, with and without a mask, with and
 * without an accumulator. */
int trial_ways_left(void);
/* An input, at times the output or the mask itself if its shape is the same. */
operand *trial_input(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols);
/* An input that has the output's shape as it is read. */
operand *trial_like_output(trial *t, bool turned);
/* An operand of random contents, of these contents, and one that an operation made. */
operand *trial_make(trial *t, bool is_matrix, sl_type type, uint64_t nrows, uint64_t ncols);
operand *trial_object(trial *t, bool is_matrix, model contents);
operand *trial_result(trial *t, sl_matrix *A, sl_vector *v, model right);

/* Whether a matrix is read transposed by this flag. */
bool trial_turns(const trial *t, unsigned flag);
/* The model of an input as the operation reads it; the caller frees it. */
model trial_read(const operand *o, bool turned);
/* Writes T, which it frees, into the output's model as the trial says. */
void trial_expect(trial *t, model T);

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
