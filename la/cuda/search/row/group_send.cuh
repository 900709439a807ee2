/*
 * Sending a level's frontier: as a list of source ids if it has at most list_max vertices,
 * otherwise as a bitmap. With `direct`, kernels store both into every rank's outbox; otherwise they
 * leave a list in this rank's outbox and a bitmap in own.work.next_frontier, for the host to exchange.
 */
#ifndef SEMLA_CUDA_GROUP_SEND_CUH
#define SEMLA_CUDA_GROUP_SEND_CUH

#include "cuda/search/row/group_barrier.cuh"

/* The source id of vertex new_id of a rank: lines of GROUP_LINE ids of all ranks alternate
 * (partition.h). */
__device__ inline uint32_t source_id(const group_bfs_params &s, uint32_t new_id, uint32_t rank)
{
    return (new_id / GROUP_LINE * s.size + rank) * GROUP_LINE + new_id % GROUP_LINE;
}

/* The owner of a source id, and its vertex there. */
__device__ inline uint32_t owner_of(const group_bfs_params &s, uint32_t id)
{
    return id / GROUP_LINE % s.size;
}

__device__ inline uint32_t vertex_of(const group_bfs_params &s, uint32_t id)
{
    return id / GROUP_LINE / s.size * GROUP_LINE + id % GROUP_LINE;
}

/* The bitmap, and below the lists, that are sent in a round and read after it; in the outbox of rank
 * `at`. */
__device__ inline uint32_t *bitmap_of(const group_bfs_params &s, uint32_t at, count_t round)
{
    return (uint32_t *)s.peer[at] + round % 2 * s.memory.bitmap_words;
}

/* The list of rank `from`; where the host exchanges data, its frontier in either form. */
__device__ inline uint32_t *list_of(const group_bfs_params &s, uint32_t at, uint32_t from,
                                    count_t round)
{
    return (uint32_t *)(s.peer[at] + s.memory.lists) +
           (round % 2 * s.size + from) * (uint64_t)s.memory.list_capacity;
}

/* Writes the vertices of bitmap word w as list entries number `at` and following: to every rank's
 * outbox, or to its own. */
__device__ inline void write_entries(const group_bfs_params &s, const group_block_state *t,
                                     uint32_t w, uint32_t bits, count_t at)
{
    for (uint32_t left = bits; left; left &= left - 1, at++) {
        uint32_t id = source_id(s, 32 * w + __ffs(left) - 1, s.rank);
        for (uint32_t k = s.direct ? 0 : s.rank; k < (s.direct ? s.size : s.rank + 1); k++)
            list_of(s, k, s.rank, t->group.round)[at] = id;
    }
}

/* Sends the vertices that a push's warp visited (bits of `won` of each lane) as list entries, with the
 * sum of their degrees. */
template <typename Offset>
__device__ inline void send_found(const group_bfs_params &s, const group_block_state *t,
                                  bfs_counts *counts, const uint32_t *v, unsigned won)
{
    const Offset *in = (const Offset *)s.own.graph.in_start;
    count_t degrees = 0, at, sum;
    if (!__any_sync(full_warp, won))
        return;
#pragma unroll
    for (int i = 0; i < PUSH_EDGES_PER_LANE; i++)
        degrees += won >> i & 1 ? in[v[i] + 1] - in[v[i]] : 0;
    reserve(counts, __popc(won), degrees, &at, &sum);
#pragma unroll
    for (int i = 0; i < PUSH_EDGES_PER_LANE; i++)
        if (won >> i & 1)
            write_entries(s, t, v[i] / 32, 1u << v[i] % 32, at++);
}

/* One bitmap word per thread. A warp reserves room in the list for all its vertices with one atomic
 * addition, as `reserve` does. */
__device__ inline void send_list(const group_bfs_params &s, const group_block_state *t,
                                 bfs_counts *counts)
{
    const uint32_t words = s.own.work.words;
    for (uint64_t first = first_thread() / 32 * 32; first < words; first += all_threads()) {
        uint64_t w = first + threadIdx.x % 32;
        uint32_t bits = w < words ? __ldcg(s.own.work.next_frontier + w) : 0;
        count_t at, sum;
        if (!__any_sync(full_warp, bits))
            continue;
        reserve(counts, __popc(bits), 0, &at, &sum);
        write_entries(s, t, w, bits, at);
    }
}

/* Stores the bitmap into every rank's outbox, where lines of all ranks alternate. A thread takes
 * four words and stores 16 bytes to each rank, beginning with the next rank, so that not all ranks
 * write to the same one. */
__device__ inline void send_bitmap(const group_bfs_params &s, const group_block_state *t)
{
    const uint32_t groups = s.own.work.words / 4, line = GROUP_LINE / 128;
    for (uint64_t g = first_thread(); g < groups; g += all_threads()) {
        uint4 bits = load_group(s.own.work.next_frontier, g);
        uint64_t to = (g / line * s.size + s.rank) * line + g % line;
        for (uint32_t k = 1; k <= s.size; k++) {
            uint32_t q = s.rank + k < s.size ? s.rank + k : s.rank + k - s.size;
            ((uint4 *)bitmap_of(s, q, t->group.round))[to] = bits;
        }
    }
}

/* Ends a pass that sends: the fence makes the block's stores to other devices visible before its
 * first thread arrives at the grid's barrier, and therefore before the step counts are stored. */
__device__ inline bfs_counts *end_send_pass(const group_bfs_params &s, group_block_state *t)
{
    __syncthreads();
    if (threadIdx.x == 0 && s.direct && s.size > 1)
        __threadfence_system();
    return grid_barrier(s.own, &t->block);
}

/* Sends the frontier that the level found, unless it is being sent already. */
__device__ inline bfs_counts *send(const group_bfs_params &s, group_block_state *t,
                                   bfs_counts *counts)
{
    __syncthreads();
    if (t->sent)
        return counts;
    if (t->group.own_counts.count[COUNT_VERTICES] > s.list_max) {
        if (s.direct)
            send_bitmap(s, t);
    } else {
        send_list(s, t, counts);
    }
    return end_send_pass(s, t);
}

#endif
