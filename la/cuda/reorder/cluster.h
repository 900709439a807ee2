/* Private to the CUDA engine: which vertices of a graph are near each other. */
#ifndef SEMLA_CUDA_CLUSTER_H
#define SEMLA_CUDA_CLUSTER_H

#include "matrix.h"

/* cluster[v] of the rows of a symmetric matrix: a number above 0 that those near v have too, or
 * 0. `other`, of n, and *grew are scratch. Waits. */
sl_status sl_cuda_cluster(sl_context *ctx, const cuda_matrix *A, uint32_t n, uint32_t *cluster,
                          uint32_t *other, uint32_t *grew);

#endif
