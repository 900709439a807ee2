/* Sends the pattern of a matrix along grid rows, to the owners of its columns. */
#include "in_edges.h"

#include "tuples.h"

/* Finds the member of the grid row that owns the column of each tuple, and makes the column local
 * to its block. */
static sl_status find_members(uint32_t **to, sl_grid *grid, sl_tuples *t, uint64_t vertices)
{
    const sl_local_blocks cols = sl_grid_columns(grid, vertices);
    *to = sl_malloc((t->count + 1) * sizeof **to);
    if (!*to)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "closure: out of memory for %zu entries",
                       (size_t)t->count);
    for (uint64_t k = 0; k < t->count; k++) {
        (*to)[k] = sl_local_blocks_find_local(&cols, t->cols[k]);
        t->cols[k] -= sl_local_blocks_begin(&cols, (*to)[k]);
    }
    return SL_OK;
}

static sl_status exchange(sl_tuples *received, sl_grid *grid, const sl_object *A)
{
    const sl_local_blocks rows = sl_grid_rows(grid, A->nrows);
    sl_tuples sent = {0};
    uint32_t *to = NULL;
    sl_status status = sl_tuples_of_pattern(&sent, grid, sl_grid_block(A));
    if (status == SL_OK) {
        sl_indices_to_global(sent.rows, sent.count, &rows);
        status = find_members(&to, grid, &sent, A->ncols);
    }
    /* A rank that failed sends nothing; all ranks must know whether tuples have columns. */
    status = sl_tuples_route(received, grid, grid->row, &sent, to, status);
    sl_tuples_free(&sent);
    sl_free(to);
    return status;
}

static sl_status build(sl_matrix **made, sl_grid *grid, const sl_object *A, const sl_tuples *t)
{
    const sl_local_blocks own = sl_grid_own(grid, A->ncols);
    SL_TRY_LOCAL(grid,
                 sl_matrix_new(made, grid->local, SL_BOOL, A->nrows, sl_local_blocks_length(&own)));
    return sl_tuples_build(grid, sl_object_of_matrix(*made), t, NULL);
}

sl_status sl_grid_in_edges(sl_matrix **made, sl_grid *grid, const sl_object *A)
{
    sl_tuples received = {0};
    *made = NULL;
    sl_status status = exchange(&received, grid, A);
    if (status == SL_OK)
        status = sl_grid_agree(grid, build(made, grid, A, &received));
    sl_tuples_free(&received);
    if (status != SL_OK) {
        sl_matrix_free(*made);
        *made = NULL;
    }
    return status;
}
