/*
 * Where the columns of a layout lie: on the device, and in pinned memory of the host as far as
 * the device has no room for them (Kolganov 2018, section 4, of the whole adjacency).
 */
#include "layout.h"
#include "switches.h"

uint64_t sl_cuda_columns_at(const cuda_reordered_graph *L, uint64_t e, uint32_t **column)
{
    const cuda_graph *g = &L->graph;
    bool far = e >= g->split && e < g->resume;
    *column = far            ? L->pinned + (e - g->split)
              : e < g->split ? L->index + e
                             : L->index + (e - (g->resume - g->split));
    return e < g->split ? g->split : far ? g->resume : UINT64_MAX;
}

/* Which of the columns lie in pinned memory, if the device has room for `near` of them. */
static void split_columns(cuda_graph *g, uint64_t edges, uint64_t near)
{
    g->split = g->resume = UINT64_MAX;
    if (near >= edges)
        return;
    g->split = near / 100 * NEAR_HUBS;
    g->resume = edges - (near - g->split);
}

sl_status sl_cuda_place_columns(sl_context *ctx, cuda_reordered_graph *L, uint64_t edges, uint64_t keep)
{
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, ctx));
    CUDA_TRY(sl_cuda_wait(ctx, "order of a matrix")); /* what was freed is free now */
    uint64_t left = sl_cuda_free_bytes(), near = left > keep ? (left - keep) / sizeof *L->index : 0;
    near = near < edges ? near : edges;
    if (on.pinned)
        near = edges / 2;
    split_columns(&L->graph, edges, near);
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&L->index, near * sizeof *L->index));
    return near < edges
               ? sl_cuda_alloc_pinned(ctx, (void **)&L->pinned, (edges - near) * sizeof *L->pinned)
               : SL_OK;
}

/* Such that what lies at `at` is the result's element e. */
static const uint32_t *as_element(const uint32_t *at, uint64_t e)
{
    return (const uint32_t *)((uintptr_t)at - e * sizeof *at);
}

cuda_graph sl_cuda_columns(const cuda_reordered_graph *L)
{
    cuda_graph g = {.index = L->index, .split = L->graph.split, .resume = L->graph.resume};
    if (L->pinned) {
        g.far = as_element(L->pinned, g.split);
        g.after = as_element(L->index + g.split, g.resume);
    }
    return g;
}

uint64_t sl_cuda_reordered_bytes(uint64_t n)
{
    return n * (sizeof(uint32_t) * (4 + SLOTS) + sizeof(uint64_t));
}

/* A search's scratch, with levels, and four vectors of values of 8 bytes. */
uint64_t sl_cuda_reserve(uint64_t callers, uint64_t n)
{
    return n * (4 * sizeof(uint32_t) + sizeof(uint64_t)) + callers * 4 * sizeof(uint64_t) +
           callers / 2 + RESERVE_MIN_BYTES;
}

void sl_cuda_add_placement(sl_placement *placement, const cuda_reordered_graph *layout)
{
    const cuda_graph *g = &layout->graph;
    uint64_t far = layout->pinned ? g->resume - g->split : 0;
    if (layout->ell4)
        placement->device_bytes += g->n * sizeof *layout->ell4;
    if (layout->old_id)
        placement->device_bytes +=
            sl_cuda_reordered_bytes(g->n) + (g->edges - far) * sizeof *layout->index;
    if (layout->tree_parent)
        placement->device_bytes += ((uint64_t)g->callers + 2 * g->trees) * sizeof *layout->tree_parent;
    placement->host_bytes += far * sizeof *layout->pinned;
    placement->pruned = g->trees;
}
