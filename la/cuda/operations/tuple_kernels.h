/* Generated tuples: keys of entries (generator.c) and checks of parent trees (tree_check.c). As
 * kernels.h. */
#ifndef SEMLA_CUDA_TUPLE_KERNELS_H
#define SEMLA_CUDA_TUPLE_KERNELS_H

#include <semla/edge_generator.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The vertices begin to end - 1 are wanted. Vertex v has number new_id[v - begin], UINT32_MAX if
 * it is not wanted; or v - begin if `new_id` is NULL. */
typedef struct {
    uint64_t begin, end;
    const uint32_t *new_id;
} cuda_numbering;

/* Which of the generated entries are wanted, and their numbering. */
typedef struct {
    cuda_numbering rows, cols;
    uint32_t first, last; /* rows with the numbers first to last - 1 */
    unsigned bits;        /* of a column in a key: (row - first) << bits | column */
} cuda_row_range;

/* Appends the keys of a range of rows, in any order and with duplicates, at keys[*count]. Keys
 * that do not fit in `room` are counted but not stored. */
cudaError_t sl_cuda_generate_keys(uint64_t *keys, uint64_t room, unsigned long long *count,
                                  const sl_edge_generator *source, const cuda_row_range *stretch);

/* Rows of wanted entries: all that the edges represent, by number, sorted within a row. */
typedef struct {
    cuda_numbering rows, cols;
    const uint64_t *start;
    const uint32_t *index;
} cuda_numbered_rows;

/* values[p] = the least weight of the edges that represent the entry at position p of the rows; all
 * bits of `values` are set before. */
cudaError_t sl_cuda_least_weights(void *values, const cuda_numbered_rows *rows,
                                  const sl_edge_generator *source);

/* new_id[k] = first + k. */
cudaError_t sl_cuda_number_range(uint32_t *new_id, uint32_t first, uint64_t count);

/* Removes duplicates from sorted keys; *kept: how many remain. Only sets *bytes if scratch is
 * NULL. */
cudaError_t sl_cuda_unique_keys(void *scratch, size_t *bytes, uint64_t *to, const uint64_t *from,
                                unsigned long long *kept, uint64_t count);

/* start[r] = base + number of sorted keys with a row less than r, for r = 0 ... rows. */
cudaError_t sl_cuda_starts_of_keys(uint64_t *start, uint32_t rows, uint64_t base,
                                   const uint64_t *keys, uint64_t count, unsigned bits);

/* ends[v]: number of tuple ends that are v. Bit v of `ending` is set if that is not 0, of
 * `joining` if v has another vertex as neighbour. All 0 before. */
cudaError_t sl_cuda_count_ends(long long *ends, uint32_t *ending, uint32_t *joining,
                               const sl_edge_generator *source);

/* ---- parent trees ---------------------------------------------------------------------- */

/* Faults found by a check: the least edge of each kind, as first end << 32 | second end; all
 * bits set if there is none, which is also the initial value. */
typedef struct {
    unsigned long long no_parent, cycle, leaves, skips, no_edge;
    unsigned long long found; /* vertices that the last launch gave a level; zeroed before it */
    unsigned long long reached;
} cuda_tree_check;

typedef struct {
    uint32_t n, root;
    const uint32_t *bits; /* vertices that have a parent */
    cuda_integers parent;
    const uint32_t *packed; /* or the parents as 32 bits, UINT32_MAX if there is none; or NULL */
    int *level;             /* n: TREE_NONE, TREE_OPEN or the level */
    uint32_t *is_edge;      /* bits: the edge from the parent is among the tuples */
    cuda_tree_check *check;
} cuda_parent_tree;
enum { TREE_NONE = -2, TREE_OPEN = -1 };

/* packed[first + k] for k < count, from bits and parents. A parent that is not below t->n is a
 * fault. */
cudaError_t sl_cuda_tree_pack(const cuda_parent_tree *t, uint32_t *packed, const uint32_t *bits,
                              cuda_integers parent, uint64_t first, uint64_t count);
/* Initial levels: 0 for the root, TREE_OPEN for vertices with a parent. Counts the vertices
 * reached. */
cudaError_t sl_cuda_tree_begin(const cuda_parent_tree *t);
/* Gives level d to the vertices with a parent of level d - 1. */
cudaError_t sl_cuda_tree_deepen(const cuda_parent_tree *t, int d);
/* Checks for tuples first to last - 1 that their ends are at most one level apart, and marks
 * edges from parents. */
cudaError_t sl_cuda_tree_edges(const cuda_parent_tree *t, const sl_edge_generator *source,
                               uint64_t first, uint64_t last);
/* Checks that every vertex except the root has a level and an edge from its parent. */
cudaError_t sl_cuda_tree_end(const cuda_parent_tree *t);

#ifdef __cplusplus
}
#endif
#endif
