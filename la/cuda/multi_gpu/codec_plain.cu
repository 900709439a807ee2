/* Bitmaps and lists: a word, or an id, to a thread; and ids made of bits. */
#include <cub/device/device_scan.cuh>

#include "codec.cuh"

cudaError_t sl_cuda_sums_before(void *scratch, size_t *bytes, unsigned long long *numbers,
                                uint64_t count, cudaStream_t stream)
{
    return cub::DeviceScan::ExclusiveSum(scratch, *bytes, numbers, numbers, count, stream);
}

/* ---- heads --------------------------------------------------------------------------------- */

__global__ static void put_head(uint8_t *out, uint64_t head, unsigned length)
{
    if (threadIdx.x < length)
        out[threadIdx.x] = (uint8_t)(head >> 8 * threadIdx.x);
}

__global__ static void check_head(const uint8_t *in, uint64_t head, unsigned length,
                                  unsigned *failed)
{
    if (threadIdx.x < length && in[threadIdx.x] != (uint8_t)(head >> 8 * threadIdx.x))
        *failed = 1;
}

cudaError_t sl_cuda_put_head(uint8_t *out, uint64_t head, unsigned length, cudaStream_t stream)
{
    put_head<<<1, 32, 0, stream>>>(out, head, length);
    return cudaGetLastError();
}

cudaError_t sl_cuda_check_head(const uint8_t *in, uint64_t head, unsigned length, unsigned *failed,
                               cudaStream_t stream)
{
    check_head<<<1, 32, 0, stream>>>(in, head, length, failed);
    return cudaGetLastError();
}

/* ---- ids of bits --------------------------------------------------------------------------- */

/* Word w without the bits behind the last id, of which those of its byte are a failure where that
 * is asked for; what is behind that byte is none of the message's. */
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

__global__ static void count_ids(count_t *counts, const uint32_t *bits, uint64_t limit,
                                 unsigned *failed)
{
    const uint64_t tiles = (limit + 32 * IDS_TILE - 1) / (32 * IDS_TILE);
    for (uint64_t t = first_thread() / 32; t < tiles; t += all_threads() / 32) {
        uint32_t word = word_of(bits, IDS_TILE * t + threadIdx.x % 32, limit, failed);
        unsigned sum = sum_of_warp((unsigned)__popc(word));
        if (threadIdx.x % 32 == 0)
            counts[t] = sum;
    }
    if (first_thread() == 0)
        counts[tiles] = 0;
}

__global__ static void write_ids(uint32_t *list, const uint32_t *bits, uint64_t limit,
                                 const count_t *before, uint64_t room)
{
    const uint64_t tiles = (limit + 32 * IDS_TILE - 1) / (32 * IDS_TILE);
    for (uint64_t t = first_thread() / 32; t < tiles; t += all_threads() / 32) {
        const uint64_t w = IDS_TILE * t + threadIdx.x % 32;
        uint32_t word = word_of(bits, w, limit, nullptr);
        unsigned mine = (unsigned)__popc(word);
        uint64_t at = before[t] + sum_up_to(mine) - mine;
        for (; word && at < room; word &= word - 1, at++)
            list[at] = (uint32_t)(32 * w) + __ffs(word) - 1;
    }
}

cudaError_t sl_cuda_count_ids(unsigned long long *counts, const uint32_t *bits, uint64_t limit,
                              unsigned *failed, unsigned multiprocessors, cudaStream_t stream)
{
    count_ids<<<codec_grid(multiprocessors, limit / 32), CUDA_THREADS, 0, stream>>>(counts, bits,
                                                                                    limit, failed);
    return cudaGetLastError();
}

cudaError_t sl_cuda_write_ids(uint32_t *list, const uint32_t *bits, uint64_t limit,
                              const unsigned long long *before, uint64_t room,
                              unsigned multiprocessors, cudaStream_t stream)
{
    write_ids<<<codec_grid(multiprocessors, limit / 32), CUDA_THREADS, 0, stream>>>(
        list, bits, limit, before, room);
    return cudaGetLastError();
}

/* ---- what is read ----------------------------------------------------------------------- */

__global__ static void check_count(const count_t *counted, uint64_t count, unsigned *failed)
{
    if (*counted != count)
        *failed = 1;
}

__global__ static void join_bits(uint32_t *bits, const uint32_t *from, uint64_t limit)
{
    for (uint64_t w = first_thread(); w < (limit + 31) / 32; w += all_threads())
        bits[w] |= word_of(from, w, limit, nullptr);
}

__global__ static void read_list(cuda_ids to, cuda_coded coded)
{
    const uint32_t *ids = (const uint32_t *)coded.in;
    for (uint64_t k = first_thread(); k < coded.count; k += all_threads())
        put_id(to, coded, k, ids[k]);
}

cudaError_t sl_cuda_check_count(const unsigned long long *counted, uint64_t count, unsigned *failed,
                                cudaStream_t stream)
{
    check_count<<<1, 1, 0, stream>>>(counted, count, failed);
    return cudaGetLastError();
}

cudaError_t sl_cuda_join_bits(uint32_t *bits, const uint32_t *from, uint64_t limit,
                              unsigned multiprocessors, cudaStream_t stream)
{
    join_bits<<<codec_grid(multiprocessors, limit / 32), CUDA_THREADS, 0, stream>>>(bits, from,
                                                                                    limit);
    return cudaGetLastError();
}

cudaError_t sl_cuda_read_list(const cuda_ids *to, const cuda_coded *coded, unsigned multiprocessors,
                              cudaStream_t stream)
{
    read_list<<<codec_grid(multiprocessors, coded->count), CUDA_THREADS, 0, stream>>>(*to, *coded);
    return cudaGetLastError();
}
