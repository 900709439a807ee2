/*
 * A search in one launch: what it needs on the device, and what the host does when it
 * stops.
 */
#include "search.h"

#include "launches.h"
#include "reordered_graph.h"

/* A search under way. */
typedef struct {
    const sl_closure_options *options;
    cuda_vector *pi, *level;
    size_t pi_size, level_size; /* of their values */
    bool parents;               /* are asked for, else what is reached */
    cuda_choice choice;
    cuda_launches l;
} run;

static cuda_choice choice_of(sl_semiring semiring)
{
    if (!semiring->result_is_index)
        return CUDA_ANY;
    switch (semiring->add->code) {
    case SL_MONOID_MIN:
        return CUDA_MIN;
    case SL_MONOID_MAX:
        return CUDA_MAX;
    default:
        return CUDA_ANY;
    }
}

/* All but the vectors that are written. */
static void describe(run *r, const sl_call *call, const cuda_switches *on)
{
    sl_cuda_launches_of(&r->l, call->ctx, call->a, on);
    r->l.s.records_parents = r->parents;
    r->l.s.records_levels = r->level != NULL;
    if (r->options->bounded)
        r->l.s.most = r->options->max_iterations;
    r->l.s.direction = (int)r->options->direction;
    if (r->choice != CUDA_ANY)
        sl_cuda_launches_choose(&r->l, r->choice);
}

/* Where targets end the search. They may be pi or level, which are written when it is over. */
static sl_status describe_targets(run *r)
{
    const sl_object *object = sl_object_of_vector(r->options->targets);
    if (!object)
        return SL_OK;
    cuda_vector *targets = cuda_vector_of(object);
    CUDA_TRY(sl_cuda_count_entries(object, targets));
    sl_cuda_launches_aim(&r->l, targets->bits,
                         r->options->until == SL_UNTIL_ALL ? targets->nvals : 1);
    return SL_OK;
}

/* The caller's vectors, which have memory. */
static void describe_vectors(run *r)
{
    bfs_params *s = &r->l.s;
    s->pi = r->pi->bits;
    if (r->parents)
        s->parent = (cuda_integers){r->pi->values, r->pi_size == sizeof(int32_t)};
    else
        s->truth = r->pi->values;
    if (r->level) {
        s->level_bits = r->level->bits;
        s->level = (cuda_integers){r->level->values, r->level_size == sizeof(int32_t)};
    }
}

static sl_status log_steps(run *r)
{
    sl_context *ctx = r->l.ctx;
    const bfs_level *steps = cuda_bfs_pinned()->levels;
    if (!r->options->log)
        return SL_OK;
    CUDA_TRY(sl_cuda_fetch_steps(&r->l));
    return sl_cuda_log_steps(ctx, r->options->log, steps, r->l.s.result->recorded);
}

static sl_status search(run *r, bool *done)
{
    bool over = false;
    describe_vectors(r);
    CUDA_TRY(sl_cuda_launches_prepare(&r->l));
    while (!over) {
        CUDA_TRY(sl_cuda_launch_steps(&r->l, &over));
        CUDA_TRY(log_steps(r));
    }
    *done = r->l.s.result->stop == BFS_DONE;
    return SL_OK;
}

/* ---- from one vertex into new vectors --------------------------------------------------- */

/* A search as sl_bfs begins it. */
static bool is_fresh(const run *r, const cuda_vector *q)
{
    if (!cuda_is_host_list(q) || q->nvals != 1)
        return false;
    const uint64_t source = q->few.index[0];
    return (!r->level || cuda_is_only(r->level, source, r->level_size, 0)) &&
           cuda_is_only(r->pi, source, r->pi_size, r->parents ? source : true);
}

static sl_status give_memory(const run *r, cuda_vector *v, size_t size)
{
    cuda_bitmap b;
    CUDA_TRY(sl_cuda_new_bitmap(r->l.ctx, &b, r->l.matrix->nrows, size));
    v->bits = b.bits;
    v->values = b.values;
    return SL_OK;
}

static void take_memory(cuda_vector *v)
{
    sl_cuda_free(v->bits);
    sl_cuda_free(v->values);
    v->bits = v->values = NULL;
}

/* The vectors get memory that the search fills; after a failure they are as they were. */
static sl_status search_fresh(run *r, uint64_t source, bool *done)
{
    r->l.s.fresh = true;
    r->l.s.source = (uint32_t)source;
    sl_status status = give_memory(r, r->pi, r->pi_size);
    if (status == SL_OK && r->level)
        status = give_memory(r, r->level, r->level_size);
    if (status == SL_OK)
        status = search(r, done);
    if (status != SL_OK) {
        take_memory(r->pi);
        if (r->level)
            take_memory(r->level);
        return status;
    }
    r->pi->nvals = r->l.s.graph.tree_parent ? CUDA_UNKNOWN : r->l.s.result->entries;
    if (r->level)
        r->level->nvals = r->pi->nvals;
    return SL_OK;
}

/* ---- from any vertices into any vectors --------------------------------------------------- */

static sl_status make_bitmap(const sl_object *vector)
{
    return vector ? sl_cuda_make_bitmap(vector, cuda_vector_of(vector)) : SL_OK;
}

sl_status sl_cuda_make_bitmaps_of(const sl_traversal *t)
{
    CUDA_TRY(make_bitmap(t->q));
    CUDA_TRY(make_bitmap(t->pi));
    CUDA_TRY(make_bitmap(sl_object_of_vector(t->options->level)));
    return make_bitmap(sl_object_of_vector(t->options->targets));
}

static sl_status search_any(run *r, const sl_traversal *t, bool *done)
{
    r->l.s.q = cuda_vector_of(t->q)->bits;
    CUDA_TRY(search(r, done));
    if (!*done)
        return SL_OK;
    sl_cuda_drop_frontier_list(r->pi);
    r->pi->nvals = r->l.s.result->entries;
    if (r->level) {
        sl_cuda_drop_frontier_list(r->level);
        if (r->level->nvals != CUDA_UNKNOWN)
            r->level->nvals += r->l.s.result->new_levels;
    }
    return SL_OK;
}

sl_status sl_cuda_search(sl_call *call, bool *done)
{
    const sl_traversal *t = call->traversal;
    const cuda_vector *q = cuda_vector_of(t->q);
    run r = {.options = t->options,
             .pi = cuda_vector_of(t->pi),
             .pi_size = sl_type_size(t->pi->type),
             .parents = call->semiring->result_is_index,
             .choice = choice_of(call->semiring)};
    cuda_switches on;
    *done = false;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    if (t->options->level) {
        const sl_object *level = sl_object_of_vector(t->options->level);
        r.level = cuda_vector_of(level);
        r.level_size = sl_type_size(level->type);
    }
    CUDA_TRY(make_bitmap(sl_object_of_vector(t->options->targets))); /* which may be pi */
    const bool fresh = is_fresh(&r, q);
    on.pruned = fresh && !t->options->bounded && !t->options->targets && r.choice == CUDA_ANY;
    describe(&r, call, &on);
    if (!sl_cuda_takes_graph(&r.l.s.graph))
        return SL_OK;
    CUDA_TRY(describe_targets(&r));
    if (!fresh)
        CUDA_TRY(sl_cuda_make_bitmaps_of(t));
    sl_cuda_lock();
    sl_status status = fresh ? search_fresh(&r, q->few.index[0], done) : search_any(&r, t, done);
    sl_cuda_launches_done(&r.l);
    sl_cuda_unlock();
    return status;
}

/* A search of no steps: kernels are loaded, and the scratch is there, before the first that
 * counts. */
sl_status sl_cuda_bfs_warm_up(sl_call *call)
{
    const sl_closure_options none = {.bounded = true};
    cuda_vector parents = {.nvals = 1};
    run r = {.options = &none, .pi = &parents, .pi_size = sizeof(int64_t), .parents = true};
    cuda_switches on;
    bool done;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    on.pruned = true;
    if (call->a->nrows == 0)
        return SL_OK;
    describe(&r, call, &on);
    if (!sl_cuda_takes_graph(&r.l.s.graph))
        return SL_OK;
    sl_cuda_lock();
    sl_status status = search_fresh(&r, 0, &done);
    take_memory(&parents);
    sl_cuda_launches_done(&r.l);
    sl_cuda_unlock();
    return status;
}
