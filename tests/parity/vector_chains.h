/* Random chains of operations on vectors, each step done by the GPU and by SuiteSparse. */
#ifndef SEMLA_TESTS_VECTOR_CHAINS_H
#define SEMLA_TESTS_VECTOR_CHAINS_H

#include "support.h"

enum { MOST_VECTORS = 4, MOST_INDICES = 40, MOST_ENTRIES = 5000 };

/* Where a chain is done, with so many vectors of the trial's type, and behind them a mask of
 * bool. */
typedef struct {
    sl_context *ctx;
    int vectors;
    sl_vector *v[MOST_VECTORS + 1];
    sl_matrix *A; /* or NULL */
} side;

typedef struct {
    uint64_t random, size;
    sl_type type;
    char what[128]; /* the last step */
} trial;

typedef enum {
    SET,
    REMOVE,
    BUILD,
    DUP,
    FILL,
    FILL_MASK,
    ADD,
    MULT,
    UNION,
    APPLY,
    BIND,
    SELECT,
    INDEX,
    ASSIGN,
    ASSIGN_SCALAR,
    EXTRACT,
    MXV,
    VXM,
    ROWS,
    REDUCE,
    RESIZE
} step_kind;

/* What a step is made of: drawn once, done on both sides. */
typedef struct {
    step_kind kind;
    unsigned flags;
    int to, from, other;
    bool masked, accumulates, all;
    uint64_t count, index[MOST_INDICES];
    sl_scalar x, y, value[MOST_INDICES];
} step;

/* A number below `below`; a small value of the trial's type. */
uint64_t draw(trial *t, uint64_t below);
sl_scalar draw_value(trial *t);
/* Kind and vectors of a step, and whether it has a mask; then what the trial's failures say. */
step draw_step(trial *t, const step_kind *kinds, size_t count, int vectors);
void describe_step(trial *t, const step *s);

const sl_vector *mask_of(const side *d, const step *s);
sl_binary_op accumulator_of(const trial *t, const step *s);

/* A step of one of the kinds that mean the same in every chain; false: it is of another. */
bool run_common(side *d, const trial *t, const step *s, sl_scalar *sum);

/* Fails where vector `which` is not the same on both sides. */
void compare(const side *one, const side *other, const trial *t, int which);

void begin_side(side *d, const trial *t, int vectors);
void end_side(side *d);
/* The GPU alone: what it does not take is an error. False: there is none. */
bool begin_gpu(side *gpu);

/* The test: `usually` so many chains, of seeds from 1 on; skipped without a GPU. */
void run_chains(void (*chain)(side *gpu, side *host, uint64_t seed), uint64_t usually);

#endif
