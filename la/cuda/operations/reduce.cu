/* Reduction to a scalar: each of CUDA_REDUCE_BLOCKS blocks reduces a part, then one block
 * reduces the partial results. */
#include "reduction.cuh"
#include "vector_kernels.h"

template <typename T, typename Code>
__global__ static void reduce_parts(maybe<T> *partial, const uint32_t *bits, const T *values,
                                    Code code, uint64_t n)
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
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++)
            include(own, term[k], code);
    }
    own = sum_of_block(own, code);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = own;
}

template <typename T, typename Code>
__global__ static void reduce_last(unsigned long long *result, const maybe<T> *partial, Code code)
{
    maybe<T> own = {T(0), false};
    for (unsigned k = threadIdx.x; k < CUDA_REDUCE_BLOCKS; k += CUDA_THREADS)
        include(own, partial[k], code);
    own = sum_of_block(own, code);
    if (threadIdx.x == 0) {
        result[0] = 0;
        memcpy(result, &own.value, sizeof own.value);
        result[1] = own.is;
    }
}

#ifndef __CUDACC_RTC__ /* launches */

template <typename T>
static cudaError_t reduce_as(unsigned long long *result, void *partial, const uint32_t *bits,
                             const T *values, int code, uint64_t n, cudaStream_t stream)
{
    reduce_parts<<<CUDA_REDUCE_BLOCKS, CUDA_THREADS, 0, stream>>>((maybe<T> *)partial, bits, values,
                                                                  code, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    reduce_last<<<1, CUDA_THREADS, 0, stream>>>(result, (const maybe<T> *)partial, code);
    return cudaGetLastError();
}

/* A compiled kernel has an empty structure instead of the code: one byte of any value. */
static cudaError_t reduce_compiled(const cuda_compiled *made, unsigned long long *result,
                                   void *partial, const uint32_t *bits, const void *values,
                                   uint64_t n, cudaStream_t stream)
{
    char code = 0;
    const void *shares[] = {&partial, &bits, &values, &code, &n};
    const void *last[] = {&result, &partial, &code};
    cudaError_t error = launch_compiled(made->kernel[0], CUDA_REDUCE_BLOCKS, shares, stream);
    return error != cudaSuccess ? error : launch_compiled(made->kernel[1], 1, last, stream);
}

cudaError_t sl_cuda_reduce(unsigned long long *result, void *partial, const uint32_t *bits,
                           const void *values, sl_type type, int code, const cuda_compiled *made,
                           uint64_t n, cudaStream_t stream)
{
    if (made->kernel[0])
        return reduce_compiled(made, result, partial, bits, values, n, stream);
#define CALL(T) return reduce_as(result, partial, bits, (const T *)values, code, n, stream)
    WITH_TYPE(type, CALL)
#undef CALL
    return cudaSuccess;
}

#endif
