/* State of the construction of a reordered graph, shared by reorder_build.c and vertex_order.c.
 */
#ifndef SEMLA_CUDA_REORDER_BUILD_H
#define SEMLA_CUDA_REORDER_BUILD_H

#include "cuda/reorder/reordered_graph.h"
#include "cuda/runtime/sorting.h"

/* One construction. Everything but `graph` is freed at its end. */
typedef struct {
    sl_context *ctx;
    cuda_reordered_graph *graph; /* the result */
    cuda_matrix *A;
    uint32_t n;     /* rows of A */
    uint64_t edges; /* entries of the reordered graph, without edges to pruned vertices */
    /* with pruned trees: the neighbours that remain, by row of A and by new id */
    uint32_t *degree, *sorted_degree;
    uint32_t *counter;    /* a word of scratch */
    uint64_t *start;      /* row offsets by new id */
    uint64_t *full_start; /* the same with edges to pruned vertices; NULL: nothing is pruned */
    cuda_arena arena;
    bool short_rows;           /* the graph keeps the caller's ids and gets ell4 records */
    cuda_generator *collector; /* generates A's entries; NULL: they are in A */
} cuda_reorder_build;

static inline sl_status cuda_reorder_check(const cuda_reorder_build *m, const char *what,
                                           cudaError_t error)
{
    return sl_cuda_status(m->ctx, what, error);
}

#define ALLOCATE(m, pointer, count)                                                                \
    CUDA_TRY(sl_cuda_alloc((m)->ctx, (void **)&(pointer), (count) * sizeof *(pointer)))

/* Chooses the vertices that searches traverse and their order: sets short_rows, graph->order unless rows are short,
 * and, if trees are pruned, graph->tree_parent and sorted_degree. */
sl_status sl_cuda_order_vertices(cuda_reorder_build *m);
/* Inverts the order: sets its new_id, graph->word_degree, start, edges and, if trees are pruned, full_start. */
sl_status sl_cuda_assign_new_ids(cuda_reorder_build *m);

#endif
