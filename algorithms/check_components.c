/* Components by union-find, with the least vertex as the root and halved paths. */
#include <inttypes.h>

#include <semla/checks.h>
#include <semla/check_tools.h>

static uint64_t root(int64_t *up, uint64_t v)
{
    while (up[v] != (int64_t)v) {
        up[v] = up[up[v]];
        v = (uint64_t)up[v];
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
            uint64_t a = root(component, u), b = root(component, graph->index[e]);
            component[a > b ? a : b] = (int64_t)(a > b ? b : a);
        }
    for (uint64_t v = 0; v < graph->vertices; v++)
        component[v] = (int64_t)root(component, v);
    return SL_OK;
}

sl_status sl_check_components(sl_check_result *verdict, const sl_graph_view *graph,
                              const int64_t *component)
{
    sl_status status = sl_check_start(verdict, graph);
    if (status != SL_OK || !component)
        return SL_INVALID;
    int64_t *expected = sl_malloc((graph->vertices + 1) * sizeof *expected);
    if (!expected)
        return SL_NO_MEMORY;
    status = sl_plain_components(expected, graph);
    verdict->valid = true;
    for (uint64_t v = 0; verdict->valid && v < graph->vertices; v++)
        if (component[v] != expected[v])
            verdict->valid = sl_check_fail(verdict,
                                       "vertex %" PRIu64 " has component %" PRId64
                                       ", but the least vertex of its component is %" PRId64,
                                       v, component[v], expected[v]);
    sl_free(expected);
    return status;
}
