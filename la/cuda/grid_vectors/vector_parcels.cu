/* Kernels that pack and unpack slices of vectors. One thread per word of a bitmap or per element of an
 * array, unless stated otherwise. */
#include "cuda/data/frontier.cuh"
#include "cuda/grid_vectors/vector_parcel_kernels.h"

/* The lowest `count` bits of a word. */
__device__ static uint32_t lowest(uint64_t count)
{
    return count >= 32 ? full_warp : ((uint32_t)1 << count) - 1;
}

/* Bits at to at + 31 of a bitmap of `length` bits, of which no bit behind the last is read. */
__device__ static uint32_t bits_at(const uint32_t *bits, uint64_t at, uint64_t length)
{
    const uint64_t w = at / 32;
    const unsigned shift = at % 32;
    uint32_t word = bits[w] >> shift;
    if (shift && 32 * (w + 1) < length)
        word |= bits[w + 1] << (32 - shift);
    return word;
}

/* ---- bitmaps ------------------------------------------------------------------------------------ */

/* Word w of the slice of bits begin to begin + length - 1. */
__device__ static uint32_t slice_word(const uint32_t *bits, uint64_t begin, uint64_t length,
                                      uint64_t w)
{
    return bits_at(bits, begin + 32 * w, begin + length) & lowest(length - 32 * w);
}

__global__ static void slice_bits(uint32_t *to, const uint32_t *bits, uint64_t begin,
                                  uint64_t length)
{
    for (uint64_t w = first_thread(); 32 * w < length; w += all_threads())
        to[w] = slice_word(bits, begin, length, w);
}

cudaError_t sl_cuda_slice_bits(uint32_t *to, const uint32_t *bits, uint64_t begin, uint64_t length)
{
    return launch((length + 31) / 32, slice_bits, to, bits, begin, length);
}

/* A row of blocks per slice; a thread takes a word at a time. Shared memory: a sum. */
enum { SLICE_THREADS = 1024, MOST_SLICE_BLOCKS = 64 };

/* The sum and the ended blocks of each slice; both are 0 between kernels. */
__device__ static count_t slice_sums[CUDA_SLICES_AT_ONCE];
__device__ static unsigned ended_blocks[CUDA_SLICES_AT_ONCE];

__global__ static void slice_and_count(cuda_stamped_count *counts, count_t stamp,
                                       cuda_slices_at_once slices, const uint32_t *bits)
{
    const unsigned k = blockIdx.y;
    const uint64_t begin = slices.begin[k], length = slices.begin[k + 1] - begin;
    count_t own = 0;
    for (uint64_t w = blockIdx.x * SLICE_THREADS + threadIdx.x; 32 * w < length;
         w += gridDim.x * SLICE_THREADS) {
        const uint32_t word = slice_word(bits, begin, length, w);
        if (slices.to[k])
            slices.to[k][w] = word;
        own += __popc(word);
    }
    add_block_sum(&slice_sums[k], own);
    if (is_last_block(&ended_blocks[k]) && threadIdx.x == 0)
        write_stamped(counts + k, atomicExch(&slice_sums[k], (count_t)0), stamp);
}

cudaError_t sl_cuda_slice_and_count(cuda_stamped_count *counts, unsigned long long stamp,
                                    const cuda_slices_at_once *slices, const uint32_t *bits)
{
    uint64_t longest = 0;
    for (uint32_t k = 0; k < slices->count; k++) {
        const uint64_t length = slices->begin[k + 1] - slices->begin[k];
        longest = length > longest ? length : longest;
    }
    const uint64_t blocks = (longest / 32 + SLICE_THREADS) / SLICE_THREADS;
    const dim3 grid(blocks < MOST_SLICE_BLOCKS ? (unsigned)blocks : MOST_SLICE_BLOCKS,
                    slices->count);
    return launch_blocks({grid, SLICE_THREADS}, slice_and_count, counts, stamp, *slices, bits);
}

__global__ static void count_slice(count_t *count, const uint32_t *bits, uint64_t begin,
                                   uint64_t length)
{
    count_t sum = 0;
    for (uint64_t w = first_thread(); 32 * w < length; w += all_threads())
        sum += __popc(slice_word(bits, begin, length, w));
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0 && sum)
        atomicAdd(count, sum);
}

cudaError_t sl_cuda_count_slice(unsigned long long *count, const uint32_t *bits, uint64_t begin,
                                uint64_t length)
{
    return launch((length + 31) / 32, count_slice, count, bits, begin, length);
}

/* Bits 32 w to 32 w + 31 of a bitmap, of which a slice has `length` bits that begin at `at`; some of these are
 * in the word. from NULL: all of them are set. */
__device__ static uint32_t joined_word(uint64_t w, uint64_t at, const uint32_t *from,
                                       uint64_t length)
{
    const uint64_t begin = 32 * w;
    const unsigned shift = begin < at ? (unsigned)(at - begin) : 0;
    const uint64_t source = begin < at ? 0 : begin - at, left = length - source;
    const uint32_t word = from ? bits_at(from, source, length) : full_warp;
    return (word & lowest(left)) << shift;
}

/* One thread per word of `to` that has bits of the slice; kernels that join other slices run before or
 * after, so words that two slices share need no atomics. */
__global__ static void join_bits(uint32_t *to, uint64_t at, const uint32_t *from, uint64_t length)
{
    const uint64_t first = at / 32, words = (at + length + 31) / 32 - first;
    for (uint64_t k = first_thread(); k < words; k += all_threads())
        to[first + k] |= joined_word(first + k, at, from, length);
}

__global__ static void join_at_once(uint32_t *to, uint64_t length, cuda_joins_at_once slices,
                                    cuda_report r)
{
    count_t found = 0;
    for (uint64_t w = first_thread(); 32 * w < length; w += all_threads()) {
        uint32_t word = 0;
        for (uint32_t k = 0; k < slices.count; k++)
            if (slices.begin[k] < 32 * (w + 1) && 32 * w < slices.end[k])
                word |= joined_word(w, slices.begin[k], slices.from[k],
                                    slices.end[k] - slices.begin[k]);
        if (slices.mask)
            word &= slices.complement ? ~slices.mask[w] : slices.mask[w];
        to[w] = word;
        found += __popc(word);
    }
    if (!r.counter)
        return;
    found = warp_sum(found);
    if (threadIdx.x % 32 == 0 && found)
        atomicAdd(&r.counter->next, found << r.edge_bits);
    report(r);
}

cudaError_t sl_cuda_join_at_once(uint32_t *to, uint64_t length, const cuda_joins_at_once *slices,
                                 cuda_report report)
{
    return launch((length + 31) / 32, join_at_once, to, length, *slices, report);
}

cudaError_t sl_cuda_join_bits(uint32_t *to, uint64_t at, const uint32_t *from, uint64_t length)
{
    if (length == 0)
        return cudaSuccess;
    return launch(length / 32 + 2, join_bits, to, at, from, length);
}

template <typename T>
__global__ static void copy_present(T *to, const T *from, const uint32_t *bits, uint64_t begin,
                                    uint64_t length)
{
    for (uint64_t k = first_thread(); k < length; k += all_threads()) {
        const uint64_t v = begin + k;
        if (bits[v / 32] >> (v % 32) & 1)
            to[k] = from[k];
    }
}

cudaError_t sl_cuda_copy_present(void *to, const void *from, const uint32_t *bits, uint64_t begin,
                                 size_t size, uint64_t length)
{
#define CALL(T) launch(length, copy_present<T>, (T *)to, (const T *)from, bits, begin, length)
    WITH_SIZE(size, CALL);
#undef CALL
}

/* ---- lists -------------------------------------------------------------------------------------- */

__global__ static void find_slices(count_t *first, const uint64_t *begin, uint32_t count,
                                   const uint32_t *list, uint64_t length)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        uint64_t low = 0, high = length;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (list[middle] < begin[k])
                low = middle + 1;
            else
                high = middle;
        }
        first[k] = low;
    }
}

cudaError_t sl_cuda_find_slices(unsigned long long *first, const uint64_t *begin, uint32_t count,
                                const uint32_t *list, uint64_t length)
{
    return launch_blocks({grid_of(count, 64)}, find_slices, first, begin, count, list, length);
}

/* One warp per word, one lane per bit. */
template <typename T>
__global__ static void list_slice(uint32_t *index, T *to, const uint64_t *ends,
                                  const uint32_t *bits, const T *values, uint64_t words)
{
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t w = first_thread() / 32; w < words; w += all_threads() / 32) {
        const uint32_t word = bits[w];
        if (!(word >> lane & 1))
            continue;
        const uint64_t at = ends[w] - __popc(word) + __popc(word & (((uint32_t)1 << lane) - 1));
        index[at] = (uint32_t)(32 * w + lane);
        if (to)
            to[at] = values[32 * w + lane];
    }
}

cudaError_t sl_cuda_list_slice(uint32_t *index, void *to, const uint64_t *ends,
                               const uint32_t *bits, const void *values, size_t size,
                               uint64_t words)
{
#define CALL(T)                                                                                    \
    launch(32 * words, list_slice<T>, index, (T *)to, ends, bits, (const T *)values, words)
    WITH_SIZE(size, CALL);
#undef CALL
}

__global__ static void shift_indices(uint32_t *to, const uint32_t *from, uint32_t offset,
                                     uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = from[k] + offset;
}

cudaError_t sl_cuda_shift_indices(uint32_t *to, const uint32_t *from, uint32_t offset,
                                  uint64_t count)
{
    return launch(count, shift_indices, to, from, offset, count);
}

template <typename T>
__global__ static void join_list(uint32_t *bits, T *values, uint64_t at, const uint32_t *index,
                                 const T *from, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        const uint64_t v = at + index[k];
        if (from)
            values[v] = from[k];
        atomicOr(bits + v / 32, (uint32_t)1 << (v % 32));
    }
}

cudaError_t sl_cuda_join_list(uint32_t *bits, void *values, uint64_t at, const uint32_t *index,
                              const void *from, size_t size, uint64_t count)
{
#define CALL(T) launch(count, join_list<T>, bits, (T *)values, at, index, (const T *)from, count)
    WITH_SIZE(size, CALL);
#undef CALL
}

/* ---- values and rows ------------------------------------------------------------------------------ */

__global__ static void number_entries(int64_t *values, const uint32_t *index, uint64_t base,
                                      uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        values[k] = (int64_t)(base + (index ? index[k] : k));
}

cudaError_t sl_cuda_number_entries(int64_t *values, const uint32_t *index, uint64_t base,
                                   uint64_t count)
{
    return launch(count, number_entries, values, index, base, count);
}

__global__ static void write_row(uint64_t *start, uint64_t count)
{
    start[threadIdx.x] = threadIdx.x * count;
}

cudaError_t sl_cuda_write_row(uint64_t *start, uint64_t count)
{
    return launch_blocks({1, 2}, write_row, start, count);
}
