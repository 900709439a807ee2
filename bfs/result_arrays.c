/* A search's vector as an array. */
#include <semla/bfs.h>

/* Room for `size` elements, none of them reached; on one process alone it may fail. */
static sl_status make_room(int64_t **filled, sl_context *ctx, uint64_t size)
{
    *filled = sl_malloc((size + 1) * sizeof **filled);
    for (uint64_t i = 0; *filled && i < size; i++)
        (*filled)[i] = SL_UNREACHED;
    return sl_agree(ctx, *filled ? SL_OK
                                 : sl_fail(ctx, SL_NO_MEMORY,
                                           "search array: no memory for %llu elements",
                                           (unsigned long long)size));
}

/*
 * *array: sl_vector_size(v) elements from sl_malloc, the caller's. v is an int64 or
 * int32 vector: parents or levels. On a grid every process gets all of it; collective. Errors:
 * SL_INVALID (NULL), SL_MISMATCH (v has another type), SL_NO_MEMORY; then *array is NULL.
 */
sl_status sl_search_array(int64_t **array, const sl_vector *v)
{
    if (array)
        *array = NULL;
    sl_context *ctx = v ? sl_vector_context(v) : NULL;
    if (!array || !v)
        return sl_fail(ctx, SL_INVALID, "search array: %s is NULL", array ? "the vector" : "array");
    const sl_type type = sl_vector_type(v);
    if (type != SL_INT64 && type != SL_INT32)
        return sl_fail(ctx, SL_MISMATCH,
                       "search array: the vector is of type %s, not int64 or int32",
                       sl_type_name(type));

    sl_arrays all = {0};
    int64_t *filled;
    sl_status status = make_room(&filled, ctx, sl_vector_size(v));
    if (status == SL_OK)
        status = sl_vector_copy_whole(&all, v);
    if (status == SL_OK) {
        for (uint64_t k = 0; k < all.nvals; k++)
            filled[all.rows[k]] = type == SL_INT32 ? ((const int32_t *)all.values)[k]
                                                   : ((const int64_t *)all.values)[k];
        *array = filled;
        filled = NULL;
    }
    sl_arrays_free(&all);
    sl_free(filled);
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

    sl_arrays all = {0};
    int64_t *filled;
    sl_status status = make_room(&filled, ctx, sl_matrix_nrows(M) * sl_matrix_ncols(M));
    if (status == SL_OK)
        status = sl_matrix_copy_whole(&all, M);
    if (status == SL_OK) {
        for (uint64_t k = 0; k < all.nvals; k++)
            filled[all.rows[k] * all.ncols + all.cols[k]] =
                all.values ? ((const int64_t *)all.values)[k] : 1;
        *table = filled;
        filled = NULL;
    }
    sl_arrays_free(&all);
    sl_free(filled);
    return status;
}
