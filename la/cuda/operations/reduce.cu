/*
 * Reduction to a scalar, in one launch: each block reduces a part, and the last one to end reduces
 * the partial results, in the order of the blocks.
 */
#include "cuda/operations/reduction.cuh"
#include "cuda/operations/vector_kernels.h"

/* Blocks of the running launch that have ended; 0 between launches, which follow each other in one
 * stream. */
__device__ static unsigned ended_blocks;

/* True in all threads of the last block, which then sees the partial results of the others. */
template <typename T> __device__ static bool is_last(maybe<T> *partial, maybe<T> own)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = own;
        __threadfence();
        last = atomicInc(&ended_blocks, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

/* Combines the sums of all threads; result: in pinned memory of the host. */
template <typename T, typename Code>
__device__ static void finish(unsigned long long *result, maybe<T> *partial, maybe<T> own,
                              Code code)
{
    own = sum_of_block(own, code);
    if (gridDim.x > 1) {
        if (!is_last(partial, own))
            return;
        const volatile maybe<T> *parts = partial;
        own = {T(0), false};
        for (unsigned k = threadIdx.x; k < gridDim.x; k += CUDA_THREADS)
            include(own, maybe<T>{parts[k].value, parts[k].is}, code);
        own = sum_of_block(own, code);
    }
    if (threadIdx.x == 0) {
        result[0] = 0;
        memcpy(result, &own.value, sizeof own.value);
        result[1] = own.is;
    }
}

template <typename T, typename Code>
__device__ static void include_all(maybe<T> &own, const maybe<T> (&term)[FULL_BATCH], Code code)
{
    with_binary(code, [&](auto constant) {
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++)
            include(own, term[k], constant);
    });
}

template <typename T, typename Code>
__global__ static void reduce_all(unsigned long long *result, maybe<T> *partial,
                                  const uint32_t *bits, const T *values, Code code, uint64_t n)
{
    maybe<T> own = {T(0), false};
    for (uint64_t first = first_thread(); first < n; first += FULL_BATCH * all_threads()) {
        maybe<T> term[FULL_BATCH];
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++) {
            const uint64_t v = first + k * all_threads();
            term[k].is = v < n && (!bits || bit_of(bits, (uint32_t)v));
            term[k].value = term[k].is && values ? values[v] : T(1);
        }
        include_all(own, term, code);
    }
    finish(result, partial, own, code);
}

#ifndef __CUDACC_RTC__ /* pairs, and launches */

template <typename T>
__global__ static void reduce_pairs(unsigned long long *result, maybe<T> *partial, cuda_pairs p)
{
    const T *a = (const T *)p.a_values, *b = (const T *)p.b_values;
    maybe<T> own = {T(0), false};
    for (uint64_t first = first_thread(); first < p.n; first += FULL_BATCH * all_threads()) {
        T y[FULL_BATCH];
        maybe<T> x[FULL_BATCH];
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++) {
            const uint64_t v = first + k * all_threads();
            x[k].is = v < p.n && (!p.a_bits || bit_of(p.a_bits, (uint32_t)v)) &&
                      (!p.b_bits || bit_of(p.b_bits, (uint32_t)v));
            x[k].value = x[k].is ? a[v] : T(0);
            y[k] = x[k].is ? b[v] : T(0);
        }
        with_binary(p.multiply, [&](auto constant) {
#pragma unroll
            for (int k = 0; k < FULL_BATCH; k++)
                x[k].value = binary(constant, x[k].value, y[k]);
        });
        if (p.unary >= 0)
            with_unary(p.unary, [&](auto constant) {
#pragma unroll
                for (int k = 0; k < FULL_BATCH; k++)
                    x[k].value = unary(constant, x[k].value);
            });
        include_all(own, x, p.add);
    }
    finish(result, partial, own, p.add);
}

static unsigned reduce_blocks(uint64_t n)
{
    return grid_of(n / FULL_BATCH + 1, CUDA_REDUCE_BLOCKS);
}

template <typename T>
static cudaError_t reduce_as(unsigned long long *result, void *partial, const uint32_t *bits,
                             const T *values, int code, uint64_t n)
{
    return launch_blocks({reduce_blocks(n)}, reduce_all<T, int>, result, (maybe<T> *)partial, bits,
                         values, code, n);
}

cudaError_t sl_cuda_reduce(unsigned long long *result, void *partial, const cuda_elements *of,
                           int code, const cuda_compiled *made)
{
    if (made->kernel[0]) { /* with an empty structure instead of the code: one byte of any value */
        char none = 0;
        const void *arguments[] = {&result, &partial, &of->bits, &of->values, &none, &of->n};
        return launch_compiled({reduce_blocks(of->n)}, made->kernel[0], arguments);
    }
#define CALL(T) reduce_as(result, partial, of->bits, (const T *)of->values, code, of->n)
    WITH_TYPE(of->type, CALL);
#undef CALL
}

cudaError_t sl_cuda_reduce_pairs(unsigned long long *result, void *partial, const cuda_pairs *p)
{
    const unsigned blocks = reduce_blocks(p->n);
    return p->type == SL_FP32
               ? launch_blocks({blocks}, reduce_pairs<float>, result, (maybe<float> *)partial, *p)
               : launch_blocks({blocks}, reduce_pairs<double>, result, (maybe<double> *)partial,
                               *p);
}

#endif
