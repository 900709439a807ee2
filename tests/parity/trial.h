/* A trial is one call of one operation, with random arguments drawn from a seed. Each operand
 * exists as a model and as an object of the engine under test. */
#ifndef SEMLA_PARITY_TRIAL_H
#define SEMLA_PARITY_TRIAL_H

#include "model.h"
#include "support.h"
#include "user_operators.h"

/* One operand: its model, and the object, a matrix or a vector. */
typedef struct {
    model model;
    sl_matrix *A;
    sl_vector *v;
} operand;

/* The values of the operands, chosen so that results are exact in any order of evaluation. */
typedef enum {
    SMALL,  /* small integers and halves */
    WILD,   /* also integers up to the limits of their types */
    POWERS, /* 1 and 2 and 1/2; their products are exact */
    NANS    /* as SMALL, and not-a-number */
} value_range;

enum { MAX_SIDE = 24 };

/* An index list as it is passed to the operation, and as the model reads it. */
typedef struct {
    const uint64_t *list;
    uint64_t count;
    model_list meant;
    uint64_t items[MAX_SIDE], range[3];
} index_list;

typedef struct trial {
    sl_context *ctx;
    const user_operators *user_operators; /* of this context */
    /* On a grid of ranks: this rank, and the function that returns the rank of an entry; otherwise
     * `owner` is NULL. */
    int rank;
    int (*owner)(const operand *o, uint64_t i, uint64_t j);
    uint64_t seed, state;
    bool matrices; /* operands are matrices; otherwise vectors */
    value_range range;
    sl_type type; /* the type of the operator; half of the operands have it */
    const char *operation, *operator_name;
    operand operands[4];
    int count;
    operand *out, *mask, *a, *b; /* elements of `operands`; an operand may have several roles */
    unsigned flags;
    sl_binary_op accum;
    /* The other arguments of the operation; NULL or 0 if it has none. */
    sl_semiring semiring;
    sl_monoid monoid;
    sl_unary_op unary;
    sl_binary_op binary;
    sl_index_op index;
    sl_scalar scalar, beta; /* bound operand, thunk, value or initial value of the accumulation */
    index_list rows, cols;
    uint64_t row, col;
    int64_t offset;       /* of a diagonal */
    sl_scalar sum;        /* the result of a reduction to a scalar */
    model_cell right_sum; /* its allowed values; empty: the operation has no such result */
    /* If not NULL, called with each operand before the operation. */
    void (*on_operand)(struct trial *t, const operand *o);
    void *observer; /* argument of on_operand */
} trial;

/* Random choices. */
uint64_t trial_below(trial *t, uint64_t bound);
bool trial_chance(trial *t, int percent);
sl_type trial_type(trial *t);
bool trial_is_float(sl_type type);
sl_scalar trial_value(trial *t, sl_type type);
sl_scalar trial_thunk(trial *t);
uint64_t trial_side(trial *t);
/* Draws an index list below `bound`, with distinct indices if `distinct`. */
void trial_list(trial *t, index_list *l, uint64_t bound, bool distinct);

/* Operators; they set t->type and t->range. */
sl_semiring trial_semiring(trial *t);
sl_monoid trial_monoid(trial *t);
sl_binary_op trial_binary(trial *t);
sl_unary_op trial_unary(trial *t);
sl_index_op trial_index(trial *t);
/* NULL in three of five cases. */
sl_binary_op trial_accumulator(trial *t);

/* For operations without an operator: any type, and values up to its limits. */
void trial_any_values(trial *t);

/* Creates the output, mask, accumulator and flags; to be called after the operator was drawn. */
void trial_output(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols);
/* The same with a random shape, for a matrix or a vector depending on t->matrices. */
void trial_shaped_output(trial *t);
/* An output matrix, with a mask that is a vector for one of its rows or columns. */
void trial_line_output(trial *t, uint64_t nrows, uint64_t ncols, uint64_t length);
/* The number of combinations of flags, mask and accumulator that have not been drawn so far. */
int trial_combinations_left(void);
/* An input; sometimes the output or the mask itself if it has the same shape. */
operand *trial_input(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols);
/* An input with the shape of the output, transposed if `transposed`. */
operand *trial_like_output(trial *t, bool transposed);
/* An operand with random contents, with given contents, and one that an operation has created. */
operand *trial_make(trial *t, bool is_matrix, sl_type type, uint64_t nrows, uint64_t ncols);
operand *trial_object(trial *t, bool is_matrix, model contents);
operand *trial_result(trial *t, sl_matrix *A, sl_vector *v, model right);

/* Whether matrices are read transposed because of this flag. */
bool trial_transposes(const trial *t, unsigned flag);
/* The model of an input as the operation reads it; the caller frees it. */
model trial_read(const operand *o, bool transposed);
/*
 * Writes T, which it frees, to the model of the output, with the mask and accumulator of the trial.
 */
void trial_expect(trial *t, model T);

sl_descriptor trial_descriptor(const trial *t);
model_mask trial_mask(const trial *t);
const sl_vector *trial_mask_vector(const trial *t);
const sl_matrix *trial_mask_matrix(const trial *t);

/* Compares every operand with its model; on a difference returns false and writes one line to
 * `why`. */
bool trial_agrees(trial *t, char *why, size_t room);
/* Describes the trial in one line. */
void trial_describe(const trial *t, char *text, size_t room);
void trial_end(trial *t);

#endif
