/* Whether every entry (u, v) of a matrix has a mirror entry (v, u) of the same value, by sums of hashes. */
#include <semla/mirrors.h>

#include "cuda/operations/entries.cuh"
#include "cuda/operations/mirror_kernels.h"

/* The bits of a value. fp32 and fp64 are numbers: zeros of both signs have the same bits. */
template <typename V> __device__ static uint64_t bits_of(V value)
{
    if constexpr (is_float<V>) {
        uint64_t bits = 0;
        if (value != 0)
            memcpy(&bits, &value, sizeof value);
        return bits;
    } else {
        return value;
    }
}

template <typename V> __device__ static bool is_nan(V value)
{
    if constexpr (is_float<V>)
        return value != value;
    return false;
}

/* Which vertices the rows and columns are. */
struct block_places {
    bool whole;
    sl_local_blocks rows, cols;

    __device__ uint64_t row(uint64_t u) const
    {
        return whole ? u : sl_global_index(&rows, u);
    }
    __device__ uint64_t col(uint64_t v) const
    {
        return whole ? v : sl_global_index(&cols, v);
    }
};

/* A warp takes so many times 32 entries, for which it searches all rows once. */
enum { STEPS = 16 };

/* An entry below the diagonal subtracts the hash of its mirror entry. NaN equals nothing, so it adds its hash on both
 * sides. */
template <typename V>
__global__ static void mirror_sum(const __grid_constant__ cuda_matrix_rows A,
                                  const __grid_constant__ block_places of, uint64_t key,
                                  count_t *sum)
{
    const unsigned lane = threadIdx.x % 32;
    count_t own = 0;
    for (uint64_t first = (first_thread() - lane) * STEPS; first < A.nnz;
         first += all_threads() * STEPS) {
        const uint64_t end = first + 32 * STEPS < A.nnz ? first + 32 * STEPS : A.nnz;
        const uint64_t found = row_of(A.start + 1, 0, A.nrows, lane ? end - 1 : first);
        const uint64_t low = __shfl_sync(full_warp, found, 0),
                       high = __shfl_sync(full_warp, found, 31);
        for (uint64_t e = first + lane; e < end; e += 32) {
            const uint64_t u = of.row(row_of(A.start + 1, low, high, e)), v = of.col(A.index[e]);
            if (u == v)
                continue;
            const V value = A.values ? ((const V *)A.values)[e] : V(0);
            const uint64_t ends = sl_mirror_hash(key, u, v);
            const count_t hash = A.values ? sl_random(ends, bits_of(value)) : ends;
            own += u < v || is_nan(value) ? hash : 0 - hash;
        }
    }
    add_block_sum(sum, own);
}

cudaError_t sl_cuda_mirror_sum(const cuda_matrix_rows *A, sl_type type, const sl_local_blocks *rows,
                               const sl_local_blocks *cols, uint64_t key, unsigned long long *sum)
{
    const block_places of = rows ? block_places{false, *rows, *cols} : block_places{true};
#define CALL(V) launch(A->nnz / STEPS + 1, mirror_sum<V>, *A, of, key, (count_t *)sum)
    if (A->values && type == SL_FP32)
        return CALL(float);
    if (A->values && type == SL_FP64)
        return CALL(double);
    WITH_SIZE(A->values ? A->size : 1, CALL);
#undef CALL
}
