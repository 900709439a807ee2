/*
 * Predecessors of equal values on a grid of one row whose rows are mirrored, level by level from
 * the vertices that have a predecessor, or are the source: each process tells all others which of
 * its vertices have none, and looks at the rows of these vertices.
 */
#include "cuda/paths/grid_relax_run.h"
#include "cuda/paths/predecessors_kernels.h"

/* Few vertices lack a better predecessor, and few of them are left after a level. On a grid further
 * levels are left to the caller. */
enum { MOST_LEVELS = 4 };

/* Which own vertices lack a predecessor, in the slot of this round, and how many on all processes. Collective. */
static uint64_t find_missing(cuda_grid_relax *r, const cuda_predecessors *p,
                             unsigned long long *on_device)
{
    uint32_t *const slot = (uint32_t *)sl_cuda_grid_relax_slot(r);
    const sl_device_grid *grid = r->x->grid;
    unsigned long long own = 0;
    RELAX_DO(r, sl_cuda_zero(r->s.call->ctx, on_device, sizeof *on_device));
    RELAX_LAUNCH(r, "find_missing",
                 sl_cuda_predecessors_missing(p, r->g.own.n, slot, NULL, on_device));
    RELAX_DO(r, sl_cuda_fetch(r->s.call->ctx, "kernel find_missing", &own, on_device, sizeof own));
    uint64_t sums[] = {own, r->status != SL_OK};
    const sl_status status = grid->reduce(grid, sums, 2, false);
    RELAX_DO(r, status);
    return status == SL_OK && sums[1] == 0 ? sums[0] : 0;
}

uint64_t sl_cuda_grid_take_flat(cuda_grid_relax *r, const cuda_predecessors *p)
{
    const bool alone = r->x->grid->cols == 1;
    unsigned long long *on_device = NULL;
    uint32_t *missing = NULL;
    uint64_t before = UINT64_MAX, left;
    RELAX_DO(r, sl_cuda_scratch_take(&r->s, &on_device, sizeof *on_device));
    RELAX_DO(r, sl_cuda_scratch_take(&r->s, &missing,
                                     cuda_words(r->s.call->a->ncols) * sizeof *missing));
    for (int level = 0;; level++) {
        left = find_missing(r, p, on_device);
        if (left == 0 || left == before || (level == MOST_LEVELS && !alone))
            return left;
        RELAX_DO(r, r->x->grid->interrupted(r->x->grid));
        sl_cuda_grid_share_bits(r, missing);
        RELAX_LAUNCH(r, "pull_flat", sl_cuda_predecessors_pull_flat(p, missing, NULL));
        before = left;
    }
}
