/* Kernels that build a rank's partition: degrees, ids, and keys of transposed edges. */
#include "cuda/operations/reserve.cuh"
#include "cuda/runtime/common.cuh"
#include "cuda/search/row/partition_kernels.h"

/* A warp takes one bitmap word, that is 32 rows. */
__global__ static void nonempty_rows(uint32_t *bits, const uint64_t *start, uint64_t n)
{
    FOR_EACH_WORD(n)
    {
        unsigned word = __ballot_sync(full_warp, v < n && start[v] < start[v + 1]);
        if (lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_group_nonempty_rows(uint32_t *bits, const uint64_t *start, uint64_t n)
{
    return launch(n, nonempty_rows, bits, start, n);
}

__global__ static void or_bits(uint32_t *bits, const uint32_t *all, uint64_t words, uint32_t ranks)
{
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t joined = 0;
        for (uint32_t q = 0; q < ranks; q++)
            joined |= all[q * words + w];
        bits[w] = joined;
    }
}

cudaError_t sl_cuda_or_bits(uint32_t *bits, const uint32_t *all, uint64_t words, uint32_t ranks)
{
    return launch(words, or_bits, bits, all, words, ranks);
}

__global__ static void count_in_degrees(uint32_t *degree, const uint32_t *index, uint64_t entries)
{
    for (uint64_t e = first_thread(); e < entries; e += all_threads())
        atomicAdd(degree + index[e], 1u);
}

cudaError_t sl_cuda_group_count_in_degrees(uint32_t *degree, const uint32_t *index,
                                           uint64_t entries)
{
    return launch(entries, count_in_degrees, degree, index, entries);
}

/* Own vertices: see sl_cuda_group_degree_keys. One thread per vertex. */
__global__ static void degree_keys(uint32_t *key, uint32_t *vertex, const uint32_t *degree,
                                   const uint32_t *has_out_edges, uint64_t first, uint32_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        bool leaves = has_out_edges && has_out_edges[(first + v) / 32] >> (first + v) % 32 & 1;
        key[v] = degree[v] + (degree[v] > 0 || leaves);
        vertex[v] = (uint32_t)v;
    }
}

cudaError_t sl_cuda_group_degree_keys(uint32_t *key, uint32_t *vertex, const uint32_t *degree,
                                      const uint32_t *has_out_edges, uint64_t first, uint32_t n)
{
    return launch(n, degree_keys, key, vertex, degree, has_out_edges, first, n);
}

__global__ static void degrees(uint32_t *degree, const uint32_t *key, uint32_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads())
        degree[k] = key[k] - 1;
}

cudaError_t sl_cuda_group_degrees(uint32_t *degree, const uint32_t *key, uint32_t n)
{
    return launch(n, degrees, degree, key, n);
}

__global__ static void set_source_ids(uint32_t *id, const uint32_t *order, uint32_t n,
                                      uint32_t rank, uint32_t size)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads()) {
        uint32_t new_id = (uint32_t)k;
        id[order[k]] = (new_id / GROUP_LINE * size + rank) * GROUP_LINE + new_id % GROUP_LINE;
    }
}

cudaError_t sl_cuda_group_source_ids(uint32_t *id, const uint32_t *order, uint32_t n, uint32_t rank,
                                     uint32_t size)
{
    return launch(n, set_source_ids, id, order, n, rank, size);
}

__global__ static void set_old_ids(uint32_t *old_id, const uint32_t *id, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        if (id[v] != CUDA_NO_VERTEX)
            old_id[id[v]] = (uint32_t)v;
}

cudaError_t sl_cuda_group_old_ids(uint32_t *old_id, const uint32_t *id, uint64_t n)
{
    return launch(n, set_old_ids, old_id, id, n);
}

static constexpr int entries_per_thread = PUSH_TILE / CUDA_THREADS;
static_assert(PUSH_TILE % CUDA_THREADS == 0, "each thread has its entries of a tile");

/* A block takes tiles of PUSH_TILE entries, PUSH_TILE / CUDA_THREADS per thread in registers. If
 * none of a tile's columns is wanted, its rows are not looked up. Otherwise two threads look up the
 * tile's first and last row, which bounds each thread's search, and the block reserves room for its
 * keys with one atomic addition. Shared memory: the two rows. */
__global__ static void __launch_bounds__(CUDA_THREADS)
    transpose_keys(uint64_t *keys, unsigned long long *count, uint64_t room,
                   cuda_transpose_source t, uint32_t first, uint32_t last, unsigned bits)
{
    __shared__ uint64_t first_row, last_row;
    const uint64_t *ends = t.start + 1;
    for (uint64_t tile = (uint64_t)blockIdx.x * PUSH_TILE; tile < t.entries;
         tile += (uint64_t)gridDim.x * PUSH_TILE) {
        const uint64_t stop = tile + PUSH_TILE < t.entries ? tile + PUSH_TILE : t.entries;
        uint32_t column[entries_per_thread];
        unsigned own = 0;
#pragma unroll
        for (int i = 0; i < entries_per_thread; i++) {
            uint64_t e = tile + (uint64_t)i * CUDA_THREADS + threadIdx.x;
            column[i] = e < stop ? t.index[e] : CUDA_NO_VERTEX;
            if (t.column_id && e < stop)
                column[i] = t.column_id[column[i]];
            own += column[i] >= first && column[i] < last;
        }
        if (!__syncthreads_or(own > 0))
            continue;
        if (threadIdx.x == 0)
            first_row = row_of(ends, 0, t.rows, tile);
        if (threadIdx.x == 32)
            last_row = row_of(ends, 0, t.rows, stop - 1);
        count_t at = block_reserve(count, own);
        if (at + own > room)
            continue; /* all threads of the block have passed the barriers above */
#pragma unroll
        for (int i = 0; i < entries_per_thread; i++) {
            if (column[i] < first || column[i] >= last)
                continue;
            uint64_t e = tile + (uint64_t)i * CUDA_THREADS + threadIdx.x;
            uint64_t row = row_of(ends, first_row, last_row, e);
            keys[at++] =
                (uint64_t)(column[i] - first) << bits | (t.row_id ? t.row_id[row] : (uint32_t)row);
        }
    }
}

cudaError_t sl_cuda_group_transpose_keys(uint64_t *keys, unsigned long long *count, uint64_t room,
                                         const cuda_transpose_source *source, uint32_t first,
                                         uint32_t last, unsigned bits)
{
    uint64_t tiles = (source->entries + PUSH_TILE - 1) / PUSH_TILE;
    return launch(tiles * CUDA_THREADS, transpose_keys, keys, count, room, *source, first, last,
                  bits);
}
