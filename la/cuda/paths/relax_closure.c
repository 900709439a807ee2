/*
 * Closures that are not searches: shortest paths, widest paths, least labels and others that
 * improve entries until none can be improved (Bellman 1958, Ford 1956). Every iteration relaxes the
 * edges of the entries that the last one changed; up to RELAX_ITERATIONS iterations, or all of
 * them, run in one launch (relax.cu). Where no longer path is better, delta-stepping is used
 * instead (delta_stepping.c). O(iterations x edges) in the worst case.
 */
#include <inttypes.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/paths/delta_stepping.h"

/* A closure in progress. */
typedef struct {
    cuda_relaxation r;
    const sl_closure_options *options;
    uint64_t iterations, targets; /* iterations done; targets that end the closure, 0: none */
    unsigned turn;
    relax_iteration *log; /* device: RELAX_ITERATIONS entries; or NULL */
} closure;

/*
 * Copies the targets' bitmap, which may belong to pi or level, and counts the targets that pi has.
 */
static sl_status take_targets(closure *c)
{
    const sl_closure_options *o = c->options;
    cuda_relaxation *r = &c->r;
    const sl_object *targets = sl_object_of_vector(o->targets);
    uint64_t bytes = cuda_words(r->params.n) * sizeof *r->params.next_bits;
    uint32_t *copy;
    if (!o->targets)
        return SL_OK;
    cuda_vector *v = cuda_vector_of(targets);
    CUDA_TRY(sl_cuda_count_entries(targets, v));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &copy, bytes));
    CUDA_TRY(sl_cuda_copy(r->s.call->ctx, copy, v->bits, bytes));
    r->params.targets = copy;
    c->targets = o->until == SL_UNTIL_ALL ? v->nvals : 1;
    return cuda_launched(&r->s, "kernel count_targets", sl_cuda_relax_count_targets(&r->params));
}

static sl_status begin(closure *c)
{
    cuda_relaxation *r = &c->r;
    const sl_closure_options *o = c->options;
    if (o->level) {
        cuda_vector *level = cuda_vector_of(sl_object_of_vector(o->level));
        sl_cuda_drop_frontier_list(level);
        level->nvals = CUDA_UNKNOWN;
        r->params.level =
            (cuda_integers){level->values, sl_object_of_vector(o->level)->type == SL_INT32};
        r->params.level_bits = level->bits;
    }
    CUDA_TRY(take_targets(c));
    if (o->log)
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &c->log, RELAX_ITERATIONS * sizeof *c->log));
    CUDA_TRY(sl_cuda_relaxation_begin(r, false));
    return sl_cuda_relaxation_fetch(r);
}

static sl_status log_iterations(const closure *c)
{
    sl_context *ctx = c->r.s.call->ctx;
    uint64_t count = c->r.state.iterations;
    if (!c->log || count == 0)
        return SL_OK;
    relax_iteration *done = sl_malloc(count * sizeof *done);
    if (!done)
        return sl_fail(ctx, SL_NO_MEMORY, "closure: out of memory");
    sl_status status = sl_cuda_download(ctx, done, c->log, count * sizeof *done);
    sl_status waited = sl_cuda_wait(ctx, "copy of a log");
    status = status == SL_OK ? waited : status;
    for (uint64_t k = 0; k < count && status == SL_OK; k++) {
        sl_iteration step = {.direction = SL_PUSH,
                             .edges_exact = true,
                             .frontier = done[k].frontier,
                             .edges = done[k].edges,
                             .seconds = 1e-9 * (double)done[k].nanoseconds};
        if (sl_iteration_log_append(c->options->log, &step) != SL_OK)
            status = sl_fail(ctx, SL_NO_MEMORY, "closure: out of memory");
    }
    sl_free(done);
    return status;
}

/* How many iterations the next launch may run. */
static uint64_t max_launch_iterations(const closure *c)
{
    const sl_closure_options *o = c->options;
    uint64_t most = UINT64_MAX;
    if (!c->r.params.settles)
        most = c->r.params.n - c->iterations;
    if (o->bounded && o->max_iterations - c->iterations < most)
        most = o->max_iterations - c->iterations;
    return c->log && most > RELAX_ITERATIONS ? RELAX_ITERATIONS : most;
}

static sl_status run_iterations(closure *c)
{
    cuda_relaxation *r = &c->r;
    sl_call *call = r->s.call;
    while (cuda_vertices_of(r, c->turn) > 0) {
        bool met = c->options->targets && r->state.targets_met >= c->targets;
        if (met || (c->options->bounded && c->iterations >= c->options->max_iterations))
            return SL_OK;
        /* Without a cycle of negative length no entry improves after n iterations. */
        if (!r->params.settles && c->iterations >= r->params.n)
            return sl_fail(call->ctx, SL_INVALID,
                           "closure: %s does not converge: entries still improve after %" PRIu64
                           " iterations; the graph has a cycle that improves its own vertices",
                           call->operators.semiring->name, r->params.n);
        CUDA_TRY(sl_interrupted(call->ctx, "closure"));
        CUDA_TRY(
            cuda_launched(&r->s, "kernel relax",
                          sl_cuda_relax_iterate(&r->params, c->turn, (long long)c->iterations + 1,
                                                max_launch_iterations(c), c->targets, c->log)));
        CUDA_TRY(sl_cuda_relaxation_fetch(r));
        c->iterations += r->state.iterations;
        c->turn ^= r->state.iterations & 1;
        r->params.init_values = false;
        CUDA_TRY(log_iterations(c));
    }
    return SL_OK;
}

sl_status sl_cuda_relax(sl_call *call)
{
    closure c = {.options = call->traversal->options};
    sl_status status = sl_cuda_relaxation_open(&c.r, call, false);
    const sl_closure_options *o = c.options;
    bool by_delta_stepping = false;
    double delta;
    c.r.params.init_all_values = true;
    if (status == SL_OK)
        status = begin(&c);
    if (status == SL_OK && !o->bounded && !o->level && !o->targets && !o->log)
        status = sl_cuda_delta_stepping_applies(&c.r, &by_delta_stepping, &delta);
    if (status == SL_OK)
        status = by_delta_stepping ? sl_cuda_delta_stepping(&c.r, delta, NULL) : run_iterations(&c);
    /* After a failure the outputs keep the entries computed so far; their number is unknown. */
    sl_cuda_relaxation_gained(&c.r, c.r.state.added);
    if (status != SL_OK)
        c.r.pi->nvals = CUDA_UNKNOWN;
    sl_cuda_scratch_release(&c.r.s);
    return status;
}
