/*
 * Products over plus_times by cuSPARSE, where it is faster: a sparse matrix of float or double
 * times a full vector, a full matrix, or a matrix with short rows. The library is opened at the
 * first such product: the file SEMLA_CUSPARSE, or the usual one. Without it the engine's own
 * kernels serve, with the same results up to the order of sums.
 */
#ifndef SEMLA_CUDA_CUSPARSE_PRODUCTS_H
#define SEMLA_CUDA_CUSPARSE_PRODUCTS_H

#include "cuda/products/mxm_common.h"

/* True if cuSPARSE is available and supports the product p of M, which has `columns` columns. */
bool sl_cuda_cusparse_supports(const cuda_product *p, const cuda_matrix *M, uint64_t columns);

/* Computes the product: p's t_values, and its bits unless all rows of M are known to have
 * entries. What cuSPARSE prepares is kept with M. */
sl_status sl_cuda_cusparse_spmv(cuda_scratch *s, const cuda_product *p, cuda_matrix *M,
                                uint64_t columns);

/* C = S D, or C += S D if `adds`. S is sparse, rows x inner; D (inner x columns) and C (rows x
 * columns) are dense, row by row. All values have type `type`. */
typedef struct {
    sl_type type;
    uint64_t rows, inner, columns, nnz;
    const uint32_t *start, *index; /* of S */
    const void *values;
    const void *dense; /* D */
    void *result;      /* C */
    bool adds;
} cuda_dense_product;

/* True if cuSPARSE is available and supports these sizes; the arrays are not read. */
bool sl_cuda_cusparse_supports_dense(const cuda_dense_product *p);
sl_status sl_cuda_cusparse_spmm(cuda_scratch *s, const cuda_dense_product *p);

/* T = A B of m's factors, if cuSPARSE is available, supports the product and is faster: *done. */
sl_status sl_cuda_cusparse_spgemm(cuda_mxm *m, cuda_rows *T, bool *done);

#endif
