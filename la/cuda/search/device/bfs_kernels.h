/*
 * The kernels of a breadth-first search and their parameters (device_bfs.cu, small_frontier.cu,
 * parents.cu, results.cu).
 */
#ifndef SEMLA_CUDA_BFS_KERNELS_H
#define SEMLA_CUDA_BFS_KERNELS_H

#include <semla/direction.h>

#include "cuda/reorder/reorder_kernels.h"
#include "cuda/search/device/bfs_tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sums over the grid for one pass, in device memory; all 0 before the pass. */
typedef struct {
    unsigned long long listed;   /* vertices appended to the queue, shifted left by
                                    CUDA_LIST_EDGE_BITS, plus the sum of their degrees */
    unsigned long long vertices; /* vertices visited; this and the next two in the order of
                                    add_to_counts */
    unsigned long long edges;    /* edges of these vertices; in a reordered graph every vertex of a
                                    32-vertex word counts with the degree of the word's first */
    unsigned long long examined; /* edges examined */
} bfs_counts;

/* Log entry of one level. */
typedef struct {
    unsigned long long frontier;    /* vertices */
    unsigned long long edges;       /* edges examined */
    unsigned long long nanoseconds; /* duration */
    unsigned pulled;                /* 1: pull, 0: push */
} bfs_level;

/* Why a launch ended. */
typedef enum {
    BFS_DONE,           /* the frontier is empty, the targets are met or max_levels is reached */
    BFS_LOG_FULL,       /* levels_per_launch levels were done */
    BFS_NEEDS_IN_EDGES, /* the next level pulls, and the graph has no in-edges yet */
    BFS_SMALL_FRONTIER, /* the next level is for sl_cuda_small_frontier_launch */
    BFS_CONTINUES       /* the launch has not ended; the small-frontier kernel hands over */
} bfs_stop;

/* The state of a search between two levels and between two launches. */
typedef struct {
    unsigned long long
        level; /* levels done, with those from a source in a pruned tree to its root */
    unsigned long long recorded;   /* levels done by the last launch: entries of the log */
    unsigned long long head, tail; /* the frontier's part of the queue, if `listed` */
    unsigned long long frontier, frontier_edges;   /* its vertices and their edges */
    unsigned long long last_frontier, last_edges;  /* the same of the frontier before */
    unsigned long long unvisited, unvisited_edges; /* vertices without a parent, their in-edges */
    unsigned long long new_levels; /* entries that `level` gained: set by results.cu */
    unsigned long long entries;    /* entries of pi, without those of pruned trees */
    unsigned long long targets_met;
    unsigned long long targets_isolated; /* of targets_met: without an edge, in pi at the start */
    unsigned listed;                     /* the frontier is in the queue, else in a bitmap */
    unsigned bitmaps_swapped; /* 1: work.frontier and work.next_frontier have changed roles */
    unsigned pass;            /* passes done: which of three counts comes next */
    unsigned queue_only; /* the small-frontier kernel left the frontier in the queue from 0 on, and
                            prev_visited is out of date */
    unsigned pulling;    /* direction of the last level */
    bfs_stop stop;
    unsigned long long stamp; /* of the launch that wrote this; written last */
} bfs_state;

/* The pinned host memory to which a search reports. */
typedef struct {
    bfs_state state;
    bfs_level levels[BFS_LEVELS];
} bfs_pinned;

/* What the caller asks for and how it is searched. */
typedef struct {
    /* Either from_source: one vertex, which is its own parent at level 0, into vectors whose
     * contents are overwritten. Or the frontier and result.pi as bitmaps of the caller's ids. */
    bool from_source;
    uint32_t source;        /* CUDA_NO_VERTEX on ranks of a group that do not have it */
    uint32_t source_parent; /* which the source gets: its id; of a group: in the whole graph */
    const uint32_t *frontier;
    const uint32_t *targets;           /* bitmap of the caller's ids, or NULL */
    unsigned long long targets_wanted; /* the search ends when so many targets are visited */
    unsigned long long max_levels;
    unsigned levels_per_launch; /* at most BFS_LEVELS */
    bool records_parents, records_levels;
    cuda_choice choice; /* any parent, or the least or greatest (parents.cu) */
    int direction;      /* 0: by policy, 1: push, 2: pull */
    sl_direction_policy policy;
    bool by_rows;                /* push assigns rows to warps, not edges */
    uint32_t hub_words;          /* first words of the frontier bitmap kept in shared memory */
    unsigned small_frontier_max; /* largest frontier of the small-frontier kernel; 0: not used */
    bool resumes;                /* continue from *work.state */
} bfs_options;

/* Device memory of a search. Bitmaps have `words` words, are aligned to 16 bytes and, like the
 * arrays of `n` elements, are indexed by the reordered ids of the graph. */
typedef struct {
    uint32_t words; /* sl_cuda_bfs_words(n) */
    uint32_t *visited;
    uint32_t *prev_visited; /* visited as it was before the current level */
    uint32_t *frontier, *next_frontier;
    uint32_t *parent;          /* n, or NULL: parents are not recorded */
    uint32_t *parent_is_first; /* bitmap: the parent is the first neighbour and is not in `parent`;
                                  or NULL: all parents are in `parent` */
    uint32_t *depth;           /* n: level of each visited vertex, or NULL */
    /* For the least or greatest parents: depth is CUDA_NO_VERTEX where not visited. */
    uint32_t *pulled;       /* bit k: level k + 1 was a pull */
    uint32_t *caller_depth; /* depth by the caller's ids, if the graph has other ids */
    uint32_t *targets;      /* bitmap, or NULL */
    uint32_t *queue;        /* n: each visited vertex once, level by level */
    uint64_t *ends;         /* n: prefix sum of the degrees of a level's vertices in the queue */
    bfs_counts *counts;     /* COUNT_SETS of them */
    unsigned *ticket; /* blocks of results.cu that have finished; NULL: results.cu is not run */
    bfs_state *state;
    bfs_level *levels; /* BFS_LEVELS: the log of the last launch */
    uint32_t
        *mailbox; /* 2 * SMALL_BLOCKS: counts that blocks of the small-frontier kernel exchange */
} bfs_workspace;

/* Where the results go: the caller's vectors in the caller's ids, and the state for the host. */
typedef struct {
    uint32_t *pi;         /* bitmap; input and output */
    cuda_integers parent; /* values of pi, or none */
    uint8_t
        *reached; /* values of pi if they are bool, or NULL. Without both, results.cu is not run */
    uint32_t *level_bits;     /* bitmap of the level vector, or NULL */
    cuda_integers level;      /* its values */
    bfs_state *state;         /* pinned host memory: *work.state at the end of a launch */
    unsigned long long stamp; /* which this launch writes there */
} bfs_result;

/* The parameters of the kernels. */
typedef struct {
    cuda_graph graph;
    bfs_options options;
    bfs_workspace work;
    bfs_result result;
} bfs_params;

/* The length of a list and the sum of its degrees grow by one atomic: bits for the sum. */
enum { CUDA_LIST_EDGE_BITS = 35 };
#define CUDA_SEARCHED_VERTICES ((UINT64_C(1) << (64 - CUDA_LIST_EDGE_BITS)) - 1)
#define CUDA_SEARCHED_EDGES    ((UINT64_C(1) << CUDA_LIST_EDGE_BITS) - 1)

/* Words of a bitmap of n vertices, rounded up to groups of four words (128 vertices). */
static inline uint32_t sl_cuda_bfs_words(uint32_t n)
{
    return (n + 127) / 128 * 4;
}

/* Blocks of the search kernel that are resident on the device at once. */
cudaError_t sl_cuda_bfs_blocks(unsigned *blocks, const cuda_graph *graph);

/* Runs up to levels_per_launch levels in one cooperative launch of `blocks` blocks (device_bfs.cu). */
cudaError_t sl_cuda_bfs_launch(const bfs_params *s, unsigned blocks);

/*
 * After the last level, before sl_cuda_bfs_write_results: for a search that recorded depths but no
 * parents, writes the least or greatest possible parent of each visited vertex to result.parent.
 * rows: the edges in the caller's ids, or s->graph if there are no others, which is slower.
 */
cudaError_t sl_cuda_choose_parents(const bfs_params *s, const cuda_graph *rows);

/* After each launch of the search kernel: if the search is done, writes result.pi, parent, reached
 * and level in the caller's ids and reports the state to the host (results.cu). */
cudaError_t sl_cuda_bfs_write_results(const bfs_params *s);

/* Blocks of the cluster that takes the smallest frontiers, and of the grid that takes larger ones.
 */
cudaError_t sl_cuda_small_frontier_blocks(unsigned *blocks);
unsigned sl_cuda_small_frontier_grid(void);

/*
 * Runs push levels of a search that stopped with BFS_SMALL_FRONTIER, or here, with a frontier of
 * `frontier` vertices, until it grows too large (BFS_CONTINUES), the log is full or nothing is left
 * (BFS_DONE); the search kernel takes over after the first and the last (small_frontier.cu).
 */
cudaError_t sl_cuda_small_frontier_launch(const bfs_params *s, uint64_t frontier, unsigned cluster);

#ifdef __cplusplus
}
#endif
#endif
