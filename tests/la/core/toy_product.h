/* A product that the toy engine supports, and contexts with the toy engine as their first. */
#ifndef SEMLA_TESTS_TOY_PRODUCT_H
#define SEMLA_TESTS_TOY_PRODUCT_H

#include "support.h"
#include "toy_engine.h"

/* u = (2 at 0, 3 at 1), A = {0: (1: 5), 1: (1: 7, 2: 1), 2: (0: 4)} */
typedef struct {
    sl_context *ctx;
    sl_vector *u, *w;
    sl_matrix *A;
} fixture;

/* A context with this chain of engines, followed by SuiteSparse if `complete`. */
sl_context *toy_context(const sl_engine *first, const sl_engine *second, bool complete);

/* Creates the operands; the caller frees them, also if this fails. */
sl_status make_operands(fixture *f);
void free_operands(fixture *f);
/* begin: creates a context of the toy engine and SuiteSparse, and operands. end: frees them and
 * checks that no allocation is left. */
void begin(fixture *f);
void end(fixture *f);

/* w = u' A over plus_times, and the expected results over plus_times and min_plus. */
sl_status multiply(fixture *f);
static const uint64_t product_index[] = {1, 2};
static const double product[] = {31, 3}, min_plus_product[] = {7, 4};

sl_context_counts counts(const fixture *f);
void expect_vector(const fixture *f, const sl_vector *v, uint64_t count,
                   const uint64_t *right_index, const double *right_values);

#endif
