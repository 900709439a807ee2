/* Products of matrices under a mask as dot products of rows: one warp per entry of the mask. */
#include "cuda/products/matrix_semirings.cuh"

template <typename R>
__device__ static typename R::T multiply(const cuda_dots &d, uint64_t e, uint64_t f, uint64_t i,
                                         uint32_t j)
{
    using T = typename R::T;
    if constexpr (R::positional)
        return (T)(d.inner_position ? d.a_index[e] : d.row_position ? i : j);
    else
        return R::of_entries(d.p, e, f);
}

/* Each lane looks up its entries of the shorter row in the longer row by binary search. */
template <typename R>
__device__ static maybe<typename R::T> dot(const cuda_dots &d, uint64_t i, uint32_t j)
{
    using T = typename R::T;
    unsigned lane = threadIdx.x % 32;
    uint64_t a = d.a_start[i], a_end = d.a_start[i + 1];
    uint64_t b = d.b_start[j], b_end = d.b_start[j + (uint64_t)1];
    bool along_a = a_end - a <= b_end - b, may_end = d.p.any || d.p.ends;
    const uint32_t *few = along_a ? d.a_index : d.b_index, *many = along_a ? d.b_index : d.a_index;
    uint64_t at = along_a ? a : b, end = along_a ? a_end : b_end;
    uint64_t low = along_a ? b : a, high = along_a ? b_end : a_end;
    maybe<T> sum = {T(0), false};
    for (; at < end; at += 32) {
        uint64_t mine = at + lane;
        if (mine < end) {
            uint32_t k = few[mine];
            uint64_t from = low, to = high;
            while (from < to) {
                uint64_t middle = from + (to - from) / 2;
                if (many[middle] < k)
                    from = middle + 1;
                else
                    to = middle;
            }
            if (from < high && many[from] == k)
                include(
                    sum,
                    {along_a ? multiply<R>(d, mine, from, i, j) : multiply<R>(d, from, mine, i, j),
                     true},
                    R::add_code(d.p));
        }
        if (may_end && __any_sync(full_warp, R::ends(d.p, sum)))
            break;
    }
    return sum_of_warp(sum, R::add_code(d.p));
}

template <typename R> __global__ static void dots(cuda_dots d)
{
    using T = typename R::T;
    for (uint64_t e = first_thread() / 32; e < d.nnz; e += all_threads() / 32) {
        if (d.truth && !d.truth[e]) {
            if (threadIdx.x % 32 == 0)
                d.found[e] = false;
            continue;
        }
        uint64_t i = row_of(d.start + 1, 0, d.nrows, e);
        maybe<T> sum = dot<R>(d, i, d.index[e]);
        if (threadIdx.x % 32 == 0) {
            d.found[e] = sum.is;
            ((T *)d.values)[e] = sum.value;
        }
    }
}

#ifndef __CUDACC_RTC__ /* launches */

cudaError_t sl_cuda_dot(const cuda_dots *d)
{
    const cuda_product *p = &d->p;
#define LAUNCH(R) launch_made({blocks_for(32 * d->nnz)}, p->made.kernel[0], dots<R>, *d)
    WITH_MATRIX_RING;
#undef LAUNCH
}

#endif
