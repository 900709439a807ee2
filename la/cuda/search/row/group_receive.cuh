/*
 * Receiving the ranks' frontiers: as the bitmap that a pull tests, or as the queue that a push
 * takes its edges from.
 */
#ifndef SEMLA_CUDA_GROUP_RECEIVE_CUH
#define SEMLA_CUDA_GROUP_RECEIVE_CUH

#include "cuda/search/row/group_send.cuh"

/* Whether rank q sent a list. Where the host exchanges data, all ranks send the same form, chosen
 * by the longest list. */
__device__ inline bool is_list(const group_bfs_params &s, const group_block_state *t, uint32_t q)
{
    return (s.direct ? t->counts[q].count[COUNT_VERTICES] : t->group.max_found) <= s.list_max;
}

/* The number of ranks that sent a list. */
__device__ inline uint32_t lists(const group_bfs_params &s, const group_block_state *t)
{
    uint32_t count = 0;
    for (uint32_t q = 0; q < s.size; q++)
        count += is_list(s, t, q);
    return count;
}

/* Combines the ranks' bitmaps that the host brought. */
__device__ inline void read_bitmaps(const group_bfs_params &s, group_block_state *t,
                                    uint32_t *bitmap)
{
    const uint32_t groups = s.own.work.words / 4, line = GROUP_LINE / 128;
    for (uint32_t q = 0; q < s.size; q++) {
        const uint32_t *part = list_of(s, s.rank, q, t->group.round - 1);
        for (uint64_t g = first_thread(); g < groups; g += all_threads())
            ((uint4 *)bitmap)[(g / line * s.size + q) * line + g % line] = load_group(part, g);
    }
}

/* The length of rank q's list; 0 if it sent a bitmap. */
__device__ inline count_t list_length(const group_bfs_params &s, const group_block_state *t,
                                      uint32_t q)
{
    return is_list(s, t, q) ? t->counts[q].count[COUNT_VERTICES] : 0;
}

/* The total length of the lists. */
__device__ inline count_t total_list_length(const group_bfs_params &s, const group_block_state *t)
{
    count_t sum = 0;
    for (uint32_t q = 0; q < s.size; q++)
        sum += list_length(s, t, q);
    return sum;
}

/* Entry k of the concatenated lists, as a source id. The own list comes first. */
__device__ inline uint32_t listed(const group_bfs_params &s, const group_block_state *t, count_t k)
{
    uint32_t q = s.rank;
    for (; k >= list_length(s, t, q); q = q + 1 < s.size ? q + 1 : 0)
        k -= list_length(s, t, q);
    return __ldcg(list_of(s, s.rank, q, t->group.round - 1) + k);
}

/* Clears the lines of ranks that sent a list. */
__device__ inline void clear_list_ranks(const group_bfs_params &s, const group_block_state *t,
                                        uint32_t *bitmap)
{
    const uint32_t line = GROUP_LINE / 128;
    for (uint64_t g = first_thread(); g < s.memory.bitmap_words / 4; g += all_threads())
        if (is_list(s, t, g / line % s.size))
            ((uint4 *)bitmap)[g] = uint4{};
}

/* Sets the bits of all list entries; one entry per thread. */
__device__ inline void set_list_bits(const group_bfs_params &s, group_block_state *t,
                                     uint32_t *bitmap)
{
    const count_t all = total_list_length(s, t);
    for (count_t k = first_thread(); k < all; k += all_threads()) {
        uint32_t u = listed(s, t, k);
        atomicOr(bitmap + u / 32, 1u << u % 32);
    }
}

/* The frontier of all ranks as a bitmap. Barriers of the grid separate the passes that clear and
 * set bits from each other and from the level that reads them. */
__device__ inline const uint32_t *frontier_bitmap(const group_bfs_params &s, group_block_state *t)
{
    uint32_t *bitmap = bitmap_of(s, s.rank, t->group.round - 1);
    const uint32_t listed = lists(s, t);
    if (listed > 0) {
        clear_list_ranks(s, t, bitmap);
        cooperative_groups::this_grid().sync();
        set_list_bits(s, t, bitmap);
    } else if (!s.direct) {
        read_bitmaps(s, t, bitmap);
    }
    if (listed > 0 || !s.direct)
        cooperative_groups::this_grid().sync();
    return bitmap;
}

/* Appends to the queue the list entries that have edges here, with the running sum of their degrees, and adds own
 * vertices to prev_visited. One entry per thread. */
template <typename Offset>
__device__ inline void queue_lists(const group_bfs_params &s, group_block_state *t,
                                   bfs_counts *counts)
{
    const count_t all = total_list_length(s, t);
    for (count_t first = first_thread() / 32 * 32; first < all; first += all_threads()) {
        count_t k = first + threadIdx.x % 32, at, sum;
        uint32_t u = k < all ? listed(s, t, k) : 0;
        Offset degree = k < all ? degree_of<Offset>(s.own.graph, u) : 0;
        if (k < all && owner_of(s, u) == s.rank)
            atomicOr(s.own.work.prev_visited + vertex_of(s, u) / 32, 1u << vertex_of(s, u) % 32);
        reserve(counts, degree > 0, degree, &at, &sum);
        if (degree > 0) {
            s.own.work.queue[at] = u;
            s.own.work.ends[at] = sum + degree;
        }
    }
}

#endif
