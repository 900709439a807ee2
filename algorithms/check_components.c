/*
 * Connected components by union-find, with the least vertex of each set as its root and path
 * halving, and the check by comparison with it.
 */
#include <inttypes.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

static uint64_t find_root(int64_t *parent, uint64_t v)
{
    while (parent[v] != (int64_t)v) {
        parent[v] = parent[parent[v]];
        v = (uint64_t)parent[v];
    }
    return v;
}

sl_status sl_plain_components(int64_t *component, const sl_graph_view *graph)
{
    if (!component || !graph || !graph->start)
        return SL_INVALID;
    for (uint64_t v = 0; v < graph->vertices; v++)
        component[v] = (int64_t)v;
    for (uint64_t u = 0; u < graph->vertices; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++) {
            uint64_t a = find_root(component, u), b = find_root(component, graph->index[e]);
            component[a > b ? a : b] = (int64_t)(a > b ? b : a);
        }
    for (uint64_t v = 0; v < graph->vertices; v++)
        component[v] = (int64_t)find_root(component, v);
    return SL_OK;
}

sl_status sl_check_components(sl_check_result *result, const sl_graph_view *graph,
                              const int64_t *component)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !component)
        return SL_INVALID;
    int64_t *expected = sl_malloc((graph->vertices + 1) * sizeof *expected);
    if (!expected)
        return SL_NO_MEMORY;
    status = sl_plain_components(expected, graph);
    result->valid = true;
    for (uint64_t v = 0; result->valid && v < graph->vertices; v++)
        if (component[v] != expected[v])
            result->valid =
                sl_check_fail(result,
                              "vertex %" PRIu64 " has component %" PRId64
                              ", but the least vertex of its component is %" PRId64,
                              sl_view_id(graph, v), sl_view_signed_id(graph, component[v]),
                              sl_view_signed_id(graph, expected[v]));
    sl_free(expected);
    return status;
}
