/*
 * A pull of a product over a pattern in the order of a reordered graph: the pull of searches, between a pass that makes
 * its bitmap of visited vertices from the mask, and one that writes the values of the vertices it found and counts
 * them.
 */
#include "cuda/data/frontier.cuh"
#include "cuda/products/pattern_product_kernels.h"
#include "cuda/search/device/pull.cuh"

/* The vertices of word w that need no parent: those that the mask forbids, and those without edges. */
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

__device__ static void store_value(const cuda_pattern_params &s, uint64_t v, uint32_t parent)
{
    if (!s.parents)
        memcpy((char *)s.values + v * s.size, &s.one, s.size);
    else
        put_integer({s.values, s.size == sizeof(int)}, v, __ldg(s.old_id + parent));
}

/* Writes the values of the found vertices. */
template <typename Offset>
__global__ static void write_found(cuda_pattern_params s, cuda_graph graph, cuda_pull_scratch from)
{
    const row_starts<Offset> rows(s.rows);
    count_t counted = 0;
    bool tall = false;
    FOR_EACH_WORD(graph.n)
    {
        if (!(__ldg(s.bits + w) >> lane & 1))
            continue;
        const bool is_first = s.parents && from.parent_is_first[w] >> lane & 1;
        const count_t length = row_length(rows, (uint32_t)v);
        store_value(s, v, !s.parents ? 0 : is_first ? graph.slot[0][v] : from.parent[v]);
        counted += ((count_t)1 << s.report.edge_bits) + length;
        tall |= length > FRONTIER_SHORT_ROW;
    }
    counted = warp_sum(counted);
    if (threadIdx.x % 32 == 0 && counted)
        atomicAdd(&s.report.counter->next, counted);
    if (tall)
        s.report.counter->tall = 1;
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
    LAUNCH_TRY(launch_blocks({cuda_processors() * BFS_BLOCKS_PER_SM, BFS_THREADS},
                             graph->wide ? pull_level<uint64_t> : pull_level<uint32_t>, p, frontier,
                             s->bits, scratch->counts));
    return launch(graph->n, graph->wide ? write_found<uint64_t> : write_found<uint32_t>, *s, *graph,
                  *scratch);
}
