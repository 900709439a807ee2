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
 * The search may run ahead of the program, and a matrix remembers what became of the last one.
 * After one that found all, a launch does twice as many steps as that had; after one that was
 * left, as many as were taken; and twice as many as the launch before where a program wants more.
 * So a launch and a wait serve many steps, and a search of few steps costs none that it did not
 * want, but for the first of its kind. A loop like the one before, that ended with the vectors
 * that sl_bfs makes, is one launch with the writing of these at its end, as sl_bfs itself: they
 * lie in memory of the search until the loop has come to where they are its vectors'.
 *
 * An advance of sl_advance is a product and an assignment in one call, and goes the same way.
 *
 * A program that reads each step's vectors otherwise would gain nothing: after a search of
 * less than two steps some products are done as ever before the next one is begun.
 */
#include "ahead.h"

#include <string.h>

#include "layout.h"
#include "owed.h"
#include "search.h"

/* ---- the search --------------------------------------------------------------------- */

/* What the steps of a launch found: the next one's frontier, and what is left after all. */
static sl_status count_steps(cuda_ahead *a)
{
    const bfs_state *now = a->l.s.result;
    const bfs_level *steps = sl_cuda_device()->pinned_results->search_steps;
    uint64_t recorded = now->recorded, first = a->searched - a->launched;
    bool few = recorded <= STATE_LEVELS;
    if (a->records || !few)
        CUDA_TRY(sl_cuda_fetch_steps(&a->l));
    for (uint64_t k = 0; k < recorded; k++) {
        a->count[first + k] = few                ? now->few[k]
                              : k + 1 < recorded ? steps[k + 1].frontier
                                                 : now->count;
        if (a->records)
            a->step[first + k] = steps[k];
    }
    a->searched += recorded;
    return SL_OK;
}

/* Launches until so many steps are done as are granted, or nothing is left to find. By who
 * holds the lock. */
static sl_status search_on(cuda_ahead *a)
{
    cuda_launches *l = &a->l;
    const bfs_state *now = l->s.result;
    bool over = false;
    a->launched = a->searched;
    l->s.most = a->searched + a->grant;
    while (!over) {
        a->wide = !l->narrow;
        CUDA_TRY(sl_cuda_launch_steps(l, &over));
        CUDA_TRY(count_steps(a));
        /* A cluster that did its last step goes on where it stands. */
        if (!a->wide && now->stop == BFS_DONE) {
            l->narrow = now->count <= l->s.small_frontier_max;
            over = true;
        }
    }
    if (a->searched == a->launched) { /* there was no frontier */
        a->count[0] = 0;
        a->step[0] = (bfs_level){0};
        a->searched++;
    }
    a->ended = a->wide && (l->s.parent.values || l->s.truth) && now->count == 0;
    a->entries_then = now->entries;
    a->outside = now->stop == BFS_OUTSIDE;
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

/* A step of a search of which any parent is as good, in a matrix that has a layout of all. */
static bool is_search_step(const sl_call *call)
{
    const unsigned missing = SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT;
    sl_semiring semiring = call->semiring;
    const cuda_reordered_graph *layout = cuda_matrix_of(matrix_of(call))->layout;
    return layout && !sl_cuda_is_pruned(layout) && call->mask &&
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

/* The call is the step after the last one given. `records`: it is asked how that was done. */
static bool continues(cuda_ahead *a, const sl_call *call, bool records)
{
    const cuda_owed *u = sl_cuda_owed_to(a, cuda_vector_of(vector_of(call)));
    const cuda_owed *mask = sl_cuda_owed_to(a, cuda_vector_of(call->mask));
    return a->under_way && (a->records || !records) && u && u->replaces && u->last == a->given &&
           mask && sl_cuda_is_mask(a, mask) && mask->last == a->given &&
           call->out->type == a->type && call->semiring->multiply->positional == a->parents &&
           sl_cuda_has_place(a, cuda_vector_of(call->out));
}

/* Switches and the device allow a search, and it is not the turn of a product. */
static bool may_begin(cuda_ahead *a, const cuda_switches *on, const cuda_reordered_graph *layout)
{
    if (!on->steps || !on->layout || !on->persistent || !sl_cuda_device()->cooperative ||
        !sl_cuda_takes_graph(&layout->graph))
        return false;
    if (a->sits_out == 0)
        return true;
    a->sits_out--;
    return false;
}

/* What the search begins with: one vertex, as sl_bfs does, or bits. */
static sl_status take_vectors(cuda_ahead *a, const cuda_switches *on, const sl_call *call)
{
    bfs_params *s = &a->l.s;
    cuda_vector *q = cuda_vector_of(vector_of(call));
    s->fresh = on->fresh && cuda_is_host_list(q) && q->nvals == 1 &&
               cuda_is_only(a->mask, q->few.index[0], 0, 0);
    if (s->fresh) {
        s->source = (uint32_t)q->few.index[0];
        CUDA_TRY(sl_cuda_make_room(a, sl_cuda_owed_to(a, a->mask)));
        sl_cuda_expect_whole(a);
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_make_bitmap(call->mask, a->mask));
    CUDA_TRY(sl_cuda_make_bitmap(vector_of(call), q));
    s->pi = a->mask->bits;
    s->q = q->bits;
    return SL_OK;
}

/* The search from the call's vectors. Not begun where its frontier is not within the mask. */
static sl_status begin(cuda_ahead *a, const sl_call *call, bool records, bool *begun)
{
    cuda_switches on;
    *begun = false;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    CUDA_TRY(sl_cuda_leave_search(a));
    if (!may_begin(a, &on, cuda_matrix_of(matrix_of(call))->layout))
        return SL_OK;
    CUDA_TRY(sl_cuda_put_all_in_place(call));
    a->mask = cuda_vector_of(call->mask);
    sl_cuda_forget_owed(a->mask);
    sl_cuda_enlist(a, call->mask);
    a->parents = call->semiring->multiply->positional;
    a->type = call->out->type;
    a->one = bits_of(sl_scalar_bool(true), a->type);
    a->runs_ahead = on.ahead;
    a->records = records;
    a->grant = !on.ahead ? 1 : a->grant > 0 ? a->grant : AHEAD_FIRST;
    a->given = a->searched = a->launched = 0;
    sl_cuda_launches_of(&a->l, call->ctx, matrix_of(call), &on);
    a->l.s.records_parents = a->parents;
    a->l.s.records_levels = true;
    sl_status status = take_vectors(a, &on, call);
    if (status == SL_OK)
        status = launch(a);
    if (status != SL_OK) {
        sl_cuda_drop_search(a);
        return status;
    }
    a->under_way = true;
    if (a->outside)
        return sl_cuda_leave_search(a);
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
        a->grant = a->runs_ahead && a->grant < BFS_LEVELS ? 2 * a->grant : a->grant;
        CUDA_TRY(launch(a));
    }
    cuda_vector *v = cuda_vector_of(call->out);
    if (v->ahead && v->ahead != a)
        sl_cuda_forget_owed(v);
    if (!v->ahead)
        sl_cuda_forget_unfinished(v);
    cuda_owed *out = sl_cuda_enlist(a, call->out);
    uint64_t found = a->count[a->given - a->launched];
    a->given++;
    a->entries += found;
    *out = (cuda_owed){.v = v,
                       .type = out->type,
                       .room = out->room,
                       .replaces = true,
                       .parents = a->parents,
                       .value = a->one,
                       .since = a->given,
                       .written = a->given - 1,
                       .last = a->given,
                       .count = found};
    if (found > 0)
        return SL_OK;
    sl_cuda_clear_vector(v);
    out->written = out->last;
    a->penalty = 0;
    return sl_cuda_finish_found(a);
}

static sl_status make(sl_context *ctx, cuda_reordered_graph *layout)
{
    if (!layout->ahead)
        layout->ahead = sl_calloc(1, sizeof *layout->ahead);
    return layout->ahead ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory");
}

static sl_status multiply(sl_call *call, bool records, bool *done)
{
    if (!is_search_step(call))
        return SL_OK;
    cuda_reordered_graph *layout = cuda_matrix_of(matrix_of(call))->layout;
    CUDA_TRY(make(call->ctx, layout));
    bool goes_on = continues(layout->ahead, call, records);
    if (!goes_on)
        CUDA_TRY(begin(layout->ahead, call, records, &goes_on));
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
static bool prolongs(cuda_owed *e, sl_type type, uint64_t level, bool parents,
                     unsigned long long value)
{
    if (e->replaces || e->last + 1 != level || e->parents != parents)
        return false;
    if (parents)
        return true;
    if (e->last == e->since && type >= SL_INT8 && type <= SL_UINT64)
        e->rise = value - e->value;
    return low_bytes(e->value + (level - e->since) * e->rise, sl_type_size(type)) == value;
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
    const cuda_owed *finds = a ? sl_cuda_owed_to(a, q) : NULL;
    if (!finds || !finds->replaces ||
        (of_vector && (call->a != call->mask || call->out->type != call->a->type)))
        return SL_OK;
    if (w->ahead != a)
        CUDA_TRY(sl_cuda_put_in_place(call->out, true));
    if (!sl_cuda_has_place(a, w))
        return SL_OK;
    uint64_t level = finds->last;
    bool parents = of_vector && finds->parents;
    unsigned long long value = of_vector ? finds->value : bits_of(call->scalar, call->out->type);
    cuda_owed *e = sl_cuda_enlist(a, call->out);
    bool is_owed = e->last >= e->since;
    CUDA_TRY(sl_cuda_make_room(a, e));
    if (is_owed && !prolongs(e, call->out->type, level, parents, value)) {
        CUDA_TRY(sl_cuda_write_owed(a, e));
        is_owed = false;
    }
    if (!is_owed)
        *e = (cuda_owed){.v = w,
                         .type = e->type,
                         .room = e->room,
                         .parents = parents,
                         .value = value,
                         .since = level,
                         .written = level - 1};
    e->last = level;
    *done = true;
    return SL_OK;
}

/* Entries of the frontier, of which a search has those alone that have edges. */
static sl_status count_frontier(const sl_traversal *t, uint64_t *count)
{
    cuda_vector *q = cuda_vector_of(t->q);
    *count = CUDA_UNKNOWN;
    if (q->ahead)
        *count = sl_cuda_count_owed(q->ahead, sl_cuda_owed_to(q->ahead, q));
    if (*count != CUDA_UNKNOWN)
        return SL_OK;
    CUDA_TRY(sl_cuda_count_entries(t->q, q));
    *count = q->nvals;
    return SL_OK;
}

/* delta<!pi, replace> = q A; pi<delta> = delta, by one call. */
static sl_status advance(const sl_call *call, bool *done)
{
    const sl_traversal *t = call->traversal;
    double started = sl_seconds();
    sl_call product = {.op = SL_OP_VXM,
                       .ctx = call->ctx,
                       .out = t->delta,
                       .mask = t->pi,
                       .a = t->q,
                       .b = call->a,
                       .semiring = call->semiring,
                       .flags = SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT};
    sl_call entry = {.op = SL_OP_ASSIGN,
                     .ctx = call->ctx,
                     .out = t->pi,
                     .mask = t->delta,
                     .a = t->delta,
                     .flags = SL_STRUCTURE};
    uint64_t frontier = 0;
    if (t->direction != SL_AUTO)
        return SL_OK;
    if (t->step)
        CUDA_TRY(count_frontier(t, &frontier));
    CUDA_TRY(multiply(&product, t->step != NULL, done));
    if (!*done)
        return SL_OK;
    const cuda_ahead *a = cuda_matrix_of(call->a)->layout->ahead;
    const bfs_level *did = &a->step[a->given - a->launched - 1];
    if (a->under_way) /* else there was nothing more to find */
        CUDA_TRY(assign(&entry, done));
    if (t->step)
        *t->step = (sl_iteration){.direction = did->pulled ? SL_PULL : SL_PUSH,
                             .edges_exact = true,
                             .frontier = frontier,
                             .edges = did->edges,
                             .seconds = sl_seconds() - started};
    return SL_OK;
}

static void count(sl_call *call, bool *done)
{
    if (call->a->is_matrix || !cuda_vector_of(call->a)->ahead)
        return;
    cuda_ahead *a = cuda_vector_of(call->a)->ahead;
    call->count = sl_cuda_count_owed(a, sl_cuda_owed_to(a, cuda_vector_of(call->a)));
    *done = call->count != CUDA_UNKNOWN;
}

sl_status sl_cuda_step_ahead(sl_call *call, bool *done)
{
    *done = false;
    if (call->op == SL_OP_VXM || call->op == SL_OP_MXV)
        CUDA_TRY(multiply(call, false, done));
    else if (call->op == SL_OP_ASSIGN || call->op == SL_OP_ASSIGN_SCALAR)
        CUDA_TRY(assign(call, done));
    else if (call->op == SL_OP_ADVANCE)
        CUDA_TRY(advance(call, done));
    else if (call->op == SL_OP_NVALS)
        count(call, done);
    if (!*done)
        return sl_cuda_put_all_in_place(call);
    return SL_OK;
}
