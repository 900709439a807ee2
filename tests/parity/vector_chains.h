/* Random chains of operations on vectors, where each step runs on the GPU and on SuiteSparse. */
#ifndef SEMLA_TESTS_VECTOR_CHAINS_H
#define SEMLA_TESTS_VECTOR_CHAINS_H

#include "support.h"

enum { MOST_VECTORS = 4, MOST_INDICES = 40, MOST_ENTRIES = 5000 };

/* One side of a chain: a context with vectors of the trial's type, followed by a mask of bool. */
typedef struct {
    sl_context *ctx;
    int vectors;
    sl_vector *v[MOST_VECTORS + 1];
    sl_matrix *A; /* NULL if not needed */
} side;

typedef struct {
    uint64_t random, size;
    sl_type type;
    char what[128]; /* description of the last step */
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
    GATHER,
    SCATTER,
    MXV,
    VXM,
    ROWS,
    REDUCE,
    RESIZE
} step_kind;

/* One step: drawn once, run on both sides. */
typedef struct {
    step_kind kind;
    unsigned flags;
    int to, from, other;
    bool masked, accumulates, all;
    uint64_t count, index[MOST_INDICES];
    sl_scalar x, y, value[MOST_INDICES];
} step;

/* A random number below `below`; a random small value of the trial's type. */
uint64_t draw(trial *t, uint64_t below);
sl_scalar draw_value(trial *t);
/* Draws the operation and vectors of a step, and whether it has a mask; describes it in t->what. */
step draw_step(trial *t, const step_kind *kinds, size_t count, int vectors);
void describe_step(trial *t, const step *s);

const sl_vector *mask_of(const side *d, const step *s);
sl_binary_op accumulator_of(const trial *t, const step *s);

/* Runs a step of one of the kinds common to all chains; returns false for other kinds. */
bool run_common(side *d, const trial *t, const step *s, sl_scalar *sum);

/* Fails if vector `which` differs between the sides. */
void compare(const side *one, const side *other, const trial *t, int which);

void begin_side(side *d, const trial *t, int vectors);
void end_side(side *d);
/* Creates a context with the cuda engine only, so that unsupported operations are errors; false: no
 * GPU. */
bool begin_gpu(side *gpu);

/* The test: runs chains of seeds 1 to `usually`; skipped without a GPU. */
void run_chains(void (*chain)(side *gpu, side *host, uint64_t seed), uint64_t usually);

#endif
