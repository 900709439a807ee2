/*
 * A level of the searches of closures_batch.c. A level with few edges is pushed by one thread from a list
 * of its vertices. Others are divided among threads by pieces of all vertices, and pushed or pulled,
 * whichever examines fewer edges. A pull of a vertex ends when it has found all searches that go on and
 * have not reached it.
 */
#include "openmp/closures_batch.h"

/* A level is pulled if it has more edges than this share of the others'. */
enum { PULLED_SHARE = 4 };

/* ---- parents by the order of their ids ---------------------------------------------------- */

/* The searches of `wanted` that have a vertex in the frontier from which an edge leads to v. Records the
 * first such vertex as the parent, in the caller's order of the in-edges or, if backward, in the
 * opposite order. */
static inline __attribute__((always_inline)) uint64_t
find_frontier(const sl_closures_batch *b, uint64_t v, uint64_t wanted, bool parents, bool backward)
{
    const sl_closures_call *c = b->call;
    const uint64_t begin = c->in_start[v], end = c->in_start[v + 1];
    uint64_t left = wanted;
    for (uint64_t e = begin; e < end && left; e++) {
        const uint32_t u = c->in_index[backward ? end - 1 - (e - begin) : e];
        const uint64_t found = b->frontier[u] & left;
        if (parents && found)
            sl_closures_set_parent(b, v, found, sl_closures_old_id(c, u));
        left &= ~found;
    }
    return wanted & ~left;
}

/* ---- levels of few edges ------------------------------------------------------------------ */

/* Pushes from the listed vertices to the list of the next ones. */
static void push_listed(sl_closures_batch *b, uint16_t number)
{
    const sl_closures_call *c = b->call;
    const bool any = b->parent && c->choice == SL_MONOID_ANY;
    sl_closures_counts next = {0};
    uint64_t listed = 0;
    for (uint64_t k = 0; k < b->last.members; k++) {
        const uint32_t u = b->list[k];
        const uint64_t searches = b->frontier[u];
        for (uint64_t e = c->start[u]; e < c->start[u + 1]; e++) {
            const uint32_t v = c->index[e];
            const uint64_t added = searches & ~b->seen[v] & ~b->next[v];
            if (!added)
                continue;
            if (!b->next[v])
                b->next_list[listed++] = v;
            b->next[v] |= added;
            if (any)
                sl_closures_set_parent(b, v, added, sl_closures_old_id(c, u));
        }
    }
    for (uint64_t k = 0; k < listed; k++) {
        const uint32_t v = b->next_list[k];
        if (b->parent && !any)
            find_frontier(b, v, b->next[v], true, c->choice == SL_MONOID_MAX);
        sl_closures_visit(b, &next, v, b->next[v], number);
    }
    for (uint64_t k = 0; k < b->last.members; k++)
        b->frontier[b->list[k]] = 0;
    uint32_t *old = b->list;
    b->list = b->next_list;
    b->next_list = old;
    sl_closures_complete(b, &next);
}

/* ---- levels of many edges ----------------------------------------------------------------- */

static void push(const sl_closures_batch *b)
{
    const sl_closures_call *c = b->call;
    const bool any = b->parent && c->choice == SL_MONOID_ANY;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, 1)
    SL_FOR_PIECES(b, c->start, u, sl_closures_ends)
    if (b->frontier[u])
        for (uint64_t e = c->start[u]; e < c->start[u + 1]; e++) {
            const uint32_t v = c->index[e];
            uint64_t added = b->frontier[u] & ~b->seen[v];
            if (!(added & ~__atomic_load_n(&b->next[v], __ATOMIC_RELAXED)))
                continue;
            added &= ~__atomic_fetch_or(&b->next[v], added, __ATOMIC_RELAXED);
            if (any)
                sl_closures_set_parent(b, v, added, sl_closures_old_id(c, u));
        }
}

/* For all vertices, what searches find by their in-edges; `parents` and `backward` are constants. */
static inline __attribute__((always_inline)) void pull_as(const sl_closures_batch *b, bool parents,
                                                          bool backward)
{
    const sl_closures_call *c = b->call;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, 1)
    SL_FOR_PIECES(b, c->in_start, v, sl_closures_ends)
    {
        const uint64_t wanted = b->last.live & ~b->seen[v];
        if (wanted)
            b->next[v] = find_frontier(b, v, wanted, parents, backward);
    }
}

static void pull(const sl_closures_batch *b)
{
    if (!b->parent)
        pull_as(b, false, false);
    else if (b->call->choice == SL_MONOID_MAX)
        pull_as(b, true, true);
    else
        pull_as(b, true, false);
}

/* After a push: chooses the least or the greatest parents of the vertices reached. */
static void choose_parents(const sl_closures_batch *b)
{
    const sl_closures_call *c = b->call;
    const bool backward = c->choice == SL_MONOID_MAX;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, 1)
    SL_FOR_PIECES(b, c->in_start, v, sl_closures_ends)
    if (b->next[v])
        find_frontier(b, v, b->next[v], true, backward);
}

/* Makes the vertices reached the frontier, and clears the old one. */
static void visit_all(sl_closures_batch *b, uint16_t number)
{
    const sl_closures_call *c = b->call;
    const uint64_t live_before = b->last.live;
    uint64_t members = 0, edges = 0, reached = 0, live = 0, unfinished = 0;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, 1)                              \
    reduction(+ : members, edges, reached, unfinished) reduction(| : live)
    for (uint64_t first = 0; first < b->n; first += SL_CLOSURE_PIECE) {
        const uint64_t end = b->n - first < SL_CLOSURE_PIECE ? b->n : first + SL_CLOSURE_PIECE;
        sl_closures_counts next = {0};
        for (uint64_t v = first; v < end; v++) {
            if (b->next[v])
                sl_closures_visit(b, &next, v, b->next[v], number);
            if (live_before & ~b->seen[v])
                unfinished += c->start[v + 1] - c->start[v];
            b->frontier[v] = 0;
        }
        members += next.members;
        edges += next.edges;
        reached += next.reached;
        live |= next.live;
    }
    b->unfinished_edges = unfinished;
    sl_closures_complete(b, &(sl_closures_counts){members, edges, reached, live});
}

static void list_frontier(sl_closures_batch *b)
{
    uint64_t listed = 0;
    for (uint64_t v = 0; v < b->n; v++)
        if (b->frontier[v])
            b->list[listed++] = (uint32_t)v;
}

/* Before the first level that threads share. */
static void touch(sl_closures_batch *b)
{
    const sl_closures_call *c = b->call;
    const uint64_t values = b->n * b->stride;
    if (!b->touched && b->level)
        sl_openmp_touch(b->level, values * sizeof *b->level, c->threads);
    if (!b->touched && b->parent)
        sl_openmp_touch(b->parent, values * sizeof *b->parent, c->threads);
    b->touched = true;
}

/* Pushes or pulls a level, by all threads. */
static sl_status divide_level(sl_closures_batch *b, uint16_t number, sl_closures_call *c)
{
    const bool pulls = b->last.edges > b->unfinished_edges / PULLED_SHARE;
    const sl_status status = pulls ? sl_openmp_closures_need_in_edges(c) : SL_OK;
    if (status != SL_OK)
        return status;
    touch(b);
    if (pulls)
        pull(b);
    else
        push(b);
    if (!pulls && b->parent && c->choice != SL_MONOID_ANY)
        choose_parents(b);
    visit_all(b, number);
    return SL_OK;
}

sl_status sl_closures_run_level(sl_closures_batch *b, uint16_t number, sl_closures_call *c)
{
    const bool was_listed = b->listed;
    b->listed = sl_closures_is_small(&b->last);
    if (!b->listed)
        return divide_level(b, number, c);
    if (!was_listed)
        list_frontier(b);
    push_listed(b, number);
    return SL_OK;
}

sl_status sl_openmp_closures_need_in_edges(sl_closures_call *c)
{
    sl_matrix *At;
    sl_openmp_prepared *prepared;
    if (c->in_start)
        return SL_OK;
    sl_status status = sl_matrix_transpose_pattern(&At, c->A, true);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&prepared, c->A);
    return status == SL_OK ? sl_openmp_rows(&c->in_start, &c->in_index, At, &prepared->graph)
                           : status;
}
