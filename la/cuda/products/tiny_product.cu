/*
 * Products of matrices of at most TINY_SIDE rows and columns, in one launch of one block: a warp
 * per row of the result, a lane per column. A lane takes the entries of A's row in turn and searches
 * its column in the rows of B, so that terms are added in the order of the inner index. Shared
 * memory: the number of entries of each row.
 */
#include "cuda/products/matrix_semirings.cuh"
#include "cuda/products/tiny_product.h"

/* The position of a column in a row of B, or the row's end. */
__device__ static uint64_t find_column(const cuda_factors &f, uint64_t row, uint32_t column)
{
    const uint64_t end = f.b_start[row + 1];
    uint64_t low = f.b_start[row], high = end;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (f.b_index[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && f.b_index[low] == column ? low : end;
}

template <typename R>
__global__ static void tiny_product(cuda_sums s, uint64_t *start, uint32_t *index, void *values)
{
    using T = typename R::T;
    __shared__ unsigned entries[TINY_SIDE];
    const unsigned row = threadIdx.x / 32, column = threadIdx.x % 32;
    maybe<T> sum = {T(0), false};
    if (column < s.f.ncols)
        for (uint64_t e = s.f.a_start[row]; e < s.f.a_start[row + 1]; e++) {
            const uint64_t k = s.f.a_index[e], g = find_column(s.f, k, column);
            if (g < s.f.b_start[k + 1])
                include(sum, {multiply_entries<R>(s, e, g, row), true}, R::add_code(s.p));
        }
    const unsigned votes = __ballot_sync(full_warp, sum.is);
    if (column == 0)
        entries[row] = __popc(votes);
    __syncthreads();
    const unsigned before = sum_of_warp(column < row ? entries[column] : 0);
    if (sum.is) {
        const unsigned at = before + __popc(votes & ((1u << column) - 1));
        index[at] = column;
        if (values)
            ((T *)values)[at] = sum.value;
    }
    if (column == 0) {
        start[row] = before;
        start[row + 1] = before + entries[row]; /* as the next row does */
    }
}

cudaError_t sl_cuda_tiny_product(const cuda_sums *s, uint64_t *start, uint32_t *index, void *values)
{
    const cuda_product *p = &s->p;
    const unsigned threads = 32 * (unsigned)s->f.nrows;
#define LAUNCH(R) launch_blocks({1, threads}, tiny_product<R>, *s, start, index, values)
    WITH_TYPE(p->type, RING_OF_TYPE);
#undef LAUNCH
}
