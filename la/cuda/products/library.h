/*
 * cuSPARSE, where it is the faster: the product of a matrix of float or double with a
 * full vector, a full matrix, or one of short rows, over plus_times. It is opened at the first such
 * product: the file that SEMLA_CUSPARSE names, or the usual one. Where there is none, the library's
 * own kernels serve, which compute the same up to the order of sums.
 */
#ifndef SEMLA_CUDA_LIBRARY_H
#define SEMLA_CUDA_LIBRARY_H

#include "mxm_common.h"

/* True if cuSPARSE is there and takes the product of M, which has so many rows and
 * columns, as p says. */
bool sl_cuda_library_takes(const cuda_product *p, const cuda_matrix *M, uint64_t columns);

/* The product: p's t_values, and its bits unless M is known to have entries in all rows. What was
 * prepared is kept with M. */
sl_status sl_cuda_library_multiply(cuda_scratch *s, const cuda_product *p, cuda_matrix *M,
                                   uint64_t columns);

/* C = S D, or C += S D: S sparse, of rows x inner, D of inner x columns and C of rows x
 * columns dense, row by row. All of `type`. */
typedef struct {
    sl_type type;
    uint64_t rows, inner, columns, nnz;
    const uint32_t *start, *index; /* of S */
    const void *values;
    const void *dense; /* D */
    void *result;      /* C */
    bool adds;
} cuda_dense_product;

/* True if cuSPARSE is there and takes products of such sizes; arrays need not be there. */
bool sl_cuda_library_takes_dense(const cuda_dense_product *p);
sl_status sl_cuda_library_multiply_dense(cuda_scratch *s, const cuda_dense_product *p);

/* T = A B of m's factors, which have been taken, if cuSPARSE is there and takes it: *done. */
sl_status sl_cuda_library_multiply_rows(cuda_mxm *m, cuda_rows *T, bool *done);

#endif
