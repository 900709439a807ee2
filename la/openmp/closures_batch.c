/*
 * Closures of up to 64 rows at once, for graphs of few levels (Then et al., "The More the Merrier:
 * Efficient Multi-Source Graph Traversal", VLDB 2014). Bit s of a word of a vertex belongs to the search
 * from row s: `seen` has the searches that have reached the vertex, `frontier` those that did so in the
 * last level, `next` those that do so in this one. So an edge is read once for all searches.
 *
 * A level with few edges is pushed by one thread from a list of its vertices. Others are divided among
 * threads by pieces of all vertices, and pushed or pulled, whichever examines fewer edges. A pull of a
 * vertex ends when it has found all searches that go on and have not reached it.
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

#include "closures.h"
#include "pieces.h"

enum {
    MAX_LEVELS = UINT16_MAX - 1,
    EARLY_LEVELS = 8,
    EARLY_PART = 8, /* of the vertices of the searches that go on: 1 / 8 must be reached by then */
    LISTED = SL_SERIAL_EDGES, /* vertices and edges of a level that one thread takes */
    PIECES = 64,              /* of the vertices, for each thread, at most, */
    PIECE = 4096,             /* and with so many edges and vertices at least */
    PULLED_SHARE = 4, /* a level is pulled if it has more edges than this share of the others' */
    LANES = 8         /* levels of a vector */
};

typedef uint16_t lanes __attribute__((vector_size(LANES * sizeof(uint16_t))));

/* Sums over the vertices of a level. */
typedef struct {
    uint64_t members, edges; /* vertices, and their out-edges */
    uint64_t reached;        /* pairs of a vertex and a search */
    uint64_t live;           /* the searches that have a vertex in the level */
} counts;

typedef struct {
    const sl_closures_call *call;
    uint64_t n, stride;               /* stride: searches, rounded up to a vector of levels */
    uint64_t *seen, *frontier, *next; /* [n]; `next` is 0 between levels */
    uint16_t *level;                  /* [n + 1][stride], or NULL */
    uint32_t *parent;                 /* [n + 1][stride], or NULL */
    uint32_t *list;                   /* [LISTED] the vertices of the frontier, if `listed` */
    uint32_t *next_list;              /* [LISTED] */
    bool listed;
    bool touched;     /* all pages of level and parent are in memory */
    counts last;      /* of the frontier */
    uint64_t reached; /* pairs of a vertex and a search */
    uint64_t
        unfinished_edges; /* out-edges of vertices that some search that went on had not reached
                                  when this was last counted */
    uint64_t pieces;
    sl_status *status; /* SL_OK until the call is cancelled */
} batch;

/* Whether the call is cancelled. The calling thread of the operation asks. */
static bool ends(const batch *b)
{
    if (omp_get_thread_num() == 0 && *b->status == SL_OK)
        __atomic_store_n(b->status, sl_interrupted(b->call->ctx, "closures"), __ATOMIC_RELAXED);
    return __atomic_load_n(b->status, __ATOMIC_RELAXED) != SL_OK;
}

/* Loops over the vertices v of all pieces; the outer loop is divided among threads. Once the call is
 * cancelled, pieces are empty. */
#define FOR_PIECES(b, start, v)                                                                    \
    for (uint64_t piece = 0; piece < (b)->pieces; piece++)                                         \
        for (uint64_t v = sl_openmp_piece_begin(start, (b)->n, piece, (b)->pieces),                \
                      end_ = ends(b)                                                               \
                                 ? v                                                               \
                                 : sl_openmp_piece_begin(start, (b)->n, piece + 1, (b)->pieces);   \
             v < end_; v++)

/* ---- levels and parents of a vertex --------------------------------------------------------- */

/* Writes the parent of v by the searches of a word. */
static inline void set_parent(const batch *b, uint64_t v, uint64_t searches, uint32_t parent)
{
    for (uint32_t *of = b->parent + v * b->stride; searches; searches &= searches - 1)
        of[__builtin_ctzll(searches)] = parent;
}

/* Writes the level of v by the searches of a word. */
static inline void set_level(const batch *b, uint64_t v, uint64_t searches, uint16_t number)
{
    static const lanes bit = {1, 2, 4, 8, 16, 32, 64, 128};
    lanes *of = (lanes *)(b->level + v * b->stride);
    const lanes value = (lanes){0} + number;
    for (; searches; searches >>= LANES, of++) {
        const lanes mask = (lanes)((((lanes){0} + (uint16_t)(searches & 0xff)) & bit) == bit);
        if (searches & 0xff)
            *of = (*of & ~mask) | (value & mask);
    }
}

/* The number of bits of a word. The compiler's own function is a call of a library on x86-64. */
static inline uint64_t count_bits(uint64_t x)
{
    const uint64_t pairs = x - (x >> 1 & UINT64_C(0x5555555555555555));
    const uint64_t fours =
        (pairs & UINT64_C(0x3333333333333333)) + (pairs >> 2 & UINT64_C(0x3333333333333333));
    return ((fours + (fours >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >>
           56;
}

/* Makes v a member of the level `number`. */
static inline void visit(const batch *b, counts *c, uint64_t v, uint64_t searches, uint16_t number)
{
    const sl_closures_call *call = b->call;
    b->seen[v] |= searches;
    if (b->level)
        set_level(b, v, searches, number);
    c->members++;
    c->edges += call->start[v + 1] - call->start[v];
    c->reached += count_bits(searches);
    c->live |= searches;
}

/* The frontier is now the level with these counts. */
static void complete(batch *b, const counts *c)
{
    uint64_t *old = b->frontier;
    b->frontier = b->next;
    b->next = old;
    b->last = *c;
    b->reached += c->reached;
}

/* ---- parents by the order of their ids ---------------------------------------------------- */

/* The searches of `wanted` that have a vertex in the frontier from which an edge leads to v. Records the
 * first such vertex as the parent, in the caller's order of the in-edges or, if backward, in the
 * opposite order. */
static inline __attribute__((always_inline)) uint64_t
find_frontier(const batch *b, uint64_t v, uint64_t wanted, bool parents, bool backward)
{
    const sl_closures_call *c = b->call;
    const uint64_t begin = c->in_start[v], end = c->in_start[v + 1];
    uint64_t left = wanted;
    for (uint64_t e = begin; e < end && left; e++) {
        const uint32_t u = c->in_index[backward ? end - 1 - (e - begin) : e];
        const uint64_t found = b->frontier[u] & left;
        if (parents && found)
            set_parent(b, v, found, sl_closures_old_id(c, u));
        left &= ~found;
    }
    return wanted & ~left;
}

/* ---- levels of few edges ------------------------------------------------------------------ */

/* Pushes from the listed vertices to the list of the next ones. */
static void push_listed(batch *b, uint16_t number)
{
    const sl_closures_call *c = b->call;
    const bool any = b->parent && c->choice == SL_MONOID_ANY;
    counts next = {0};
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
                set_parent(b, v, added, sl_closures_old_id(c, u));
        }
    }
    for (uint64_t k = 0; k < listed; k++) {
        const uint32_t v = b->next_list[k];
        if (b->parent && !any)
            find_frontier(b, v, b->next[v], true, c->choice == SL_MONOID_MAX);
        visit(b, &next, v, b->next[v], number);
    }
    for (uint64_t k = 0; k < b->last.members; k++)
        b->frontier[b->list[k]] = 0;
    uint32_t *old = b->list;
    b->list = b->next_list;
    b->next_list = old;
    complete(b, &next);
}

/* ---- levels of many edges ----------------------------------------------------------------- */

static void push(const batch *b)
{
    const sl_closures_call *c = b->call;
    const bool any = b->parent && c->choice == SL_MONOID_ANY;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, 1)
    FOR_PIECES(b, c->start, u)
    if (b->frontier[u])
        for (uint64_t e = c->start[u]; e < c->start[u + 1]; e++) {
            const uint32_t v = c->index[e];
            uint64_t added = b->frontier[u] & ~b->seen[v];
            if (!(added & ~__atomic_load_n(&b->next[v], __ATOMIC_RELAXED)))
                continue;
            added &= ~__atomic_fetch_or(&b->next[v], added, __ATOMIC_RELAXED);
            if (any)
                set_parent(b, v, added, sl_closures_old_id(c, u));
        }
}

/* For all vertices, what searches find by their in-edges; `parents` and `backward` are constants. */
static inline __attribute__((always_inline)) void pull_as(const batch *b, bool parents,
                                                          bool backward)
{
    const sl_closures_call *c = b->call;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, 1)
    FOR_PIECES(b, c->in_start, v)
    {
        const uint64_t wanted = b->last.live & ~b->seen[v];
        if (wanted)
            b->next[v] = find_frontier(b, v, wanted, parents, backward);
    }
}

static void pull(const batch *b)
{
    if (!b->parent)
        pull_as(b, false, false);
    else if (b->call->choice == SL_MONOID_MAX)
        pull_as(b, true, true);
    else
        pull_as(b, true, false);
}

/* After a push: chooses the least or the greatest parents of the vertices reached. */
static void choose_parents(const batch *b)
{
    const sl_closures_call *c = b->call;
    const bool backward = c->choice == SL_MONOID_MAX;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, 1)
    FOR_PIECES(b, c->in_start, v)
    if (b->next[v])
        find_frontier(b, v, b->next[v], true, backward);
}

/* Makes the vertices reached the frontier, and clears the old one. */
static void visit_all(batch *b, uint16_t number)
{
    const sl_closures_call *c = b->call;
    const uint64_t live_before = b->last.live;
    uint64_t members = 0, edges = 0, reached = 0, live = 0, unfinished = 0;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, 1)                              \
    reduction(+ : members, edges, reached, unfinished) reduction(| : live)
    for (uint64_t first = 0; first < b->n; first += PIECE) {
        const uint64_t end = b->n - first < PIECE ? b->n : first + PIECE;
        counts next = {0};
        for (uint64_t v = first; v < end; v++) {
            if (b->next[v])
                visit(b, &next, v, b->next[v], number);
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
    complete(b, &(counts){members, edges, reached, live});
}

static bool is_small(const counts *c)
{
    return c->members + c->edges <= LISTED;
}

static void list_frontier(batch *b)
{
    uint64_t listed = 0;
    for (uint64_t v = 0; v < b->n; v++)
        if (b->frontier[v])
            b->list[listed++] = (uint32_t)v;
}

/* Before the first level that threads share. */
static void touch(batch *b)
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
static sl_status divide_level(batch *b, uint16_t number, sl_closures_call *c)
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

static sl_status run_level(batch *b, uint16_t number, sl_closures_call *c)
{
    const bool was_listed = b->listed;
    b->listed = is_small(&b->last);
    if (!b->listed)
        return divide_level(b, number, c);
    if (!was_listed)
        list_frontier(b);
    push_listed(b, number);
    return SL_OK;
}

/* ---- the searches ------------------------------------------------------------------------- */

/* Level 0: the frontiers. */
static void begin(batch *b, uint64_t first, uint64_t count)
{
    const sl_closures_call *c = b->call;
    counts start = {0};
    for (uint64_t s = 0; s < count; s++)
        for (uint64_t e = c->q.start[first + s]; e < c->q.start[first + s + 1]; e++) {
            const uint64_t own = c->q.index[e], v = c->new_id ? c->new_id[own] : own;
            if (v >= c->n)
                continue;
            if (!b->next[v] && start.members < LISTED)
                b->list[start.members] = (uint32_t)v;
            start.members += !b->next[v];
            start.edges += b->next[v] ? 0 : c->start[v + 1] - c->start[v];
            b->next[v] |= (uint64_t)1 << s;
            if (b->parent)
                set_parent(b, v, (uint64_t)1 << s, (uint32_t)own);
        }
    const uint64_t listed = start.members;
    b->listed = is_small(&start);
    start = (counts){0};
    for (uint64_t k = 0; b->listed && k < listed; k++)
        visit(b, &start, b->list[k], b->next[b->list[k]], 0);
    for (uint64_t v = 0; !b->listed && v < b->n; v++)
        if (b->next[v])
            visit(b, &start, v, b->next[v], 0);
    complete(b, &start);
}

/* Whether the searches are left to closures_single.c. */
static bool is_deep(const batch *b, uint64_t number)
{
    const uint64_t going_on = (uint64_t)__builtin_popcountll(b->last.live);
    return number > MAX_LEVELS ||
           (number == EARLY_LEVELS && b->reached < b->n / EARLY_PART * going_on);
}

static sl_status find_levels(batch *b, bool *deep, sl_closures_call *c)
{
    for (uint64_t number = 1; b->last.members > 0 && number <= c->most; number++) {
        *deep = is_deep(b, number);
        if (*deep || ends(b))
            break;
        const sl_status status = run_level(b, (uint16_t)number, c);
        if (status != SL_OK)
            return status;
    }
    return *b->status;
}

/* Searches from the rows `first` to first + count - 1. *deep: nothing is added to the results. */
static sl_status run_batch(batch *b, bool *deep, sl_closures_call *c, sl_closures_results *results,
                           uint64_t first, uint64_t count)
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
static bool allocate(batch *b, const sl_closures_call *c)
{
    const uint64_t values = (b->n + 1) * b->stride;
    b->seen = sl_malloc((b->n + 1) * sizeof *b->seen);
    b->frontier = sl_malloc((b->n + 1) * sizeof *b->frontier);
    b->next = sl_malloc((b->n + 1) * sizeof *b->next);
    b->list = sl_malloc(LISTED * sizeof *b->list);
    b->next_list = sl_malloc(LISTED * sizeof *b->next_list);
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
    const uint64_t pieces = 1 + (c->n + c->start[c->n]) / PIECE;
    const uint64_t most_pieces = (uint64_t)c->threads * PIECES;
    sl_status interrupted = SL_OK;
    batch b = {.call = c,
               .n = c->n,
               .stride = (most + LANES - 1) / LANES * LANES,
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
