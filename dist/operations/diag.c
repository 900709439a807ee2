/* diag: a matrix with a vector on a diagonal, and a diagonal as a vector. */
#include "dist/grid_operations.h"

#include "dist/operations/rank_tuples.h"

/* Converts the entries of a vector to entries of a matrix's diagonal. */
static sl_status onto_diagonal(sl_tuples *t, sl_grid *grid, const sl_call *call)
{
    const uint64_t down = call->settings.offset < 0 ? 0 - (uint64_t)call->settings.offset : 0;
    const uint64_t right = call->settings.offset > 0 ? (uint64_t)call->settings.offset : 0;
    const sl_tuple_memory *memory = t->memory;
    SL_TRY(sl_tuples_in(t, grid, memory, sl_grid_block(call->a), true));
    SL_TRY(sl_tuples_to_global(t, grid, call->a));
    SL_TRY(sl_tuples_array((void **)&t->cols, grid, memory, t->count * sizeof *t->cols));
    SL_TRY_LOCAL(grid, memory->add(grid->local, t->cols, t->rows, t->count, right));
    SL_TRY_LOCAL(grid, memory->add(grid->local, t->rows, t->rows, t->count, down));
    return SL_OK;
}

/* Converts the entries of a matrix's diagonal to entries of a vector. */
static sl_status of_diagonal(sl_tuples *t, sl_grid *grid, const sl_call *call)
{
    const sl_tuple_filter diagonal = {.nrows = UINT64_MAX,
                                      .ncols = UINT64_MAX,
                                      .diagonal = true,
                                      .offset = (uint64_t)call->settings.offset};
    const sl_tuple_memory *memory = t->memory;
    SL_TRY(sl_tuples_in(t, grid, memory, sl_grid_block(call->a), true));
    SL_TRY(sl_tuples_to_global(t, grid, call->a));
    SL_TRY(sl_tuples_filter(t, grid, &diagonal));
    if (call->settings.offset < 0)
        sl_tuples_transpose(t);
    memory->release(t->cols);
    t->cols = NULL;
    return SL_OK;
}

sl_status sl_grid_diag(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_tuples sent = {.type = call->a->type, .memory = sl_grid_tuple_memory(grid, call)};
    sl_tuples received;
    sl_status status =
        call->out->is_matrix ? onto_diagonal(&sent, grid, call) : of_diagonal(&sent, grid, call);
    status =
        sl_tuples_to_owners(&received, grid, &sent, call->out->nrows, call->out->ncols, status);
    sl_tuples_free(&sent);
    if (status == SL_OK)
        status = sl_tuples_build(grid, sl_grid_block(call->out), &received, NULL);
    sl_tuples_free(&received);
    return status;
}
