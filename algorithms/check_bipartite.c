/* Two sides, or an odd cycle: either proves itself. */
#include <inttypes.h>

#include <semla/checks.h>
#include <semla/check_tools.h>

static bool sides_hold(sl_check_result *verdict, const sl_graph_view *graph, const bool *side)
{
    for (uint64_t u = 0; u < graph->vertices; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            if (side[u] == side[graph->index[e]])
                return sl_check_fail(verdict,
                                 "%" PRIu64 " and %" PRIu64
                                 " are on the same side, and an edge joins them",
                                 u, graph->index[e]);
    return true;
}

static bool cycle_holds(sl_check_result *verdict, const sl_graph_view *graph, const int64_t *cycle,
                        uint64_t length)
{
    if (length % 2 == 0)
        return sl_check_fail(verdict, "a cycle of %" PRIu64 " vertices is not odd", length);
    for (uint64_t k = 0; k < length; k++)
        if (cycle[k] < 0 || (uint64_t)cycle[k] >= graph->vertices)
            return sl_check_fail(verdict, "the cycle's vertex %" PRId64 " is none", cycle[k]);
    for (uint64_t k = 0; k < length; k++) {
        uint64_t u = (uint64_t)cycle[k], v = (uint64_t)cycle[(k + 1) % length];
        if (!sl_has_edge(graph, u, v, NULL) && !sl_has_edge(graph, v, u, NULL))
            return sl_check_fail(verdict, "no edge joins %" PRIu64 " and %" PRIu64 " of the cycle", u,
                             v);
    }
    return true;
}

sl_status sl_check_bipartite(sl_check_result *verdict, const sl_graph_view *graph, bool bipartite,
                             const bool *side, const int64_t *cycle, uint64_t length)
{
    sl_status status = sl_check_start(verdict, graph);
    if (status != SL_OK || (bipartite ? graph->vertices > 0 && !side : !cycle))
        return SL_INVALID;
    verdict->valid =
        bipartite ? sides_hold(verdict, graph, side) : cycle_holds(verdict, graph, cycle, length);
    return SL_OK;
}
