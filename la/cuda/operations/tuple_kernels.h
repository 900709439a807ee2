/* Tuples of models, made on the device: see collect.c and tree.c. As kernels.h. */
#ifndef SEMLA_CUDA_TUPLE_KERNELS_H
#define SEMLA_CUDA_TUPLE_KERNELS_H

#include <semla/edge_generator.h>

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of the vertices begin to end - 1, which are all that are wanted: new_id[v - begin], or
 * UINT32_MAX for one that is not; v - begin where `new_id` is NULL. */
typedef struct {
    uint64_t begin, end;
    const uint32_t *new_id;
} cuda_numbers;

/* Which entries of all that the tuples stand for, and under which numbers. */
typedef struct {
    cuda_numbers rows, cols;
    uint32_t first, last; /* of the rows' numbers */
    unsigned bits;        /* of a column in a key, (row - first) << bits | column */
} cuda_stretch;

/* Appends the keys of a stretch, in any order and as often as there are tuples, at
 * keys[*count]; where there are more than `room` the others are counted only. */
cudaError_t sl_cuda_collect_keys(uint64_t *keys, uint64_t room, unsigned long long *count,
                                 const sl_edge_generator *source, const cuda_stretch *stretch,
                                 unsigned multiprocessors, cudaStream_t stream);

/* new_id[k] = first + k. */
cudaError_t sl_cuda_number_range(uint32_t *new_id, uint32_t first, uint64_t count,
                                 unsigned multiprocessors, cudaStream_t stream);

/* to: each of the sorted keys once; *kept: how many. `bytes` as CUB's: asked for where
 * scratch is NULL. */
cudaError_t sl_cuda_unique_keys(void *scratch, size_t *bytes, uint64_t *to, const uint64_t *from,
                                unsigned long long *kept, uint64_t count, cudaStream_t stream);

/* start[r] for r = 0 ... rows: base + how many of the sorted keys are of rows before r. */
cudaError_t sl_cuda_starts_of_keys(uint64_t *start, uint32_t rows, uint64_t base,
                                   const uint64_t *keys, uint64_t count, unsigned bits,
                                   unsigned multiprocessors, cudaStream_t stream);

/* ends[v]: how often v is an end of a tuple; bits of v in `ending` if that is not 0, in
 * `joining` if it is joined to another vertex. All 0 before. */
cudaError_t sl_cuda_count_ends(long long *ends, uint32_t *ending, uint32_t *joining,
                               const sl_edge_generator *source, unsigned multiprocessors,
                               cudaStream_t stream);

/* ---- trees ----------------------------------------------------------------------------- */

/* What a check of a tree has found: of each fault the least edge, first end << 32 | second;
 * all bits where there is none. Set to that before. */
typedef struct {
    unsigned long long no_parent, cycle, leaves, skips, no_edge;
    unsigned long long found; /* vertices that a pass gave a level; to be set to 0 before it */
    unsigned long long reached;
} cuda_tree_check;

typedef struct {
    uint32_t n, root;
    const uint32_t *bits; /* where there is a parent, */
    cuda_integers parent;
    const uint32_t *packed; /* or the parents in 32 bits, UINT32_MAX where there is none; or NULL */
    int *level;        /* n: TREE_NONE, TREE_OPEN or the level */
    uint32_t *is_edge; /* bits: parents that a tuple has been seen to lead to */
    cuda_tree_check *check;
} cuda_tree;
enum { TREE_NONE = -2, TREE_OPEN = -1 };

/* packed[v] of the vertices first + v, from bits and parents of so many of them; a parent that is
 * none of the t->n vertices is a fault. */
cudaError_t sl_cuda_tree_pack(const cuda_tree *t, uint32_t *packed, const uint32_t *bits,
                              cuda_integers parent, uint64_t first, uint64_t count,
                              unsigned multiprocessors, cudaStream_t stream);
/* Levels of the root and of all that have none yet; counts who is reached. */
cudaError_t sl_cuda_tree_begin(const cuda_tree *t, unsigned multiprocessors, cudaStream_t stream);
/* Those whose parent has level d - 1 get level d. */
cudaError_t sl_cuda_tree_deepen(const cuda_tree *t, int d, unsigned multiprocessors,
                                cudaStream_t stream);
/* Every tuple from number `first` on and before `last` is an edge between vertices at most a level
 * apart. */
cudaError_t sl_cuda_tree_edges(const cuda_tree *t, const sl_edge_generator *source, uint64_t first,
                               uint64_t last, unsigned multiprocessors, cudaStream_t stream);
/* Every vertex but the root has been seen to have an edge to its parent, and a level. */
cudaError_t sl_cuda_tree_end(const cuda_tree *t, unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
