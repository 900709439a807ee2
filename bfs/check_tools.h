/* Private to bfs/ and algorithms/: verdicts of checks on plain arrays. */
#ifndef SEMLA_BFS_CHECK_TOOLS_H
#define SEMLA_BFS_CHECK_TOOLS_H

#include <semla/bfs.h>

/* Not valid, and why; returns false. */
bool sl_check_fail(sl_check_result *verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Empties the verdict; SL_INVALID where it or the graph is NULL. */
sl_status sl_check_start(sl_check_result *verdict, const sl_graph_view *graph);

/* True if v is among u's neighbours, whose place is then in *edge unless that is NULL. */
bool sl_has_edge(const sl_graph_view *graph, uint64_t u, uint64_t v, uint64_t *edge);

#endif
