/* Products of a sparse matrix and a full one, and full patterns. */
#include "cuda/products/atomics.cuh"
#include "cuda/products/matrix_semirings.cuh"
#include "cuda/products/spgemm.cuh"

__global__ static void rows_not_empty(uint64_t *there, const uint64_t *start, uint64_t nrows)
{
    for (uint64_t row = first_thread(); row < nrows; row += all_threads())
        there[row] = start[row + 1] > start[row];
}

__global__ static void pack_rows(cuda_packed_rows to, const uint64_t *there, const uint64_t *start,
                                 uint64_t nrows)
{
    for (uint64_t row = first_thread(); row <= nrows; row += all_threads()) {
        uint64_t before = row ? there[row - 1] : 0;
        to.before[row] = (uint32_t)before;
        if (row == nrows)
            to.start[before] = (uint32_t)start[nrows];
        else if (there[row] > before) {
            to.list[before] = (uint32_t)row;
            to.start[before] = (uint32_t)start[row];
        }
    }
}

/* A thread advances its column by the stride, which avoids a division per entry. */
__global__ static void full_pattern(cuda_full_shape f)
{
    for (uint64_t row = first_thread(); row <= f.nrows; row += all_threads())
        f.start[row] = (f.before ? f.before[row] : row) * f.width;
    uint64_t column = first_thread() % f.width, step = all_threads() % f.width;
    for (uint64_t e = first_thread(); e < f.nnz; e += all_threads()) {
        f.index[e] = f.columns ? f.columns[column] : (uint32_t)column;
        column += step;
        column -= column < f.width ? 0 : f.width;
    }
}

/* Tiles of 32 x 32 in shared memory, so reads and writes are both coalesced. */
static constexpr unsigned transpose_tile = 32;

template <typename V>
__global__ static void __launch_bounds__(CUDA_THREADS)
    turn_dense(V *to, const V *from, uint64_t rows, uint64_t columns)
{
    __shared__ V tile[transpose_tile][transpose_tile + 1];
    unsigned x = threadIdx.x % transpose_tile, y = threadIdx.x / transpose_tile;
    unsigned step = CUDA_THREADS / transpose_tile;
    uint64_t across = (columns + transpose_tile - 1) / transpose_tile;
    uint64_t tiles = across * ((rows + transpose_tile - 1) / transpose_tile);
    for (uint64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        uint64_t row = t / across * transpose_tile, column = t % across * transpose_tile;
        for (unsigned k = y; k < transpose_tile; k += step)
            if (row + k < rows && column + x < columns)
                tile[k][x] = from[(row + k) * columns + column + x];
        __syncthreads();
        for (unsigned k = y; k < transpose_tile; k += step)
            if (column + k < columns && row + x < rows)
                to[(column + k) * rows + row + x] = tile[x][k];
        __syncthreads();
    }
}

/* How the lanes of a warp are divided for a part of a row: `width` lanes (a power of two) for as
 * many columns, times some for as many entries at a time; `lanes` in total, a power of two. */
struct spmm_share {
    unsigned width, lanes;
};

/* The sum over entries begin to end of A's row and B's column, in the first `width` lanes. All
 * lanes of the warp must call it. */
template <typename R>
__device__ static maybe<typename R::T> sum_column(const cuda_sums &s, spmm_share by, uint64_t row,
                                                  uint64_t begin, uint64_t end, uint64_t column)
{
    maybe<typename R::T> sum = {typename R::T(0), false};
    unsigned first = threadIdx.x % by.lanes / by.width, step = by.lanes / by.width;
    if (column < s.f.ncols) {
#pragma unroll 4
        for (uint64_t e = begin + first; e < end; e += step) {
            uint64_t g = (uint64_t)s.f.a_index[e] * s.f.ncols + column;
            include(sum, {multiply_entries<R>(s, e, g, row), true}, R::add_code(s.p));
        }
    }
    for (unsigned offset = by.lanes / 2; offset >= by.width; offset /= 2)
        include(sum, shuffle_down(sum, (int)offset), R::add_code(s.p));
    return sum;
}

/* Some lanes per row. A long row is divided into pieces. */
template <typename R>
__global__ static void __launch_bounds__(CUDA_THREADS)
    full_rows(cuda_sums s, spmm_share by, cuda_piece *pieces, unsigned long long *piece_count)
{
    using T = typename R::T;
    unsigned lane = threadIdx.x % by.lanes, per_warp = 32 / by.lanes;
    for (uint64_t base = first_thread() / 32 * per_warp; base < s.f.nrows;
         base += all_threads() / 32 * per_warp) {
        uint64_t row = base + threadIdx.x % 32 / by.lanes;
        uint64_t begin = row < s.f.nrows ? s.f.a_start[row] : 0;
        uint64_t end = row < s.f.nrows ? s.f.a_start[row + 1] : 0;
        T *to = (T *)s.c_values + (row < s.f.nrows ? s.c_start[row] : 0);
        bool is_long = end - begin > SPMM_PIECE, mine = begin < end && lane < by.width;
        for (uint64_t first = 0; first < s.f.ncols; first += by.width) {
            uint64_t column = first + lane % by.width;
            maybe<T> sum = sum_column<R>(s, by, row, begin, is_long ? begin : end, column);
            if (mine && is_long && column < s.f.ncols)
                memcpy(to + column, &s.p.neutral, sizeof(T));
            else if (mine && column < s.f.ncols)
                to[column] = sum.value;
        }
        if (is_long && lane == 0) {
            count_t count = (end - begin + SPMM_PIECE - 1) / SPMM_PIECE;
            count_t at = atomicAdd(piece_count, count);
            for (count_t k = 0; k < count; k++)
                pieces[at + k] = {(uint32_t)row, (uint32_t)k};
        }
    }
}

/* One warp per piece. */
template <typename R>
__global__ static void __launch_bounds__(CUDA_THREADS)
    full_pieces(cuda_sums s, unsigned width, const cuda_piece *pieces,
                const unsigned long long *piece_count)
{
    using T = typename R::T;
    unsigned lane = threadIdx.x % 32;
    for (count_t k = first_thread() / 32; k < *piece_count; k += all_threads() / 32) {
        uint64_t row = pieces[k].row;
        uint64_t begin = s.f.a_start[row] + (uint64_t)pieces[k].number * SPMM_PIECE;
        uint64_t end = s.f.a_start[row + 1];
        end = end - begin < SPMM_PIECE ? end : begin + SPMM_PIECE;
        T *to = (T *)s.c_values + s.c_start[row];
        for (uint64_t first = 0; first < s.f.ncols; first += width) {
            uint64_t column = first + lane % width;
            maybe<T> sum = sum_column<R>(s, {width, 32}, row, begin, end, column);
            if (lane >= width || !sum.is)
                continue;
            if (R::any || s.p.any)
                to[column] = sum.value;
            else
                combine(to + column, sum.value, R::add_code(s.p));
        }
    }
}

#ifndef __CUDACC_RTC__ /* launches */

/* Blocks whose threads stride over the work of so many threads. */
static unsigned strided_blocks(uint64_t threads)
{
    return grid_of(threads, cuda_processors() * SPGEMM_BLOCKS_PER_SM);
}

cudaError_t sl_cuda_rows_not_empty(uint64_t *there, const uint64_t *start, uint64_t nrows)
{
    return launch_blocks({strided_blocks(nrows)}, rows_not_empty, there, start, nrows);
}

cudaError_t sl_cuda_pack_rows(const cuda_packed_rows *to, const uint64_t *there,
                              const uint64_t *start, uint64_t nrows)
{
    return launch_blocks({strided_blocks(nrows + 1)}, pack_rows, *to, there, start, nrows);
}

cudaError_t sl_cuda_full_pattern(const cuda_full_shape *f)
{
    uint64_t most = f->nnz > f->nrows ? f->nnz : f->nrows + 1;
    return launch_blocks({strided_blocks(most)}, full_pattern, *f);
}

cudaError_t sl_cuda_transpose_dense(void *to, const void *from, uint64_t rows, uint64_t columns,
                                    size_t size)
{
    unsigned blocks = strided_blocks(rows * columns / 4 + CUDA_THREADS);
#define CALL(V) launch_blocks({blocks}, turn_dense<V>, (V *)to, (const V *)from, rows, columns)
    WITH_SIZE(size, CALL);
#undef CALL
}

template <typename R>
static cudaError_t launch_full(const cuda_sums *s, cuda_piece *pieces,
                               unsigned long long *piece_count)
{
    spmm_share by = {1, 1};
    while (by.width < 32 && by.width < s->f.ncols)
        by.width *= 2;
    by.lanes = by.width; /* twice as many if each of them has two entries on average */
    while (by.lanes < 32 && 2 * s->f.nrows * (by.lanes / by.width) <= s->f.a_nnz)
        by.lanes *= 2;
    LAUNCH_TRY(launch_made({strided_blocks(by.lanes * s->f.nrows)}, s->p.made.kernel[0],
                           full_rows<R>, *s, by, pieces, piece_count));
    return launch_made({cuda_processors() * CUDA_BLOCKS_PER_SM}, s->p.made.kernel[1],
                       full_pieces<R>, *s, by.width, pieces, piece_count);
}

cudaError_t sl_cuda_full_sums(const cuda_sums *s, cuda_piece *pieces,
                              unsigned long long *piece_count)
{
    const cuda_product *p = &s->p;
#define LAUNCH(R) launch_full<R>(s, pieces, piece_count)
    WITH_MATRIX_RING;
#undef LAUNCH
}

#endif
