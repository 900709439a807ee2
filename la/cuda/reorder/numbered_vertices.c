/*
 * The numbered vertices: the caller's vertices that have a new id, compacted in the caller's order
 * (graph_view.h). The pass that writes a search's results reads these arrays sequentially instead
 * of all of the caller's vertices, many of which have no edges.
 *
 * Steps: one kernel marks the vertices in a bitmap and counts them per word, CUB sums the counts,
 * and a second kernel writes the compacted arrays. O(old_n).
 */
#include "reorder_kernels.h"
#include "reordered_graph.h"
#include "sorting.h"

static sl_status did(sl_context *ctx, const char *what, cudaError_t error)
{
    return sl_cuda_status(ctx, what, error);
}

/* Writes the exclusive prefix sums of the first `words` counts behind them. */
static sl_status sum(sl_context *ctx, uint32_t *counts, uint64_t words)
{
    cuda_arena arena = {0};
    sl_status status = sl_cuda_sum_words(ctx, &arena, counts + words, counts, (uint32_t)words);
    sl_cuda_arena_release(&arena);
    return status;
}

static sl_status fill(sl_context *ctx, cuda_reordered_graph *graph, uint32_t old_n,
                      uint32_t *counts)
{
    const uint64_t words = cuda_words(old_n);
    CUDA_TRY(did(ctx, "kernel mark_numbered",
                 sl_cuda_mark_numbered(graph->numbered, counts, graph->new_id, old_n,
                                       cuda_processors(), cuda_stream())));
    CUDA_TRY(sum(ctx, counts, words));
    return did(ctx, "kernel fill_numbered",
               sl_cuda_fill_numbered(graph->numbered, graph->numbered_new_id, graph->numbered_first,
                                     counts + words, graph->new_id, graph->slot[0], graph->old_id,
                                     graph->tree_parent, old_n, cuda_processors(), cuda_stream()));
}

sl_status sl_cuda_index_numbered(sl_context *ctx, cuda_reordered_graph *graph, uint32_t old_n,
                                 uint64_t numbered_n)
{
    const uint64_t words = cuda_words(old_n),
                   room = numbered_n + 3; /* kernels read them in groups of four */
    uint32_t *counts;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&graph->numbered, words * sizeof *graph->numbered));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&graph->numbered_new_id,
                           room * sizeof *graph->numbered_new_id));
    CUDA_TRY(
        sl_cuda_alloc(ctx, (void **)&graph->numbered_first, room * sizeof *graph->numbered_first));
    CUDA_TRY(
        sl_cuda_zero(ctx, graph->numbered_new_id + numbered_n, 3 * sizeof *graph->numbered_new_id));
    CUDA_TRY(
        sl_cuda_zero(ctx, graph->numbered_first + numbered_n, 3 * sizeof *graph->numbered_first));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&counts, 2 * words * sizeof *counts));
    sl_status status = words ? fill(ctx, graph, old_n, counts) : SL_OK;
    sl_cuda_free(counts);
    return status;
}
