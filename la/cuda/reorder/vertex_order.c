/* The order of a reordered graph's vertices. By falling degree, so that hubs come first; or, for
 * graphs with short rows, the caller's order. If SL_PRUNED was asked for, trees outside the 2-core
 * are removed before vertices are sorted by degree. */
#include "cuda/reorder/reorder_build.h"

#include "cuda/reorder/degree_order.h"
#include "cuda/reorder/prune.h"
#include "cuda/reorder/prune_kernels.h"
#include "cuda/reorder/reorder_kernels.h"

/* Removes the trees, and sorts the vertices by the neighbours that remain. */
static sl_status prune_vertices(cuda_reorder_build *m)
{
    cuda_reordered_graph *graph = m->graph;
    ALLOCATE(m, m->degree, m->n);
    ALLOCATE(m, m->sorted_degree, m->n);
    ALLOCATE(m, graph->tree_parent, m->n);
    CUDA_TRY(sl_cuda_find_degrees(m->ctx, m->degree, m->A, m->n, false));
    CUDA_TRY(sl_cuda_prune(m->ctx, m->A, m->n, m->degree, graph->tree_parent));
    CUDA_TRY(sl_cuda_order_by_degree(&graph->order, m->ctx, m->degree, m->n, m->sorted_degree));
    sl_cuda_free(m->degree);
    m->degree = NULL;
    return SL_OK;
}

static bool has_short_rows(const cuda_reorder_build *m, const cuda_degree_order *order)
{
    return !m->collector && m->n < ELL4_OVERFLOW / 4 &&
           m->A->nnz <= (uint64_t)SMALL_PER_VERTEX * m->n &&
           order->count_above[ELL_SLOTS + 1] <= SMALL_LANES_PER_VERTEX;
}

/* Graphs of 2^30 vertices or more are not pruned: their ids leave no room for the flags. */
sl_status sl_cuda_order_vertices(cuda_reorder_build *m)
{
    const bool prunes = (m->graph->purpose & SL_PRUNED) && m->n < CUDA_DEEP_IN_TREE;
    cuda_degree_order *order;
    CUDA_TRY(sl_cuda_find_order(&order, m->ctx, m->A, m->n, false));
    m->short_rows = has_short_rows(m, order);
    if (!m->short_rows && !prunes) {
        m->graph->order = order;
        return SL_OK;
    }
    sl_cuda_drop_order(order);
    sl_cuda_drop_unused_orders(m->A);
    return m->short_rows ? SL_OK : prune_vertices(m);
}

/* The new ids of pruned vertices, and the row offsets including edges to them. */
static sl_status tree_new_ids(cuda_reorder_build *m)
{
    cuda_graph *g = &m->graph->view;
    const cuda_degree_order *order = m->graph->order;
    CUDA_TRY(sl_cuda_zero(m->ctx, m->counter, sizeof *m->counter));
    CUDA_TRY(cuda_reorder_check(
        m, "kernel tree_new_ids",
        sl_cuda_tree_new_ids(order->new_id, m->counter, m->graph->tree_parent, m->n)));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel tree_new_ids", &g->tree_vertices, m->counter,
                           sizeof g->tree_vertices));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "scan", &m->edges, m->start + order->n, sizeof m->edges));
    ALLOCATE(m, m->full_start, (uint64_t)order->n + 1);
    return sl_cuda_start_rows(m->ctx, m->full_start, order, m->A->start, order->n);
}

sl_status sl_cuda_assign_new_ids(cuda_reorder_build *m)
{
    cuda_reordered_graph *graph = m->graph;
    const uint32_t n = graph->order->n;
    CUDA_TRY(sl_cuda_add_new_ids(m->ctx, graph->order));
    ALLOCATE(m, graph->word_degree, cuda_words(n));
    ALLOCATE(m, m->start, (uint64_t)n + 1);
    if (graph->tree_parent) {
        CUDA_TRY(sl_cuda_sum_rows(m->ctx, &m->arena, m->start, m->sorted_degree, n));
        sl_cuda_free(m->sorted_degree);
        m->sorted_degree = NULL;
        CUDA_TRY(tree_new_ids(m));
    } else {
        CUDA_TRY(sl_cuda_start_rows(m->ctx, m->start, graph->order, m->A->start, n));
    }
    return cuda_reorder_check(m, "kernel word_degrees",
                              sl_cuda_word_degrees(graph->word_degree, m->start, n));
}
