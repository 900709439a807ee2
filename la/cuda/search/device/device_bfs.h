/* Breadth-first searches of the CUDA engine: closures over semirings that settle. */
#ifndef SEMLA_CUDA_BFS_H
#define SEMLA_CUDA_BFS_H

#include "cuda/search/device/launch.h"

/* Executes a closure over a search semiring. *done is false, and nothing was changed, if the graph
 * has too many vertices or edges (sl_cuda_bfs_supports). */
sl_status sl_cuda_bfs(sl_call *call, bool *done);

/* Loads the kernels and allocates the workspace for searches of call->a, by a search of 0 levels.
 */
sl_status sl_cuda_bfs_warm_up(sl_call *call);

/* Converts all vectors of a closure to bitmaps. */
sl_status sl_cuda_make_bitmaps_of(const sl_traversal *t);

#endif
