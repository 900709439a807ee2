/* Sums of a full vector's values over the rows of a pattern. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_NEIGHBOUR_SUMS_H
#define SEMLA_CUDA_NEIGHBOUR_SUMS_H

#include <semla/semirings.h>

#include "cuda/products/sum_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows by their number of columns, in device memory. The rows of classes 0 to k are 0 to rows[k] - 1. */
enum { ROW_CLASSES = 3 };
typedef struct {
    uint32_t rows[ROW_CLASSES];
} cuda_row_classes;

/* t(r) = the sum of u over the columns of row r, or of its products with the values of the entries. Arrays are in
 * device memory. */
typedef struct {
    cuda_sum_rows of;
    const cuda_row_classes *classes;  /* NULL: a graph of ell4 records */
    const cuda_sum_tiles_view *tiles; /* on the host; not with ell4 records */
    cuda_sum_operators by;
    const void *u; /* values by the caller's column; or NULL: they are in `ordered` */
    /* The bitmap of u's entries, by the caller's column; others are read as the sum of nothing, or, with the values of
     * the entries, as a factor whose products add nothing (summing.cuh). NULL: u is full. */
    const uint32_t *u_bits;
    unsigned *far; /* out: 1 if a value of u is far (summing.cuh); else it stays. Or NULL */
    void *ordered; /* a value for each column, in their order; not with ell4 records */
    void *partial; /* scratch: 32 values per slice of the tiles */
    void *t;       /* out: values by the caller's row, or by number; only of rows with entries */
    bool adds;     /* to t(r) */
    bool
        adds_to_same; /* t(r) = same_value + the sum; only with ell4 records, which are of all rows */
    uint64_t same_value; /* 8 bytes that begin with a value of the type */
    uint32_t *bits;      /* out: bitmap of the rows with entries, or NULL */
} cuda_neighbour_sums;

/* Fills `classes` for rows that have start and index. */
cudaError_t sl_cuda_classify_rows(cuda_row_classes *classes, const cuda_sum_rows *rows);

/* The sums of rows with tiles, once `ordered` has the values of the columns. */
cudaError_t sl_cuda_sum_over_tiles(const cuda_neighbour_sums *p);

/* Copies u in the order of the columns. */
cudaError_t sl_cuda_order_factors(const cuda_neighbour_sums *p);

/* Clears the bits of rows whose sum has no entry of u. The sums are least or greatest values, or products by plus.
 * No value is far. */
cudaError_t sl_cuda_keep_sums(const cuda_neighbour_sums *p);

cudaError_t sl_cuda_sum_neighbours(const cuda_neighbour_sums *p);

#ifdef __cplusplus
}
#endif
#endif
