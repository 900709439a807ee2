/*
 * Parameters, state and launch functions of a breadth-first search by several devices, each of
 * which has the edges into its own vertices: see group_bfs.cu. Included by C and CUDA sources.
 */
#ifndef SEMLA_CUDA_GROUP_BFS_KERNELS_H
#define SEMLA_CUDA_GROUP_BFS_KERNELS_H

#include "cuda/search/device/bfs_kernels.h"
#include "cuda/search/part/part_kernels.h"
#include "cuda/search/row/step_counts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a launch ended, or where the next one begins. */
typedef enum {
    GROUP_BEGINS,    /* no launch has run */
    GROUP_EXCHANGES, /* the host has to exchange step counts and frontiers */
    GROUP_DECIDES,   /* step counts are added up; the next direction is to be chosen */
    GROUP_TIMED_OUT  /* another rank did not answer */
} group_bfs_stage;

/* State between two launches, and the result after the last one. */
typedef struct {
    bfs_state bfs; /* counts are of all ranks; `entries` is this rank's */
    group_bfs_stage stage;
    step_counts own_counts;             /* of this rank, for the next message */
    unsigned max_found;                 /* the most vertices that one rank visited in the level */
    unsigned long long round;           /* messages with step counts so far */
    unsigned long long level_start;     /* device clock, ns */
    unsigned long long bytes[2];        /* received as bitmaps, as lists */
    unsigned long long counts_received; /* messages with step counts */
    unsigned long long exchange_ns;     /* time spent in exchanges, waiting included */
} group_bfs_state;

/*
 * The outbox of a rank in a search (links.h). It is double buffered by the parity of the round, so that a faster rank
 * never overwrites data that a slower rank still reads:
 *
 *     before it    step_counts of even rounds, one per rank
 *                  step_counts of odd rounds
 *     offset 0     bitmap: the frontier of even rounds, bitmap_words words
 *                  the frontier of odd rounds
 *     lists        lists of even rounds, list_capacity ids per rank
 *                  lists of odd rounds
 *     bytes        end
 */
typedef struct {
    uint64_t lists, bytes; /* offsets in bytes */
    uint32_t bitmap_words;
    uint32_t list_capacity;
} group_memory;

/* Parameters of a launch. */
typedef struct {
    /*
     * The search of this rank's partition. Its graph has n targets, numbered by falling in-degree; a new_id from n on
     * is of an own vertex that has out-edges alone. Rows by source hold targets; rows by target hold source ids. The
     * bitmaps are over own ids, and have as many bits as a rank has source ids.
     */
    bfs_params own;
    uint32_t rank, size;
    unsigned long long vertices, edges; /* of all ranks */
    group_memory memory;
    uint32_t list_max; /* a rank sends up to so many vertices as a list, more as a bitmap */
    char *peer[GROUP_MAX_RANKS]; /* the ranks' outboxes; only peer[rank] is valid if !direct */
    bool direct;                 /* kernels write to the peers' outboxes and wait for theirs */
    /* Where the host exchanges data (!direct), the ranks' step counts. Their frontiers come to the lists of the outbox,
     * also if they are bitmaps. */
    step_counts received_counts[GROUP_MAX_RANKS];

    unsigned long long timeout_ns; /* how long a kernel waits for another rank */
    group_bfs_state *state;        /* device: between launches */
    group_bfs_state *result;       /* pinned: a copy for the host */
} group_bfs_params;

/* Bitmaps of the ranks' own ids, of so many words each. */
typedef struct {
    uint32_t ranks, words;
    const uint32_t *of[GROUP_MAX_RANKS];
} group_frontiers;
/* sources: a bitmap of the ids of all ranks, as in-edges have them. Also clears `zeros` words of `zero`. */
cudaError_t sl_cuda_group_join_frontiers(uint32_t *sources, const group_frontiers *from,
                                         uint32_t *zero, uint64_t zeros);

/* *blocks: how many blocks of the kernel for this graph fit on the device together. */
cudaError_t sl_cuda_group_bfs_blocks(unsigned *blocks, const cuda_graph *graph);
/* Queues the search until it ends or the host has to exchange data. */
cudaError_t sl_cuda_group_bfs_launch(const group_bfs_params *s, unsigned blocks);

#ifdef __cplusplus
}
#endif
#endif
