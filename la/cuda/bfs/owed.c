/*
 * What a search under way owes to vectors: of each is noted which steps' finds it has, and one
 * pass writes them, for all vectors at once, when they are wanted.
 */
#include "owed.h"

#include "layout.h"
#include "search.h"

cuda_owed *sl_cuda_owed_to(cuda_ahead *a, const cuda_vector *v)
{
    for (unsigned k = 0; k < a->vectors; k++)
        if (a->vector[k].v == v)
            return &a->vector[k];
    return NULL;
}

bool sl_cuda_has_place(cuda_ahead *a, const cuda_vector *v)
{
    return sl_cuda_owed_to(a, v) || a->vectors < CUDA_AHEAD_VECTORS;
}

cuda_owed *sl_cuda_enlist(cuda_ahead *a, const sl_object *object)
{
    cuda_vector *v = cuda_vector_of(object);
    cuda_owed *e = sl_cuda_owed_to(a, v);
    if (e)
        return e;
    e = &a->vector[a->vectors++];
    *e = (cuda_owed){.v = v, .type = object->type, .since = 1};
    sl_cuda_drop_frontier_list(v);
    v->ahead = a;
    return e;
}

void sl_cuda_forget_owed(cuda_vector *v)
{
    cuda_ahead *a = v->ahead;
    if (!a)
        return;
    cuda_owed *e = sl_cuda_owed_to(a, v);
    sl_cuda_free_bitmap(&e->room);
    *e = a->vector[--a->vectors];
    v->ahead = NULL;
    if (a->mask == v)
        a->mask = NULL;
}

bool sl_cuda_is_mask(const cuda_ahead *a, const cuda_owed *e)
{
    return e->v == a->mask && e->since == 1 && !e->replaces;
}

uint64_t sl_cuda_count_owed(const cuda_ahead *a, const cuda_owed *e)
{
    if (e->replaces)
        return e->count;
    if (!sl_cuda_is_mask(a, e) || e->last + 1 < a->given)
        return CUDA_UNKNOWN;
    return a->entries - (e->last < a->given ? a->count[a->given - a->launched - 1] : 0);
}

/* ---- memory -------------------------------------------------------------------------- */

sl_status sl_cuda_make_room(cuda_ahead *a, cuda_owed *e)
{
    const size_t size = sl_type_size(e->type);
    if (e->v->bits || e->room.bits)
        return SL_OK;
    if (!a->spare.bits || size != a->level_size)
        return sl_cuda_new_bitmap(a->l.ctx, &e->room, a->l.s.graph.callers, size);
    e->room = a->spare;
    a->spare = (cuda_bitmap){NULL, NULL};
    return SL_OK;
}

/* The vector has the room, whatever is there. */
static void take_room(cuda_owed *e)
{
    e->v->bits = e->room.bits;
    e->v->values = e->room.values;
    e->room = (cuda_bitmap){NULL, NULL};
}

/* A list becomes a bitmap; of a vector that is replaced all is written anyway. */
static sl_status spread(cuda_ahead *a, cuda_owed *e)
{
    const sl_object object = {
        .ctx = a->l.ctx, .type = e->type, .nrows = a->l.s.graph.callers, .ncols = 1};
    if (e->v->bits)
        return SL_OK;
    CUDA_TRY(sl_cuda_make_room(a, e));
    if (!e->replaces)
        return sl_cuda_make_bitmap_in(&object, e->v, &e->room);
    sl_cuda_clear_vector(e->v);
    take_room(e);
    return SL_OK;
}

/* ---- entries ------------------------------------------------------------------------- */

static cuda_owed_entries entries_for(const cuda_owed *e)
{
    return (cuda_owed_entries){.bits = e->v->bits,
                               .values = e->v->values,
                               .size = sl_type_size(e->type),
                               .replaces = e->replaces,
                               .parents = e->parents,
                               .value = e->value - e->since * e->rise,
                               .rise = e->rise,
                               .after = (uint32_t)e->written,
                               .upto = (uint32_t)e->last};
}

static bool is_wanted(const cuda_owed *e, const cuda_owed *only)
{
    return (!only || e == only) && e->written < e->last;
}

sl_status sl_cuda_write_owed(cuda_ahead *a, const cuda_owed *only)
{
    const bfs_params *s = &a->l.s;
    cuda_owed_to_all w = {.graph = s->graph,
                          .visited = s->visited,
                          .depth = s->depth,
                          .from = s->from,
                          .by_first = s->by_first};
    for (unsigned k = 0; k < a->vectors; k++)
        if (is_wanted(&a->vector[k], only))
            CUDA_TRY(spread(a, &a->vector[k]));
    for (unsigned k = 0; k < a->vectors; k++) {
        cuda_owed *e = &a->vector[k];
        if (!is_wanted(e, only))
            continue;
        w.vector[w.count++] = entries_for(e);
        w.parents |= e->parents;
        e->written = e->last;
        e->v->nvals = sl_cuda_count_owed(a, e);
    }
    if (w.count == 0)
        return SL_OK;
    return sl_cuda_status(
        a->l.ctx, "kernel enter_owed",
        sl_cuda_enter_owed(&w, sl_cuda_device()->multiprocessors, sl_cuda_device()->stream));
}

/* ---- the end ------------------------------------------------------------------------- */

/* True if the finds of all steps up to the last that found something are owed to the vector. */
static bool is_owed_all(const cuda_ahead *a, const cuda_owed *e)
{
    return !e->replaces && e->since == 1 && e->written == 0 && e->last > 0 &&
           e->last + 1 == a->given;
}

/* As sl_bfs has them: parents, or what is reached without parents, */
static bool is_owed_reached(const cuda_ahead *a, const cuda_owed *e)
{
    return is_owed_all(a, e) && (e->parents || (sl_type_size(e->type) == 1 && e->value == 1 &&
                                                (e->rise == 0 || e->last == 1)));
}

/* and levels. */
static bool is_owed_levels(const cuda_ahead *a, const cuda_owed *e)
{
    return is_owed_all(a, e) && !e->parents && sl_type_size(e->type) >= sizeof(int32_t) &&
           e->value == 1 && (e->rise == 1 || e->last == 1);
}

/* The mask of a fresh search is what that of sl_bfs is. */
static bool is_fresh_mask(const cuda_ahead *a, const cuda_owed *pi, bool parents)
{
    const uint64_t source = a->l.s.source;
    return a->l.s.fresh &&
           cuda_is_only(pi->v, source, sl_type_size(pi->type), parents ? source : true);
}

static cuda_bitmap arrays_of(const cuda_owed *e)
{
    return e ? (cuda_bitmap){e->v->bits, e->v->values} : (cuda_bitmap){NULL, NULL};
}

/* `parent`: the type of pi's values, if these are parents; level_size: of a level in bytes. */
static void write_to(bfs_params *s, bool parents, sl_type parent, cuda_bitmap pi,
                     cuda_bitmap level, size_t level_size)
{
    s->pi = pi.bits;
    s->parent = (cuda_integers){parents ? pi.values : NULL, parent == SL_INT32};
    s->truth = parents ? NULL : pi.values;
    s->level_bits = level.bits;
    s->level = (cuda_integers){level.values, level_size == sizeof(int32_t)};
}

void sl_cuda_expect_whole(cuda_ahead *a)
{
    const cuda_owed *pi = sl_cuda_owed_to(a, a->mask);
    const bool fits = a->parents ? pi->type == a->type : sl_type_size(pi->type) == 1;
    if (!a->whole || !a->runs_ahead || !fits || !is_fresh_mask(a, pi, a->parents))
        return;
    /* Without memory for it the vectors are written as ever. */
    if (a->level_size == 0 ||
        sl_cuda_new_bitmap(a->l.ctx, &a->spare, a->l.s.graph.callers, a->level_size) == SL_OK)
        write_to(&a->l.s, a->parents, pi->type, pi->room, a->spare, a->level_size);
}

/* What the search wrote at its end is what these are owed. */
static bool has_written(const cuda_ahead *a, const cuda_owed *pi, const cuda_owed *level)
{
    const bfs_params *s = &a->l.s;
    return a->ended && s->pi == pi->room.bits && pi->parents == (s->parent.values != NULL) &&
           (!level || s->level_bits == level->room.bits);
}

/* The arrays to write to: with the vector's own entries, unless these are written too. */
static sl_status get_arrays(cuda_ahead *a, cuda_owed *e, bool fresh)
{
    if (!fresh)
        return spread(a, e);
    take_room(e);
    return SL_OK;
}

/* Vectors as sl_bfs has them are written as it does, or have been. */
static sl_status finish_as_closure(cuda_ahead *a)
{
    const cuda_device *device = sl_cuda_device();
    bfs_params s = a->l.s;
    cuda_owed *pi = a->mask ? sl_cuda_owed_to(a, a->mask) : NULL, *level = NULL;
    a->whole = false;
    if (!pi || !is_owed_reached(a, pi))
        return SL_OK;
    for (unsigned k = 0; k < a->vectors && !level; k++)
        level = is_owed_levels(a, &a->vector[k]) ? &a->vector[k] : NULL;
    s.fresh = is_fresh_mask(a, pi, pi->parents) &&
              (!level || cuda_is_only(level->v, s.source, sl_type_size(level->type), 0));
    const size_t level_size = level ? sl_type_size(level->type) : 0;
    const bool written = s.fresh && has_written(a, pi, level);
    CUDA_TRY(get_arrays(a, pi, s.fresh));
    if (level)
        CUDA_TRY(get_arrays(a, level, s.fresh));
    write_to(&s, pi->parents, pi->type, arrays_of(pi), arrays_of(level), level_size);
    s.result = s.standing; /* nobody waits for it */
    if (!written)
        CUDA_TRY(
            sl_cuda_status(a->l.ctx, "kernel finish",
                           sl_cuda_bfs_write_results(&s, device->multiprocessors, device->stream)));
    a->whole = s.fresh && a->wide && a->runs_ahead;
    a->level_size = level_size;
    pi->written = pi->last;
    pi->v->nvals = a->entries;
    if (level) {
        level->written = level->last;
        level->v->nvals = s.fresh ? a->entries : CUDA_UNKNOWN;
    }
    return SL_OK;
}

void sl_cuda_drop_search(cuda_ahead *a)
{
    while (a->vectors > 0)
        sl_cuda_forget_owed(a->vector[0].v);
    sl_cuda_free_bitmap(&a->spare);
    a->under_way = false;
}

/* After a failure everything still is owed. */
static sl_status end(cuda_ahead *a)
{
    if (!a->under_way)
        return SL_OK;
    CUDA_TRY(sl_cuda_write_owed(a, NULL));
    sl_cuda_drop_search(a);
    return SL_OK;
}

/* What the first launch of the next search may do. */
static void grant(cuda_ahead *a, uint64_t steps)
{
    a->grant = !a->runs_ahead ? 0 : steps < BFS_LEVELS ? steps : BFS_LEVELS;
}

/* The next may have more to find. */
sl_status sl_cuda_finish_found(cuda_ahead *a)
{
    grant(a, 2 * a->given);
    CUDA_TRY(finish_as_closure(a));
    return end(a);
}

sl_status sl_cuda_leave_search(cuda_ahead *a)
{
    if (a->under_way) {
        a->penalty = a->given < AHEAD_LEAST ? 2 * a->penalty + 1 : 0;
        a->penalty = a->penalty < AHEAD_PENALTY ? a->penalty : AHEAD_PENALTY;
        a->sits_out = a->penalty;
        a->whole = false;
        grant(a, a->given > 0 ? a->given : 1);
    }
    return end(a);
}

sl_status sl_cuda_end_ahead(cuda_reordered_graph *layout)
{
    return layout->ahead ? sl_cuda_leave_search(layout->ahead) : SL_OK;
}

void sl_cuda_free_ahead(cuda_reordered_graph *layout)
{
    cuda_ahead *a = layout->ahead;
    /* A failure is one of the device, which comes again; or there is too little memory for all. */
    if (a && end(a) != SL_OK) {
        for (unsigned k = 0; k < a->vectors; k++)
            sl_cuda_write_owed(a, &a->vector[k]);
        sl_cuda_drop_search(a);
    }
    sl_free(a);
}

sl_status sl_cuda_settle(const sl_object *object, cuda_vector *v)
{
    if (object->is_matrix)
        return SL_OK;
    CUDA_TRY(sl_cuda_complete(v));
    return !v->ahead ? SL_OK : sl_cuda_write_owed(v->ahead, sl_cuda_owed_to(v->ahead, v));
}

sl_status sl_cuda_put_in_place(const sl_object *object, bool written)
{
    if (!object || object->is_matrix)
        return SL_OK;
    cuda_vector *v = cuda_vector_of(object);
    CUDA_TRY(sl_cuda_settle(object, v));
    if (written)
        sl_cuda_forget_owed(v);
    return SL_OK;
}

sl_status sl_cuda_put_all_in_place(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    CUDA_TRY(sl_cuda_put_in_place(call->mask, false));
    CUDA_TRY(sl_cuda_put_in_place(call->a, false));
    CUDA_TRY(sl_cuda_put_in_place(call->b, false));
    CUDA_TRY(sl_cuda_put_in_place(call->out, true));
    if (!t)
        return SL_OK;
    CUDA_TRY(sl_cuda_put_in_place(t->pi, true));
    CUDA_TRY(sl_cuda_put_in_place(t->q, true));
    CUDA_TRY(sl_cuda_put_in_place(t->delta, true));
    if (!t->options)
        return SL_OK;
    CUDA_TRY(sl_cuda_put_in_place(sl_object_of_vector(t->options->level), true));
    return sl_cuda_put_in_place(sl_object_of_vector(t->options->targets), false);
}
