/* Combines the values of equal keys by an operator, in their order. */
#include "cuda/operations/entry_kernels.h"
#include "cuda/operations/reduction.cuh"

/* One after the other. */
template <typename Op, typename T>
__device__ static T fold(const T *values, uint64_t from, uint64_t end, int code)
{
    T sum = values[from];
    while (++from < end)
        sum = Op::of(code, sum, values[from]);
    return sum;
}

/* Each lane combines a contiguous part; then the parts are combined in order, into lane 0. */
template <typename Op, typename T>
__device__ static T fold_by_warp(const T *values, uint64_t from, uint64_t end, int code)
{
    uint64_t lane = threadIdx.x % 32, share = (end - from + 31) / 32;
    uint64_t own = from + lane * share, stop = own + share < end ? own + share : end;
    maybe<T> sum = {T(0), own < stop};
    if (sum.is)
        sum.value = fold<Op>(values, own, stop, code);
    for (int offset = 1; offset < 32; offset *= 2) {
        maybe<T> other = shuffle_down(sum, offset);
        if (other.is && lane + offset < 32)
            sum.value = Op::of(code, sum.value, other.value);
    }
    return sum.value;
}

/* One thread per key. A key with more than JOIN_PER_THREAD values is combined by the whole warp
 * if the operator is associative. */
template <typename Op> __global__ static void join(cuda_join_keys j)
{
    using T = typename Op::Z;
    const T *values = (const T *)j.values;
    T *to = (T *)j.to_values;
    unsigned lane = threadIdx.x % 32;
    for (uint64_t base = first_thread() - lane; base < j.heads; base += all_threads()) {
        uint64_t k = base + lane;
        bool mine = k < j.heads;
        uint64_t from = mine ? j.first[k] : 0, end = mine ? j.first[k + 1] : 0;
        bool much = j.associative && end - from > JOIN_PER_THREAD;
        if (mine && !much)
            to[k] = fold<Op>(values, from, end, j.code);
        for (unsigned rest = __ballot_sync(full_warp, much); rest; rest &= rest - 1) {
            int owner = __ffs(rest) - 1;
            T sum = fold_by_warp<Op>(values, __shfl_sync(full_warp, from, owner),
                                     __shfl_sync(full_warp, end, owner), j.code);
            if (lane == 0)
                to[base + owner] = sum;
        }
    }
}

#ifndef __CUDACC_RTC__ /* launches */

template <typename T> static cudaError_t join_as(const cuda_join_keys *j)
{
    if constexpr (is_bool<T>)
        if (j->kind == CUDA_COMPARISON)
            return launch(j->heads, join<table_binary<T, CUDA_COMPARISON>>, *j);
    return launch_made({blocks_for(j->heads)}, j->made.kernel[0],
                       join<table_binary<T, CUDA_VALUES>>, *j);
}

cudaError_t sl_cuda_join(const cuda_join_keys *j, sl_type type)
{
#define CALL(T) join_as<T>(j)
    WITH_TYPE(type, CALL);
#undef CALL
}

#endif
