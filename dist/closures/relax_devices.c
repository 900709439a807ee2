/* Closures that relax on the ranks' devices: the choice, the local call, traffic; the preparation for
 * shortest paths. */
#include "dist/closures/relax_devices.h"

#include <stdio.h>

#include "dist/closures/whole_rows.h"
#include "dist/grid/blocks.h"
#include "dist/grid/devices.h"
#include "dist/grid/dist_switches.h"
#include "dist/grid/rank_devices.h"
#include "dist/grid/user_operators.h"
#include "dist/grid_operations.h"

/* The closure as a call on the blocks. */
static void localize(sl_grid_local_closure *local, sl_grid *grid, const sl_call *call)
{
    const sl_closure_options *o = call->traversal->options;
    sl_grid_localize_closure(local, grid, call);
    local->options.targets =
        o->targets ? (const sl_vector *)sl_grid_block(sl_object_of_vector(o->targets)) : NULL;
    local->traversal.A = (sl_matrix *)sl_grid_block(call->a);
    local->traversal.shortest_paths = call->traversal->shortest_paths;
    local->call.a = sl_grid_block(call->a);
}

/* The closure as a call on the blocks, and why the devices do not run it, on some rank, or NULL. Collective. */
static sl_status ask(const char **why, sl_grid_local_closure *local, sl_grid *grid,
                     const sl_call *call)
{
    localize(local, grid, call);
    *why = grid->device_engine->devices.relaxations->declines(&local->call);
    uint64_t declined = *why != NULL;
    SL_TRY(sl_grid_agree_most(grid, SL_OK, &declined));
    if (declined && !*why)
        *why = "another rank's device declines";
    return SL_OK;
}

/* What the width of buckets depends on. Collective. */
static sl_status describe_lengths(sl_device_relaxation *x, const sl_call *call)
{
    const sl_matrix *A = (const sl_matrix *)call->a;
    sl_switches on;
    sl_call count = {.op = SL_OP_NVALS, .ctx = call->ctx, .a = (sl_object *)call->a};
    if (!call->traversal->shortest_paths)
        return SL_OK;
    sl_status status = sl_grid_nvals(&count);
    if (status == SL_OK)
        status = sl_switches_read(&on, call->ctx);
    SL_TRY(sl_grid_agree_sum(sl_grid_of(call->ctx), status, &count.count));
    x->edges = count.count;
    x->mean_length = x->edges ? A->range.sum / (double)x->edges : 0;
    x->delta = on.delta;
    return SL_OK;
}

static void note_traffic(sl_grid *grid, const sl_device_relaxation *x)
{
    static const sl_phase phase_of[SL_RELAX_PHASES] = {
        [SL_RELAX_EXPAND] = SL_PHASE_OPERAND, [SL_RELAX_FOLD] = SL_PHASE_RESULT};
    for (int k = 0; k < SL_RELAX_PHASES; k++) {
        if (!x->traffic[k].transport)
            continue;
        grid->device_traffic = x->traffic[k];
        sl_grid_note_devices(grid, phase_of[k]);
        grid->search.transport = x->traffic[k].transport;
    }
}

static bool has_relaxations(const sl_grid *grid)
{
    return grid->device_engine && grid->device_engine->devices.relaxations &&
           !(grid->switches & SL_DIST_NODEVICES);
}

/* Collective. */
static sl_status describe(sl_device_relaxation *x, sl_grid *grid, const sl_call *call)
{
    *x = (sl_device_relaxation){.grid = NULL};
    sl_relax_on_grid(x, &grid->devices.grid, call->a->nrows);
    return describe_lengths(x, call);
}

/* Has the closure run on whole rows, if that is faster. Collective. */
static sl_status choose_rows(sl_device_relaxation *x, sl_grid_local_closure *local, sl_grid *grid,
                             const sl_call *call)
{
    sl_matrix *rows;
    SL_TRY(sl_grid_whole_rows(&rows, grid, call, &local->call, x));
    if (!rows)
        return SL_OK;
    local->traversal.A = rows;
    local->call.a = sl_object_of_matrix(rows);
    sl_relax_on_grid(x, grid->devices.row, call->a->nrows);
    return SL_OK;
}

sl_status sl_grid_relax_on_devices(bool *served, sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_grid_local_closure local;
    sl_device_relaxation x;
    const char *why;
    *served = false;
    if (!has_relaxations(grid))
        return SL_OK;
    SL_TRY(ask(&why, &local, grid, call));
    *served = why == NULL;
    if (why)
        snprintf(grid->search.note, sizeof grid->search.note, "by products: %s", why);
    else
        snprintf(grid->search.note, sizeof grid->search.note, "by the ranks' devices");
    call->outcome.note = grid->search.note;
    call->outcome.fell_back = why != NULL;
    if (why)
        return SL_OK;
    SL_TRY(describe(&x, grid, call));
    SL_TRY(choose_rows(&x, &local, grid, call));
    if (local.traversal.A != (sl_matrix *)sl_grid_block(call->a))
        snprintf(grid->search.note, sizeof grid->search.note,
                 "by the ranks' devices, each with all edges of its vertices");
    const sl_status status = grid->device_engine->devices.relaxations->closure(&local.call, &x);
    note_traffic(grid, &x);
    sl_grid_closure_written(&local, grid);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}

sl_status sl_grid_prepare_paths(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_grid_local_closure local;
    sl_device_relaxation x;
    const char *why;
    if (!has_relaxations(grid))
        return SL_OK;
    SL_TRY(ask(&why, &local, grid, call));
    if (why)
        return SL_OK;
    SL_TRY(describe(&x, grid, call));
    SL_TRY(choose_rows(&x, &local, grid, call));
    const sl_status status =
        grid->device_engine->devices.relaxations->prepare_paths(&local.call, &x);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}

/* The operation on the blocks. */
static sl_call local_predecessors(const sl_grid *grid, const sl_call *call)
{
    return (sl_call){.op = SL_OP_PREDECESSORS,
                     .ctx = grid->local,
                     .mask = sl_grid_block(call->mask),
                     .a = sl_grid_block(call->a),
                     .b = sl_grid_block(call->b),
                     .rows = call->rows,
                     .operators.semiring = sl_local_semiring(call->operators.semiring),
                     .settings.equal_too = call->settings.equal_too};
}

sl_status sl_grid_predecessors_on_devices(sl_vector **found, const sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_device_relaxation x = {.grid = NULL};
    sl_matrix *rows = NULL;
    sl_vector *block;
    *found = NULL;
    if (!has_relaxations(grid))
        return SL_OK;
    if (grid->rows > 1)
        SL_TRY(sl_grid_kept_whole_rows(&rows, grid, call));
    if (grid->rows > 1 && !rows)
        return SL_OK;
    const sl_device_relaxations *devices = grid->device_engine->devices.relaxations;
    sl_call local = local_predecessors(grid, call);
    sl_relax_on_grid(&x, rows ? grid->devices.row : &grid->devices.grid, call->a->nrows);
    if (rows)
        local.a = sl_object_of_matrix(rows);
    uint64_t lacks = !devices->has_predecessors(&local);
    SL_TRY(sl_grid_agree_most(grid, SL_OK, &lacks));
    if (lacks)
        return SL_OK;
    SL_TRY(sl_grid_agree(grid, sl_vector_new(&block, grid->local, SL_INT64, local.mask->nrows)));
    local.out = sl_object_of_vector(block);
    const sl_status status = devices->predecessors(&local, &x);
    note_traffic(grid, &x);
    if (status != SL_OK) {
        sl_vector_free(block);
        return status < 0 ? sl_grid_local_failed(grid, status) : status;
    }
    sl_object_modified(local.out, grid->device_engine->store);
    *found = block;
    return SL_OK;
}
