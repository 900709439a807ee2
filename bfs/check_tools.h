/* Private to bfs/ and algorithms/: functions that the checks on plain arrays share. */
#ifndef SEMLA_BFS_CHECK_TOOLS_H
#define SEMLA_BFS_CHECK_TOOLS_H

#include <semla/bfs.h>

/* Stores the reason why a result is not valid. Returns false. */
bool sl_check_fail(sl_check_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Zeroes *result; SL_INVALID if it or the graph is NULL. */
sl_status sl_check_start(sl_check_result *result, const sl_graph_view *graph);

/* True if there is an edge from u to v; by binary search in the row of u, which is sorted. *edge,
 * if not NULL, becomes its position in graph->index. */
bool sl_has_edge(const sl_graph_view *graph, uint64_t u, uint64_t v, uint64_t *edge);

/* The id by which messages name a vertex; a number that is no vertex is its own id. The second is
 * for elements of a result. */
static inline uint64_t sl_view_id(const sl_graph_view *graph, uint64_t vertex)
{
    return graph->ids && vertex < graph->vertices ? graph->ids[vertex] : vertex;
}
static inline int64_t sl_view_signed_id(const sl_graph_view *graph, int64_t vertex)
{
    return vertex < 0 ? vertex : (int64_t)sl_view_id(graph, (uint64_t)vertex);
}

#endif
