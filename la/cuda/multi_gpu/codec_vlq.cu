/*
 * Differences of ascending ids as variable-length quantities (Ueno and Suzumura, "Parallel
 * distributed breadth first search on GPU", HiPC 2013, section V-C; dist/codecs/codec_vlq.c has the
 * format). A warp takes a group of 32 differences: it writes and reads the first bytes of all
 * lanes, then the second bytes of the lanes that have one, and so on (algorithm IV of the paper).
 *
 * Many warps work at once, so they need to know where groups begin. For writing that is a prefix
 * sum of the groups' lengths. For reading it is found by following the groups of all tiles at once,
 * from every offset at which a group can begin in a tile.
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
    vlq_lengths<<<grid_on(multiprocessors, count), CUDA_THREADS, 0, stream>>>(length, ids, count);
    return cudaGetLastError();
}

cudaError_t sl_cuda_vlq_write(uint8_t *out, const unsigned long long *before, const uint32_t *ids,
                              uint64_t count, unsigned multiprocessors, cudaStream_t stream)
{
    vlq_write<<<grid_on(multiprocessors, count), CUDA_THREADS, 0, stream>>>(out, before, ids,
                                                                            count);
    return cudaGetLastError();
}

/* ---- where groups begin ----------------------------------------------------------------- */

/* Per byte of a tile, and of the bytes behind it that its last group may extend to: how many bytes
 * before it have the continuation bit. Lives in shared memory. */
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

__device__ static void read_flags(tile_flags *f, const cuda_payload &payload, uint64_t tile)
{
    const uint64_t first = tile * VLQ_TILE + threadIdx.x * EACH;
    unsigned flags = 0, sum;
    for (unsigned k = 0; k < EACH; k++)
        flags |= (first + k < payload.bytes ? (unsigned)payload.in[first + k] >> 7 : 0u) << k;
    flag_scan(f->scan).ExclusiveSum((unsigned)__popc(flags), sum);
    for (unsigned k = 0; k < EACH; k++)
        f->before[threadIdx.x * EACH + k] = (uint16_t)(sum + __popc(flags & ((1u << k) - 1)));
    if (threadIdx.x == CUDA_THREADS - 1)
        f->before[EACH * CUDA_THREADS] = (uint16_t)(sum + __popc(flags));
    __syncthreads();
}

/* The end of the full group that begins at `begin`. Its bytes are in planes: a plane has as many
 * bytes as the plane before has continuation bits. */
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

/* A block per tile; thread k < VLQ_GROUP_MOST follows the groups from offset k. */
__global__ static void vlq_paths(cuda_vlq_path *path, cuda_payload payload)
{
    __shared__ tile_flags f;
    read_flags(&f, payload, blockIdx.x);
    if (threadIdx.x >= VLQ_GROUP_MOST)
        return;
    unsigned at = threadIdx.x, groups = 0;
    for (; at < VLQ_TILE; groups++)
        at = group_end(&f, at);
    path[(uint64_t)blockIdx.x * VLQ_GROUP_MOST + threadIdx.x] =
        cuda_vlq_path{(uint8_t)(at - VLQ_TILE), (uint8_t)groups};
}

/* One block loads the paths of VLQ_TILES_AT_ONCE tiles to shared memory, and its first thread
 * follows them from the first byte of the message. */
__global__ static void vlq_entries(cuda_vlq_entry *entry, const cuda_vlq_path *path, uint64_t tiles)
{
    __shared__ cuda_vlq_path near[VLQ_TILES_AT_ONCE * VLQ_GROUP_MOST];
    cuda_vlq_entry here = {0, 0};
    for (uint64_t first = 0; first < tiles; first += VLQ_TILES_AT_ONCE) {
        const uint64_t left = tiles - first;
        const unsigned now = left < VLQ_TILES_AT_ONCE ? (unsigned)left : VLQ_TILES_AT_ONCE;
        __syncthreads();
        for (unsigned k = threadIdx.x; k < now * VLQ_GROUP_MOST; k += blockDim.x)
            near[k] = path[first * VLQ_GROUP_MOST + k];
        __syncthreads();
        for (unsigned t = 0; threadIdx.x == 0 && t < now; t++) {
            entry[first + t] = here;
            cuda_vlq_path next = near[t * VLQ_GROUP_MOST + here.entry];
            here = cuda_vlq_entry{here.group + next.groups, next.end};
        }
    }
}

/* A block per tile; its first thread writes the offsets of the groups that begin in it. */
__global__ static void vlq_starts(uint32_t *start, const cuda_vlq_entry *entry,
                                  cuda_payload payload)
{
    __shared__ tile_flags f;
    read_flags(&f, payload, blockIdx.x);
    if (threadIdx.x > 0)
        return;
    uint64_t group = entry[blockIdx.x].group;
    const uint64_t groups = groups_of(payload.count);
    for (unsigned at = entry[blockIdx.x].entry; at < VLQ_TILE && group < groups; group++) {
        start[group] = blockIdx.x * VLQ_TILE + at;
        at = group_end(&f, at);
    }
}

cudaError_t sl_cuda_vlq_paths(cuda_vlq_path *path, const cuda_payload *payload, cudaStream_t stream)
{
    vlq_paths<<<(unsigned)sl_cuda_vlq_tiles(payload->bytes), CUDA_THREADS, 0, stream>>>(path,
                                                                                        *payload);
    return cudaGetLastError();
}

cudaError_t sl_cuda_vlq_entries(cuda_vlq_entry *entry, const cuda_vlq_path *path,
                                const cuda_payload *payload, cudaStream_t stream)
{
    vlq_entries<<<1, CUDA_THREADS, 0, stream>>>(entry, path, sl_cuda_vlq_tiles(payload->bytes));
    return cudaGetLastError();
}

cudaError_t sl_cuda_vlq_starts(uint32_t *start, const cuda_vlq_entry *entry,
                               const cuda_payload *payload, cudaStream_t stream)
{
    cudaError_t error =
        cudaMemsetAsync(start, 0xff, sl_cuda_vlq_groups(payload->count) * sizeof *start, stream);
    if (error != cudaSuccess)
        return error;
    vlq_starts<<<(unsigned)sl_cuda_vlq_tiles(payload->bytes), CUDA_THREADS, 0, stream>>>(
        start, entry, *payload);
    return cudaGetLastError();
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Reads a group of `lanes` differences (algorithm IV): *value for this lane, and *end of the group.
 * False on a lane with invalid bytes, or on all lanes if the group exceeds the payload. */
__device__ static bool read_group(uint32_t *value, uint64_t *end, const cuda_payload &payload,
                                  uint64_t at, unsigned lanes)
{
    bool active = threadIdx.x % 32 < lanes, right = true;
    *value = 0;
    for (unsigned shift = 0; unsigned flags = __ballot_sync(full_warp, active); shift += 7) {
        if (shift == 7 * PLANES || at + __popc(flags) > payload.bytes)
            return false;
        if (active) {
            uint32_t byte = payload.in[at + __popc(flags & lanes_before())];
            right = right && (shift < 28 || byte < 16); /* the fifth byte has room for four bits */
            *value |= (byte & 127) << shift;
            active = byte > 127;
        }
        at += __popc(flags);
    }
    *end = at;
    return right;
}

__device__ static unsigned lanes_of(const cuda_payload &payload, uint64_t group)
{
    const uint64_t left = payload.count - VLQ_LANES * group;
    return left < VLQ_LANES ? (unsigned)left : VLQ_LANES;
}

/* A warp per group: checks it and adds up its differences. */
__global__ static void vlq_sums(count_t *sum, const uint32_t *start, cuda_payload payload)
{
    const uint64_t groups = groups_of(payload.count);
    for (uint64_t g = first_thread() / 32; g < groups; g += all_threads() / 32) {
        const unsigned lanes = lanes_of(payload, g);
        uint64_t end = 0;
        uint32_t value = 0;
        bool right = start[g] != UINT32_MAX && read_group(&value, &end, payload, start[g], lanes);
        right = __all_sync(full_warp, right) && (g + 1 < groups || end == payload.bytes);
        count_t all = sum_of_warp(right && threadIdx.x % 32 < lanes ? (count_t)value + 1 : 0);
        if (threadIdx.x % 32 == 0) {
            sum[g] = all;
            if (!right)
                *payload.failed = 1;
        }
    }
    if (first_thread() == 0)
        sum[groups] = 0;
}

/* A warp per group: a prefix sum of its differences gives the ids. */
__global__ static void vlq_read(cuda_decode_target to, const count_t *before, const uint32_t *start,
                                cuda_payload payload)
{
    if (*payload.failed)
        return;
    for (uint64_t g = first_thread() / 32; g < groups_of(payload.count); g += all_threads() / 32) {
        const unsigned lanes = lanes_of(payload, g), lane = threadIdx.x % 32;
        uint64_t end;
        uint32_t value;
        read_group(&value, &end, payload, start[g], lanes);
        count_t behind = sum_up_to((count_t)value + 1);
        if (lane < lanes)
            put_id(to, payload, VLQ_LANES * g + lane, before[g] + behind - 1);
    }
}

cudaError_t sl_cuda_vlq_group_sums(unsigned long long *sum, const uint32_t *start,
                                   const cuda_payload *payload, unsigned multiprocessors,
                                   cudaStream_t stream)
{
    vlq_sums<<<grid_on(multiprocessors, payload->count), CUDA_THREADS, 0, stream>>>(sum, start,
                                                                                    *payload);
    return cudaGetLastError();
}

cudaError_t sl_cuda_vlq_read(const cuda_decode_target *to, const unsigned long long *before,
                             const uint32_t *start, const cuda_payload *payload,
                             unsigned multiprocessors, cudaStream_t stream)
{
    vlq_read<<<grid_on(multiprocessors, payload->count), CUDA_THREADS, 0, stream>>>(
        *to, before, start, *payload);
    return cudaGetLastError();
}
