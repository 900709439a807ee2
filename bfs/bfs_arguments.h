/* Private to bfs/: the argument checks that sl_bfs and sl_bfs_plain share. */
#ifndef SEMLA_BFS_ARGUMENTS_H
#define SEMLA_BFS_ARGUMENTS_H

#include "bfs/graph_tools.h"

/* Sets the outputs to NULL and checks them, the shape of the matrix and the source. */
sl_status sl_bfs_check_arguments(sl_vector **parent, sl_vector **level, const sl_matrix *A,
                                 uint64_t source);

#endif
