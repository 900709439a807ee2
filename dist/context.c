/* Contexts of a grid: making them, and what they say of themselves. */
#include <semla/dist.h>

#include "operations.h"
#include "pieces.h"
#include "team.h"

/* What the ranks make of a status before there is a context: the first failing one's. */
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
    if (status == SL_OK)
        status = sl_grid_arrange(&opened, rows, cols, sl_grid_has_devices(&opened));
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
        sl_grid_make_team(grid);
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
                           .transport = grid->transport ? grid->transport : "mpi"};
    return SL_OK;
}

/* ---- layouts ----------------------------------------------------------------------- */

static sl_status layout_of(sl_layout *layout, const sl_object *object)
{
    if (layout)
        *layout = (sl_layout){0};
    if (!layout || !object || !sl_grid_of(object->ctx))
        return SL_INVALID;
    const sl_grid *grid = sl_grid_of(object->ctx);
    *layout = (sl_layout){.nrows = object->nrows,
                          .ncols = object->ncols,
                          .is_matrix = object->is_matrix,
                          .grid_rows = grid->rows,
                          .grid_cols = grid->cols};
    return SL_OK;
}

sl_status sl_matrix_layout(sl_layout *layout, const sl_matrix *A)
{
    return layout_of(layout, A ? sl_object_of_matrix(A) : NULL);
}

sl_status sl_vector_layout(sl_layout *layout, const sl_vector *v)
{
    return layout_of(layout, v ? sl_object_of_vector(v) : NULL);
}

static sl_partition partition_of(const sl_layout *layout, uint64_t size)
{
    return sl_partition_make(size, (uint32_t)layout->grid_rows, (uint32_t)layout->grid_cols);
}

int sl_layout_owner(const sl_layout *layout, uint64_t row, uint64_t col)
{
    if (!layout || row >= layout->nrows || col >= layout->ncols)
        return -1;
    sl_partition rows = partition_of(layout, layout->nrows);
    if (!layout->is_matrix)
        return (int)sl_partition_owner(&rows, row);
    sl_partition cols = partition_of(layout, layout->ncols);
    return sl_grid_owner(&rows, &cols, row, col);
}

void sl_layout_range(const sl_layout *layout, int rank, uint64_t *begin, uint64_t *count)
{
    *begin = *count = 0;
    if (!layout || layout->is_matrix || rank < 0 || rank >= layout->grid_rows * layout->grid_cols)
        return;
    sl_partition p = partition_of(layout, layout->nrows);
    uint32_t block = sl_partition_block_of(&p, (uint32_t)rank);
    *begin = sl_partition_begin(&p, block);
    *count = sl_partition_length(&p, block);
}
