/* The words of SEMLA_TRAVERSAL (SL_SWITCHES) as the CUDA engine uses them. */
#ifndef SEMLA_CUDA_SWITCHES_H
#define SEMLA_CUDA_SWITCHES_H

#include <semla/direction.h>

#include "cuda/runtime/device.h"

/* A member is false if SEMLA_TRAVERSAL switches the technique off. */
typedef struct {
    bool persistent;     /* one cooperative launch per search, else one per level */
    bool reorder;        /* search the reordered graph where there is one */
    bool ell;            /* arrays of first neighbours (ELL slots) */
    bool pruning;        /* leave trees out of the reordered graph if SL_PRUNED is requested */
    bool hubs;           /* frontier bits of hubs in shared memory */
    bool balance;        /* push splits edges evenly over warps, else rows */
    bool small_frontier; /* small frontiers have a kernel of their own */
    bool delta_stepping; /* closures over min_plus and max_plus with buckets, else Bellman-Ford */
    bool tiles;          /* sums of full vectors over tiles, where they pay */
    bool all_tiles;      /* also where they do not, from the first product on */
    bool degree_order;   /* shortest paths in the order of degrees also where it does not pay */
    double delta;        /* factor on the width of the buckets */
    double pieces;       /* of a pull by a grid's devices, of the making of tiles; 0: by size */
    bool pinned;         /* half of the reordered graph's edges go to pinned host memory */
    bool pruned;         /* not of SEMLA_TRAVERSAL: this search can use a graph without its trees */
    sl_direction_policy policy;
} cuda_switches;

/* Reads SEMLA_TRAVERSAL. SL_INVALID if it has an unknown word. */
sl_status sl_cuda_switches(cuda_switches *on, sl_context *ctx);

#endif
