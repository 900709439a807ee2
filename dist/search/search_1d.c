/* Preparation of matrices for searches in one dimension, and searches: the engine of the GPUs does the work
 * (sl_device_group_search); this file provides the blocks of the grid. */
#include "dist/search/search_1d.h"

#include "dist/grid/blocks.h"
#include "dist/grid/devices.h"
#include "dist/grid/rank_devices.h"
#include "dist/search/in_edges.h"

_Static_assert((int)SL_GROUP_BITMAP == (int)SL_CODEC_BITMAP &&
                   (int)SL_GROUP_LIST == (int)SL_CODEC_LIST,
               "the bytes that GPUs received are counted by the numbers of sl_codec_code");

bool sl_grid_group_supports(const sl_grid *grid, uint64_t vertices)
{
    return grid->search.by_group && !sl_grid_exceeds_group(grid) && vertices < UINT32_MAX &&
           (grid->cols == 1 || (grid->device_engine && grid->device_engine->device_matrices));
}

/* A matrix with the edges into this rank's vertices: the block itself, if the grid has one column
 * or the engines can generate the edges; else *made, which is collected from the grid row. */
static sl_status own_edges(sl_object **edges, sl_matrix **made, sl_grid *grid, const sl_object *A)
{
    sl_object *piece = sl_grid_block(A);
    bool here = grid->cols == 1 || grid->search.by_group->can_regenerate(piece);
    *edges = piece;
    SL_TRY(sl_grid_check(grid, "MPI_Allreduce",
                         MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_C_BOOL, MPI_LAND, grid->all)));
    if (here)
        return SL_OK;
    SL_TRY(sl_grid_in_edges(made, grid, A));
    *edges = sl_object_of_matrix(*made);
    return SL_OK;
}

/* The first vertex of each member of the group, and the number of vertices at the end. */
static sl_status find_begins(uint64_t **begin, sl_grid *grid, uint64_t vertices)
{
    sl_distribution p = sl_grid_distribution(grid, vertices);
    const uint64_t size = (uint64_t)grid->size;
    *begin = sl_malloc((size + 1) * sizeof **begin);
    for (uint64_t q = 0; *begin && q <= size; q++)
        (*begin)[q] = sl_distribution_begin(&p, q);
    sl_status status = *begin ? SL_OK : sl_fail(grid->ctx, SL_NO_MEMORY, "closure: out of memory");
    status = sl_grid_agree(grid, status);
    if (status != SL_OK)
        sl_free(*begin);
    return status;
}

sl_status sl_grid_group_prepare(void **part, sl_grid *grid, const sl_object *A)
{
    sl_object *edges;
    sl_matrix *made = NULL;
    uint64_t *begin;
    SL_TRY(find_begins(&begin, grid, A->nrows));
    sl_status status = own_edges(&edges, &made, grid, A);
    if (status == SL_OK)
        status =
            grid->search.by_group->make_part(part, edges, made != NULL, grid->devices.row, begin);
    sl_matrix_free(made);
    sl_free(begin);
    return status;
}

/* ---- searches -------------------------------------------------------------------------------- */

static void note_traffic(sl_grid *grid, const sl_device_group_report *report)
{
    sl_traffic *t = &grid->traffic;
    const bool hosts = sl_grid_carries_by_hosts(report->transport);
    grid->search.transport = report->transport;
    for (int c = 0; c < SL_GROUP_CODECS; c++) {
        t->bytes[SL_PHASE_EXPAND][c] += report->bytes[c];
        t->host_bytes[SL_PHASE_EXPAND] += hosts ? report->bytes[c] : 0;
    }
    t->bytes[SL_PHASE_COUNTS][SL_ENCODING_PLAIN] +=
        report->count_messages * report->step_count_bytes;
    t->messages[SL_PHASE_COUNTS] += report->count_messages;
    t->seconds[SL_PHASE_EXPAND] += report->seconds;
}

sl_status sl_grid_group_search(void *part, sl_grid *grid, sl_call *call)
{
    sl_grid_local_closure local;
    sl_grid_localize_closure(&local, grid, call);
    sl_device_group_report report = {0};
    sl_status status = grid->search.by_group->search(part, &local.call, &report);
    if (status == SL_OK)
        note_traffic(grid, &report);
    sl_grid_closure_written(&local, grid);
    return status;
}

sl_status sl_grid_group_check_tree(sl_grid *grid, sl_call *local, uint64_t vertices)
{
    uint64_t *begin;
    SL_TRY(find_begins(&begin, grid, vertices));
    sl_status status = grid->search.by_group->check_tree(grid->devices.row, local, begin);
    sl_free(begin);
    return status;
}
