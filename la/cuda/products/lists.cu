/* Lists of a vector's entries and of rows, and sums along them. */
#include <cub/device/device_scan.cuh>

#include "algebra.cuh"
#include "product_kernels.h"

/* The entries of `bits` to a list, and the counts that decide which way to go. */
__global__ static void survey(uint32_t *list, cuda_counts *counts, const uint64_t *start,
                              const uint32_t *bits, uint64_t words, const uint32_t *todo,
                              uint64_t todo_words)
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
    for (uint64_t w = first_thread(); todo && w < todo_words; w += all_threads())
        wanted += __popc(todo[w]);
    add_counts(counts, 0, edges, wanted);
}

cudaError_t sl_cuda_survey(uint32_t *list, cuda_counts *counts, const uint64_t *start,
                           const uint32_t *bits, uint64_t words, const uint32_t *todo,
                           uint64_t todo_words, unsigned multiprocessors, cudaStream_t stream)
{
    survey<<<grid_of(words, multiprocessors * CUDA_BLOCKS_PER_SM), CUDA_THREADS, 0, stream>>>(
        list, counts, start, bits, words, todo, todo_words);
    return cudaGetLastError();
}

__global__ static void lengths_of_rows(uint64_t *to, const uint64_t *start, const uint32_t *list,
                                       uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = start[list[k] + (uint64_t)1] - start[list[k]];
}

cudaError_t sl_cuda_row_lengths(uint64_t *lengths, const uint64_t *start, const uint32_t *list,
                                uint64_t count, unsigned multiprocessors, cudaStream_t stream)
{
    lengths_of_rows<<<grid_of(count, multiprocessors * CUDA_BLOCKS_PER_SM), CUDA_THREADS, 0,
                      stream>>>(lengths, start, list, count);
    return cudaGetLastError();
}

cudaError_t sl_cuda_scan_scratch(size_t *bytes, uint64_t count)
{
    uint64_t *none = nullptr;
    *bytes = 0;
    return cub::DeviceScan::InclusiveSum(nullptr, *bytes, none, none, count);
}

cudaError_t sl_cuda_scan(uint64_t *ends, uint64_t count, void *scratch, size_t scratch_bytes,
                         cudaStream_t stream)
{
    return cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, ends, ends, count, stream);
}

__global__ static void lengths_of_words(uint64_t *to, const uint32_t *bits, uint64_t words)
{
    for (uint64_t w = first_thread(); w < words; w += all_threads())
        to[w] = __popc(bits[w]);
}

cudaError_t sl_cuda_word_lengths(uint64_t *lengths, const uint32_t *bits, uint64_t words,
                                 unsigned multiprocessors, cudaStream_t stream)
{
    lengths_of_words<<<grid_of(words, multiprocessors * CUDA_BLOCKS_PER_SM), CUDA_THREADS, 0,
                       stream>>>(lengths, bits, words);
    return cudaGetLastError();
}

template <typename T>
__global__ static void compact(uint64_t *index, T *to, const uint64_t *ends, const uint32_t *bits,
                               const T *values, uint64_t words)
{
    unsigned lane = threadIdx.x % 32;
    for (uint64_t w = first_thread() / 32; w < words; w += all_threads() / 32) {
        uint32_t word = bits[w];
        if (!(word >> lane & 1))
            continue;
        uint64_t at = ends[w] - __popc(word) + __popc(word & (((uint32_t)1 << lane) - 1));
        index[at] = 32 * w + lane;
        to[at] = values[32 * w + lane];
    }
}

cudaError_t sl_cuda_compact(uint64_t *index, void *to, const uint64_t *ends, const uint32_t *bits,
                            const void *values, sl_type type, uint64_t words,
                            unsigned multiprocessors, cudaStream_t stream)
{
    unsigned blocks = grid_of(32 * words, multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T)                                                                                    \
    compact<<<blocks, CUDA_THREADS, 0, stream>>>(index, (T *)to, ends, bits, (const T *)values,    \
                                                 words)
    WITH_TYPE(type, CALL)
#undef CALL
    return cudaGetLastError();
}

/* A word of rows to a warp. */
__global__ static void rows_there(uint32_t *bits, const uint64_t *start, uint64_t rows)
{
    FOR_EACH_WORD(rows)
    {
        uint32_t word = __ballot_sync(full_warp, v < rows && start[v + 1] > start[v]);
        if (lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_rows_there(uint32_t *bits, const uint64_t *start, uint64_t rows,
                               unsigned multiprocessors, cudaStream_t stream)
{
    rows_there<<<grid_of(rows, multiprocessors * CUDA_BLOCKS_PER_SM), CUDA_THREADS, 0, stream>>>(
        bits, start, rows);
    return cudaGetLastError();
}

template <typename T> __global__ static void fill(T *to, T value, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        to[v] = value;
}

cudaError_t sl_cuda_fill(void *to, sl_type type, const void *value, uint64_t n,
                         unsigned multiprocessors, cudaStream_t stream)
{
    unsigned blocks = grid_of(n, multiprocessors * CUDA_BLOCKS_PER_SM);
#define CALL(T) fill<<<blocks, CUDA_THREADS, 0, stream>>>((T *)to, scalar_as<T>(value), n)
    WITH_TYPE(type, CALL)
#undef CALL
    return cudaGetLastError();
}
