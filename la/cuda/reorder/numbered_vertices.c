/*
 * The numbered vertices: the caller's vertices that have a new id, compacted in the caller's order
 * (graph_view.h). The pass that writes a search's results reads these arrays sequentially instead
 * of all of the caller's vertices, many of which have no edges.
 *
 * Steps: one kernel marks the vertices in a bitmap and counts them per word, CUB sums the counts,
 * and a second kernel writes the compacted arrays. O(old_n).
 */
#include "cuda/reorder/degree_order.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/reorder/reordered_graph.h"
#include "cuda/runtime/sorting.h"

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

static sl_status fill(sl_context *ctx, const cuda_numbered_vertices *v, uint32_t *counts)
{
    const uint64_t words = cuda_words(v->n);
    CUDA_TRY(did(ctx, "kernel mark_numbered",
                 sl_cuda_mark_numbered(v->numbered, counts, v->new_id, v->n)));
    CUDA_TRY(sum(ctx, counts, words));
    return did(ctx, "kernel fill_numbered", sl_cuda_fill_numbered(v, counts + words));
}

sl_status sl_cuda_number_vertices(sl_context *ctx, const cuda_numbered_vertices *v)
{
    uint32_t *counts;
    if (v->n == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&counts, 2 * cuda_words(v->n) * sizeof *counts));
    const sl_status status = fill(ctx, v, counts);
    sl_cuda_free(counts);
    return status;
}

sl_status sl_cuda_number_order(sl_context *ctx, cuda_degree_order *order)
{
    cuda_numbered_vertices v = {.new_id = order->new_id, .n = order->all};
    if (order->numbered)
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&v.numbered, cuda_words(v.n) * sizeof *order->numbered));
    sl_status status = sl_cuda_alloc(ctx, (void **)&v.new_ids, order->n * sizeof *v.new_ids);
    if (status == SL_OK)
        status = sl_cuda_number_vertices(ctx, &v);
    sl_cuda_free(v.new_ids);
    if (status == SL_OK)
        order->numbered = v.numbered;
    else
        sl_cuda_free(v.numbered);
    return status;
}

sl_status sl_cuda_index_numbered(sl_context *ctx, cuda_reordered_graph *graph, uint32_t old_n,
                                 uint64_t numbered_n)
{
    cuda_degree_order *order = graph->order;
    const uint64_t room = numbered_n + 3; /* kernels read them in groups of four */
    uint2 *numbered = order->numbered;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&graph->numbered_new_id,
                           room * sizeof *graph->numbered_new_id));
    CUDA_TRY(
        sl_cuda_alloc(ctx, (void **)&graph->numbered_first, room * sizeof *graph->numbered_first));
    CUDA_TRY(
        sl_cuda_zero(ctx, graph->numbered_new_id + numbered_n, 3 * sizeof *graph->numbered_new_id));
    CUDA_TRY(
        sl_cuda_zero(ctx, graph->numbered_first + numbered_n, 3 * sizeof *graph->numbered_first));
    if (!numbered)
        CUDA_TRY(sl_cuda_alloc(ctx, (void **)&numbered, cuda_words(old_n) * sizeof *numbered));
    const sl_status status =
        sl_cuda_number_vertices(ctx, &(cuda_numbered_vertices){.numbered = numbered,
                                                               .new_ids = graph->numbered_new_id,
                                                               .first = graph->numbered_first,
                                                               .new_id = order->new_id,
                                                               .slot = graph->slot[0],
                                                               .old_id = order->old_id,
                                                               .tree_parent = graph->tree_parent,
                                                               .n = old_n});
    if (status == SL_OK)
        order->numbered = numbered;
    else if (!order->numbered)
        sl_cuda_free(numbered);
    return status;
}
