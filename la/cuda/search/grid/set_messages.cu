/* Kernels for sets of vertices as bitmaps and lists of ids. One thread takes a word or an id. */
#include <cub/device/device_scan.cuh>

#include "cuda/runtime/warp_places.cuh"
#include "cuda/search/grid/set_message_kernels.h"

cudaError_t sl_cuda_exclusive_sum(void *scratch, size_t *bytes, unsigned long long *numbers,
                                  uint64_t count)
{
    return cub::DeviceScan::ExclusiveSum(scratch, *bytes, numbers, numbers, count, cuda_stream());
}

/* ---- ids of bits --------------------------------------------------------------------------- */

/* Word w of a bitmap without the bits beyond the limit. If `failed` is not NULL, set bits beyond
 * the limit in the last byte of the payload set it; later bytes are not part of the message. */
__device__ static uint32_t word_of(const uint32_t *bits, uint64_t w, uint64_t limit,
                                   unsigned *failed)
{
    if (w >= (limit + 31) / 32)
        return 0;
    const uint32_t word = bits[w], behind = 32 * w + 32 > limit ? ~0u << limit % 32 : 0;
    const uint32_t rest = behind & (0xffu << limit % 32 / 8 * 8);
    if (failed && limit % 8 && word & rest)
        *failed = 1;
    return word & ~behind;
}

/* A warp takes a tile of IDS_TILE = 32 words, one per lane. */
__global__ static void count_ids(count_t *counts, const uint32_t *bits, uint64_t limit,
                                 unsigned *failed)
{
    const uint64_t tiles = (limit + 32 * IDS_TILE - 1) / (32 * IDS_TILE);
    for (uint64_t t = first_thread() / 32; t < tiles; t += all_threads() / 32) {
        uint32_t word = word_of(bits, IDS_TILE * t + threadIdx.x % 32, limit, failed);
        const unsigned sum = sum_of_warp((unsigned)__popc(word));
        if (threadIdx.x % 32 == 0)
            counts[t] = sum;
    }
    if (first_thread() == 0)
        counts[tiles] = 0;
}

/* A warp takes a tile; a prefix sum over its lanes' bits gives each lane its place in the list. */
__global__ static void write_ids(uint32_t *list, const uint32_t *bits, uint64_t limit,
                                 const count_t *before, uint64_t room)
{
    const uint64_t tiles = (limit + 32 * IDS_TILE - 1) / (32 * IDS_TILE);
    for (uint64_t t = first_thread() / 32; t < tiles; t += all_threads() / 32) {
        const uint64_t w = IDS_TILE * t + threadIdx.x % 32;
        uint32_t word = word_of(bits, w, limit, nullptr);
        const unsigned mine = (unsigned)__popc(word);
        uint64_t at = before[t] + warp_sum_up_to(mine) - mine;
        for (; word && at < room; word &= word - 1, at++)
            list[at] = (uint32_t)(32 * w) + __ffs(word) - 1;
    }
}

cudaError_t sl_cuda_count_ids(unsigned long long *counts, const uint32_t *bits, uint64_t limit,
                              unsigned *failed)
{
    return launch(limit / 32, count_ids, counts, bits, limit, failed);
}

cudaError_t sl_cuda_write_ids(uint32_t *list, const uint32_t *bits, uint64_t limit,
                              const unsigned long long *before, uint64_t room)
{
    return launch(limit / 32, write_ids, list, bits, limit, before, room);
}

/* ---- reading ----------------------------------------------------------------------- */

__global__ static void check_count(const count_t *counted, uint64_t count, unsigned *failed)
{
    if (*counted != count)
        *failed = 1;
}

__global__ static void merge_bits(uint32_t *bits, const uint32_t *from, uint64_t limit)
{
    for (uint64_t w = first_thread(); w < (limit + 31) / 32; w += all_threads())
        bits[w] |= word_of(from, w, limit, nullptr);
}

__global__ static void set_listed_bits(uint32_t *bits, const uint32_t *list, uint64_t count,
                                       uint64_t limit, unsigned *failed)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        if (list[k] >= limit)
            *failed = 1;
        else
            atomicOr(bits + list[k] / 32, 1u << list[k] % 32);
}

cudaError_t sl_cuda_check_count(const unsigned long long *counted, uint64_t count, unsigned *failed)
{
    return launch_blocks({1, 1}, check_count, counted, count, failed);
}

cudaError_t sl_cuda_merge_bits(uint32_t *bits, const uint32_t *from, uint64_t limit)
{
    return launch(limit / 32, merge_bits, bits, from, limit);
}

cudaError_t sl_cuda_set_listed_bits(uint32_t *bits, const uint32_t *list, uint64_t count,
                                    uint64_t limit, unsigned *failed)
{
    return launch(count, set_listed_bits, bits, list, count, limit, failed);
}
