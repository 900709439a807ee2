/*
 * Columns of a matrix in the order of falling numbers of entries, for products with a full vector: the
 * values that are read most often are then neighbours and stay in the cache. The values of the vector are
 * copied to that order before each product. The sums have the same terms in the same order.
 * Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_COLUMN_ORDER_H
#define SEMLA_CUDA_COLUMN_ORDER_H

#include "cuda/data/device_matrix.h"
#include "cuda/operations/vector_result.h"
#include "cuda/products/product_kernels.h"

/* The columns of M by falling number of entries. old: the column at each place; used: columns with entries,
 * which come first; *place: the place of each column, in the scratch. All have `columns` elements. symmetric: the
 * pattern of M is known to be, so that columns need not be counted. */
sl_status sl_cuda_sort_columns(cuda_scratch *s, uint32_t *old, uint64_t *used, uint32_t **place,
                               const cuda_matrix *M, uint64_t columns, bool symmetric);

/* Two steps of that. degree[c] = the entries of column c of M. */
sl_status sl_cuda_count_column_entries(cuda_scratch *s, uint32_t *degree, const cuda_matrix *M,
                                       uint64_t columns);
/* old: the numbers 0 to columns - 1 by falling degree; used: how many have a degree above 0.
 * numbers: scratch. Waits. */
sl_status sl_cuda_order_by_degree(cuda_scratch *s, uint32_t *old, uint64_t *used,
                                  const uint32_t *degree, uint32_t *numbers, uint64_t columns);

/*
 * Replaces index and vector of a pull if that pays: the vector is full and exceeds the cache, and the matrix has been
 * multiplied before. `columns` is the size of the vector, `size` the bytes of a value. The order is made if there is
 * memory for it, in O(entries).
 */
sl_status sl_cuda_order_columns(cuda_scratch *s, cuda_product *p, cuda_matrix *M, uint64_t columns,
                                size_t size);

#endif
