/*
 * advance: one level or iteration of a traversal as one operation. Values of the frontier are
 * multiplied along its edges, results that the mask lets through are stored in pi, and the changed
 * entries become delta together with their number, in one pass over the frontier's edges (push) or
 * over the entries that pi lacks (pull). The pull uses the kernel of masked products
 * (step_kernels.h); the push uses the relaxation kernel (relax.cu). Cost: O(edges examined), one or
 * two host synchronisations.
 */
#include <string.h>

#include "operations.h"
#include "pattern_product_kernels.h"
#include "relaxation.h"

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
    cuda_frontier_list *survey;
    CUDA_TRY(sl_cuda_new_frontier_list(r->s.call->ctx, &survey, r->A));
    sl_cuda_scratch_detach(&r->s, r->lists[1]);
    survey->memory = r->lists[1];
    survey->frontier = r->params.frontier[1];
    survey->counts->vertices = cuda_vertices_of(r, 1);
    survey->counts->edges = cuda_edges_of(r, 1);
    survey->counts->tall = r->state.tall[1];
    survey->there = true;
    delta->survey = survey;
    return SL_OK;
}

static sl_status push(cuda_relaxation *r, sl_iteration *step)
{
    cuda_vector *delta = cuda_vector_of(r->s.call->traversal->delta);
    r->params.keep_bits = true;
    CUDA_TRY(cuda_launched(&r->s, "kernel relax",
                           sl_cuda_relax_iterate(&r->params, 0, 1, 1, 0, NULL, cuda_stream())));
    CUDA_TRY(sl_cuda_relaxation_fetch(r));
    *step = (sl_iteration){.direction = SL_PUSH,
                           .edges_exact = true,
                           .frontier = r->state.iterations ? r->state.frontier : 0,
                           .edges = r->state.iterations ? r->state.edges : 0};
    sl_cuda_relaxation_gained(r, r->state.added);
    set_delta(r, delta, cuda_vertices_of(r, 1));
    return take_frontier_list(r, delta);
}

static cuda_choice choice_of(sl_monoid add)
{
    return add->any ? CUDA_ANY : add->code == SL_MONOID_MAX ? CUDA_MAX : CUDA_MIN;
}

/* The frontier's bitmap, copied if q is pi, whose bitmap the pull writes. */
static sl_status frontier_bits(cuda_relaxation *r, const uint32_t **bits)
{
    uint64_t bytes = cuda_words(r->params.n) * sizeof **bits;
    uint32_t *copy;
    *bits = r->q->bits;
    if (r->q != r->pi)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &copy, bytes));
    *bits = copy;
    return sl_cuda_copy(r->s.call->ctx, copy, r->q->bits, bytes);
}

static sl_status pull(cuda_relaxation *r, sl_iteration *step)
{
    const sl_call *call = r->s.call;
    const sl_traversal *t = call->traversal;
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), call->semiring->result);
    cuda_vector *delta = cuda_vector_of(t->delta);
    cuda_frontier_list *survey;
    sl_matrix *At;
    CUDA_TRY(sl_matrix_transpose_pattern(&At, t->A, true));
    CUDA_TRY(sl_object_migrate(&At->object, &sl_store_cuda));
    const cuda_matrix *columns = cuda_matrix_of(&At->object);
    cuda_pattern_params s = {.n = r->params.n,
                             .start = columns->start,
                             .index = columns->index,
                             .rows = r->A->start,
                             .mask = r->pi->bits,
                             .complement = true,
                             .bits = r->params.next_bits,
                             .values = r->params.frontier_values,
                             .pi_bits = r->pi->bits,
                             .pi_values = r->pi->values,
                             .parents = call->semiring->multiply->positional,
                             .choice = choice_of(call->semiring->add),
                             .size = sl_type_size(call->semiring->result),
                             .multiprocessors = cuda_processors()};
    const uint32_t *frontier;
    memcpy(&s.one, &one.as, sizeof s.one);
    CUDA_TRY(frontier_bits(r, &frontier));
    CUDA_TRY(sl_cuda_new_frontier_list(call->ctx, &survey, r->A));
    sl_status status = sl_cuda_report_to(call->ctx, &s.report, survey, r->params.edge_bits);
    if (status == SL_OK)
        status = cuda_launched(&r->s, "kernel pattern_pull",
                               sl_cuda_pattern_pull(&s, frontier, cuda_stream()));
    if (status != SL_OK) {
        sl_cuda_free_frontier_list(survey);
        return status;
    }
    set_delta(r, delta, CUDA_UNKNOWN);
    delta->survey = survey;
    CUDA_TRY(sl_cuda_get_frontier_list(call->ctx, &survey, delta, NULL));
    delta->nvals = survey->counts->vertices;
    *step = (sl_iteration){.direction = SL_PULL,
                           .edges_exact = true,
                           .frontier = cuda_vertices_of(r, 0),
                           .edges = survey->counts->seen};
    sl_cuda_relaxation_gained(r, delta->nvals);
    return SL_OK;
}

/* Whether the semiring allows a pull: any value will do, and products are 1 or the id of the
 * frontier's vertex. */
static bool can_pull(sl_semiring semiring)
{
    sl_binary_op multiply = semiring->multiply;
    if (multiply->code == SL_BINARY_FIRSTI || multiply->code == SL_BINARY_SECONDJ)
        return false;
    return sl_semiring_settles(semiring) && !multiply->reads_x && !multiply->reads_y;
}

/* Chooses the direction by the cost model of push and pull (sl_plan_decide). The edges of the
 * entries that pi lacks are not counted but estimated from the mean degree. */
static sl_status choose(cuda_relaxation *r, sl_direction *direction)
{
    const sl_traversal *t = r->s.call->traversal;
    sl_plan plan = {.frontier = cuda_vertices_of(r, 0), .push_edges = cuda_edges_of(r, 0)};
    CUDA_TRY(sl_cuda_count_entries(t->pi, r->pi));
    plan.missing = r->params.n - r->pi->nvals;
    plan.missing_edges =
        r->params.n ? (uint64_t)((double)r->A->nnz * (double)plan.missing / (double)r->params.n)
                    : 0;
    sl_plan_decide(&plan, r->params.n, r->A->nnz);
    *direction = plan.direction;
    return SL_OK;
}

static sl_status advance(cuda_relaxation *r, sl_iteration *step)
{
    sl_direction direction = r->s.call->traversal->direction;
    bool chooses = direction == SL_AUTO && can_pull(r->s.call->semiring);
    CUDA_TRY(sl_cuda_relaxation_begin(r, true));
    if (chooses || direction == SL_PULL)
        CUDA_TRY(sl_cuda_relaxation_fetch(r));
    if (chooses)
        CUDA_TRY(choose(r, &direction));
    return direction == SL_PULL ? pull(r, step) : push(r, step);
}

sl_status sl_cuda_advance(sl_call *call)
{
    cuda_relaxation r;
    sl_iteration step = {0};
    double started = sl_seconds();
    sl_status status = sl_cuda_relaxation_open(&r, call, true);
    if (status == SL_OK)
        status = advance(&r, &step);
    sl_cuda_scratch_release(&r.s);
    if (status != SL_OK) {
        sl_cuda_drop_frontier_list(r.pi);
        r.pi->nvals = CUDA_UNKNOWN;
    }
    step.seconds = sl_seconds() - started;
    if (status == SL_OK && call->traversal->iteration)
        *call->traversal->iteration = step;
    return status;
}
