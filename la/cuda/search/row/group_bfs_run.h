/* One search by a device group, as the host drives it: shared by group_bfs.c and host_exchange.c.
 */
#ifndef SEMLA_CUDA_GROUP_BFS_RUN_H
#define SEMLA_CUDA_GROUP_BFS_RUN_H

#include "cuda/search/part/search_vectors.h"
#include "cuda/search/row/partition.h"

typedef struct {
    cuda_partition *partition;
    cuda_grid_links *links;
    sl_call *call;
    const sl_closure_options *options;
    cuda_search_vectors vectors;
    group_bfs_params s;
    unsigned blocks;  /* of a launch */
    bool ends;        /* the next launch may be the last one */
    sl_status status; /* this rank's first error between launches */
    double seconds;   /* that the host spent exchanging */
} group_bfs_run;

/* Records an error unless one is recorded already. */
void sl_cuda_group_keep_failure(group_bfs_run *r, sl_status status);
/* Exchanges step counts, and then frontiers, after a launch that ended with GROUP_EXCHANGES. The
 * round's number is used up, also if the search fails. Collective. */
void sl_cuda_group_exchange(group_bfs_run *r);

#endif
