/* Arrays of tuples: allocation, and conversion from and to blocks. */
#include "dist/operations/rank_tuples.h"

#include "dist/grid/dist_switches.h"

/* True if the blocks of the object on every rank have less than 2^32 rows and columns. */
static bool fits(const sl_grid *grid, const sl_object *object)
{
    if (!object)
        return true;
    const sl_distribution rows = sl_grid_distribution(grid, object->nrows),
                          cols = sl_grid_distribution(grid, object->ncols);
    return sl_distribution_length(&rows, 0) <= UINT32_MAX / rows.rows &&
           sl_distribution_length(&cols, 0) <= UINT32_MAX / cols.cols;
}

const sl_tuple_memory *sl_grid_tuple_memory(const sl_grid *grid, const sl_call *call)
{
    const sl_engine *engine = grid->device_engine;
    /* An object that is built is in no memory yet. */
    const bool by_devices = grid->by_devices || (call->op == SL_OP_BUILD && engine &&
                                                 !(grid->switches & SL_DIST_NODEVICES));
    return by_devices && engine->devices.tuples && !sl_call_has_user_type(call) &&
                   fits(grid, call->out) && fits(grid, call->a) && fits(grid, call->b) &&
                   fits(grid, call->mask)
               ? &engine->devices.tuples->memory
               : &sl_host_tuple_memory;
}

void sl_tuples_free(sl_tuples *tuples)
{
    const sl_tuple_memory *memory = sl_tuples_memory(tuples);
    memory->release(tuples->rows);
    memory->release(tuples->cols);
    memory->release(tuples->values);
    *tuples = (sl_tuples){.type = tuples->type, .memory = tuples->memory};
}

sl_status sl_tuples_array(void **array, sl_grid *grid, const sl_tuple_memory *memory,
                          uint64_t bytes)
{
    *array = NULL;
    SL_TRY_LOCAL(grid, memory->allocate(grid->local, array, bytes));
    return SL_OK;
}

sl_status sl_tuples_allocate_in(sl_tuples *tuples, sl_grid *grid, const sl_tuple_memory *memory,
                                sl_type type, uint64_t count, bool cols, bool values)
{
    const uint64_t bytes = count * sizeof(uint64_t);
    *tuples = (sl_tuples){.type = type, .count = count, .memory = memory};
    sl_status status = sl_tuples_array((void **)&tuples->rows, grid, memory, bytes);
    if (status == SL_OK && cols)
        status = sl_tuples_array((void **)&tuples->cols, grid, memory, bytes);
    if (status == SL_OK && values)
        status = sl_tuples_array(&tuples->values, grid, memory, count * sl_type_size(type));
    if (status != SL_OK)
        sl_tuples_free(tuples);
    return status;
}

sl_status sl_tuples_allocate(sl_tuples *tuples, sl_grid *grid, sl_type type, uint64_t count,
                             bool cols, bool values)
{
    return sl_tuples_allocate_in(tuples, grid, &sl_host_tuple_memory, type, count, cols, values);
}

sl_status sl_tuples_in(sl_tuples *tuples, sl_grid *grid, const sl_tuple_memory *memory,
                       const sl_object *object, bool values)
{
    uint64_t count = 0;
    *tuples = (sl_tuples){.type = object->type, .memory = memory};
    if (sl_object_has_contents(object) && object->is_matrix)
        SL_TRY_LOCAL(grid, sl_matrix_nvals(&count, (const sl_matrix *)object));
    else if (sl_object_has_contents(object))
        SL_TRY_LOCAL(grid, sl_vector_nvals(&count, (const sl_vector *)object));
    SL_TRY(sl_tuples_allocate_in(tuples, grid, memory, object->type, count, object->is_matrix,
                                 values));
    const sl_status status = count > 0 ? memory->read(tuples, (sl_object *)object) : SL_OK;
    if (status == SL_OK)
        return SL_OK;
    sl_tuples_free(tuples);
    return sl_grid_local_failed(grid, status);
}

sl_status sl_tuples_of(sl_tuples *tuples, sl_grid *grid, const sl_object *object)
{
    return sl_tuples_in(tuples, grid, &sl_host_tuple_memory, object, true);
}

sl_status sl_tuples_to_move(sl_tuples *tuples, sl_grid *grid, const sl_tuple_memory *memory,
                            const sl_object *object)
{
    bool pattern = false;
    *tuples = (sl_tuples){.type = object->type, .memory = memory};
    sl_status status =
        object->is_matrix ? sl_matrix_is_pattern(&pattern, (const sl_matrix *)object) : SL_OK;
    if (status < 0)
        sl_grid_local_failed(grid, status);
    uint64_t has_values = !pattern;
    SL_TRY(sl_grid_agree_most(grid, status, &has_values));
    return sl_tuples_in(tuples, grid, memory, object, has_values);
}

static sl_status copy_arrays(sl_tuples *to, sl_grid *grid, const sl_tuples *from)
{
    sl_status (*const copy)(sl_context *, void *, const void *, uint64_t) = to->memory->copy;
    const uint64_t bytes = from->count * sizeof(uint64_t);
    SL_TRY_LOCAL(grid, copy(grid->local, to->rows, from->rows, bytes));
    if (to->cols)
        SL_TRY_LOCAL(grid, copy(grid->local, to->cols, from->cols, bytes));
    if (to->values)
        SL_TRY_LOCAL(grid, copy(grid->local, to->values, from->values,
                                from->count * sl_type_size(from->type)));
    return SL_OK;
}

sl_status sl_tuples_copy_in(sl_tuples *tuples, sl_grid *grid, const sl_tuple_memory *memory,
                            const sl_tuples *from)
{
    SL_TRY(sl_tuples_allocate_in(tuples, grid, memory, from->type, from->count, from->cols != NULL,
                                 from->values != NULL));
    const sl_status status = copy_arrays(tuples, grid, from);
    if (status != SL_OK)
        sl_tuples_free(tuples);
    return status;
}

void sl_tuples_transpose(sl_tuples *tuples)
{
    uint64_t *rows = tuples->rows;
    tuples->rows = tuples->cols;
    tuples->cols = rows;
}

/* ---- selection -------------------------------------------------------------------- */

sl_status sl_tuples_keep(sl_tuples *tuples, sl_grid *grid, const bool *kept)
{
    SL_TRY_LOCAL(grid, sl_tuples_memory(tuples)->keep(grid->local, tuples, kept));
    return SL_OK;
}

sl_status sl_tuples_filter(sl_tuples *tuples, sl_grid *grid, const sl_tuple_filter *filter)
{
    const sl_tuple_memory *memory = sl_tuples_memory(tuples);
    bool *kept;
    SL_TRY(sl_tuples_array((void **)&kept, grid, memory, tuples->count * sizeof *kept));
    sl_status status = memory->passes(grid->local, kept, tuples, filter);
    status = status < 0 ? sl_grid_local_failed(grid, status) : sl_tuples_keep(tuples, grid, kept);
    memory->release(kept);
    return status;
}

/* ---- indices ---------------------------------------------------------------------- */

sl_local_blocks sl_tuples_rows(const sl_grid *grid, const sl_object *object)
{
    return object->is_matrix ? sl_grid_rows(grid, object->nrows) : sl_grid_own(grid, object->nrows);
}

sl_status sl_tuples_to_global(sl_tuples *tuples, sl_grid *grid, const sl_object *object)
{
    const sl_local_blocks rows = sl_tuples_rows(grid, object),
                          cols = sl_grid_columns(grid, object->ncols);
    const sl_tuple_memory *memory = sl_tuples_memory(tuples);
    if (tuples->rows)
        SL_TRY_LOCAL(grid, memory->to_global(grid->local, tuples->rows, tuples->count, &rows));
    if (tuples->cols)
        SL_TRY_LOCAL(grid, memory->to_global(grid->local, tuples->cols, tuples->count, &cols));
    return SL_OK;
}

sl_status sl_tuples_build(sl_grid *grid, sl_object *block, const sl_tuples *t, sl_binary_op dup)
{
    SL_TRY_LOCAL(grid, sl_tuples_memory(t)->build(block, t, dup));
    return SL_OK;
}

/* ---- sorting -------------------------------------------------------------------- */

static bool are_sorted(const sl_tuples *t)
{
    bool sorted = true;
    for (uint64_t k = 1; sorted && k < t->count; k++)
        sorted = t->rows[k - 1] < t->rows[k] ||
                 (t->cols && t->rows[k - 1] == t->rows[k] && t->cols[k - 1] < t->cols[k]);
    return sorted;
}

/* Gives the arrays of the tuples away. */
static void become_arrays(sl_arrays *arrays, const sl_object *object, sl_tuples *t)
{
    *arrays = (sl_arrays){.format = object->is_matrix ? SL_FORMAT_COO : SL_FORMAT_LIST,
                          .type = object->type,
                          .nrows = object->nrows,
                          .ncols = object->ncols,
                          .nvals = t->count,
                          .rows = t->rows,
                          .cols = t->cols,
                          .values = t->values};
    t->rows = t->cols = NULL;
    t->values = NULL;
}

sl_status sl_tuples_sort(sl_arrays *arrays, sl_grid *grid, const sl_object *object, sl_tuples *t)
{
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    sl_status status;
    if (are_sorted(t)) {
        become_arrays(arrays, object, t);
        return SL_OK;
    }
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
