/*
 * A pull of a product over a pattern in the order of a reordered graph: the pull of searches, after a pass that makes
 * its bitmap of visited vertices from the mask.
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
    }
    if (first_thread() == 0)
        *to.counts = bfs_counts{};
}

/* Reports what it found, and that some row may be long, as a push lists the vertices and their rows again. */
template <typename Offset>
__global__ static void __launch_bounds__(BFS_THREADS, BFS_BLOCKS_PER_SM)
    pull_level(bfs_params s, const uint32_t *frontier, uint32_t *found, bfs_counts *counts,
               cuda_report report)
{
    __shared__ block_state block;
    if (threadIdx.x == 0)
        block.now.level = 0;
    __syncthreads();
    pull<Offset, true>(s, &block, frontier, found, counts);
    if (is_last_block(&report.counter->ticket) && threadIdx.x == 0)
        send_counts(
            report,
            {{__ldcg(&counts->vertices), __ldcg(&counts->edges)}, 1, 0, __ldcg(&counts->examined)});
}

cudaError_t sl_cuda_pattern_pull_reordered(const cuda_pattern_params *s, const cuda_graph *graph,
                                           const cuda_pull_scratch *scratch,
                                           const uint32_t *frontier, uint64_t words,
                                           uint32_t hub_words)
{
    const uint32_t searched = sl_cuda_bfs_words(graph->n);
    bfs_params p = {};
    p.graph = *graph;
    if (s->rows.start)
        p.graph.word_degree = NULL; /* edges are counted exactly */
    p.options.hub_words = hub_words;
    p.work.words = searched;
    p.work.visited = scratch->visited;
    p.work.prev_visited = scratch->previous;
    p.work.parent = scratch->parent;
    const uint64_t all_words = words > searched ? words : searched;
    LAUNCH_TRY(launch(all_words, settle, *s, graph->n, *scratch, (uint64_t)searched, all_words));
    return launch_blocks({cuda_processors() * BFS_BLOCKS_PER_SM, BFS_THREADS},
                         graph->wide ? pull_level<uint64_t> : pull_level<uint32_t>, p, frontier,
                         s->bits, scratch->counts, s->report);
}
