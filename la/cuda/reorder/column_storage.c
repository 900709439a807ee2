/* Storage of the columns of a reordered graph: see column_storage.h. */
#include "cuda/reorder/column_storage.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/traversal_switches.h"

uint64_t sl_cuda_column_segment(const cuda_reordered_graph *graph, uint64_t e, uint32_t **column)
{
    const cuda_graph *g = &graph->view;
    bool far = e >= g->host_begin && e < g->host_end;
    *column = far                 ? graph->pinned + (e - g->host_begin)
              : e < g->host_begin ? graph->index + e
                                  : graph->index + (e - (g->host_end - g->host_begin));
    return e < g->host_begin ? g->host_begin : far ? g->host_end : UINT64_MAX;
}

/* Sets host_begin and host_end for a device with room for `near` columns: of these,
 * HUB_COLUMNS_PERCENT percent are the first columns (hubs), and the others are the last. */
static void split_columns(cuda_graph *g, uint64_t edges, uint64_t near)
{
    g->host_begin = g->host_end = UINT64_MAX;
    if (near >= edges)
        return;
    g->host_begin = near / 100 * HUB_COLUMNS_PERCENT;
    g->host_end = edges - (near - g->host_begin);
}

sl_status sl_cuda_alloc_columns(sl_context *ctx, cuda_reordered_graph *graph, uint64_t edges,
                                uint64_t keep)
{
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, ctx));
    CUDA_TRY(sl_cuda_wait(ctx, "order of a matrix")); /* pending frees take effect */
    sl_cuda_make_room(ctx, edges * sizeof *graph->index + keep);
    uint64_t left = sl_cuda_free_bytes(),
             near = left > keep ? (left - keep) / sizeof *graph->index : 0;
    near = near < edges ? near : edges;
    if (on.pinned)
        near = edges / 2;
    split_columns(&graph->view, edges, near);
    CUDA_TRY(sl_cuda_check_room(ctx, "optimize", edges, near * sizeof *graph->index,
                                (edges - near) * sizeof *graph->pinned));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&graph->index, near * sizeof *graph->index));
    return near < edges ? sl_cuda_alloc_pinned(ctx, (void **)&graph->pinned,
                                               (edges - near) * sizeof *graph->pinned)
                        : SL_OK;
}

/*
 * The pointer p such that p + e is `at`: columns are addressed by their index in the whole graph.
 */
static const uint32_t *as_element(const uint32_t *at, uint64_t e)
{
    return (const uint32_t *)((uintptr_t)at - e * sizeof *at);
}

cuda_graph sl_cuda_column_view(const cuda_reordered_graph *graph)
{
    cuda_graph g = {.index = graph->index,
                    .host_begin = graph->view.host_begin,
                    .host_end = graph->view.host_end};
    if (graph->pinned) {
        g.host_index = as_element(graph->pinned, g.host_begin);
        g.tail_index = as_element(graph->index + g.host_begin, g.host_end);
    }
    return g;
}

sl_status sl_cuda_put_columns(sl_context *ctx, const cuda_reordered_graph *graph, uint64_t at,
                              const uint64_t *keys, uint64_t count, unsigned bits)
{
    while (count > 0) {
        uint32_t *to;
        const uint64_t end = sl_cuda_column_segment(graph, at, &to);
        const uint64_t now = end - at < count ? end - at : count;
        CUDA_TRY(
            sl_cuda_status(ctx, "kernel unpack_edges", sl_cuda_unpack_edges(to, keys, now, bits)));
        at += now;
        keys += now;
        count -= now;
    }
    return SL_OK;
}
