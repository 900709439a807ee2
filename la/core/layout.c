/* Layouts: the partition of an object over its context's grid, and what is prepared of a matrix. */
#include <semla/engine.h>
#include <semla/distribution.h>

/* ---- of an object --------------------------------------------------------------------- */

static sl_layout partitioned(const sl_object *object)
{
    const sl_grid_position place = sl_grid_position_of(object->ctx);
    return (sl_layout){.nrows = object->nrows,
                       .ncols = object->ncols,
                       .is_matrix = object->is_matrix,
                       .grid_rows = (int)place.rows,
                       .grid_cols = (int)place.cols,
                       .searched = object->nrows};
}

/* What the host's engines keep with the matrix. */
static void number_on_host(sl_layout *layout, const sl_matrix *A)
{
    if (A->by_degree.label) {
        layout->numbering = SL_NUMBERED_BY_DEGREE;
        layout->searched = A->by_degree.count;
    } else if (A->compact.label) {
        layout->numbering = SL_NUMBERED_NEAR;
    }
}

sl_status sl_matrix_layout(sl_layout *layout, const sl_matrix *A)
{
    if (layout)
        *layout = (sl_layout){0};
    if (!layout || !A)
        return sl_fail(A ? A->object.ctx : NULL, SL_INVALID, "layout: argument is NULL");
    sl_placement placement;
    *layout = partitioned(&A->object);
    number_on_host(layout, A);
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++) {
        void *handle = A->object.held[slot];
        const sl_store *store = handle ? sl_store_of_slot(A->object.ctx, slot) : NULL;
        if (store && store->number)
            store->number(layout, &A->object, handle);
    }
    if (sl_matrix_placement(&placement, A) == SL_OK)
        layout->pruned = placement.pruned;
    return SL_OK;
}

sl_status sl_vector_layout(sl_layout *layout, const sl_vector *v)
{
    if (layout)
        *layout = (sl_layout){0};
    if (!layout || !v)
        return sl_fail(v ? v->object.ctx : NULL, SL_INVALID, "layout: argument is NULL");
    *layout = partitioned(&v->object);
    return SL_OK;
}

/* ---- who has what ---------------------------------------------------------------------- */

static sl_distribution partition_of(const sl_layout *layout, uint64_t size)
{
    return sl_distribution_make(size, (uint32_t)layout->grid_rows, (uint32_t)layout->grid_cols);
}

/* What a rank has of the rows and of the columns. False: there is no such rank. */
static bool shares_of(const sl_layout *layout, int rank, sl_local_blocks *rows, sl_local_blocks *cols)
{
    if (!layout || rank < 0 || rank >= layout->grid_rows * layout->grid_cols)
        return false;
    const uint32_t i = (uint32_t)(rank / layout->grid_cols), j = (uint32_t)rank % layout->grid_cols;
    const sl_distribution down = partition_of(layout, layout->nrows);
    const sl_distribution across = partition_of(layout, layout->ncols);
    *rows = layout->is_matrix ? sl_local_row_blocks(&down, j) : sl_local_vector_blocks(&down, i, j);
    *cols = sl_local_column_blocks(&across, i);
    return true;
}

int sl_layout_owner(const sl_layout *layout, uint64_t row, uint64_t col)
{
    if (!layout || row >= layout->nrows || col >= layout->ncols)
        return -1;
    const sl_distribution rows = partition_of(layout, layout->nrows);
    if (!layout->is_matrix)
        return (int)sl_distribution_owner(&rows, row);
    const sl_distribution cols = partition_of(layout, layout->ncols);
    return sl_distribution_owner_of_entry(&rows, &cols, row, col);
}

void sl_layout_range(const sl_layout *layout, int rank, uint64_t *begin, uint64_t *count)
{
    sl_local_blocks own, unused;
    *begin = *count = 0;
    if (!shares_of(layout, rank, &own, &unused) || layout->is_matrix)
        return;
    *begin = sl_distribution_begin(&own.of, own.first);
    *count = sl_local_blocks_length(&own);
}

void sl_layout_shape(const sl_layout *layout, int rank, uint64_t *nrows, uint64_t *ncols)
{
    sl_local_blocks rows, cols;
    *nrows = *ncols = 0;
    if (!shares_of(layout, rank, &rows, &cols))
        return;
    *nrows = sl_local_blocks_length(&rows);
    *ncols = layout->is_matrix ? sl_local_blocks_length(&cols) : 1;
}

sl_status sl_layout_to_local(const sl_layout *layout, uint64_t row, uint64_t col, int *rank,
                             uint64_t *local_row, uint64_t *local_col)
{
    sl_local_blocks rows, cols;
    if (!layout || !rank || !local_row || !local_col)
        return SL_INVALID;
    *rank = sl_layout_owner(layout, row, col);
    if (!shares_of(layout, *rank, &rows, &cols))
        return SL_OUT_OF_RANGE;
    *local_row = sl_local_index(&rows, row);
    *local_col = layout->is_matrix ? sl_local_index(&cols, col) : 0;
    return SL_OK;
}

sl_status sl_layout_to_global(const sl_layout *layout, int rank, uint64_t local_row,
                              uint64_t local_col, uint64_t *row, uint64_t *col)
{
    sl_local_blocks rows, cols;
    uint64_t nrows, ncols;
    if (!layout || !row || !col)
        return SL_INVALID;
    sl_layout_shape(layout, rank, &nrows, &ncols);
    if (local_row >= nrows || local_col >= ncols || !shares_of(layout, rank, &rows, &cols))
        return SL_OUT_OF_RANGE;
    *row = sl_global_index(&rows, local_row);
    *col = layout->is_matrix ? sl_global_index(&cols, local_col) : 0;
    return SL_OK;
}
