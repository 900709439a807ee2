/*
 * The least predecessors of better values, or also of equal ones. The ranks' devices find them
 * together, if they keep whole rows of an undirected graph. Otherwise the values of the rows are
 * expanded along grid columns, those of the columns along grid rows; each rank finds the least
 * predecessor in its block, and the least of all blocks are folded along grid rows.
 */
#include "dist/closures/closures.h"

#include "dist/closures/relax_devices.h"
#include "dist/grid/user_operators.h"
#include "dist/operations/expand_fold.h"

/* *partial: the least predecessor in this rank's block, as a global index, for each of its columns. */
static sl_status find_in_block(sl_vector **partial, sl_grid *grid, const sl_call *call,
                               const sl_vector *from, const sl_vector *to)
{
    const sl_local_blocks rows = sl_grid_rows(grid, call->a->nrows);
    const uint64_t first = sl_distribution_begin(&rows.of, rows.first); /* blocks are adjacent */
    SL_TRY_LOCAL(grid, sl_vector_new(partial, grid->local, SL_INT64, sl_vector_size(to)));
    sl_call local = {.op = SL_OP_PREDECESSORS,
                     .ctx = grid->local,
                     .out = sl_object_of_vector(*partial),
                     .mask = sl_object_of_vector(to),
                     .a = sl_grid_block(call->a),
                     .b = sl_object_of_vector(from),
                     .operators.semiring = sl_local_semiring(call->operators.semiring),
                     .settings.equal_too = call->settings.equal_too};
    SL_TRY_LOCAL(grid, sl_better_predecessors(&local));
    if (first > 0)
        SL_TRY_LOCAL(grid, sl_vector_apply_second(*partial, NULL, NULL, SL_PLUS_INT64, *partial,
                                                  sl_scalar_int64((int64_t)first), NULL));
    return SL_OK;
}

static sl_status find_by_blocks(sl_vector **least, const sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    const sl_local_blocks rows = sl_grid_rows(grid, call->a->nrows),
                          columns = sl_grid_columns(grid, call->a->ncols);
    sl_expanded from, to;
    sl_vector *partial = NULL;
    sl_status status = sl_vector_expand(&from, grid, SL_ALONG_COLUMN, &rows, sl_grid_block(call->b),
                                        SL_SPREAD_VALUES, SL_OK);
    status = sl_vector_expand(&to, grid, SL_ALONG_ROW, &columns, sl_grid_block(call->mask),
                              SL_SPREAD_VALUES, status);
    if (status == SL_OK)
        status = find_in_block(&partial, grid, call, from.vector, to.vector);
    const sl_fold fold = {.line = SL_ALONG_ROW, .blocks = &columns, .sum = SL_MIN_MONOID_INT64};
    status = sl_vector_fold(least, grid, &fold, &partial, status);
    sl_vector_free(partial);
    sl_expanded_free(&from);
    sl_expanded_free(&to);
    return status;
}

sl_status sl_grid_predecessors(sl_call *call)
{
    sl_vector *least;
    SL_TRY(sl_grid_predecessors_on_devices(&least, call));
    if (!least)
        SL_TRY(find_by_blocks(&least, call));
    sl_grid_block_replace(call->out, sl_object_of_vector(least));
    return SL_OK;
}
