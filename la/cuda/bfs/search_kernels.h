/* A whole search in one launch: see search.cu. As kernels.h. */
#ifndef SEMLA_CUDA_SEARCH_KERNELS_H
#define SEMLA_CUDA_SEARCH_KERNELS_H

#include "graph_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts of one pass of the grid. */
typedef struct {
    unsigned long long listed; /* vertices put into the queue and the sum of their degrees,
                                  as LIST_EDGE_BITS says */
    /* These three stand in one order with add_tally. */
    unsigned long long vertices; /* found */
    unsigned long long edges; /* of those; more than there are by what degrees differ in a word */
    unsigned long long seen;  /* edges looked at */
} bfs_counts;

/* A step as it was done. */
typedef struct {
    unsigned long long frontier, edges, nanoseconds;
    unsigned pulled;
} bfs_level;

/* Why a launch ended. */
typedef enum {
    BFS_DONE,       /* nothing was left to find, targets are met, or all steps done */
    BFS_OUTSIDE,        /* q is not within pi, nothing was done */
    BFS_LOG_FULL, /* one launch does no more */
    BFS_NEEDS_IN_EDGES, /* the next step would be a pull */
    BFS_SMALL_FRONTIER,  /* the next step is one for sl_cuda_small_frontier_launch */
    BFS_CONTINUES         /* (of a launch that has not ended) */
} bfs_stop;

/* Where a search stands between two launches, or at its end. */
typedef struct {
    unsigned long long steps;        /* all that were done, those up from a tree's vertex too */
    unsigned long long recorded;     /* of those, by the last launch */
    unsigned long long head, tail;   /* the frontier in the queue, if it is listed */
    unsigned long long count, edges; /* of the frontier; 0: the search is done */
    unsigned long long former, former_edges; /* of the one before */
    unsigned long long missing, missing_edges;
    unsigned long long found;      /* in all */
    unsigned long long new_levels; /* of those, how many had no entry of level */
    unsigned long long entries;    /* of pi, but for vertices that hang */
    unsigned long long met, apart; /* targets; of those, such as have no new_id and are in pi */
    unsigned listed, swapped, pass;
    unsigned narrowed; /* narrow steps have left the frontier in the queue */
    unsigned pulling;  /* the last step was a pull */
    bfs_stop stop;
    unsigned few[STATE_LEVELS]; /* what the first of the recorded steps found */
    unsigned long long searched, finished; /* nanoseconds of the steps, and of what followed */
    unsigned long long stamp; /* of the launch that wrote this: the last that the host sees */
} bfs_state;

/* The pinned host memory to which a search writes its results. */
typedef struct {
    bfs_state state;
    bfs_level levels[BFS_LEVELS];
} bfs_pinned;

/* Whether to pull: by the edges that both ways would look at, pull's times `weight`; or by
 * Kolganov's rule (figure 3), if alpha is not 0. */
typedef struct {
    double weight, alpha, beta;
} bfs_policy;

typedef struct {
    cuda_graph graph;
    /* Fresh: from one vertex, its own parent, of level 0, into vectors that nothing is in yet and
     * that are wholly written; q is NULL. */
    bool fresh;
    uint32_t source;
    /* The caller's vectors, in its numbers. */
    const uint32_t *q;    /* bits */
    uint32_t *pi;         /* bits */
    cuda_integers parent;  /* values of pi, or none */
    uint8_t *truth;       /* the same of a search without parents, or NULL. Without both
                             what is found stays in from and depth */
    uint32_t *level_bits; /* or NULL */
    cuda_integers level;
    /* Scratch: bitmaps of `words`, on 16 bytes; n numbers each. */
    uint32_t words; /* sl_cuda_bfs_words(n) */
    uint32_t *visited, *before, *frontier, *found;
    bool records_parents, records_levels;
    uint32_t *by_first; /* bits: whose parent is the first neighbour; or NULL: all are in from */
    uint32_t *from;     /* parents, or NULL; */
    uint32_t *depth;    /* steps that led to them, or NULL: of what is found */
    /* With the least or greatest parents, which sl_cuda_choose_parents enters in new_id of `from`:
     * depth is CUDA_NO_VERTEX of what no step found, the bit of each step that pulled, and depth in the
     * caller's order (callers) where that is another. */
    cuda_choice choice;
    uint32_t *pulled, *own_depth;
    const uint32_t *targets; /* bits, the caller's, or NULL; */
    uint32_t *aims;          /* the same in this order, or NULL */
    unsigned long long goal; /* with targets: how many end the search */
    uint32_t *queue;   /* each vertex once */
    uint64_t *ends;    /* of the queue: the sum of degrees of a level up to there */
    bfs_counts *tally; /* five */
    unsigned *ticket;  /* of the kernel that ends the search, or NULL: another way */
    bfs_state *standing;
    bfs_level *steps; /* `at_once` */
    bfs_state *result;   /* pinned: the standing at the end of the launch, */
    unsigned long long stamp; /* which then has this */
    unsigned long long most; /* steps in all, */
    unsigned at_once;        /* and in this launch: up to BFS_LEVELS */
    int direction;           /* 0: by policy, 1: push, 2: pull */
    bool by_rows;            /* pushes are shared by rows, not by edges */
    uint32_t hub_words;      /* of a frontier's first words, as many in shared memory */
    bool resumes;            /* goes on from *standing */
    unsigned small_frontier_max;    /* vertices of a frontier of narrow steps; 0: there are none */
    uint32_t *posts;         /* of narrow steps: 2 SMALL_BLOCKS */
    bfs_policy policy;
} bfs_params;

/* What a list's length and the sum of its degrees may be, as they grow by one atomic. */
enum { CUDA_LIST_EDGE_BITS = 35 };
#define CUDA_SEARCHED_VERTICES ((UINT64_C(1) << (64 - CUDA_LIST_EDGE_BITS)) - 1)
#define CUDA_SEARCHED_EDGES ((UINT64_C(1) << CUDA_LIST_EDGE_BITS) - 1)

/* Words of the scratch's bitmaps: groups of four. */
static inline uint32_t sl_cuda_bfs_words(uint32_t n)
{
    return (n + 127) / 128 * 4;
}

/* Blocks that fit on the device at once, for this graph. */
cudaError_t sl_cuda_bfs_blocks(unsigned *blocks, const cuda_graph *graph,
                                  unsigned multiprocessors);

/* Searches until nothing is found, the targets are met, `most` steps are done, or `at_once` in this
 * launch; reports, but where sl_cuda_bfs_write_results will. */
cudaError_t sl_cuda_bfs_launch(const bfs_params *s, unsigned blocks,
                                      cudaStream_t stream);

/*
 * Between the two: of a search that left depths and no parents, the least or greatest of those that
 * each vertex may have becomes its value in s->parent. `rows`: the edges in the caller's own
 * numbers; or s->graph where they are in no other order, which takes longer.
 */
cudaError_t sl_cuda_choose_parents(const bfs_params *s, const cuda_graph *rows,
                                   unsigned multiprocessors, cudaStream_t stream);

/* Behind a launch of the persistent search: enters what it found into the caller's vectors,
 * if nothing is left to find, and reports. */
cudaError_t sl_cuda_bfs_write_results(const bfs_params *s, unsigned multiprocessors,
                                  cudaStream_t stream);

/* Blocks of the cluster that takes the narrowest steps, and of the grid that takes wider ones. */
cudaError_t sl_cuda_small_frontier_blocks(unsigned *blocks);
unsigned sl_cuda_small_frontier_grid(unsigned multiprocessors);

/* Steps of push of a search that stopped with BFS_SMALL_FRONTIER, or here, with so many vertices.
 * The persistent search goes on after BFS_CONTINUES where these have become too many, and ends
 * what has been BFS_DONE. */
cudaError_t sl_cuda_small_frontier_launch(const bfs_params *s, uint64_t frontier, unsigned cluster,
                                 unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
