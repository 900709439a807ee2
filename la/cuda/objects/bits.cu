/* Passes over bitmaps: from and to queues, counts, what a search begins and ends with. */
#include "common.cuh"

/* 32 words to a warp: its vertices take one stretch of the queue. */
__global__ static void bits_to_queue(uint32_t *queue, cuda_counts *counts, const uint32_t *bits,
                                     uint32_t words)
{
    unsigned lane = threadIdx.x % 32;
    for (uint64_t first = first_thread() - lane; first < words; first += all_threads()) {
        uint64_t w = first + lane;
        uint32_t left = w < words ? bits[w] : 0;
        unsigned own = __popc(left), before = own;
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            unsigned other = __shfl_up_sync(full_warp, before, offset);
            before += lane >= offset ? other : 0;
        }
        unsigned all = __shfl_sync(full_warp, before, 31);
        count_t at = 0;
        if (lane == 0 && all)
            at = atomicAdd(&counts->vertices, (count_t)all);
        at = __shfl_sync(full_warp, at, 0) + before - own;
        for (; left; left &= left - 1)
            queue[at++] = (uint32_t)(32 * w) + __ffs(left) - 1;
    }
}

cudaError_t sl_cuda_bits_to_queue(const cuda_search *s, cuda_counts *counts, const uint32_t *bits,
                                  uint64_t base, cudaStream_t stream)
{
    bits_to_queue<<<grid_for(s, s->words), CUDA_THREADS, 0, stream>>>(s->queue + base, counts, bits,
                                                                      s->words);
    return cudaGetLastError();
}

__global__ static void queue_to_bits(uint32_t *bits, const uint32_t *queue, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        atomicOr(bits + queue[k] / 32, (uint32_t)1 << (queue[k] % 32));
}

cudaError_t sl_cuda_queue_to_bits(const cuda_search *s, uint32_t *bits, uint64_t head,
                                  uint64_t count, cudaStream_t stream)
{
    queue_to_bits<<<grid_for(s, count), CUDA_THREADS, 0, stream>>>(bits, s->queue + head, count);
    return cudaGetLastError();
}

__global__ static void count(cuda_search s, cuda_counts *counts, const uint32_t *bits,
                             const uint32_t *both)
{
    count_t vertices = 0, edges = 0;
    for (uint64_t w = first_thread(); w < s.words; w += all_threads()) {
        uint32_t left = both ? bits[w] & both[w] : bits[w];
        vertices += __popc(left);
        for (; left; left &= left - 1)
            edges += row_length(s, (uint32_t)(32 * w) + __ffs(left) - 1);
    }
    add_counts(counts, vertices, edges, 0, 0);
}

cudaError_t sl_cuda_count(const cuda_search *s, cuda_counts *counts, const uint32_t *bits,
                          const uint32_t *both, cudaStream_t stream)
{
    count<<<grid_for(s, s->words), CUDA_THREADS, 0, stream>>>(*s, counts, bits, both);
    return cudaGetLastError();
}

__global__ static void clear_parents(cuda_search s)
{
    for (uint64_t v = first_thread(); v < s.n; v += all_threads())
        if (!bit_of(s.visited, (uint32_t)v))
            s.parent[v] = -1;
}

cudaError_t sl_cuda_clear_parents(const cuda_search *s, cudaStream_t stream)
{
    clear_parents<<<grid_for(s, s->n), CUDA_THREADS, 0, stream>>>(*s);
    return cudaGetLastError();
}

__global__ static void add_found(uint32_t *to, const uint32_t *visited, const uint32_t *before,
                                 uint32_t words, cuda_counts *counts)
{
    count_t added = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t had = to[w], all = had | (visited[w] & ~before[w]);
        added += __popc(all ^ had);
        to[w] = all;
    }
    add_counts(counts, added, 0, 0, 0);
}

cudaError_t sl_cuda_add_found(const cuda_search *s, uint32_t *to, const uint32_t *before,
                              cuda_counts *counts, cudaStream_t stream)
{
    add_found<<<grid_for(s, s->words), CUDA_THREADS, 0, stream>>>(to, s->visited, before, s->words,
                                                                  counts);
    return cudaGetLastError();
}
