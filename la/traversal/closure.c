/*
 * Closures: checks, start from a source, and the engine's own closure or a loop over
 * sl_advance_checked. The loop chooses a direction for each iteration and, for min_plus, continues
 * with delta-stepping after SL_ITERATIONS_BEFORE_NEAR_FAR iterations.
 */
#include "la/traversal/traverse.h"

#include <inttypes.h>
#include <stdlib.h>

enum { INITIAL_ROOM = 64 }; /* elements of a log's first allocation */

sl_status sl_iteration_log_append(sl_iteration_log *log, const sl_iteration *iteration)
{
    if (!log || !iteration)
        return SL_INVALID;
    if (log->count == log->room) {
        size_t room = log->room ? 2 * log->room : INITIAL_ROOM;
        sl_iteration *iterations = sl_realloc(log->iterations, room * sizeof *iterations);
        if (!iterations)
            return SL_NO_MEMORY;
        log->iterations = iterations;
        log->room = room;
    }
    log->iterations[log->count++] = *iteration;
    return SL_OK;
}

void sl_iteration_log_clear(sl_iteration_log *log)
{
    if (!log)
        return;
    sl_free(log->iterations);
    *log = (sl_iteration_log){0};
}

sl_status sl_log_iteration(sl_context *ctx, sl_iteration_log *log, const sl_iteration *iteration)
{
    if (!log || sl_iteration_log_append(log, iteration) == SL_OK)
        return SL_OK;
    return sl_fail(ctx, SL_NO_MEMORY, "closure: out of memory for the log of iterations");
}

/* The state of a closure that iterates over sl_advance_checked. */
typedef struct {
    sl_vector *pi;              /* the visited entries */
    sl_vector *frontier;        /* of the next iteration; owned */
    sl_vector *visited_targets; /* scratch; owned */
    sl_matrix *A;
    sl_semiring semiring;
    const sl_closure_options *options;
    uint64_t n, edges, targets;
    sl_plan plan;         /* unvisited and unvisited_edges are updated in each iteration */
    sl_progress progress; /* vertices in frontiers so far; of n if each is in at most one */
} closure_loop;

/* Whether the visited targets end the closure. */
static sl_status targets_met(bool *met, closure_loop *loop)
{
    const sl_closure_options *o = loop->options;
    *met = false;
    if (!o->targets)
        return SL_OK;
    uint64_t reached;
    sl_binary_op pair = sl_binary_op_get(SL_BINARY_PAIR, SL_BOOL);
    SL_TRY(
        sl_vector_ewise_mult(loop->visited_targets, NULL, NULL, pair, o->targets, loop->pi, NULL));
    SL_TRY(sl_vector_nvals(&reached, loop->visited_targets));
    *met = o->until == SL_UNTIL_ALL ? reached == loop->targets : reached > 0;
    return SL_OK;
}

/* Counts the frontier and subtracts it from the unvisited vertices and their edges. For a directed
 * graph, each vertex is assumed to have as many in-edges as out-edges. */
static sl_status count_frontier(closure_loop *loop)
{
    sl_plan *plan = &loop->plan;
    SL_TRY(sl_frontier_counts(plan, loop->frontier, loop->A));
    uint64_t edges = plan->push_edges;
    plan->unvisited -= plan->frontier < plan->unvisited ? plan->frontier : plan->unvisited;
    plan->unvisited_edges -= edges < plan->unvisited_edges ? edges : plan->unvisited_edges;
    return SL_OK;
}

static sl_status run_iteration(closure_loop *loop, uint64_t number, uint64_t *frontier_size)
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
    sl_iteration iteration = {.direction = direction,
                              .edges_exact = direction == SL_PUSH,
                              .frontier = loop->plan.frontier,
                              .edges = direction == SL_PUSH ? loop->plan.push_edges
                                                            : loop->plan.unvisited_edges};
    sl_traversal traversal = {.pi = OF_V(loop->pi),
                              .q = OF_V(loop->frontier),
                              .delta = OF_V(loop->frontier),
                              .A = loop->A,
                              .direction = direction,
                              .iteration = &iteration};
    sl_call call = {.op = SL_OP_ADVANCE,
                    .ctx = loop->A->object.ctx,
                    .a = OF_M(loop->A),
                    .operators.semiring = loop->semiring,
                    .traversal = &traversal};
    if (sl_semiring_settles(loop->semiring))
        SL_TRY(sl_object_prefer(OF_V(loop->frontier),
                                direction == SL_PULL && !sl_has_few_entries(loop->n, loop->edges)
                                    ? SL_FORM_BITMAP
                                    : SL_FORM_LIST));
    SL_TRY(sl_advance_checked(&call));
    SL_TRY(sl_vector_nvals(frontier_size, loop->frontier));
    if (o->level && *frontier_size)
        SL_TRY(sl_vector_assign_scalar(o->level, loop->frontier, NULL,
                                       sl_scalar_int64((int64_t)number), SL_ALL, 0,
                                       sl_descriptor_get(SL_STRUCTURE)));
    iteration.seconds = sl_seconds() - started;
    return sl_agree(call.ctx, sl_log_iteration(call.ctx, o->log, &iteration));
}

static sl_status run_loop(closure_loop *loop)
{
    const sl_closure_options *o = loop->options;
    bool settles = sl_semiring_settles(loop->semiring), met;
    uint64_t frontier_size = 0;
    double delta;
    SL_TRY(sl_vector_nvals(&frontier_size, loop->frontier));
    for (uint64_t number = 1; frontier_size > 0; number++) {
        SL_TRY(targets_met(&met, loop));
        if (met || (o->bounded && number > o->max_iterations))
            return SL_OK;
        /* A path of n + 1 edges visits a vertex twice: a cycle improves its own vertices. */
        if (!settles && number > loop->n)
            return SL_REFUSE(loop->A->object.ctx, SL_INVALID,
                             "closure: %s does not converge: entries still improve after %" PRIu64
                             " iterations; the graph has a cycle that improves its own vertices",
                             loop->semiring->name, loop->n);
        loop->progress.done += frontier_size;
        SL_TRY(run_iteration(loop, number, &frontier_size));
        if (number != SL_ITERATIONS_BEFORE_NEAR_FAR || settles || !sl_wants_final_pi_only(o))
            continue;
        SL_TRY(sl_delta_stepping_width(&delta, loop->pi, loop->A, loop->semiring));
        if (delta >= 0)
            return sl_delta_stepping(loop->pi, loop->frontier, loop->A, loop->semiring, delta,
                                     &loop->progress);
    }
    return SL_OK;
}

sl_status sl_closure_by_iterations(sl_call *call)
{
    const sl_traversal *t = call->traversal;
    closure_loop loop = {.pi = (sl_vector *)t->pi,
                         .A = t->A,
                         .semiring = call->operators.semiring,
                         .options = t->options,
                         .n = call->a->nrows,
                         .progress.operation = "closure"};
    if (sl_semiring_settles(call->operators.semiring))
        loop.progress.total = loop.n;
    SL_TRY(sl_matrix_nvals(&loop.edges, loop.A));
    loop.plan.unvisited = loop.n;
    loop.plan.unvisited_edges = loop.edges;
    if (loop.options->targets)
        SL_TRY(sl_vector_nvals(&loop.targets, loop.options->targets));

    sl_status status = sl_vector_new(&loop.visited_targets, call->ctx, SL_BOOL, loop.n);
    if (status == SL_OK)
        status = sl_vector_dup(&loop.frontier, (sl_vector *)t->q);
    /* pi is a mask that is tested for every edge; a bitmap is the fastest form, if it stays small. */
    const sl_form form = sl_has_few_entries(loop.n, loop.edges) ? SL_FORM_ANY : SL_FORM_BITMAP;
    if (status == SL_OK)
        status = sl_object_prefer(t->pi, form);
    if (status == SL_OK && loop.options->level)
        status = sl_object_prefer(OF_V(loop.options->level), form);
    sl_progress_begin(call->ctx, &loop.progress);
    if (status == SL_OK)
        status = run_loop(&loop);
    sl_progress_end(call->ctx, &loop.progress);
    if (status == SL_OK)
        status = sl_object_prefer(t->pi, SL_FORM_ANY);
    if (status == SL_OK && loop.options->level)
        status = sl_object_prefer(OF_V(loop.options->level), SL_FORM_ANY);
    sl_vector_free(loop.visited_targets);
    sl_vector_free(loop.frontier);
    return status;
}

/* ---- the public function -------------------------------------------------------------- */

/* Checks `level` of the options. */
static sl_status check_level(const sl_call *call, const sl_vector *level)
{
    const sl_traversal *t = call->traversal;
    if (!level)
        return SL_OK;
    if (OF_V(level) == t->pi || OF_V(level) == t->q)
        return SL_REFUSE(call->ctx, SL_INVALID,
                         "closure: level must be a vector of its own, not pi or q");
    SL_TRY(sl_check_length(call, "level's size", level->object.nrows, call->a->nrows));
    if (level->object.type != SL_INT64 && level->object.type != SL_INT32)
        return SL_REFUSE(call->ctx, SL_MISMATCH, "closure: level is %s; it must be int64 or int32",
                         sl_type_name(level->object.type));
    return SL_OK;
}

/* Checks `parent` of the options. */
static sl_status check_parent(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_closure_options *o = t->options;
    const sl_vector *parent = o->parent;
    if (!parent)
        return SL_OK;
    if (OF_V(parent) == t->pi || OF_V(parent) == t->q || parent == o->level)
        return SL_REFUSE(call->ctx, SL_INVALID,
                         "closure: parent must be a vector of its own, not pi, q or level");
    SL_TRY(sl_check_length(call, "parent's size", parent->object.nrows, call->a->nrows));
    if (parent->object.type != SL_INT64 && parent->object.type != SL_INT32)
        return SL_REFUSE(call->ctx, SL_MISMATCH, "closure: parent is %s; it must be int64 or int32",
                         sl_type_name(parent->object.type));
    if (sl_semiring_settles(call->operators.semiring))
        return SL_REFUSE(call->ctx, SL_UNSUPPORTED,
                         "closure: %s settles; parent is for semirings that relax",
                         call->operators.semiring->name);
    if (o->bounded || o->targets)
        return SL_REFUSE(call->ctx, SL_INVALID,
                         "closure: parent is given together with %s; predecessors need the whole "
                         "closure",
                         o->bounded ? "bounded" : "targets");
    if (parent->object.type == SL_INT32 && call->a->nrows > (uint64_t)INT32_MAX + 1)
        return SL_REFUSE(call->ctx, SL_OUT_OF_RANGE,
                         "closure: int32 has no numbers for more than 2^31 vertices, and there are "
                         "%" PRIu64,
                         call->a->nrows);
    return SL_OK;
}

static sl_status check_options(sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_closure_options *o = t->options;
    const sl_object *others[] = {t->pi, t->q, OF_V(o->level), OF_V(o->targets), OF_V(o->parent)};
    for (size_t k = 0; k < 5; k++)
        if (others[k] && others[k]->ctx != call->ctx)
            return SL_REFUSE(call->ctx, SL_MISMATCH,
                             "closure: the objects belong to different contexts");
    SL_TRY(sl_check_traversal(call, o->direction));
    if ((int)o->until < SL_UNTIL_ANY || o->until > SL_UNTIL_ALL)
        return SL_REFUSE(call->ctx, SL_INVALID,
                         "closure: invalid value %d for `until` (0 = any, 1 = all)", (int)o->until);
    SL_TRY(check_level(call, o->level));
    SL_TRY(check_parent(call));
    if (o->targets)
        SL_TRY(
            sl_check_length(call, "the targets' size", o->targets->object.nrows, call->a->nrows));
    return SL_OK;
}

/* Agrees on the options and on SEMLA_TRAVERSAL, whose words are checked here for all engines. The
 * calls of the closure compare the other arguments. */
static sl_status agree_on_options(const sl_call *call, const sl_closure_options *o)
{
    sl_switches switches;
    const sl_status status = sl_switches_read(&switches, call->ctx);
    const char *words = getenv("SEMLA_TRAVERSAL");
    return sl_agree_arguments(
        call->ctx, status, "closure",
        "SEMLA_TRAVERSAL %s\n"
        "semiring %s\nfrom_source %d\nsource %llu\ndirection %d\nmax_iterations %lld\n"
        "targets %d\nuntil %d\nlevel %d\nparent %d\nlog %d\n",
        words ? words : "", call->operators.semiring->name, o->from_source,
        (unsigned long long)(o->from_source ? o->source : 0), (int)o->direction,
        o->bounded ? (long long)o->max_iterations : -1, o->targets != NULL,
        o->targets ? (int)o->until : 0, o->level != NULL, o->parent != NULL, o->log != NULL);
}

/* SL_INVALID unless q's pattern lies within pi's. Runs before pi is written. */
static sl_status check_frontier(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    uint64_t frontier = 0, common = 0;
    sl_vector *both = NULL;
    if (t->q == t->pi)
        return SL_OK;
    SL_TRY(sl_vector_new(&both, call->ctx, SL_BOOL, call->a->nrows));
    sl_status status =
        sl_vector_ewise_mult(both, NULL, NULL, sl_binary_op_get(SL_BINARY_PAIR, SL_BOOL),
                             (sl_vector *)t->q, (sl_vector *)t->pi, NULL);
    if (status == SL_OK)
        status = sl_vector_nvals(&common, both);
    if (status == SL_OK)
        status = sl_vector_nvals(&frontier, (sl_vector *)t->q);
    sl_vector_free(both);
    if (status == SL_OK && common != frontier)
        return SL_REFUSE(call->ctx, SL_INVALID,
                         "closure: %" PRIu64 " of the frontier's %" PRIu64
                         " entries are not in pi; add them to pi",
                         frontier - common, frontier);
    return status;
}

static sl_status require_empty(const sl_call *call, const char *name, const sl_vector *v)
{
    uint64_t nvals = 0;
    if (!v || !sl_object_has_contents(OF_V(v)))
        return SL_OK;
    SL_TRY(sl_vector_nvals(&nvals, v));
    return nvals == 0 ? SL_OK
                      : SL_REFUSE(call->ctx, SL_INVALID,
                                  "closure: %s has %" PRIu64
                                  " entries; the closure starts with an empty vector",
                                  name, nvals);
}

/* The value of pi at the source: see sl_closure. */
static sl_scalar value_at_source(sl_semiring semiring, const sl_closure_options *o)
{
    if (semiring->result_is_index)
        return sl_scalar_int64((int64_t)o->source);
    return semiring->multiply->code == SL_BINARY_PAIR && !sl_semiring_is_user_defined(semiring)
               ? sl_scalar_bool(true)
               : o->source_value;
}

static sl_status closure_from_source(sl_call *call, sl_closure_run *run_closure)
{
    sl_traversal *t = call->traversal;
    const sl_closure_options *o = t->options;
    sl_vector *pi = (sl_vector *)t->pi, *q = NULL;
    SL_TRY(require_empty(call, "pi", pi));
    SL_TRY(require_empty(call, "level", o->level));
    if (o->source >= call->a->nrows)
        return SL_REFUSE(call->ctx, SL_OUT_OF_RANGE,
                         "closure: source %" PRIu64 " is out of range: the graph has %" PRIu64
                         " vertices",
                         o->source, call->a->nrows);
    const sl_scalar value = value_at_source(call->operators.semiring, o);
    SL_TRY(sl_vector_new(&q, call->ctx, pi->object.type, call->a->nrows));
    sl_status status = sl_vector_set(q, o->source, value);
    if (status == SL_OK)
        status = sl_vector_set(pi, o->source, value);
    if (status == SL_OK && o->level)
        status = sl_vector_set(o->level, o->source, sl_scalar_int64(0));
    if (status == SL_OK && o->parent)
        status = sl_vector_set(o->parent, o->source, sl_scalar_int64((int64_t)o->source));
    t->q = OF_V(q);
    t->from_source = true;
    if (status == SL_OK)
        status = run_closure(call);
    sl_vector_free(q);
    return status;
}

sl_status sl_prepare_closure(sl_call *call)
{
    if (sl_semiring_is_search(call->operators.semiring))
        SL_TRY(sl_prepare_search(call->traversal->A, call->traversal->options->bounded ||
                                                         call->traversal->options->targets));
    return sl_is_shortest_paths(&call->traversal->shortest_paths, call);
}

static sl_status run_plain_closure(sl_call *call)
{
    SL_TRY(sl_prepare_closure(call));
    return sl_dispatch_supports(call) ? sl_dispatch(call) : sl_closure_by_iterations(call);
}

sl_status sl_closure_with(sl_closure_run *run_closure, sl_vector *pi, const sl_vector *q,
                          const sl_matrix *A, sl_semiring semiring,
                          const sl_closure_options *options)
{
    static const sl_closure_options defaults;
    const sl_closure_options *o = options ? options : &defaults;
    /* With a source there is no frontier vector yet; the checks use pi in its place. */
    const sl_vector *frontier = o->from_source ? pi : q;
    sl_traversal traversal = {.pi = OF_V(pi),
                              .q = OF_V(frontier),
                              .A = (sl_matrix *)A,
                              .direction = o->direction,
                              .options = o};
    sl_call call = {
        .op = SL_OP_CLOSURE, .a = OF_M(A), .operators.semiring = semiring, .traversal = &traversal};
    SL_CHECK_CALL(&call, pi, frontier, A, semiring);
    if (o->from_source && q)
        return SL_REFUSE(call.ctx, SL_INVALID,
                         "closure: q must be NULL when the options name a source");
    SL_TRY(check_options(&call));
    SL_TRY(agree_on_options(&call, o));
    SL_TRY(require_empty(&call, "parent", o->parent));
    if (o->from_source)
        return closure_from_source(&call, run_closure);
    SL_TRY(check_frontier(&call));
    return run_closure(&call);
}

sl_status sl_plain_closure(sl_vector *pi, const sl_vector *q, const sl_matrix *A,
                           sl_semiring semiring, const sl_closure_options *options)
{
    return sl_closure_with(run_plain_closure, pi, q, A, semiring, options);
}
