/* Private to the CUDA engine: techniques of the searches that may be switched off. */
#ifndef SEMLA_CUDA_SWITCHES_H
#define SEMLA_CUDA_SWITCHES_H

#include "device.h"
#include "search_kernels.h"

typedef struct {
    bool persistent; /* a search in one launch, else step by step */
    bool layout;     /* the order by degrees, where it was made */
    bool slots;      /* first neighbours of all vertices together */
    bool pruning;    /* trees are left out where that is asked for, when a layout is made; */
    bool hubs;       /* bits of hubs in shared memory */
    bool shares;     /* pushes are shared by edges, else by rows */
    bool cluster;    /* narrow steps are done apart */
    bool first;      /* of who is found by the first neighbour that is noted, not the parent */
    bool fresh;      /* from one vertex into new vectors, without a pass over those first */
    bool steps;      /* products of a loop as steps of a search (ahead.c), */
    bool ahead;      /* which may be done before they are asked for */
    bool buckets;    /* closures in the order of values, */
    double width;    /* of which so many times as many are taken together */
    bool pinned;     /* half of a layout's columns in the host's memory, when it is made */
    bool pruned;     /* (not of SEMLA_TRAVERSAL: the search can do with a layout without trees) */
    bfs_policy policy;
} cuda_switches;

/* As SEMLA_TRAVERSAL has them (sl_switches_read). None of them changes what a search finds. */
sl_status sl_cuda_switches(cuda_switches *on, sl_context *ctx);

#endif
