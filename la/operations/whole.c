/* Copies all entries of an object to every process of its context: each gathers the slices of all.
 */
#include "la/core/check.h"

#include <string.h>

static sl_arrays shape_of(const sl_object *object)
{
    return (sl_arrays){.format = object->is_matrix ? SL_FORMAT_COO : SL_FORMAT_LIST,
                       .type = object->type,
                       .nrows = object->nrows,
                       .ncols = object->ncols};
}

static sl_status extract(sl_arrays *all, const sl_object *object)
{
    if (object->is_matrix)
        return sl_matrix_extract_tuples(all->rows, all->cols, all->values, &all->nvals,
                                        (const sl_matrix *)object);
    return sl_vector_extract_tuples(all->rows, all->values, &all->nvals, (const sl_vector *)object);
}

/* In a context of one process. */
static sl_status copy_alone(sl_arrays *all, const sl_object *object)
{
    bool pattern = false;
    *all = shape_of(object);
    if (object->is_matrix)
        SL_TRY(sl_matrix_is_pattern(&pattern, (const sl_matrix *)object));
    SL_TRY(object->is_matrix ? sl_matrix_nvals(&all->nvals, (const sl_matrix *)object)
                             : sl_vector_nvals(&all->nvals, (const sl_vector *)object));
    const uint64_t room = all->nvals + 1;
    if (all->nvals > SIZE_MAX / 16) /* the arrays would have more than SIZE_MAX bytes */
        return sl_fail(object->ctx, SL_NO_MEMORY, "copy_whole: out of memory: %zu entries",
                       (size_t)all->nvals);
    all->rows = sl_malloc(room * sizeof *all->rows);
    all->cols = object->is_matrix ? sl_malloc(room * sizeof *all->cols) : NULL;
    all->values = pattern ? NULL : sl_malloc(room * sl_type_size(object->type));
    if (!all->rows || (object->is_matrix && !all->cols) || (!pattern && !all->values))
        return sl_fail(object->ctx, SL_NO_MEMORY, "copy_whole: out of memory: %zu entries",
                       (size_t)all->nvals);
    return extract(all, object);
}

/* Concatenates the slices of all processes. `starts` is scratch: one element more than processes.
 */
static sl_status join(sl_arrays *all, sl_context *ctx, const sl_arrays *slice, uint64_t *starts)
{
    const uint64_t count = slice->nvals, processes = sl_context_processes(ctx);
    void *array;
    SL_TRY(sl_gather(ctx, SL_OK, &array, starts, slice->rows, count * sizeof *slice->rows));
    all->rows = array;
    all->nvals = starts[processes] / sizeof *slice->rows;
    if (all->format == SL_FORMAT_COO) {
        SL_TRY(sl_gather(ctx, SL_OK, &array, starts, slice->cols, count * sizeof *slice->cols));
        all->cols = array;
    }
    const uint64_t bytes = slice->values ? count * sl_type_size(slice->type) : 0;
    SL_TRY(sl_gather(ctx, SL_OK, &array, starts, slice->values, bytes));
    all->values = array;
    if (all->format == SL_FORMAT_COO && starts[processes] == 0) { /* a pattern */
        sl_free(all->values);
        all->values = NULL;
    }
    return SL_OK;
}

static sl_status copy_whole(sl_arrays *all, sl_object *object)
{
    if (all)
        *all = (sl_arrays){0};
    if (!all || !object)
        return SL_REFUSE(object ? object->ctx : NULL, SL_INVALID, "copy: argument is NULL");
    sl_context *ctx = object->ctx;
    if (sl_context_processes(ctx) == 1) {
        sl_status status = copy_alone(all, object);
        if (status != SL_OK)
            sl_arrays_free(all);
        return status;
    }
    sl_arrays slice = {0};
    uint64_t *starts = sl_malloc((sl_context_processes(ctx) + 1) * sizeof *starts);
    sl_status status =
        sl_agree(ctx, starts ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "copy: out of memory"));
    if (status == SL_OK)
        status = object->is_matrix ? sl_matrix_copy_slice(&slice, (const sl_matrix *)object)
                                   : sl_vector_copy_slice(&slice, (const sl_vector *)object);
    *all = shape_of(object);
    if (status == SL_OK)
        status = join(all, ctx, &slice, starts);
    if (status != SL_OK)
        sl_arrays_free(all);
    sl_arrays_free(&slice);
    sl_free(starts);
    return status;
}

sl_status sl_matrix_copy_whole(sl_arrays *arrays, const sl_matrix *A)
{
    return copy_whole(arrays, OF_M(A));
}

sl_status sl_vector_copy_whole(sl_arrays *arrays, const sl_vector *v)
{
    return copy_whole(arrays, OF_V(v));
}
