/* The kernels of components (as kernels.h): see components.cu. */
#ifndef SEMLA_CUDA_COMPONENTS_KERNELS_H
#define SEMLA_CUDA_COMPONENTS_KERNELS_H

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An undirected graph, and the forest of its vertices. */
typedef struct {
    uint64_t n;            /* vertices, at least 1 */
    const uint64_t *start; /* rows of the matrix */
    const uint32_t *index;
    uint32_t *parent; /* [n] */
    uint32_t *giant;  /* [1]: the root of most vertices, as far as a sample tells */
} cuda_forest;

/* parent: the least vertex of each vertex's component. */
cudaError_t sl_cuda_find_components(const cuda_forest *f);

#ifdef __cplusplus
}
#endif
#endif
