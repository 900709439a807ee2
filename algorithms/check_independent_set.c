/* The check of maximal independent sets: no edge joins two members, and every other vertex has a
 * member among its neighbours. O(edges). */
#include <inttypes.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

sl_status sl_check_independent_set(sl_check_result *result, const sl_graph_view *graph,
                                   const bool *member)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !member)
        return SL_INVALID;
    result->valid = true;
    for (uint64_t u = 0; result->valid && u < graph->vertices; u++) {
        bool covered = member[u];
        for (uint64_t e = graph->start[u]; result->valid && e < graph->start[u + 1]; e++) {
            const uint64_t v = graph->index[e];
            if (u != v && member[u] && member[v])
                result->valid = sl_check_fail(
                    result, "%" PRIu64 " and %" PRIu64 " are in the set, and an edge joins them",
                    sl_view_id(graph, u), sl_view_id(graph, v));
            covered |= member[v];
        }
        if (result->valid && !covered)
            result->valid = sl_check_fail(
                result, "neither vertex %" PRIu64 " nor one of its neighbours is in the set",
                sl_view_id(graph, u));
    }
    return SL_OK;
}
