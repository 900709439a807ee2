/* All steps: an engine's own closure, or the loop over single steps. */
#include "traverse.h"

#include <inttypes.h>

enum {
    ROOM_AT_FIRST = 64,
    STEPS_AS_THEY_COME = 32 /* before those in the order of values, which are several operations */
};

sl_status sl_iteration_log_append(sl_iteration_log *log, const sl_iteration *step)
{
    if (!log || !step)
        return SL_INVALID;
    if (log->count == log->room) {
        size_t room = log->room ? 2 * log->room : ROOM_AT_FIRST;
        sl_iteration *steps = sl_realloc(log->steps, room * sizeof *steps);
        if (!steps)
            return SL_NO_MEMORY;
        log->steps = steps;
        log->room = room;
    }
    log->steps[log->count++] = *step;
    return SL_OK;
}

void sl_iteration_log_clear(sl_iteration_log *log)
{
    if (!log)
        return;
    sl_free(log->steps);
    *log = (sl_iteration_log){0};
}

/* The state of the loop. `hit` is scratch for the targets' test. */
typedef struct {
    sl_vector *pi, *frontier, *hit;
    sl_matrix *A;
    sl_semiring semiring;
    const sl_closure_options *options;
    uint64_t n, edges, targets;
    sl_plan plan; /* missing and missing_edges run along, so that no step counts anew */
} closure_loop;

/* True if the targets reached so far end the search. */
static sl_status targets_met(bool *met, closure_loop *loop)
{
    const sl_closure_options *o = loop->options;
    *met = false;
    if (!o->targets)
        return SL_OK;
    uint64_t reached;
    sl_binary_op pair = sl_binary_op_get(SL_BINARY_PAIR, SL_BOOL);
    SL_TRY(sl_vector_ewise_mult(loop->hit, NULL, NULL, pair, o->targets, loop->pi, NULL));
    SL_TRY(sl_vector_nvals(&reached, loop->hit));
    *met = o->until == SL_UNTIL_ALL ? reached == loop->targets : reached > 0;
    return SL_OK;
}

/*
 * Counts the frontier and takes it off what is missing; the edges of a directed
 * graph's vertices are taken to be as many in as out.
 */
static sl_status count_frontier(closure_loop *loop)
{
    sl_plan *plan = &loop->plan;
    SL_TRY(sl_frontier_counts(plan, loop->frontier, loop->A));
    uint64_t edges = plan->push_edges;
    plan->missing -= plan->frontier < plan->missing ? plan->frontier : plan->missing;
    plan->missing_edges -= edges < plan->missing_edges ? edges : plan->missing_edges;
    return SL_OK;
}

static sl_status step_once(closure_loop *loop, uint64_t number, uint64_t *found)
{
    const sl_closure_options *o = loop->options;
    bool pulls = sl_semiring_pulls(loop->semiring);
    bool counts = o->log || (o->direction == SL_AUTO && pulls);
    sl_direction direction = o->direction == SL_PULL ? SL_PULL : SL_PUSH;
    double started = sl_seconds();
    if (counts)
        SL_TRY(count_frontier(loop));
    if (o->direction == SL_AUTO && pulls) {
        sl_plan_decide(&loop->plan, loop->n, loop->edges);
        direction = loop->plan.direction;
    }
    sl_iteration step = {.direction = direction,
                    .edges_exact = direction == SL_PUSH,
                    .frontier = loop->plan.frontier,
                    .edges =
                        direction == SL_PUSH ? loop->plan.push_edges : loop->plan.missing_edges};
    sl_traversal traversal = {.pi = OF_V(loop->pi),
                              .q = OF_V(loop->frontier),
                              .delta = OF_V(loop->frontier),
                              .A = loop->A,
                              .direction = direction,
                              .step = &step};
    sl_call call = {.op = SL_OP_ADVANCE,
                    .ctx = loop->A->object.ctx,
                    .a = OF_M(loop->A),
                    .semiring = loop->semiring,
                    .traversal = &traversal};
    if (sl_semiring_settles(loop->semiring))
        SL_TRY(sl_object_prefer(OF_V(loop->frontier),
                                direction == SL_PULL ? SL_FORM_BITMAP : SL_FORM_LIST));
    SL_TRY(sl_advance_checked(&call));
    SL_TRY(sl_vector_nvals(found, loop->frontier));
    if (o->level && *found)
        SL_TRY(sl_vector_assign_scalar(o->level, loop->frontier, NULL,
                                       sl_scalar_int64((int64_t)number), SL_ALL, 0,
                                       sl_descriptor_get(SL_STRUCTURE)));
    step.seconds = sl_seconds() - started;
    return o->log ? sl_agree(call.ctx, sl_iteration_log_append(o->log, &step)) : SL_OK;
}

/* Only what pi holds at the end is asked for. */
static bool wants_end(const sl_closure_options *o)
{
    return !o->bounded && !o->targets && !o->level && !o->log;
}

static sl_status run(closure_loop *loop)
{
    const sl_closure_options *o = loop->options;
    bool settles = sl_semiring_settles(loop->semiring), met;
    uint64_t found = 0;
    double width;
    SL_TRY(sl_vector_nvals(&found, loop->frontier));
    for (uint64_t number = 1; found > 0; number++) {
        SL_TRY(targets_met(&met, loop));
        if (met || (o->bounded && number > o->max_iterations))
            return SL_OK;
        /* A path that betters an entry after n steps visits a vertex twice. */
        if (!settles && number > loop->n)
            return SL_REFUSE(loop->A->object.ctx, SL_INVALID,
                             "closure: %s still improves after %" PRIu64
                             " steps: a cycle betters its own vertices without end",
                             loop->semiring->name, loop->n);
        SL_TRY(step_once(loop, number, &found));
        if (number != STEPS_AS_THEY_COME || settles || !wants_end(o))
            continue;
        SL_TRY(sl_may_order(&width, loop->pi, loop->A, loop->semiring));
        if (width >= 0)
            return sl_close_in_order(loop->pi, loop->frontier, loop->A, loop->semiring, width);
    }
    return SL_OK;
}

/* The loop over plain steps, for chains in which no engine has a closure. */
static sl_status closure_by_steps(sl_call *call)
{
    const sl_traversal *t = call->traversal;
    closure_loop loop = {.pi = (sl_vector *)t->pi,
                         .A = t->A,
                         .semiring = call->semiring,
                         .options = t->options,
                         .n = call->a->nrows};
    uint64_t settled;
    SL_TRY(sl_matrix_nvals(&loop.edges, loop.A));
    SL_TRY(sl_vector_nvals(&settled, loop.pi));
    loop.plan.missing = loop.n;
    loop.plan.missing_edges = loop.edges;
    if (loop.options->targets)
        SL_TRY(sl_vector_nvals(&loop.targets, loop.options->targets));

    sl_status status = sl_vector_new(&loop.hit, call->ctx, SL_BOOL, loop.n);
    if (status == SL_OK)
        status = sl_vector_dup(&loop.frontier, (sl_vector *)t->q);
    /* pi is a mask that is tested at every edge and written a little at every step. */
    if (status == SL_OK)
        status = sl_object_prefer(t->pi, SL_FORM_BITMAP);
    if (status == SL_OK && loop.options->level)
        status = sl_object_prefer(OF_V(loop.options->level), SL_FORM_BITMAP);
    if (status == SL_OK)
        status = run(&loop);
    if (status == SL_OK)
        status = sl_object_prefer(t->pi, SL_FORM_ANY);
    if (status == SL_OK && loop.options->level)
        status = sl_object_prefer(OF_V(loop.options->level), SL_FORM_ANY);
    sl_vector_free(loop.hit);
    sl_vector_free(loop.frontier);
    return status;
}

sl_status sl_closure(sl_vector *pi, const sl_vector *q, const sl_matrix *A, sl_semiring semiring,
                     const sl_closure_options *options)
{
    static const sl_closure_options defaults;
    sl_traversal traversal = {.pi = OF_V(pi),
                              .q = OF_V(q),
                              .A = (sl_matrix *)A,
                              .options = options ? options : &defaults};
    const sl_closure_options *o = traversal.options;
    traversal.direction = o->direction;
    sl_call call = {
        .op = SL_OP_CLOSURE, .a = OF_M(A), .semiring = semiring, .traversal = &traversal};
    SL_CHECK_CALL(&call, pi, q, A, semiring);
    const sl_object *others[] = {traversal.pi, traversal.q, OF_V(o->level), OF_V(o->targets)};
    for (size_t k = 0; k < 4; k++)
        if (others[k] && others[k]->ctx != call.ctx)
            return SL_REFUSE(call.ctx, SL_MISMATCH, "closure: objects of different contexts");
    SL_TRY(sl_check_traversal(&call, o->direction));
    if ((int)o->until < SL_UNTIL_ANY || o->until > SL_UNTIL_ALL)
        return SL_REFUSE(call.ctx, SL_INVALID, "closure: there is no end by targets number %d",
                         (int)o->until);
    if (o->level) {
        if (o->level == pi || o->level == q)
            return SL_REFUSE(call.ctx, SL_INVALID, "closure: level is pi or q itself");
        SL_TRY(sl_check_length(&call, "level's size", o->level->object.nrows, A->object.nrows));
        if (o->level->object.type != SL_INT64 && o->level->object.type != SL_INT32)
            return SL_REFUSE(call.ctx, SL_MISMATCH, "closure: level is %s, not int64 or int32",
                             sl_type_name(o->level->object.type));
    }
    if (o->targets)
        SL_TRY(
            sl_check_length(&call, "the targets' size", o->targets->object.nrows, A->object.nrows));
    return sl_dispatch_supports(&call) ? sl_dispatch(&call) : closure_by_steps(&call);
}
