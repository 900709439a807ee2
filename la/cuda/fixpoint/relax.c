/*
 * The closures that are not searches: shortest paths, widest paths, least labels, and
 * what else betters entries until nothing is better (Bellman 1958, Ford 1956); or, where a longer
 * way is never better, in the order of the values.
 */
#include <inttypes.h>
#include <string.h>

#include "relax.h"
#include "operations.h"

/* ---- what advance shares ------------------------------------------------------------ */

/* firsti and its kin, of u(0, k) A(k, j). */
static cuda_position position_of(sl_binary_op multiply)
{
    switch (multiply->code) {
    case SL_BINARY_FIRSTI:
        return CUDA_ONLY;
    case SL_BINARY_SECONDJ:
        return CUDA_OUTER;
    default:
        return CUDA_INNER;
    }
}

/* The matrix's values in the operator's type, where it reads them. */
static sl_status take_values(cuda_traversal *r)
{
    const sl_call *call = r->s.call;
    sl_binary_op multiply = call->semiring->multiply;
    void *made;
    if (multiply->positional || !multiply->reads_y || !r->A->values)
        return SL_OK;
    r->x.p.values = r->A->values;
    if (call->a->type == multiply->type)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &made, r->A->nnz * sl_type_size(multiply->type)));
    r->x.p.values = made;
    return cuda_launched(&r->s, "kernel cast",
                         sl_cuda_cast(made, multiply->type, r->A->values, call->a->type, NULL,
                                      r->A->nnz, cuda_processors(), cuda_stream()));
}

static sl_status take_scratch(cuda_traversal *r, bool news)
{
    cuda_relax *x = &r->x;
    uint64_t n = x->n, bits = cuda_words(n) * sizeof *x->fresh;
    sl_context *ctx = r->s.call->ctx;
    for (int k = 0; k < 2; k++) {
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->lists[k], n * CUDA_LISTED_BYTES));
        x->frontier[k] = sl_cuda_frontier_in(r->lists[k], n);
    }
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->state, sizeof *x->state));
    CUDA_TRY(sl_cuda_zero(ctx, x->state, sizeof *x->state));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->fresh, bits));
    CUDA_TRY(sl_cuda_zero(ctx, x->fresh, bits));
    if (!news && !r->reads_q)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->news, n * sl_type_size(r->s.call->semiring->result)));
    if (r->reads_q)
        x->p.u_values = x->news;
    return SL_OK;
}

sl_status sl_cuda_traverse(cuda_traversal *r, sl_call *call, bool news)
{
    const sl_traversal *t = call->traversal;
    sl_monoid add = call->semiring->add;
    sl_binary_op multiply = call->semiring->multiply;
    *r = (cuda_traversal){.s = {.call = call},
                          .pi = cuda_vector_of(t->pi),
                          .q = cuda_vector_of(t->q),
                          .A = cuda_matrix_of(call->a),
                          .reads_q = multiply->reads_x && !multiply->positional};
    cuda_relax *x = &r->x;
    x->n = call->a->nrows;
    x->edge_bits = sl_cuda_edge_bits(x->n, r->A->nnz);
    if (x->edge_bits == 0)
        return sl_fail(call->ctx, SL_UNSUPPORTED,
                       "cuda: %s of %" PRIu64 " vertices and %" PRIu64 " edges",
                       sl_operation_name(call->op), x->n, r->A->nnz);
    x->settles = sl_semiring_settles(call->semiring);
    x->prepares = !add->any;
    x->p = (cuda_product){.nnz = r->A->nnz,
                          .rows = x->n,
                          .start = r->A->start,
                          .index = r->A->index,
                          .bits = r->pi->bits,
                          .t_values = r->pi->values,
                          .type = multiply->type,
                          .kind = multiply->positional ? CUDA_POSITION : CUDA_VALUES,
                          .position = position_of(multiply),
                          .add = (int)add->op->code,
                          .multiply = (int)multiply->code,
                          .any = add->any,
                          .multiprocessors = cuda_processors()};
    memcpy(&x->p.identity, &add->identity.as, sizeof x->p.identity);
    CUDA_TRY(take_values(r));
    return take_scratch(r, news);
}

sl_status sl_cuda_traverse_begin(cuda_traversal *r, bool one_step)
{
    size_t size = sl_type_size(r->s.call->semiring->result);
    const cuda_frontier_list *listed = sl_cuda_listed(r->q);
    if (!one_step || !listed || listed->serial != r->A->serial)
        return cuda_launched(
            &r->s, "kernel begin",
            sl_cuda_relax_begin(&r->x, r->q->bits, r->q->values, size, cuda_stream()));
    const cuda_frontier_counts *counts = listed->counts;
    r->x.frontier[0] = listed->frontier;
    return cuda_launched(&r->s, "kernel begin_listed",
                         sl_cuda_relax_begin_listed(&r->x, r->q->values, size, counts->vertices,
                                                    counts->edges, counts->tall, cuda_stream()));
}

sl_status sl_cuda_traverse_fetch(cuda_traversal *r)
{
    return sl_cuda_fetch(r->s.call->ctx, "kernel relax", &r->state, r->x.state, sizeof r->state);
}

void sl_cuda_traverse_gained(cuda_traversal *r, uint64_t count)
{
    sl_cuda_drop_frontier_list(r->pi);
    if (r->pi->nvals != CUDA_UNKNOWN)
        r->pi->nvals += count;
}

/* ---- the closure ---------------------------------------------------------------------- */

/* Steps done, and where the frontier is. */
typedef struct {
    cuda_traversal r;
    const sl_closure_options *options;
    uint64_t steps, targets; /* done; targets that end it, 0: none */
    unsigned turn;
    relax_params *log; /* on the device: RELAX_STEPS, or NULL */
} closure;

/* The targets, which the kernels do not write, are copied where they are pi or level. */
static sl_status take_targets(closure *c)
{
    const sl_closure_options *o = c->options;
    cuda_traversal *r = &c->r;
    const sl_object *targets = sl_object_of_vector(o->targets);
    uint64_t bytes = cuda_words(r->x.n) * sizeof *r->x.fresh;
    uint32_t *copy;
    if (!o->targets)
        return SL_OK;
    cuda_vector *v = cuda_vector_of(targets);
    CUDA_TRY(sl_cuda_count_entries(targets, v));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &copy, bytes));
    CUDA_TRY(sl_cuda_copy(r->s.call->ctx, copy, v->bits, bytes));
    r->x.targets = copy;
    c->targets = o->until == SL_UNTIL_ALL ? v->nvals : 1;
    return cuda_launched(&r->s, "kernel count_met", sl_cuda_relax_met(&r->x, cuda_stream()));
}

static sl_status begin(closure *c)
{
    cuda_traversal *r = &c->r;
    const sl_closure_options *o = c->options;
    if (o->level) {
        cuda_vector *level = cuda_vector_of(sl_object_of_vector(o->level));
        sl_cuda_drop_frontier_list(level);
        level->nvals = CUDA_UNKNOWN;
        r->x.level =
            (cuda_integers){level->values, sl_object_of_vector(o->level)->type == SL_INT32};
        r->x.level_bits = level->bits;
    }
    CUDA_TRY(take_targets(c));
    if (o->log)
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &c->log, RELAX_STEPS * sizeof *c->log));
    CUDA_TRY(sl_cuda_traverse_begin(r, false));
    return sl_cuda_traverse_fetch(r);
}

static sl_status log_steps(const closure *c)
{
    sl_context *ctx = c->r.s.call->ctx;
    uint64_t count = c->r.state.steps;
    if (!c->log || count == 0)
        return SL_OK;
    relax_params *done = sl_malloc(count * sizeof *done);
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

/* How many steps the next launch may take. */
static uint64_t most_steps(const closure *c)
{
    const sl_closure_options *o = c->options;
    uint64_t most = UINT64_MAX;
    if (!c->r.x.settles)
        most = c->r.x.n - c->steps;
    if (o->bounded && o->max_iterations - c->steps < most)
        most = o->max_iterations - c->steps;
    return c->log && most > RELAX_STEPS ? RELAX_STEPS : most;
}

static sl_status all_steps(closure *c)
{
    cuda_traversal *r = &c->r;
    sl_call *call = r->s.call;
    while (cuda_vertices_of(r, c->turn) > 0) {
        bool met = c->options->targets && r->state.targets >= c->targets;
        if (met || (c->options->bounded && c->steps >= c->options->max_iterations))
            return SL_OK;
        /* A path that betters an entry after n steps visits a vertex twice. */
        if (!r->x.settles && c->steps >= r->x.n)
            return sl_fail(call->ctx, SL_INVALID,
                           "closure: %s still improves after %" PRIu64
                           " steps: a cycle betters its own vertices without end",
                           call->semiring->name, r->x.n);
        CUDA_TRY(
            cuda_launched(&r->s, "kernel relax",
                          sl_cuda_relax_steps(&r->x, c->turn, (long long)c->steps + 1,
                                              most_steps(c), c->targets, c->log, cuda_stream())));
        CUDA_TRY(sl_cuda_traverse_fetch(r));
        c->steps += r->state.steps;
        c->turn ^= r->state.steps & 1;
        r->x.prepares = false;
        CUDA_TRY(log_steps(c));
    }
    return SL_OK;
}

sl_status sl_cuda_relax(sl_call *call)
{
    closure c = {.options = call->traversal->options};
    sl_status status = sl_cuda_traverse(&c.r, call, false);
    const sl_closure_options *o = c.options;
    bool ordered = false;
    double width;
    c.r.x.prepares_all = true;
    if (status == SL_OK)
        status = begin(&c);
    if (status == SL_OK && !o->bounded && !o->level && !o->targets && !o->log)
        status = sl_cuda_may_delta_step(&c.r, &ordered, &width);
    if (status == SL_OK)
        status = ordered ? sl_cuda_delta_stepping(&c.r, width) : all_steps(&c);
    /* A failure leaves what was done, of which not all may have been fetched. */
    sl_cuda_traverse_gained(&c.r, c.r.state.added);
    if (status != SL_OK)
        c.r.pi->nvals = CUDA_UNKNOWN;
    sl_cuda_scratch_release(&c.r.s);
    return status;
}
