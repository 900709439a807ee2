/* The check of bipartite by certificate: the sides of the ends of every edge differ, or the odd
 * cycle consists of edges. O(edges). */
#include <inttypes.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

static bool sides_hold(sl_check_result *result, const sl_graph_view *graph, const bool *side)
{
    for (uint64_t u = 0; u < graph->vertices; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            if (side[u] == side[graph->index[e]])
                return sl_check_fail(result,
                                     "%" PRIu64 " and %" PRIu64
                                     " are on the same side, and an edge joins them",
                                     sl_view_id(graph, u), sl_view_id(graph, graph->index[e]));
    return true;
}

static bool cycle_holds(sl_check_result *result, const sl_graph_view *graph, const int64_t *cycle,
                        uint64_t length)
{
    if (length % 2 == 0)
        return sl_check_fail(result, "a cycle of %" PRIu64 " vertices is not odd", length);
    for (uint64_t k = 0; k < length; k++)
        if (cycle[k] < 0 || (uint64_t)cycle[k] >= graph->vertices)
            return sl_check_fail(result, "%" PRId64 " on the cycle is not a vertex", cycle[k]);
    for (uint64_t k = 0; k < length; k++) {
        uint64_t u = (uint64_t)cycle[k], v = (uint64_t)cycle[(k + 1) % length];
        if (!sl_has_edge(graph, u, v, NULL) && !sl_has_edge(graph, v, u, NULL))
            return sl_check_fail(result, "no edge joins %" PRIu64 " and %" PRIu64 " of the cycle",
                                 sl_view_id(graph, u), sl_view_id(graph, v));
    }
    return true;
}

sl_status sl_check_bipartite(sl_check_result *result, const sl_graph_view *graph, bool bipartite,
                             const bool *side, const int64_t *cycle, uint64_t length)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || (bipartite ? graph->vertices > 0 && !side : !cycle))
        return SL_INVALID;
    result->valid =
        bipartite ? sides_hold(result, graph, side) : cycle_holds(result, graph, cycle, length);
    return SL_OK;
}
