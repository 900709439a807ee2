/* Arrays of tuples: allocation, conversion from and to blocks, and owners of entries. */
#include "tuples.h"

#include <string.h>

void sl_tuples_free(sl_tuples *tuples)
{
    sl_free(tuples->rows);
    sl_free(tuples->cols);
    sl_free(tuples->values);
    *tuples = (sl_tuples){.type = tuples->type};
}

/* An array, not NULL even if it has no elements. */
static void *array(uint64_t count, size_t size)
{
    return sl_malloc(count > 0 ? count * size : 1);
}

sl_status sl_tuples_allocate(sl_tuples *tuples, sl_grid *grid, sl_type type, uint64_t count,
                             bool cols, bool values)
{
    *tuples = (sl_tuples){.type = type, .count = count, .rows = array(count, sizeof(uint64_t))};
    if (cols)
        tuples->cols = array(count, sizeof(uint64_t));
    if (values)
        tuples->values = array(count, sl_type_size(type));
    if (tuples->rows && (tuples->cols || !cols) && (tuples->values || !values))
        return SL_OK;
    sl_tuples_free(tuples);
    return sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory for %zu entries", (size_t)count);
}

static sl_status extract(sl_tuples *t, sl_grid *grid, const sl_object *object)
{
    uint64_t count = t->count;
    if (object->is_matrix)
        SL_TRY_LOCAL(grid, sl_matrix_extract_tuples(t->rows, t->cols, t->values, &count,
                                                    (const sl_matrix *)object));
    else
        SL_TRY_LOCAL(
            grid, sl_vector_extract_tuples(t->rows, t->values, &count, (const sl_vector *)object));
    return SL_OK;
}

static sl_status tuples_of(sl_tuples *tuples, sl_grid *grid, const sl_object *object, bool values)
{
    uint64_t count;
    *tuples = (sl_tuples){.type = object->type};
    if (object->is_matrix)
        SL_TRY_LOCAL(grid, sl_matrix_nvals(&count, (const sl_matrix *)object));
    else
        SL_TRY_LOCAL(grid, sl_vector_nvals(&count, (const sl_vector *)object));
    SL_TRY(sl_tuples_allocate(tuples, grid, object->type, count, object->is_matrix, values));
    sl_status status = extract(tuples, grid, object);
    if (status != SL_OK)
        sl_tuples_free(tuples);
    return status;
}

sl_status sl_tuples_of(sl_tuples *tuples, sl_grid *grid, const sl_object *object)
{
    return tuples_of(tuples, grid, object, true);
}

sl_status sl_tuples_of_pattern(sl_tuples *tuples, sl_grid *grid, const sl_object *object)
{
    return tuples_of(tuples, grid, object, false);
}

sl_status sl_tuples_to_move(sl_tuples *tuples, sl_grid *grid, const sl_object *object)
{
    bool pattern = false;
    *tuples = (sl_tuples){.type = object->type};
    sl_status status =
        object->is_matrix ? sl_matrix_is_pattern(&pattern, (const sl_matrix *)object) : SL_OK;
    if (status < 0)
        sl_grid_local_failed(grid, status);
    SL_TRY(sl_grid_agree(grid, status));
    SL_TRY(
        sl_grid_check(grid, "MPI_Allreduce",
                      MPI_Allreduce(MPI_IN_PLACE, &pattern, 1, MPI_C_BOOL, MPI_LAND, grid->all)));
    return tuples_of(tuples, grid, object, !pattern);
}

void sl_indices_to_global(uint64_t *numbers, uint64_t count, const sl_local_blocks *blocks)
{
    if (blocks->stride == 1) { /* consecutive blocks */
        uint64_t begin = sl_distribution_begin(&blocks->of, blocks->first);
        for (uint64_t k = 0; k < count; k++)
            numbers[k] += begin;
        return;
    }
    for (uint64_t k = 0; k < count; k++)
        numbers[k] = sl_global_index(blocks, numbers[k]);
}

void sl_indices_to_local(uint64_t *numbers, uint64_t count, const sl_local_blocks *blocks)
{
    for (uint64_t k = 0; k < count; k++)
        numbers[k] = sl_local_index(blocks, numbers[k]);
}

void sl_tuples_to_global(sl_tuples *tuples, const sl_grid *grid, const sl_object *object)
{
    sl_local_blocks rows =
        object->is_matrix ? sl_grid_rows(grid, object->nrows) : sl_grid_own(grid, object->nrows);
    sl_local_blocks cols = sl_grid_columns(grid, object->ncols);
    if (tuples->rows)
        sl_indices_to_global(tuples->rows, tuples->count, &rows);
    if (tuples->cols)
        sl_indices_to_global(tuples->cols, tuples->count, &cols);
}

void sl_tuples_to_local(sl_tuples *tuples, const sl_grid *grid, const sl_object *object)
{
    sl_local_blocks rows =
        object->is_matrix ? sl_grid_rows(grid, object->nrows) : sl_grid_own(grid, object->nrows);
    sl_local_blocks cols = sl_grid_columns(grid, object->ncols);
    if (tuples->rows)
        sl_indices_to_local(tuples->rows, tuples->count, &rows);
    if (tuples->cols)
        sl_indices_to_local(tuples->cols, tuples->count, &cols);
}

sl_status sl_tuples_build(sl_grid *grid, sl_object *block, const sl_tuples *t, sl_binary_op dup)
{
    if (block->is_matrix)
        SL_TRY_LOCAL(
            grid, sl_matrix_build((sl_matrix *)block, t->rows, t->cols, t->values, t->count, dup));
    else
        SL_TRY_LOCAL(grid, sl_vector_build((sl_vector *)block, t->rows, t->values, t->count, dup));
    return SL_OK;
}

/* ---- sorting -------------------------------------------------------------------- */

/* Sorts by building an object of the local context. */
sl_status sl_tuples_sort(sl_arrays *arrays, sl_grid *grid, const sl_object *object,
                         const sl_tuples *t)
{
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    sl_status status;
    if (object->is_matrix) {
        status = sl_matrix_new(&A, grid->local, object->type, object->nrows, object->ncols);
        if (status == SL_OK)
            status = sl_matrix_build(A, t->rows, t->cols, t->values, t->count, NULL);
        if (status == SL_OK)
            status = sl_matrix_give(arrays, &A, SL_FORMAT_COO);
    } else {
        status = sl_vector_new(&v, grid->local, object->type, object->nrows);
        if (status == SL_OK)
            status = sl_vector_build(v, t->rows, t->values, t->count, NULL);
        if (status == SL_OK)
            status = sl_vector_give(arrays, &v, SL_FORMAT_LIST);
    }
    sl_matrix_free(A);
    sl_vector_free(v);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}

/* ---- owners ---------------------------------------------------------------------- */

static sl_status find_owners(uint32_t **to, sl_grid *grid, const sl_tuples *t, uint64_t nrows,
                             uint64_t ncols)
{
    sl_distribution rows = sl_grid_distribution(grid, nrows),
                    cols = sl_grid_distribution(grid, ncols);
    *to = array(t->count, sizeof **to);
    if (!*to)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory for %zu entries", (size_t)t->count);
    for (uint64_t k = 0; k < t->count; k++)
        (*to)[k] =
            t->cols ? (uint32_t)sl_distribution_owner_of_entry(&rows, &cols, t->rows[k], t->cols[k])
                    : sl_distribution_owner(&rows, t->rows[k]);
    return SL_OK;
}

sl_status sl_tuples_to_owners(sl_tuples *received, sl_grid *grid, const sl_tuples *sent,
                              uint64_t nrows, uint64_t ncols, sl_status status)
{
    uint32_t *to = NULL;
    if (status == SL_OK)
        status = find_owners(&to, grid, sent, nrows, ncols);
    status = sl_tuples_route(received, grid, grid->all, sent, to, status);
    sl_free(to);
    if (status != SL_OK)
        return status;
    sl_object shape = {.is_matrix = received->cols, .nrows = nrows, .ncols = ncols};
    sl_tuples_to_local(received, grid, &shape);
    return SL_OK;
}
