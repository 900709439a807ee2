/* Predecessors of equal values, for vertices that have no better one: over edges whose length does not change the value. They
 * are the first ones of a row. */
#include "grid_flat_kernels.h"
#include "lengths.cuh"

template <typename T>
__global__ static void find_missing(const __grid_constant__ grid_flat_rows x, uint32_t *bits,
                                    count_t *number)
{
    count_t own = 0;
    FOR_EACH_WORD(x.own)
    {
        const bool is_missing = v < x.count && x.best[v] == UINT32_MAX &&
                                x.old_id[x.first + v] != x.source &&
                                ((const T *)x.values)[x.first + v] < no_distance<T>();
        const unsigned word = __ballot_sync(full_warp, is_missing);
        if (lane == 0) {
            bits[w] = word;
            own += __popc(word);
        }
    }
    add_block_sum(number, own);
}

cudaError_t sl_cuda_grid_find_missing(const grid_flat_rows *x, uint32_t *bits,
                                      unsigned long long *number, unsigned multiprocessors,
                                      cudaStream_t stream)
{
    const unsigned blocks = grid_of(x->own, multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T) find_missing<T><<<blocks, CUDA_THREADS, 0, stream>>>(*x, bits, (count_t *)number)
    WITH_SUM_TYPE(x->type, CALL)
#undef CALL
    return cudaGetLastError();
}

/* The least predecessor of own vertex v, or UINT32_MAX. By all threads of the warp. */
template <typename T, typename W>
__device__ static uint32_t flat_predecessor(const grid_flat_rows &x, uint64_t v)
{
    const T value = ((const T *)x.values)[x.first + v];
    const uint64_t stop = x.start[v + 1];
    uint32_t best = UINT32_MAX;
    for (uint64_t base = x.start[v]; base < stop; base += 32) {
        const uint64_t e = base + threadIdx.x % 32;
        const bool is_flat = e < stop && value + (T)((const W *)x.length)[e] == value;
        if (!__any_sync(full_warp, is_flat))
            break;
        const uint32_t u = is_flat ? x.index[e] : 0;
        if (is_flat && ((const T *)x.values)[u] == value && !bit_of(x.missing, u))
            best = min(best, x.old_id[u]);
    }
    return least_of_warp(best);
}

/* One warp per 32 vertices, of which few are missing. */
template <typename T, typename W>
__global__ static void pull_flat(const __grid_constant__ grid_flat_rows x)
{
    FOR_EACH_WORD(x.count)
    {
        const bool is_missing = v < x.count && bit_of(x.missing, (uint32_t)(x.first + v));
        unsigned left = __ballot_sync(full_warp, is_missing);
        for (; left; left &= left - 1) {
            const uint64_t of = 32 * w + __ffs(left) - 1;
            const uint32_t best = flat_predecessor<T, W>(x, of);
            if (v == of)
                x.best[v] = best;
        }
    }
}

cudaError_t sl_cuda_grid_pull_flat(const grid_flat_rows *x, unsigned multiprocessors,
                                   cudaStream_t stream)
{
    const unsigned blocks = grid_of(x->count, multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T, W) pull_flat<T, W><<<blocks, CUDA_THREADS, 0, stream>>>(*x)
    WITH_LENGTHS(x->type, x->narrow, CALL)
#undef CALL
    return cudaGetLastError();
}
