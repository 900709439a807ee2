/* Kernels that build a part: one thread per row, column or id, all of them O(1). */
#include "cuda/runtime/common.cuh"
#include "cuda/search/grid/grid_part_kernels.h"

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

__global__ static void invert(uint32_t *id, const uint32_t *order, uint64_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads())
        id[order[k]] = (uint32_t)k;
}

__global__ static void collect(uint32_t *to, const uint32_t *from, const uint32_t *at, uint64_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads())
        to[k] = from[at[k]];
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

/* A warp takes one bitmap word, that is 32 rows. */
__global__ static void empty_rows(uint32_t *bits, const uint64_t *start, uint64_t n)
{
    FOR_EACH_WORD(n)
    {
        const unsigned word = __ballot_sync(full_warp, start[v] == start[v + 1]);
        if (lane == 0)
            bits[w] = word;
    }
}

typedef struct {
    uint32_t *of[ELL_SLOTS];
} slots;

__global__ static void fill_slots(slots to, uint32_t *word_degree, const uint64_t *start,
                                  const uint32_t *index, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        const uint64_t first = start[v], end = start[v + 1];
#pragma unroll
        for (int k = 0; k < ELL_SLOTS; k++)
            to.of[k][v] = first + k < end ? index[first + k] : CUDA_NO_VERTEX;
        if (v % 32 == 0)
            word_degree[v / 32] = (uint32_t)min(end - first, (uint64_t)UINT32_MAX);
    }
}

cudaError_t sl_cuda_grid_row_lengths(uint32_t *length, const uint64_t *start, uint64_t n,
                                     uint32_t most)
{
    return launch(n, row_lengths, length, start, n, most);
}

cudaError_t sl_cuda_grid_limit(uint32_t *count, uint64_t n, uint32_t most)
{
    return launch(n, limit, count, n, most);
}

cudaError_t sl_cuda_grid_invert(uint32_t *id, const uint32_t *order, uint64_t n)
{
    return launch(n, invert, id, order, n);
}

cudaError_t sl_cuda_grid_collect(uint32_t *to, const uint32_t *from, const uint32_t *at, uint64_t n)
{
    return launch(n, collect, to, from, at, n);
}

cudaError_t sl_cuda_grid_word_degrees(uint32_t *mean, const uint32_t *degree, const uint32_t *order,
                                      uint64_t n)
{
    return launch(n, word_degrees, mean, degree, order, n);
}

cudaError_t sl_cuda_grid_first_rows(uint32_t *row, const uint32_t *slot,
                                    const uint32_t *row_of_source, uint64_t n)
{
    return launch(n, first_rows, row, slot, row_of_source, n);
}

cudaError_t sl_cuda_grid_source_ids(uint32_t *id, uint64_t n, uint32_t part, uint32_t parts)
{
    return launch(n, source_ids, id, n, part, parts);
}

cudaError_t sl_cuda_grid_target_ids(uint32_t *id, uint64_t n, uint32_t first)
{
    return launch(n, target_ids, id, n, first);
}

cudaError_t sl_cuda_grid_scatter(uint32_t *to, const uint32_t *count, const uint32_t *id,
                                 uint64_t n)
{
    return launch(n, scatter, to, count, id, n);
}

cudaError_t sl_cuda_grid_empty_rows(uint32_t *bits, const uint64_t *start, uint64_t n)
{
    return launch(n, empty_rows, bits, start, n);
}

cudaError_t sl_cuda_grid_fill_slots(uint32_t *const slot[ELL_SLOTS], uint32_t *word_degree,
                                    const uint64_t *start, const uint32_t *index, uint64_t n)
{
    slots to;
    for (int k = 0; k < ELL_SLOTS; k++)
        to.of[k] = slot[k];
    return launch(n, fill_slots, to, word_degree, start, index, n);
}
