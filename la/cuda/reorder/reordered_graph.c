/* Memory of reordered graphs: how much they take, and how they are freed. */
#include "cuda/reorder/reordered_graph.h"

uint64_t sl_cuda_reordered_bytes(uint64_t n)
{
    return n * (sizeof(uint32_t) * (4 + ELL_SLOTS) + sizeof(uint64_t));
}

/* Adds the memory of a reordered graph, and its pruned vertices, to `placement`. */
static void add_placement(sl_placement *placement, const cuda_reordered_graph *graph)
{
    const cuda_graph *g = &graph->view;
    uint64_t far = graph->pinned ? g->host_end - g->host_begin : 0;
    if (graph->ell4)
        placement->device_bytes += g->n * sizeof *graph->ell4;
    if (graph->order) /* which is counted with the matrix */
        placement->device_bytes += sl_cuda_reordered_bytes(g->n) -
                                   2 * (uint64_t)g->n * sizeof *graph->order->old_id +
                                   (g->edges - far) * sizeof *graph->index;
    if (graph->tree_parent) /* the order belongs to the graph alone */
        placement->device_bytes +=
            sl_cuda_order_bytes(graph->order) +
            ((uint64_t)g->old_n + 2 * g->tree_vertices) * sizeof *graph->tree_parent;
    sl_cuda_place_derived(placement, graph->derived);
    placement->host_bytes += far * sizeof *graph->pinned;
    placement->pruned = g->tree_vertices;
}

void sl_cuda_free_reordered_graph(cuda_reordered_graph *graph)
{
    if (!graph || graph->extra_owners-- > 0)
        return;
    sl_cuda_free(graph->index);
    sl_cuda_drop_order(graph->order);
    sl_cuda_free(graph->tree_parent);
    sl_cuda_free(graph->word_degree);
    sl_cuda_free(graph->start);
    sl_cuda_free(graph->ell4);
    sl_cuda_free(graph->numbered_new_id);
    sl_cuda_free(graph->numbered_first);
    sl_cuda_drop_all_derived(&graph->derived);
    sl_cuda_arena_release(&graph->workspace);
    sl_cuda_free_pinned(graph->pinned);
    for (int k = 0; k < ELL_SLOTS; k++)
        sl_cuda_free(graph->slot[k]);
    sl_free(graph);
}

static void release(void *graph)
{
    sl_cuda_free_reordered_graph(graph);
}

static void place(sl_placement *placement, const void *graph)
{
    add_placement(placement, graph);
}

const cuda_derived_kind sl_cuda_reordered_kind = {
    .name = "reordered graph", .release = release, .place = place};
