/*
 * Rows sorted by length. A length that is not negative is stored as the unsigned integer of its
 * bits, which has the order of the lengths, also for floating point; so two segmented sorts (CUB)
 * serve all types. All kernels stride over the edges, one thread per edge.
 */
#include <cub/device/device_segmented_sort.cuh>
#include <iterator>

#include "cuda/paths/lengths.cuh"
#include "cuda/paths/lengths_kernels.h"

template <typename T> __device__ static T length_at(const cuda_length_rows &A, uint64_t e)
{
    return A.values ? ((const T *)A.values)[e] : (T)1;
}

template <typename T> __device__ static bool fits_32_bits(T x)
{
    if constexpr (std::is_same_v<T, int64_t>)
        return x <= (int64_t)UINT32_MAX;
    else if constexpr (std::is_same_v<T, double>)
        return (double)(float)x == x;
    else
        return true;
}

template <typename T> __global__ static void check_lengths(cuda_length_rows A, unsigned *wide)
{
    bool is = false;
    for (uint64_t e = first_thread(); e < A.nnz; e += all_threads())
        is |= !fits_32_bits(length_at<T>(A, e));
    if (is)
        *wide = 1;
}

cudaError_t sl_cuda_lengths_check(const cuda_length_rows *A, unsigned *wide)
{
#define CALL(T) launch(A->nnz, check_lengths<T>, *A, wide)
    WITH_SUM_TYPE(A->type, CALL);
#undef CALL
}

__global__ static void longest_row(cuda_length_rows A, count_t *longest)
{
    count_t most = 0;
    for (uint64_t u = first_thread(); u < A.rows; u += all_threads()) {
        const count_t length = A.start[u + 1] - A.start[u];
        most = length > most ? length : most;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t other = __shfl_xor_sync(full_warp, most, offset);
        most = other > most ? other : most;
    }
    if (threadIdx.x % 32 == 0)
        atomicMax(longest, most);
}

cudaError_t sl_cuda_lengths_longest(const cuda_length_rows *A, unsigned long long *longest)
{
    return launch(A->rows, longest_row, *A, (count_t *)longest);
}

template <typename T>
__global__ static void sample_lengths(cuda_length_rows A, double *sample, unsigned count)
{
    /* Positions are scattered by a multiplicative hash, so that a regular graph is sampled evenly.
     */
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        sample[k] = (double)length_at<T>(A, (k + 1) * UINT64_C(11400714819323198485) % A.nnz);
}

cudaError_t sl_cuda_lengths_sample(const cuda_length_rows *A, double *sample, unsigned count)
{
#define CALL(T) launch_blocks({grid_of(count, count)}, sample_lengths<T>, *A, sample, count)
    WITH_SUM_TYPE(A->type, CALL);
#undef CALL
}

template <typename T, typename W> __global__ static void make_keys(cuda_length_rows A, W *keys)
{
    for (uint64_t e = first_thread(); e < A.nnz; e += all_threads()) {
        const T length = length_at<T>(A, e);
        keys[e] = length == 0 ? (W)0 : (W)length; /* no negative zero */
    }
}

template <typename T>
static cudaError_t make_keys_as(const cuda_length_rows *A, bool narrow, void *keys)
{
    using N = std::conditional_t<is_float<T>, float, uint32_t>;
    return narrow ? launch(A->nnz, make_keys<T, N>, *A, (N *)keys)
                  : launch(A->nnz, make_keys<T, T>, *A, (T *)keys);
}

cudaError_t sl_cuda_lengths_keys(const cuda_length_rows *A, bool narrow, void *keys)
{
#define CALL(T) make_keys_as<T>(A, narrow, keys)
    WITH_SUM_TYPE(A->type, CALL);
#undef CALL
}

/* The offsets from `from` on, for CUB. */
struct offsets_from {
    using value_type = int64_t;
    using reference = int64_t;
    using pointer = const int64_t *;
    using difference_type = int64_t;
    using iterator_category = std::random_access_iterator_tag;
    const uint64_t *start;
    uint64_t from;
    __host__ __device__ int64_t operator[](int64_t k) const
    {
        return (int64_t)(start[k] - from);
    }
    __host__ __device__ int64_t operator*() const
    {
        return (*this)[0];
    }
    __host__ __device__ offsets_from operator+(int64_t k) const
    {
        return {start + k, from};
    }
};

template <typename K>
static cudaError_t sort_rows(void *scratch, size_t *bytes, const cuda_length_rows *A,
                             const void *keys, void *length, uint32_t *index)
{
    const offsets_from begin = {A->start, A->from};
    return cub::DeviceSegmentedSort::StableSortPairs(
        scratch, *bytes, (const K *)keys, (K *)length, A->index, index, (int64_t)A->nnz,
        (int64_t)A->rows, begin, begin + 1, cuda_stream());
}

cudaError_t sl_cuda_lengths_sort(void *scratch, size_t *bytes, const cuda_length_rows *A,
                                 bool narrow, const void *keys, void *length, uint32_t *index)
{
    return narrow ? sort_rows<uint32_t>(scratch, bytes, A, keys, length, index)
                  : sort_rows<uint64_t>(scratch, bytes, A, keys, length, index);
}
