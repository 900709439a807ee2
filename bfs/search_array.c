/* A search's vector as an array. */
#include <semla/bfs.h>

/*
 * *array: sl_vector_size(v) elements from sl_malloc, the caller's. v is an int64
 * vector: parents or levels. Errors: SL_INVALID (NULL), SL_MISMATCH (v has
 * another type), SL_NO_MEMORY; then *array is NULL.
 */
sl_status sl_search_array(int64_t **array, const sl_vector *v)
{
    if (array)
        *array = NULL;
    sl_context *ctx = v ? sl_vector_context(v) : NULL;
    if (!array || !v)
        return sl_fail(ctx, SL_INVALID, "search array: %s is NULL", array ? "the vector" : "array");
    if (sl_vector_type(v) != SL_INT64)
        return sl_fail(ctx, SL_MISMATCH, "search array: the vector is of type %s, not int64",
                       sl_type_name(sl_vector_type(v)));

    uint64_t count;
    sl_status status = sl_vector_nvals(&count, v);
    if (status != SL_OK)
        return status;
    const uint64_t size = sl_vector_size(v);
    uint64_t *indices = sl_malloc((count + 1) * sizeof(uint64_t));
    int64_t *values = sl_malloc((count + 1) * sizeof(int64_t));
    int64_t *filled = sl_malloc((size + 1) * sizeof(int64_t));
    if (indices && values && filled)
        status = sl_vector_extract_tuples(indices, values, &count, v);
    else
        status = sl_fail(ctx, SL_NO_MEMORY, "search array: no memory for %llu elements",
                         (unsigned long long)size);
    if (status == SL_OK) {
        for (uint64_t i = 0; i < size; i++)
            filled[i] = SL_UNREACHED;
        for (uint64_t k = 0; k < count; k++)
            filled[indices[k]] = values[k];
        *array = filled;
        filled = NULL;
    }
    sl_free(filled);
    sl_free(values);
    sl_free(indices);
    return status;
}

/* The same of an int64 matrix, row by row: nrows x ncols elements. */
sl_status sl_search_table(int64_t **table, const sl_matrix *M)
{
    if (table)
        *table = NULL;
    sl_context *ctx = sl_matrix_context(M);
    if (!table || !M)
        return sl_fail(ctx, SL_INVALID, "search table: %s is NULL", table ? "the matrix" : "table");
    if (sl_matrix_type(M) != SL_INT64)
        return sl_fail(ctx, SL_MISMATCH, "search table: the matrix is of type %s, not int64",
                       sl_type_name(sl_matrix_type(M)));

    uint64_t count, size = sl_matrix_nrows(M) * sl_matrix_ncols(M);
    sl_status status = sl_matrix_nvals(&count, M);
    if (status != SL_OK)
        return status;
    uint64_t *rows = sl_malloc((count + 1) * sizeof(uint64_t));
    uint64_t *cols = sl_malloc((count + 1) * sizeof(uint64_t));
    int64_t *values = sl_malloc((count + 1) * sizeof(int64_t));
    int64_t *filled = sl_malloc((size + 1) * sizeof(int64_t));
    if (rows && cols && values && filled)
        status = sl_matrix_extract_tuples(rows, cols, values, &count, M);
    else
        status = sl_fail(ctx, SL_NO_MEMORY, "search table: no memory for %llu elements",
                         (unsigned long long)size);
    if (status == SL_OK) {
        for (uint64_t i = 0; i < size; i++)
            filled[i] = SL_UNREACHED;
        for (uint64_t k = 0; k < count; k++)
            filled[rows[k] * sl_matrix_ncols(M) + cols[k]] = values[k];
        *table = filled;
        filled = NULL;
    }
    sl_free(filled);
    sl_free(values);
    sl_free(cols);
    sl_free(rows);
    return status;
}
