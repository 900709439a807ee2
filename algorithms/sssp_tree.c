/*
 * The parents of shortest paths: a breadth-first search over the tight edges, those with
 * distance(u) + length = distance(v). It finds, of all shortest paths, those with the fewest edges.
 * Edges are compared by two products with the diagonal matrix of the distances; O(edges).
 */
#include "sssp_parts.h"

#include <inttypes.h>

sl_status sl_sssp_compare_edges(sl_matrix **edges, sl_binary_code compare, const sl_matrix *lengths,
                                const sl_vector *distance, sl_semiring min_plus)
{
    sl_context *ctx = sl_matrix_context(lengths);
    const uint64_t n = sl_matrix_nrows(lengths);
    const sl_type type = sl_vector_type(distance);
    sl_matrix *D = NULL, *through = NULL, *to = NULL;
    sl_status status;
    TRY(sl_matrix_diag(&D, distance, 0));
    TRY(sl_matrix_new(&through, ctx, type, n, n));
    TRY(sl_matrix_new(&to, ctx, type, n, n));
    TRY(sl_matrix_new(edges, ctx, SL_BOOL, n, n));
    TRY(sl_mxm(through, NULL, NULL, min_plus, D, lengths, NULL));
    TRY(sl_mxm(to, NULL, NULL, sl_semiring_get(SL_SEMIRING_MIN_SECOND, type), through, D, NULL));
    TRY(sl_matrix_ewise_mult(*edges, NULL, NULL, sl_binary_op_get(compare, type), through, to,
                             NULL));
    TRY(sl_matrix_select(*edges, NULL, NULL, SL_VALUEEQ_BOOL, *edges, sl_scalar_bool(true), NULL));
out:
    sl_matrix_free(D);
    sl_matrix_free(through);
    sl_matrix_free(to);
    return status;
}

sl_status sl_sssp_find_parents(sl_vector **parent, const sl_matrix *lengths,
                               const sl_vector *distance, sl_semiring min_plus, uint64_t source)
{
    const sl_bfs_options least = {.deterministic = true};
    sl_matrix *tight = NULL;
    uint64_t reached, spanned;
    sl_status status;
    TRY(sl_sssp_compare_edges(&tight, SL_BINARY_EQ, lengths, distance, min_plus));
    TRY(sl_bfs(parent, NULL, tight, source, &least));
    TRY(sl_vector_nvals(&reached, distance));
    TRY(sl_vector_nvals(&spanned, *parent));
    /* Rounding: lengths far below the precision of the distances may improve a vertex after others
     * were reached through it, and not improve these. */
    if (spanned < reached)
        TRY(sl_fail(sl_matrix_context(lengths), SL_OUT_OF_RANGE,
                    "sssp: the lengths differ too much in size for %s: %" PRIu64
                    " vertices have no parent",
                    sl_type_name(sl_vector_type(distance)), reached - spanned));
out:
    sl_matrix_free(tight);
    return status;
}
