/* What the kernels of sums over rows share: the sum of a row's lanes, its place, rows in slots. */
#ifndef SEMLA_CUDA_NEIGHBOUR_SUMS_CUH
#define SEMLA_CUDA_NEIGHBOUR_SUMS_CUH

#include "cuda/products/neighbour_sums.h"
#include "cuda/products/summing.cuh"
#include "cuda/reorder/graph_view.h"
#include "cuda/runtime/common.cuh"

/* t(r) = sum, or t(r) or the same value and the sum. */
template <typename S>
__device__ inline void put(const cuda_neighbour_sums &p, uint32_t row, typename S::type sum)
{
    typename S::type *t = (typename S::type *)p.t + (p.of.row_id ? p.of.row_id[row] : row),
                     first = 0;
    if (p.adds_to_same)
        memcpy(&first, &p.same_value, sizeof first);
    else if (p.adds)
        first = *t;
    *t = p.adds ? S(p.by.add).of(first, sum) : sum;
}

/* The sum over each `lanes` neighbouring lanes, a power of two; all lanes of the warp take part. */
template <typename S, typename T> __device__ inline T sum_of_lanes(S add, T sum, int lanes)
{
#pragma unroll
    for (int offset = lanes / 2; offset > 0; offset /= 2)
        sum = add.of(sum, __shfl_xor_sync(full_warp, sum, offset));
    return sum;
}

/* The sum over all threads of a block, in thread 0; `sums` has an element for each warp. */
template <typename S, typename T> __device__ inline T sum_of_block(S add, T sum, T *sums)
{
    sum = sum_of_lanes(add, sum, 32);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned k = 1; k < blockDim.x / 32; k++)
            sum = add.of(sum, sums[k]);
    __syncthreads();
    return sum;
}

/* The rows whose columns are all in slots, a thread each. */
template <typename S, int how = SUM_VALUES>
__device__ inline void sum_slots(const cuda_neighbour_sums &p, const typename S::type *x)
{
    using T = typename S::type;
    const S add(p.by.add);
    const cuda_sum_rows &of = p.of;
    for (uint64_t row = of.listed + first_thread(); row < of.rows; row += all_threads()) {
        T sum = add.none();
#pragma unroll
        for (int k = 0; k < ELL_SLOTS; k++)
            if (row < of.slot_count[k]) {
                const T value = __ldg(x + __ldcs(of.slot[k] + row));
                if constexpr (how != SUM_VALUES)
                    sum = add.of(sum, factors_product<how>(
                                          add, p.by.multiply, value,
                                          __ldcs((const T *)of.slot_value[k] + (row - of.listed))));
                else
                    sum = add.of(sum, value);
            }
        put<S>(p, (uint32_t)row, sum);
    }
}

#endif
