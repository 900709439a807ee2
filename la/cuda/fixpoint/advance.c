/*
 * One step as one operation: what the mask lets through is multiplied, stored in pi, and
 * is delta, with its count, in one pass over the frontier's edges or over what is missing.
 */
#include <string.h>

#include "relax.h"
#include "pattern_product_kernels.h"
#include "operations.h"

/* delta becomes the news, whose bits are `fresh`. */
static void hand_over(cuda_traversal *r, cuda_vector *delta, uint64_t count)
{
    sl_cuda_drop_frontier_list(delta);
    sl_cuda_scratch_detach(&r->s, r->x.fresh);
    sl_cuda_scratch_detach(&r->s, r->x.news);
    sl_cuda_free(delta->bits);
    sl_cuda_free(delta->values);
    delta->bits = r->x.fresh;
    delta->values = r->x.news;
    delta->nvals = count;
}

/* delta as the step left it listed; all that was queued is done. */
static sl_status take_list(cuda_traversal *r, cuda_vector *delta)
{
    cuda_frontier_list *survey;
    CUDA_TRY(sl_cuda_new_frontier_list(r->s.call->ctx, &survey, r->A));
    sl_cuda_scratch_detach(&r->s, r->lists[1]);
    survey->memory = r->lists[1];
    survey->frontier = r->x.frontier[1];
    survey->counts->vertices = cuda_vertices_of(r, 1);
    survey->counts->edges = cuda_edges_of(r, 1);
    survey->counts->tall = r->state.tall[1];
    survey->there = true;
    delta->survey = survey;
    return SL_OK;
}

static sl_status push(cuda_traversal *r, sl_iteration *step)
{
    cuda_vector *delta = cuda_vector_of(r->s.call->traversal->delta);
    r->x.keeps = true;
    CUDA_TRY(cuda_launched(&r->s, "kernel relax",
                           sl_cuda_relax_steps(&r->x, 0, 1, 1, 0, NULL, cuda_stream())));
    CUDA_TRY(sl_cuda_traverse_fetch(r));
    *step = (sl_iteration){.direction = SL_PUSH,
                      .edges_exact = true,
                      .frontier = r->state.steps ? r->state.frontier : 0,
                      .edges = r->state.steps ? r->state.edges : 0};
    sl_cuda_traverse_gained(r, r->state.added);
    hand_over(r, delta, cuda_vertices_of(r, 1));
    return take_list(r, delta);
}

static cuda_choice choice_of(sl_monoid add)
{
    return add->any ? CUDA_ANY : add->code == SL_MONOID_MAX ? CUDA_MAX : CUDA_MIN;
}

/* The frontier's bits, apart from pi's, which the step writes. */
static sl_status frontier_bits(cuda_traversal *r, const uint32_t **bits)
{
    uint64_t bytes = cuda_words(r->x.n) * sizeof **bits;
    uint32_t *copy;
    *bits = r->q->bits;
    if (r->q != r->pi)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &copy, bytes));
    *bits = copy;
    return sl_cuda_copy(r->s.call->ctx, copy, r->q->bits, bytes);
}

static sl_status pull(cuda_traversal *r, sl_iteration *step)
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
    cuda_pattern_params s = {.n = r->x.n,
                   .start = columns->start,
                   .index = columns->index,
                   .rows = r->A->start,
                   .mask = r->pi->bits,
                   .complement = true,
                   .bits = r->x.fresh,
                   .values = r->x.news,
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
    sl_status status = sl_cuda_report_to(call->ctx, &s.report, survey, r->x.edge_bits);
    if (status == SL_OK)
        status = cuda_launched(&r->s, "kernel pattern_pull",
                               sl_cuda_pattern_pull(&s, frontier, cuda_stream()));
    if (status != SL_OK) {
        sl_cuda_free_frontier_list(survey);
        return status;
    }
    hand_over(r, delta, CUDA_UNKNOWN);
    delta->survey = survey;
    CUDA_TRY(sl_cuda_get_frontier_list(call->ctx, &survey, delta, NULL));
    delta->nvals = survey->counts->vertices;
    *step = (sl_iteration){.direction = SL_PULL,
                      .edges_exact = true,
                      .frontier = cuda_vertices_of(r, 0),
                      .edges = survey->counts->seen};
    sl_cuda_traverse_gained(r, delta->nvals);
    return SL_OK;
}

/* Products that are 1 or the number of the vertex in the frontier. */
static bool can_pull(sl_semiring semiring)
{
    sl_binary_op multiply = semiring->multiply;
    if (multiply->code == SL_BINARY_FIRSTI || multiply->code == SL_BINARY_SECONDJ)
        return false;
    return sl_semiring_settles(semiring) && !multiply->reads_x && !multiply->reads_y;
}

/* Of what is missing the vertices are counted, and as many edges taken to be theirs as
 * is their share. */
static sl_status choose(cuda_traversal *r, sl_direction *direction)
{
    const sl_traversal *t = r->s.call->traversal;
    sl_plan plan = {.frontier = cuda_vertices_of(r, 0), .push_edges = cuda_edges_of(r, 0)};
    CUDA_TRY(sl_cuda_count_entries(t->pi, r->pi));
    plan.missing = r->x.n - r->pi->nvals;
    plan.missing_edges =
        r->x.n ? (uint64_t)((double)r->A->nnz * (double)plan.missing / (double)r->x.n) : 0;
    sl_plan_decide(&plan, r->x.n, r->A->nnz);
    *direction = plan.direction;
    return SL_OK;
}

static sl_status advance(cuda_traversal *r, sl_iteration *step)
{
    sl_direction direction = r->s.call->traversal->direction;
    bool chooses = direction == SL_AUTO && can_pull(r->s.call->semiring);
    CUDA_TRY(sl_cuda_traverse_begin(r, true));
    if (chooses || direction == SL_PULL)
        CUDA_TRY(sl_cuda_traverse_fetch(r));
    if (chooses)
        CUDA_TRY(choose(r, &direction));
    return direction == SL_PULL ? pull(r, step) : push(r, step);
}

sl_status sl_cuda_advance(sl_call *call)
{
    cuda_traversal r;
    sl_iteration step = {0};
    double started = sl_seconds();
    sl_status status = sl_cuda_traverse(&r, call, true);
    if (status == SL_OK)
        status = advance(&r, &step);
    sl_cuda_scratch_release(&r.s);
    if (status != SL_OK) {
        sl_cuda_drop_frontier_list(r.pi);
        r.pi->nvals = CUDA_UNKNOWN;
    }
    step.seconds = sl_seconds() - started;
    if (status == SL_OK && call->traversal->step)
        *call->traversal->step = step;
    return status;
}
