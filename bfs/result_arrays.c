/*
 * Copies the results of searches to arrays: vectors of parents or levels, and matrices of several
 * searches. Arrays are dense, with SL_UNREACHED where there is no entry. O(elements).
 */
#include <semla/bfs.h>

/* A new array of SL_UNREACHED. If memory runs out on one process of a grid, all fail. */
static sl_status make_array(int64_t **filled, sl_context *ctx, uint64_t size)
{
    *filled = sl_malloc((size + 1) * sizeof **filled);
    for (uint64_t i = 0; *filled && i < size; i++)
        (*filled)[i] = SL_UNREACHED;
    return sl_agree(ctx, *filled ? SL_OK
                                 : sl_fail(ctx, SL_NO_MEMORY,
                                           "search_array: no memory for %llu elements",
                                           (unsigned long long)size));
}

sl_status sl_search_array(int64_t **array, const sl_vector *v)
{
    if (array)
        *array = NULL;
    sl_context *ctx = v ? sl_vector_context(v) : NULL;
    const sl_type type = sl_vector_type(v);
    sl_status status = SL_OK;
    if (!array || !v)
        status = sl_fail(ctx, SL_INVALID, "search_array: %s is NULL", array ? "v" : "array");
    else if (type != SL_INT64 && type != SL_INT32)
        status = sl_fail(ctx, SL_MISMATCH,
                         "search_array: the vector has the type %s; it must be int64 or int32",
                         sl_type_name(type));
    status = sl_agree_arguments(ctx, status, "search_array", "v %llu of type %d\n",
                                (unsigned long long)sl_vector_size(v), (int)type);
    if (status != SL_OK)
        return status;

    sl_arrays all = {0};
    int64_t *filled;
    status = make_array(&filled, ctx, sl_vector_size(v));
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

sl_status sl_search_table(int64_t **table, const sl_matrix *M)
{
    if (table)
        *table = NULL;
    sl_context *ctx = sl_matrix_context(M);
    sl_status status = SL_OK;
    if (!table || !M)
        status = sl_fail(ctx, SL_INVALID, "search_table: %s is NULL", table ? "M" : "table");
    else if (sl_matrix_type(M) != SL_INT64)
        status =
            sl_fail(ctx, SL_MISMATCH, "search_table: the matrix has the type %s; it must be int64",
                    sl_type_name(sl_matrix_type(M)));
    status = sl_agree_arguments(ctx, status, "search_table", "M %llu x %llu\n",
                                (unsigned long long)sl_matrix_nrows(M),
                                (unsigned long long)sl_matrix_ncols(M));
    if (status != SL_OK)
        return status;

    sl_arrays all = {0};
    int64_t *filled;
    status = make_array(&filled, ctx, sl_matrix_nrows(M) * sl_matrix_ncols(M));
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
