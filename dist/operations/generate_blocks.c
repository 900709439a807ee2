/*
 * Generated graphs. Each rank's engine generates all tuples of the model and keeps the tuples of its block, with
 * their weights, so nothing is sent. Engines that cannot generate tuples are not used. Whether they can does not
 * depend on the free memory of a rank: a block that has no room is an error, on which the ranks agree.
 */
#include "dist/operations/generate_blocks.h"

#include "dist/grid/blocks.h"
#include "dist/grid/rank_devices.h"
#include "dist/search/device_search.h"

/* The vertices of a block are range[0] to range[1] - 1. */
static void range_of(const sl_distribution *p, uint32_t block, uint64_t range[2])
{
    range[0] = sl_distribution_begin(p, block);
    range[1] = sl_distribution_begin(p, (uint64_t)block + 1);
}

const char *sl_grid_tuples_declined(const sl_call *call)
{
    const sl_grid *grid = sl_grid_of(call->ctx);
    const sl_distribution p = sl_grid_distribution(grid, call->edges->vertices);
    const uint64_t block[2] = {0, call->edges->vertices};
    sl_call local = {.op = call->op, .ctx = grid->local, .edges = call->edges};
    if (call->op == SL_OP_GENERATE) { /* the engine is asked for a block of any size */
        local.rows.items = local.cols.items = block;
        local.cols.count = 1;
    }
    if (call->op == SL_OP_CHECK_TREE && grid->size == 1)
        return sl_dispatch_supports(&local) ? NULL : "the local engine generates no tuples";
    if (sl_grid_exceeds_checks(grid)) /* a tree of a generated graph is checked by a group */
        return "more ranks than a device group that checks trees has";
    if (!grid->search.devices || !call->edges->mirrored || p.unit % 32 != 0 ||
        !sl_dispatch_supports(&local))
        return "needs a GPU on every rank, an undirected graph and 1,024 vertices for each rank";
    return NULL;
}

sl_status sl_grid_generate(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    SL_TRY(sl_object_migrate(call->out, &sl_store_grid));
    const sl_distribution p = sl_grid_distribution(grid, call->edges->vertices);
    const sl_local_blocks cols = sl_grid_columns(grid, call->edges->vertices);
    uint64_t *range = sl_malloc(2 * cols.count * sizeof *range);
    if (!range)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "generate: out of memory");
    for (uint32_t k = 0; k < cols.count; k++)
        range_of(&p, cols.first + k * cols.stride, range + 2 * (uint64_t)k);
    const uint64_t first = (uint64_t)grid->j * (uint64_t)grid->rows;
    const uint64_t rows[2] = {sl_distribution_begin(&p, first),
                              sl_distribution_begin(&p, first + (uint64_t)grid->rows)};
    sl_call local = {.op = SL_OP_GENERATE,
                     .ctx = grid->local,
                     .out = sl_grid_block(call->out),
                     .edges = call->edges,
                     .rows.items = rows,
                     .cols = {.items = range, .count = cols.count}};
    sl_status status = sl_local_run(grid, &local);
    sl_free(range);
    return status;
}

sl_status sl_grid_edge_degrees(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    uint64_t range[2];
    const sl_distribution p = sl_grid_distribution(grid, call->edges->vertices);
    range_of(&p, sl_distribution_block_of(&p, (uint32_t)grid->rank), range);
    sl_call local = {.op = SL_OP_EDGE_DEGREES,
                     .ctx = grid->local,
                     .out = sl_grid_block(call->out),
                     .second_out = sl_grid_block(call->second_out),
                     .edges = call->edges,
                     .rows.items = range};
    return sl_local_run(grid, &local);
}

sl_status sl_grid_check_tree(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_call local = *call;
    local.ctx = grid->local;
    local.a = sl_grid_block(call->a);
    return grid->size > 1 ? sl_device_check_tree(grid, &local, call->edges->vertices)
                          : sl_local_run(grid, &local);
}
