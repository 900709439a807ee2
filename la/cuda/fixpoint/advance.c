/*
 * advance: one level or iteration of a traversal as one operation. Values of the frontier are
 * multiplied along its edges, results that the mask lets through are stored in pi, and the changed
 * entries become delta.
 *
 * Over a semiring whose terms are 1 or an id, an advance is a masked product with its result also
 * stored into pi (products/pattern_product.c): by push or pull, one launch and one polled report.
 * Over other semirings it is one iteration of the relaxation kernel (relax.cu), by push, with one
 * host synchronisation. Cost: O(edges examined) and, for a pull or a relaxation, O(n / 32).
 */
#include "cuda/operations/cuda_operations.h"
#include "cuda/paths/relaxation.h"

/* Moves the new frontier's bitmap and values into delta. */
static void set_delta(cuda_relaxation *r, cuda_vector *delta, uint64_t count)
{
    sl_cuda_drop_frontier_list(delta);
    sl_cuda_scratch_detach(&r->s, r->params.next_bits);
    sl_cuda_scratch_detach(&r->s, r->params.frontier_values);
    sl_cuda_free(delta->bits);
    sl_cuda_free(delta->values);
    delta->bits = r->params.next_bits;
    delta->values = r->params.frontier_values;
    delta->nvals = count;
}

/* Moves the list of the new frontier into delta. All queued work has completed. */
static sl_status take_frontier_list(cuda_relaxation *r, cuda_vector *delta)
{
    cuda_frontier_list *list;
    CUDA_TRY(sl_cuda_new_frontier_list(r->s.call->ctx, &list, r->A));
    sl_cuda_scratch_detach(&r->s, r->lists[1]);
    list->memory = r->lists[1];
    list->frontier = r->params.frontier[1];
    list->counts->vertices = cuda_vertices_of(r, 1);
    list->counts->edges = cuda_edges_of(r, 1);
    list->counts->tall = r->state.tall[1];
    list->there = true;
    delta->frontier_list = list;
    return SL_OK;
}

static sl_status push(cuda_relaxation *r, sl_iteration *step)
{
    cuda_vector *delta = cuda_vector_of(r->s.call->traversal->delta);
    r->params.keep_bits = true;
    CUDA_TRY(
        cuda_launched(&r->s, "kernel relax", sl_cuda_relax_iterate(&r->params, 0, 1, 1, 0, NULL)));
    CUDA_TRY(sl_cuda_relaxation_fetch(r));
    *step = (sl_iteration){.direction = SL_PUSH,
                           .edges_exact = true,
                           .frontier = r->state.iterations ? r->state.frontier : 0,
                           .edges = r->state.iterations ? r->state.edges : 0};
    sl_cuda_relaxation_gained(r, r->state.added);
    set_delta(r, delta, cuda_vertices_of(r, 1));
    return take_frontier_list(r, delta);
}

static sl_status relax(sl_call *call, sl_iteration *step)
{
    cuda_relaxation r;
    sl_status status = sl_cuda_relaxation_open(&r, call, true);
    if (status == SL_OK)
        status = sl_cuda_relaxation_begin(&r, true);
    if (status == SL_OK)
        status = push(&r, step);
    sl_cuda_scratch_release(&r.s);
    return status;
}

sl_status sl_cuda_advance(sl_call *call)
{
    sl_iteration step = {0};
    const double started = sl_seconds();
    sl_status status = sl_cuda_is_pattern_advance(call) ? sl_cuda_pattern_advance(call, &step)
                                                        : relax(call, &step);
    if (status != SL_OK) {
        cuda_vector *pi = cuda_vector_of(call->traversal->pi);
        sl_cuda_drop_frontier_list(pi);
        pi->nvals = CUDA_UNKNOWN;
        return status;
    }
    step.seconds = sl_seconds() - started;
    if (call->traversal->iteration)
        *call->traversal->iteration = step;
    return SL_OK;
}
