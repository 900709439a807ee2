/* A pass over a bitmap. */
#include "common.cuh"

__global__ static void count(cuda_counts *counts, const uint32_t *bits, uint64_t words,
                             const uint64_t *start)
{
    count_t vertices = 0, edges = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        vertices += __popc(bits[w]);
        for (uint32_t left = bits[w]; left; left &= left - 1) {
            const uint64_t v = 32 * w + __ffs(left) - 1;
            edges += start[v + 1] - start[v];
        }
    }
    add_counts(counts, vertices, edges, 0);
}

cudaError_t sl_cuda_count(cuda_counts *counts, const uint32_t *bits, uint64_t words,
                          const uint64_t *start, unsigned multiprocessors, cudaStream_t stream)
{
    count<<<grid_of(words, multiprocessors * CUDA_BLOCKS_PER_SM), CUDA_THREADS, 0, stream>>>(
        counts, bits, words, start);
    return cudaGetLastError();
}
