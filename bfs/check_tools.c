/* What the checks on plain arrays share: the result and the search for an edge. */
#include "bfs/check_tools.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool sl_check_fail(sl_check_result *result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->reason, sizeof result->reason, format, arguments);
    va_end(arguments);
    return false;
}

sl_status sl_check_start(sl_check_result *result, const sl_graph_view *graph)
{
    if (!result)
        return SL_INVALID;
    memset(result, 0, sizeof *result);
    return graph && graph->start ? SL_OK : SL_INVALID;
}

bool sl_has_edge(const sl_graph_view *graph, uint64_t u, uint64_t v, uint64_t *edge)
{
    uint64_t low = graph->start[u], high = graph->start[u + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->index[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    if (edge)
        *edge = low;
    return low < graph->start[u + 1] && graph->index[low] == v;
}
