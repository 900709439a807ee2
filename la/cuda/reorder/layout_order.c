/*
 * The order of a layout's vertices (layout.c): by falling degree, by clusters, or the caller's.
 */
#include "layout_making.h"

#include "prune.h"

static sl_status measure(cuda_ordering *m)
{
    ALLOCATE(m, m->degree, m->n);
    ALLOCATE(m, m->vertex, m->n);
    ALLOCATE(m, m->sorted, m->n);
    ALLOCATE(m, m->counted, SLOTS + 3);
    ALLOCATE(m, m->made->old_id, m->n);
    return cuda_ordering_did(m, "kernel row_degrees",
                             sl_cuda_row_degrees(m->degree, m->vertex, m->A->start, m->n,
                                                 cuda_processors(), cuda_stream()));
}

/* old_id, and the degrees in order with their counts. */
static sl_status order(cuda_ordering *m)
{
    CUDA_TRY(sl_cuda_sort_vertices(m->ctx, &m->arena, m->sorted, m->made->old_id, m->degree, m->vertex,
                                   m->n));
    CUDA_TRY(cuda_ordering_did(m, "kernel count_degrees",
                               sl_cuda_count_degrees(m->counted, m->sorted, m->n, cuda_stream())));
    return sl_cuda_fetch(m->ctx, "kernel count_degrees", m->more, m->counted, sizeof m->more);
}

/* Those without the trees. */
static sl_status prune(cuda_ordering *m)
{
    cuda_reordered_graph *L = m->made;
    if (m->n >= CUDA_DEEP_IN_TREE)
        return SL_OK;
    ALLOCATE(m, L->tree_parent, m->n);
    CUDA_TRY(sl_cuda_prune(m->ctx, m->A, m->n, m->degree, L->tree_parent));
    return order(m);
}

static bool has_short_rows(const cuda_ordering *m)
{
    return m->n < ELL4_OVERFLOW / 4 && m->A->nnz <= (uint64_t)SMALL_PER_VERTEX * m->n &&
           m->more[SLOTS + 1] <= SMALL_LANES_PER_VERTEX;
}

sl_status sl_cuda_order_vertices(cuda_ordering *m)
{
    CUDA_TRY(measure(m));
    CUDA_TRY(order(m));
    m->narrow = !m->collector && has_short_rows(m);
    if (!m->narrow && (m->made->purpose & SL_PRUNED))
        CUDA_TRY(prune(m));
    sl_cuda_free(m->degree);
    sl_cuda_free(m->vertex);
    m->degree = m->vertex = NULL;
    return SL_OK;
}

/* Where trees were taken out: their places, and how long rows were with them. */
static sl_status place_trees(cuda_ordering *m)
{
    cuda_graph *g = &m->made->graph;
    const uint32_t n = m->more[0];
    CUDA_TRY(sl_cuda_zero(m->ctx, m->counted, sizeof *m->counted));
    CUDA_TRY(cuda_ordering_did(m, "kernel place_trees",
                               sl_cuda_place_trees(m->made->new_id, m->counted, m->made->tree_parent, m->n,
                                                   cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel place_trees", &g->trees, m->counted, sizeof g->trees));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "scan", &m->edges, m->start + n, sizeof m->edges));
    ALLOCATE(m, m->whole, (uint64_t)n + 1);
    CUDA_TRY(cuda_ordering_did(m, "kernel degrees_of",
                               sl_cuda_degrees_of(m->sorted, m->made->old_id, m->A->start, n,
                                                  cuda_processors(), cuda_stream())));
    return sl_cuda_sum_rows(m->ctx, &m->arena, m->whole, m->sorted, n);
}

sl_status sl_cuda_assign_new_ids(cuda_ordering *m)
{
    cuda_reordered_graph *L = m->made;
    uint32_t n = m->more[0];
    ALLOCATE(m, L->new_id, m->n);
    ALLOCATE(m, L->word_degree, cuda_words(n));
    ALLOCATE(m, m->start, (uint64_t)n + 1);
    CUDA_TRY(
        cuda_ordering_did(m, "cudaMemsetAsync",
                          cudaMemsetAsync(L->new_id, 0xff, m->n * sizeof *L->new_id, cuda_stream())));
    CUDA_TRY(cuda_ordering_did(m, "kernel set_places",
                               sl_cuda_set_new_ids(L->new_id, L->word_degree, L->old_id, m->sorted, n,
                                                  cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_sum_rows(m->ctx, &m->arena, m->start, m->sorted, n));
    if (L->tree_parent)
        CUDA_TRY(place_trees(m));
    sl_cuda_free(m->sorted);
    m->sorted = NULL;
    return SL_OK;
}
