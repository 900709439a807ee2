/*
 * A pull of a product over a pattern in the order of a reordered graph: the pull of searches, between a pass that makes
 * its bitmap of visited vertices from the mask, and one that writes the values of the vertices it found and counts
 * them.
 */
#include "cuda/data/frontier.cuh"
#include "cuda/products/pattern_product_kernels.h"
#include "cuda/search/device/pull.cuh"

/* The vertices of word w that need no parent: the mask forbids them, or they have no edges. */
__device__ static uint32_t settled(const cuda_pattern_params &s, uint32_t n, uint64_t w)
{
    const uint32_t none = 32 * w + 32 <= n ? 0 : 32 * w >= n ? ~0u : ~0u << n % 32;
    if (!s.mask || 32 * w >= s.n)
        return none;
    return none | (s.complement ? s.mask[w] : ~s.mask[w]);
}

__global__ static void settle(cuda_pattern_params s, uint32_t n, cuda_pull_scratch to,
                              uint64_t words, uint64_t all_words)
{
    for (uint64_t w = first_thread(); w < all_words; w += all_threads()) {
        if (w >= words) {
            s.bits[w] = 0;
            continue;
        }
        to.visited[w] = settled(s, n, w);
        if (to.parent_is_first)
            to.parent_is_first[w] = 0;
    }
    if (first_thread() == 0)
        *to.counts = bfs_counts{};
}

template <typename Offset>
__global__ static void __launch_bounds__(BFS_THREADS, BFS_BLOCKS_PER_SM)
    pull_level(bfs_params s, const uint32_t *frontier, uint32_t *found, bfs_counts *counts)
{
    __shared__ block_state block;
    if (threadIdx.x == 0)
        block.now.level = 0;
    __syncthreads();
    pull<Offset, true>(s, &block, frontier, found, counts);
}

/* id: the parent's, if values are ids. */
__device__ static void store_value(const cuda_pattern_params &s, void *to, uint64_t v, uint32_t id)
{
    if (!s.parents)
        memcpy((char *)to + v * s.size, &s.one, s.size);
    else
        put_integer({to, s.size == sizeof(int)}, v, id);
}

enum { FOUND_WORDS = 4 }; /* of a bitmap that a warp takes at once */

/* Writes the values of the found vertices, to pi too if there is one. All loads come before what depends on them. */
template <typename Offset>
__global__ static void write_found(cuda_pattern_params s, cuda_graph graph, cuda_pull_scratch from)
{
    const row_starts<Offset> rows(s.rows);
    const unsigned lane = threadIdx.x % 32;
    const uint64_t words = (graph.n + (uint64_t)31) / 32;
    count_t counted = 0;
    bool tall = false;
    for (uint64_t w = first_thread() / 32 * FOUND_WORDS; w < words;
         w += all_threads() / 32 * FOUND_WORDS) {
        const bool mine = lane < FOUND_WORDS && w + lane < words;
        const uint32_t own = mine ? s.bits[w + lane] : 0;
        const uint32_t firsts = own && s.parents ? from.parent_is_first[w + lane] : 0;
        if (own && s.pi_bits)
            s.pi_bits[w + lane] |= own;
        bool found[FOUND_WORDS];
        uint32_t id[FOUND_WORDS];
        count_t length[FOUND_WORDS];
#pragma unroll
        for (int k = 0; k < FOUND_WORDS; k++) {
            const uint32_t v = (uint32_t)(32 * (w + k)) + lane;
            const bool is_first = __shfl_sync(full_warp, firsts, k) >> lane & 1;
            found[k] = __shfl_sync(full_warp, own, k) >> lane & 1;
            id[k] = !found[k] || !s.parents ? 0 : is_first ? graph.slot[0][v] : from.parent[v];
            length[k] = found[k] ? row_length(rows, v) : 0;
        }
#pragma unroll
        for (int k = 0; k < FOUND_WORDS; k++)
            id[k] = found[k] && s.parents ? __ldg(s.old_id + id[k]) : 0;
#pragma unroll
        for (int k = 0; k < FOUND_WORDS; k++) {
            const uint64_t v = 32 * (w + k) + lane;
            if (found[k])
                store_value(s, s.values, v, id[k]);
            if (found[k] && s.pi_bits)
                store_value(s, s.pi_values, v, id[k]);
            counted += ((count_t)found[k] << s.report.edge_bits) + length[k];
            tall |= length[k] > FRONTIER_SHORT_ROW;
        }
    }
    add_to_report(s.report, counted, tall);
    if (first_thread() == 0)
        s.report.counter->seen = from.counts->examined;
    report(s.report);
}

cudaError_t sl_cuda_pattern_pull_reordered(const cuda_pattern_params *s, const cuda_graph *graph,
                                           const cuda_pull_scratch *scratch,
                                           const uint32_t *frontier, uint64_t words,
                                           uint32_t hub_words)
{
    const uint32_t searched = sl_cuda_bfs_words(graph->n);
    bfs_params p = {};
    p.graph = *graph;
    p.options.hub_words = hub_words;
    p.work.words = searched;
    p.work.visited = scratch->visited;
    p.work.prev_visited = scratch->previous;
    p.work.parent = scratch->parent;
    p.work.parent_is_first = scratch->parent_is_first;
    const uint64_t all_words = words > searched ? words : searched;
    LAUNCH_TRY(launch(all_words, settle, *s, graph->n, *scratch, (uint64_t)searched, all_words));
    return launch_blocks({cuda_processors() * BFS_BLOCKS_PER_SM, BFS_THREADS},
                         graph->wide ? pull_level<uint64_t> : pull_level<uint32_t>, p, frontier,
                         s->bits, scratch->counts);
}

cudaError_t sl_cuda_pattern_write_found(const cuda_pattern_params *s, const cuda_graph *graph,
                                        const cuda_pull_scratch *scratch)
{
    return launch(graph->n / FOUND_WORDS,
                  graph->wide ? write_found<uint64_t> : write_found<uint32_t>, *s, *graph,
                  *scratch);
}
