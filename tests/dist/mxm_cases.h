/* Products of matrices on a grid, compared with SuiteSparse in one process: random calls on hostile
 * shapes. */
#ifndef SEMLA_TESTS_DIST_MXM_CASES_H
#define SEMLA_TESTS_DIST_MXM_CASES_H

#include "same.h"

/* Multiplies `trials` times in a context of a grid, with choices drawn from `seed`, and with gathered factors
 * or in stages. `words` is the value of SEMLA_DIST besides, or NULL; `what` names the grid in messages. With
 * `huge` also matrices of 2^40 rows and columns. */
void try_products(sl_context *ctx, unsigned trials, uint64_t seed, bool huge, const char *words,
                  const char *what);

/* A square matrix of random entries of a type, `each` in a row on average; rank 0 passes the tuples. */
sl_matrix *random_square(sl_context *ctx, sl_type type, uint64_t n, uint64_t each, uint64_t seed);

#endif
