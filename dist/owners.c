/*
 * The public functions which tell the distribution of an object: the owner of an entry and the
 * range of a rank. <semla/distribution.h> has the arithmetic. O(1).
 */
#include <semla/dist.h>

#include <inttypes.h>

#include "dist/grid/grid.h"

/* The grid of an object's context; NULL and a message if it has none. */
static const sl_grid *grid_of(const sl_object *object, const char *function, const void *output)
{
    const sl_grid *grid = object ? sl_grid_of(object->ctx) : NULL;
    if (object && !grid)
        sl_fail(object->ctx, SL_INVALID, "%s: the object's context has no grid of ranks", function);
    else if (object && !output)
        sl_fail(object->ctx, SL_INVALID, "%s: an output is NULL", function);
    return output ? grid : NULL;
}

sl_status sl_grid_matrix_owner(int *rank, const sl_matrix *A, uint64_t row, uint64_t col)
{
    const sl_object *object = A ? sl_object_of_matrix(A) : NULL;
    const sl_grid *grid = grid_of(object, "grid_matrix_owner", rank);
    if (!grid)
        return SL_INVALID;
    if (row >= object->nrows || col >= object->ncols)
        return sl_fail(object->ctx, SL_OUT_OF_RANGE,
                       "grid_matrix_owner: entry (%" PRIu64 ", %" PRIu64
                       ") is outside the matrix of %" PRIu64 " x %" PRIu64,
                       row, col, object->nrows, object->ncols);
    const sl_distribution rows = sl_grid_distribution(grid, object->nrows);
    const sl_distribution cols = sl_grid_distribution(grid, object->ncols);
    *rank = sl_distribution_owner_of_entry(&rows, &cols, row, col);
    return SL_OK;
}

sl_status sl_grid_vector_owner(int *rank, const sl_vector *v, uint64_t index)
{
    const sl_object *object = v ? sl_object_of_vector(v) : NULL;
    const sl_grid *grid = grid_of(object, "grid_vector_owner", rank);
    if (!grid)
        return SL_INVALID;
    if (index >= object->nrows)
        return sl_fail(object->ctx, SL_OUT_OF_RANGE,
                       "grid_vector_owner: index %" PRIu64
                       " is outside the vector of size %" PRIu64,
                       index, object->nrows);
    const sl_distribution all = sl_grid_distribution(grid, object->nrows);
    *rank = (int)sl_distribution_owner(&all, index);
    return SL_OK;
}

sl_status sl_grid_vector_range(uint64_t *begin, uint64_t *end, const sl_vector *v, int rank)
{
    const sl_object *object = v ? sl_object_of_vector(v) : NULL;
    const sl_grid *grid = grid_of(object, "grid_vector_range", begin ? end : begin);
    if (!grid)
        return SL_INVALID;
    if (rank < 0 || rank >= grid->size)
        return sl_fail(object->ctx, SL_OUT_OF_RANGE,
                       "grid_vector_range: rank %d is out of range: the grid has %d ranks", rank,
                       grid->size);
    const sl_distribution all = sl_grid_distribution(grid, object->nrows);
    const uint64_t block = sl_distribution_block_of(&all, (uint32_t)rank);
    *begin = sl_distribution_begin(&all, block);
    *end = sl_distribution_begin(&all, block + 1);
    return SL_OK;
}
