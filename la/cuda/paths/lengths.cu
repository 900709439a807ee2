/*
 * Rows sorted by length. A length that is not negative is stored as the unsigned integer of its
 * bits, which has the order of the lengths, also for floating point; so two segmented sorts (CUB)
 * serve all types. All kernels stride over the edges, one thread per edge.
 */
#include <cub/device/device_segmented_sort.cuh>

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

/* The position of column v in row u, by binary search; or the row's end. */
__device__ static uint64_t find_entry(const cuda_length_rows &A, uint32_t u, uint32_t v)
{
    const uint64_t end = A.start[u + (uint64_t)1];
    uint64_t low = A.start[u], high = end;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (A.index[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && A.index[low] == v ? low : end;
}

/* Whether entry (u, v) is looked up in row v, which is the shorter one of rows u and v. */
__device__ static bool is_looked_up(const cuda_length_rows &A, uint32_t u, uint32_t v)
{
    const uint64_t of_u = A.start[u + (uint64_t)1] - A.start[u];
    const uint64_t of_v = A.start[v + (uint64_t)1] - A.start[v];
    return of_v < of_u || (of_v == of_u && v < u);
}

/* Looks up the mirror entries of half of the entries, in the shorter rows. No two of them have the
 * same mirror entry, and mirror entries are in the other half: if all are found and both halves have
 * the same number of entries, then every entry has a mirror entry. */
template <typename T>
__global__ static void compare_mirrors(cuda_length_rows A, unsigned *differs, count_t *balance)
{
    count_t own = 0;
    for (uint64_t first = first_thread() - threadIdx.x % 32; first < A.nnz;
         first += all_threads()) {
        const uint64_t e = first + threadIdx.x % 32;
        if (*(volatile unsigned *)differs)
            break;
        if (e >= A.nnz)
            continue;
        const uint32_t u = (uint32_t)row_of_entry(A.start, A.rows, e), v = A.index[e];
        if (u == v)
            continue;
        if (!is_looked_up(A, u, v)) {
            own--;
            continue;
        }
        own++;
        const uint64_t mirror = find_entry(A, v, u);
        if (mirror == A.start[v + (uint64_t)1] || length_at<T>(A, mirror) != length_at<T>(A, e))
            *differs = 1;
    }
    own = warp_sum(own);
    if (threadIdx.x % 32 == 0 && own)
        atomicAdd(balance, own);
}

cudaError_t sl_cuda_lengths_compare_mirrors(const cuda_length_rows *A, unsigned *differs,
                                            unsigned long long *balance)
{
#define CALL(T) launch(A->nnz, compare_mirrors<T>, *A, differs, (count_t *)balance)
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

template <typename K>
static cudaError_t sort_rows(void *scratch, size_t *bytes, const cuda_length_rows *A,
                             const void *keys, void *length, uint32_t *index)
{
    return cub::DeviceSegmentedSort::StableSortPairs(
        scratch, *bytes, (const K *)keys, (K *)length, A->index, index, (int64_t)A->nnz,
        (int64_t)A->rows, A->start, A->start + 1, cuda_stream());
}

cudaError_t sl_cuda_lengths_sort(void *scratch, size_t *bytes, const cuda_length_rows *A,
                                 bool narrow, const void *keys, void *length, uint32_t *index)
{
    return narrow ? sort_rows<uint32_t>(scratch, bytes, A, keys, length, index)
                  : sort_rows<uint64_t>(scratch, bytes, A, keys, length, index);
}
