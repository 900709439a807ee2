/* Collects the columns of each rank from its grid row, between the ranks' devices. */
#include "dist/search/in_edges.h"

#include "dist/grid/blocks.h"
#include "dist/grid/devices.h"

/* column: [cols + 1], row: [cols] */
static void find_places(uint64_t *column, uint64_t *row, const sl_grid *grid, const sl_object *A)
{
    const sl_distribution rows = sl_grid_distribution(grid, A->nrows);
    const sl_local_blocks cols = sl_grid_columns(grid, A->ncols);
    for (uint32_t k = 0; k <= rows.cols; k++)
        column[k] = sl_local_blocks_begin(&cols, k);
    for (uint32_t k = 0; k < rows.cols; k++)
        row[k] = sl_distribution_begin(&rows, (uint64_t)k * rows.rows);
}

/* Fills *made, a new matrix. */
static sl_status collect(sl_matrix **made, sl_grid *grid, const sl_object *A)
{
    const sl_local_blocks own = sl_grid_own(grid, A->ncols);
    const uint64_t members = (uint64_t)grid->cols;
    uint64_t *column = sl_malloc((2 * members + 1) * sizeof *column);
    sl_status status =
        sl_matrix_new(made, grid->local, SL_BOOL, A->nrows, sl_local_blocks_length(&own));
    if (status == SL_OK && !column)
        status = sl_fail(grid->local, SL_NO_MEMORY, "closure: out of memory");
    if (status < 0)
        sl_grid_local_failed(grid, status);
    status = sl_grid_agree(grid, status);
    if (status == SL_OK) {
        find_places(column, column + members + 1, grid, A);
        const sl_device_columns columns = {.line = SL_ALONG_ROW,
                                           .mine = sl_grid_block(A),
                                           .column = column,
                                           .row = column + members + 1};
        status = grid->device_engine->device_matrices->collect(
            sl_object_of_matrix(*made), &grid->devices.grid, &columns, SL_OK);
        sl_grid_note_devices(grid, SL_PHASE_TUPLES);
        if (status < 0)
            sl_grid_local_failed(grid, status);
    }
    sl_free(column);
    return status;
}

sl_status sl_grid_in_edges(sl_matrix **made, sl_grid *grid, const sl_object *A)
{
    *made = NULL;
    const sl_status status = collect(made, grid, A);
    if (status != SL_OK) {
        sl_matrix_free(*made);
        *made = NULL;
    }
    return status;
}
