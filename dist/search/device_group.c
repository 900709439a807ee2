/*
 * The device group of a grid: creation, preparation of matrices and searches. The engine of the
 * GPUs does the work (sl_device_group_search); this file provides MPI and the blocks of the grid.
 */
#include "device_group.h"

#include "blocks.h"
#include "devices.h"
#include "in_edges.h"
#include "user_operators.h"

/* ---- functions for the engine of the group -------------------------------------------------- */

static sl_status gather(const sl_device_group *group, const void *own, void *all, uint64_t bytes)
{
    sl_grid *grid = group->state;
    return sl_grid_check(
        grid, "MPI_Allgather",
        MPI_Allgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, grid->blocks));
}

static sl_status agree(const sl_device_group *group, sl_status status)
{
    sl_grid *grid = group->state;
    if (status < 0)
        sl_grid_local_failed(grid, status);
    status = sl_grid_agree(grid, status);
    if (status < 0) /* the engine may report the failure again, on any rank */
        sl_fail(grid->local, status, "%s", sl_context_message(grid->ctx));
    return status;
}

_Static_assert((int)SL_GROUP_BITMAP == (int)SL_CODEC_BITMAP &&
                   (int)SL_GROUP_LIST == (int)SL_CODEC_LIST,
               "the bytes that GPUs received are counted by the numbers of sl_codec_code");

/* ---- the group ------------------------------------------------------------------------------- */

const sl_engine *sl_grid_searching_engine(const sl_grid *grid)
{
    for (size_t k = 0; k < SL_MAX_ENGINES && grid->local->chain[k]; k++)
        if (grid->local->chain[k]->group_search)
            return grid->local->chain[k];
    return NULL;
}

bool sl_grid_has_devices(sl_grid *grid)
{
    bool has = sl_grid_searching_engine(grid) != NULL;
    if (MPI_Allreduce(MPI_IN_PLACE, &has, 1, MPI_C_BOOL, MPI_LAND, grid->all) != MPI_SUCCESS)
        return false;
    return has;
}

bool sl_grid_exceeds_group(const sl_grid *grid)
{
    const sl_engine *engine = sl_grid_searching_engine(grid);
    return engine && grid->size > engine->group_search->max_ranks;
}

bool sl_grid_exceeds_checks(const sl_grid *grid)
{
    const sl_engine *engine = sl_grid_searching_engine(grid);
    return engine && grid->size > engine->group_search->max_checking_ranks;
}

void sl_grid_make_device_group(sl_grid *grid)
{
    if (!sl_grid_has_devices(grid))
        return;
    grid->search.by_group = sl_grid_searching_engine(grid)->group_search;
    grid->devices.group = (sl_device_group){.state = grid,
                                            .rank = grid->j * grid->rows + grid->i,
                                            .size = grid->size,
                                            .one_host = grid->devices.group.one_host,
                                            .gather = gather,
                                            .agree = agree};
}

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

void sl_grid_localize_closure(sl_grid_local_closure *local, sl_grid *grid, const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    local->options = *t->options;
    local->options.level = t->options->level
                               ? (sl_vector *)sl_grid_block(sl_object_of_vector(t->options->level))
                               : NULL;
    local->traversal = (sl_traversal){.pi = sl_grid_block(t->pi),
                                      .q = sl_grid_block(t->q),
                                      .from_source = t->from_source,
                                      .direction = t->direction,
                                      .options = &local->options};
    local->call = (sl_call){.op = SL_OP_CLOSURE,
                            .ctx = grid->local,
                            .semiring = sl_local_semiring(call->semiring),
                            .traversal = &local->traversal};
}

void sl_grid_closure_written(const sl_grid_local_closure *local, const sl_grid *grid)
{
    const sl_store *store = sl_grid_searching_engine(grid)->store;
    sl_object *const outputs[] = {local->traversal.pi, (sl_object *)local->options.level};
    for (size_t k = 0; k < 2; k++)
        if (outputs[k] && sl_handle(outputs[k], store))
            sl_object_modified(outputs[k], store);
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
