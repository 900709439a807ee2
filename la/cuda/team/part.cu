/* The passes by which a rank's part of a graph is numbered anew. */
#include "common.cuh"
#include "team_kernels.h"

static unsigned grid_on(unsigned multiprocessors, uint64_t threads)
{
    return grid_of(threads, multiprocessors * CUDA_BLOCKS_PER_SM);
}

__global__ static void rows_with_entries(uint32_t *bits, const uint64_t *start, uint64_t n)
{
    FOR_EACH_WORD(n)
    {
        unsigned word = __ballot_sync(full_warp, v < n && start[v] < start[v + 1]);
        if (lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_team_rows(uint32_t *bits, const uint64_t *start, uint64_t n,
                              unsigned multiprocessors, cudaStream_t stream)
{
    rows_with_entries<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(bits, start, n);
    return cudaGetLastError();
}

__global__ static void keys(uint32_t *key, uint32_t *vertex, const uint64_t *in_start,
                            const uint32_t *used, uint64_t first, uint32_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        uint32_t degree = (uint32_t)(in_start[v + 1] - in_start[v]);
        bool leaves = used[(first + v) / 32] >> (first + v) % 32 & 1;
        key[v] = degree + (degree > 0 || leaves);
        vertex[v] = (uint32_t)v;
    }
}

cudaError_t sl_cuda_team_keys(uint32_t *key, uint32_t *vertex, const uint64_t *in_start,
                              const uint32_t *used, uint64_t first, uint32_t n,
                              unsigned multiprocessors, cudaStream_t stream)
{
    keys<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(key, vertex, in_start, used,
                                                                   first, n);
    return cudaGetLastError();
}

__global__ static void degrees(uint32_t *degree, const uint32_t *key, uint32_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads())
        degree[k] = key[k] - 1;
}

cudaError_t sl_cuda_team_degrees(uint32_t *degree, const uint32_t *key, uint32_t n,
                                 unsigned multiprocessors, cudaStream_t stream)
{
    degrees<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(degree, key, n);
    return cudaGetLastError();
}

__global__ static void number(uint32_t *id, const uint32_t *order, uint32_t n, uint32_t rank,
                              uint32_t size)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads()) {
        uint32_t place = (uint32_t)k;
        id[order[k]] = (place / TEAM_LINE * size + rank) * TEAM_LINE + place % TEAM_LINE;
    }
}

cudaError_t sl_cuda_team_number(uint32_t *id, const uint32_t *order, uint32_t n, uint32_t rank,
                                uint32_t size, unsigned multiprocessors, cudaStream_t stream)
{
    number<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(id, order, n, rank, size);
    return cudaGetLastError();
}

__global__ static void set_labels(uint32_t *label, const uint32_t *id, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        if (id[v] != CUDA_NOWHERE)
            label[id[v]] = (uint32_t)v;
}

cudaError_t sl_cuda_team_label(uint32_t *label, const uint32_t *id, uint64_t n,
                               unsigned multiprocessors, cudaStream_t stream)
{
    set_labels<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(label, id, n);
    return cudaGetLastError();
}

__global__ static void out_degrees(uint32_t *degree, const uint32_t *label, const uint64_t *start,
                                   uint32_t n)
{
    for (uint64_t u = first_thread(); u < n; u += all_threads()) {
        uint32_t v = label[u];
        degree[u] = v == CUDA_NOWHERE ? 0 : (uint32_t)(start[(uint64_t)v + 1] - start[v]);
    }
}

cudaError_t sl_cuda_team_out_degrees(uint32_t *degree, const uint32_t *label, const uint64_t *start,
                                     uint32_t n, unsigned multiprocessors, cudaStream_t stream)
{
    out_degrees<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(degree, label, start, n);
    return cudaGetLastError();
}
