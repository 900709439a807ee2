/* Argument checks and vectors that several algorithms need, by operations of the public interface.
 */
#include "bfs/graph_tools.h"

#include <inttypes.h>

sl_status sl_require_square(const char *name, const sl_matrix *A)
{
    if (!A)
        return SL_INVALID;
    uint64_t nrows = sl_matrix_nrows(A), ncols = sl_matrix_ncols(A);
    if (nrows != ncols)
        return sl_fail(sl_matrix_context(A), SL_MISMATCH,
                       "%s: the matrix is %" PRIu64 " x %" PRIu64 ", not square", name, nrows,
                       ncols);
    return SL_OK;
}

sl_status sl_require_output(const char *name, const sl_matrix *A, const void *output,
                            const char *output_name)
{
    sl_status status = sl_require_square(name, A);
    return status != SL_OK || output
               ? status
               : sl_fail(sl_matrix_context(A), SL_INVALID, "%s: %s is NULL", name, output_name);
}

sl_status sl_require_vertices(const char *name, const char *what, const sl_matrix *A,
                              const uint64_t *vertices, uint64_t count)
{
    sl_context *ctx = sl_matrix_context(A);
    const uint64_t n = sl_matrix_nrows(A);
    if (count > 0 && !vertices)
        return sl_fail(ctx, SL_INVALID, "%s: the list of %ss is NULL", name, what);
    for (uint64_t k = 0; k < count; k++)
        if (vertices[k] >= n)
            return sl_fail(ctx, SL_OUT_OF_RANGE,
                           "%s: %s %" PRIu64 " is out of range: the graph has %" PRIu64 " vertices",
                           name, what, vertices[k], n);
    return SL_OK;
}

sl_status sl_first_entry(uint64_t edge[2], const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_vector *rows = NULL, *row = NULL;
    uint64_t count;
    sl_status status;
    TRY(sl_matrix_nvals(&count, A));
    if (count == 0) {
        status = SL_NO_VALUE;
        goto out;
    }
    TRY(sl_vector_new(&rows, ctx, SL_BOOL, sl_matrix_nrows(A)));
    TRY(sl_vector_new(&row, ctx, SL_BOOL, sl_matrix_ncols(A)));
    TRY(sl_matrix_reduce_rows(rows, NULL, NULL, SL_ANY_MONOID_BOOL, A, NULL));
    TRY(sl_first_index(&edge[0], rows));
    TRY(sl_matrix_extract_column(row, NULL, NULL, A, SL_ALL, 0, edge[0],
                                 sl_descriptor_get(SL_TRANSPOSE_A)));
    TRY(sl_first_index(&edge[1], row));
out:
    sl_vector_free(row);
    sl_vector_free(rows);
    return status;
}

/* The first entry of A that has no mirror entry. */
static sl_status find_one_way_edge(uint64_t edge[2], const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    const uint64_t n = sl_matrix_nrows(A);
    sl_matrix *At = NULL, *one_way = NULL;
    sl_status status;
    TRY(sl_matrix_new(&At, ctx, SL_BOOL, n, n));
    TRY(sl_matrix_new(&one_way, ctx, SL_BOOL, n, n));
    TRY(sl_transpose(At, NULL, NULL, A, NULL));
    TRY(sl_matrix_apply(one_way, At, NULL, SL_ONE_BOOL, A,
                        sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
    TRY(sl_first_entry(edge, one_way));
out:
    sl_matrix_free(one_way);
    sl_matrix_free(At);
    return status;
}

sl_status sl_require_symmetric(const char *name, const sl_matrix *A)
{
    bool symmetric;
    uint64_t edge[2];
    sl_status status = sl_matrix_is_symmetric(&symmetric, A);
    if (status != SL_OK || symmetric)
        return status;
    status = find_one_way_edge(edge, A);
    if (status != SL_OK)
        return status;
    return sl_fail(sl_matrix_context(A), SL_INVALID,
                   "%s: the graph is directed: the edge from %" PRIu64 " to %" PRIu64
                   " has no mirror edge; add the mirror edges (SL_READ_SYMMETRIC, --symmetric)",
                   name, sl_matrix_id(A, edge[0]), sl_matrix_id(A, edge[1]));
}

sl_status sl_vector_filled(sl_vector **v, const sl_matrix *A, sl_scalar value)
{
    sl_status status = sl_vector_new(v, sl_matrix_context(A), value.type, sl_matrix_nrows(A));
    if (status == SL_OK)
        status = sl_vector_assign_scalar(*v, NULL, NULL, value, SL_ALL, 0, NULL);
    return status;
}

sl_status sl_vector_indices(sl_vector **v, const sl_matrix *A)
{
    sl_status status = sl_vector_filled(v, A, sl_scalar_int64(0));
    if (status == SL_OK)
        status =
            sl_vector_apply_index(*v, NULL, NULL, SL_ROWINDEX_INT64, *v, sl_scalar_int64(0), NULL);
    return status;
}

sl_status sl_degrees(sl_vector **degrees, const sl_matrix *A)
{
    sl_vector *ones = NULL;
    sl_status status = sl_vector_filled(&ones, A, sl_scalar_int64(1));
    if (status == SL_OK)
        status = sl_vector_new(degrees, sl_matrix_context(A), SL_INT64, sl_matrix_nrows(A));
    if (status == SL_OK)
        status = sl_mxv(*degrees, NULL, NULL, SL_PLUS_PAIR_INT64, A, ones, NULL);
    sl_vector_free(ones);
    return status;
}

sl_status sl_neighbour_counts(sl_vector **counts, const sl_matrix *A)
{
    const uint64_t n = sl_matrix_nrows(A);
    sl_vector *ones = NULL, *sums = NULL;
    sl_matrix *loops = NULL;
    uint64_t count;
    sl_status status;
    *counts = NULL;
    TRY(sl_vector_filled(&ones, A, sl_scalar_int64(1)));
    TRY(sl_vector_filled(&sums, A, sl_scalar_int64(0)));
    TRY(sl_mxv(sums, NULL, SL_PLUS_INT64, SL_PLUS_PAIR_INT64, A, ones, NULL));
    TRY(sl_matrix_new(&loops, sl_matrix_context(A), SL_BOOL, n, n));
    TRY(sl_matrix_select(loops, NULL, NULL, SL_DIAG_BOOL, A, sl_scalar_int64(0), NULL));
    TRY(sl_matrix_nvals(&count, loops));
    if (count > 0)
        TRY(sl_mxv(sums, NULL, SL_MINUS_INT64, SL_PLUS_PAIR_INT64, loops, ones, NULL));
out:
    sl_vector_free(ones);
    sl_matrix_free(loops);
    sl_return_vector(counts, sums, status);
    return status;
}

sl_status sl_first_index(uint64_t *index, const sl_vector *v)
{
    sl_vector *numbers = NULL;
    sl_scalar least;
    sl_status status;
    TRY(sl_vector_new(&numbers, sl_vector_context(v), SL_INT64, sl_vector_size(v)));
    TRY(sl_vector_apply_index(numbers, NULL, NULL, SL_ROWINDEX_INT64, v, sl_scalar_int64(0), NULL));
    TRY(sl_vector_reduce(&least, NULL, SL_MIN_MONOID_INT64, numbers));
    *index = (uint64_t)least.as.int64_;
    status = least.as.int64_ == INT64_MAX ? SL_NO_VALUE : SL_OK;
out:
    sl_vector_free(numbers);
    return status;
}

sl_status sl_first_of_extreme(uint64_t *index, const sl_vector *v, sl_monoid min_or_max)
{
    sl_vector *extremes = NULL;
    sl_scalar extreme;
    sl_status status;
    TRY(sl_vector_new(&extremes, sl_vector_context(v), SL_INT64, sl_vector_size(v)));
    TRY(sl_vector_reduce(&extreme, NULL, min_or_max, v));
    TRY(sl_vector_select(extremes, NULL, NULL, SL_VALUEEQ_INT64, v, extreme, NULL));
    TRY(sl_first_index(index, extremes));
out:
    sl_vector_free(extremes);
    return status;
}

sl_status sl_transpose_of(const sl_matrix **At, sl_matrix **owned, const sl_matrix *A)
{
    bool symmetric;
    *At = A;
    *owned = NULL;
    sl_status status = sl_matrix_is_symmetric(&symmetric, A);
    if (status != SL_OK || symmetric)
        return status;
    status =
        sl_matrix_new(owned, sl_matrix_context(A), SL_BOOL, sl_matrix_ncols(A), sl_matrix_nrows(A));
    if (status == SL_OK)
        status = sl_transpose(*owned, NULL, NULL, A, NULL);
    *At = *owned;
    return status;
}

sl_status sl_vector_with_entry(sl_vector **v, const sl_matrix *A, sl_type type, uint64_t source,
                               int64_t value)
{
    sl_status status = sl_vector_new(v, sl_matrix_context(A), type, sl_matrix_nrows(A));
    if (status == SL_OK)
        status = sl_vector_set(*v, source, sl_scalar_int64(value));
    if (status != SL_OK) {
        sl_vector_free(*v);
        *v = NULL;
    }
    return status;
}

void sl_return_matrix(sl_matrix **output, sl_matrix *result, sl_status status)
{
    if (output && status == SL_OK)
        *output = result;
    else
        sl_matrix_free(result);
}

void sl_return_vector(sl_vector **output, sl_vector *result, sl_status status)
{
    if (output && status == SL_OK)
        *output = result;
    else
        sl_vector_free(result);
}
