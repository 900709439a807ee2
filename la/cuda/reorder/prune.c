/*
 * Removal of the trees outside the 2-core of a symmetric graph. The 2-core is what remains when
 * vertices with one neighbour are removed repeatedly (Seidman, "Network structure and minimum
 * degree", Social Networks 5, 1983). Parents within such a tree do not depend on how a search
 * reaches the vertex that the tree is attached to, so that searches need to traverse the core only.
 *
 * Each round removes all vertices that currently have one neighbour, by one kernel, and reads back
 * how many vertices now have one neighbour. After PRUNE_ROUNDS rounds the rest of a longer path
 * stays in the graph. Cost: O(edges of removed vertices) plus one host synchronisation per round.
 */
#include "cuda/reorder/prune.h"

#include "cuda/reorder/prune_kernels.h"

/* Removes vertices round by round until none has one neighbour. */
static sl_status peel(sl_context *ctx, const cuda_pruning *p)
{
    uint32_t head = 0, tail;
    CUDA_TRY(sl_cuda_zero(ctx, p->tail, sizeof *p->tail));
    CUDA_TRY(sl_cuda_status(ctx, "kernel prune_begin", sl_cuda_prune_begin(p)));
    for (int round = 0; round < PRUNE_ROUNDS; round++, head = tail) {
        CUDA_TRY(sl_cuda_fetch(ctx, "kernel prune", &tail, p->tail, sizeof tail));
        if (tail == head)
            return SL_OK;
        CUDA_TRY(sl_cuda_status(ctx, "kernel prune_round", sl_cuda_prune_round(p, head, tail)));
    }
    return SL_OK;
}

sl_status sl_cuda_prune(sl_context *ctx, const cuda_matrix *A, uint32_t n, uint32_t *degree,
                        uint32_t *tree_parent)
{
    uint32_t *queue; /* n entries, followed by the length */
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&queue, ((uint64_t)n + 1) * sizeof *queue));
    const cuda_pruning p = {.n = n,
                            .start = A->start,
                            .index = A->index,
                            .degree = degree,
                            .tree_parent = tree_parent,
                            .queue = queue,
                            .tail = queue + n};
    sl_status status = peel(ctx, &p);
    sl_cuda_free(queue);
    return status;
}
