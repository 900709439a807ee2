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

/*
 * A lazy search leaves its finds in the layout's scratch, and its last kernel to whoever looks at
 * one of its vectors, or wants the scratch next (lazy.c).
 */
struct cuda_reordered_graph;
typedef struct cuda_unfinished cuda_unfinished;
/* Notes one that was launched without an end; its vectors have memory. `level` may be NULL. */
sl_status sl_cuda_put_off(const cuda_launches *l, cuda_vector *pi, cuda_vector *level);
/* Fills the vectors of the search that is to fill v; of the layout's, for who holds the lock. */
sl_status sl_cuda_complete(cuda_vector *v);
sl_status sl_cuda_complete_for(struct cuda_reordered_graph *layout);
/* Of a vector that is freed. */
void sl_cuda_forget_unfinished(cuda_vector *v);

/* Sees that all vectors of a closure are bitmaps. */
sl_status sl_cuda_make_bitmaps_of(const sl_traversal *t);

#endif
