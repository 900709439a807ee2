/*
 * A search in one launch: what it needs on the device, and what the host does when it
 * stops. Of the semirings that settle it takes those to which any parent is as good.
 */
#include "search.h"

#include "launches.h"

/* A search under way. */
typedef struct {
    const sl_closure_options *options;
    cuda_vector *pi, *level;
    cuda_launches l;
} run;

static void describe(run *r, const sl_call *call, const cuda_switches *on)
{
    bool parents = call->semiring->result_is_index;
    sl_cuda_launches_of(&r->l, call->ctx, call->a, on);
    cuda_persistent *s = &r->l.s;
    s->q = cuda_vector_of(call->traversal->q)->bits;
    s->pi = r->pi->bits;
    s->parent = parents ? r->pi->values : NULL;
    s->truth = parents ? NULL : r->pi->values;
    s->records_parents = parents;
    if (r->level) {
        s->level_bits = r->level->bits;
        s->level = r->level->values;
        s->records_levels = true;
    }
    if (r->options->bounded)
        s->most = r->options->max_steps;
    s->direction = (int)r->options->direction;
}

static sl_status log_steps(run *r)
{
    sl_context *ctx = r->l.ctx;
    const cuda_search_step *steps = sl_cuda_device()->mailbox->search_steps;
    if (!r->options->log)
        return SL_OK;
    CUDA_TRY(sl_cuda_fetch_steps(&r->l));
    for (uint64_t k = 0; k < r->l.s.result->recorded; k++) {
        sl_step step = {.direction = steps[k].pulled ? SL_PULL : SL_PUSH,
                        .edges_exact = true,
                        .frontier = steps[k].frontier,
                        .edges = steps[k].edges,
                        .seconds = 1e-9 * (double)steps[k].nanoseconds};
        if (sl_step_log_append(r->options->log, &step) != SL_OK)
            return sl_fail(ctx, SL_NO_MEMORY, "closure: out of memory");
    }
    return SL_OK;
}

static sl_status search(run *r, bool *done)
{
    const cuda_standing *now = r->l.s.result;
    bool over = false;
    CUDA_TRY(sl_cuda_launches_prepare(&r->l));
    while (!over) {
        CUDA_TRY(sl_cuda_launch_steps(&r->l, &over));
        CUDA_TRY(log_steps(r));
    }
    *done = now->stop == CUDA_SEARCHED;
    if (!*done)
        return SL_OK;
    sl_cuda_drop_survey(r->pi);
    r->pi->nvals = now->entries;
    if (r->level) {
        sl_cuda_drop_survey(r->level);
        if (r->level->nvals != CUDA_UNCOUNTED)
            r->level->nvals += now->new_levels;
    }
    return SL_OK;
}

sl_status sl_cuda_search(sl_call *call, bool *done)
{
    const sl_traversal *t = call->traversal;
    run r = {.options = t->options, .pi = cuda_vector_of(t->pi)};
    cuda_switches on;
    *done = false;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    if (!on.persistent || !sl_cuda_device()->cooperative)
        return SL_OK;
    if (t->options->level)
        r.level = cuda_vector_of(sl_object_of_vector(t->options->level));
    describe(&r, call, &on);
    sl_cuda_lock();
    sl_status status = search(&r, done);
    sl_cuda_launches_done(&r.l);
    sl_cuda_unlock();
    return status;
}
