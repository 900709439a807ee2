/*
 * Models of graphs, made by each rank's engine where it makes the tuples by itself, on grids of one
 * column: all ranks make all tuples, and each keeps the edges into its vertices. Nothing
 * travels.
 */
#include "generate.h"

#include "pieces.h"

/* The own vertices: range[0] to range[1] - 1. */
static void own_range(const sl_grid *grid, uint64_t vertices, uint64_t range[2])
{
    const sl_partition p = sl_grid_partition(grid, vertices);
    range[0] = sl_partition_begin(&p, (uint64_t)grid->rank);
    range[1] = sl_partition_begin(&p, (uint64_t)grid->rank + 1);
}

const char *sl_grid_declines_tuples(const sl_call *call)
{
    const sl_grid *grid = sl_grid_of(call->ctx);
    const sl_partition p = sl_grid_partition(grid, call->tuples->vertices);
    sl_call local = {.op = call->op, .ctx = grid->local, .tuples = call->tuples};
    if (call->op == SL_OP_CHECK_TREE)
        return grid->size > 1                ? "of one rank alone: sl_verify_search is for several"
               : !sl_dispatch_offers(&local) ? "the local engine has no tuples"
                                             : NULL;
    if (!grid->searches || !call->tuples->mirrored || p.unit % 32 != 0 ||
        !sl_dispatch_offers(&local))
        return "made where all ranks have a GPU, of undirected graphs, on a grid of one column";
    return NULL;
}

sl_status sl_grid_generate(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    uint64_t range[2];
    own_range(grid, call->tuples->vertices, range);
    sl_call local = {.op = SL_OP_GENERATE,
                     .ctx = grid->local,
                     .out = sl_piece(call->out),
                     .tuples = call->tuples,
                     .cols = range};
    return sl_local_run(grid, &local);
}

sl_status sl_grid_tuple_ends(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    uint64_t range[2];
    own_range(grid, call->tuples->vertices, range);
    sl_call local = {.op = SL_OP_TUPLE_ENDS,
                     .ctx = grid->local,
                     .out = sl_piece(call->out),
                     .also = sl_piece(call->also),
                     .tuples = call->tuples,
                     .rows = range};
    return sl_local_run(grid, &local);
}

sl_status sl_grid_check_tree(sl_call *call)
{
    sl_call local = *call;
    local.ctx = sl_grid_of(call->ctx)->local;
    local.a = sl_piece(call->a);
    return sl_local_run(sl_grid_of(call->ctx), &local);
}
