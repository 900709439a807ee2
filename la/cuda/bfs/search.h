/* Private to the CUDA engine: a whole search in one launch. */
#ifndef SEMLA_CUDA_SEARCH_H
#define SEMLA_CUDA_SEARCH_H

#include "launches.h"

/*
 * The closure over a semiring that searches. Not done, and nothing changed, where q is not
 * within pi or the graph is too large.
 */
sl_status sl_cuda_search(sl_call *call, bool *done);

/* What the first such search of the call's matrix would do once, done now. */
sl_status sl_cuda_bfs_warm_up(sl_call *call);

/* Sees that all vectors of a closure are bitmaps. */
sl_status sl_cuda_make_bitmaps_of(const sl_traversal *t);

#endif
