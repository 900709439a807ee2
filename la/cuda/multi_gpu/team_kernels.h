/* A search over several devices, each with the edges into its own vertices: see
 * team_search.cu. As kernels.h. */
#ifndef SEMLA_CUDA_TEAM_KERNELS_H
#define SEMLA_CUDA_TEAM_KERNELS_H

#include "bfs_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* Ranks that a team may have, if its devices write to each other. */
    GROUP_MAX_RANKS = 16,
    /* Neighbouring numbers that one rank has, a line of a bitmap: those of all ranks take turns, so
     * that the hubs of all come first. */
    GROUP_LINE = 1024
};

/* What a rank tells the others after each step. */
typedef enum {
    COUNT_VERTICES, /* found, or of q at the start */
    COUNT_EDGES,    /* of those, in about */
    COUNT_EXAMINED,     /* edges looked at */
    COUNT_SETTLED,  /* at the start: vertices of pi, and their edges */
    COUNT_SETTLED_EDGES,
    COUNT_OUTSIDE, /* at the start: entries of q that are none of pi */
    COUNT_ISOLATED,  /* at the start: entries of q without edges, which have no number */
    COUNT_PARTS
} step_counts_part;

typedef struct {
    unsigned long long part[COUNT_PARTS];
    unsigned long long round; /* written last: which of the team's letters it is */
} step_counts;

/* What a launch has come to. */
typedef enum {
    GROUP_BEGINS,
    GROUP_EXCHANGES,  /* the host has to exchange letters, and what was found */
    GROUP_DECIDES, /* what letters say is known */
    GROUP_TIMED_OUT     /* the others were waited for in vain */
} group_bfs_stage;

typedef struct {
    bfs_state now; /* counts are of all ranks, entries this rank's */
    group_bfs_stage stage;
    step_counts own;
    unsigned most;                 /* that one rank has found */
    unsigned long long round;      /* of letters, so far */
    unsigned long long began;      /* the step under way */
    unsigned long long bytes[2];   /* received as bits, as lists */
    unsigned long long letters;    /* received */
    unsigned long long exchanging; /* nanoseconds */
} group_bfs_state;

/*
 * The block of memory by which ranks reach each other has the letters of even rounds, one of each
 * rank, and those of odd rounds; and, of even and of odd rounds likewise, the bits of a frontier
 * and for each rank the room of a list. So who is ahead writes nothing that another still reads.
 */
typedef struct {
    uint64_t front, lists, bytes; /* where they begin; the end */
    uint32_t words;               /* of a frontier's bits */
    uint32_t room;                /* of a list */
} group_memory;

typedef struct {
    /* This rank's part. graph: n targets, numbered by falling in-degree; sources are numbered by
     * lines of GROUP_LINE; rows by source hold targets, columns sources. visited, before and found
     * are bits of targets, as many as sources of a rank. */
    bfs_params own;
    const uint32_t *id; /* callers here: numbers as sources, or CUDA_NO_VERTEX */
    uint32_t rank, size;
    unsigned long long vertices, edges; /* in all */
    group_memory block;
    uint32_t most_listed; /* finds of a rank that travel as a list, else as bits */
    char *peer[GROUP_MAX_RANKS]; /* blocks, peer[rank] the own one; only that if !direct */
    bool direct;           /* kernels write to peers and wait for them */
    /* Where the host exchanges data: the letters, of which the last stays; what this rank found
     * as a list; what came, `chunk` words of each rank. coded: it made messages of the bits that
     * were found, so there is no list of this rank's, and those that came are of places at
     * their ranks. arriving: what comes is on its way when the launch begins; part q is there when
     * the round of letter q in the block is the number of the letters so far. */
    bool coded, arriving;
    step_counts come[GROUP_MAX_RANKS];
    uint32_t *mine;
    const uint32_t *arrived;
    uint32_t chunk;
    unsigned long long patience; /* nanoseconds for which others are waited for */
    group_bfs_state *standing, *result;
} group_bfs_params;

cudaError_t sl_cuda_group_bfs_blocks(unsigned *blocks, const cuda_graph *graph,
                                unsigned multiprocessors);
/* Searches until nothing is found, or the host has to do something. */
cudaError_t sl_cuda_group_bfs_launch(const group_bfs_params *s, unsigned blocks, cudaStream_t stream);

/* ---- making a part (part.cu) ----------------------------------------------------------- */

/* bits, all 0 before: rows that have entries. */
cudaError_t sl_cuda_group_nonempty_rows(uint32_t *bits, const uint64_t *start, uint64_t n,
                              unsigned multiprocessors, cudaStream_t stream);

/* bits[w]: those of all[w], all[words + w], ..., of so many ranks. */
cudaError_t sl_cuda_or_bits(uint32_t *bits, const uint32_t *all, uint64_t words,
                                   uint32_t ranks, unsigned multiprocessors, cudaStream_t stream);

/* degree[v], 0 before: how often v is an index. */
cudaError_t sl_cuda_group_count_in_degrees(uint32_t *degree, const uint32_t *index, uint64_t entries,
                               unsigned multiprocessors, cudaStream_t stream);

/* key[v]: one more than the in-degree of own vertex v, or 0 if it has no edges; vertex[v] =
 * v. used: of all vertices, those with out-edges; v is number first + v there. NULL: those with
 * in-edges have them. */
cudaError_t sl_cuda_group_degree_keys(uint32_t *key, uint32_t *vertex, const uint32_t *degree,
                              const uint32_t *used, uint64_t first, uint32_t n,
                              unsigned multiprocessors, cudaStream_t stream);

/* degree[k] = key[k] - 1. */
cudaError_t sl_cuda_group_degrees(uint32_t *degree, const uint32_t *key, uint32_t n,
                                 unsigned multiprocessors, cudaStream_t stream);

/* id[order[k]]: the number as source of new_id k. */
cudaError_t sl_cuda_group_source_ids(uint32_t *id, const uint32_t *order, uint32_t n, uint32_t rank,
                                uint32_t size, unsigned multiprocessors, cudaStream_t stream);

/* old_id[id[v]] = v where v has a number. */
cudaError_t sl_cuda_group_old_ids(uint32_t *old_id, const uint32_t *id, uint64_t n,
                               unsigned multiprocessors, cudaStream_t stream);

/* Entries by rows, which are to be ordered by their other ends. */
typedef struct {
    const uint64_t *start; /* rows + 1 */
    const uint32_t *index;
    uint64_t rows, entries;
    const uint32_t *row_number, *end_number; /* new numbers; NULL: they keep theirs */
} cuda_turn;

/* Appends the keys of all entries whose ends are `first` to last - 1, (end - first) << bits | row,
 * at keys[*count]; there are `room` of them. */
cudaError_t sl_cuda_group_transpose_keys(uint64_t *keys, unsigned long long *count, uint64_t room,
                              const cuda_turn *turn, uint32_t first, uint32_t last, unsigned bits,
                              unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
