/* Private to the CUDA engine: trees that searches leave out. */
#ifndef SEMLA_CUDA_PRUNE_H
#define SEMLA_CUDA_PRUNE_H

#include "matrix.h"
#include "prune_kernels.h"

/*
 * Takes the trees that hang from the 2-core of a symmetric matrix of n rows out: tree_parent[v] of their
 * vertices, and in degree[v], which is that of all at the beginning, what is left. Waits.
 */
sl_status sl_cuda_prune(sl_context *ctx, const cuda_matrix *A, uint32_t n, uint32_t *degree,
                        uint32_t *tree_parent);

#endif
