/*
 * The least predecessors of better values, for min_plus: an entry (u, v) is tight if from(u) + length
 * = to(v), and v takes the least u with from(u) < to(v).
 *
 * Each warp examines TILE entries in their order, so that rows of any length are divided evenly. It
 * searches the first and the last row of its tile once, and each lane the row of its entry between
 * them. Tight entries are few: columns take their least row by atomics.
 */
#include "algebra.cuh"
#include "better_predecessors_kernels.h"

enum { TILE = 1024 };

template <typename T> __global__ static void find_better(const cuda_better_predecessors p)
{
    const T *lengths = (const T *)p.lengths, *from = (const T *)p.from, *to = (const T *)p.to;
    const uint64_t tiles = (p.nnz + TILE - 1) / TILE;
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t tile = first_thread() / 32; tile < tiles; tile += all_threads() / 32) {
        const uint64_t first = tile * TILE;
        const uint64_t end = first + TILE < p.nnz ? first + TILE : p.nnz;
        uint64_t low = row_of(p.start + 1, 0, p.nrows, first);
        const uint64_t high = row_of(p.start + 1, low, p.nrows, end - 1);
        for (uint64_t e = first + lane; e < end; e += 32) {
            const uint32_t v = p.index[e];
            low = row_of(p.start + 1, low, high, e);
            if (!bit_of(p.from_bits, (uint32_t)low) || !bit_of(p.to_bits, v))
                continue;
            const T x = from[low], value = to[v];
            const T sum = (T)(x + (lengths ? lengths[e] : (T)1));
            if (sum == value && x < value)
                atomicMin((count_t *)&p.best[v], (count_t)low);
        }
    }
}

__global__ static void mark(uint32_t *bits, const uint64_t *best, uint64_t n)
{
    FOR_EACH_WORD(n)
    {
        const unsigned word = __ballot_sync(full_warp, v < n && best[v] != UINT64_MAX);
        if (lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_find_better_predecessors(const cuda_better_predecessors *p, sl_type type,
                                             unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned blocks = grid_of(p->nnz, multiprocessors * CUDA_BLOCKS_PER_SM);
    const cudaError_t error = cudaMemsetAsync(p->best, 0xff, p->ncols * sizeof *p->best, stream);
    if (error != cudaSuccess || p->nnz == 0)
        return error;
#define CALL(T)                                                                                    \
    do {                                                                                           \
        find_better<T><<<blocks, CUDA_THREADS, 0, stream>>>(*p);                                   \
        return cudaGetLastError();                                                                 \
    } while (0)
    WITH_TYPE(type, CALL)
#undef CALL
    return cudaErrorInvalidValue;
}

cudaError_t sl_cuda_mark_better_predecessors(uint32_t *bits, const cuda_better_predecessors *p,
                                             unsigned multiprocessors, cudaStream_t stream)
{
    mark<<<grid_of(p->ncols, multiprocessors * CUDA_BLOCKS_PER_SM), CUDA_THREADS, 0, stream>>>(
        bits, p->best, p->ncols);
    return cudaGetLastError();
}
