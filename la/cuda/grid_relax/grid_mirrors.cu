/* Whether every edge of a grid's matrix has a mirror edge of the same value, by sums of hashes. */
#include "common.cuh"
#include "grid_mirrors_kernels.h"

/* A permutation of 64-bit numbers in which every bit depends on all bits (splitmix64: Steele, Lea, Flood 2014). */
__device__ static uint64_t mixed(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The bits of value e. */
__device__ static uint64_t bits_of(const grid_whole_rows &A, uint64_t e)
{
    if (!A.values)
        return 0;
    switch (A.size) {
    case 1:
        return ((const uint8_t *)A.values)[e];
    case 2:
        return ((const uint16_t *)A.values)[e];
    case 4:
        return ((const uint32_t *)A.values)[e];
    default:
        return ((const uint64_t *)A.values)[e];
    }
}

__global__ static void mirror_sum(const __grid_constant__ grid_whole_rows A, count_t *sum)
{
    count_t own = 0;
    for (uint64_t e = first_thread(); e < A.nnz; e += all_threads()) {
        const uint64_t u = A.first + row_of_entry(A.start, A.rows, e), v = A.index[e];
        if (u == v)
            continue;
        const uint64_t ends = u < v ? u << 32 | v : v << 32 | u;
        const count_t hash = mixed(mixed(ends) ^ bits_of(A, e));
        own += u < v ? hash : 0 - hash;
    }
    add_block_sum(sum, own);
}

cudaError_t sl_cuda_grid_mirror_sum(const grid_whole_rows *A, unsigned long long *sum,
                                    unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned blocks = grid_of(A->nnz, multiprocessors * CUDA_BLOCKS_PER_SM);
    mirror_sum<<<blocks, CUDA_THREADS, 0, stream>>>(*A, (count_t *)sum);
    return cudaGetLastError();
}
