/* Creates contexts on a grid of MPI ranks and describes them. */
#include <semla/dist.h>
#include <semla/world.h>

#include <string.h>

#include "dist/grid/blocks.h"
#include "dist/grid/builds.h"
#include "dist/grid/rank_devices.h"
#include "dist/grid_operations.h"

/* Before there is a context: all ranks return the status of the failing rank of least number. */
static sl_status agree_without_context(sl_grid *grid, sl_status status)
{
    struct {
        int failing, rank;
    } first = {.failing = status >= 0, .rank = grid->rank};
    int said = status;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_2INT, MPI_MINLOC, grid->all);
    if (first.failing)
        return status;
    MPI_Bcast(&said, 1, MPI_INT, first.rank, grid->all);
    return (sl_status)said;
}

sl_status sl_grid_context_create(sl_context **ctx, MPI_Comm comm, int rows, int cols,
                                 sl_engine_choice local)
{
    static const sl_engine *const chain[] = {&sl_engine_grid, NULL};
    sl_grid *grid = NULL;
    if (!ctx)
        return SL_INVALID;
    *ctx = NULL;
    sl_grid opened = {0};
    SL_TRY(sl_grid_open(&opened, comm));
    sl_status status = sl_context_create(&opened.local, local);
    status = agree_without_context(&opened, status);
    /* The ranks' blocks differ in size, and collective steps need the same engine on all ranks. */
    if (status == SL_OK) {
        opened.local->by_size = false;
        opened.local->of_rank = true;
    }
    if (status == SL_OK)
        status = sl_grid_arrange(&opened, rows, cols,
                                 sl_grid_has_devices(&opened) && !sl_grid_exceeds_group(&opened));
    if (status == SL_OK) {
        grid = sl_malloc(sizeof *grid);
        status = grid ? SL_OK : SL_NO_MEMORY;
    }
    if (status == SL_OK) {
        *grid = opened;
        status = sl_context_create_of(ctx, chain, grid);
    }
    status = agree_without_context(&opened, status);
    if (status == SL_OK) {
        grid->ctx = *ctx;
        sl_grid_make_devices(grid);
        return SL_OK;
    }
    if (*ctx) {
        sl_context_free(*ctx); /* with the grid */
    } else {
        sl_context_free(opened.local);
        sl_grid_close(&opened);
        sl_free(grid);
    }
    *ctx = NULL;
    return status;
}

sl_status sl_grid_context_create_world(sl_context **ctx, int rows, int cols, sl_engine_choice local)
{
    return sl_grid_context_create(ctx, MPI_COMM_WORLD, rows, cols, local);
}

sl_status sl_grid_describe(sl_grid_info *info, const sl_context *ctx)
{
    if (info)
        *info = (sl_grid_info){0};
    if (!info || !ctx || !sl_grid_of(ctx))
        return SL_INVALID;
    const sl_grid *grid = sl_grid_of(ctx);
    *info = (sl_grid_info){.rank = grid->rank,
                           .size = grid->size,
                           .rows = grid->rows,
                           .cols = grid->cols,
                           .row = grid->i,
                           .col = grid->j,
                           .transport = grid->search.transport ? grid->search.transport : "none"};
    return SL_OK;
}
