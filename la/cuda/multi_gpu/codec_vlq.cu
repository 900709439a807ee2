/*
 * Differences of ascending ids as variable-length quantities (Ueno and Suzumura 2013, section V-C;
 * dist/codecs/codec_vlq.c has the format): a group of 32 to a warp, which writes and reads the
 * first bytes of all, then the second bytes of those that have one, and so on, as in the paper's
 * algorithm IV. Many warps at once need to know where groups begin: to write them that is the sum
 * of the lengths before; to read them it is found by going through all tiles at once, each from
 * every new_id at which a group may begin in it.
 */
#include <cub/block/block_scan.cuh>

#include "codec.cuh"

__device__ static uint64_t groups_of(uint64_t count)
{
    return (count + VLQ_LANES - 1) / VLQ_LANES;
}

/* ---- writing -------------------------------------------------------------------------------- */

__device__ static uint32_t difference(const uint32_t *ids, uint64_t k)
{
    return k ? ids[k] - ids[k - 1] - 1 : ids[0];
}

__device__ static unsigned bytes_of(uint32_t value)
{
    return value ? (38 - __clz(value)) / 7 : 1;
}

__global__ static void vlq_lengths(count_t *length, const uint32_t *ids, uint64_t count)
{
    const uint64_t groups = groups_of(count);
    for (uint64_t g = first_thread() / 32; g < groups; g += all_threads() / 32) {
        const uint64_t k = 32 * g + threadIdx.x % 32;
        unsigned mine = k < count ? bytes_of(difference(ids, k)) : 0;
        unsigned sum = sum_of_warp(mine);
        if (threadIdx.x % 32 == 0)
            length[g] = sum;
    }
    if (first_thread() == 0)
        length[groups] = 0;
}

__global__ static void vlq_write(uint8_t *out, const count_t *before, const uint32_t *ids,
                                 uint64_t count)
{
    for (uint64_t g = first_thread() / 32; g < groups_of(count); g += all_threads() / 32) {
        const uint64_t k = 32 * g + threadIdx.x % 32;
        uint32_t value = k < count ? difference(ids, k) : 0;
        bool active = k < count;
        uint8_t *at = out + before[g];
        while (unsigned flags = __ballot_sync(full_warp, active)) {
            if (active)
                at[__popc(flags & lanes_before())] = (uint8_t)(value & 127) | (value > 127) << 7;
            active = active && value > 127;
            value >>= 7;
            at += __popc(flags);
        }
    }
}

cudaError_t sl_cuda_vlq_lengths(unsigned long long *length, const uint32_t *ids, uint64_t count,
                                unsigned multiprocessors, cudaStream_t stream)
{
    vlq_lengths<<<codec_grid(multiprocessors, count), CUDA_THREADS, 0, stream>>>(length, ids,
                                                                                 count);
    return cudaGetLastError();
}

cudaError_t sl_cuda_vlq_write(uint8_t *out, const unsigned long long *before, const uint32_t *ids,
                              uint64_t count, unsigned multiprocessors, cudaStream_t stream)
{
    vlq_write<<<codec_grid(multiprocessors, count), CUDA_THREADS, 0, stream>>>(out, before, ids,
                                                                               count);
    return cudaGetLastError();
}

/* ---- where groups begin ----------------------------------------------------------------- */

/* For each byte of a tile, and those behind it that its last group may have, how many before
 * it say that another follows. */
enum {
    SPAN = VLQ_TILE + VLQ_GROUP_MOST,
    EACH = (SPAN + CUDA_THREADS - 1) / CUDA_THREADS,
    PLANES = 5
};
typedef cub::BlockScan<unsigned, CUDA_THREADS> flag_scan;
struct tile_flags {
    uint16_t before[EACH * CUDA_THREADS + 1];
    typename flag_scan::TempStorage scan;
};

__device__ static void read_flags(tile_flags *f, const cuda_coded &coded, uint64_t tile)
{
    const uint64_t first = tile * VLQ_TILE + threadIdx.x * EACH;
    unsigned flags = 0, sum;
    for (unsigned k = 0; k < EACH; k++)
        flags |= (first + k < coded.bytes ? (unsigned)coded.in[first + k] >> 7 : 0u) << k;
    flag_scan(f->scan).ExclusiveSum((unsigned)__popc(flags), sum);
    for (unsigned k = 0; k < EACH; k++)
        f->before[threadIdx.x * EACH + k] = (uint16_t)(sum + __popc(flags & ((1u << k) - 1)));
    if (threadIdx.x == CUDA_THREADS - 1)
        f->before[EACH * CUDA_THREADS] = (uint16_t)(sum + __popc(flags));
    __syncthreads();
}

/* Where the group ends that begins there and has all its lanes: each plane of bytes has as many
 * as in the plane before say that another follows. */
__device__ static unsigned group_end(const tile_flags *f, unsigned begin)
{
    unsigned end = begin + VLQ_LANES;
    for (int plane = 1; plane < PLANES; plane++) {
        unsigned more = f->before[end] - f->before[begin];
        begin = end;
        end += more;
    }
    return end;
}

__global__ static void vlq_ways(cuda_vlq_way *way, cuda_coded coded)
{
    __shared__ tile_flags f;
    read_flags(&f, coded, blockIdx.x);
    if (threadIdx.x >= VLQ_GROUP_MOST)
        return;
    unsigned at = threadIdx.x, groups = 0;
    for (; at < VLQ_TILE; groups++)
        at = group_end(&f, at);
    way[(uint64_t)blockIdx.x * VLQ_GROUP_MOST + threadIdx.x] =
        cuda_vlq_way{(uint8_t)(at - VLQ_TILE), (uint8_t)groups};
}

/* One block: it brings the ways of many tiles, and one thread goes along. */
__global__ static void vlq_entries(cuda_vlq_entry *entry, const cuda_vlq_way *way, uint64_t tiles)
{
    __shared__ cuda_vlq_way near[VLQ_TILES_AT_ONCE * VLQ_GROUP_MOST];
    cuda_vlq_entry here = {0, 0};
    for (uint64_t first = 0; first < tiles; first += VLQ_TILES_AT_ONCE) {
        const uint64_t left = tiles - first;
        const unsigned now = left < VLQ_TILES_AT_ONCE ? (unsigned)left : VLQ_TILES_AT_ONCE;
        __syncthreads();
        for (unsigned k = threadIdx.x; k < now * VLQ_GROUP_MOST; k += blockDim.x)
            near[k] = way[first * VLQ_GROUP_MOST + k];
        __syncthreads();
        for (unsigned t = 0; threadIdx.x == 0 && t < now; t++) {
            entry[first + t] = here;
            cuda_vlq_way next = near[t * VLQ_GROUP_MOST + here.entry];
            here = cuda_vlq_entry{here.group + next.groups, next.end};
        }
    }
}

__global__ static void vlq_starts(uint32_t *start, const cuda_vlq_entry *entry, cuda_coded coded)
{
    __shared__ tile_flags f;
    read_flags(&f, coded, blockIdx.x);
    if (threadIdx.x > 0)
        return;
    uint64_t group = entry[blockIdx.x].group;
    const uint64_t groups = groups_of(coded.count);
    for (unsigned at = entry[blockIdx.x].entry; at < VLQ_TILE && group < groups; group++) {
        start[group] = blockIdx.x * VLQ_TILE + at;
        at = group_end(&f, at);
    }
}

cudaError_t sl_cuda_vlq_ways(cuda_vlq_way *way, const cuda_coded *coded, cudaStream_t stream)
{
    vlq_ways<<<(unsigned)sl_cuda_vlq_tiles(coded->bytes), CUDA_THREADS, 0, stream>>>(way, *coded);
    return cudaGetLastError();
}

cudaError_t sl_cuda_vlq_entries(cuda_vlq_entry *entry, const cuda_vlq_way *way,
                                const cuda_coded *coded, cudaStream_t stream)
{
    vlq_entries<<<1, CUDA_THREADS, 0, stream>>>(entry, way, sl_cuda_vlq_tiles(coded->bytes));
    return cudaGetLastError();
}

cudaError_t sl_cuda_vlq_starts(uint32_t *start, const cuda_vlq_entry *entry,
                               const cuda_coded *coded, cudaStream_t stream)
{
    cudaError_t error =
        cudaMemsetAsync(start, 0xff, sl_cuda_vlq_groups(coded->count) * sizeof *start, stream);
    if (error != cudaSuccess)
        return error;
    vlq_starts<<<(unsigned)sl_cuda_vlq_tiles(coded->bytes), CUDA_THREADS, 0, stream>>>(start, entry,
                                                                                       *coded);
    return cudaGetLastError();
}

/* ---- reading ------------------------------------------------------------------------------- */

/*
 * Algorithm IV: the difference of this lane in a group of so many, and where the group ends. False
 * on some lane: there is no such group.
 */
__device__ static bool read_group(uint32_t *value, uint64_t *end, const cuda_coded &coded,
                                  uint64_t at, unsigned lanes)
{
    bool active = threadIdx.x % 32 < lanes, right = true;
    *value = 0;
    for (unsigned shift = 0; unsigned flags = __ballot_sync(full_warp, active); shift += 7) {
        if (shift == 7 * PLANES || at + __popc(flags) > coded.bytes)
            return false;
        if (active) {
            uint32_t byte = coded.in[at + __popc(flags & lanes_before())];
            right = right && (shift < 28 || byte < 16); /* 32 bits are full */
            *value |= (byte & 127) << shift;
            active = byte > 127;
        }
        at += __popc(flags);
    }
    *end = at;
    return right;
}

__device__ static unsigned lanes_of(const cuda_coded &coded, uint64_t group)
{
    const uint64_t left = coded.count - VLQ_LANES * group;
    return left < VLQ_LANES ? (unsigned)left : VLQ_LANES;
}

__global__ static void vlq_sums(count_t *sum, const uint32_t *start, cuda_coded coded)
{
    const uint64_t groups = groups_of(coded.count);
    for (uint64_t g = first_thread() / 32; g < groups; g += all_threads() / 32) {
        const unsigned lanes = lanes_of(coded, g);
        uint64_t end = 0;
        uint32_t value = 0;
        bool right = start[g] != UINT32_MAX && read_group(&value, &end, coded, start[g], lanes);
        right = __all_sync(full_warp, right) && (g + 1 < groups || end == coded.bytes);
        count_t all = sum_of_warp(right && threadIdx.x % 32 < lanes ? (count_t)value + 1 : 0);
        if (threadIdx.x % 32 == 0) {
            sum[g] = all;
            if (!right)
                *coded.failed = 1;
        }
    }
    if (first_thread() == 0)
        sum[groups] = 0;
}

__global__ static void vlq_read(cuda_ids to, const count_t *before, const uint32_t *start,
                                cuda_coded coded)
{
    if (*coded.failed)
        return;
    for (uint64_t g = first_thread() / 32; g < groups_of(coded.count); g += all_threads() / 32) {
        const unsigned lanes = lanes_of(coded, g), lane = threadIdx.x % 32;
        uint64_t end;
        uint32_t value;
        read_group(&value, &end, coded, start[g], lanes);
        count_t behind = sum_up_to((count_t)value + 1);
        if (lane < lanes)
            put_id(to, coded, VLQ_LANES * g + lane, before[g] + behind - 1);
    }
}

cudaError_t sl_cuda_vlq_sums(unsigned long long *sum, const uint32_t *start,
                             const cuda_coded *coded, unsigned multiprocessors, cudaStream_t stream)
{
    vlq_sums<<<codec_grid(multiprocessors, coded->count), CUDA_THREADS, 0, stream>>>(sum, start,
                                                                                     *coded);
    return cudaGetLastError();
}

cudaError_t sl_cuda_vlq_read(const cuda_ids *to, const unsigned long long *before,
                             const uint32_t *start, const cuda_coded *coded,
                             unsigned multiprocessors, cudaStream_t stream)
{
    vlq_read<<<codec_grid(multiprocessors, coded->count), CUDA_THREADS, 0, stream>>>(*to, before,
                                                                                     start, *coded);
    return cudaGetLastError();
}
