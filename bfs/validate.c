/*
 * Is this a breadth-first search? The answer comes from plain arrays alone.
 *
 * Levels need no second search to compare with: if the source has level 0 and no
 * edge leads more than one level further, no level exceeds the distance from
 * the source; if every other reached vertex has an edge to it from the level
 * before, there is a path of that length, so no level is below the distance.
 * Both are seen in one pass over the edges, which also finds each tree edge.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <semla/bfs.h>

enum { WORTH_THREADS = 1 << 14 }; /* edges */

typedef struct {
    const sl_graph_view *graph;
    uint64_t source;
    const int64_t *parent, *level; /* as given: one of the two may be NULL */
    int64_t max_depth;
    sl_check_result *verdict;
} claim;

/* Not valid, and why; returns false. */
static bool refute(const claim *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refute(const claim *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->verdict->reason, sizeof c->verdict->reason, format, arguments);
    va_end(arguments);
    return false;
}

static bool source_holds(const claim *c)
{
    const uint64_t s = c->source;
    if (c->parent && c->parent[s] == SL_UNREACHED)
        return refute(c, "the source %" PRIu64 " has no parent; it has to be its own", s);
    if (c->parent && c->parent[s] != (int64_t)s)
        return refute(c, "the source %" PRIu64 " has parent %" PRId64 ", not itself", s,
                      c->parent[s]);
    if (c->level && c->level[s] == SL_UNREACHED)
        return refute(c, "the source %" PRIu64 " has no level; it has to be 0", s);
    if (c->level && c->level[s] != 0)
        return refute(c, "the source %" PRIu64 " has level %" PRId64 ", not 0", s, c->level[s]);
    return true;
}

static bool parent_holds(const claim *c, uint64_t v)
{
    const uint64_t n = c->graph->vertices;
    const int64_t p = c->parent[v];
    if (p == SL_UNREACHED)
        return true;
    if (p < 0 || (uint64_t)p >= n)
        return refute(
            c, "vertex %" PRIu64 " has parent %" PRId64 ", but the vertices are 0 to %" PRIu64, v,
            p, n - 1);
    if ((uint64_t)p == v && v != c->source)
        return refute(c, "vertex %" PRIu64 " is its own parent, but is not the source", v);
    if (c->parent[p] == SL_UNREACHED)
        return refute(c, "vertex %" PRIu64 " has parent %" PRId64 ", which was not reached", v, p);
    return true;
}

static bool level_holds(const claim *c, uint64_t v)
{
    const uint64_t n = c->graph->vertices;
    const int64_t l = c->level[v];
    if (l == SL_UNREACHED)
        return true;
    if (l < 0 || (uint64_t)l >= n)
        return refute(c,
                      "vertex %" PRIu64 " has level %" PRId64 ", but levels are 0 to %" PRIu64
                      " in a graph of %" PRIu64 " vertices",
                      v, l, n - 1, n);
    if (l == 0 && v != c->source)
        return refute(c, "vertex %" PRIu64 " has level 0, but is not the source", v);
    return true;
}

/* What each vertex's parent and level say by themselves. */
static bool entries_hold(const claim *c)
{
    for (uint64_t v = 0; v < c->graph->vertices; v++) {
        if ((c->parent && !parent_holds(c, v)) || (c->level && !level_holds(c, v)))
            return false;
        if (!c->parent || !c->level)
            continue;
        if (c->parent[v] != SL_UNREACHED && c->level[v] == SL_UNREACHED)
            return refute(c, "vertex %" PRIu64 " has parent %" PRId64 ", but no level", v,
                          c->parent[v]);
        if (c->parent[v] == SL_UNREACHED && c->level[v] != SL_UNREACHED)
            return refute(c, "vertex %" PRIu64 " has level %" PRId64 ", but no parent", v,
                          c->level[v]);
    }
    return true;
}

static bool refute_cycle(const claim *c, uint64_t on)
{
    enum { SHOWN = 4 };
    char vertices[SHOWN * 22 + 4] = "";
    size_t length = 0;
    uint64_t v = on, count = 0;
    do {
        if (count < SHOWN)
            length += (size_t)snprintf(vertices + length, sizeof vertices - length, "%s%" PRIu64,
                                       count ? ", " : "", v);
        v = (uint64_t)c->parent[v];
        count++;
    } while (v != on);
    return refute(c, "the parents of %" PRIu64 " vertices form a cycle: %s%s", count, vertices,
                  count > SHOWN ? ", ..." : "");
}

/*
 * Follows the parents of each vertex up to one whose depth is known, then goes
 * the same way again to write the depths down: two visits of each vertex.
 */
static bool tree_holds(const claim *c, int64_t *depth)
{
    enum { UNKNOWN = -2, CLIMBING = -3 };
    const uint64_t n = c->graph->vertices;
    for (uint64_t v = 0; v < n; v++)
        depth[v] = c->parent[v] == SL_UNREACHED ? SL_UNREACHED : UNKNOWN;
    depth[c->source] = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t u = v;
        int64_t steps = 0;
        for (; depth[u] == UNKNOWN; steps++) {
            depth[u] = CLIMBING;
            u = (uint64_t)c->parent[u];
        }
        if (depth[u] == CLIMBING)
            return refute_cycle(c, u);
        int64_t below = depth[u] + steps;
        for (u = v; depth[u] == CLIMBING; u = (uint64_t)c->parent[u])
            depth[u] = below--;
    }
    return true;
}

/* Parents against the levels that were given, and these against the limit. */
static bool levels_hold(const claim *c, const int64_t *level)
{
    for (uint64_t v = 0; v < c->graph->vertices; v++) {
        if (level[v] == SL_UNREACHED)
            continue;
        if (c->parent && v != c->source && level[v] != level[c->parent[v]] + 1)
            return refute(c,
                          "vertex %" PRIu64 " has level %" PRId64 ", but its parent %" PRId64
                          " has level %" PRId64,
                          v, level[v], c->parent[v], level[c->parent[v]]);
        if (c->max_depth >= 0 && level[v] > c->max_depth)
            return refute(
                c, "vertex %" PRIu64 " has level %" PRId64 ", beyond the maximum depth %" PRId64, v,
                level[v], c->max_depth);
    }
    return true;
}

/* An edge may lead to any level up to the next. SL_UNREACHED, as an unsigned
 * number, is further than any. */
static inline bool leads_too_far(int64_t from, int64_t to)
{
    return (uint64_t)to > (uint64_t)from + 1;
}

static bool refute_edge(const claim *c, const int64_t *level, uint64_t u)
{
    const sl_graph_view *g = c->graph;
    uint64_t e = g->start[u];
    while (!leads_too_far(level[u], level[g->index[e]]))
        e++;
    const uint64_t v = g->index[e];
    if (level[v] == SL_UNREACHED)
        return refute(c,
                      "vertex %" PRIu64 " was not reached, but there is an edge to it from %" PRIu64
                      ", which has level %" PRId64,
                      v, u, level[u]);
    return refute(c,
                  "the edge from %" PRIu64 " (level %" PRId64 ") to %" PRIu64 " (level %" PRId64
                  ") leads more than one level further",
                  u, level[u], v, level[v]);
}

/* The edges of one reached vertex: true if one leads too far. Tests of levels
 * go either way half of the time, so they are added up without a branch. */
static bool scan_row(const claim *c, const int64_t *level, uint8_t *found, uint64_t u)
{
    const uint64_t *index = c->graph->index;
    const uint64_t first = c->graph->start[u], last = c->graph->start[u + 1];
    bool too_far = false;
    if (c->parent) {
        for (uint64_t e = first; e < last; e++) {
            const uint64_t v = index[e];
            too_far |= leads_too_far(level[u], level[v]);
            if (c->parent[v] == (int64_t)u)
                found[v] = 1; /* by one thread alone: the one that has row u */
        }
        return too_far;
    }
    for (uint64_t e = first; e < last; e++) {
        const uint64_t v = index[e];
        too_far |= leads_too_far(level[u], level[v]);
        if (level[v] == level[u] + 1) {
#pragma omp atomic write
            found[v] = 1;
        }
    }
    return too_far;
}

/*
 * All edges: none leads too far, and each reached vertex is `found`: over the
 * edge from its parent or, without parents, over one from the level before.
 * Where the search was told to stop, an edge may lead to what was not reached;
 * that it leads to nothing deeper has been seen already.
 */
static bool edges_hold(const claim *c, const int64_t *level, uint8_t *found)
{
    const sl_graph_view *g = c->graph;
    const uint64_t n = g->vertices;
    const bool many = g->start[n] > WORTH_THREADS;
    uint64_t least = n; /* the least vertex that an edge leads too far from */
#pragma omp parallel for schedule(dynamic, 256) reduction(min : least) if (many)
    for (uint64_t u = 0; u < n; u++)
        if (level[u] != SL_UNREACHED && scan_row(c, level, found, u) && level[u] != c->max_depth)
            least = u < least ? u : least;
    if (least < n)
        return refute_edge(c, level, least);

    for (uint64_t v = 0; v < n; v++) {
        if (level[v] == SL_UNREACHED || v == c->source || found[v])
            continue;
        if (c->parent)
            return refute(c,
                          "vertex %" PRIu64 " has parent %" PRId64
                          ", but there is no edge from %" PRId64 " to %" PRIu64,
                          v, c->parent[v], c->parent[v], v);
        return refute(c,
                      "vertex %" PRIu64 " has level %" PRId64
                      ", but there is no edge to it from a vertex of level %" PRId64,
                      v, level[v], level[v] - 1);
    }
    return true;
}

/*
 * Fills *verdict in; `reached` and `depth` are 0 unless it is valid. Uses
 * OpenMP's threads, O(vertices + edges) time, 9 bytes per vertex. The view is
 * trusted: its indices are below its number of vertices; they may be in any
 * order and repeat. Errors: SL_INVALID (NULL, both arrays included),
 * SL_OUT_OF_RANGE (source), SL_NO_MEMORY; then *verdict is not valid and has no
 * reason.
 */
sl_status sl_validate_search(sl_check_result *verdict, const sl_graph_view *graph, uint64_t source,
                             const int64_t *parent, const int64_t *level, int64_t max_depth)
{
    if (!verdict)
        return SL_INVALID;
    memset(verdict, 0, sizeof *verdict);
    if (!graph || (!parent && !level) || (graph->vertices > 0 && !graph->start))
        return SL_INVALID;
    const uint64_t n = graph->vertices;
    if (source >= n)
        return SL_OUT_OF_RANGE;

    int64_t *depth = parent ? sl_malloc(n * sizeof(int64_t)) : NULL;
    uint8_t *found = sl_calloc(n, 1);
    if ((parent && !depth) || !found) {
        sl_free(found);
        sl_free(depth);
        return SL_NO_MEMORY;
    }
    const claim c = {graph, source, parent, level, max_depth, verdict};
    const int64_t *levels = level ? level : depth;
    verdict->valid = source_holds(&c) && entries_hold(&c) && (!parent || tree_holds(&c, depth)) &&
                     levels_hold(&c, levels) && edges_hold(&c, levels, found);
    for (uint64_t v = 0; verdict->valid && v < n; v++) {
        verdict->reached += levels[v] != SL_UNREACHED;
        verdict->depth = levels[v] > verdict->depth ? levels[v] : verdict->depth;
    }
    sl_free(found);
    sl_free(depth);
    return SL_OK;
}
