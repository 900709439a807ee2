/* Device functions that all kernels share. */
#ifndef SEMLA_CUDA_COMMON_CUH
#define SEMLA_CUDA_COMMON_CUH

#include <type_traits>

#include "cuda/runtime/kernels.h"

typedef unsigned long long count_t;

static constexpr unsigned full_warp = 0xffffffffu;

#ifndef __CUDACC_RTC__

#include "cuda/runtime/launch.cuh"

/* The most threads of a multiprocessor: 2,048 of devices for data centres, less of others. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
static constexpr unsigned most_threads = 1024;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ % 100 != 0 || __CUDA_ARCH__ >= 1200)
static constexpr unsigned most_threads = 1536;
#else
static constexpr unsigned most_threads = 2048;
#endif

/* `wanted` blocks of a multiprocessor, or as many as fit, for __launch_bounds__. */
constexpr unsigned fitting_blocks(unsigned wanted, unsigned threads)
{
    return wanted * threads <= most_threads ? wanted : most_threads / threads;
}

#endif

/* Returns LAUNCH(choice), a cudaError_t, with the choice as a constant. */
#define WITH_CHOICE(choice, LAUNCH)                                                                \
    switch (choice) {                                                                              \
    case CUDA_ANY:                                                                                 \
        return LAUNCH(CUDA_ANY);                                                                   \
    case CUDA_MIN:                                                                                 \
        return LAUNCH(CUDA_MIN);                                                                   \
    case CUDA_MAX:                                                                                 \
        return LAUNCH(CUDA_MAX);                                                                   \
    default:                                                                                       \
        return cudaErrorInvalidValue;                                                              \
    }

/* Returns CALL(T), a cudaError_t, for the unsigned integer type T of a size. */
#define WITH_SIZE(size, CALL)                                                                      \
    switch (size) {                                                                                \
    case 1:                                                                                        \
        return CALL(uint8_t);                                                                      \
    case 2:                                                                                        \
        return CALL(uint16_t);                                                                     \
    case 4:                                                                                        \
        return CALL(uint32_t);                                                                     \
    case 8:                                                                                        \
        return CALL(uint64_t);                                                                     \
    default:                                                                                       \
        return cudaErrorInvalidValue;                                                              \
    }

__device__ inline uint64_t first_thread()
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ inline uint64_t all_threads()
{
    return (uint64_t)gridDim.x * blockDim.x;
}

/* One warp per 32-bit word w of a bitmap of n bits, lane `lane` has bit v. */
#define FOR_EACH_WORD(n)                                                                           \
    for (uint64_t w = first_thread() / 32, lane = threadIdx.x % 32, v = 32 * w + lane;             \
         w < ((n) + 31) / 32; w += all_threads() / 32, v = 32 * w + lane)

/* A bit that other threads may set at the same time by atomics, which bypass the L1 cache. */
__device__ inline bool bit_now(const uint32_t *bits, uint32_t v)
{
    return __ldcg(bits + v / 32) >> (v % 32) & 1;
}

/* A bit that does not change while the kernel runs. */
__device__ inline bool bit_of(const uint32_t *bits, uint32_t v)
{
    return __ldg(bits + v / 32) >> (v % 32) & 1;
}

__device__ inline long long integer_at(const cuda_integers &from, uint64_t at)
{
    return from.int32 ? ((const int *)from.values)[at] : ((const long long *)from.values)[at];
}

/* Streaming store: the value is not read again soon. */
__device__ inline void put_integer(const cuda_integers &to, uint64_t at, long long x)
{
    if (to.int32)
        __stcs((int *)to.values + at, (int)x);
    else
        __stcs((long long *)to.values + at, x);
}

/* The row of edge e: the first in [low, high) with an end greater than e; `high` if there is none. */
template <typename E>
__device__ inline uint64_t row_of(const E *ends, uint64_t low, uint64_t high, uint64_t e)
{
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (ends[middle] > e)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The same for the lanes of a warp, of which those that call it together have ascending e: only the
 * first and the last of them search all rows, the others those between. */
__device__ inline uint64_t row_of_lane(const uint64_t *ends, uint64_t rows, uint64_t e)
{
    const unsigned callers = __activemask(), lane = threadIdx.x % 32;
    const int first = __ffs(callers) - 1, last = 31 - __clz(callers);
    const uint64_t found = lane == first || lane == last ? row_of(ends, 0, rows, e) : 0;
    const uint64_t low = __shfl_sync(callers, found, first);
    return row_of(ends, low, __shfl_sync(callers, found, last), e);
}

/* The row of entry e of a matrix of nrows rows, as row_of_lane. */
__device__ inline uint64_t row_of_entry(const uint64_t *start, uint64_t nrows, uint64_t e)
{
    return row_of_lane(start + 1, nrows, e);
}

__device__ inline count_t warp_sum(count_t x)
{
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_down_sync(full_warp, x, offset);
    return x;
}

/* The sum over a warp, in all lanes: one instruction from compute capability 8.0 on. */
__device__ inline unsigned sum_of_warp(unsigned x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(full_warp, x);
#else
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_xor_sync(full_warp, x, offset);
    return x;
#endif
}

/* Adds the sum over the block to *to by one atomic: one for each warp would wait for each other. All
 * threads of the block must call it. Shared memory: a sum. */
__device__ inline void add_block_sum(count_t *to, count_t own)
{
    __shared__ count_t sum;
    __syncthreads();
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    own = warp_sum(own);
    if (threadIdx.x % 32 == 0 && own)
        atomicAdd(&sum, own);
    __syncthreads();
    if (threadIdx.x == 0 && sum)
        atomicAdd(to, sum);
}

/* Writes a count for the host; what this thread's block has written before its last barrier is
 * visible to all that see the stamp. */
__device__ inline void write_stamped(cuda_stamped_count *to, count_t count, count_t stamp)
{
    to->count = count;
    __threadfence_system();
    to->stamp = stamp;
}

#endif
