/*
 * Step counts between devices, and the barrier that they form.
 *
 * Where kernels can write to the other devices' outboxes (`direct`), the first block of each launch
 * stores this rank's step counts before every rank's outbox and then waits until every rank's step
 * counts are before its own. The round number is stored last, with release semantics at system scope,
 * and is read with acquire semantics: a reader that sees it also sees all that the rank wrote
 * before. Otherwise the host exchanges step counts between launches.
 */
#ifndef SEMLA_CUDA_GROUP_BARRIER_CUH
#define SEMLA_CUDA_GROUP_BARRIER_CUH

#include "cuda/search/device/bfs_passes.cuh"
#include "cuda/search/row/group_bfs_kernels.h"

/* A block's copy of the state, in shared memory. All blocks compute the same values from the same
 * counts. */
struct group_block_state {
    block_state block;
    group_bfs_state group; /* all members but `bfs`, which is block.now */
    step_counts counts[GROUP_MAX_RANKS];
    unsigned sent; /* the level's frontier is being sent already */
    unsigned lost; /* another rank did not answer */
};

__device__ inline void store_release(unsigned long long *to, unsigned long long value)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
#else
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
#endif
}

__device__ inline unsigned long long load_acquire(const unsigned long long *from)
{
    unsigned long long value;
#ifdef __CUDA_ARCH__
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
#else
    value = __atomic_load_n(from, __ATOMIC_ACQUIRE);
#endif
    return value;
}

/* Where rank `from` stores its step counts of a round before the outbox of rank `at`: double buffered by
 * the parity of the round, so that a faster rank never overwrites counts that a slower rank still
 * reads. */
__device__ inline step_counts *counts_slot(const group_bfs_params &s, uint32_t at, uint32_t from,
                                           count_t round)
{
    return (step_counts *)(s.peer[at] - GROUP_BARRIER_BYTES) + round % 2 * s.size + from;
}

/* Copies all ranks' step counts to shared memory, one thread per rank. */
__device__ inline void load_counts(const group_bfs_params &s, group_block_state *t, count_t round)
{
    const uint32_t q = threadIdx.x;
    if (q >= s.size)
        return;
    const step_counts *slot = s.direct ? counts_slot(s, s.rank, q, round) : s.received_counts + q;
    for (int k = 0; k < COUNT_PARTS; k++)
        t->counts[q].count[k] = s.direct ? __ldcg(slot->count + k) : slot->count[k];
}

/* Executed by the first block: thread q stores this rank's step counts before the outbox of rank q and
 * waits for rank q's. After timeout_ns it gives up and sets GROUP_TIMED_OUT. */
__device__ inline void exchange_counts(const group_bfs_params &s, const group_block_state *t)
{
    const uint32_t q = threadIdx.x;
    const count_t round = t->group.round;
    if (q >= s.size)
        return;
    step_counts *to = counts_slot(s, q, s.rank, round);
    for (int k = 0; k < COUNT_PARTS; k++)
        ((volatile unsigned long long *)to->count)[k] = t->group.own_counts.count[k];
    __threadfence_system();
    store_release(&to->round, round + 1);
    const step_counts *from = counts_slot(s, s.rank, q, round);
    const count_t began = device_clock();
    while (load_acquire(&from->round) != round + 1) {
        __nanosleep(20);
        if (device_clock() - began > s.timeout_ns) {
            s.state->stage = GROUP_TIMED_OUT;
            return;
        }
    }
}

/* A barrier of all devices, executed by all blocks after send(): what any rank sent before is
 * visible to all ranks after it, and each block has all ranks' step counts. Without `direct` the
 * host has brought the counts with this launch. False: another rank did not answer. */
__device__ inline bool device_barrier(const group_bfs_params &s, group_block_state *t)
{
    if (s.direct) {
        if (blockIdx.x == 0)
            exchange_counts(s, t);
        cooperative_groups::this_grid().sync();
        load_counts(s, t, t->group.round);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        t->lost = *(volatile group_bfs_stage *)&s.state->stage == GROUP_TIMED_OUT;
        t->group.round++;
        t->group.counts_received += s.size - 1;
    }
    __syncthreads();
    return !t->lost;
}

#endif
