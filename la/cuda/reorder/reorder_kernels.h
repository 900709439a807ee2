/*
 * Launch functions, as kernels.h, of the kernels that build a reordered graph (degree_order.cu,
 * renumber_rows.cu, ell.cu, numbered_vertices.cu).
 * Functions with `scratch` and `bytes` follow CUB's convention: with scratch NULL they only set
 * *bytes to the size that they need.
 */
#ifndef SEMLA_CUDA_REORDER_KERNELS_H
#define SEMLA_CUDA_REORDER_KERNELS_H

#include "cuda/reorder/graph_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- orders by falling degree (degree_order.cu) ---- */

/* degree[v]: entries of row v. */
cudaError_t sl_cuda_row_degrees(uint32_t *degree, const uint64_t *start, uint32_t n);

/* Adds to degree[c] the number of elements of `index` that are c. */
cudaError_t sl_cuda_count_columns(uint32_t *degree, const uint32_t *index, uint64_t nnz);

/* count_above[k], k = 0 ... ELL_SLOTS: how many of n falling degrees are greater than k.
 * count_above[ELL_SLOTS + 1]: the greatest degree. */
cudaError_t sl_cuda_count_degrees(uint32_t *count_above, const uint32_t *degree, uint32_t n);

/* degree[k]: entries of row old_id[k]; 0 if that is CUDA_NO_VERTEX. */
cudaError_t sl_cuda_degrees_of(uint32_t *degree, const uint32_t *old_id, const uint64_t *start,
                               uint32_t n);

/* place[old[k]] = k. */
cudaError_t sl_cuda_invert_order(uint32_t *place, const uint32_t *old, uint64_t count);

/* word_degree[k / 32]: entries of row k, for k a multiple of 32 below n. */
cudaError_t sl_cuda_word_degrees(uint32_t *word_degree, const uint64_t *start, uint32_t n);

/* ---- the numbered vertices in the caller's order (numbered_vertices.cu) ---- */

/* The vertices that have a new id, numbered in the caller's order. Device memory. */
typedef struct {
    /* Per word of `n` vertices: which have a new id, and the number of the first. */
    uint2 *numbered;
    uint32_t *new_ids; /* by number: the new id */
    uint32_t *first;   /* by number: the first neighbour, unless `slot` is NULL */
    const uint32_t *new_id;
    const uint32_t *slot, *old_id, *tree_parent; /* as in cuda_graph; may be NULL */
    uint32_t n;
} cuda_numbered_vertices;

/* numbered[w].x: bit u is set if vertex 32 w + u of old_n has a new id; counts[w]: the number of
 * these bits. */
cudaError_t sl_cuda_mark_numbered(uint2 *numbered, uint32_t *counts, const uint32_t *new_id,
                                  uint32_t old_n);

/* v->numbered[w].y = sums[w]; fills v->new_ids and, if v->slot is not NULL, v->first. */
cudaError_t sl_cuda_fill_numbered(const cuda_numbered_vertices *v, const uint32_t *sums);

/* ---- rows in the new order (renumber_rows.cu) ---- */

/* *last: the greatest row such that rows [first, *last) have at most `most` edges. */
cudaError_t sl_cuda_rows_within(uint32_t *last, const uint64_t *start, uint32_t first, uint32_t n,
                                uint64_t most);

/* Rows of a matrix that are to be renumbered. */
typedef struct {
    const uint64_t *start; /* offsets of the rows in the new order, pruned edges included */
    const uint32_t *old_id, *new_id;
    const uint64_t *from_start; /* the matrix's own rows */
    const uint32_t *from_index;
    unsigned bits;   /* of a new id */
    bool pruned;     /* some vertices are in pruned trees */
    uint32_t *items; /* out: the number of each edge in the matrix; or NULL */
} cuda_rows_to_renumber;

/*
 * Writes one key per edge of rows [first, last) of the new order: (row - first) << bits | new id of
 * the neighbour. If `pruned`, edges to pruned vertices get the key with all bits set, so that a
 * sort puts them last. edges: the number of keys.
 */
cudaError_t sl_cuda_renumber_rows(uint64_t *keys, const cuda_rows_to_renumber *r, uint32_t first,
                                  uint32_t last, uint64_t edges);

/* ---- ELL (ell.cu) ---- */

/* slot[k][v] for every vertex v with more than k neighbours. Reads start (64 bits) and the columns
 * of `graph`. */
cudaError_t sl_cuda_fill_slots(uint32_t *const slot[ELL_SLOTS],
                               const uint32_t count_above[ELL_SLOTS + 1], const cuda_graph *graph);

/*
 * Fills the records of all g->n rows and their overflow. With ell4 NULL it only counts the overflow
 * records. Either call adds to *overflow_rows, which must be 0 before. All ids must be below
 * ELL4_OVERFLOW. Reads start (64 bits) and the columns of `g`.
 */
cudaError_t sl_cuda_fill_ell4(uint4 *ell4, uint32_t *overflow_rows, const cuda_graph *g);

#ifdef __cplusplus
}
#endif
#endif
