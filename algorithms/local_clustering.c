/*
 * Local clustering coefficients (Watts and Strogatz, "Collective dynamics of 'small-world' networks",
 * Nature 393, 1998): the triangles of each vertex (sl_triangles) divided by its pairs of neighbours.
 * Pairs are counted in fp64, which a degree above 2^31 needs.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/* pairs(v) = d (d - 1) / 2 for the number d of neighbours of v: fp64, full. */
static sl_status count_pairs(sl_vector **pairs, const sl_matrix *A)
{
    sl_vector *counts = NULL, *others = NULL;
    sl_status status;
    TRY(sl_neighbour_counts(&counts, A));
    TRY(sl_vector_new(&others, sl_matrix_context(A), SL_FP64, sl_matrix_nrows(A)));
    TRY(sl_vector_new(pairs, sl_matrix_context(A), SL_FP64, sl_matrix_nrows(A)));
    TRY(sl_vector_apply_second(others, NULL, NULL, SL_MINUS_FP64, counts, sl_scalar_fp64(1), NULL));
    TRY(sl_vector_apply_second(*pairs, NULL, NULL, SL_TIMES_FP64, counts, sl_scalar_fp64(0.5),
                               NULL));
    TRY(sl_vector_ewise_mult(*pairs, NULL, NULL, SL_TIMES_FP64, *pairs, others, NULL));
out:
    sl_vector_free(counts);
    sl_vector_free(others);
    return status;
}

/* The mean of the coefficients, and the part of all pairs of neighbours that are joined. */
static sl_status summarise(sl_clustering *c, const sl_vector *coefficients, const sl_vector *pairs)
{
    const double n = (double)sl_vector_size(pairs);
    sl_scalar sum, all_pairs;
    sl_status status;
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, coefficients));
    TRY(sl_vector_reduce(&all_pairs, NULL, SL_PLUS_MONOID_FP64, pairs));
    c->mean = n > 0 ? sum.as.fp64_ / n : 0;
    c->global = all_pairs.as.fp64_ > 0 ? 3 * (double)c->triangles / all_pairs.as.fp64_ : 0;
out:
    return status;
}

sl_status sl_local_clustering(sl_vector **coefficient, const sl_matrix *A,
                              sl_clustering *clustering)
{
    if (coefficient)
        *coefficient = NULL;
    sl_clustering c = {0};
    sl_vector *triangles = NULL, *pairs = NULL, *some = NULL, *result = NULL;
    sl_status status = sl_require_output("local_clustering", A, coefficient, "coefficient");
    TRY(AGREE(A, status, "local_clustering", "coefficient %d\n", coefficient != NULL));
    TRY(sl_require_symmetric("local_clustering", A));
    TRY(sl_triangles(&c.triangles, &triangles, A));
    TRY(count_pairs(&pairs, A));

    /* some = pairs of the vertices with at least two neighbours; result = triangles / some, or 0 */
    TRY(sl_vector_new(&some, sl_matrix_context(A), SL_FP64, sl_matrix_nrows(A)));
    TRY(sl_vector_select(some, NULL, NULL, SL_VALUEGT_FP64, pairs, sl_scalar_fp64(0), NULL));
    TRY(sl_vector_filled(&result, A, sl_scalar_fp64(0)));
    TRY(sl_vector_ewise_mult(result, some, NULL, SL_DIV_FP64, triangles, some,
                             sl_descriptor_get(SL_STRUCTURE)));
    TRY(summarise(&c, result, pairs));
    if (clustering)
        *clustering = c;
out:
    sl_vector_free(triangles);
    sl_vector_free(pairs);
    sl_vector_free(some);
    sl_return_vector(coefficient, result, status);
    return status;
}
