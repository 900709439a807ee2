/* The GPU and SuiteSparse with the same operators and objects, for tests that execute every
 * operation on both. The graph has rows of thousands of entries, so every product kernel runs. */
#ifndef SEMLA_TEST_SIDES_H
#define SEMLA_TEST_SIDES_H

#include "support.h"

enum { SIDE = 6000, EDGES = 30000, HUB = 5000, MOST = 64 * SIDE };

typedef struct {
    sl_context *ctx;
    sl_binary_op mix, differences, both;
    sl_unary_op third;
    sl_index_op new_id, chosen;
    sl_monoid sum, meet, same; /* meet is terminal at 0; same is a comparison */
    sl_semiring mixed, met, less, same_less;
    sl_matrix *A, *B, *C, *one;                  /* the last is 1 x 1 */
    sl_vector *u, *few, *mask, *less_or_not, *w; /* the fourth is bool */
    sl_scalar x;
} side;

extern side gpu, host;

/* Setup of a group of tests; makes nothing without a GPU. */
int sides_begin(void **state);
int sides_end(void **state);
/* Skips the test if there is no GPU. */
void need_gpu(void);

/* New outputs C, w and x on both sides, and their release. */
void start_both(void);
void forget_both(void);
/* Fails the test unless both sides have equal outputs. */
void expect_equal(const char *name);

/* z = x ^ y on uint32: the host function of an operator. */
void differences(void *z, const void *x, const void *y);

#endif
