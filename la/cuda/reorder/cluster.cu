/* The kernels that grow clusters of vertices. */
#include "common.cuh"
#include "layout_kernels.h"

static unsigned grid_on(unsigned multiprocessors, uint64_t threads)
{
    return grid_of(threads, multiprocessors * CUDA_BLOCKS_PER_SM);
}

/* Seeds are spread evenly, in the caller's order (Knuth's multiplicative hashing). */
__global__ static void seed_clusters(uint32_t *cluster, const uint64_t *start, uint32_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        const bool chosen = (uint32_t)v * 2654435769u < UINT32_MAX / CLUSTER_SIZE;
        cluster[v] = chosen && start[v + 1] > start[v] ? (uint32_t)v + 1 : 0;
    }
}

cudaError_t sl_cuda_seed_clusters(uint32_t *cluster, const uint64_t *start, uint32_t n,
                                  unsigned multiprocessors, cudaStream_t stream)
{
    seed_clusters<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(cluster, start, n);
    return cudaGetLastError();
}

__global__ static void grow_clusters(uint32_t *to, const uint32_t *from, uint32_t *grew,
                                     const uint64_t *start, const uint32_t *index, uint32_t n)
{
    bool any = false;
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        uint32_t own = from[v];
        if (own == 0) {
            const uint64_t end = start[v + 1];
            for (uint64_t e = start[v]; e < end && own == 0; e++)
                own = from[index[e]];
            any |= own != 0;
        }
        to[v] = own;
    }
    if (any)
        *grew = 1;
}

cudaError_t sl_cuda_grow_clusters(uint32_t *to, const uint32_t *from, uint32_t *grew,
                                  const uint64_t *start, const uint32_t *index, uint32_t n,
                                  unsigned multiprocessors, cudaStream_t stream)
{
    grow_clusters<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(to, from, grew, start,
                                                                            index, n);
    return cudaGetLastError();
}
