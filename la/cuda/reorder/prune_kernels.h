/* The trees that hang from a graph's 2-core, taken out: see prune.c. As kernels.h. */
#ifndef SEMLA_CUDA_PRUNE_KERNELS_H
#define SEMLA_CUDA_PRUNE_KERNELS_H

#include "layout_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows of a symmetric matrix that is being pruned, in the caller's numbers. */
typedef struct {
    uint32_t n;
    const uint64_t *start;
    const uint32_t *index;
    uint32_t *degree; /* n: entries of the rows that are left; 0 of who is taken out */
    uint32_t *tree_parent;     /* n: who is taken out hangs from this vertex; CUDA_NO_VERTEX: is not */
    uint32_t *queue;  /* n: all that came to have one neighbour, each once; */
    uint32_t *tail;   /* how many there are, 0 before */
} cuda_pruning;

/* tree_parent, and who has one neighbour at the beginning; `degree` is that of all. */
cudaError_t sl_cuda_prune_begin(const cuda_pruning *p, unsigned multiprocessors,
                                cudaStream_t stream);

/* Takes queue[head .. tail) out, and enqueues who has come to have one neighbour by that. */
cudaError_t sl_cuda_prune_round(const cuda_pruning *p, uint32_t head, uint32_t tail,
                                unsigned multiprocessors, cudaStream_t stream);

/* new_id[v] of who was taken out, by that of the vertex its tree hangs from. *count: how many
 * these are, 0 before. */
cudaError_t sl_cuda_place_trees(uint32_t *new_id, uint32_t *count, const uint32_t *tree_parent, uint32_t n,
                                unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
