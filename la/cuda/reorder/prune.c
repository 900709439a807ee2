/*
 * The trees that hang from a graph's 2-core, which is what is left when vertices of one
 * neighbour are taken out again and again (Seidman, "Network structure and minimum degree",
 * 1983). However a search comes to the vertex that a tree hangs from, parents in the tree
 * are the same, so that searches go through the core alone.
 *
 * PRUNE_ROUNDS bounds how high trees become: of a longer path the inner part stays.
 */
#include "prune.h"

/* A round is a kernel, and the count of who goes in the next. */
static sl_status peel(sl_context *ctx, const cuda_pruning *p)
{
    uint32_t head = 0, tail;
    CUDA_TRY(sl_cuda_zero(ctx, p->tail, sizeof *p->tail));
    CUDA_TRY(sl_cuda_status(ctx, "kernel prune_begin",
                            sl_cuda_prune_begin(p, cuda_processors(), cuda_stream())));
    for (int round = 0; round < PRUNE_ROUNDS; round++, head = tail) {
        CUDA_TRY(sl_cuda_fetch(ctx, "kernel prune", &tail, p->tail, sizeof tail));
        if (tail == head)
            return SL_OK;
        CUDA_TRY(
            sl_cuda_status(ctx, "kernel prune_round",
                           sl_cuda_prune_round(p, head, tail, cuda_processors(), cuda_stream())));
    }
    return SL_OK;
}

sl_status sl_cuda_prune(sl_context *ctx, const cuda_matrix *A, uint32_t n, uint32_t *degree,
                        uint32_t *tree_parent)
{
    uint32_t *queue; /* and how many are in it */
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
