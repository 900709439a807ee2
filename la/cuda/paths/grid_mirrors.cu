/* Whether every edge of a grid's matrix has a mirror edge of the same value, by sums of hashes. */
#include <semla/random.h>

#include "cuda/paths/grid_block_kernels.h"
#include "cuda/runtime/common.cuh"

/* A number that depends on an edge and on the bits of its value. */
__device__ static count_t hash_of(uint64_t ends, uint64_t value)
{
    return sl_random(sl_random(ends, 0) ^ value, 0);
}

template <typename V>
__global__ static void mirror_sum(const __grid_constant__ grid_block_edges A, count_t *sum)
{
    count_t own = 0;
    for (uint64_t e = first_thread(); e < A.nnz; e += all_threads()) {
        const uint64_t u = sl_global_index(&A.rows, row_of_entry(A.start, A.nrows, e)),
                       v = sl_global_index(&A.cols, A.index[e]);
        if (u == v)
            continue;
        const uint64_t ends = u < v ? u << 32 | v : v << 32 | u;
        const count_t hash = hash_of(ends, A.values ? ((const V *)A.values)[e] : 0);
        own += u < v ? hash : 0 - hash;
    }
    add_block_sum(sum, own);
}

cudaError_t sl_cuda_grid_mirror_sum(const grid_block_edges *A, unsigned long long *sum)
{
#define CALL(V) launch(A->nnz, mirror_sum<V>, *A, (count_t *)sum)
    WITH_SIZE(A->size, CALL);
#undef CALL
}
