/*
 * The GPU and SuiteSparse with the same operators and objects, for tests that have both do
 * the same. The graph is large enough for every kernel of products: it has rows of
 * thousands of entries.
 */
#ifndef SEMLA_TEST_SIDES_H
#define SEMLA_TEST_SIDES_H

#include "support.h"

enum { SIDE = 6000, EDGES = 30000, HUB = 5000, MOST = 64 * SIDE };

typedef struct {
    sl_context *ctx;
    sl_binary_op mix, differences, both;
    sl_unary_op third;
    sl_index_op new_id, chosen;
    sl_monoid sum, meet, same; /* meet ends at 0; same is a comparison */
    sl_semiring mixed, met, less, same_less;
    sl_matrix *A, *B, *C, *one;                  /* the last is 1 x 1 */
    sl_vector *u, *few, *mask, *less_or_not, *w; /* the fourth is of bool */
    sl_scalar x;
} side;

extern side gpu, host;

/* Of a group of tests; without a GPU nothing is made. */
int sides_begin(void **state);
int sides_end(void **state);
/* Skips the test where there is none. */
void need_gpu(void);

/* Outputs C, w and x for one use of both sides, and their end. */
void start_both(void);
void forget_both(void);
/* Fails the test unless both have the same in them. */
void expect_equal(const char *name);

/* z = x ^ y, of uint32: the host's side of an operator. */
void differences(void *z, const void *x, const void *y);

#endif
