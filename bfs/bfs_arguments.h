/* Private to the room: what the forms of breadth-first search share. */
#ifndef SEMLA_BFS_ARGUMENTS_H
#define SEMLA_BFS_ARGUMENTS_H

#include "graph_tools.h"

/* Empties the outputs; checks them, the matrix's shape and the source. */
sl_status sl_bfs_check_arguments(sl_vector **parent, sl_vector **level, const sl_matrix *A,
                          uint64_t source);

#endif
