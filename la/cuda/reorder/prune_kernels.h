/* Launch functions of prune.cu: removal of the trees outside the 2-core. See prune.c. */
#ifndef SEMLA_CUDA_PRUNE_KERNELS_H
#define SEMLA_CUDA_PRUNE_KERNELS_H

#include "cuda/reorder/graph_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A symmetric matrix that is being pruned. Device memory, in the caller's ids. */
typedef struct {
    uint32_t n;
    const uint64_t *start;
    const uint32_t *index;
    uint32_t *degree;      /* n: remaining neighbours; 0 for removed vertices */
    uint32_t *tree_parent; /* n: the last neighbour of a removed vertex; CUDA_NO_VERTEX if it is not
                              removed */
    uint32_t *queue;       /* n: vertices that have reached degree 1, each once */
    uint32_t *tail;        /* length of the queue; 0 before prune_begin */
} cuda_pruning;

/* Sets tree_parent to CUDA_NO_VERTEX and queues the vertices of degree 1; `degree` must be the full
 * degree. */
cudaError_t sl_cuda_prune_begin(const cuda_pruning *p);

/* Removes queue[head ... tail) and queues the vertices that reach degree 1. */
cudaError_t sl_cuda_prune_round(const cuda_pruning *p, uint32_t head, uint32_t tail);

/* new_id[v] of every removed vertex, from the new id of its root (encoding: graph_view.h). *count,
 * 0 before: how many there are. */
cudaError_t sl_cuda_tree_new_ids(uint32_t *new_id, uint32_t *count, const uint32_t *tree_parent,
                                 uint32_t n);

#ifdef __cplusplus
}
#endif
#endif
