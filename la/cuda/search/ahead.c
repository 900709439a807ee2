/*
 * The loop that a GraphBLAS user writes for a search, q<!pi, replace> = q A; pi<q> = q, at the
 * speed of a search as a whole. Where A has a layout, the first such product begins the
 * search that sl_bfs would make from q and pi, in the layout's order, and each product of the
 * loop is the next step of it. What was found stays in that order: of the program's vectors
 * is only noted which steps' finds they have. So q is "step 3", pi has besides its own
 * entries "steps 1 to 3", and a vector of levels the same with a number for each. The product,
 * the assignments and nvals(q) then are notes of the host. Any other operation finds the
 * vectors with their entries, which one pass writes, and what is no step of the search is
 * done as ever.
 *
 * The search may run ahead of the program, and has the next steps done when they are asked
 * for: none at first; as long as the program takes all of them twice as many in each launch; and
 * when it leaves some no more than it took. So a launch and a wait serve many narrow steps,
 * a search of few steps costs no more than some it did not want, and a matrix remembers what
 * became of the last search.
 *
 * A program that reads each step's vectors otherwise would gain nothing: after a search of
 * less than two steps some products are done as ever before the next one is begun.
 */
#include "ahead.h"

#include <string.h>

#include "ahead_kernels.h"
#include "launches.h"
#include "layout.h"

/* What is owed to a vector: the finds of the steps from `since` to `last`, of which those up
 * to `written` are entries of it already. */
typedef struct {
    cuda_vector *v;
    size_t size;
    bool replaces; /* the vector is the finds of `last` and nothing else: `count` of them */
    bool parents;  /* as values, else `value` and for each step `rise` more */
    unsigned long long value, rise;
    uint64_t since, written, last, count;
} late;

struct cuda_ahead {
    cuda_launches l;
    bool under_way;
    /* The product that is repeated: the mask, and what its result's values are. */
    cuda_vector *mask;
    sl_type type;
    bool parents;
    unsigned long long one;
    uint64_t given;               /* steps that the program has had */
    uint64_t searched, launched;  /* steps done, and those before the last launches */
    uint64_t count[SEARCH_STEPS]; /* found by the steps after `launched` */
    uint64_t entries;             /* of the mask at first, and of the steps given */
    uint64_t entries_then;        /* of the mask, with what all steps found */
    bool runs_ahead, outside;     /* or not; the first frontier was not within the mask */
    uint64_t grant;               /* steps that the next launches may do */
    unsigned penalty, sits_out;   /* products that begin no search */
    unsigned vectors;
    late vector[CUDA_AHEAD_VECTORS];
};

/* ---- what is owed ------------------------------------------------------------------- */

static late *late_of(cuda_ahead *a, const cuda_vector *v)
{
    for (unsigned k = 0; k < a->vectors; k++)
        if (a->vector[k].v == v)
            return &a->vector[k];
    return NULL;
}

static bool has_room(cuda_ahead *a, const cuda_vector *v)
{
    return late_of(a, v) || a->vectors < CUDA_AHEAD_VECTORS;
}

/* A vector's note, new if it has none. */
static late *enlist(cuda_ahead *a, const sl_object *object)
{
    cuda_vector *v = cuda_vector_of(object);
    late *e = late_of(a, v);
    if (e)
        return e;
    e = &a->vector[a->vectors++];
    *e = (late){.v = v, .size = sl_type_size(object->type), .since = 1};
    sl_cuda_drop_survey(v);
    v->ahead = a;
    return e;
}

void sl_cuda_forget_late(cuda_vector *v)
{
    cuda_ahead *a = v->ahead;
    if (!a)
        return;
    late *e = late_of(a, v);
    *e = a->vector[--a->vectors];
    v->ahead = NULL;
    if (a->mask == v)
        a->mask = NULL;
}

/* True if the vector still is the mask with the finds of all steps up to `last`. */
static bool is_mask(const cuda_ahead *a, const late *e)
{
    return e->v == a->mask && e->since == 1 && !e->replaces;
}

/* How many entries a vector has, or CUDA_UNCOUNTED. */
static uint64_t entries_of(const cuda_ahead *a, const late *e)
{
    if (e->replaces)
        return e->count;
    if (!is_mask(a, e) || e->last + 1 < a->given)
        return CUDA_UNCOUNTED;
    return a->entries - (e->last < a->given ? a->count[a->given - a->launched - 1] : 0);
}

static cuda_late_entries entries_for(const late *e)
{
    return (cuda_late_entries){.bits = e->v->bits,
                               .values = e->v->values,
                               .size = e->size,
                               .replaces = e->replaces,
                               .parents = e->parents,
                               .value = e->value - e->since * e->rise,
                               .rise = e->rise,
                               .after = (uint32_t)e->written,
                               .upto = (uint32_t)e->last};
}

/* Writes what is owed to one vector, or (NULL) to all. */
static sl_status write_late(cuda_ahead *a, const late *only)
{
    const cuda_persistent *s = &a->l.s;
    cuda_late w = {.graph = s->graph, .visited = s->visited, .depth = s->depth, .from = s->from};
    for (unsigned k = 0; k < a->vectors; k++) {
        late *e = &a->vector[k];
        if ((only && e != only) || e->written == e->last)
            continue;
        w.vector[w.count++] = entries_for(e);
        w.parents |= e->parents;
        e->written = e->last;
        e->v->nvals = entries_of(a, e);
    }
    if (w.count == 0)
        return SL_OK;
    return sl_cuda_status(
        a->l.ctx, "kernel write_late",
        sl_cuda_write_late(&w, sl_cuda_device()->multiprocessors, sl_cuda_device()->stream));
}

/* The search is over, or left: all vectors get their entries. */
static sl_status end(cuda_ahead *a)
{
    if (!a->under_way)
        return SL_OK;
    sl_status status = write_late(a, NULL);
    while (a->vectors > 0)
        sl_cuda_forget_late(a->vector[0].v);
    a->under_way = false;
    if (a->given < a->searched) /* some were done in vain */
        a->grant = a->given > a->launched ? a->given - a->launched : 1;
    return status;
}

/* Left, and not for having found all: after too few steps some products begin none. */
static sl_status leave(cuda_ahead *a)
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
    return layout->ahead ? leave(layout->ahead) : SL_OK;
}

void sl_cuda_free_ahead(cuda_layout *layout)
{
    if (layout->ahead)
        end(layout->ahead); /* a failure is one of the device, which comes again */
    sl_free(layout->ahead);
}

sl_status sl_cuda_settle(const sl_object *object, cuda_vector *v)
{
    return object->is_matrix || !v->ahead ? SL_OK : write_late(v->ahead, late_of(v->ahead, v));
}

/* A vector that the call reads gets its entries; one that it writes is then its own. */
static sl_status put_in_place(const sl_object *object, bool written)
{
    if (!object || object->is_matrix)
        return SL_OK;
    cuda_vector *v = cuda_vector_of(object);
    CUDA_TRY(sl_cuda_settle(object, v));
    if (written)
        sl_cuda_forget_late(v);
    return SL_OK;
}

static sl_status put_all_in_place(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    CUDA_TRY(put_in_place(call->mask, false));
    CUDA_TRY(put_in_place(call->a, false));
    CUDA_TRY(put_in_place(call->b, false));
    CUDA_TRY(put_in_place(call->out, true));
    if (!t)
        return SL_OK;
    CUDA_TRY(put_in_place(t->pi, true));
    CUDA_TRY(put_in_place(t->q, true));
    CUDA_TRY(put_in_place(t->delta, true));
    if (!t->options)
        return SL_OK;
    CUDA_TRY(put_in_place(sl_object_of_vector(t->options->level), true));
    return put_in_place(sl_object_of_vector(t->options->targets), false);
}

/* ---- the search --------------------------------------------------------------------- */

/* What the steps of a launch found: the next one's frontier, and what is left after all. */
static sl_status count_steps(cuda_ahead *a)
{
    const cuda_standing *now = a->l.s.result;
    const cuda_search_step *steps = sl_cuda_device()->mailbox->search_steps;
    uint64_t recorded = now->recorded, *count = a->count + (a->searched - a->launched);
    CUDA_TRY(sl_cuda_fetch_steps(&a->l));
    for (uint64_t k = 0; k < recorded; k++)
        count[k] = k + 1 < recorded ? steps[k + 1].frontier : now->count;
    a->searched += recorded;
    return SL_OK;
}

/* Launches until so many steps are done as are granted, or nothing is left to find. By who
 * holds the lock. */
static sl_status search_on(cuda_ahead *a)
{
    cuda_launches *l = &a->l;
    const cuda_standing *now = l->s.result;
    bool over = false;
    a->launched = a->searched;
    l->s.most = a->searched + a->grant;
    while (!over) {
        bool narrow = l->narrow;
        CUDA_TRY(sl_cuda_launch_steps(l, &over));
        CUDA_TRY(count_steps(a));
        /* A cluster that did its last step goes on where it stands. */
        if (narrow && now->stop == CUDA_SEARCHED) {
            l->narrow = now->count <= l->s.narrow_most;
            over = true;
        }
    }
    if (a->searched == a->launched) /* there was no frontier */
        a->count[a->searched++ - a->launched] = 0;
    a->entries_then = now->entries;
    a->outside = now->stop == CUDA_OUTSIDE;
    return SL_OK;
}

static sl_status launch(cuda_ahead *a)
{
    sl_cuda_lock();
    sl_status status = SL_OK;
    if (!a->l.scratch)
        status = sl_cuda_launches_prepare(&a->l);
    if (status == SL_OK)
        status = search_on(a);
    sl_cuda_unlock();
    return status;
}

/* ---- products ------------------------------------------------------------------------- */

static const sl_object *matrix_of(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->b : call->a;
}

static const sl_object *vector_of(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->a : call->b;
}

/* A step of a search of which any parent is as good, in a matrix that has a layout. */
static bool is_search_step(const sl_call *call)
{
    const unsigned missing = SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT;
    sl_semiring semiring = call->semiring;
    return cuda_matrix_of(matrix_of(call))->layout && call->mask &&
           (call->flags & missing) == missing && call->mask != call->out &&
           call->mask != vector_of(call) && sl_cuda_is_step(call) &&
           (semiring->add->any || !semiring->multiply->positional);
}

/* A value of that type as the lowest bytes of a number. */
static unsigned long long bits_of(sl_scalar scalar, sl_type type)
{
    unsigned long long bits = 0;
    scalar = sl_scalar_cast(scalar, type);
    memcpy(&bits, &scalar.as, sl_type_size(type));
    return bits;
}

/* The call is the step after the last one given. */
static bool continues(cuda_ahead *a, const sl_call *call)
{
    const late *u = late_of(a, cuda_vector_of(vector_of(call)));
    const late *mask = late_of(a, cuda_vector_of(call->mask));
    return a->under_way && u && u->replaces && u->last == a->given && mask && is_mask(a, mask) &&
           mask->last == a->given && call->out->type == a->type &&
           call->semiring->multiply->positional == a->parents &&
           has_room(a, cuda_vector_of(call->out));
}

/* The search from the call's vectors. Not begun where its frontier is not within the mask. */
static sl_status begin(cuda_ahead *a, const sl_call *call, bool *begun)
{
    cuda_switches on;
    cuda_vector *mask = cuda_vector_of(call->mask);
    *begun = false;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    CUDA_TRY(leave(a));
    if (!on.steps || !on.layout || !on.persistent || !sl_cuda_device()->cooperative)
        return SL_OK;
    if (a->sits_out > 0) {
        a->sits_out--;
        return SL_OK;
    }
    CUDA_TRY(put_all_in_place(call));
    sl_cuda_forget_late(mask);
    a->parents = call->semiring->multiply->positional;
    a->runs_ahead = on.ahead;
    a->grant = on.ahead && a->grant > 0 ? a->grant : 1;
    a->given = a->searched = a->launched = 0;
    sl_cuda_launches_of(&a->l, call->ctx, matrix_of(call), &on);
    a->l.s.q = cuda_vector_of(vector_of(call))->bits;
    a->l.s.pi = mask->bits;
    a->l.s.records_parents = a->parents;
    a->l.s.records_levels = true;
    CUDA_TRY(launch(a));
    a->under_way = true;
    if (a->outside)
        return leave(a);
    a->type = call->out->type;
    a->one = bits_of(sl_scalar_bool(true), a->type);
    a->mask = mask;
    enlist(a, call->mask);
    a->entries = a->entries_then;
    for (uint64_t k = 0; k < a->searched; k++)
        a->entries -= a->count[k];
    *begun = true;
    return SL_OK;
}

/* The output is the next step's finds. After the last step, which finds nothing, all is
 * written. */
static sl_status give(cuda_ahead *a, sl_call *call)
{
    if (a->given == a->searched) {
        a->grant = a->runs_ahead && a->grant < SEARCH_STEPS ? 2 * a->grant : a->grant;
        CUDA_TRY(launch(a));
    }
    cuda_vector *v = cuda_vector_of(call->out);
    if (v->ahead && v->ahead != a)
        sl_cuda_forget_late(v);
    late *out = enlist(a, call->out);
    uint64_t found = a->count[a->given - a->launched];
    a->given++;
    a->entries += found;
    *out = (late){.v = v,
                  .size = out->size,
                  .replaces = true,
                  .parents = a->parents,
                  .value = a->one,
                  .since = a->given,
                  .written = a->given - 1,
                  .last = a->given,
                  .count = found};
    if (found > 0)
        return SL_OK;
    a->penalty = 0;
    return end(a);
}

static sl_status make(sl_context *ctx, cuda_layout *layout)
{
    if (!layout->ahead)
        layout->ahead = sl_calloc(1, sizeof *layout->ahead);
    return layout->ahead ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory");
}

static sl_status multiply(sl_call *call, bool *done)
{
    if (!is_search_step(call))
        return SL_OK;
    cuda_layout *layout = cuda_matrix_of(matrix_of(call))->layout;
    CUDA_TRY(make(call->ctx, layout));
    bool goes_on = continues(layout->ahead, call);
    if (!goes_on)
        CUDA_TRY(begin(layout->ahead, call, &goes_on));
    *done = goes_on;
    return goes_on ? give(layout->ahead, call) : SL_OK;
}

/* ---- assignments and counts ------------------------------------------------------------- */

static unsigned long long low_bytes(unsigned long long x, size_t size)
{
    return size < sizeof x ? x & ((1ull << 8 * size) - 1) : x;
}

/* True if the finds of step `level` with such values prolong what the vector is owed; the
 * second step tells by how much a number rises. */
static bool prolongs(late *e, sl_type type, uint64_t level, bool parents, unsigned long long value)
{
    if (e->replaces || e->last + 1 != level || e->parents != parents)
        return false;
    if (parents)
        return true;
    if (e->last == e->since && type >= SL_INT8 && type <= SL_UINT64)
        e->rise = value - e->value;
    return low_bytes(e->value + (level - e->since) * e->rise, e->size) == value;
}

/* w<q> = q or w<q> = scalar, of which q is a step's finds. */
static sl_status assign(sl_call *call, bool *done)
{
    const unsigned others = SL_COMPLEMENT | SL_REPLACE;
    bool of_vector = call->op == SL_OP_ASSIGN;
    if (call->out->is_matrix || !call->mask || call->mask == call->out || call->accum ||
        call->rows || !(call->flags & SL_STRUCTURE) || (call->flags & others))
        return SL_OK;
    cuda_vector *q = cuda_vector_of(call->mask), *w = cuda_vector_of(call->out);
    cuda_ahead *a = q->ahead;
    const late *finds = a ? late_of(a, q) : NULL;
    if (!finds || !finds->replaces ||
        (of_vector && (call->a != call->mask || call->out->type != call->a->type)))
        return SL_OK;
    if (w->ahead != a)
        CUDA_TRY(put_in_place(call->out, true));
    if (!has_room(a, w))
        return SL_OK;
    uint64_t level = finds->last;
    bool parents = of_vector && finds->parents;
    unsigned long long value = of_vector ? finds->value : bits_of(call->scalar, call->out->type);
    late *e = enlist(a, call->out);
    bool is_owed = e->last >= e->since;
    if (is_owed && !prolongs(e, call->out->type, level, parents, value)) {
        CUDA_TRY(write_late(a, e));
        is_owed = false;
    }
    if (!is_owed)
        *e = (late){.v = w,
                    .size = e->size,
                    .parents = parents,
                    .value = value,
                    .since = level,
                    .written = level - 1};
    e->last = level;
    *done = true;
    return SL_OK;
}

static void count(sl_call *call, bool *done)
{
    if (call->a->is_matrix || !cuda_vector_of(call->a)->ahead)
        return;
    cuda_ahead *a = cuda_vector_of(call->a)->ahead;
    call->count = entries_of(a, late_of(a, cuda_vector_of(call->a)));
    *done = call->count != CUDA_UNCOUNTED;
}

sl_status sl_cuda_step_ahead(sl_call *call, bool *done)
{
    *done = false;
    if (call->op == SL_OP_VXM || call->op == SL_OP_MXV)
        CUDA_TRY(multiply(call, done));
    else if (call->op == SL_OP_ASSIGN || call->op == SL_OP_ASSIGN_SCALAR)
        CUDA_TRY(assign(call, done));
    else if (call->op == SL_OP_NVALS)
        count(call, done);
    if (!*done)
        return put_all_in_place(call);
    call->how = "as a step of a search";
    return SL_OK;
}
