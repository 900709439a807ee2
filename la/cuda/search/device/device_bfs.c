/*
 * The closure over a semiring that settles, as one breadth-first search. A search from a source
 * writes whole vectors: pi and level get memory that the kernels fill. A search from a frontier
 * starts with a pass that reads pi and the frontier as bitmaps, and adds its results to pi and
 * level.
 */
#include "cuda/search/device/device_bfs.h"

#include "cuda/search/device/launch.h"

/* One search and the caller's vectors. */
typedef struct {
    const sl_closure_options *options;
    cuda_vector *pi, *level;    /* level: may be NULL */
    size_t pi_size, level_size; /* bytes of a value */
    bool parents;               /* pi's values are parents, else true */
    cuda_choice choice;
    cuda_bfs b;
} search;

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

static void set_options(search *r, const sl_call *call, const cuda_switches *on)
{
    bfs_options *o = &r->b.s.options;
    sl_cuda_bfs_init(&r->b, call->ctx, call->a, on);
    o->records_parents = r->parents;
    o->records_levels = r->level != NULL;
    if (r->options->bounded)
        o->max_levels = r->options->max_iterations;
    o->direction = (int)r->options->direction;
    if (r->choice != CUDA_ANY)
        sl_cuda_bfs_set_choice(&r->b, r->choice);
}

/* The targets may be pi or level: these are written when the search is over. */
static sl_status set_targets(search *r)
{
    const sl_object *object = sl_object_of_vector(r->options->targets);
    if (!object)
        return SL_OK;
    cuda_vector *targets = cuda_vector_of(object);
    CUDA_TRY(sl_cuda_count_entries(object, targets));
    sl_cuda_bfs_set_targets(&r->b, targets->bits,
                            r->options->until == SL_UNTIL_ALL ? targets->nvals : 1);
    return SL_OK;
}

/* Sets the bitmaps that the kernels write. */
static void set_results(search *r, cuda_bitmap pi, cuda_bitmap level)
{
    bfs_result *result = &r->b.s.result;
    result->pi = pi.bits;
    if (r->parents)
        result->parent = (cuda_integers){pi.values, r->pi_size == sizeof(int32_t)};
    else
        result->reached = pi.values;
    if (r->level) {
        result->level_bits = level.bits;
        result->level = (cuda_integers){level.values, r->level_size == sizeof(int32_t)};
    }
}

static sl_status log_levels(search *r)
{
    const bfs_level *levels = cuda_bfs_pinned()->levels;
    if (!r->options->log)
        return SL_OK;
    CUDA_TRY(sl_cuda_bfs_fetch_levels(&r->b));
    return sl_cuda_log_levels(r->b.ctx, r->options->log, levels, r->b.s.result.state->recorded);
}

static sl_status run_search(search *r)
{
    bool over = false;
    CUDA_TRY(sl_cuda_bfs_prepare(&r->b));
    while (!over) {
        CUDA_TRY(sl_interrupted(r->b.ctx, "closure"));
        CUDA_TRY(sl_cuda_bfs_next_launch(&r->b, &over));
        CUDA_TRY(log_levels(r));
    }
    return SL_OK;
}

/* ---- from a source ----------------------------------------------------------------------------
 */

/* The kernels write whole vectors, into new memory. After a failure pi and level are unchanged. */
static sl_status search_from_source(search *r, uint64_t source)
{
    const uint64_t n = r->b.matrix->nrows;
    cuda_bitmap pi = {NULL, NULL}, level = {NULL, NULL};
    r->b.s.options.from_source = true;
    r->b.s.options.source = r->b.s.options.source_parent = (uint32_t)source;
    sl_status status = sl_cuda_new_bitmap(r->b.ctx, &pi, n, r->pi_size);
    if (status == SL_OK && r->level)
        status = sl_cuda_new_bitmap(r->b.ctx, &level, n, r->level_size);
    set_results(r, pi, level);
    if (status == SL_OK)
        status = run_search(r);
    if (status != SL_OK) {
        sl_cuda_free_bitmap(&pi);
        sl_cuda_free_bitmap(&level);
        return status;
    }
    /* Vertices of pruned trees are not counted. */
    const uint64_t nvals = r->b.s.graph.tree_parent ? CUDA_UNKNOWN : r->b.s.result.state->entries;
    sl_cuda_become_bitmap(r->pi, pi, nvals);
    if (r->level)
        sl_cuda_become_bitmap(r->level, level, nvals);
    return SL_OK;
}

/* ---- from a frontier --------------------------------------------------------------------------
 */

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

static cuda_bitmap bitmap_of(const cuda_vector *v)
{
    return v ? (cuda_bitmap){v->bits, v->values} : (cuda_bitmap){NULL, NULL};
}

/* pi and level, which are bitmaps, gain entries. */
static sl_status search_from_frontier(search *r, const sl_traversal *t)
{
    r->b.s.options.frontier = cuda_vector_of(t->q)->bits;
    set_results(r, bitmap_of(r->pi), bitmap_of(r->level));
    const sl_status status = run_search(r);
    /* After a failure the outputs may have entries of the levels done; their number is unknown. */
    sl_cuda_drop_frontier_list(r->pi);
    r->pi->nvals = status == SL_OK ? r->b.s.result.state->entries : CUDA_UNKNOWN;
    if (r->level) {
        sl_cuda_drop_frontier_list(r->level);
        if (status != SL_OK)
            r->level->nvals = CUDA_UNKNOWN;
        else if (r->level->nvals != CUDA_UNKNOWN)
            r->level->nvals += r->b.s.result.state->new_levels;
    }
    return status;
}

/* ---- the closure ------------------------------------------------------------------------------
 */

sl_status sl_cuda_bfs(sl_call *call, bool *done)
{
    const sl_traversal *t = call->traversal;
    const sl_closure_options *o = t->options;
    search r = {.options = o,
                .pi = cuda_vector_of(t->pi),
                .pi_size = sl_type_size(t->pi->type),
                .parents = call->operators.semiring->result_is_index,
                .choice = choice_of(call->operators.semiring)};
    cuda_switches on;
    *done = false;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    if (o->level) {
        const sl_object *level = sl_object_of_vector(o->level);
        r.level = cuda_vector_of(level);
        r.level_size = sl_type_size(level->type);
    }
    on.pruned = t->from_source && !o->bounded && !o->targets && r.choice == CUDA_ANY;
    set_options(&r, call, &on);
    if (!sl_cuda_bfs_supports(&r.b.s.graph))
        return SL_OK;
    CUDA_TRY(make_bitmap(sl_object_of_vector(o->targets)));
    CUDA_TRY(set_targets(&r));
    if (!t->from_source)
        CUDA_TRY(sl_cuda_make_bitmaps_of(t));
    sl_cuda_lock();
    sl_status status =
        t->from_source ? search_from_source(&r, o->source) : search_from_frontier(&r, t);
    sl_cuda_bfs_release(&r.b);
    sl_cuda_unlock();
    *done = status == SL_OK;
    return status;
}

sl_status sl_cuda_bfs_warm_up(sl_call *call)
{
    const sl_closure_options no_levels = {.bounded = true};
    cuda_vector parents = {.nvals = 0};
    search r = {.options = &no_levels, .pi = &parents, .pi_size = sizeof(int64_t), .parents = true};
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    on.pruned = true;
    if (call->a->nrows == 0)
        return SL_OK;
    set_options(&r, call, &on);
    if (!sl_cuda_bfs_supports(&r.b.s.graph))
        return SL_OK;
    sl_cuda_lock();
    sl_status status = search_from_source(&r, 0);
    sl_cuda_clear_vector(&parents);
    sl_cuda_bfs_release(&r.b);
    sl_cuda_unlock();
    return status;
}
