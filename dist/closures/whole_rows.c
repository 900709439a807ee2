/*
 * Shortest paths of undirected graphs by devices are fastest on a grid of one row, where each
 * process has all edges of its vertices (la/cuda/paths/README.md). On a grid of several rows the
 * processes of a grid column exchange rows once, and run the closures of the matrix as one row.
 * Vectors stay where they are: process m of that row owns block m of a vector on both grids.
 */
#include "dist/closures/whole_rows.h"

#include "dist/grid/blocks.h"
#include "dist/grid/devices.h"
#include "dist/search/prepared.h"

void sl_relax_on_grid(sl_device_relaxation *x, const sl_device_grid *grid, uint64_t vertices)
{
    const sl_distribution p = sl_distribution_make(vertices, grid->rows, grid->cols);
    x->grid = grid;
    x->vertices = vertices;
    x->rows = sl_local_row_blocks(&p, grid->j);
    x->cols = sl_local_column_blocks(&p, grid->i);
}

/* Fills a new matrix. Collective; the ranks agree. */
static sl_status collect(sl_matrix *made, sl_grid *grid, const sl_call *call, sl_status status)
{
    const sl_local_blocks rows = sl_grid_rows(grid, call->a->nrows);
    uint64_t *row = sl_malloc(((uint64_t)grid->rows + 1) * sizeof *row);
    if (status == SL_OK && !row)
        status = sl_fail(grid->local, SL_NO_MEMORY, "closure: out of memory");
    if (status < 0)
        sl_grid_local_failed(grid, status);
    status = sl_grid_agree(grid, status);
    for (uint32_t k = 0; status == SL_OK && k <= rows.count; k++)
        row[k] = sl_local_blocks_begin(&rows, k);
    if (status == SL_OK) {
        const sl_device_rows x = {.line = SL_ALONG_COLUMN,
                                  .mine = sl_grid_block(call->a),
                                  .row = row,
                                  .columns = sl_grid_columns(grid, call->a->ncols)};
        status = grid->device_engine->devices.matrices->collect_rows(
            sl_object_of_matrix(made), &grid->devices.grid, &x, SL_OK);
        sl_grid_note_devices(grid, SL_PHASE_TUPLES);
        if (status < 0)
            sl_grid_local_failed(grid, status);
    }
    sl_free(row);
    return status;
}

static sl_status make_rows(sl_matrix **made, sl_grid *grid, const sl_call *call)
{
    const sl_local_blocks own = sl_grid_own(grid, call->a->nrows);
    *made = NULL;
    sl_status status = sl_matrix_new(made, grid->local, call->a->type, sl_local_blocks_length(&own),
                                     call->a->ncols);
    status = collect(*made, grid, call, status);
    if (status != SL_OK) {
        sl_matrix_free(*made);
        *made = NULL;
    }
    return status;
}

sl_status sl_grid_whole_rows(sl_matrix **rows, sl_grid *grid, const sl_call *call, sl_call *local,
                             sl_device_relaxation *x)
{
    const sl_device_relaxations *devices = grid->device_engine->devices.relaxations;
    sl_whole_rows *kept;
    *rows = NULL;
    if (grid->rows == 1 || !devices->may_use_whole_rows(local, x))
        return SL_OK;
    SL_TRY(sl_prepared_whole_rows(&kept, (sl_matrix *)call->a, grid));
    if (!kept->matrix && !kept->refused) {
        bool wants;
        SL_TRY(devices->wants_whole_rows(&wants, local, x));
        if (wants)
            SL_TRY(make_rows(&kept->matrix, grid, call));
        kept->refused = !wants;
    }
    *rows = kept->matrix;
    return SL_OK;
}

sl_status sl_grid_kept_whole_rows(sl_matrix **rows, sl_grid *grid, const sl_call *call)
{
    sl_whole_rows *kept;
    SL_TRY(sl_prepared_whole_rows(&kept, (sl_matrix *)call->a, grid));
    *rows = kept->matrix;
    return SL_OK;
}
