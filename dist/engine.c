/*
 * The engine of a grid of MPI ranks: its table of operations. Before each operation the ranks
 * compare its arguments; before and after it they agree on the status (agreement.c). sl_gather is
 * implemented here, too.
 */
#include "dist/grid_operations.h"

#include <semla/dist.h>
#include <string.h>

#include "dist/closures/advance.h"
#include "dist/closures/closures.h"
#include "dist/grid/blocks.h"
#include "dist/grid/devices.h"
#include "dist/grid/dist_switches.h"
#include "dist/grid/user_operators.h"
#include "dist/operations/generate_blocks.h"
#include "dist/search/prepared.h"

static sl_status start(sl_context *ctx)
{
    return SL_OK;
}

static void stop(sl_context *ctx)
{
    sl_grid *grid = sl_grid_of(ctx);
    if (grid->search.devices) {
        grid->search.devices->release_grid(&grid->devices.grid);
        if (grid->rows > 1)
            grid->search.devices->release_grid(grid->devices.row);
    }
    sl_context_free(grid->local);
    sl_grid_close(grid);
    sl_free(grid);
    ctx->grid = NULL;
}

static const char *version(void)
{
    sl_mpi_info info;
    sl_mpi_describe(&info);
    return info.library;
}

/* ---- agreement and exchange --------------------------------------------------------- */

/* Calls that each rank executes on its blocks: see runs_first. */
static bool exchanges_nothing(const sl_call *call)
{
    switch (call->op) {
    case SL_OP_NVALS:
    case SL_OP_LOCAL_NVALS:
    case SL_OP_SET:
    case SL_OP_REMOVE:
        return true;
    case SL_OP_ASSIGN:
    case SL_OP_ASSIGN_SCALAR:
        return sl_grid_assigns_in_place(call);
    case SL_OP_EWISE_ADD:
    case SL_OP_EWISE_MULT:
    case SL_OP_EWISE_UNION:
    case SL_OP_APPLY:
    case SL_OP_APPLY_FIRST:
    case SL_OP_APPLY_SECOND:
    case SL_OP_APPLY_INDEX:
    case SL_OP_SELECT:
        return sl_grid_maps_in_place(call);
    default:
        return false;
    }
}

/* The figures of a call on this rank. */
static sl_status find_figures(sl_call *call)
{
    if (call->op == SL_OP_VXM || call->op == SL_OP_MXV)
        return sl_grid_product_figures(call);
    call->outcome.figures = (sl_figures){.sum = call->op == SL_OP_NVALS ? call->count : 0};
    return SL_OK;
}

static sl_status agree_on_call(sl_grid *grid, sl_status status, sl_call *call)
{
    const sl_object *const operands[] = {call->out, call->second_out, call->mask, call->a, call->b};
    const sl_status read = sl_grid_read_device_switches(grid, call);
    bool devices = !sl_call_has_user_type(call) &&
                   sl_grid_finds_on_device(grid, operands, sizeof operands / sizeof *operands);
    if (status == SL_OK)
        status = read == SL_OK ? find_figures(call) : read;
    status = sl_grid_agree_call(grid, status, call, &devices);
    if (status < 0)
        return status;
    grid->by_devices = devices;
    if (call->op == SL_OP_NVALS)
        call->count = call->outcome.figures.sum;
    return status;
}

static sl_status agree(sl_context *ctx, sl_status status, sl_call *call)
{
    return call ? agree_on_call(sl_grid_of(ctx), status, call)
                : sl_grid_agree(sl_grid_of(ctx), status);
}

static sl_status agree_arguments(sl_context *ctx, sl_status status, const char *text)
{
    return sl_grid_agree_text(sl_grid_of(ctx), status, text);
}

static const char *declines(const sl_call *call)
{
    if (call->op == SL_OP_GENERATE || call->op == SL_OP_EDGE_DEGREES ||
        call->op == SL_OP_CHECK_TREE)
        return sl_grid_tuples_declined(call);
    if (call->op == SL_OP_ADVANCE)
        return sl_grid_advance_declined(call, call->traversal->direction);
    if (call->op == SL_OP_CLOSURES && !sl_semiring_is_search(call->operators.semiring))
        return "only searches: secondi, or pair over bool";
    if (call->op == SL_OP_CLOSURE && !sl_semiring_is_search(call->operators.semiring))
        return call->traversal->options->parent
                   ? "predecessors are found afterwards"
                   : sl_grid_advance_declined(call, call->traversal->direction);
    bool one_process = call->op == SL_OP_SORT || call->op == SL_OP_GATHER_MATRIX;
    if (one_process && sl_grid_of(call->ctx)->size > 1)
        return "a grid of one process only";
    bool arrays = call->op == SL_OP_TAKE || call->op == SL_OP_GIVE || call->op == SL_OP_COPY_OUT;
    if (arrays && sl_grid_of(call->ctx)->size > 1)
        return "arrays of one process; on several ranks use tuples or sl_grid_gather_matrix";
    return NULL;
}

/* Broadcasts in pieces of 1 GiB, since MPI's counts have 31 bits. */
static sl_status spread(sl_grid *grid, char *all, const uint64_t *starts)
{
    const uint64_t most = 1 << 30;
    for (int k = 0; k < grid->size; k++)
        for (uint64_t at = starts[k]; at < starts[k + 1]; at += most) {
            const uint64_t left = starts[k + 1] - at;
            SL_TRY(sl_grid_check(
                grid, "MPI_Bcast",
                MPI_Bcast(all + at, (int)(left < most ? left : most), MPI_BYTE, k, grid->all)));
        }
    return SL_OK;
}

static sl_status gather(sl_context *ctx, void **all, uint64_t *starts, const void *mine,
                        uint64_t bytes)
{
    sl_grid *grid = sl_grid_of(ctx);
    const size_t ranks = (size_t)grid->size;
    uint64_t *own = sl_calloc(ranks + 1, sizeof *own);
    sl_status status = own ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "gather: out of memory");
    status = sl_grid_agree(grid, status);
    if (status == SL_OK) {
        MPI_Allgather(&bytes, 1, MPI_UINT64_T, own + 1, 1, MPI_UINT64_T, grid->all);
        for (size_t k = 0; k < ranks; k++)
            own[k + 1] += own[k];
        *all = sl_malloc(own[ranks] + 1);
        status = sl_grid_agree(grid, *all ? SL_OK
                                          : sl_fail(ctx, SL_NO_MEMORY,
                                                    "gather: out of memory for %zu bytes",
                                                    (size_t)own[ranks]));
    }
    if (status == SL_OK) {
        if (bytes > 0)
            memcpy((char *)*all + own[grid->rank], mine, bytes);
        status = spread(grid, *all, own);
    }
    if (status == SL_OK && starts)
        memcpy(starts, own, (ranks + 1) * sizeof *own);
    if (status != SL_OK) {
        sl_free(*all);
        *all = NULL;
    }
    sl_free(own);
    return status;
}

static sl_grid_position place(const sl_context *ctx)
{
    const sl_grid *grid = sl_grid_of(ctx);
    return (sl_grid_position){.process = (uint32_t)grid->rank,
                              .rows = (uint32_t)grid->rows,
                              .cols = (uint32_t)grid->cols,
                              .on_host = (uint32_t)grid->on_host};
}

static sl_context *inner(const sl_context *ctx)
{
    return sl_grid_of(ctx)->local;
}

/* ---- the table -------------------------------------------------------------------------- */

const sl_engine sl_engine_grid = {
    .name = "grid",
    .description = "a grid of MPI ranks, each of which has an engine of its own",
    .choice = SL_ENGINE_COUNT,
    .version = version,
    .start = start,
    .stop = stop,
    .agree = agree,
    .runs_first = exchanges_nothing,
    .agree_arguments = agree_arguments,
    .gather = gather,
    .position = place,
    .inner = inner,
    .declines = declines,
    .store = &sl_store_grid,
    .define = sl_grid_define,
    .forget = sl_grid_forget,
    .forget_prepared = sl_grid_forget_prepared,
    .describe_prepared = sl_grid_describe_prepared,
    .run =
        {
            [SL_OP_GENERATE] = sl_grid_generate,
            [SL_OP_EDGE_DEGREES] = sl_grid_edge_degrees,
            [SL_OP_CHECK_TREE] = sl_grid_check_tree,
            [SL_OP_VXM] = sl_grid_product,
            [SL_OP_MXV] = sl_grid_product,
            [SL_OP_MXM] = sl_grid_mxm,
            [SL_OP_KRONECKER] = sl_grid_kronecker,
            [SL_OP_EWISE_ADD] = sl_grid_map,
            [SL_OP_EWISE_MULT] = sl_grid_map,
            [SL_OP_EWISE_UNION] = sl_grid_map,
            [SL_OP_APPLY] = sl_grid_map,
            [SL_OP_APPLY_FIRST] = sl_grid_map,
            [SL_OP_APPLY_SECOND] = sl_grid_map,
            [SL_OP_APPLY_INDEX] = sl_grid_map,
            [SL_OP_SELECT] = sl_grid_map,
            [SL_OP_TRANSPOSE] = sl_grid_transpose,
            [SL_OP_REDUCE] = sl_grid_reduce,
            [SL_OP_REDUCE_ROWS] = sl_grid_reduce_rows,
            [SL_OP_REDUCE_PAIR] = sl_grid_reduce,
            [SL_OP_ASSIGN] = sl_grid_assign,
            [SL_OP_ASSIGN_SCALAR] = sl_grid_assign_scalar,
            [SL_OP_ASSIGN_ROW] = sl_grid_assign_line,
            [SL_OP_ASSIGN_COLUMN] = sl_grid_assign_line,
            [SL_OP_EXTRACT] = sl_grid_extract,
            [SL_OP_EXTRACT_COLUMN] = sl_grid_extract,
            [SL_OP_GATHER] = sl_grid_gather,
            [SL_OP_SCATTER] = sl_grid_scatter,
            [SL_OP_GATHER_MATRIX] = sl_grid_on_one_process,
            [SL_OP_SORT] = sl_grid_on_one_process,
            [SL_OP_DIAG] = sl_grid_diag,
            [SL_OP_BUILD] = sl_grid_build,
            [SL_OP_TUPLES] = sl_grid_tuples,
            [SL_OP_SLICE] = sl_grid_slice,
            [SL_OP_SET] = sl_grid_set_or_remove,
            [SL_OP_GET] = sl_grid_get,
            [SL_OP_REMOVE] = sl_grid_set_or_remove,
            [SL_OP_RESIZE] = sl_grid_resize,
            [SL_OP_NVALS] = sl_grid_nvals,
            [SL_OP_LOCAL_NVALS] = sl_grid_nvals,
            [SL_OP_IS_PATTERN] = sl_grid_is_pattern,
            [SL_OP_SUM_MIRRORS] = sl_grid_sum_mirrors,
            [SL_OP_TAKE] = sl_grid_arrays,
            [SL_OP_GIVE] = sl_grid_arrays,
            [SL_OP_COPY_OUT] = sl_grid_arrays,
            [SL_OP_ROW_ENTRIES] = sl_grid_row_entries,
            [SL_OP_OPTIMIZE] = sl_grid_optimize,
            [SL_OP_PREPARE_PATHS] = sl_grid_prepare_paths,
            [SL_OP_CLOSURES] = sl_grid_closures,
            [SL_OP_PREDECESSORS] = sl_grid_predecessors,
            [SL_OP_ADVANCE] = sl_grid_advance,
            [SL_OP_CLOSURE] = sl_grid_closure,
        },
};
