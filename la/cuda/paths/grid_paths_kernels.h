/* Parameters and launch functions of shortest paths of a grid over lengths that are sorted. Included by C
 * and CUDA sources. */
#ifndef SEMLA_CUDA_GRID_PATHS_KERNELS_H
#define SEMLA_CUDA_GRID_PATHS_KERNELS_H

#include "cuda/paths/grid_relax_kernels.h"
#include "cuda/paths/row_pieces.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the state of a row (grid_paths.cuh): a sector of memory. */
enum { GRID_PATHS_ROW = 32 };

/* The columns that a pull looks at, sorted by length: `count` of them from column number `first` of the block on. */
typedef struct {
    uint64_t first, count;
    const uint64_t *start;
    const uint32_t *index; /* into `from`, */
    const void *from;      /* values */
    const void *length;
} grid_pulled_columns;

/*
 * Shortest paths on one process. `block`, `own` and own_begin as in grid_relax, but p.index and
 * p.values of the block are the rows sorted by length (lengths.h), and values and candidates that
 * are missing are greater than every distance. frontier_values are those of the pieces, and during
 * the pull those of the rows.
 */
typedef struct {
    relax_params block, own;
    uint64_t own_begin;
    bool narrow;         /* lengths of 32 bits */
    row_pieces pieces;   /* as many as rows: the frontier, counted in state->next[0] */
    void *rows;          /* the state of each row of the block */
    uint32_t *open_bits; /* bitmap of the rows that have a next edge, beyond the limit */
    grid_pulled_columns columns;
    double limit;              /* the greatest value of the bucket */
    void *least;               /* of the pull: the least value of rows that are not early */
    grid_relax_counts *counts; /* open, settled_edges */
    /* The rows are those of the own vertices, whole and mirrored (lengths.h): then the pulled
     * columns are these rows, and a pull reads the values of all vertices, which are in
     * block.t_values. short_bits: a bitmap of the columns whose vertices have few edges; `defers`:
     * they get no values before the pull. */
    bool mirrored, defers;
    const uint32_t *short_bits;
} grid_paths;

/* No candidates, and no values of rows. */
cudaError_t sl_cuda_grid_paths_begin(const grid_paths *g);

/* As sl_cuda_grid_relax_arrive: the edges within the limit become pieces. */
cudaError_t sl_cuda_grid_paths_arrive(const grid_paths *g, const grid_relax_messages *messages);

/* After the limit has grown: the edges that are within it now, of rows that have arrived before. */
cudaError_t sl_cuda_grid_paths_continue(const grid_paths *g);

/* Relaxes the pieces. Sets counts->pieces. */
cudaError_t sl_cuda_grid_paths_push(const grid_paths *g);

/* Before the pull: *least, and the values of the rows, unless they are mirrored. */
cudaError_t sl_cuda_grid_paths_list_values(const grid_paths *g);

/* Improves the candidates beyond the limit over all edges of rows that have arrived: none of them is to
 * continue afterwards. If rows are mirrored, improves the own vertices beyond the limit and the
 * short ones; those of short rows wait only if an edge of theirs leads to an improvement. */
cudaError_t sl_cuda_grid_paths_pull(const grid_paths *g);

/* The state of the rounds of one device, in device memory; all 0 before a launch. */
typedef struct {
    grid_relax_counts counts[2];      /* taken and nearest, by turns of rounds */
    unsigned long long open[2];       /* as in grid_relax_counts, by turns of buckets */
    unsigned long long settled_edges; /* likewise */
    double limit;                     /* out: of the last bucket */
    unsigned pulls; /* out: the pull is to follow; otherwise all values are final */
} grid_rounds_state;

/* Rounds of one device, whose rows are mirrored. */
typedef struct {
    grid_paths g;         /* limit and `defers` are not read */
    char *middle;         /* of a message of the own vertices */
    double limit;         /* of the first bucket */
    double width;         /* of the buckets */
    uint64_t short_edges; /* of the vertices of few edges */
    bool pulled;          /* the pull has been */
    grid_rounds_state *state;
} grid_paths_alone;

/* Runs rounds until the pull, or the end. block.state->next is 0 before. */
cudaError_t sl_cuda_grid_paths_run_alone(const grid_paths_alone *a);

#ifdef __cplusplus
}
#endif
#endif
