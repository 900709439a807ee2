/* Subsets of the edges of a graph by values at their ends: see edge_tools.h. */
#include "algorithms/edge_tools.h"

#include <semla/graph_tools.h>

sl_status sl_edges_where(sl_matrix **edges, const sl_matrix *A, const sl_vector *f,
                         sl_binary_op compare)
{
    sl_context *ctx = sl_matrix_context(A);
    const uint64_t n = sl_matrix_nrows(A);
    sl_matrix *diagonal = NULL, *at_start = NULL, *at_end = NULL, *kept = NULL;
    sl_status status;
    *edges = NULL;
    TRY(sl_matrix_diag(&diagonal, f, 0));
    TRY(sl_matrix_new(&at_start, ctx, SL_INT64, n, n));
    TRY(sl_mxm(at_start, NULL, NULL, SL_MIN_FIRST_INT64, diagonal, A, NULL));
    TRY(sl_matrix_new(&at_end, ctx, SL_INT64, n, n));
    TRY(sl_mxm(at_end, NULL, NULL, SL_MIN_SECOND_INT64, A, diagonal, NULL));
    TRY(sl_matrix_new(&kept, ctx, SL_BOOL, n, n));
    TRY(sl_matrix_ewise_mult(kept, NULL, NULL, compare, at_start, at_end, NULL));
    TRY(sl_matrix_select(kept, NULL, NULL, SL_VALUEEQ_BOOL, kept, sl_scalar_bool(true), NULL));
out:
    sl_matrix_free(diagonal);
    sl_matrix_free(at_start);
    sl_matrix_free(at_end);
    sl_return_matrix(edges, kept, status);
    return status;
}
