/* Kernels over bitmaps: one thread per word, unless stated otherwise. */
#include "cuda/data/frontier.cuh"
#include "cuda/data/object_kernels.h"
#include "cuda/runtime/common.cuh"

__global__ static void count_edges(count_t *edges, const uint32_t *bits, uint64_t words,
                                   const uint64_t *start)
{
    count_t own = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads())
        for (uint32_t left = bits[w]; left; left &= left - 1) {
            const uint64_t v = 32 * w + __ffs(left) - 1;
            own += start[v + 1] - start[v];
        }
    add_block_sum(edges, own);
}

cudaError_t sl_cuda_count_edges(unsigned long long *edges, const uint32_t *bits, uint64_t words,
                                const uint64_t *start)
{
    return launch(words, count_edges, (count_t *)edges, bits, words, start);
}

/* One thread per word. */
__global__ static void set_bits(uint32_t *bits, uint64_t n)
{
    const uint64_t words = (n + 31) / 32;
    for (uint64_t w = first_thread(); w < words; w += all_threads())
        bits[w] = w + 1 < words || n % 32 == 0 ? full_warp : ((uint32_t)1 << (n % 32)) - 1;
}

cudaError_t sl_cuda_set_bits(uint32_t *bits, uint64_t n)
{
    return launch((n + 31) / 32, set_bits, bits, n);
}

__global__ static void count_bits(unsigned long long *count, const uint32_t *bits, uint64_t words)
{
    count_t sum = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads())
        sum += __popc(bits[w]);
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0 && sum)
        atomicAdd(count, sum);
}

cudaError_t sl_cuda_count_bits(unsigned long long *count, const uint32_t *bits, uint64_t words)
{
    return launch(words, count_bits, count, bits, words);
}

__global__ static void report_bits(const uint32_t *bits, uint64_t words, cuda_report to)
{
    __shared__ count_t all;
    count_t own = 0;
    if (threadIdx.x == 0)
        all = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads())
        own += __popc(bits[w]);
    add_block_sum(&all, own);
    if (threadIdx.x == 0 && all)
        atomicAdd(&to.counter->next, all << to.edge_bits);
    report(to);
}

cudaError_t sl_cuda_report_bits(const uint32_t *bits, uint64_t words, cuda_report to)
{
    return launch(words, report_bits, bits, words, to);
}

__global__ static void lengths_of_words(uint64_t *to, const uint32_t *bits, uint64_t words)
{
    for (uint64_t w = first_thread(); w < words; w += all_threads())
        to[w] = __popc(bits[w]);
}

cudaError_t sl_cuda_word_lengths(uint64_t *lengths, const uint32_t *bits, uint64_t words)
{
    return launch(words, lengths_of_words, lengths, bits, words);
}

/* One warp per word, one lane per bit. */
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
                            const void *values, size_t size, uint64_t words)
{
#define CALL(T) launch(32 * words, compact<T>, index, (T *)to, ends, bits, (const T *)values, words)
    WITH_SIZE(size, CALL);
#undef CALL
}

/* One warp per word, one lane per row. */
__global__ static void nonempty_rows(uint32_t *bits, const uint64_t *start, uint64_t rows)
{
    FOR_EACH_WORD(rows)
    {
        uint32_t word = __ballot_sync(full_warp, v < rows && start[v + 1] > start[v]);
        if (lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_nonempty_rows(uint32_t *bits, const uint64_t *start, uint64_t rows)
{
    return launch(rows, nonempty_rows, bits, start, rows);
}
