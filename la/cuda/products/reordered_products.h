/* Private to the CUDA engine: products of a pattern and a full vector on the reordered graph. */
#ifndef SEMLA_CUDA_REORDERED_PRODUCTS_H
#define SEMLA_CUDA_REORDERED_PRODUCTS_H

#include "neighbour_sums.h"
#include "product_kernels.h"
#include "reordered_graph.h"
#include "vector_result.h"

/* Whether the pull p over all rows of A, which is symmetric, can run on A's reordered graph: plus
 * over fp32 or fp64, the vector is full, no value of A is read, there is no mask, and the graph has
 * all vertices and is on the device. */
bool sl_cuda_sums_neighbours(const cuda_product *p, const cuda_matrix *A);

/* Runs it: fills p->t_values and, unless NULL, bits with the rows that have entries; or, unless
 * `onto` is NULL, adds to the values of that vector, which is full and of the call's output. */
sl_status sl_cuda_neighbour_sums(cuda_scratch *s, const cuda_product *p, cuda_matrix *A,
                                 cuda_vector *onto, uint32_t *bits);

/* The tiles of a graph in degree order (make_tiles.c), made at the first call; without slices if they
 * do not pay. */
sl_status sl_cuda_sum_tiles(cuda_scratch *s, const cuda_sum_tiles_view **view,
                            cuda_reordered_graph *reordered);

#endif
