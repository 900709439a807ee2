/*
 * Products by pull: sums over the rows that the mask allows.
 * With a mask, sums that may end early or short rows: one thread per row for the first entries, then the whole
 * warp. Otherwise: rows and entries are divided evenly among blocks (merge-based). Rows of more than
 * ROW_LONG entries are divided into pieces for whole blocks.
 */
#include "cuda/products/atomics.cuh"

template <typename R>
__device__ static void take(const cuda_product &p, maybe<typename R::T> &sum, uint64_t e,
                            uint32_t row)
{
    uint32_t inner = p.index[e];
    if (!p.u_bits || bit_of(p.u_bits, inner))
        include(sum, {R::multiply(p, e, row, inner), true}, R::add_code(p));
}

/* The sum over a row by a whole warp, in lane 0. */
template <typename R>
__device__ static maybe<typename R::T> sum_by_warp(const cuda_product &p, uint64_t begin,
                                                   uint64_t end, uint32_t row)
{
    unsigned lane = threadIdx.x % 32;
    maybe<typename R::T> own = {typename R::T(0), false};
    bool may_end = R::any || p.any || p.ends;
    for (; begin < end; begin += 32) {
        if (begin + lane < end)
            take<R>(p, own, begin + lane, row);
        if (may_end && __any_sync(full_warp, R::ends(p, own)))
            break;
    }
    return sum_of_warp(own, R::add_code(p));
}

/* Appends the pieces of a long row to a list, and initialises its sum. */
template <typename R> __device__ static void list_long_row(const cuda_product &p, uint32_t row)
{
    using T = typename R::T;
    uint64_t length = p.start[row + (uint64_t)1] - p.start[row];
    uint64_t pieces = (length + LONG_PIECE - 1) / LONG_PIECE;
    memcpy((T *)p.t_values + row, &p.neutral, sizeof(T));
    count_t at = atomicAdd(p.long_count, (count_t)pieces);
    for (uint64_t k = 0; k < pieces; k++)
        p.long_rows[at + k] = {row, (uint32_t)k};
}

/* One warp per word of rows, one thread per row: for masks, which exclude most rows, for sums that end early, and for
 * short rows. */
template <typename R>
__global__ static void __launch_bounds__(CUDA_THREADS) pull_rows(cuda_product p)
{
    using T = typename R::T;
    unsigned lane = threadIdx.x % 32;
    for (uint64_t w = first_thread() / 32; w < (p.rows + 31) / 32; w += all_threads() / 32) {
        uint64_t v = 32 * w + lane;
        uint32_t allowed = p.allowed ? p.allowed[w] : full_warp;
        bool mine = v < p.rows && (allowed >> lane & 1);
        uint64_t begin = mine ? p.start[v] : 0, end = mine ? p.start[v + 1] : 0;
        maybe<T> sum = {T(0), false};
        if (end - begin >= ROW_LONG) {
            list_long_row<R>(p, (uint32_t)v);
            end = begin;
        }
#pragma unroll 4
        for (int k = 0; k < ROW_PER_THREAD && begin < end; k++) {
            take<R>(p, sum, begin++, (uint32_t)v);
            if (R::ends(p, sum))
                end = begin;
        }
        for (unsigned rest = __ballot_sync(full_warp, begin < end); rest; rest &= rest - 1) {
            int helped = __ffs(rest) - 1;
            maybe<T> more = first_of_warp(sum_by_warp<R>(p, __shfl_sync(full_warp, begin, helped),
                                                         __shfl_sync(full_warp, end, helped),
                                                         (uint32_t)(32 * w) + helped));
            if (lane == helped)
                include(sum, more, R::add_code(p));
        }
        if (sum.is)
            ((T *)p.t_values)[v] = sum.value;
        uint32_t word = __ballot_sync(full_warp, sum.is);
        if (lane == 0)
            p.bits[w] = word;
    }
}

/*
 * All rows, divided by rows and entries together (Merrill and Garland, "Merge-based Parallel Sparse
 * Matrix-Vector Multiplication", SC 2016): row v has coordinate start[v] + v, and a block has the
 * rows with coordinates in its tile of ROW_TILE. It writes their products, which are
 * contiguous, to shared memory and sums each row there.
 */
__global__ static void tile_rows(uint32_t *to, const uint64_t *start, uint64_t rows, uint64_t tiles)
{
    for (uint64_t tile = first_thread(); tile <= tiles; tile += all_threads()) {
        uint64_t low = 0, high = rows, coordinate = tile * ROW_TILE;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (start[middle] + middle < coordinate)
                low = middle + 1;
            else
                high = middle;
        }
        to[tile] = (uint32_t)low;
    }
}

/* The products of `count` entries from `begin` on, ROW_BATCH per thread: all loads precede the
 * stores. */
template <typename R>
__device__ static void multiply_all(const cuda_product &p, typename R::T *products, bool *there,
                                    uint64_t begin, unsigned count)
{
    const uint32_t *index = p.index + begin;
    for (unsigned first = threadIdx.x; first < count; first += ROW_BATCH * CUDA_THREADS) {
        uint32_t inner[ROW_BATCH];
        typename R::T product[ROW_BATCH];
        unsigned has = 0;
#pragma unroll
        for (int k = 0; k < ROW_BATCH; k++)
            inner[k] = first + k * CUDA_THREADS < count ? __ldcs(index + first + k * CUDA_THREADS)
                                                        : UINT32_MAX;
#pragma unroll
        for (int k = 0; k < ROW_BATCH; k++)
            if (inner[k] != UINT32_MAX && (!p.u_bits || bit_of(p.u_bits, inner[k]))) {
                product[k] = R::multiply(p, begin + first + k * CUDA_THREADS, R::no_row, inner[k]);
                has |= 1u << k;
            }
#pragma unroll
        for (int k = 0; k < ROW_BATCH; k++) {
            unsigned at = first + k * CUDA_THREADS;
            if (p.u_bits && at < count)
                there[at] = has >> k & 1;
            if (has >> k & 1)
                products[at] = product[k];
        }
    }
}

/* Shared memory of a tile. */
template <typename T> struct tile_memory {
    T products[ROW_TILE + ROW_LONG];
    bool there[ROW_TILE + ROW_LONG];
    uint32_t bits[ROW_TILE / 32 + 2]; /* of the tile's rows, from the word of the first row on */
};

template <typename R>
__device__ static void take_product(const cuda_product &p, const tile_memory<typename R::T> &m,
                                    maybe<typename R::T> &sum, uint64_t k, uint32_t row)
{
    include(sum, {R::at_row(p, m.products[k], row), !p.u_bits || m.there[k]}, R::add_code(p));
}

/* The sums of the tile's rows: the first entries of a row by a thread, the rest by its warp. Neighbouring rows go to
 * different warps, as long rows are often adjacent; if rows are short, to neighbouring threads, which read and write
 * neighbouring words. */
template <typename R>
__device__ static void sum_rows(const cuda_product &p, tile_memory<typename R::T> &m,
                                uint64_t first, uint64_t last, uint64_t begin, bool are_short)
{
    using T = typename R::T;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned stride = are_short ? 1 : CUDA_THREADS / 32, own = are_short ? 32 * warp : warp;
    for (uint64_t base = first + own; base < last + own; base += CUDA_THREADS) {
        uint64_t v = base + lane * stride;
        unsigned at = v < last ? (unsigned)(p.start[v] - begin) : 0;
        unsigned end = v < last ? (unsigned)(p.start[v + 1] - begin) : 0;
        maybe<T> sum = {T(0), false};
        for (int k = 0; k < ROW_PER_THREAD && at < end; k++)
            take_product<R>(p, m, sum, at++, (uint32_t)v);
        for (unsigned rest = __ballot_sync(full_warp, at < end); rest; rest &= rest - 1) {
            int helped = __ffs(rest) - 1;
            unsigned stop = __shfl_sync(full_warp, end, helped);
            uint32_t row = (uint32_t)(base + helped * stride);
            maybe<T> more = {T(0), false};
            for (unsigned k = __shfl_sync(full_warp, at, helped) + lane; k < stop; k += 32)
                take_product<R>(p, m, more, k, row);
            more = first_of_warp(sum_of_warp(more, R::add_code(p)));
            if (lane == helped)
                include(sum, more, R::add_code(p));
        }
        if (sum.is) {
            ((T *)p.t_values)[v] = sum.value;
            atomicOr(m.bits + (v / 32 - first / 32), (uint32_t)1 << (v % 32));
        }
    }
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800 /* 7.5 holds 1,024 threads */
template <typename T> constexpr int tile_blocks = 1024 / CUDA_THREADS;
#else
template <typename T> constexpr int tile_blocks = sizeof(T) > 4 ? TILE_BLOCKS_OF_8 : TILE_BLOCKS;
#endif

template <typename R>
__global__ static void __launch_bounds__(CUDA_THREADS, tile_blocks<typename R::T>)
    pull_tiles(cuda_product p, uint64_t tiles)
{
    __shared__ tile_memory<typename R::T> m;
    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        uint64_t first = p.tile_rows[tile], last = p.tile_rows[tile + 1];
        uint64_t begin = p.start[first], end = p.start[last];
        if (last > first && end - p.start[last - 1] >= ROW_LONG) {
            last--; /* a long row is the last of its tile */
            end = p.start[last];
            if (threadIdx.x == 0)
                list_long_row<R>(p, (uint32_t)last);
        }
        unsigned words = (unsigned)((last + 31) / 32 - first / 32);
        for (unsigned w = threadIdx.x; w < words; w += CUDA_THREADS)
            m.bits[w] = 0;
        multiply_all<R>(p, m.products, m.there, begin, (unsigned)(end - begin));
        __syncthreads();
        sum_rows<R>(p, m, first, last, begin, end - begin <= ROW_PER_THREAD * (last - first));
        __syncthreads();
        for (unsigned w = threadIdx.x; w < words; w += CUDA_THREADS)
            if (m.bits[w]) /* the first and last word are shared with other tiles */
                atomicOr(p.bits + first / 32 + w, m.bits[w]);
        __syncthreads(); /* before the next tile overwrites shared memory */
    }
}

template <typename R>
__global__ static void __launch_bounds__(CUDA_THREADS) pull_long_rows(cuda_product p)
{
    using T = typename R::T;
    bool may_end = R::any || p.any || p.ends;
    for (uint64_t k = blockIdx.x; k < *p.long_count; k += gridDim.x) {
        cuda_piece piece = p.long_rows[k];
        uint64_t first = p.start[piece.row] + (uint64_t)piece.number * LONG_PIECE;
        uint64_t end = p.start[piece.row + (uint64_t)1];
        end = end - first < LONG_PIECE ? end : first + LONG_PIECE;
        maybe<T> own = {T(0), false};
        for (; first < end; first += CUDA_THREADS) {
            if (first + threadIdx.x < end)
                take<R>(p, own, first + threadIdx.x, piece.row);
            if (may_end && __syncthreads_or(R::ends(p, own)))
                break;
        }
        own = sum_of_block(own, R::add_code(p));
        if (threadIdx.x == 0 && own.is)
            offer<R>(p, piece.row, own.value);
    }
}

#ifndef __CUDACC_RTC__ /* launches */

uint64_t sl_cuda_tiles(uint64_t rows, uint64_t nnz)
{
    return (rows + nnz) / ROW_TILE + 1;
}

cudaError_t sl_cuda_tile_rows(uint32_t *to, const uint64_t *start, uint64_t rows, uint64_t nnz)
{
    uint64_t tiles = sl_cuda_tiles(rows, nnz);
    return launch(tiles + 1, tile_rows, to, start, rows, tiles);
}

bool sl_cuda_has_short_rows(const cuda_product *p)
{
    return p->longest && p->longest <= ROW_PER_THREAD;
}

bool sl_cuda_pulls_tiles(const cuda_product *p)
{
    return !p->allowed && !p->any && !sl_cuda_has_short_rows(p);
}

bool sl_cuda_pull_has_long_rows(const cuda_product *p)
{
    return p->nnz >= ROW_LONG && (!p->longest || p->longest >= ROW_LONG);
}

static cudaError_t pull_by(const cuda_product *p, void (*rows)(cuda_product),
                           void (*of_tiles)(cuda_product, uint64_t),
                           void (*long_rows)(cuda_product))
{
    uint64_t tiles = sl_cuda_tiles(p->rows, p->nnz);
    LAUNCH_TRY(sl_cuda_pulls_tiles(p)
                   ? launch_made({(unsigned)(tiles < INT32_MAX ? tiles : INT32_MAX)},
                                 p->made.kernel[1], of_tiles, *p, tiles)
                   : launch_made({blocks_for(p->rows)}, p->made.kernel[0], rows, *p));
    return sl_cuda_pull_has_long_rows(p) ? launch_made({cuda_processors() * CUDA_BLOCKS_PER_SM},
                                                       p->made.kernel[2], long_rows, *p)
                                         : cudaSuccess;
}

bool sl_cuda_product_is_precompiled(const cuda_product *p)
{
#define X(T, KIND, ADD, MULTIPLY)                                                                  \
    if (is_ring<T>(p, KIND, ADD, MULTIPLY))                                                        \
        return true;
    PRECOMPILED_PRODUCTS(X)
#undef X
    return false;
}

cudaError_t sl_cuda_product_pull(const cuda_product *p)
{
    if (p->made.kernel[0])
        return pull_by(p, nullptr, nullptr, nullptr);
#define LAUNCH(R) pull_by(p, pull_rows<R>, pull_tiles<R>, pull_long_rows<R>)
    WITH_RING;
#undef LAUNCH
}

#endif
