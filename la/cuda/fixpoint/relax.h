/* Private to the CUDA engine: what advance and the closures that are no searches share. */
#ifndef SEMLA_CUDA_RELAX_H
#define SEMLA_CUDA_RELAX_H

#include "relax_kernels.h"
#include "vector_result.h"

/* A traversal under way; its scratch is given back by sl_cuda_scratch_release. */
typedef struct {
    cuda_scratch s;
    cuda_relax x;
    cuda_vector *pi;
    const cuda_vector *q;
    const cuda_matrix *A;
    void *lists[2]; /* memory of the frontiers */
    bool reads_q;           /* the product reads the frontier's values */
    relax_state state; /* as last fetched */
} cuda_traversal;

/* What the kernels are told of the call, and their scratch. `news`: wanted even if the
 * product does not read them. */
sl_status sl_cuda_traverse(cuda_traversal *r, sl_call *call, bool news);

/* Queues the making of the first frontier from q; if that is listed, its list serves for
 * one step. */
sl_status sl_cuda_traverse_begin(cuda_traversal *r, bool one_step);

/* Fetches the state, when all that is queued is done. */
sl_status sl_cuda_traverse_fetch(cuda_traversal *r);

/* Of the frontier that next[turn] counts. */
static inline uint64_t cuda_vertices_of(const cuda_traversal *r, unsigned turn)
{
    return r->state.next[turn] >> r->x.edge_bits;
}
static inline uint64_t cuda_edges_of(const cuda_traversal *r, unsigned turn)
{
    return r->state.next[turn] & ((UINT64_C(1) << r->x.edge_bits) - 1);
}

/*
 * Of a closure of which only the end is asked for: whether steps may be taken in the order of
 * values, as a longer way is never better and all orders end alike. *width: how far apart values may be
 * that are taken together, as lengths over degrees (Davidson and others, 2014).
 */
sl_status sl_cuda_may_delta_step(cuda_traversal *r, bool *may, double *width);
/* All its steps, from the first frontier. */
sl_status sl_cuda_delta_stepping(cuda_traversal *r, double width);

/* pi has gained `count` entries. */
void sl_cuda_traverse_gained(cuda_traversal *r, uint64_t count);

#endif
