/* The choice between ways to compute a closure: least labels by joining trees (hooking.c),
 * predecessors by operations after a closure without them, or the closure itself (closure.c). */
#include "la/traversal/traverse.h"

/* The closure, and the predecessors by operations. */
static sl_status closure_then_predecessors(sl_call *call)
{
    sl_traversal *t = call->traversal;
    const sl_closure_options *asked = t->options;
    sl_closure_options without = *asked;
    /* No length is negative, so that the value of the source does not change. */
    const uint64_t *source = t->shortest_paths ? &asked->source : NULL;
    sl_vector *initial = NULL;
    without.parent = NULL;
    if (!source)
        SL_TRY(sl_vector_dup(&initial, (sl_vector *)t->pi));
    t->options = &without;
    sl_status status =
        sl_dispatch_supports(call) ? sl_dispatch(call) : sl_closure_by_iterations(call);
    t->options = asked;
    if (status == SL_OK)
        status = sl_find_predecessors(asked->parent, (sl_vector *)t->pi, initial, source, t->A,
                                      call->operators.semiring);
    sl_vector_free(initial);
    return status;
}

/*
 * True if the closure gives each vertex of an undirected graph the least value of its component, so
 * that it can be found by joining trees of vertices: over min_first of integers, A is known to be
 * symmetric, q is pi, and only pi is asked for.
 */
static bool finds_least_labels(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_semiring semiring = call->operators.semiring;
    const sl_type type = semiring->result;
    return semiring->code == SL_SEMIRING_MIN_FIRST && !sl_semiring_is_user_defined(semiring) &&
           type != SL_FP32 && type != SL_FP64 && t->q == t->pi && t->A->symmetry == SL_SYMMETRIC &&
           t->direction != SL_PULL && sl_wants_final_pi_only(t->options) && !t->options->parent;
}

static sl_status run_closure(sl_call *call)
{
    if (finds_least_labels(call))
        return sl_closure_by_hooking(call);
    SL_TRY(sl_prepare_closure(call));
    if (sl_dispatch_supports(call))
        return sl_dispatch(call);
    return call->traversal->options->parent ? closure_then_predecessors(call)
                                            : sl_closure_by_iterations(call);
}

sl_status sl_closure(sl_vector *pi, const sl_vector *q, const sl_matrix *A, sl_semiring semiring,
                     const sl_closure_options *options)
{
    return sl_closure_with(run_closure, pi, q, A, semiring, options);
}
