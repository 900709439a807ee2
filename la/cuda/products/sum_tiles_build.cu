/* The construction of tiles (sum_tiles.h): a thread per column, row, segment, chunk or slice. */
#include "common.cuh"
#include "sum_tiles.h"

/* ---- segments ------------------------------------------------------------------- */

__global__ static void mark_tiles(cuda_tile_build b)
{
    const uint32_t *index = b.of.index;
    FOR_EACH_WORD(b.entries)
    {
        const bool head =
            v < b.entries && (v == 0 || index[v] / b.tile_columns != index[v - 1] / b.tile_columns);
        const uint32_t word = __ballot_sync(full_warp, head);
        if (lane == 0)
            b.heads[w] = word;
    }
}

template <typename S> __global__ static void mark_rows(cuda_tile_build b)
{
    const S *start = (const S *)b.of.start;
    for (uint64_t r = first_thread(); r < b.rows; r += all_threads())
        atomicOr(b.heads + start[r] / 32, (uint32_t)1 << (start[r] % 32));
}

/* The number of heads before column e. */
__device__ static uint64_t heads_before(const cuda_tile_build &b, uint64_t e)
{
    const uint32_t word = b.heads[e / 32], before = ((uint32_t)1 << (e % 32)) - 1;
    return b.word_ends[e / 32] - __popc(word) + __popc(word & before);
}

__global__ static void segment_begins(cuda_tile_build b)
{
    FOR_EACH_WORD(b.entries)
    {
        if (b.heads[w] >> lane & 1)
            b.begin[heads_before(b, v)] = v;
    }
}

__device__ static uint64_t columns_of(const cuda_tile_build &b, uint64_t segment)
{
    return (segment + 1 < b.segments ? b.begin[segment + 1] : b.entries) - b.begin[segment];
}

__global__ static void measure_segments(cuda_tile_build b)
{
    for (uint64_t s = first_thread(); s < b.segments; s += all_threads()) {
        const uint64_t columns = columns_of(b, s);
        const uint64_t chunks =
            columns >= SUM_MIN_SEGMENT ? (columns + SUM_CHUNK - 1) / SUM_CHUNK : 0;
        b.item_ends[s] = chunks ? chunks : columns;
        b.chunk_ends[s] = chunks;
    }
}

/* ---- chunks and slices ---------------------------------------------------------- */

__global__ static void chunk_keys(cuda_tile_build b)
{
    for (uint64_t s = first_thread(); s < b.segments; s += all_threads()) {
        const uint64_t first = s ? b.chunk_ends[s - 1] : 0, chunks = b.chunk_ends[s] - first;
        const uint64_t begin = b.begin[s], columns = columns_of(b, s);
        const uint64_t tile = b.of.index[begin] / b.tile_columns;
        for (uint64_t k = 0; k < chunks; k++) {
            const uint64_t length = (columns - k + chunks - 1) / chunks;
            b.key[first + k] = tile << 40 | (SUM_CHUNK - length) << 32 | (first + k);
            b.chunk_begin[first + k] = begin + k;
            b.chunk_stride[first + k] = (uint32_t)chunks;
        }
    }
}

__global__ static void tile_firsts(cuda_tile_build b)
{
    for (uint64_t t = first_thread(); t <= b.tiles; t += all_threads()) {
        uint64_t low = 0, high = b.chunks;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (b.key[middle] >> 40 < t)
                low = middle + 1;
            else
                high = middle;
        }
        b.tile_first[t] = (uint32_t)low;
    }
}

/* The tile of a slice, and the range of the slice's keys. */
__device__ static uint32_t keys_of(const cuda_tile_build &b, uint32_t slice, uint64_t *first,
                                   uint64_t *end)
{
    uint32_t low = 0, high = b.tiles - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (b.tile_slice[middle + 1] > slice)
            high = middle;
        else
            low = middle + 1;
    }
    *first = b.tile_first[low] + (uint64_t)(slice - b.tile_slice[low]) * 32;
    *end = *first + 32 < b.tile_first[low + 1] ? *first + 32 : b.tile_first[low + 1];
    return low;
}

__device__ static uint32_t columns_of_key(uint64_t key)
{
    return SUM_CHUNK - (uint32_t)(key >> 32 & 0xff);
}

__global__ static void slice_widths(cuda_tile_build b)
{
    for (uint64_t s = first_thread(); s < b.slices; s += all_threads()) {
        uint64_t first, end;
        keys_of(b, (uint32_t)s, &first, &end);
        b.width_ends[s] = (columns_of_key(b.key[first]) + 1) / 2;
    }
}

/* A warp per slice, a lane per chunk. */
__global__ static void fill_columns(cuda_tile_build b, uint32_t *column)
{
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t s = first_thread() / 32; s < b.slices; s += all_threads() / 32) {
        uint64_t first, end;
        const uint32_t tile = keys_of(b, (uint32_t)s, &first, &end);
        const uint64_t step = s ? b.width_ends[s - 1] : 0, width = b.width_ends[s] - step;
        const bool mine = first + lane < end;
        const uint64_t key = mine ? b.key[first + lane] : 0;
        const uint32_t columns = mine ? columns_of_key(key) : 0;
        const uint32_t *from = mine ? b.of.index + b.chunk_begin[(uint32_t)key] : nullptr;
        const uint64_t stride = mine ? b.chunk_stride[(uint32_t)key] : 0;
        for (uint32_t k = 0; k < width; k++) {
            uint32_t word = 0;
            for (uint32_t half = 0; half < 2; half++) {
                const uint32_t at = 2 * k + half;
                const uint32_t c =
                    at < columns ? from[at * stride] - tile * b.tile_columns : b.tile_columns;
                word |= c << (16 * half);
            }
            column[(step + k) * 32 + lane] = word;
        }
        if (mine)
            b.place[(uint32_t)key] = (uint32_t)(32 * s) + lane;
    }
}

/* ---- lists ---------------------------------------------------------------------- */

template <typename S> __global__ static void list_starts(cuda_tile_build b, uint32_t *list_start)
{
    const S *start = (const S *)b.of.start;
    for (uint64_t r = first_thread(); r <= b.rows; r += all_threads()) {
        const uint64_t segment = r < b.rows ? heads_before(b, start[r]) : b.segments;
        list_start[r] = segment ? (uint32_t)b.item_ends[segment - 1] : 0;
    }
}

__global__ static void fill_lists(cuda_tile_build b, uint32_t *list)
{
    for (uint64_t s = first_thread(); s < b.segments; s += all_threads()) {
        const uint64_t chunk = s ? b.chunk_ends[s - 1] : 0, last = b.chunk_ends[s];
        uint64_t at = s ? b.item_ends[s - 1] : 0;
        if (chunk == last)
            for (uint64_t e = b.begin[s]; at < b.item_ends[s]; at++, e++)
                list[at] = b.of.index[e];
        for (uint64_t c = chunk; c < last; c++, at++)
            list[at] = b.of.columns + b.place[c];
    }
}

/* The cost of the slices 0 to s in steps: their own, SUM_SLICE_STEPS for each, and SUM_COPY_STEPS for
 * each tile. Without the last, few blocks would copy the many tiles that have few slices. */
__device__ static uint64_t cost_to(const cuda_sum_tiles_view &t, uint32_t s)
{
    uint32_t low = 0, high = t.tiles - 1; /* the tile of s */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (t.tile_slice[middle + 1] > s)
            high = middle;
        else
            low = middle + 1;
    }
    return t.slice_end[s] + (uint64_t)SUM_SLICE_STEPS * (s + 1) +
           (uint64_t)SUM_COPY_STEPS * (low + 1);
}

/* Thread k finds the first slice of block k by bisection. */
__global__ static void divide_slices(cuda_sum_tiles_view t, uint32_t *block_slice)
{
    const uint64_t total = cost_to(t, t.slices - 1);
    for (unsigned k = threadIdx.x; k <= t.blocks; k += blockDim.x) {
        const uint64_t wanted = total / t.blocks * k + total % t.blocks * k / t.blocks;
        uint32_t low = 0, high = t.slices;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (cost_to(t, middle) <= wanted)
                low = middle + 1;
            else
                high = middle;
        }
        block_slice[k] = low;
    }
}

/* ---- launches ------------------------------------------------------------------- */

static unsigned blocks_for(uint64_t threads, unsigned multiprocessors)
{
    return grid_of(threads, multiprocessors * CUDA_BLOCKS_PER_SM);
}

cudaError_t sl_cuda_tiles_mark(const cuda_tile_build *b, unsigned multiprocessors,
                               cudaStream_t stream)
{
    mark_tiles<<<blocks_for(b->entries, multiprocessors), CUDA_THREADS, 0, stream>>>(*b);
    const unsigned blocks = blocks_for(b->rows, multiprocessors);
    if (b->of.wide)
        mark_rows<uint64_t><<<blocks, CUDA_THREADS, 0, stream>>>(*b);
    else
        mark_rows<uint32_t><<<blocks, CUDA_THREADS, 0, stream>>>(*b);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_begins(const cuda_tile_build *b, unsigned multiprocessors,
                                 cudaStream_t stream)
{
    segment_begins<<<blocks_for(b->entries, multiprocessors), CUDA_THREADS, 0, stream>>>(*b);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_measure(const cuda_tile_build *b, unsigned multiprocessors,
                                  cudaStream_t stream)
{
    measure_segments<<<blocks_for(b->segments, multiprocessors), CUDA_THREADS, 0, stream>>>(*b);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_keys(const cuda_tile_build *b, unsigned multiprocessors,
                               cudaStream_t stream)
{
    chunk_keys<<<blocks_for(b->segments, multiprocessors), CUDA_THREADS, 0, stream>>>(*b);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_firsts(const cuda_tile_build *b, unsigned multiprocessors,
                                 cudaStream_t stream)
{
    tile_firsts<<<blocks_for(b->tiles + 1, multiprocessors), CUDA_THREADS, 0, stream>>>(*b);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_widths(const cuda_tile_build *b, unsigned multiprocessors,
                                 cudaStream_t stream)
{
    slice_widths<<<blocks_for(b->slices, multiprocessors), CUDA_THREADS, 0, stream>>>(*b);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_columns(const cuda_tile_build *b, uint32_t *column,
                                  unsigned multiprocessors, cudaStream_t stream)
{
    fill_columns<<<blocks_for(32 * (uint64_t)b->slices, multiprocessors), CUDA_THREADS, 0,
                   stream>>>(*b, column);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_lists(const cuda_tile_build *b, uint32_t *list_start, uint32_t *list,
                                unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned blocks = blocks_for((uint64_t)b->rows + 1, multiprocessors);
    if (b->of.wide)
        list_starts<uint64_t><<<blocks, CUDA_THREADS, 0, stream>>>(*b, list_start);
    else
        list_starts<uint32_t><<<blocks, CUDA_THREADS, 0, stream>>>(*b, list_start);
    fill_lists<<<blocks_for(b->segments, multiprocessors), CUDA_THREADS, 0, stream>>>(*b, list);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_divide(const cuda_sum_tiles_view *tiles, uint32_t *block_slice,
                                 cudaStream_t stream)
{
    divide_slices<<<1, CUDA_THREADS, 0, stream>>>(*tiles, block_slice);
    return cudaGetLastError();
}
