/* A matrix in the order of its degrees, made for searches: see layout.c. As kernels.h. */
#ifndef SEMLA_CUDA_LAYOUT_KERNELS_H
#define SEMLA_CUDA_LAYOUT_KERNELS_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The new_id of a vertex that has none, as it has no edges. */
#define CUDA_NO_VERTEX UINT32_MAX
/* In the new_id of a vertex of a tree that was taken out: it hangs, and it is more than a step from
 * its root, the vertex searched that the tree hangs from. The rest is that one's new_id. */
#define CUDA_IN_TREE ((uint32_t)1 << 31)
#define CUDA_DEEP_IN_TREE   ((uint32_t)1 << 30)

/*
 * What a search reads of a graph. Vertices are numbered by falling degree, vertices of
 * one degree in the caller's order, and those without edges are left out, and those of trees if
 * there is `tree_parent`; or, if there is `ell4`, by clusters; or, without `old_id`, they are the caller's
 * own.
 */
typedef struct {
    uint32_t n;            /* vertices here, */
    uint32_t callers;      /* and of the caller */
    uint64_t edges;        /* entries of the matrix */
    const uint32_t *old_id; /* n: the caller's numbers, or NULL */
    const uint32_t *new_id; /* callers: numbers here, or CUDA_NO_VERTEX; or NULL */
    const uint32_t *tree_parent;    /* callers: of who hangs (prune.c) the vertex towards the root, in the
                              caller's numbers, else CUDA_NO_VERTEX; or NULL: nobody does */
    uint32_t trees;        /* who do */
    /* Where there is a old_id: of each 32 of the caller's vertices, which have a new_id, and how
     * many do before them; of those that do, in the caller's order, the places, and the caller's
     * numbers of their first neighbours, or of who they hang from; or NULL. */
    const uint2 *kept;
    const uint32_t *kept_new_id, *kept_first;
    bool wide;             /* offsets have 64 bits, else 32 */
    const void *start;     /* n + 1 offsets: out-edges */
    const uint32_t *index; /* ascending in each row */
    /* Of a layout, and only if wide: entries from `split` on are far[e], in pinned memory of
     * the host, and those from `resume` on after[e]. split UINT64_MAX: there are none. */
    uint64_t split, resume;
    const uint32_t *far, *after;
    const void *in_start;     /* in-edges: the same arrays if the pattern is symmetric; */
    const uint32_t *in_index; /* NULL: there are none, and no step may pull */
    /*
     * Jagged diagonals (the interleaved adjacency of Kolganov, "The fastest and
     * energy-efficient breadth-first search algorithm on a single node", 2018, without
     * its padding): slot[k][v] is the k-th neighbour of v. As degrees fall, the vertices
     * that have one are a prefix, of slot_count[k]. slot_count[SLOTS]: have more.
     */
    const uint32_t *slot[SLOTS]; /* slot[0] NULL: there are none */
    uint32_t slot_count[SLOTS + 1];
    const uint32_t *word_degree; /* the degree of vertices 0, 32, 64, ...; or NULL */
    /* Of a graph of short rows: the four neighbours of each vertex, the places of missing ones
     * CUDA_NO_VERTEX. In new_id of the last of a longer row stands ELL4_OVERFLOW and the number, from n
     * on, of the ell4 with its rest, which may go on likewise. NULL: there are none. */
    const uint4 *ell4;
    uint32_t rests; /* fours from n on */
} cuda_graph;

#define ELL4_OVERFLOW ((uint32_t)1 << 31)

/* ell4[v] of all g->n rows, and from there on of their rests. NULL: how many of those there are is
 * only counted, into *rests, which is 0 before. All numbers are below ELL4_OVERFLOW; of the graph
 * start (64 bits) and the columns are read. */
cudaError_t sl_cuda_fill_ell4(uint4 *ell4, uint32_t *rests, const cuda_graph *g,
                               unsigned multiprocessors, cudaStream_t stream);

/* degree[v] and vertex[v] = v of the rows of a matrix. */
cudaError_t sl_cuda_row_degrees(uint32_t *degree, uint32_t *vertex, const uint64_t *start,
                                uint32_t n, unsigned multiprocessors, cudaStream_t stream);

/* more[k]: how many of n falling degrees are above k, for k = 0 ... SLOTS; more[SLOTS + 1]:
 * the greatest. */
cudaError_t sl_cuda_count_degrees(uint32_t *more, const uint32_t *degree, uint32_t n,
                                  cudaStream_t stream);

/* degree[k]: of row old_id[k] of a matrix. */
cudaError_t sl_cuda_degrees_of(uint32_t *degree, const uint32_t *old_id, const uint64_t *start,
                               uint32_t n, unsigned multiprocessors, cudaStream_t stream);

/* new_id[old_id[k]] = k; word_degree[k / 32] = degree[k]. */
cudaError_t sl_cuda_set_new_ids(uint32_t *new_id, uint32_t *word_degree, const uint32_t *old_id,
                               const uint32_t *degree, uint32_t n, unsigned multiprocessors,
                               cudaStream_t stream);

/* kept[w].x of `callers` vertices, and counts[w], how many bits that has. */
cudaError_t sl_cuda_mark_kept(uint2 *kept, uint32_t *counts, const uint32_t *new_id,
                              uint32_t callers, unsigned multiprocessors, cudaStream_t stream);

/* kept[w].y = sums[w], kept_new_id, and with the first slot, if it is not NULL, and `tree_parent`
 * kept_first. */
cudaError_t sl_cuda_fill_kept(uint2 *kept, uint32_t *kept_new_id, uint32_t *kept_first,
                              const uint32_t *sums, const uint32_t *new_id, const uint32_t *slot,
                              const uint32_t *old_id, const uint32_t *tree_parent, uint32_t callers,
                              unsigned multiprocessors, cudaStream_t stream);

/* *last: the greatest row whose rows [first, *last) have at most `most` edges. */
cudaError_t sl_cuda_rows_within(uint32_t *last, const uint64_t *start, uint32_t first, uint32_t n,
                                uint64_t most, cudaStream_t stream);

/* The rows [first, last) of a new order, each edge as (row - first) << bits | new_id of its
 * end, or, if `pruned` and that hangs, all bits, so that it comes last. `from`: the matrix's own
 * rows; `start`: where they begin in the new order; `edges`: how many there are. */
cudaError_t sl_cuda_renumber_rows(uint64_t *keys, const uint64_t *start, const uint32_t *old_id,
                                  const uint32_t *new_id, const uint64_t *from_start,
                                  const uint32_t *from_index, uint32_t first, uint32_t last,
                                  uint64_t edges, unsigned bits, bool pruned,
                                  unsigned multiprocessors, cudaStream_t stream);

/* slot[k][v] of every vertex that has more than k edges; of the graph start (64 bits) and
 * the columns are read. */
cudaError_t sl_cuda_fill_slots(uint32_t *const slot[SLOTS], const uint32_t more[SLOTS + 1],
                               const cuda_graph *graph, unsigned multiprocessors,
                               cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
