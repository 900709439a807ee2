/* The caller's vertices that have a new_id, without those that have none between them: a search ends
 * with a pass over them. */
#include "layout.h"
#include "sorting.h"

static sl_status did(sl_context *ctx, const char *what, cudaError_t error)
{
    return sl_cuda_status(ctx, what, error);
}

/* The sums of `words` counts, behind them. */
static sl_status sum(sl_context *ctx, uint32_t *counts, uint64_t words)
{
    cuda_arena arena = {0};
    sl_status status = sl_cuda_sum_words(ctx, &arena, counts + words, counts, (uint32_t)words);
    sl_cuda_arena_release(&arena);
    return status;
}

static sl_status fill(sl_context *ctx, cuda_reordered_graph *L, uint32_t callers, uint32_t *counts)
{
    const uint64_t words = cuda_words(callers);
    CUDA_TRY(did(
        ctx, "kernel mark_kept",
        sl_cuda_mark_kept(L->kept, counts, L->new_id, callers, cuda_processors(), cuda_stream())));
    CUDA_TRY(sum(ctx, counts, words));
    return did(ctx, "kernel fill_kept",
               sl_cuda_fill_kept(L->kept, L->kept_new_id, L->kept_first, counts + words, L->new_id,
                                 L->slot[0], L->old_id, L->tree_parent, callers, cuda_processors(),
                                 cuda_stream()));
}

sl_status sl_cuda_make_kept(sl_context *ctx, cuda_reordered_graph *L, uint32_t callers, uint64_t kept)
{
    const uint64_t words = cuda_words(callers), room = kept + 3; /* they are read in fours */
    uint32_t *counts;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&L->kept, words * sizeof *L->kept));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&L->kept_new_id, room * sizeof *L->kept_new_id));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&L->kept_first, room * sizeof *L->kept_first));
    CUDA_TRY(sl_cuda_zero(ctx, L->kept_new_id + kept, 3 * sizeof *L->kept_new_id));
    CUDA_TRY(sl_cuda_zero(ctx, L->kept_first + kept, 3 * sizeof *L->kept_first));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&counts, 2 * words * sizeof *counts));
    sl_status status = words ? fill(ctx, L, callers, counts) : SL_OK;
    sl_cuda_free(counts);
    return status;
}
