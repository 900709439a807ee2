/* A product that the toy engine can do, in a context whose first engine it is. */
#ifndef SEMLA_TESTS_TOY_PRODUCT_H
#define SEMLA_TESTS_TOY_PRODUCT_H

#include "support.h"
#include "toy.h"

/* u = (2 at 0, 3 at 1), A = {0: (1: 5), 1: (1: 7, 2: 1), 2: (0: 4)} */
typedef struct {
    sl_context *ctx;
    sl_vector *u, *w;
    sl_matrix *A;
} fixture;

/* A context whose chain is these, before SuiteSparse if there is to be one. */
sl_context *toy_context(const sl_engine *first, const sl_engine *second, bool complete);

/* The operands, which are freed also where this fails. */
sl_status make_operands(fixture *f);
void free_operands(fixture *f);
/* With a context of the toy and SuiteSparse; in the end no allocation may be left. */
void begin(fixture *f);
void end(fixture *f);

/* w = u' A, over plus_times; and what that has, and over min_plus. */
sl_status multiply(fixture *f);
static const uint64_t product_index[] = {1, 2};
static const double product[] = {31, 3}, least[] = {7, 4};

sl_context_counts counts(const fixture *f);
void expect_vector(const fixture *f, const sl_vector *v, uint64_t count,
                   const uint64_t *right_index, const double *right_values);

#endif
