/* Products of a sparse matrix with one all of whose entries are there. */
#include "matrix_rings.cuh"
#include "offer.cuh"
#include "spgemm.cuh"

__global__ static void full_lengths(uint64_t *lengths, cuda_factors f)
{
    for (uint64_t row = first_thread(); row < f.nrows; row += all_threads())
        lengths[row] = f.a_start[row + 1] > f.a_start[row] ? f.ncols : 0;
}

__global__ static void full_columns(uint32_t *c_index, uint64_t ncols, uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads())
        c_index[e] = (uint32_t)(e % ncols);
}

/* The sum over entries e, e + step, ... below `end` of A's row with B's column. */
template <typename R>
__device__ static maybe<typename R::T> sum_column(const cuda_sums &s, uint64_t row, uint64_t e,
                                                  uint64_t end, unsigned step, uint64_t column)
{
    maybe<typename R::T> sum = {typename R::T(0), false};
#pragma unroll 4
    for (; e < end; e += step) {
        uint64_t g = (uint64_t)s.f.a_index[e] * s.f.ncols + column;
        include(sum, {multiply_entries<R>(s, e, g, row), true}, R::add_code(s.p));
    }
    return sum;
}

/* `width` lanes to a row, a power of two. A long row is cut into pieces. */
template <typename R>
__global__ static void __launch_bounds__(CUDA_THREADS)
    full_rows(cuda_sums s, unsigned width, cuda_piece *pieces, unsigned long long *piece_count)
{
    using T = typename R::T;
    unsigned lane = threadIdx.x % width;
    for (uint64_t row = first_thread() / width; row < s.f.nrows; row += all_threads() / width) {
        uint64_t begin = s.f.a_start[row], end = s.f.a_start[row + 1];
        T *to = (T *)s.c_values + s.c_start[row];
        bool is_long = end - begin > SPMM_PIECE;
        for (uint64_t column = lane; begin < end && column < s.f.ncols; column += width)
            if (is_long)
                memcpy(to + column, &s.p.identity, sizeof(T));
            else
                to[column] = sum_column<R>(s, row, begin, end, 1, column).value;
        if (is_long && lane == 0) {
            count_t count = (end - begin + SPMM_PIECE - 1) / SPMM_PIECE;
            count_t at = atomicAdd(piece_count, count);
            for (count_t k = 0; k < count; k++)
                pieces[at + k] = {(uint32_t)row, (uint32_t)k};
        }
    }
}

template <typename R>
__global__ static void __launch_bounds__(CUDA_THREADS)
    full_pieces(cuda_sums s, unsigned width, const cuda_piece *pieces,
                const unsigned long long *piece_count)
{
    using T = typename R::T;
    unsigned lane = threadIdx.x % width, group = threadIdx.x / width, groups = CUDA_THREADS / width;
    for (count_t k = blockIdx.x; k < *piece_count; k += gridDim.x) {
        uint64_t row = pieces[k].row;
        uint64_t begin = s.f.a_start[row] + (uint64_t)pieces[k].number * SPMM_PIECE;
        uint64_t end = s.f.a_start[row + 1];
        end = end - begin < SPMM_PIECE ? end : begin + SPMM_PIECE;
        T *to = (T *)s.c_values + s.c_start[row];
        for (uint64_t column = lane; column < s.f.ncols; column += width) {
            maybe<T> sum = sum_column<R>(s, row, begin + group, end, groups, column);
            if (sum.is && (R::any || s.p.any))
                to[column] = sum.value;
            else if (sum.is)
                combine(to + column, sum.value, R::add_code(s.p));
        }
    }
}

#ifndef __CUDACC_RTC__ /* launches */

static unsigned blocks_for(uint64_t n, unsigned multiprocessors)
{
    return grid_of(n, multiprocessors * SPGEMM_BLOCKS_PER_SM);
}

cudaError_t sl_cuda_full_lengths(uint64_t *lengths, const cuda_factors *f, cudaStream_t stream)
{
    full_lengths<<<blocks_for(f->nrows, f->multiprocessors), CUDA_THREADS, 0, stream>>>(lengths,
                                                                                        *f);
    return cudaGetLastError();
}

cudaError_t sl_cuda_full_columns(uint32_t *c_index, uint64_t ncols, uint64_t nnz,
                                 unsigned multiprocessors, cudaStream_t stream)
{
    full_columns<<<blocks_for(nnz, multiprocessors), CUDA_THREADS, 0, stream>>>(c_index, ncols,
                                                                                nnz);
    return cudaGetLastError();
}

template <typename R>
static cudaError_t launch_full(const cuda_sums *s, cuda_piece *pieces,
                               unsigned long long *piece_count, cudaStream_t stream)
{
    unsigned width = 1, processors = s->p.multiprocessors;
    while (width < 32 && width < s->f.ncols)
        width *= 2;
    cudaError_t error = launch(full_rows<R>, s->p.made.kernel[0],
                               blocks_for(width * s->f.nrows, processors), stream, *s, width,
                               pieces, piece_count);
    return error != cudaSuccess ? error
                                : launch(full_pieces<R>, s->p.made.kernel[1],
                                         processors * CUDA_BLOCKS_PER_SM, stream, *s, width,
                                         pieces, piece_count);
}

cudaError_t sl_cuda_full_sums(const cuda_sums *s, cuda_piece *pieces,
                              unsigned long long *piece_count, cudaStream_t stream)
{
    const cuda_product *p = &s->p;
#define LAUNCH(R) return launch_full<R>(s, pieces, piece_count, stream)
    WITH_MATRIX_RING
#undef LAUNCH
    return cudaErrorInvalidValue;
}

#endif
