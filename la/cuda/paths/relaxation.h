/* What advance and the closures that are not searches share: one relaxation in progress. Private to
 * the CUDA engine. */
#ifndef SEMLA_CUDA_RELAXATION_H
#define SEMLA_CUDA_RELAXATION_H

#include "cuda/operations/vector_result.h"
#include "cuda/paths/lengths.h"
#include "cuda/paths/relax_kernels.h"

/* A relaxation in progress. Its scratch is freed by sl_cuda_scratch_release(&r->s). */
typedef struct {
    cuda_scratch s;
    relax_params params;
    cuda_vector *pi;
    const cuda_vector *q;
    const cuda_matrix *A;
    void *lists[2];             /* memory of the two frontiers */
    bool reads_q;               /* the product reads the frontier's values */
    relax_state state;          /* as last fetched */
    const uint32_t *early_list; /* shortest paths: the early vertices, or NULL */
    const cuda_early_vertices *early;
} cuda_relaxation;

/* Sets the kernels' parameters from the call and allocates their scratch. frontier_values: allocate
 * them even if the product does not read them. SL_UNSUPPORTED if the graph has too many vertices or
 * edges. */
sl_status sl_cuda_relaxation_open(cuda_relaxation *r, sl_call *call, bool frontier_values);

/* Queues the construction of the first frontier from q. For a single iteration, a list that q has
 * is used in place. */
sl_status sl_cuda_relaxation_begin(cuda_relaxation *r, bool single_iteration);

/* Waits for all queued work and copies the state to r->state. */
sl_status sl_cuda_relaxation_fetch(cuda_relaxation *r);

/* Vertices and edges of frontier[turn], as last fetched. */
static inline uint64_t cuda_vertices_of(const cuda_relaxation *r, unsigned turn)
{
    return r->state.next[turn] >> r->params.edge_bits;
}
static inline uint64_t cuda_edges_of(const cuda_relaxation *r, unsigned turn)
{
    return r->state.next[turn] & ((UINT64_C(1) << r->params.edge_bits) - 1);
}

/* Shortest paths over `lengths`, the rows that r reads: the predecessors become options->parent
 * (predecessors.c). */
sl_status sl_cuda_find_predecessors(cuda_relaxation *r, const cuda_lengths *lengths);

/* Records that pi has gained `count` entries. */
void sl_cuda_relaxation_gained(cuda_relaxation *r, uint64_t count);

#endif
