/*
 * Private to narrow.cu: the blocks that share narrow steps, and how they tell each other what
 * they found: those of one cluster, or one for each multiprocessor of the device. Before
 * compute capability 9.0 there are no clusters, and one block takes a cluster's new_id.
 */
#ifndef SEMLA_CUDA_NARROW_CUH
#define SEMLA_CUDA_NARROW_CUH

#include <cooperative_groups.h>

#include "search.cuh"

/* With the number of one block: the search has met as many targets as end it. */
#define SMALL_MET (1u << 30)

/* What each block has found, in turns, and the barriers that wait for those. */
struct narrow_counts {
    unsigned of[2][SMALL_BLOCKS];
    uint64_t came[2];
};

/* The thread's copies to shared memory have come. */
__device__ inline void await_copies()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/*
 * Numbers alone are exchanged, without waiting for what was written to the device's memory: that
 * is read after the launch, and visited bits are set by atomics that have returned. Two buffers
 * are enough: who has all numbers of a step knows that everyone has those of the one before.
 *
 * A team is as follows: announce() sends the block's number to all, when all of its threads
 * have come there; after await() all numbers of that step are in of[step % 2], and what the
 * block's threads copied is there. sync() is a barrier after which everyone sees what the others
 * wrote.
 */

/* ---- one cluster --------------------------------------------------------------------- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ inline unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}
#endif

struct cluster_team {
    narrow_counts *counts;
    unsigned size, rank;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    __device__ cluster_team(narrow_counts *c, uint32_t *) : counts(c), size(1), rank(0)
    {
    }
    __device__ void sync() const
    {
        __syncthreads();
    }
    __device__ void announce(const unsigned *number, unsigned step) const
    {
        __syncthreads();
        if (threadIdx.x == 0)
            counts->of[step % 2][0] = *number;
    }
    __device__ void await(unsigned) const
    {
        await_copies();
        __syncthreads();
    }
#else
    __device__ cluster_team(narrow_counts *c, uint32_t *)
        : counts(c), size(cooperative_groups::this_cluster().num_blocks()),
          rank(cooperative_groups::this_cluster().block_rank())
    {
        prepare();
    }
    __device__ void sync() const
    {
        cooperative_groups::this_cluster().sync();
    }
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __device__ void prepare() const
    {
        if (threadIdx.x != 0)
            return;
        for (int k = 0; k < 2; k++)
            asm volatile(
                "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&counts->came[k])));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    /* The number is stored in each block and noted by a barrier there. */
    __device__ void announce(const unsigned *number, unsigned step) const
    {
        const unsigned t = threadIdx.x, turn = step % 2;
        const unsigned came = shared_address(&counts->came[turn]);
        __syncthreads();
        if (t == 0)
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(came),
                         "r"((unsigned)sizeof *number * size)
                         : "memory");
        if (t < size) {
            unsigned to, barrier;
            asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                         : "=r"(to)
                         : "r"(shared_address(&counts->of[turn][rank])), "r"(t));
            asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                         : "=r"(barrier)
                         : "r"(came), "r"(t));
            asm volatile(
                "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                    to),
                "r"(*number), "r"(barrier)
                : "memory");
        }
        __syncwarp(); /* the first thread, which empties the number next, after who reads it */
    }
    __device__ void await(unsigned step) const
    {
        unsigned done = 0;
        await_copies();
        __syncthreads();
        while (!done)
            asm volatile("{\n\t.reg .pred p;\n\t"
                         "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(done)
                         : "r"(shared_address(&counts->came[step % 2])), "r"(step / 2 % 2)
                         : "memory");
    }
#elif !defined(__CUDA_ARCH__)
    __device__ void prepare() const
    {
    }
    __device__ void announce(const unsigned *number, unsigned step) const
    {
        const unsigned t = threadIdx.x;
        __syncthreads();
        if (t < size)
            *cooperative_groups::this_cluster().map_shared_rank(&counts->of[step % 2][rank], t) =
                *number;
        __syncwarp();
    }
    __device__ void await(unsigned) const
    {
        sync();
    }
#endif
};

/* ---- the whole device ------------------------------------------------------------------ */

/* Each block posts its numbers in the device's memory, with a bit that tells one step's from
 * those of two steps before, and looks at all others' until they have come. */
struct grid_team {
    narrow_counts *counts;
    uint32_t *posts; /* SMALL_BLOCKS, in turns */
    unsigned size, rank;

    __device__ grid_team(narrow_counts *c, uint32_t *at)
        : counts(c), posts(at), size(gridDim.x), rank(blockIdx.x)
    {
        if (threadIdx.x < 2)
            posts[threadIdx.x * SMALL_BLOCKS + rank] = 0;
    }
    __device__ void sync() const
    {
        cooperative_groups::this_grid().sync();
    }
    __device__ static uint32_t bit_of(unsigned step)
    {
        return ~(step / 2) & 1;
    }
    __device__ volatile uint32_t *posts_of(unsigned step) const
    {
        return posts + step % 2 * SMALL_BLOCKS;
    }
    __device__ void announce(const unsigned *number, unsigned step) const
    {
        __syncthreads();
        if (threadIdx.x == 0)
            posts_of(step)[rank] = *number << 1 | bit_of(step);
    }
    __device__ void await(unsigned step) const
    {
        enum { EACH = SMALL_BLOCKS / 32 };
        if (threadIdx.x < 32) {
            uint32_t post[EACH];
            bool come = false;
            while (!__all_sync(full_warp, come)) {
                come = true;
#pragma unroll
                for (int k = 0; k < EACH; k++) {
                    const unsigned other = threadIdx.x + 32 * k;
                    post[k] = other < size ? posts_of(step)[other] : bit_of(step);
                }
#pragma unroll
                for (int k = 0; k < EACH; k++)
                    come &= (post[k] & 1) == bit_of(step);
            }
#pragma unroll
            for (int k = 0; k < EACH; k++)
                counts->of[step % 2][threadIdx.x + 32 * k] = post[k] >> 1;
        }
        await_copies();
        __syncthreads();
    }
};

#endif
