/* Preparation of matrices for searches by the ranks' GPUs, and searches: the engine of the GPUs does the work
 * (sl_device_searches); this file provides the blocks of the grid. */
#include "dist/search/device_search.h"

#include <limits.h>

#include "dist/grid/blocks.h"
#include "dist/grid/devices.h"
#include "dist/grid/rank_devices.h"

_Static_assert((int)SL_GROUP_BITMAP == (int)SL_CODEC_BITMAP &&
                   (int)SL_GROUP_LIST == (int)SL_CODEC_LIST,
               "the bytes that GPUs received are counted by the numbers of sl_codec_code");

bool sl_grid_group_supports(const sl_grid *grid, uint64_t vertices)
{
    return grid->search.devices && !sl_grid_exceeds_group(grid) && vertices < UINT32_MAX &&
           (grid->cols == 1 || grid->device_engine->devices.matrices);
}

bool sl_grid_fits_device_grid(const sl_grid *grid, uint64_t vertices)
{
    const sl_distribution p = sl_grid_distribution(grid, vertices);
    const uint64_t length = sl_distribution_length(&p, 0);
    const uint64_t longest = (uint64_t)(grid->rows > grid->cols ? grid->rows : grid->cols);
    return grid->search.devices && length <= INT_MAX && length * longest < UINT32_MAX;
}

const sl_device_search *sl_device_search_of(const sl_device_searches *searches, sl_search_kind kind)
{
    return kind == SL_BY_GRID ? &searches->two_dimensions : &searches->one_dimension;
}

/* ---- blocks ----------------------------------------------------------------------------------- */

/* The first vertex of each block of R consecutive ones from `first` on, and the end. */
static void begin_rows(uint64_t *begin, const sl_distribution *p, uint64_t first, uint64_t R)
{
    for (uint64_t k = 0; k <= R; k++)
        begin[k] = sl_distribution_begin(p, first + k) - sl_distribution_begin(p, first);
}

/* Fills the arrays of `blocks`, which are one allocation: row_begin is its beginning. Collective; the ranks agree. */
static sl_status describe_blocks(sl_device_grid_blocks *blocks, uint64_t **memory, sl_grid *grid,
                                 uint64_t vertices, sl_search_kind kind)
{
    const sl_distribution p = sl_grid_distribution(grid, vertices);
    const bool two = kind == SL_BY_GRID;
    const uint64_t size = (uint64_t)grid->size, R = two ? p.rows : size, C = two ? p.cols : 1;
    const uint64_t own = (uint64_t)grid->devices.group.rank;
    uint64_t *const rows = sl_malloc((R + 1 + C + 1 + C) * sizeof *rows);
    *memory = rows;
    SL_TRY(sl_grid_agree(grid, rows ? SL_OK
                                    : sl_fail(grid->ctx, SL_NO_MEMORY, "closure: out of memory")));
    uint64_t *const cols = rows + R + 1;
    begin_rows(rows, &p, two ? own / R * R : 0, R);
    cols[0] = 0;
    for (uint64_t k = 0; k < C; k++) {
        cols[k + 1] = cols[k] + sl_distribution_length(&p, two ? k * R + own % R : own);
        cols[C + 1 + k] = sl_distribution_begin(&p, k * R);
    }
    *blocks = (sl_device_grid_blocks){.length = sl_distribution_length(&p, 0),
                                      .row_begin = rows,
                                      .col_begin = cols,
                                      .first_vertex = cols + C + 1};
    return SL_OK;
}

/* ---- the edges into a rank's vertices --------------------------------------------------------- */

/* *made: a new pattern in the local context with the columns of A that belong to this rank's vertices: one row for each
 * vertex of the graph, one column for each own vertex. The devices of the grid row exchange the entries, in pieces.
 * Collective; the ranks agree. */
static sl_status collect(sl_matrix **made, sl_grid *grid, const sl_object *A)
{
    const sl_local_blocks own = sl_grid_own(grid, A->ncols);
    sl_device_grid_blocks blocks;
    uint64_t *memory;
    sl_status status = describe_blocks(&blocks, &memory, grid, A->ncols, SL_BY_GRID);
    if (status == SL_OK) {
        status = sl_matrix_new(made, grid->local, SL_BOOL, A->nrows, sl_local_blocks_length(&own));
        if (status < 0)
            sl_grid_local_failed(grid, status);
        status = sl_grid_agree(grid, status);
    }
    if (status == SL_OK) {
        const sl_device_columns columns = {.line = SL_ALONG_ROW,
                                           .mine = sl_grid_block(A),
                                           .column = blocks.col_begin,
                                           .row = blocks.first_vertex};
        status = grid->device_engine->devices.matrices->collect(
            sl_object_of_matrix(*made), &grid->devices.grid, &columns, SL_OK);
        sl_grid_note_devices(grid, SL_PHASE_TUPLES);
        if (status < 0)
            sl_grid_local_failed(grid, status);
    }
    sl_free(memory);
    return status;
}

/* The block itself, if the grid has one column or the engines can generate the edges; else *made, which is collected
 * from the grid row. */
static sl_status own_edges(sl_object **edges, sl_matrix **made, sl_grid *grid, const sl_object *A)
{
    sl_object *piece = sl_grid_block(A);
    bool here = grid->cols == 1 || grid->search.devices->can_regenerate(piece);
    *edges = piece;
    SL_TRY(sl_grid_check(grid, "MPI_Allreduce",
                         MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_C_BOOL, MPI_LAND, grid->all)));
    if (here)
        return SL_OK;
    SL_TRY(collect(made, grid, A));
    *edges = sl_object_of_matrix(*made);
    return SL_OK;
}

sl_status sl_device_search_prepare(void **part, sl_grid *grid, const sl_matrix *A,
                                   sl_search_kind kind)
{
    const bool two = kind == SL_BY_GRID;
    sl_matrix *made = NULL;
    uint64_t *memory;
    sl_device_grid_blocks blocks;
    sl_object *const block = sl_grid_block(&A->object);
    sl_device_part_request request = {.edges = block,
                                      .block = block,
                                      .grid = two ? &grid->devices.grid : grid->devices.row,
                                      .blocks = &blocks};
    sl_status status = describe_blocks(&blocks, &memory, grid, A->object.nrows, kind);
    if (status == SL_OK && !two)
        status = own_edges(&request.edges, &made, grid, &A->object);
    if (status == SL_OK) {
        blocks.symmetric = A->symmetry == SL_SYMMETRIC;
        request.temporary = made != NULL;
        status = sl_device_search_of(grid->search.devices, kind)->make_part(part, &request);
    }
    sl_matrix_free(made);
    sl_free(memory);
    return status;
}

/* ---- searches -------------------------------------------------------------------------------- */

static void note_traffic(sl_grid *grid, const sl_device_search_report *report)
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
    t->bytes[SL_PHASE_PARENTS][SL_ENCODING_VALUES] += report->parent_bytes;
    t->host_bytes[SL_PHASE_PARENTS] += hosts ? report->parent_bytes : 0;
    t->bytes[SL_PHASE_COUNTS][SL_ENCODING_PLAIN] += report->counts_bytes;
    t->messages[SL_PHASE_COUNTS] += report->counts_messages;
    t->seconds[SL_PHASE_COUNTS] += report->counts_seconds;
}

sl_status sl_device_search_run(void *part, sl_grid *grid, sl_call *call, sl_search_kind kind)
{
    sl_device_search_report report = {0};
    sl_grid_local_closure local;
    sl_grid_localize_closure(&local, grid, call);
    const sl_status status =
        sl_device_search_of(grid->search.devices, kind)->search(part, &local.call, &report);
    if (status == SL_OK)
        note_traffic(grid, &report);
    sl_grid_closure_written(&local, grid);
    return status;
}

sl_status sl_device_check_tree(sl_grid *grid, sl_call *local, uint64_t vertices)
{
    sl_device_grid_blocks blocks;
    uint64_t *memory;
    sl_status status = describe_blocks(&blocks, &memory, grid, vertices, SL_BY_GROUP);
    if (status == SL_OK)
        status = grid->search.devices->check_tree(grid->devices.row, local, blocks.row_begin);
    sl_free(memory);
    return status;
}
