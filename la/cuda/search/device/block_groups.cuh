/*
 * Groups of blocks that run levels with a small frontier together, and how they exchange the number
 * of vertices that each has visited: one cluster, or one block for each multiprocessor of the
 * device. Before compute capability 9.0 there are no clusters; a single block replaces the cluster.
 */
#ifndef SEMLA_CUDA_BLOCK_GROUPS_CUH
#define SEMLA_CUDA_BLOCK_GROUPS_CUH

#include <cooperative_groups.h>

#include "cuda/runtime/async_copies.cuh"
#include "cuda/search/device/bfs_device.cuh"

/* Flag in the count of one block: targets_wanted targets are visited. */
#define SMALL_MET (1u << 30)

/* The counts of all blocks, for even and odd levels, and the barriers that count their arrival. */
struct small_counts {
    unsigned of[2][SMALL_BLOCKS];
    uint64_t arrived[2];
};

/*
 * Only counts are exchanged, without waiting for writes to device memory: parents and depths are
 * read after the launch, and visited bits are set by atomics that have returned. Two buffers
 * suffice: a block that has all counts of a level knows that all blocks have read those of the
 * level before.
 *
 * Interface of a group:
 *
 * announce(count, level)  when all threads of the block have called it, sends the block's count to
 *                         all blocks
 * await(level)            returns when the counts of all blocks are in of[level % 2] and the
 *                         block's copies to shared memory are complete
 * sync()                  barrier; afterwards all blocks see each other's writes to device memory
 */

/* ---- one cluster --------------------------------------------------------------------- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ inline unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}
#endif

struct cluster_group {
    small_counts *counts;
    unsigned size, rank;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    __device__ cluster_group(small_counts *c, uint32_t *) : counts(c), size(1), rank(0)
    {
    }
    __device__ void sync() const
    {
        __syncthreads();
    }
    __device__ void announce(const unsigned *count, unsigned level) const
    {
        __syncthreads();
        if (threadIdx.x == 0)
            counts->of[level % 2][0] = *count;
    }
    __device__ void await(unsigned) const
    {
        await_copies();
        __syncthreads();
    }
#else
    __device__ cluster_group(small_counts *c, uint32_t *)
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
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                shared_address(&counts->arrived[k])));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    /* Stores the count in the shared memory of each block, where a barrier counts the bytes. */
    __device__ void announce(const unsigned *count, unsigned level) const
    {
        const unsigned t = threadIdx.x, parity = level % 2;
        const unsigned arrived = shared_address(&counts->arrived[parity]);
        __syncthreads();
        if (t == 0)
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(arrived),
                         "r"((unsigned)sizeof *count * size)
                         : "memory");
        if (t < size) {
            unsigned to, barrier;
            asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                         : "=r"(to)
                         : "r"(shared_address(&counts->of[parity][rank])), "r"(t));
            asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                         : "=r"(barrier)
                         : "r"(arrived), "r"(t));
            asm volatile(
                "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                    to),
                "r"(*count), "r"(barrier)
                : "memory");
        }
        __syncwarp(); /* thread 0 clears the count next: after the others have read it */
    }
    __device__ void await(unsigned level) const
    {
        unsigned done = 0;
        await_copies();
        __syncthreads();
        while (!done)
            asm volatile("{\n\t.reg .pred p;\n\t"
                         "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(done)
                         : "r"(shared_address(&counts->arrived[level % 2])), "r"(level / 2 % 2)
                         : "memory");
    }
#elif !defined(__CUDA_ARCH__)
    __device__ void prepare() const
    {
    }
    __device__ void announce(const unsigned *count, unsigned level) const
    {
        const unsigned t = threadIdx.x;
        __syncthreads();
        if (t < size)
            *cooperative_groups::this_cluster().map_shared_rank(&counts->of[level % 2][rank], t) =
                *count;
        __syncwarp();
    }
    __device__ void await(unsigned) const
    {
        sync();
    }
#endif
};

/* ---- the whole device ------------------------------------------------------------------ */

/* Each block writes its count to the mailbox in device memory, with a bit that distinguishes it
 * from the count of two levels before, and polls the counts of all blocks. */
struct grid_group {
    small_counts *counts;
    uint32_t *mailbox; /* SMALL_BLOCKS for even levels, then as many for odd ones */
    unsigned size, rank;

    __device__ grid_group(small_counts *c, uint32_t *at)
        : counts(c), mailbox(at), size(gridDim.x), rank(blockIdx.x)
    {
        if (threadIdx.x < 2)
            mailbox[threadIdx.x * SMALL_BLOCKS + rank] = 0;
    }
    __device__ void sync() const
    {
        cooperative_groups::this_grid().sync();
    }
    __device__ static uint32_t phase_of(unsigned level)
    {
        return ~(level / 2) & 1;
    }
    __device__ volatile uint32_t *mail_of(unsigned level) const
    {
        return mailbox + level % 2 * SMALL_BLOCKS;
    }
    __device__ void announce(const unsigned *count, unsigned level) const
    {
        __syncthreads();
        if (threadIdx.x == 0)
            mail_of(level)[rank] = *count << 1 | phase_of(level);
    }
    __device__ void await(unsigned level) const
    {
        enum { EACH = SMALL_BLOCKS / 32 };
        if (threadIdx.x < 32) {
            uint32_t mail[EACH];
            bool arrived = false;
            while (!__all_sync(full_warp, arrived)) {
                arrived = true;
#pragma unroll
                for (int k = 0; k < EACH; k++) {
                    const unsigned other = threadIdx.x + 32 * k;
                    mail[k] = other < size ? mail_of(level)[other] : phase_of(level);
                }
#pragma unroll
                for (int k = 0; k < EACH; k++)
                    arrived &= (mail[k] & 1) == phase_of(level);
            }
#pragma unroll
            for (int k = 0; k < EACH; k++)
                counts->of[level % 2][threadIdx.x + 32 * k] = mail[k] >> 1;
        }
        await_copies();
        __syncthreads();
    }
};

#endif
