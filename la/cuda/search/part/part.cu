/* Kernels that build a part: degrees, ids, slots, and keys of transposed edges. */
#include "cuda/operations/reserve.cuh"
#include "cuda/runtime/common.cuh"
#include "cuda/search/part/part_kernels.h"

/* ---- degrees: one thread per row, column, entry or id ---- */

__global__ static void or_bits(uint32_t *bits, const uint32_t *all, uint64_t words, uint32_t ranks)
{
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t joined = 0;
        for (uint32_t q = 0; q < ranks; q++)
            joined |= all[q * words + w];
        bits[w] = joined;
    }
}

__global__ static void degree_keys(uint32_t *key, cuda_part_degrees d, uint32_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        const uint64_t bit = d.first + v;
        const bool leaves =
            (d.out && d.out[v] > 0) || (d.out_bits && d.out_bits[bit / 32] >> bit % 32 & 1);
        key[v] = d.in[v] + (d.in[v] > 0 || leaves);
    }
}

__global__ static void degrees_of_keys(uint32_t *key, uint32_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads())
        key[k]--;
}

__global__ static void limit_ids(uint32_t *to, const uint32_t *id, uint64_t n, uint32_t most)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        to[v] = id[v] < most ? id[v] : CUDA_NO_VERTEX;
}

__global__ static void set_rows(uint32_t *row, const uint32_t *id, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        if (id[v] != CUDA_NO_VERTEX)
            row[id[v]] = (uint32_t)v;
}

__global__ static void row_lengths(uint32_t *length, const uint64_t *start, uint64_t n,
                                   uint32_t most)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        const uint64_t entries = start[v + 1] - start[v];
        length[v] = entries < most ? (uint32_t)entries : most;
    }
}

__global__ static void limit(uint32_t *count, uint64_t n, uint32_t most)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        count[v] = min(count[v], most);
}

/* A warp takes one bitmap word, that is 32 ids. */
__global__ static void word_degrees(uint32_t *mean, const uint32_t *degree, const uint32_t *order,
                                    uint64_t n)
{
    FOR_EACH_WORD(n)
    {
        const count_t sum = warp_sum(v < n ? degree[order[v]] : 0), ids = min(n - 32 * w, 32ul);
        if (lane == 0)
            mean[w] = (uint32_t)((sum + ids - 1) / ids);
    }
}

__global__ static void first_rows(uint32_t *row, const uint32_t *slot,
                                  const uint32_t *row_of_source, uint64_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads())
        row[k] = slot[k] == CUDA_NO_VERTEX ? CUDA_NO_VERTEX : row_of_source[slot[k]];
}

__global__ static void source_ids(uint32_t *id, uint64_t n, uint32_t part, uint32_t parts)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        const uint32_t k = id[v];
        if (k != CUDA_NO_VERTEX)
            id[v] = (k / GROUP_LINE * parts + part) * GROUP_LINE + k % GROUP_LINE;
    }
}

__global__ static void target_ids(uint32_t *id, uint64_t n, uint32_t first)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        if (id[v] != CUDA_NO_VERTEX)
            id[v] += first;
}

__global__ static void scatter(uint32_t *to, const uint32_t *count, const uint32_t *id, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        if (id[v] != CUDA_NO_VERTEX)
            to[id[v]] = count[v];
}

typedef struct {
    uint32_t *of[ELL_SLOTS], count[ELL_SLOTS];
} slots;

__global__ static void fill_slots(slots to, uint32_t *word_degree, const uint64_t *start,
                                  const uint32_t *index, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        const uint64_t first = start[v], end = start[v + 1];
#pragma unroll
        for (int k = 0; k < ELL_SLOTS; k++)
            if (v < to.count[k])
                to.of[k][v] = first + k < end ? index[first + k] : CUDA_NO_VERTEX;
        if (v % 32 == 0)
            word_degree[v / 32] = (uint32_t)min(end - first, (uint64_t)UINT32_MAX);
    }
}

cudaError_t sl_cuda_part_row_lengths(uint32_t *length, const uint64_t *start, uint64_t n,
                                     uint32_t most)
{
    return launch(n, row_lengths, length, start, n, most);
}

cudaError_t sl_cuda_part_limit(uint32_t *count, uint64_t n, uint32_t most)
{
    return launch(n, limit, count, n, most);
}

cudaError_t sl_cuda_part_word_degrees(uint32_t *mean, const uint32_t *degree, const uint32_t *order,
                                      uint64_t n)
{
    return launch(n, word_degrees, mean, degree, order, n);
}

cudaError_t sl_cuda_part_first_rows(uint32_t *row, const uint32_t *slot,
                                    const uint32_t *row_of_source, uint64_t n)
{
    return launch(n, first_rows, row, slot, row_of_source, n);
}

cudaError_t sl_cuda_part_source_ids(uint32_t *id, uint64_t n, uint32_t part, uint32_t parts)
{
    return launch(n, source_ids, id, n, part, parts);
}

cudaError_t sl_cuda_part_target_ids(uint32_t *id, uint64_t n, uint32_t first)
{
    return launch(n, target_ids, id, n, first);
}

cudaError_t sl_cuda_part_scatter(uint32_t *to, const uint32_t *count, const uint32_t *id,
                                 uint64_t n)
{
    return launch(n, scatter, to, count, id, n);
}

cudaError_t sl_cuda_part_fill_slots(uint32_t *const slot[ELL_SLOTS],
                                    const uint32_t slot_count[ELL_SLOTS], uint32_t *word_degree,
                                    const uint64_t *start, const uint32_t *index, uint64_t n)
{
    slots to;
    for (int k = 0; k < ELL_SLOTS; k++) {
        to.of[k] = slot[k];
        to.count[k] = slot_count[k];
    }
    return launch(n, fill_slots, to, word_degree, start, index, n);
}

cudaError_t sl_cuda_or_bits(uint32_t *bits, const uint32_t *all, uint64_t words, uint32_t ranks)
{
    return launch(words, or_bits, bits, all, words, ranks);
}

cudaError_t sl_cuda_part_degree_keys(uint32_t *key, const cuda_part_degrees *degrees, uint32_t n)
{
    return launch(n, degree_keys, key, *degrees, n);
}

cudaError_t sl_cuda_part_degrees_of_keys(uint32_t *key, uint32_t n)
{
    return launch(n, degrees_of_keys, key, n);
}

cudaError_t sl_cuda_part_limit_ids(uint32_t *to, const uint32_t *id, uint64_t n, uint32_t most)
{
    return launch(n, limit_ids, to, id, n, most);
}

cudaError_t sl_cuda_part_set_rows(uint32_t *row, const uint32_t *id, uint64_t n)
{
    return launch(n, set_rows, row, id, n);
}

/* ---- transposition ---- */

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

cudaError_t sl_cuda_part_transpose_keys(uint64_t *keys, unsigned long long *count, uint64_t room,
                                        const cuda_transpose_source *source, uint32_t first,
                                        uint32_t last, unsigned bits)
{
    uint64_t tiles = (source->entries + PUSH_TILE - 1) / PUSH_TILE;
    return launch(tiles * CUDA_THREADS, transpose_keys, keys, count, room, *source, first, last,
                  bits);
}
