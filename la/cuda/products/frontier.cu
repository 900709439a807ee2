/* The entries of a vector as a list, and the lengths of their rows: the frontier of a push. The
 * numbers of entries of all rows. */
#include "cuda/operations/algebra.cuh"
#include "cuda/products/product_kernels.h"

/* Lists the set bits, and counts what decides between push and pull. Each warp reserves places
 * for its 32 words with one atomic. */
__global__ static void frontier_list(uint32_t *list, cuda_counts *counts, const uint64_t *start,
                                     const uint32_t *bits, uint64_t words, const uint32_t *allowed,
                                     uint64_t allowed_words)
{
    unsigned lane = threadIdx.x % 32;
    count_t edges = 0, wanted = 0;
    for (uint64_t first = first_thread() - lane; first < words; first += all_threads()) {
        uint64_t w = first + lane;
        uint32_t left = w < words ? bits[w] : 0;
        if (!__any_sync(full_warp, left != 0))
            continue;
        unsigned own = __popc(left), upto = own;
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            unsigned other = __shfl_up_sync(full_warp, upto, offset);
            upto += lane >= offset ? other : 0;
        }
        count_t at = 0;
        if (lane == 31)
            at = atomicAdd(&counts->vertices, (count_t)upto);
        at = __shfl_sync(full_warp, at, 31) + upto - own;
        for (; left; left &= left - 1) {
            uint32_t v = (uint32_t)(32 * w) + __ffs(left) - 1;
            list[at++] = v;
            edges += start[v + (uint64_t)1] - start[v];
        }
    }
    for (uint64_t w = first_thread(); allowed && w < allowed_words; w += all_threads())
        wanted += __popc(allowed[w]);
    add_counts(counts, 0, edges, wanted);
}

cudaError_t sl_cuda_list_vertices(uint32_t *list, cuda_counts *counts, const uint64_t *start,
                                  const uint32_t *bits, uint64_t words, const uint32_t *allowed,
                                  uint64_t allowed_words)
{
    return launch(words, frontier_list, list, counts, start, bits, words, allowed, allowed_words);
}

__global__ static void lengths_of_rows(uint64_t *to, const uint64_t *start, const uint32_t *list,
                                       uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = start[list[k] + (uint64_t)1] - start[list[k]];
}

cudaError_t sl_cuda_row_lengths(uint64_t *lengths, const uint64_t *start, const uint32_t *list,
                                uint64_t count)
{
    return launch(count, lengths_of_rows, lengths, start, list, count);
}

/* One thread per row; a warp per word of bits. */
template <typename T>
__global__ static void row_counts(uint32_t *bits, T *t, const uint64_t *start, uint64_t rows)
{
    FOR_EACH_WORD(rows)
    {
        const uint64_t length = v < rows ? start[v + 1] - start[v] : 0;
        if (length)
            t[v] = (T)length;
        const unsigned word = __ballot_sync(full_warp, length > 0);
        if (bits && lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_row_counts(uint32_t *bits, void *t, sl_type type, const uint64_t *start,
                               uint64_t rows)
{
#define CALL(T) launch(rows, row_counts<T>, bits, (T *)t, start, rows)
    WITH_TYPE(type, CALL);
#undef CALL
}
