/*
 * The pattern of a matrix product: the columns of each row, sorted. Rows of up to 16 or 32
 * products: lanes of a warp sort them. More: a block with a hash table in shared memory, or with a
 * bitmap of all columns. Giant rows: many blocks set bits of a bitmap in device memory.
 */
#include "cuda/products/spgemm.cuh"

/* Whether the mask allows an entry: binary search in its row. */
__device__ static bool allows(const cuda_pattern &t, uint64_t row, uint32_t column)
{
    if (!t.mask_start)
        return true;
    uint64_t low = t.mask_start[row], stop = t.mask_start[row + 1], high = stop;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (t.mask_index[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    bool has = low < stop && t.mask_index[low] == column && (!t.truth || t.truth[low]);
    return has != t.complement;
}

__device__ static uint64_t place_of(const cuda_pattern &t, uint64_t row)
{
    return t.first ? t.first[row] : first_product(t.f, row);
}

/* ---- a warp or half a warp per row: products are sorted ----------------------------- */

/* Sorts the lanes' columns, one per lane (Batcher's bitonic sort). */
template <int LANES> __device__ static uint32_t sort_lanes(uint32_t x, unsigned lane)
{
#pragma unroll
    for (int width = 2; width <= LANES; width *= 2)
#pragma unroll
        for (int apart = width / 2; apart > 0; apart /= 2) {
            uint32_t other = __shfl_xor_sync(full_warp, x, apart, LANES);
            bool upper = lane & apart, falls = lane & width & (LANES - 1);
            x = upper == falls ? min(x, other) : max(x, other);
        }
    return x;
}

template <int LANES>
__global__ static void __launch_bounds__(CUDA_THREADS)
    pattern_of_lanes(cuda_pattern t, const uint32_t *list, uint64_t count)
{
    unsigned lane = threadIdx.x % LANES, shift = threadIdx.x % 32 - lane;
    for (uint64_t base = first_thread() / 32 * (32 / LANES); base < count;
         base += all_threads() / 32 * (32 / LANES)) {
        uint64_t k = base + shift / LANES, row = k < count ? list[k] : 0;
        uint32_t column = no_column;
        if (k < count)
            each_product(t.f, row, first_product(t.f, row), first_product(t.f, row + 1), lane,
                         LANES, [&](uint64_t, uint64_t g) { column = t.f.b_index[g]; });
        column = sort_lanes<LANES>(column, lane);
        uint32_t before = __shfl_up_sync(full_warp, column, 1, LANES);
        bool is = column != no_column && (lane == 0 || before != column) && allows(t, row, column);
        unsigned all = __ballot_sync(full_warp, is) >> shift & (0xffffffffu >> (32 - LANES));
        if (t.to && is)
            t.to[place_of(t, row) + __popc(all & ((1u << lane) - 1))] = column;
        if (t.counts && lane == 0 && k < count)
            t.counts[row] = (uint64_t)__popc(all);
    }
}

/* ---- a block per row: a hash table in shared memory ----------------------------------- */

/* Sorts 2^k columns in shared memory by a whole block. */
template <int THREADS> __device__ static void sort_block(uint32_t *keys, unsigned count)
{
    for (unsigned width = 2; width <= count; width *= 2)
        for (unsigned apart = width / 2; apart > 0; apart /= 2) {
            for (unsigned k = threadIdx.x; k < count / 2; k += THREADS) {
                unsigned low = 2 * (k & ~(apart - 1)) | (k & (apart - 1)), high = low | apart;
                uint32_t a = keys[low], b = keys[high];
                if ((a > b) == !(low & width)) {
                    keys[low] = b;
                    keys[high] = a;
                }
            }
            __syncthreads();
        }
}

/*
 * Moves the table's columns that the mask allows to its beginning; returns how many. Each thread
 * reads its slot before a barrier, and a round writes no further than it has read, so no unread
 * slot is overwritten.
 */
template <int THREADS>
__device__ static unsigned compact(const cuda_pattern &t, uint64_t row, uint32_t *keys,
                                   unsigned slots, unsigned *counter)
{
    for (unsigned base = 0; base < slots; base += THREADS) {
        unsigned slot = base + threadIdx.x;
        uint32_t column = slot < slots ? keys[slot] : no_column;
        bool is = column != no_column && allows(t, row, column);
        __syncthreads();
        if (is)
            keys[atomicAdd(counter, 1u)] = column;
        __syncthreads();
    }
    return *counter;
}

template <int THREADS, int SLOTS>
__global__ static void __launch_bounds__(THREADS)
    pattern_by_hash(cuda_pattern t, const uint32_t *list, uint64_t count)
{
    __shared__ uint32_t keys[SLOTS];
    __shared__ unsigned counter;
    for (uint64_t k = blockIdx.x; k < count; k += gridDim.x) {
        uint64_t row = list[k];
        uint64_t first = first_product(t.f, row), last = first_product(t.f, row + 1);
        unsigned slots = power_above(2 * (unsigned)(last - first));
        for (unsigned slot = threadIdx.x; slot < slots; slot += THREADS)
            keys[slot] = no_column;
        if (threadIdx.x == 0)
            counter = 0;
        __syncthreads();
        each_product(t.f, row, first, last, threadIdx.x, THREADS,
                     [&](uint64_t, uint64_t g) { insert(keys, slots, t.f.b_index[g]); });
        __syncthreads();
        unsigned found = compact<THREADS>(t, row, keys, slots, &counter);
        if (t.counts && threadIdx.x == 0)
            t.counts[row] = found;
        if (t.to && found > 0) {
            unsigned width = power_above(found);
            for (unsigned slot = found + threadIdx.x; slot < width; slot += THREADS)
                keys[slot] = no_column;
            __syncthreads();
            sort_block<THREADS>(keys, width);
            uint64_t begin = place_of(t, row);
            for (unsigned slot = threadIdx.x; slot < found; slot += THREADS)
                t.to[begin + slot] = keys[slot];
        }
        __syncthreads(); /* before the next row overwrites shared memory */
    }
}

/* ---- bitmaps of all columns ---------------------------------------------------------- */

/* The sum over the threads before this one, and over all threads of the block. */
__device__ static unsigned sum_before(unsigned x, unsigned *all)
{
    __shared__ unsigned sums[CUDA_THREADS / 32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, upto = x;
    for (int offset = 1; offset < 32; offset *= 2) {
        unsigned other = __shfl_up_sync(full_warp, upto, offset);
        if (lane >= (unsigned)offset)
            upto += other;
    }
    __syncthreads(); /* the results of the previous call have been read */
    if (lane == 31)
        sums[warp] = upto;
    __syncthreads();
    unsigned before = 0;
    *all = 0;
    for (unsigned k = 0; k < CUDA_THREADS / 32; k++) {
        if (k < warp)
            before += sums[k];
        *all += sums[k];
    }
    return before + upto - x;
}

__device__ static uint32_t masked(const cuda_pattern &t, uint64_t row, uint64_t w, uint32_t bits)
{
    uint32_t kept = bits;
    if (t.mask_start)
        for (uint32_t rest = bits; rest; rest &= rest - 1)
            if (!allows(t, row, (uint32_t)(32 * w) + __ffs((int)rest) - 1))
                kept &= ~(rest & -rest);
    return kept;
}

/* Clears the bits that the mask excludes in the words `from` to `to` - 1, of which each thread of the block has every
 * CUDA_THREADS-th; returns the number of bits in the thread's words. */
__device__ static unsigned mask_words(const cuda_pattern &t, uint64_t row, uint32_t *bitmap,
                                      uint64_t from, uint64_t to)
{
    unsigned own = 0;
    for (uint64_t w = from + threadIdx.x; w < to; w += CUDA_THREADS) {
        const uint32_t bits = masked(t, row, w, bitmap[w]);
        bitmap[w] = bits;
        own += (unsigned)__popc(bits);
    }
    return own;
}

/* Writes the columns of these words, if t.to, from place `begin` on; returns how many. By a block. */
__device__ static uint64_t write_words(const cuda_pattern &t, const uint32_t *bitmap, uint64_t from,
                                       uint64_t to, uint64_t begin)
{
    uint64_t found = 0;
    for (uint64_t base = from; base < to; base += CUDA_THREADS) {
        uint64_t w = base + threadIdx.x;
        uint32_t bits = w < to ? bitmap[w] : 0;
        unsigned all, before = sum_before((unsigned)__popc(bits), &all);
        if (t.to)
            for (uint64_t at = begin + found + before; bits; bits &= bits - 1)
                t.to[at++] = (uint32_t)(32 * w) + __ffs((int)bits) - 1;
        found += all;
    }
    return found;
}

__global__ static void __launch_bounds__(CUDA_THREADS)
    pattern_by_bitmap(cuda_pattern t, const uint32_t *list, uint64_t count)
{
    __shared__ uint32_t bitmap[BITMAP_COLUMNS / 32];
    unsigned words = (unsigned)((t.f.ncols + 31) / 32);
    for (uint64_t k = blockIdx.x; k < count; k += gridDim.x) {
        uint64_t row = list[k];
        for (unsigned w = threadIdx.x; w < words; w += CUDA_THREADS)
            bitmap[w] = 0;
        __syncthreads();
        each_product(t.f, row, first_product(t.f, row), first_product(t.f, row + 1), threadIdx.x,
                     CUDA_THREADS, [&](uint64_t, uint64_t g) {
                         uint32_t column = t.f.b_index[g];
                         atomicOr(bitmap + column / 32, (uint32_t)1 << (column % 32));
                     });
        __syncthreads();
        mask_words(t, row, bitmap, 0, words);
        const uint64_t found = write_words(t, bitmap, 0, words, t.to ? place_of(t, row) : 0);
        if (t.counts && threadIdx.x == 0)
            t.counts[row] = found;
        __syncthreads(); /* before the next row overwrites shared memory */
    }
}

/* ---- giant rows: a bitmap in device memory, and tiles of products --------------------- */

__global__ static void __launch_bounds__(CUDA_THREADS) mark_giants(cuda_pattern t, cuda_giants g)
{
    uint64_t stop = tiles_before(g, g.first + g.count);
    for (uint64_t tile = tiles_before(g, g.first) + blockIdx.x; tile < stop; tile += gridDim.x) {
        uint64_t number, k = giant_of(g, tile, &number), row = g.list[k];
        uint64_t first = first_product(t.f, row) + number * g.tile;
        uint64_t last = first_product(t.f, row + 1);
        uint32_t *bitmap = (uint32_t *)g.tables + (k - g.first) * g.words;
        each_product(t.f, row, first, last - first < g.tile ? last : first + g.tile, threadIdx.x,
                     CUDA_THREADS, [&](uint64_t, uint64_t entry) {
                         uint32_t column = t.f.b_index[entry];
                         if (!bit_now(bitmap, column))
                             atomicOr(bitmap + column / 32, (uint32_t)1 << (column % 32));
                     });
    }
}

/* A chunk of the bitmap of a giant row. */
struct giant_chunk {
    uint64_t row, from, to; /* words */
    uint64_t first, last;   /* chunks of the row */
    uint32_t *bitmap;

    __device__ giant_chunk(const cuda_giants &g, uint64_t chunk)
    {
        const uint64_t k = chunk / g.chunks;
        row = g.list[g.first + k];
        first = k * g.chunks;
        last = first + g.chunks - 1;
        from = (chunk - first) * GIANT_WORDS;
        to = min(g.words, from + GIANT_WORDS);
        bitmap = (uint32_t *)g.tables + k * g.words;
    }
};

/* sums[c] = the columns of chunk c that the mask allows. A block for each chunk. */
__global__ static void __launch_bounds__(CUDA_THREADS) count_giants(cuda_pattern t, cuda_giants g)
{
    for (uint64_t c = blockIdx.x; c < g.count * g.chunks; c += gridDim.x) {
        const giant_chunk chunk(g, c);
        unsigned all;
        sum_before(mask_words(t, chunk.row, chunk.bitmap, chunk.from, chunk.to), &all);
        if (threadIdx.x == 0)
            g.sums[c] = all;
    }
}

__global__ static void __launch_bounds__(CUDA_THREADS) emit_giants(cuda_pattern t, cuda_giants g)
{
    for (uint64_t c = blockIdx.x; c < g.count * g.chunks; c += gridDim.x) {
        const giant_chunk chunk(g, c);
        const uint64_t before = chunk.first ? g.sums[chunk.first - 1] : 0;
        if (t.to)
            write_words(t, chunk.bitmap, chunk.from, chunk.to,
                        place_of(t, chunk.row) + (c ? g.sums[c - 1] : 0) - before);
        if (t.counts && c == chunk.first && threadIdx.x == 0)
            t.counts[chunk.row] = g.sums[chunk.last] - before;
    }
}

/* ---- launches ------------------------------------------------------------------------- */

cudaError_t sl_cuda_pattern(const cuda_pattern *t, cuda_row_kind kind, const uint32_t *list,
                            uint64_t count)
{
    const unsigned blocks = spgemm_blocks(count);
    switch (kind) {
    case CUDA_ROW_HALF:
        return launch_blocks({spgemm_blocks(count / (CUDA_THREADS / 16) + 1)}, pattern_of_lanes<16>,
                             *t, list, count);
    case CUDA_ROW_WARP:
        return launch_blocks({spgemm_blocks(count / (CUDA_THREADS / 32) + 1)}, pattern_of_lanes<32>,
                             *t, list, count);
    case CUDA_ROW_FEW:
        return launch_blocks({blocks, FEW_THREADS}, pattern_by_hash<FEW_THREADS, 2 * HASH_FEW>, *t,
                             list, count);
    case CUDA_ROW_HASH:
        return launch_blocks({blocks}, pattern_by_hash<CUDA_THREADS, 2 * HASH_MANY>, *t, list,
                             count);
    default:
        return launch_blocks({blocks}, pattern_by_bitmap, *t, list, count);
    }
}

cudaError_t sl_cuda_mark_giants(const cuda_pattern *t, const cuda_giants *g)
{
    LAUNCH_TRY(launch_blocks({cuda_processors() * SPGEMM_BLOCKS_PER_SM}, mark_giants, *t, *g));
    return launch_blocks({spgemm_blocks(g->count * g->chunks)}, count_giants, *t, *g);
}

cudaError_t sl_cuda_emit_giants(const cuda_pattern *t, const cuda_giants *g)
{
    return launch_blocks({spgemm_blocks(g->count * g->chunks)}, emit_giants, *t, *g);
}
