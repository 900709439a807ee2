/*
 * Shortest paths of one device: a grid of one process, whose rows are mirrored (README.md). No
 * message travels: the list of the vertices that are taken is read where it was written, and what
 * all processes know this process knows.
 */
#include "cuda/paths/grid_alone.h"

#include "cuda/operations/cuda_operations.h"
#include "cuda/paths/grid_relax_run.h"
#include "cuda/runtime/traversal_switches.h"

/* A grid of 1 x 1, and a closure on it. */
typedef struct {
    sl_device_group group;
    sl_device_grid grid;
    sl_device_relaxation x;
    cuda_grid_links links;
    cuda_parcel parcels[2];
    cuda_grid_relax r;
} alone;

/* ---- the process as a grid ----------------------------------------------------------------------- */

static sl_status agree(const sl_device_group *group, sl_status status)
{
    return status;
}

static sl_status reduce(const sl_device_grid *grid, uint64_t *values, unsigned count, bool greatest)
{
    return SL_OK;
}

static sl_status interrupted(const sl_device_grid *grid)
{
    return sl_interrupted(grid->group->state, "closure");
}

static sl_status open_alone(alone *a, sl_call *call)
{
    const sl_distribution p = sl_distribution_make(call->a->nrows, 1, 1);
    cuda_switches on;
    uint64_t outbox, inbox;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    *a = (alone){.group = {.state = call->ctx, .size = 1, .one_host = true, .agree = agree}};
    a->grid = (sl_device_grid){
        .group = &a->group, .rows = 1, .cols = 1, .reduce = reduce, .interrupted = interrupted};
    a->x = (sl_device_relaxation){.grid = &a->grid,
                                  .rows = sl_local_row_blocks(&p, 0),
                                  .cols = sl_local_column_blocks(&p, 0),
                                  .vertices = call->a->nrows,
                                  .edges = cuda_matrix_of(call->a)->nnz,
                                  .delta = on.delta};
    a->links =
        (cuda_grid_links){.grid = &a->grid, .sent = &a->parcels[0], .received = &a->parcels[1]};
    a->r = (cuda_grid_relax){.s = {.call = call},
                             .x = &a->x,
                             .options = call->traversal->options,
                             .links = &a->links,
                             .buckets = a->x.edges > 0,
                             .number = 1};
    sl_cuda_grid_relax_size(&a->r, &outbox, &inbox);
    a->links.outbox_bytes = a->r.box.slot;
    a->r.box.slot = 0; /* rounds follow each other in the stream: one slot serves all */
    return SL_OK;
}

/* Whether the rows of the matrix may be mirrored and in order. If it keeps sorted rows, they say it. */
static bool may_suit(const sl_call *call)
{
    const cuda_matrix *A = cuda_matrix_of(call->a);
    const cuda_lengths *kept = cuda_lengths_of(A);
    if (A->pinned || !cuda_has_rows(A) || call->a->nrows == 0 ||
        call->traversal->A->symmetry == SL_NOT_SYMMETRIC)
        return false;
    return !kept || kept->type != call->operators.semiring->result || kept->order.old_id;
}

/* Makes the ordered rows if they are not kept. *suits: the closure can read them. */
static sl_status sort_rows(alone *a, bool *suits)
{
    cuda_grid_relax *r = &a->r;
    CUDA_TRY(sl_cuda_grid_paths_choose(r));
    *suits = r->sorted && r->mirrored;
    if (!*suits)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &a->links.outbox, a->links.outbox_bytes));
    return sl_cuda_grid_paths_sort(r);
}

/* ---- the closure ---------------------------------------------------------------------------------- */

/* Runs rounds on the device until the pull, or the end. */
static sl_status run_launch(cuda_grid_relax *r, grid_paths_alone *x, grid_rounds_state *state)
{
    sl_context *ctx = r->s.call->ctx;
    CUDA_TRY(sl_interrupted(ctx, "closure"));
    CUDA_TRY(sl_cuda_zero(ctx, x->state, sizeof *x->state));
    CUDA_TRY(sl_cuda_zero(ctx, x->g.block.state, sizeof *x->g.block.state));
    CUDA_TRY(cuda_launched(&r->s, "kernel run_rounds", sl_cuda_grid_paths_run_alone(x)));
    return sl_cuda_fetch(ctx, "kernel run_rounds", state, x->state, sizeof *state);
}

static sl_status run_rounds(cuda_grid_relax *r)
{
    grid_paths_alone x = {.g = r->p,
                          .middle = sl_cuda_grid_relax_near(r),
                          .limit = r->limit,
                          .width = r->width,
                          .short_edges = r->order.short_edges};
    grid_rounds_state state;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x.state, sizeof *x.state));
    CUDA_TRY(run_launch(r, &x, &state));
    if (!state.pulls)
        return SL_OK;
    r->p.limit = state.limit;
    sl_cuda_grid_paths_pull_round(r);
    CUDA_TRY(r->status);
    x.limit = r->limit;
    x.pulled = true;
    return run_launch(r, &x, &state);
}

static sl_status find_paths(alone *a)
{
    cuda_grid_relax *r = &a->r;
    double typical;
    CUDA_TRY(sl_cuda_grid_relax_prepare(r));
    CUDA_TRY(sl_cuda_grid_paths_prepare(r, &typical));
    sl_cuda_grid_paths_set_width(r, typical);
    CUDA_TRY(run_rounds(r));
    CUDA_TRY(sl_cuda_grid_paths_finish(r));
    return r->options->parent ? sl_cuda_grid_write_parents(r) : SL_OK;
}

sl_status sl_cuda_paths_alone(bool *done, sl_call *call)
{
    alone a;
    *done = false;
    if (!may_suit(call))
        return SL_OK;
    CUDA_TRY(open_alone(&a, call));
    sl_status status = sort_rows(&a, done);
    if (status == SL_OK && *done) {
        status = find_paths(&a);
        sl_cuda_drop_frontier_list(cuda_vector_of(call->traversal->pi));
        cuda_vector_of(call->traversal->pi)->nvals = CUDA_UNKNOWN;
    }
    sl_cuda_scratch_release(&a.r.s);
    return status;
}

sl_status sl_cuda_prepare_paths_alone(bool *done, sl_call *call)
{
    alone a;
    *done = false;
    if (!may_suit(call))
        return SL_OK;
    CUDA_TRY(open_alone(&a, call));
    const sl_status status = sort_rows(&a, done);
    sl_cuda_scratch_release(&a.r.s);
    if (status != SL_OK)
        sl_cuda_drop_block_lengths(call);
    return status;
}
