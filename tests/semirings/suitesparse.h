/* Creates vectors and matrices of SuiteSparse from scalars, and reads their entries. */
#ifndef SEMLA_TEST_SUITESPARSE_H
#define SEMLA_TEST_SUITESPARSE_H

#include "graphblas.h"
#include "samples.h"

/* A vector with all entries, or with those for which keep[i] is true. */
GrB_Vector grb_vector(sl_type type, const sl_scalar *values, int n, const bool *keep);

/* An nrows x ncols matrix with the entries (i, j) for which keep[i * ncols + j] is true. */
GrB_Matrix grb_matrix(sl_type type, const sl_scalar *values, int nrows, int ncols,
                      const bool *keep);

/* Reads entry i of a vector of type `type`, without conversion; false if there is none. */
bool grb_get(sl_scalar *value, sl_type type, GrB_Vector v, int i);
bool grb_get2(sl_scalar *value, sl_type type, GrB_Matrix A, int i, int j);

/* Group fixtures: start and stop SuiteSparse. */
int grb_start(void **state);
int grb_end(void **state);

#endif
