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

/*
 * Replaces index and vector of a pull if that pays: the vector is full and exceeds the cache, and the matrix has been
 * multiplied before. `columns` is the size of the vector, `size` the bytes of a value. symmetric: the pattern of M is
 * known to be. The order is made if there is memory for it, in O(entries).
 */
sl_status sl_cuda_order_columns(cuda_scratch *s, cuda_product *p, cuda_matrix *M, uint64_t columns,
                                size_t size, bool symmetric);

#endif
