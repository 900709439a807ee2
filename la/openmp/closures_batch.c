/*
 * Closures of up to 64 rows at once, for graphs of few levels (Then et al., "The More the Merrier:
 * Efficient Multi-Source Graph Traversal", VLDB 2014). Bit s of a word of a vertex belongs to the search
 * from row s: `seen` has the searches that have reached the vertex, `frontier` those that did so in the
 * last level, `next` those that do so in this one. So an edge is read once for all searches.
 *
 * Levels are found by closures_level.c.
 *
 * Levels are kept for each vertex and search in 16 bits, side by side for the searches of a vertex:
 * results are written later in the caller's order. Searches of more levels are left to
 * closures_single.c, and so are those that have reached little after EARLY_LEVELS: their frontiers have
 * little in common.
 *
 * O(edges) for each level of a graph; 24 bytes for each vertex, and 2 for a level and 4 for a parent for
 * each vertex and search.
 */
#include <string.h>

#include "openmp/closures_batch.h"

enum {
    MAX_LEVELS = UINT16_MAX - 1,
    EARLY_LEVELS = 8,
    EARLY_PART = 8, /* of the vertices of the searches that go on: 1 / 8 must be reached by then */
    PIECES = 64     /* of the vertices, for each thread, at most */
};

/* ---- the searches ------------------------------------------------------------------------- */

/* Level 0: the frontiers. */
static void begin(sl_closures_batch *b, uint64_t first, uint64_t count)
{
    const sl_closures_call *c = b->call;
    sl_closures_counts start = {0};
    for (uint64_t s = 0; s < count; s++)
        for (uint64_t e = c->q.start[first + s]; e < c->q.start[first + s + 1]; e++) {
            const uint64_t own = c->q.index[e], v = c->new_id ? c->new_id[own] : own;
            if (v >= c->n)
                continue;
            if (!b->next[v] && start.members < SL_CLOSURE_LISTED)
                b->list[start.members] = (uint32_t)v;
            start.members += !b->next[v];
            start.edges += b->next[v] ? 0 : c->start[v + 1] - c->start[v];
            b->next[v] |= (uint64_t)1 << s;
            if (b->parent)
                sl_closures_set_parent(b, v, (uint64_t)1 << s, (uint32_t)own);
        }
    const uint64_t listed = start.members;
    b->listed = sl_closures_is_small(&start);
    start = (sl_closures_counts){0};
    for (uint64_t k = 0; b->listed && k < listed; k++)
        sl_closures_visit(b, &start, b->list[k], b->next[b->list[k]], 0);
    for (uint64_t v = 0; !b->listed && v < b->n; v++)
        if (b->next[v])
            sl_closures_visit(b, &start, v, b->next[v], 0);
    sl_closures_complete(b, &start);
}

/* Whether the searches are left to closures_single.c. */
static bool is_deep(const sl_closures_batch *b, uint64_t number)
{
    const uint64_t going_on = (uint64_t)__builtin_popcountll(b->last.live);
    return number > MAX_LEVELS ||
           (number == EARLY_LEVELS && b->reached < b->n / EARLY_PART * going_on);
}

static sl_status find_levels(sl_closures_batch *b, bool *deep, sl_closures_call *c)
{
    for (uint64_t number = 1; b->last.members > 0 && number <= c->most; number++) {
        *deep = is_deep(b, number);
        if (*deep || sl_closures_ends(b))
            break;
        const sl_status status = sl_closures_run_level(b, (uint16_t)number, c);
        if (status != SL_OK)
            return status;
    }
    return *b->status;
}

/* Searches from the rows `first` to first + count - 1. *deep: nothing is added to the results. */
static sl_status run_batch(sl_closures_batch *b, bool *deep, sl_closures_call *c,
                           sl_closures_results *results, uint64_t first, uint64_t count)
{
    memset(b->seen, 0, b->n * sizeof *b->seen);
    memset(b->frontier, 0, b->n * sizeof *b->frontier);
    memset(b->next, 0, b->n * sizeof *b->next);
    b->reached = 0;
    b->unfinished_edges = c->start[b->n];
    begin(b, first, count);
    const sl_status status = find_levels(b, deep, c);
    const sl_closures_found found = {.first = first,
                                     .count = count,
                                     .reached = b->reached,
                                     .seen = b->seen,
                                     .level = b->level,
                                     .parent = b->parent,
                                     .by_vertex = b->stride,
                                     .by_row = 1};
    return status != SL_OK || *deep ? status : sl_openmp_closures_add(results, c, &found);
}

/* Arrays of words that no search has are read as such; levels and parents where a search has reached a
 * vertex. Vertex n has level 0. */
static bool allocate(sl_closures_batch *b, const sl_closures_call *c)
{
    const uint64_t values = (b->n + 1) * b->stride;
    b->seen = sl_malloc((b->n + 1) * sizeof *b->seen);
    b->frontier = sl_malloc((b->n + 1) * sizeof *b->frontier);
    b->next = sl_malloc((b->n + 1) * sizeof *b->next);
    b->list = sl_malloc(SL_CLOSURE_LISTED * sizeof *b->list);
    b->next_list = sl_malloc(SL_CLOSURE_LISTED * sizeof *b->next_list);
    b->level = c->levels ? sl_malloc(values * sizeof *b->level) : NULL;
    b->parent = c->parents ? sl_malloc(values * sizeof *b->parent) : NULL;
    if (b->level)
        memset(b->level + b->n * b->stride, 0, b->stride * sizeof *b->level);
    return b->seen && b->frontier && b->next && b->list && b->next_list &&
           (b->level || !c->levels) && (b->parent || !c->parents);
}

sl_status sl_openmp_closures_batches(uint64_t *next, sl_closures_call *c,
                                     sl_closures_results *results, uint64_t first)
{
    const uint64_t rows = c->q.nrows, most = rows < SL_CLOSURE_ROWS ? rows : SL_CLOSURE_ROWS;
    const uint64_t pieces = 1 + (c->n + c->start[c->n]) / SL_CLOSURE_PIECE;
    const uint64_t most_pieces = (uint64_t)c->threads * PIECES;
    sl_status interrupted = SL_OK;
    sl_closures_batch b = {.call = c,
                           .n = c->n,
                           .stride =
                               (most + SL_CLOSURE_LANES - 1) / SL_CLOSURE_LANES * SL_CLOSURE_LANES,
                           .pieces = pieces < most_pieces ? pieces : most_pieces,
                           .status = &interrupted};
    bool deep = false;
    sl_status status = c->choice == SL_MONOID_ANY ? SL_OK : sl_openmp_closures_need_in_edges(c);
    *next = first;
    if (status != SL_OK)
        return status;
    if (!allocate(&b, c))
        status = sl_fail(c->ctx, SL_NO_MEMORY, "closures: out of memory");
    while (status == SL_OK && !deep && *next < rows) {
        const uint64_t count = rows - *next < most ? rows - *next : most;
        status = run_batch(&b, &deep, c, results, *next, count);
        *next += deep ? 0 : count;
    }
    sl_free(b.seen);
    sl_free(b.frontier);
    sl_free(b.next);
    sl_free(b.list);
    sl_free(b.next_list);
    sl_free(b.level);
    sl_free(b.parent);
    return status;
}
