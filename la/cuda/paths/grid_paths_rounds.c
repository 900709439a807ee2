/*
 * The rounds of shortest paths over mirrored rows, if processes can read the candidates that others
 * have for them: a round needs one wait and one reduction. In contrast to grid_relax.c, it merges
 * the candidates of the round before, and the ranks agree afterwards on what it has found:
 *
 *     merge, take, arrive, push, collect    wait, agree
 *
 * A bucket has ended after a round without pieces to push and without candidates: the vertices taken in that round
 * had no edges within the limit.
 */
#include "cuda/paths/grid_relax_run.h"

/* The maxima over all processes. */
typedef struct {
    uint64_t failed;
    uint64_t taken, work; /* vertices; pieces and candidates */
    uint64_t nearest;     /* the best value or sum beyond the limit, an inverted key */
    uint64_t unready;     /* some process has many edges of rows that have not arrived; */
    uint64_t defers;      /* or defers vertices */
} agreed;
enum { AGREED = sizeof(agreed) / sizeof(uint64_t) };

static agreed agree(cuda_grid_relax *r)
{
    const sl_device_grid *grid = r->x->grid;
    grid_relax_counts counts = {.taken = 0};
    RELAX_DO(r, sl_cuda_fetch(r->s.call->ctx, "a round of shortest paths", &counts, r->g.counts,
                              sizeof counts));
    r->taken = counts.taken;
    if (r->status == SL_OK)
        sl_cuda_grid_paths_defer(r, &counts);
    RELAX_DO(r, grid->interrupted(grid));
    agreed all = {.failed = r->status != SL_OK,
                  .taken = counts.taken,
                  .work = counts.pieces + counts.folded,
                  .nearest = counts.open > counts.nearest ? counts.open : counts.nearest,
                  .unready = !sl_cuda_grid_paths_are_ready(r, &counts),
                  .defers = r->p.defers};
    const sl_status status = grid->reduce(grid, (uint64_t *)&all, AGREED, true);
    RELAX_DO(r, status);
    all.failed |= status != SL_OK;
    return all;
}

/* merge: there are candidates of the round before. */
static agreed do_round(cuda_grid_relax *r, bool merge)
{
    const double began = sl_seconds();
    r->p.limit = r->limit;
    if (merge)
        sl_cuda_grid_merge_mapped(r);
    RELAX_LAUNCH(
        r, "take",
        sl_cuda_grid_relax_take(&r->g, r->values, r->limit, false, sl_cuda_grid_relax_near(r)));
    sl_cuda_grid_relax_expand(r);
    sl_cuda_grid_relax_push_round(r);
    sl_cuda_grid_collect_candidates(r);
    const agreed all = agree(r);
    sl_cuda_grid_relax_log(r, began);
    r->number++;
    return all;
}

static void raise_limit(cuda_grid_relax *r, const agreed *all)
{
    r->limit = cuda_grid_value_of(all->nearest) + r->width;
    r->advanced = true;
    r->most = 0;
}

/* Whether so few vertices of a bucket are left that the next one begins with them; not before the pull. */
static bool is_tail(cuda_grid_relax *r, const agreed *all)
{
    r->most = all->taken > r->most ? all->taken : r->most;
    return all->unready && all->nearest > 0 && all->taken < r->most / GRID_PATHS_TAIL;
}

void sl_cuda_grid_paths_run(cuda_grid_relax *r)
{
    bool merge = false;
    for (;;) {
        const agreed all = do_round(r, merge);
        const bool ended = all.work == 0;
        merge = !ended;
        if (all.failed)
            return;
        if (ended && !r->pulled && (!all.unready || (all.nearest == 0 && all.defers))) {
            sl_cuda_grid_paths_pull_round(r);
            r->number++;
        } else if (ended && all.nearest == 0) {
            return;
        } else if (ended || is_tail(r, &all)) {
            raise_limit(r, &all);
        }
    }
}
