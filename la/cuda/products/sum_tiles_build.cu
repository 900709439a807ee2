/* The construction of tiles (sum_tiles.h): a warp per word of the columns' bitmap or slice, a
 * thread per row, slice, row block or chunk. */
#include "cuda/products/make_tiles_kernels.h"
#include "cuda/runtime/warp_places.cuh"

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

/* The first head from word w on, or the end of all columns. */
__device__ static uint64_t next_head(const cuda_tile_build &b, uint64_t w)
{
    while (w < b.words && b.heads[w] == 0)
        w++;
    return w < b.words ? 32 * w + __ffs(b.heads[w]) - 1 : b.entries;
}

/* The number of columns from head e to the next one. */
__device__ static uint32_t columns_from(const cuda_tile_build &b, uint64_t e)
{
    const uint32_t after = b.heads[e / 32] & ~(uint32_t)0 << (e % 32) << 1;
    return (uint32_t)((after ? e / 32 * 32 + __ffs(after) - 1 : next_head(b, e / 32 + 1)) - e);
}

__device__ static uint32_t chunks_of(uint32_t columns)
{
    return (columns + SUM_CHUNK - 1) / SUM_CHUNK;
}

/* The columns of chunk k of a segment. */
__device__ static uint32_t length_of(uint32_t columns, uint32_t chunks, uint32_t k)
{
    return (columns - k + chunks - 1) / chunks;
}

/* The chunks of the segments that begin before column e. */
__device__ static uint64_t chunks_before(const cuda_tile_build &b, uint64_t e)
{
    const uint64_t w = e / 32;
    uint64_t chunks = w ? b.word_ends[w - 1] : 0;
    if (e % 32 == 0)
        return chunks;
    for (uint32_t left = b.heads[w] & (((uint32_t)1 << (e % 32)) - 1); left; left &= left - 1)
        chunks += chunks_of(columns_from(b, 32 * w + __ffs(left) - 1));
    return chunks;
}

static_assert(TILE_LENGTHS <= 0xff, "steps have 8 bits in keys");

/* The first chunks of a segment may be longer by one column than the others. */
__global__ static void count_chunks(cuda_tile_build b)
{
    FOR_EACH_WORD(b.entries)
    {
        const bool head = b.heads[w] >> lane & 1;
        const uint32_t columns = head ? columns_from(b, v) : 0, chunks = chunks_of(columns);
        const count_t all = warp_sum(chunks);
        if (lane == 0)
            b.word_ends[w] = all;
        if (!head)
            continue;
        uint32_t *const of_tile =
            b.tile_chunks + (uint64_t)(b.of.index[v] / b.tile_columns) * TILE_LENGTHS;
        const uint32_t longer = columns % chunks, least = columns / chunks;
        if (longer)
            atomicAdd(of_tile + least / 2, longer);
        atomicAdd(of_tile + (least - 1) / 2, chunks - longer);
    }
}

/* ---- slices ---------------------------------------------------------------------- */

__device__ static uint32_t tile_of(const cuda_tile_build &b, uint32_t slice)
{
    return (uint32_t)row_of(b.tile_slice + 1, 0, b.tiles - 1, slice);
}

/* The steps of the first of a slice's chunks, which are sorted by falling length. */
__global__ static void slice_widths(cuda_tile_build b)
{
    for (uint64_t s = first_thread(); s < b.slices; s += all_threads()) {
        const uint32_t tile = tile_of(b, (uint32_t)s);
        const uint32_t *of_tile = b.tile_chunks + (uint64_t)tile * TILE_LENGTHS;
        const uint32_t before = ((uint32_t)s - b.tile_slice[tile]) * 32;
        uint32_t steps = TILE_LENGTHS;
        for (uint32_t longer = of_tile[steps - 1]; longer <= before;)
            longer += of_tile[--steps - 1];
        b.width_ends[s] = steps;
    }
}

/* ---- pieces of tiles ----------------------------------------------------------------- */

/* Whether column v, which is a head, belongs to a tile of the piece. */
__device__ static bool is_in_piece(const cuda_tile_build &b, uint64_t v)
{
    const uint64_t column = b.of.index[v];
    return column >= (uint64_t)b.first * b.tile_columns &&
           column < (uint64_t)b.last * b.tile_columns;
}

__global__ static void count_piece(cuda_tile_build b)
{
    FOR_EACH_WORD(b.entries)
    {
        const bool mine = b.heads[w] >> lane & 1 && is_in_piece(b, v);
        const count_t all = warp_sum(mine ? chunks_of(columns_from(b, v)) : 0);
        if (lane == 0)
            b.piece_ends[w] = all;
    }
}

__global__ static void chunk_keys(cuda_tile_build b)
{
    FOR_EACH_WORD(b.entries)
    {
        const uint64_t before = w ? b.piece_ends[w - 1] : 0;
        if (b.piece_ends[w] == before)
            continue;
        const bool head = b.heads[w] >> lane & 1, mine = head && is_in_piece(b, v);
        const uint32_t columns = head ? columns_from(b, v) : 0, chunks = chunks_of(columns);
        const uint32_t wanted = mine ? chunks : 0;
        const uint64_t first = before + warp_sum_up_to(wanted) - wanted;
        const uint64_t number = (w ? b.word_ends[w - 1] : 0) + warp_sum_up_to(chunks) - chunks;
        const uint64_t tile = mine ? b.of.index[v] / b.tile_columns - b.first : 0;
        for (uint32_t k = 0; k < wanted; k++) {
            const uint32_t length = length_of(columns, chunks, k);
            const uint64_t shortness = TILE_LENGTHS - (length + 1) / 2;
            b.key[first + k] = tile << KEY_TILE | shortness << KEY_SHORTNESS | (first + k);
            b.chunk[first + k] =
                cuda_chunk{v + k, (uint32_t)(number + k), (uint16_t)length, (uint16_t)chunks};
        }
    }
}

/* A warp per slice, a lane per chunk. T: the type of the values, if there are any. */
template <typename T>
__global__ static void fill_columns(cuda_tile_build b, uint32_t *column, uint32_t *ends)
{
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t s = b.tile_slice[b.first] + first_thread() / 32; s < b.tile_slice[b.last];
         s += all_threads() / 32) {
        const uint32_t tile = tile_of(b, (uint32_t)s);
        const uint64_t at = b.tile_first[tile] + (s - b.tile_slice[tile]) * 32 + lane;
        const uint64_t step = s ? b.width_ends[s - 1] : 0, width = b.width_ends[s] - step;
        const bool mine = at < b.tile_first[tile + 1];
        const cuda_chunk chunk =
            mine ? b.chunk[(uint32_t)b.key[at - b.tile_first[b.first]]] : cuda_chunk{};
        const uint32_t *from = b.of.index + chunk.begin;
        for (uint32_t k = 0; k < width; k++) {
            uint32_t word = 0;
            for (uint32_t half = 0; half < 2; half++) {
                const uint32_t i = 2 * k + half;
                const uint32_t c = i < chunk.columns
                                       ? from[i * chunk.distance] - tile * b.tile_columns
                                       : b.tile_columns;
                word |= c << (16 * half);
                if (b.value)
                    ((T *)b.value)[((step + k) * 32 + lane) * 2 + half] =
                        i < chunk.columns
                            ? ((const T *)b.of.values)[chunk.begin + i * chunk.distance]
                            : T(0);
            }
            column[(step + k) * 32 + lane] = word;
        }
        if (mine)
            b.source[chunk.number] = 32 * (uint32_t)s + lane;
        if (lane == 0)
            atomicOr(ends + (step + width - 1) / 32, (uint32_t)1 << ((step + width - 1) % 32));
    }
}

/* The values of column k of the rows `listed` to end - 1, whose offsets have 64 bits. */
template <typename T>
__global__ static void slot_values(T *to, int k, uint32_t end, cuda_sum_rows of)
{
    const uint64_t *start = (const uint64_t *)of.start;
    for (uint64_t r = of.listed + first_thread(); r < end; r += all_threads())
        to[r - of.listed] = ((const T *)of.values)[start[r] + k];
}

/* ---- row blocks ----------------------------------------------------------------- */

template <typename S> __global__ static void row_chunks(cuda_tile_build b)
{
    const S *start = (const S *)b.of.start;
    for (uint64_t r = first_thread(); r <= b.rows; r += all_threads())
        b.row_chunk[r] = (uint32_t)(r < b.rows ? chunks_before(b, start[r]) : b.chunks);
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
        b.block_first[k] = b.row_chunk[low];
    }
}

/* The row block of a chunk of the piece. */
__device__ static uint32_t block_of(const cuda_tile_build &b, uint32_t chunk)
{
    return (uint32_t)row_of(b.block_first + 1, b.first, b.last - 1, chunk);
}

/* Whether a chunk of row block k is not staged. */
__device__ static bool is_unstaged(const cuda_tile_build &b, uint32_t k, uint32_t chunk)
{
    return b.block_first[k + 1] - b.block_first[k] > b.staged &&
           chunk >= b.row_chunk[b.row_block[k + 1] - 1];
}

__global__ static void block_keys(cuda_tile_build b, uint64_t count)
{
    const uint32_t first = b.block_first[b.first];
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        const uint32_t chunk = first + (uint32_t)k, block = block_of(b, chunk);
        b.key[k] = (2 * (uint64_t)(block - b.first) + is_unstaged(b, block, chunk)) << KEY_BLOCK |
                   (uint64_t)b.source[chunk] << KEY_PARTIAL |
                   (uint16_t)(chunk - b.block_first[block]);
    }
}

__global__ static void sources(cuda_tile_build b, uint64_t count)
{
    const uint32_t first = b.block_first[b.first];
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        b.source[first + k] = (uint32_t)(b.key[k] >> KEY_PARTIAL);
        b.slot[first + k] = (uint16_t)b.key[k];
    }
}

/* ---- blocks of the launch --------------------------------------------------------- */

/* The cost of the slices 0 to s in steps: their own, one for each, and SUM_COPY_STEPS for each tile. Without the
 * last, few blocks would copy the many tiles that have few slices. */
__device__ static uint64_t cost_to(const cuda_sum_tiles_view &t, uint32_t s)
{
    const uint64_t tile = row_of(t.tile_slice + 1, 0, t.tiles - 1, s);
    return t.slice_end[s] + (uint64_t)s + 1 + SUM_COPY_STEPS * (tile + 1);
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

cudaError_t sl_cuda_tiles_mark(const cuda_tile_build *b)
{
    LAUNCH_TRY(launch(b->entries, mark_tiles, *b));
    return launch(b->rows, b->of.wide ? mark_rows<uint64_t> : mark_rows<uint32_t>, *b);
}

cudaError_t sl_cuda_tiles_count(const cuda_tile_build *b)
{
    return launch(b->entries, count_chunks, *b);
}

cudaError_t sl_cuda_tiles_widths(const cuda_tile_build *b)
{
    return launch(b->slices, slice_widths, *b);
}

cudaError_t sl_cuda_tiles_rows(const cuda_tile_build *b)
{
    LAUNCH_TRY(launch((uint64_t)b->rows + 1,
                      b->of.wide ? row_chunks<uint64_t> : row_chunks<uint32_t>, *b));
    return launch((uint64_t)b->row_blocks + 1, row_blocks, *b);
}

cudaError_t sl_cuda_tiles_count_piece(const cuda_tile_build *b)
{
    return launch(b->entries, count_piece, *b);
}

cudaError_t sl_cuda_tiles_keys(const cuda_tile_build *b)
{
    return launch(b->entries, chunk_keys, *b);
}

cudaError_t sl_cuda_tiles_columns(const cuda_tile_build *b, uint32_t *column, uint32_t *ends)
{
    return launch(32 * (uint64_t)b->slices,
                  b->of.value_size == sizeof(double) ? fill_columns<double> : fill_columns<float>,
                  *b, column, ends);
}

cudaError_t sl_cuda_slot_values(void *const to[ELL_SLOTS], const cuda_sum_rows *rows)
{
    for (int k = 0; k < ELL_SLOTS; k++) {
        const uint32_t end = rows->slot_count[k];
        if (end <= rows->listed)
            continue;
        if (rows->value_size == sizeof(double))
            LAUNCH_TRY(
                launch(end - rows->listed, slot_values<double>, (double *)to[k], k, end, *rows));
        else
            LAUNCH_TRY(
                launch(end - rows->listed, slot_values<float>, (float *)to[k], k, end, *rows));
    }
    return cudaSuccess;
}

cudaError_t sl_cuda_tiles_block_keys(const cuda_tile_build *b, uint64_t count)
{
    return launch(count, block_keys, *b, count);
}

cudaError_t sl_cuda_tiles_sources(const cuda_tile_build *b, uint64_t count)
{
    return launch(count, sources, *b, count);
}

cudaError_t sl_cuda_tiles_divide(const cuda_sum_tiles_view *tiles, uint32_t *block_slice)
{
    return launch_blocks({1}, divide_slices, *tiles, block_slice);
}
