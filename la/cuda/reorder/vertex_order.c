/* The order of a reordered graph's vertices. By falling degree, so that hubs come first; or, for
 * graphs with short rows, the caller's order. If SL_PRUNED was asked for, trees outside the 2-core
 * are removed before vertices are sorted by degree. */
#include "cuda/reorder/reorder_build.h"

#include "cuda/reorder/prune.h"
#include "cuda/reorder/prune_kernels.h"
#include "cuda/reorder/reorder_kernels.h"

static sl_status measure(cuda_reorder_build *m)
{
    ALLOCATE(m, m->degree, m->n);
    ALLOCATE(m, m->vertex, m->n);
    ALLOCATE(m, m->sorted_degree, m->n);
    ALLOCATE(m, m->counters, ELL_SLOTS + 3);
    CUDA_TRY(sl_cuda_new_order(m->ctx, &m->graph->order));
    ALLOCATE(m, m->graph->order->old_id, m->n);
    return cuda_reorder_check(m, "kernel row_degrees",
                              sl_cuda_row_degrees(m->degree, m->vertex, m->A->start, m->n));
}

/* Sorts the vertices by degree and fetches how many have more than k neighbours. */
static sl_status order(cuda_reorder_build *m)
{
    CUDA_TRY(sl_cuda_sort_vertices(m->ctx, &m->arena, m->sorted_degree, m->graph->order->old_id,
                                   m->degree, m->vertex, m->n));
    CUDA_TRY(cuda_reorder_check(m, "kernel count_degrees",
                                sl_cuda_count_degrees(m->counters, m->sorted_degree, m->n)));
    return sl_cuda_fetch(m->ctx, "kernel count_degrees", m->count_above, m->counters,
                         sizeof m->count_above);
}

/* Removes the trees and sorts the vertices again by the neighbours that remain. Graphs of 2^30
 * vertices or more are not pruned: their ids leave no room for the flags. */
static sl_status prune_vertices(cuda_reorder_build *m)
{
    cuda_reordered_graph *graph = m->graph;
    if (m->n >= CUDA_DEEP_IN_TREE)
        return SL_OK;
    ALLOCATE(m, graph->tree_parent, m->n);
    CUDA_TRY(sl_cuda_prune(m->ctx, m->A, m->n, m->degree, graph->tree_parent));
    return order(m);
}

static bool has_short_rows(const cuda_reorder_build *m)
{
    return m->n < ELL4_OVERFLOW / 4 && m->A->nnz <= (uint64_t)SMALL_PER_VERTEX * m->n &&
           m->count_above[ELL_SLOTS + 1] <= SMALL_LANES_PER_VERTEX;
}

sl_status sl_cuda_order_vertices(cuda_reorder_build *m)
{
    CUDA_TRY(measure(m));
    CUDA_TRY(order(m));
    m->short_rows = !m->collector && has_short_rows(m);
    if (!m->short_rows && (m->graph->purpose & SL_PRUNED))
        CUDA_TRY(prune_vertices(m));
    sl_cuda_free(m->degree);
    sl_cuda_free(m->vertex);
    m->degree = m->vertex = NULL;
    return SL_OK;
}

/* The new ids of pruned vertices, and the row offsets including edges to them. */
static sl_status tree_new_ids(cuda_reorder_build *m)
{
    cuda_graph *g = &m->graph->view;
    const uint32_t n = m->count_above[0];
    CUDA_TRY(sl_cuda_zero(m->ctx, m->counters, sizeof *m->counters));
    CUDA_TRY(cuda_reorder_check(
        m, "kernel tree_new_ids",
        sl_cuda_tree_new_ids(m->graph->order->new_id, m->counters, m->graph->tree_parent, m->n)));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel tree_new_ids", &g->tree_vertices, m->counters,
                           sizeof g->tree_vertices));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "scan", &m->edges, m->start + n, sizeof m->edges));
    ALLOCATE(m, m->full_start, (uint64_t)n + 1);
    CUDA_TRY(cuda_reorder_check(
        m, "kernel degrees_of",
        sl_cuda_degrees_of(m->sorted_degree, m->graph->order->old_id, m->A->start, n)));
    return sl_cuda_sum_rows(m->ctx, &m->arena, m->full_start, m->sorted_degree, n);
}

sl_status sl_cuda_assign_new_ids(cuda_reorder_build *m)
{
    cuda_reordered_graph *graph = m->graph;
    uint32_t n = m->count_above[0];
    ALLOCATE(m, graph->order->new_id, m->n);
    ALLOCATE(m, graph->word_degree, cuda_words(n));
    ALLOCATE(m, m->start, (uint64_t)n + 1);
    CUDA_TRY(
        cuda_reorder_check(m, "cudaMemsetAsync",
                           cudaMemsetAsync(graph->order->new_id, 0xff,
                                           m->n * sizeof *graph->order->new_id, cuda_stream())));
    CUDA_TRY(cuda_reorder_check(m, "kernel set_new_ids",
                                sl_cuda_set_new_ids(graph->order->new_id, graph->word_degree,
                                                    graph->order->old_id, m->sorted_degree, n)));
    CUDA_TRY(sl_cuda_sum_rows(m->ctx, &m->arena, m->start, m->sorted_degree, n));
    if (graph->tree_parent)
        CUDA_TRY(tree_new_ids(m));
    sl_cuda_free(m->sorted_degree);
    m->sorted_degree = NULL;
    return SL_OK;
}
