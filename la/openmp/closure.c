/*
 * The closure over semirings that settle: a direction-optimising breadth-first
 * search (Beamer, Asanovic, Patterson, SC 2012) on the matrix's own arrays. The
 * whole loop is one operation, so that a level costs its edges and no calls.
 */
#include <string.h>

#include "search.h"

/* Everything that the search borrows or owns, to be given back in any case. */
typedef struct {
    search s;
    const sl_closure_options *options;
    sl_call *call;
    sl_bitmap pi, level;
    sl_csr targets;    /* their list */
    uint64_t *settled; /* bits: what pi held at the start */
    uint64_t *target_bits;
    uint64_t targets_left;
} run;

/* The kernels' number of the caller's vertex. */
static uint64_t place(const run *r, uint64_t v)
{
    const uint32_t *places = r->call->traversal->A->compact.place;
    return places ? places[v] : v;
}

static sl_status no_memory(sl_call *call)
{
    return sl_fail(call->ctx, SL_NO_MEMORY, "closure: out of memory");
}

static void *array(uint64_t count)
{
    return sl_malloc(count * sizeof(uint64_t));
}

/* Room that the matrix keeps from search to search. NULL: out of memory. */
static uint32_t *scratch(sl_matrix *A, uint64_t count)
{
    sl_compact *c = &A->compact;
    if (c->scratch_count < count) {
        sl_free(c->scratch);
        c->scratch = sl_malloc(count * sizeof *c->scratch);
        c->scratch_count = c->scratch ? count : 0;
    }
    return c->scratch;
}

/* The entries of a vector as a list, from sl_malloc. */
static sl_status list_of(sl_csr *list, const sl_object *v)
{
    return sl_store_host.export_arrays(list, v, sl_held(v, &sl_store_host));
}

static void list_free(sl_csr *list)
{
    sl_free(list->start);
    sl_free(list->index);
    sl_free(list->values);
}

/* The in-edges, made on demand; the bitmaps of a pull. */
static sl_status prepare_pull(run *r)
{
    search *s = &r->s;
    sl_matrix *At;
    if (s->in_start)
        return SL_OK;
    if (!s->frontier)
        s->frontier = array(s->words);
    if (!s->found)
        s->found = array(s->words);
    if (!s->frontier || !s->found)
        return no_memory(r->call);
    sl_status status = sl_matrix_pull_side(&At, r->call->traversal->A, true);
    return status == SL_OK
               ? sl_openmp_rows(&s->in_start, &s->in_index, At, &r->call->traversal->A->compact)
               : status;
}

/* The frontier in the form that the direction needs. */
static void frontier_to_bits(search *s)
{
    if (s->in_bits)
        return;
    memset(s->frontier, 0, s->words * sizeof *s->frontier);
    for (uint64_t k = s->head; k < s->tail; k++)
        bit_set(s->frontier, s->queue[k]);
    s->head = s->tail;
    s->in_bits = true;
}

static void frontier_to_queue(search *s)
{
    if (!s->in_bits)
        return;
    s->head = s->tail;
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->frontier[w]; bits; bits &= bits - 1)
            s->queue[s->tail++] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
    s->in_bits = false;
}

static uint64_t targets_in_frontier(const run *r)
{
    const search *s = &r->s;
    uint64_t count = 0;
    if (s->in_bits)
        for (uint64_t w = 0; w < s->words; w++)
            count += (uint64_t)__builtin_popcountll(s->frontier[w] & r->target_bits[w]);
    else
        for (uint64_t k = s->head; k < s->tail; k++)
            count += bit_test(r->target_bits, s->queue[k]);
    return count;
}

static sl_status one_step(run *r)
{
    search *s = &r->s;
    double started = sl_seconds();
    sl_direction direction = r->options->direction;
    if (direction == SL_AUTO) {
        sl_plan_decide(&s->plan, s->n, s->edges);
        direction = s->plan.direction;
    }
    sl_step step = {.direction = direction, .edges_exact = true, .frontier = s->plan.frontier};
    if (direction == SL_PULL) {
        sl_status status = prepare_pull(r);
        if (status != SL_OK)
            return status;
        frontier_to_bits(s);
        sl_openmp_pull(s, &step);
    } else {
        frontier_to_queue(s);
        sl_openmp_push(s, &step);
    }
    s->plan.missing -= s->plan.frontier;
    s->plan.missing_edges -=
        s->plan.push_edges < s->plan.missing_edges ? s->plan.push_edges : s->plan.missing_edges;
    step.seconds = sl_seconds() - started;
    if (!r->options->log)
        return SL_OK;
    sl_status status = sl_step_log_append(r->options->log, &step);
    return status == SL_OK ? SL_OK : no_memory(r->call);
}

static sl_status all_steps(run *r)
{
    search *s = &r->s;
    const sl_closure_options *o = r->options;
    uint64_t all = o->targets ? r->targets.start[1] : 0;
    for (s->number = 1; s->plan.frontier > 0; s->number++) {
        bool met = o->until == SL_UNTIL_ALL ? r->targets_left == 0 : r->targets_left < all;
        if ((o->targets && met) || (o->bounded && (uint64_t)s->number > o->max_steps))
            return SL_OK;
        sl_status status = one_step(r);
        if (status != SL_OK)
            return status;
        if (o->targets)
            r->targets_left -= targets_in_frontier(r);
    }
    return SL_OK;
}

/* The frontier is q; what pi holds is visited, and targets there are met. */
static void begin(run *r, const sl_csr *q)
{
    search *s = &r->s;
    memset(s->visited, 0, s->words * sizeof *s->visited);
    for (uint64_t at = 0; at < s->n;) {
        const int8_t *next = memchr(r->pi.present + at, 1, s->n - at);
        if (!next)
            break;
        uint64_t v = place(r, (uint64_t)(next - r->pi.present));
        bit_set(s->visited, v);
        s->plan.missing--;
        s->plan.missing_edges -= degree(s, v);
        at = (uint64_t)(next - r->pi.present) + 1;
    }
    memcpy(r->settled, s->visited, s->words * sizeof *s->visited);
    if (s->choice != SL_MONOID_ANY && s->parent)
        for (uint64_t v = 0; v < s->n; v++)
            if (!r->pi.present[v])
                s->parent[v] = NO_PARENT;
    for (uint64_t k = 0; k < q->start[1]; k++) {
        uint64_t v = place(r, q->index[k]);
        s->queue[s->tail++] = (uint32_t)v;
        s->plan.push_edges += degree(s, v);
    }
    s->plan.frontier = s->tail;
    if (!r->options->targets)
        return;
    memset(r->target_bits, 0, s->words * sizeof *r->target_bits);
    r->targets_left = r->targets.start[1];
    for (uint64_t k = 0; k < r->targets.start[1]; k++)
        bit_set(r->target_bits, place(r, r->targets.index[k]));
    for (uint64_t w = 0; w < s->words; w++)
        r->targets_left -= (uint64_t)__builtin_popcountll(r->target_bits[w] & s->visited[w]);
}

/* Makes the vertices of one word's bits entries of a vector; returns how many were not. */
static uint64_t mark(int8_t *present, uint64_t w, uint64_t bits)
{
    uint64_t added = 0;
    if (bits == ~(uint64_t)0) {
        for (uint64_t k = 0; k < 64; k++)
            added += !present[64 * w + k];
        memset(present + 64 * w, 1, 64);
        return added;
    }
    for (; bits; bits &= bits - 1) {
        uint64_t v = 64 * w + (uint64_t)__builtin_ctzll(bits);
        added += !present[v];
        present[v] = 1;
    }
    return added;
}

/* What was visited becomes entries of pi and, if it was not there before, of level. */
static void finish(run *r)
{
    search *s = &r->s;
    bool *truth = s->parent ? NULL : r->pi.values;
    for (uint64_t w = 0; w < s->words; w++) {
        uint64_t bits = s->visited[w] & ~r->settled[w];
        r->pi.nvals += mark(r->pi.present, w, bits);
        if (s->level)
            r->level.nvals += mark(r->level.present, w, bits);
        for (; truth && bits; bits &= bits - 1)
            truth[64 * w + (uint64_t)__builtin_ctzll(bits)] = true;
    }
}

/* The same for renumbered vertices, in the caller's order: what is written then
 * is one stream, and what is read lies near. */
static void finish_renumbered(run *r)
{
    const search *s = &r->s;
    const uint32_t *places = r->call->traversal->A->compact.place;
    bool *truth = s->parent ? NULL : r->pi.values;
    uint64_t found = 0, levels = 0;
#pragma omp parallel for num_threads(s->threads) reduction(+ : found, levels) if (s->n > SERIAL_EDGES)
    for (uint64_t v = 0; v < s->n; v++) {
        uint64_t k = places[v];
        if (!bit_test(s->visited, k) || bit_test(r->settled, k))
            continue;
        r->pi.present[v] = 1;
        found++;
        if (s->via)
            s->parent[v] = s->label[s->via[k]];
        if (truth)
            truth[v] = true;
        if (s->level) {
            levels += !r->level.present[v];
            r->level.present[v] = 1;
        }
    }
    r->pi.nvals += found;
    r->level.nvals += levels;
}

/* With all memory at hand: moves the vectors out, searches, moves them back. */
static sl_status search_between(run *r, const sl_csr *q)
{
    const sl_object *pi = r->call->traversal->pi;
    const sl_object *level = r->options->level ? sl_object_of_vector(r->options->level) : NULL;
    void *pi_handle = sl_held(pi, &sl_store_host);
    void *level_handle = level ? sl_held(level, &sl_store_host) : NULL;

    sl_status status = sl_store_host.open(&r->pi, pi, pi_handle);
    if (status != SL_OK)
        return status;
    if (level)
        status = sl_store_host.open(&r->level, level, level_handle);
    if (status == SL_OK) {
        r->s.parent = r->call->semiring->result_is_index ? r->pi.values : NULL;
        r->s.level = level ? r->level.values : NULL;
        begin(r, q);
        status = all_steps(r);
        if (r->s.label)
            finish_renumbered(r);
        else
            finish(r);
        if (level) {
            sl_status closed = sl_store_host.close(&r->level, level, level_handle);
            status = status == SL_OK ? closed : status;
        }
    }
    sl_status closed = sl_store_host.close(&r->pi, pi, pi_handle);
    return status == SL_OK ? closed : status;
}

sl_status sl_openmp_closure(sl_call *call)
{
    const sl_traversal *t = call->traversal;
    run r = {.call = call, .options = t->options};
    search *s = &r.s;
    sl_csr q = {0};
    sl_status status = sl_openmp_rows(&s->start, &s->index, t->A, &t->A->compact);
    if (status == SL_OK)
        status = list_of(&q, t->q);
    if (status == SL_OK && t->options->targets)
        status = list_of(&r.targets, sl_object_of_vector(t->options->targets));
    if (status != SL_OK || q.start[1] == 0)
        goto out;

    s->threads = sl_context_threads(call->ctx);
    s->n = call->a->nrows;
    s->words = (s->n + 63) / 64;
    s->edges = s->start[s->n];
    s->label = t->A->compact.label;
    s->choice = call->semiring->result_is_index ? call->semiring->add->code : SL_MONOID_ANY;
    s->plan.missing = s->n;
    s->plan.missing_edges = s->edges;
    s->visited = array(s->words);
    s->hubs = sl_malloc((s->edges / HUB_EDGES + 1) * sizeof *s->hubs);
    r.settled = array(s->words);
    r.target_bits = array(s->words);
    bool translate = s->label && s->choice == SL_MONOID_ANY && call->semiring->result_is_index;
    /* Each vertex enters the queue once by q and once by being found. */
    uint64_t room = s->n + q.start[1] + 1;
    s->queue = scratch(t->A, 2 * room + (translate ? s->n : 0));
    if (s->queue)
        s->from = s->queue + room;
    if (s->queue && translate)
        s->via = s->from + room;
    if (!s->visited || !r.settled || !s->queue || !s->hubs || !r.target_bits)
        status = no_memory(call);
    if (status == SL_OK)
        status = search_between(&r, &q);
out:
    sl_free(r.s.visited);
    sl_free(r.s.frontier);
    sl_free(r.s.found);
    sl_free(r.s.hubs);
    sl_free(r.settled);
    sl_free(r.target_bits);
    list_free(&q);
    list_free(&r.targets);
    return status;
}
