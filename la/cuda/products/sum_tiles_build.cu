/* The construction of tiles (sum_tiles.h): a thread per column, row, segment, chunk or slice. */
#include "common.cuh"
#include "make_tiles_kernels.h"

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
    for (uint64_t s = first_thread(); s < b.segments; s += all_threads())
        b.chunk_ends[s] = (columns_of(b, s) + SUM_CHUNK - 1) / SUM_CHUNK;
}

/* ---- chunks and slices ---------------------------------------------------------- */

static_assert(SUM_CHUNK <= 0xff && SUM_TILE_COLUMNS <= 0xff * SUM_CHUNK,
              "lengths of chunks, and their numbers in a segment, have 8 bits");

__global__ static void chunk_keys(cuda_tile_build b)
{
    for (uint64_t s = first_thread(); s < b.segments; s += all_threads()) {
        const uint64_t first = s ? b.chunk_ends[s - 1] : 0, chunks = b.chunk_ends[s] - first;
        const uint64_t begin = b.begin[s], columns = columns_of(b, s);
        const uint64_t tile = b.of.index[begin] / b.tile_columns;
        for (uint64_t k = 0; k < chunks; k++) {
            const uint64_t length = (columns - k + chunks - 1) / chunks, steps = (length + 1) / 2;
            b.key[first + k] = tile << KEY_TILE | (0xff - steps) << KEY_SHORTNESS | (first + k);
            b.chunk_begin[first + k] = begin + k;
            b.chunk_shape[first + k] = (uint16_t)(chunks << 8 | length);
        }
    }
}

__global__ static void tile_firsts(cuda_tile_build b)
{
    for (uint64_t t = first_thread(); t <= b.tiles; t += all_threads()) {
        uint64_t low = 0, high = b.chunks;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (b.key[middle] >> KEY_TILE < t)
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

__global__ static void slice_widths(cuda_tile_build b)
{
    for (uint64_t s = first_thread(); s < b.slices; s += all_threads()) {
        uint64_t first, end;
        keys_of(b, (uint32_t)s, &first, &end);
        b.width_ends[s] = 0xff - (b.key[first] >> KEY_SHORTNESS & 0xff);
    }
}

/* A warp per slice, a lane per chunk. */
__global__ static void fill_columns(cuda_tile_build b, uint32_t *column, uint32_t *ends)
{
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t s = first_thread() / 32; s < b.slices; s += all_threads() / 32) {
        uint64_t first, end;
        const uint32_t tile = keys_of(b, (uint32_t)s, &first, &end);
        const uint64_t step = s ? b.width_ends[s - 1] : 0, width = b.width_ends[s] - step;
        const bool mine = first + lane < end;
        const uint32_t chunk = mine ? (uint32_t)b.key[first + lane] : 0;
        const uint32_t columns = mine ? b.chunk_shape[chunk] & 0xff : 0;
        const uint64_t stride = b.chunk_shape[chunk] >> 8;
        const uint32_t *from = b.of.index + b.chunk_begin[chunk];
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
        if (lane == 0)
            atomicOr(ends + (step + width - 1) / 32, (uint32_t)1 << ((step + width - 1) % 32));
    }
}

/* ---- row blocks ----------------------------------------------------------------- */

template <typename S> __global__ static void row_chunks(cuda_tile_build b)
{
    const S *start = (const S *)b.of.start;
    for (uint64_t r = first_thread(); r <= b.rows; r += all_threads()) {
        const uint64_t segment = r < b.rows ? heads_before(b, start[r]) : b.segments;
        b.row_chunk[r] = segment ? (uint32_t)b.chunk_ends[segment - 1] : 0;
    }
}

__global__ static void row_blocks(cuda_tile_build b)
{
    for (uint64_t k = first_thread(); k <= b.row_blocks; k += all_threads()) {
        const uint64_t wanted = k * b.block_chunks;
        uint32_t low = 0, high = b.rows;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (b.row_chunk[middle] < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        b.row_block[k] = low;
    }
}

/* The row block of a chunk, which is the last one that does not begin after it. */
__device__ static uint32_t block_of(const cuda_tile_build &b, uint32_t chunk)
{
    uint32_t low = 0, high = b.row_blocks - 1;
    while (low < high) {
        const uint32_t middle = high - (high - low) / 2;
        if (b.row_chunk[b.row_block[middle]] <= chunk)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Whether a chunk of row block k is not staged. */
__device__ static bool is_unstaged(const cuda_tile_build &b, uint32_t k, uint32_t chunk)
{
    const uint32_t first = b.row_block[k], end = b.row_block[k + 1];
    return b.row_chunk[end] - b.row_chunk[first] > b.staged && chunk >= b.row_chunk[end - 1];
}

__global__ static void block_keys(cuda_tile_build b)
{
    for (uint64_t k = first_thread(); k < b.chunks; k += all_threads()) {
        const uint32_t chunk = (uint32_t)b.key[k], block = block_of(b, chunk);
        b.block_key[k] = (2 * (uint64_t)block + is_unstaged(b, block, chunk)) << KEY_BLOCK | k;
    }
}

__global__ static void sources(cuda_tile_build b)
{
    for (uint64_t k = first_thread(); k < b.chunks; k += all_threads()) {
        const uint32_t at = (uint32_t)b.block_key[k];
        const uint32_t block = (uint32_t)(b.block_key[k] >> (KEY_BLOCK + 1));
        const uint32_t tile = (uint32_t)(b.key[at] >> KEY_TILE), chunk = (uint32_t)b.key[at];
        b.source[k] = 32 * b.tile_slice[tile] + at - b.tile_first[tile];
        b.slot[k] = (uint16_t)(chunk - b.row_chunk[b.row_block[block]]);
    }
}

/* ---- blocks of the launch --------------------------------------------------------- */

/* The cost of the slices 0 to s in steps: their own, one for each, and SUM_COPY_STEPS for each tile. Without the
 * last, few blocks would copy the many tiles that have few slices. */
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
    return t.slice_end[s] + (uint64_t)s + 1 + (uint64_t)SUM_COPY_STEPS * (low + 1);
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

cudaError_t sl_cuda_tiles_columns(const cuda_tile_build *b, uint32_t *column, uint32_t *ends,
                                  unsigned multiprocessors, cudaStream_t stream)
{
    fill_columns<<<blocks_for(32 * (uint64_t)b->slices, multiprocessors), CUDA_THREADS, 0,
                   stream>>>(*b, column, ends);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_rows(const cuda_tile_build *b, unsigned multiprocessors,
                               cudaStream_t stream)
{
    const unsigned blocks = blocks_for((uint64_t)b->rows + 1, multiprocessors);
    if (b->of.wide)
        row_chunks<uint64_t><<<blocks, CUDA_THREADS, 0, stream>>>(*b);
    else
        row_chunks<uint32_t><<<blocks, CUDA_THREADS, 0, stream>>>(*b);
    row_blocks<<<blocks_for((uint64_t)b->row_blocks + 1, multiprocessors), CUDA_THREADS, 0,
                 stream>>>(*b);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_block_keys(const cuda_tile_build *b, unsigned multiprocessors,
                                     cudaStream_t stream)
{
    block_keys<<<blocks_for(b->chunks, multiprocessors), CUDA_THREADS, 0, stream>>>(*b);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_sources(const cuda_tile_build *b, unsigned multiprocessors,
                                  cudaStream_t stream)
{
    sources<<<blocks_for(b->chunks, multiprocessors), CUDA_THREADS, 0, stream>>>(*b);
    return cudaGetLastError();
}

cudaError_t sl_cuda_tiles_divide(const cuda_sum_tiles_view *tiles, uint32_t *block_slice,
                                 cudaStream_t stream)
{
    divide_slices<<<1, CUDA_THREADS, 0, stream>>>(*tiles, block_slice);
    return cudaGetLastError();
}
