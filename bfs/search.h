/* Private to the room: what the forms of breadth-first search share. */
#ifndef SEMLA_BFS_SEARCH_H
#define SEMLA_BFS_SEARCH_H

#include "graph_tools.h"

/* Empties the outputs; checks them, the matrix's shape and the source. */
sl_status sl_search_check(sl_vector **parent, sl_vector **level, const sl_matrix *A,
                          uint64_t source);

#endif
