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

bool sl_cuda_has_room(cuda_ahead *a, const cuda_vector *v)
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
    *e = (cuda_owed){.v = v, .size = sl_type_size(object->type), .since = 1};
    sl_cuda_drop_survey(v);
    v->ahead = a;
    return e;
}

void sl_cuda_forget_owed(cuda_vector *v)
{
    cuda_ahead *a = v->ahead;
    if (!a)
        return;
    cuda_owed *e = sl_cuda_owed_to(a, v);
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
        return CUDA_UNCOUNTED;
    return a->entries - (e->last < a->given ? a->count[a->given - a->launched - 1] : 0);
}

static cuda_owed_entries entries_for(const cuda_owed *e)
{
    return (cuda_owed_entries){.bits = e->v->bits,
                               .values = e->v->values,
                               .size = e->size,
                               .replaces = e->replaces,
                               .parents = e->parents,
                               .value = e->value - e->since * e->rise,
                               .rise = e->rise,
                               .after = (uint32_t)e->written,
                               .upto = (uint32_t)e->last};
}

sl_status sl_cuda_write_owed(cuda_ahead *a, const cuda_owed *only)
{
    const cuda_persistent *s = &a->l.s;
    cuda_owed_to_all w = {.graph = s->graph,
                          .visited = s->visited,
                          .depth = s->depth,
                          .from = s->from,
                          .by_first = s->by_first};
    for (unsigned k = 0; k < a->vectors; k++) {
        cuda_owed *e = &a->vector[k];
        if ((only && e != only) || e->written == e->last)
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

/* True if the finds of all steps up to the last that found something are owed to the vector. */
static bool is_owed_all(const cuda_ahead *a, const cuda_owed *e)
{
    return !e->replaces && e->since == 1 && e->written == 0 && e->last > 0 &&
           e->last + 1 == a->given;
}

static bool is_owed_levels(const cuda_ahead *a, const cuda_owed *e)
{
    return is_owed_all(a, e) && !e->parents && e->size == sizeof(int64_t) && e->value == 1 &&
           (e->rise == 1 || e->last == 1);
}

/* Parents and levels as sl_bfs has them are written as it does. */
static sl_status finish_as_closure(cuda_ahead *a)
{
    cuda_persistent s = a->l.s;
    cuda_owed *pi = a->mask ? sl_cuda_owed_to(a, a->mask) : NULL, *level = NULL;
    if (!pi || !pi->parents || !is_owed_all(a, pi))
        return SL_OK;
    for (unsigned k = 0; k < a->vectors && !level; k++)
        level = is_owed_levels(a, &a->vector[k]) ? &a->vector[k] : NULL;
    s.pi = pi->v->bits;
    s.parent = pi->v->values;
    s.depth = level ? s.depth : NULL;
    s.level_bits = level ? level->v->bits : NULL;
    s.level = level ? level->v->values : NULL;
    s.result = s.standing; /* nobody waits for it */
    CUDA_TRY(sl_cuda_status(
        a->l.ctx, "kernel finish",
        sl_cuda_finish_search(&s, sl_cuda_device()->multiprocessors, sl_cuda_device()->stream)));
    pi->written = pi->last;
    pi->v->nvals = a->entries;
    if (level) {
        level->written = level->last;
        level->v->nvals = CUDA_UNCOUNTED;
    }
    return SL_OK;
}

static sl_status end(cuda_ahead *a)
{
    if (!a->under_way)
        return SL_OK;
    sl_status status = sl_cuda_write_owed(a, NULL);
    while (a->vectors > 0)
        sl_cuda_forget_owed(a->vector[0].v);
    a->under_way = false;
    if (a->given < a->searched) /* some were done in vain */
        a->grant = a->given > a->launched ? a->given - a->launched : 1;
    return status;
}

sl_status sl_cuda_finish_found(cuda_ahead *a)
{
    sl_status status = finish_as_closure(a), left = end(a);
    return status == SL_OK ? left : status;
}

sl_status sl_cuda_leave_search(cuda_ahead *a)
{
    if (a->under_way) {
        a->penalty = a->given < AHEAD_LEAST ? 2 * a->penalty + 1 : 0;
        a->penalty = a->penalty < AHEAD_PENALTY ? a->penalty : AHEAD_PENALTY;
        a->sits_out = a->penalty;
    }
    return end(a);
}

sl_status sl_cuda_end_ahead(cuda_layout *layout)
{
    return layout->ahead ? sl_cuda_leave_search(layout->ahead) : SL_OK;
}

void sl_cuda_free_ahead(cuda_layout *layout)
{
    if (layout->ahead)
        end(layout->ahead); /* a failure is one of the device, which comes again */
    sl_free(layout->ahead);
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
