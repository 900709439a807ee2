/*
 * Validation of a search on plain arrays, by the rules of the Graph500 specification. Shares no
 * code with the searches.
 *
 * Levels are checked without a second search. If the source has level 0 and no edge leads more than
 * one level further, no level exceeds the distance from the source. If every other reached vertex
 * has an edge from a vertex of the previous level, there is a path of that length, so no level is
 * below the distance. One parallel pass over the edges checks both and finds each tree edge.
 * O(vertices + edges) time, 9 bytes per vertex.
 */
#include "bfs/check_tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MIN_PARALLEL_EDGES = 1 << 14 }; /* fewer edges are checked by one thread */

/* The search that is validated. All members are the caller's. */
typedef struct {
    const sl_graph_view *graph;
    uint64_t source;
    const int64_t *parent, *level; /* one of the two may be NULL */
    int64_t max_depth;             /* -1: not bounded */
    sl_check_result *result;
} search;

/* The ids by which messages name a vertex, and an element of `parent`. */
static uint64_t id_of(const search *s, uint64_t vertex)
{
    return sl_view_id(s->graph, vertex);
}

static int64_t parent_id(const search *s, int64_t parent)
{
    return sl_view_signed_id(s->graph, parent);
}

static bool source_holds(const search *s)
{
    const uint64_t root = s->source;
    if (s->parent && s->parent[root] == SL_UNREACHED)
        return sl_check_fail(s->result, "the source %" PRIu64 " has no parent; it must be its own",
                             id_of(s, root));
    if (s->parent && s->parent[root] != (int64_t)root)
        return sl_check_fail(s->result, "the source %" PRIu64 " has parent %" PRId64 ", not itself",
                             id_of(s, root), parent_id(s, s->parent[root]));
    if (s->level && s->level[root] == SL_UNREACHED)
        return sl_check_fail(s->result, "the source %" PRIu64 " has no level; it must be 0",
                             id_of(s, root));
    if (s->level && s->level[root] != 0)
        return sl_check_fail(s->result, "the source %" PRIu64 " has level %" PRId64 ", not 0",
                             id_of(s, root), s->level[root]);
    return true;
}

static bool parent_holds(const search *s, uint64_t v)
{
    const uint64_t n = s->graph->vertices;
    const int64_t p = s->parent[v];
    if (p == SL_UNREACHED)
        return true;
    if (p < 0 || (uint64_t)p >= n)
        return sl_check_fail(s->result,
                             "vertex %" PRIu64 " has parent %" PRId64
                             ", but the vertices are 0 to %" PRIu64,
                             id_of(s, v), p, n - 1);
    if ((uint64_t)p == v && v != s->source)
        return sl_check_fail(
            s->result, "vertex %" PRIu64 " is its own parent, but is not the source", id_of(s, v));
    if (s->parent[p] == SL_UNREACHED)
        return sl_check_fail(s->result,
                             "vertex %" PRIu64 " has parent %" PRId64 ", which was not reached",
                             id_of(s, v), parent_id(s, p));
    return true;
}

static bool level_holds(const search *s, uint64_t v)
{
    const uint64_t n = s->graph->vertices;
    const int64_t l = s->level[v];
    if (l == SL_UNREACHED)
        return true;
    if (l < 0 || (uint64_t)l >= n)
        return sl_check_fail(s->result,
                             "vertex %" PRIu64 " has level %" PRId64
                             ", but levels are 0 to %" PRIu64 " in a graph of %" PRIu64 " vertices",
                             id_of(s, v), l, n - 1, n);
    if (l == 0 && v != s->source)
        return sl_check_fail(s->result, "vertex %" PRIu64 " has level 0, but is not the source",
                             id_of(s, v));
    return true;
}

/* The parent and the level of each vertex, without the edges. */
static bool entries_hold(const search *s)
{
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        if ((s->parent && !parent_holds(s, v)) || (s->level && !level_holds(s, v)))
            return false;
        if (!s->parent || !s->level)
            continue;
        if (s->parent[v] != SL_UNREACHED && s->level[v] == SL_UNREACHED)
            return sl_check_fail(s->result,
                                 "vertex %" PRIu64 " has parent %" PRId64 ", but no level",
                                 id_of(s, v), parent_id(s, s->parent[v]));
        if (s->parent[v] == SL_UNREACHED && s->level[v] != SL_UNREACHED)
            return sl_check_fail(s->result,
                                 "vertex %" PRIu64 " has level %" PRId64 ", but no parent",
                                 id_of(s, v), s->level[v]);
    }
    return true;
}

/* Fails with the length of the cycle that `on` is on, and its first vertices. */
static bool fail_cycle(const search *s, uint64_t on)
{
    enum { SHOWN = 4 };
    char vertices[SHOWN * 22 + 4] = "";
    size_t length = 0;
    uint64_t v = on, count = 0;
    do {
        if (count < SHOWN)
            length += (size_t)snprintf(vertices + length, sizeof vertices - length, "%s%" PRIu64,
                                       count ? ", " : "", id_of(s, v));
        v = (uint64_t)s->parent[v];
        count++;
    } while (v != on);
    return sl_check_fail(s->result, "the parents of %" PRIu64 " vertices form a cycle: %s%s", count,
                         vertices, count > SHOWN ? ", ..." : "");
}

/*
 * Computes the depth of each vertex in the tree, and fails if there is a cycle. From each vertex it
 * follows the parents up to a vertex of known depth, then again to store the depths: two visits of
 * each vertex.
 */
static bool tree_holds(const search *s, int64_t *depth)
{
    enum { UNKNOWN = -2, ON_PATH = -3 }; /* ON_PATH: on the path that is being followed */
    const uint64_t n = s->graph->vertices;
    for (uint64_t v = 0; v < n; v++)
        depth[v] = s->parent[v] == SL_UNREACHED ? SL_UNREACHED : UNKNOWN;
    depth[s->source] = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t u = v;
        int64_t steps = 0;
        for (; depth[u] == UNKNOWN; steps++) {
            depth[u] = ON_PATH;
            u = (uint64_t)s->parent[u];
        }
        if (depth[u] == ON_PATH)
            return fail_cycle(s, u);
        int64_t below = depth[u] + steps;
        for (u = v; depth[u] == ON_PATH; u = (uint64_t)s->parent[u])
            depth[u] = below--;
    }
    return true;
}

/* Each level is one more than the parent's level, and at most max_depth. */
static bool levels_hold(const search *s, const int64_t *level)
{
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        if (level[v] == SL_UNREACHED)
            continue;
        if (s->parent && v != s->source && level[v] != level[s->parent[v]] + 1)
            return sl_check_fail(s->result,
                                 "vertex %" PRIu64 " has level %" PRId64 ", but its parent %" PRId64
                                 " has level %" PRId64,
                                 id_of(s, v), level[v], parent_id(s, s->parent[v]),
                                 level[s->parent[v]]);
        if (s->max_depth >= 0 && level[v] > s->max_depth)
            return sl_check_fail(s->result,
                                 "vertex %" PRIu64 " has level %" PRId64
                                 ", beyond the maximum depth %" PRId64,
                                 id_of(s, v), level[v], s->max_depth);
    }
    return true;
}

/* Whether an edge leads more than one level further. SL_UNREACHED, as an unsigned number, is
 * further than all levels. */
static inline bool leads_too_far(int64_t from, int64_t to)
{
    return (uint64_t)to > (uint64_t)from + 1;
}

/* Fails with the first edge of u that leads too far. */
static bool fail_edge(const search *s, const int64_t *level, uint64_t u)
{
    const sl_graph_view *g = s->graph;
    uint64_t e = g->start[u];
    while (!leads_too_far(level[u], level[g->index[e]]))
        e++;
    const uint64_t v = g->index[e];
    if (level[v] == SL_UNREACHED)
        return sl_check_fail(s->result,
                             "vertex %" PRIu64
                             " was not reached, but there is an edge to it from %" PRIu64
                             ", which has level %" PRId64,
                             id_of(s, v), id_of(s, u), level[u]);
    return sl_check_fail(s->result,
                         "the edge from %" PRIu64 " (level %" PRId64 ") to %" PRIu64
                         " (level %" PRId64 ") leads more than one level further",
                         id_of(s, u), level[u], id_of(s, v), level[v]);
}

/* Scans the edges of a reached vertex: true if one leads too far. Marks the vertices of which the
 * tree edge (or, without parents, an edge from the previous level) was found. Levels are compared
 * without branches, which would be mispredicted half of the time. */
static bool scan_row(const search *s, const int64_t *level, uint8_t *found, uint64_t u)
{
    const uint64_t *index = s->graph->index;
    const uint64_t first = s->graph->start[u], last = s->graph->start[u + 1];
    bool too_far = false;
    if (s->parent) {
        for (uint64_t e = first; e < last; e++) {
            const uint64_t v = index[e];
            too_far |= leads_too_far(level[u], level[v]);
            if (s->parent[v] == (int64_t)u)
                found[v] = 1; /* written only by the thread that scans row u */
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
 * No edge leads too far, and for each reached vertex there is the edge from its parent or, without
 * parents, an edge from the previous level. Edges that start at max_depth may end at vertices that
 * are not reached; levels_hold has checked that no level is beyond max_depth.
 */
static bool edges_hold(const search *s, const int64_t *level, uint8_t *found)
{
    const sl_graph_view *g = s->graph;
    const uint64_t n = g->vertices;
    const bool many = g->start[n] > MIN_PARALLEL_EDGES;
    uint64_t least = n; /* the least vertex with an edge that leads too far */
#pragma omp parallel for schedule(dynamic, 256) reduction(min                                      \
                                                          : least)                                 \
    num_threads(sl_context_threads(NULL)) if (many)
    for (uint64_t u = 0; u < n; u++)
        if (level[u] != SL_UNREACHED && scan_row(s, level, found, u) && level[u] != s->max_depth)
            least = u < least ? u : least;
    if (least < n)
        return fail_edge(s, level, least);

    for (uint64_t v = 0; v < n; v++) {
        if (level[v] == SL_UNREACHED || v == s->source || found[v])
            continue;
        if (s->parent)
            return sl_check_fail(s->result,
                                 "vertex %" PRIu64 " has parent %" PRId64
                                 ", but there is no edge from %" PRId64 " to %" PRIu64,
                                 id_of(s, v), parent_id(s, s->parent[v]),
                                 parent_id(s, s->parent[v]), id_of(s, v));
        return sl_check_fail(s->result,
                             "vertex %" PRIu64 " has level %" PRId64
                             ", but there is no edge to it from a vertex of level %" PRId64,
                             id_of(s, v), level[v], level[v] - 1);
    }
    return true;
}

sl_status sl_validate_search(sl_check_result *result, const sl_graph_view *graph, uint64_t source,
                             const int64_t *parent, const int64_t *level, int64_t max_depth)
{
    if (!result)
        return SL_INVALID;
    memset(result, 0, sizeof *result);
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
    const search s = {graph, source, parent, level, max_depth, result};
    const int64_t *levels = level ? level : depth;
    result->valid = source_holds(&s) && entries_hold(&s) && (!parent || tree_holds(&s, depth)) &&
                    levels_hold(&s, levels) && edges_hold(&s, levels, found);
    for (uint64_t v = 0; result->valid && v < n; v++) {
        result->reached += levels[v] != SL_UNREACHED;
        result->depth = levels[v] > result->depth ? levels[v] : result->depth;
    }
    sl_free(found);
    sl_free(depth);
    return SL_OK;
}
