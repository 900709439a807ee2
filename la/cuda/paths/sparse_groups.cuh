/*
 * Groups of blocks that run iterations of sparse_paths.cu together: one cluster, which exchanges
 * counts and vertices through distributed shared memory, or one block for each multiprocessor of the
 * device, which does so through device memory. Before compute capability 9.0 there are no clusters;
 * a single block replaces the cluster.
 *
 * Interface of a group:
 *
 * list_size          vertices of a frontier that a block has room for in shared memory
 * block_of(s, k)     the shared memory of the block to which warp k of this block (shared memory s)
 *                    appends vertices
 * leaves(found)      whether a frontier of so many vertices is for the other group
 * exchange(s, pass)  barrier at the end of an iteration; afterwards all blocks see each other's
 *                    writes; returns the counts of all blocks
 * sync()             barrier
 */
#ifndef SEMLA_CUDA_SPARSE_GROUPS_CUH
#define SEMLA_CUDA_SPARSE_GROUPS_CUH

#include <cooperative_groups.h>

#include "cuda/paths/lengths.cuh"
#include "cuda/paths/sparse_paths_kernels.h"

/* What a block reports at the end of an iteration, and the totals over blocks. */
struct sparse_report {
    count_t best;            /* of the far vertices: an inverted key (ordered_key.cuh), 0: none */
    unsigned found, spilled; /* vertices of the next frontier; how many are in device memory */
};
struct sparse_total {
    count_t found, spilled, best;
};

/* Shared memory of a block. */
struct sparse_block {
    uint32_t near[2][SPARSE_LIST];     /* its parts of the frontier and of the next one, by turns */
    uint32_t far[SPARSE_FAR];          /* its part of the far list */
    unsigned near_count[2], far_count; /* may exceed the room: the rest is in device memory */
    unsigned found[2], spilled[2];     /* appended by this block in even and odd iterations */
    count_t best;                      /* of the far vertices that it appended */
    sparse_report reports[2][SPARSE_CLUSTER];
    sparse_total total;
};

__device__ inline count_t max_of_warp(count_t x)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t other = __shfl_xor_sync(full_warp, x, offset);
        x = other > x ? other : x;
    }
    return x;
}

/* The sum over a warp, in all lanes. */
__device__ inline count_t total_of_warp(count_t x)
{
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_xor_sync(full_warp, x, offset);
    return x;
}

/* The block's report; clears what the next iteration adds to. By all threads. */
__device__ inline sparse_report report_of(sparse_block &s, unsigned pass)
{
    __syncthreads();
    const sparse_report report = {s.best, s.found[pass % 2], s.spilled[pass % 2]};
    if (threadIdx.x == 0)
        s.near_count[pass % 2] = s.found[(pass + 1) % 2] = s.spilled[(pass + 1) % 2] = 0;
    return report;
}

/* ---- one cluster -------------------------------------------------------------------------- */

struct sparse_cluster {
    static constexpr unsigned list_size = SPARSE_LIST;
    unsigned size, rank;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    __device__ explicit sparse_cluster(sparse_paths_state *) : size(1), rank(0)
    {
    }
    __device__ void sync() const
    {
        __syncthreads();
    }
    __device__ sparse_block &block_of(sparse_block &s, unsigned) const
    {
        return s;
    }
#else
    __device__ explicit sparse_cluster(sparse_paths_state *)
        : size(cooperative_groups::this_cluster().num_blocks()),
          rank(cooperative_groups::this_cluster().block_rank())
    {
    }
    __device__ void sync() const
    {
        cooperative_groups::this_cluster().sync();
    }
    __device__ sparse_block &block_of(sparse_block &s, unsigned k) const
    {
        return *cooperative_groups::this_cluster().map_shared_rank(&s, (rank + k) % size);
    }
#endif
    __device__ bool leaves(count_t found) const
    {
        return found > (count_t)size * SPARSE_MOST;
    }
    __device__ count_t first_thread() const
    {
        return (count_t)rank * SPARSE_THREADS + threadIdx.x;
    }
    __device__ count_t all_threads() const
    {
        return (count_t)size * SPARSE_THREADS;
    }
    /* Reports are stored in the shared memory of each block. Two sets suffice: a block that has all
     * reports of an iteration knows that all blocks have read those of the one before. */
    __device__ sparse_total exchange(sparse_block &s, unsigned pass) const
    {
        const sparse_report mine = report_of(s, pass);
        if (threadIdx.x < size)
            block_of(s, threadIdx.x).reports[pass % 2][rank] = mine;
        sync();
        const unsigned lane = threadIdx.x % 32;
        const sparse_report other = lane < size ? s.reports[pass % 2][lane] : sparse_report{};
        return {sum_of_warp(other.found), sum_of_warp(other.spilled), max_of_warp(other.best)};
    }
};

/* ---- the whole device --------------------------------------------------------------------- */

struct sparse_grid {
    static constexpr unsigned list_size = 0;
    sparse_paths_state *state;
    unsigned rank;

    __device__ explicit sparse_grid(sparse_paths_state *at) : state(at), rank(blockIdx.x)
    {
    }
    __device__ void sync() const
    {
        cooperative_groups::this_grid().sync();
    }
    __device__ sparse_block &block_of(sparse_block &s, unsigned) const
    {
        return s;
    }
    __device__ bool leaves(count_t found) const
    {
        return found > 0 && found < SPARSE_MOST;
    }
    __device__ count_t first_thread() const
    {
        return ::first_thread();
    }
    __device__ count_t all_threads() const
    {
        return ::all_threads();
    }
    __device__ sparse_total exchange(sparse_block &s, unsigned pass) const
    {
        unsigned long long(*reports)[SPARSE_BLOCKS] = state->reports[pass % 2];
        const sparse_report mine = report_of(s, pass);
        if (threadIdx.x == 0) {
            reports[0][rank] = mine.best;
            reports[1][rank] = mine.found;
            reports[2][rank] = mine.spilled;
        }
        sync();
        if (threadIdx.x < 32) {
            count_t best = 0, found = 0, spilled = 0;
            for (unsigned k = threadIdx.x; k < gridDim.x; k += 32) {
                const count_t other = __ldcg(&reports[0][k]);
                best = other > best ? other : best;
                found += __ldcg(&reports[1][k]);
                spilled += __ldcg(&reports[2][k]);
            }
            found = total_of_warp(found);
            spilled = total_of_warp(spilled);
            best = max_of_warp(best);
            if (threadIdx.x == 0)
                s.total = {found, spilled, best};
        }
        __syncthreads();
        return s.total;
    }
};

#endif
