/* Preparation of matrices for searches in two dimensions, and searches. */
#include "dist/search/search_2d.h"

#include <limits.h>

#include "dist/grid/blocks.h"
#include "dist/grid/devices.h"
#include "dist/grid/rank_devices.h"

bool sl_grid_fits_device_grid(const sl_grid *grid, uint64_t vertices)
{
    const sl_distribution p = sl_grid_distribution(grid, vertices);
    const uint64_t length = sl_distribution_length(&p, 0);
    const uint64_t longest = (uint64_t)(grid->rows > grid->cols ? grid->rows : grid->cols);
    return grid->search.by_grid && length <= INT_MAX && length * longest < UINT32_MAX;
}

/* Fills the arrays of `blocks`, which are one allocation: row_begin is its beginning. */
static sl_status describe_blocks(sl_device_grid_blocks *blocks, uint64_t **memory, sl_grid *grid,
                                 const sl_matrix *A)
{
    const uint64_t vertices = A->object.nrows;
    const sl_distribution p = sl_grid_distribution(grid, vertices);
    const sl_local_blocks rows = sl_grid_rows(grid, vertices),
                          cols = sl_grid_columns(grid, vertices);
    const uint64_t R = p.rows, C = p.cols;
    uint64_t *all = sl_malloc((R + 1 + C + 1 + C) * sizeof *all);
    *memory = all;
    if (!all)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "closure: out of memory");
    for (uint32_t k = 0; k <= R; k++)
        all[k] = sl_local_blocks_begin(&rows, k);
    for (uint32_t k = 0; k <= C; k++)
        all[R + 1 + k] = sl_local_blocks_begin(&cols, k);
    for (uint32_t c = 0; c < C; c++)
        all[R + 1 + C + 1 + c] = sl_distribution_begin(&p, c * R);
    *blocks = (sl_device_grid_blocks){.length = sl_distribution_length(&p, 0),
                                      .row_begin = all,
                                      .col_begin = all + R + 1,
                                      .first_vertex = all + R + 1 + C + 1,
                                      .symmetric = A->symmetry == SL_SYMMETRIC};
    return SL_OK;
}

sl_status sl_grid_prepare_part(void **part, sl_grid *grid, const sl_matrix *A)
{
    sl_device_grid_blocks blocks;
    uint64_t *memory = NULL;
    sl_status status = sl_grid_agree(grid, describe_blocks(&blocks, &memory, grid, A));
    if (status == SL_OK)
        status = grid->search.by_grid->make_part(part, sl_grid_block(&A->object),
                                                 &grid->devices.grid, &blocks);
    sl_free(memory);
    return status;
}

/* ---- searches ------------------------------------------------------------------------------------- */

static void note_traffic(sl_grid *grid, const sl_device_grid_report *report)
{
    static const sl_phase phase_of[SL_GRID_PHASES] = {[SL_GRID_EXPAND] = SL_PHASE_EXPAND,
                                                      [SL_GRID_SHARE] = SL_PHASE_SHARE,
                                                      [SL_GRID_FOLD] = SL_PHASE_FOLD,
                                                      [SL_GRID_PARENTS] = SL_PHASE_PARENTS};
    sl_traffic *t = &grid->traffic;
    const bool hosts = sl_grid_carries_by_hosts(report->transport);
    grid->search.transport = report->transport;
    for (int k = 0; k < SL_GRID_PHASES; k++) {
        for (int c = 0; c < SL_GROUP_CODECS; c++) {
            t->bytes[phase_of[k]][c] += report->bytes[k][c];
            t->host_bytes[phase_of[k]] += hosts ? report->bytes[k][c] : 0;
        }
        t->messages[phase_of[k]] += report->messages[k];
        t->seconds[phase_of[k]] += report->seconds[k];
    }
    t->overlapped_bytes[SL_PHASE_FOLD] += report->overlapped_bytes;
    t->bytes[SL_PHASE_PARENTS][SL_ENCODING_VALUES] += report->parent_bytes;
    t->host_bytes[SL_PHASE_PARENTS] += hosts ? report->parent_bytes : 0;
    t->bytes[SL_PHASE_COUNTS][SL_ENCODING_PLAIN] += report->counts_bytes;
    t->messages[SL_PHASE_COUNTS] += report->counts_messages;
    t->seconds[SL_PHASE_COUNTS] += report->counts_seconds;
}

sl_status sl_grid_search_part(void *part, sl_grid *grid, sl_call *call)
{
    sl_device_grid_report report = {0};
    sl_grid_local_closure local;
    sl_grid_localize_closure(&local, grid, call);
    const sl_status status = grid->search.by_grid->search(part, &local.call, &report);
    if (status == SL_OK)
        note_traffic(grid, &report);
    sl_grid_closure_written(&local, grid);
    return status;
}
