/* Scenarios of <semla/context.h>, <semla/matrix.h>, <semla/arrays.h>, <semla/lend.h> and
 * <semla/grb.h>. */
#include "scenarios.h"

#include <fcntl.h>
#include <semla/grb.h>
#include <string.h>
#include <unistd.h>

/* ---- contexts -------------------------------------------------------------------- */

static sl_status context_create(inputs *in)
{
    sl_context *made = (sl_context *)1;
    const sl_status status = sl_context_create(&made, SL_ENGINE_OPENMP);
    assert_true((status == SL_OK) == (made != NULL));
    sl_context_free(made);
    return status;
}

/* In a context of its own, since a limit lasts. */
static sl_status context_set_memory_limit(inputs *in)
{
    sl_context *other;
    PREPARE(OK(NULL, sl_context_create(&other, SL_ENGINE_OPENMP)));
    const sl_status status = sl_context_set_memory_limit(other, 1 << 30);
    if (status != SL_OK)
        sl_fail(in->ctx, status, "%s", sl_context_message(other));
    sl_context_free(other);
    return status;
}

static sl_status gather(inputs *in)
{
    void *all = (void *)1;
    const sl_status status = sl_gather(in->ctx, SL_OK, &all, NULL, "abc", 3);
    assert_true((status == SL_OK) == (all != NULL));
    sl_free(all);
    return status;
}

static sl_status write_extents(inputs *in)
{
    char path[PATH_ROOM];
    const sl_file_part part = {.count = 3, .bytes = "abc"};
    close(open(path_of(path, in, "extents"), O_CREAT | O_WRONLY, 0600));
    return sl_write_extents(in->ctx, path, &part, 1);
}

static sl_status context_set_threads(inputs *in)
{
    const sl_status status = sl_context_set_threads(in->ctx, 2);
    PREPARE(OK(in->ctx, sl_context_set_threads(in->ctx, 0)));
    return status;
}

/* ---- matrices and vectors ----------------------------------------------------------- */

MAKES_MATRIX(matrix_new, sl_matrix_new(&made, in->ctx, SL_FP32, 5, 7))
MAKES_VECTOR(vector_new, sl_vector_new(&made, in->ctx, SL_FP32, 5))
MAKES_MATRIX(matrix_dup, sl_matrix_dup(&made, in->A))
MAKES_VECTOR(vector_dup, sl_vector_dup(&made, in->u))
MAKES_MATRIX(matrix_diag, sl_matrix_diag(&made, in->u, 1))
MAKES_VECTOR(vector_diag, sl_vector_diag(&made, in->A, 1))

/* Clearing and building, and reading what was built. */
static sl_status matrix_build(inputs *in)
{
    static const uint64_t at[] = {5, 1, 5, 3};
    static const double values[] = {1, 2, 3, 4};
    uint64_t count;
    PREPARE(OK(in->ctx, sl_matrix_clear(in->C)));
    sl_status status = sl_matrix_build(in->C, at, at, values, 4, SL_PLUS_FP64);
    return status == SL_OK ? sl_matrix_nvals(&count, in->C) : status;
}

static sl_status vector_build(inputs *in)
{
    static const uint64_t at[] = {5, 1, 5, 3};
    static const double values[] = {1, 2, 3, 4};
    uint64_t count;
    PREPARE(OK(in->ctx, sl_vector_clear(in->w)));
    sl_status status = sl_vector_build(in->w, at, values, 4, SL_PLUS_FP64);
    return status == SL_OK ? sl_vector_nvals(&count, in->w) : status;
}

CALL(matrix_clear, sl_matrix_clear(in->C))
CALL(vector_clear, sl_vector_clear(in->w))

/* A failed resize leaves the shape. The end is the shape that the runner expects. */
static sl_status matrix_resize(inputs *in)
{
    const sl_status status = sl_matrix_resize(in->C, 3, 20);
    assert_int_equal(sl_matrix_nrows(in->C), status == SL_OK ? 3 : VERTICES);
    assert_int_equal(sl_matrix_ncols(in->C), status == SL_OK ? 20 : VERTICES);
    PREPARE(OK(in->ctx, sl_matrix_resize(in->C, VERTICES, VERTICES)));
    return status;
}

static sl_status vector_resize(inputs *in)
{
    const sl_status status = sl_vector_resize(in->w, 3);
    assert_int_equal(sl_vector_size(in->w), status == SL_OK ? 3 : VERTICES);
    PREPARE(OK(in->ctx, sl_vector_resize(in->w, VERTICES)));
    return status;
}

/* An output with entries that are sorted in when it is next read. */
static void set_matrix(inputs *in)
{
    OK(in->ctx, sl_matrix_clear(in->C));
    for (uint64_t i = 0; i < VERTICES; i++)
        OK(in->ctx, sl_matrix_set(in->C, VERTICES - 1 - i, i / 2, sl_scalar_fp64(1)));
}

static void set_vector(inputs *in)
{
    OK(in->ctx, sl_vector_clear(in->w));
    for (uint64_t i = 0; i < VERTICES; i += 2)
        OK(in->ctx, sl_vector_set(in->w, VERTICES - 1 - i, sl_scalar_fp64(1)));
}

static sl_status matrix_nvals(inputs *in)
{
    uint64_t count;
    PREPARE(set_matrix(in));
    return sl_matrix_nvals(&count, in->C);
}

static sl_status vector_nvals(inputs *in)
{
    uint64_t count;
    PREPARE(set_vector(in));
    return sl_vector_nvals(&count, in->w);
}

static sl_status matrix_is_pattern(inputs *in)
{
    bool pattern;
    PREPARE(set_matrix(in));
    return sl_matrix_is_pattern(&pattern, in->C);
}

static sl_status matrix_set(inputs *in)
{
    sl_status status = SL_OK;
    PREPARE(OK(in->ctx, sl_matrix_clear(in->C)));
    for (uint64_t i = 0; i < VERTICES && status == SL_OK; i++)
        status = sl_matrix_set(in->C, VERTICES - 1 - i, 4, sl_scalar_fp64(1));
    return status;
}

static sl_status vector_set(inputs *in)
{
    sl_status status = SL_OK;
    PREPARE(OK(in->ctx, sl_vector_clear(in->w)));
    for (uint64_t i = 0; i < VERTICES && status == SL_OK; i++)
        status = sl_vector_set(in->w, VERTICES - 1 - i, sl_scalar_fp64(1));
    return status;
}

static sl_status matrix_get(inputs *in)
{
    sl_scalar value;
    PREPARE(set_matrix(in));
    return sl_matrix_get(&value, in->C, 7, 0);
}

static sl_status vector_get(inputs *in)
{
    sl_scalar value;
    PREPARE(set_vector(in));
    return sl_vector_get(&value, in->w, 3);
}

static sl_status matrix_remove(inputs *in)
{
    PREPARE(set_matrix(in));
    return sl_matrix_remove(in->C, 7, 0);
}

static sl_status vector_remove(inputs *in)
{
    PREPARE(set_vector(in));
    return sl_vector_remove(in->w, 3);
}

static sl_status matrix_extract_tuples(inputs *in)
{
    uint64_t rows[64], cols[64], count = 64;
    double values[64];
    return sl_matrix_extract_tuples(rows, cols, values, &count, in->A);
}

static sl_status vector_extract_tuples(inputs *in)
{
    uint64_t index[64], count = 64;
    double values[64];
    return sl_vector_extract_tuples(index, values, &count, in->u);
}

static bool answer;
CALL(matrix_equal, sl_matrix_equal(&answer, in->A, in->C))
CALL(vector_equal, sl_vector_equal(&answer, in->u, in->w))
CALL(matrix_same_pattern, sl_matrix_same_pattern(&answer, in->A, in->C))
CALL(vector_same_pattern, sl_vector_same_pattern(&answer, in->u, in->w))
CALL(matrix_is_symmetric, sl_matrix_is_symmetric(&answer, in->A))
CALL(matrix_optimize, sl_matrix_optimize(in->A, SL_FOR_TRAVERSAL | SL_PRUNED | SL_FOR_PATHS))

static sl_status matrix_value_range(inputs *in)
{
    sl_value_range range;
    PREPARE(set_matrix(in));
    return sl_matrix_value_range(&range, in->C);
}

/* ---- arrays -------------------------------------------------------------------------- */

static sl_status matrix_take_csr(inputs *in)
{
    sl_matrix *made = (sl_matrix *)1;
    const sl_status status = sl_matrix_take_csr(&made, in->ctx, &in->lengths);
    assert_true((status == SL_OK) == (in->lengths.start == NULL));
    return end_matrix(made, status);
}

static sl_status matrix_copy_csr(inputs *in)
{
    sl_csr copy;
    const sl_status status = sl_matrix_copy_csr(&copy, in->A);
    assert_true((status == SL_OK) == (copy.start != NULL));
    free_rows(&copy);
    return status;
}

static sl_status end_arrays(sl_arrays *arrays, sl_status status)
{
    const bool is_empty = !arrays->start && !arrays->rows && !arrays->present && !arrays->values;
    assert_true((status == SL_OK) != is_empty);
    sl_arrays_free(arrays);
    return status;
}

#define MAKES_ARRAYS(name, call)                                                                   \
    static sl_status name(inputs *in)                                                              \
    {                                                                                              \
        sl_arrays arrays;                                                                          \
        const sl_status status = call;                                                             \
        return end_arrays(&arrays, status);                                                        \
    }
MAKES_ARRAYS(matrix_copy_out, sl_matrix_copy_out(&arrays, in->A, SL_FORMAT_CSC))
MAKES_ARRAYS(vector_copy_out, sl_vector_copy_out(&arrays, in->u, SL_FORMAT_BITMAP))
MAKES_ARRAYS(matrix_copy_slice, sl_matrix_copy_slice(&arrays, in->A))
MAKES_ARRAYS(vector_copy_slice, sl_vector_copy_slice(&arrays, in->u))
MAKES_ARRAYS(matrix_copy_whole, sl_matrix_copy_whole(&arrays, in->A))
MAKES_ARRAYS(vector_copy_whole, sl_vector_copy_whole(&arrays, in->u))
MAKES_ARRAYS(matrix_give, sl_matrix_give(&arrays, &in->C, SL_FORMAT_COO))
MAKES_ARRAYS(vector_give, sl_vector_give(&arrays, &in->w, SL_FORMAT_LIST))

/* Arrays that could not be taken belong to the caller. */
static sl_status matrix_take(inputs *in)
{
    sl_arrays arrays;
    sl_matrix *made = (sl_matrix *)1;
    PREPARE(OK(in->ctx, sl_matrix_copy_out(&arrays, in->A, SL_FORMAT_COO)));
    const sl_status status = sl_matrix_take(&made, in->ctx, &arrays);
    assert_true((status == SL_OK) == (arrays.rows == NULL));
    sl_arrays_free(&arrays);
    return end_matrix(made, status);
}

static sl_status vector_take(inputs *in)
{
    sl_arrays arrays;
    sl_vector *made = (sl_vector *)1;
    PREPARE(OK(in->ctx, sl_vector_copy_out(&arrays, in->u, SL_FORMAT_LIST)));
    const sl_status status = sl_vector_take(&made, in->ctx, &arrays);
    assert_true((status == SL_OK) == (arrays.rows == NULL));
    sl_arrays_free(&arrays);
    return end_vector(made, status);
}

static sl_status arrays_check(inputs *in)
{
    sl_arrays arrays;
    PREPARE(OK(in->ctx, sl_matrix_copy_out(&arrays, in->A, SL_FORMAT_COO)));
    const sl_status status = sl_arrays_check(in->ctx, &arrays);
    sl_arrays_free(&arrays);
    return status;
}

static sl_status arrays_expand(inputs *in)
{
    sl_arrays arrays;
    PREPARE(OK(in->ctx, sl_matrix_copy_out(&arrays, in->G, SL_FORMAT_COO)));
    const sl_status status = sl_arrays_expand(in->ctx, &arrays);
    assert_true((status == SL_OK) == (arrays.values && !arrays.iso));
    sl_arrays_free(&arrays);
    return status;
}

/* A vector that stores one value for all entries must store each of them. */
static sl_status vector_lend(inputs *in)
{
    sl_vector_view view;
    PREPARE(OK(in->ctx,
               sl_vector_assign_scalar(in->w, NULL, NULL, sl_scalar_fp64(7), SL_ALL, 0, NULL)));
    return sl_vector_lend(&view, in->w, SL_MEMORY_HOST);
}

/* ---- GraphBLAS ------------------------------------------------------------------------- */

static sl_status matrix_from_grb(inputs *in)
{
    GrB_Matrix handle;
    sl_matrix *made = (sl_matrix *)1;
    PREPARE(GrB_Matrix_new(&handle, GrB_FP64, 3, 3); GrB_Matrix_setElement_FP64(handle, 1, 2, 2));
    const sl_status status = sl_matrix_from_grb(&made, in->ctx, &handle);
    assert_true((status == SL_OK) == (handle == NULL));
    GrB_Matrix_free(&handle);
    return end_matrix(made, status);
}

static sl_status vector_from_grb(inputs *in)
{
    GrB_Vector handle;
    sl_vector *made = (sl_vector *)1;
    PREPARE(GrB_Vector_new(&handle, GrB_FP64, 3); GrB_Vector_setElement_FP64(handle, 1, 2));
    const sl_status status = sl_vector_from_grb(&made, in->ctx, &handle);
    assert_true((status == SL_OK) == (handle == NULL));
    GrB_Vector_free(&handle);
    return end_vector(made, status);
}

static sl_status matrix_to_grb(inputs *in)
{
    GrB_Matrix handle = NULL;
    PREPARE(set_matrix(in));
    const sl_status status = sl_matrix_to_grb(&handle, &in->C);
    assert_true((status == SL_OK) == (handle != NULL) && (status == SL_OK) == (in->C == NULL));
    GrB_Matrix_free(&handle);
    return status;
}

static sl_status vector_to_grb(inputs *in)
{
    GrB_Vector handle = NULL;
    PREPARE(set_vector(in));
    const sl_status status = sl_vector_to_grb(&handle, &in->w);
    assert_true((status == SL_OK) == (handle != NULL) && (status == SL_OK) == (in->w == NULL));
    GrB_Vector_free(&handle);
    return status;
}

const row object_rows[] = {
    SILENT_ROW(context_create),
    ROW(context_set_memory_limit),
    ROW(gather),
    NOTHING_ROW(write_extents),
    ROW(context_set_threads),
    ROW(matrix_new),
    ROW(vector_new),
    ROW(matrix_dup),
    ROW(vector_dup),
    ROW(matrix_diag),
    ROW(vector_diag),
    ROW(matrix_build),
    ROW(vector_build),
    NOTHING_ROW(matrix_clear),
    NOTHING_ROW(vector_clear),
    ROW(matrix_resize),
    ROW(vector_resize),
    ROW(matrix_nvals),
    ROW(vector_nvals),
    ROW(matrix_is_pattern),
    ROW(matrix_set),
    ROW(vector_set),
    ROW(matrix_get),
    ROW(vector_get),
    ROW(matrix_remove),
    ROW(vector_remove),
    ROW(matrix_extract_tuples),
    ROW(vector_extract_tuples),
    ROW(matrix_equal),
    ROW(vector_equal),
    ROW(matrix_same_pattern),
    ROW(vector_same_pattern),
    ROW(matrix_is_symmetric),
    ROW(matrix_optimize),
    ROW(matrix_value_range),
    ROW(matrix_take_csr),
    ROW(matrix_copy_csr),
    ROW(matrix_copy_out),
    ROW(vector_copy_out),
    ROW(matrix_copy_slice),
    ROW(vector_copy_slice),
    ROW(matrix_copy_whole),
    ROW(vector_copy_whole),
    ROW(matrix_give),
    ROW(vector_give),
    ROW(matrix_take),
    ROW(vector_take),
    ROW(arrays_check),
    ROW(arrays_expand),
    ROW(vector_lend),
    ROW(matrix_from_grb),
    ROW(vector_from_grb),
    ROW(matrix_to_grb),
    ROW(vector_to_grb),
    {0},
};
