/*
 * Triangles by products of the upper triangle U of the matrix, masked by U (Azad, Buluc, Gilbert,
 * IPDPSW 2015). A triangle u < v < w contributes 1 to (U U)(u, w), and 1 to (U' U)(v, w). If
 * degrees are skewed, vertices are first sorted by degree, so that the rows of U are short (Schank
 * and Wagner, WEA 2005).
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum { SKEWED = 16 }; /* degrees are skewed if the greatest is this multiple of the average */

/* A count in progress. The array and the matrices except A are owned. */
typedef struct {
    const sl_matrix *A;
    uint64_t n;               /* vertices */
    uint64_t *order;          /* vertices by rising degree; NULL: not sorted */
    sl_matrix *upper, *lower; /* of A in that order, without the diagonal */
    sl_matrix *ends;          /* for each edge (u, w) the number of triangles u < v < w */
} counting;

/* Sorts the vertices by `degree`, which is at most `most`, by a stable counting sort. */
static sl_status sort_by_degree(counting *c, const int64_t *degree, uint64_t most)
{
    uint64_t *position = sl_calloc(most + 2, sizeof *position);
    c->order = sl_malloc(c->n * sizeof *c->order);
    if (!position || !c->order) {
        sl_free(position);
        return sl_fail(sl_matrix_context(c->A), SL_NO_MEMORY,
                       "triangles: no memory to sort the vertices");
    }
    for (uint64_t v = 0; v < c->n; v++)
        position[degree[v] + 1]++;
    for (uint64_t d = 1; d <= most; d++)
        position[d] += position[d - 1];
    for (uint64_t v = 0; v < c->n; v++)
        c->order[position[degree[v]]++] = v;
    sl_free(position);
    return SL_OK;
}

/* Sorts the vertices by degree if degrees are skewed; not on a grid, where each process would need
 * all degrees. */
static sl_status sort_if_skewed(counting *c)
{
    sl_vector *degrees = NULL;
    int64_t *degree = NULL;
    uint64_t edges;
    sl_scalar most;
    sl_status status;
    if (sl_context_processes(sl_matrix_context(c->A)) > 1)
        return SL_OK;
    TRY(sl_matrix_nvals(&edges, c->A));
    TRY(sl_degrees(&degrees, c->A));
    TRY(sl_vector_reduce(&most, NULL, SL_MAX_MONOID_INT64, degrees));
    if (edges == 0 || (double)most.as.int64_ * (double)c->n <= SKEWED * (double)edges)
        goto out;
    TRY(sl_search_array(&degree, degrees));
    for (uint64_t v = 0; v < c->n; v++)
        degree[v] = degree[v] == SL_UNREACHED ? 0 : degree[v];
    TRY(sort_by_degree(c, degree, (uint64_t)most.as.int64_));
out:
    sl_vector_free(degrees);
    sl_free(degree);
    return status;
}

/* Makes `upper` and, if `both`, `lower`. */
static sl_status make_halves(counting *c, bool both)
{
    sl_context *ctx = sl_matrix_context(c->A);
    sl_matrix *sorted = NULL;
    const sl_matrix *edges = c->A;
    sl_status status;
    if (c->order) {
        TRY(sl_matrix_new(&sorted, ctx, SL_BOOL, c->n, c->n));
        TRY(sl_matrix_extract(sorted, NULL, NULL, c->A, c->order, c->n, c->order, c->n, NULL));
        edges = sorted;
    }
    TRY(sl_matrix_new(&c->upper, ctx, SL_BOOL, c->n, c->n));
    TRY(sl_matrix_select(c->upper, NULL, NULL, SL_TRIU_BOOL, edges, sl_scalar_int64(1), NULL));
    if (both) {
        TRY(sl_matrix_new(&c->lower, ctx, SL_BOOL, c->n, c->n));
        TRY(sl_matrix_select(c->lower, NULL, NULL, SL_TRIL_BOOL, edges, sl_scalar_int64(-1), NULL));
    }
out:
    sl_matrix_free(sorted);
    return status;
}

/* The triangles that contain each vertex: as the first, the last or the middle one. */
static sl_status count_per_vertex(sl_vector **per_vertex, const counting *c)
{
    sl_context *ctx = sl_matrix_context(c->A);
    sl_matrix *middles = NULL;
    sl_vector *sum = NULL;
    sl_status status;
    TRY(sl_matrix_new(&middles, ctx, SL_INT64, c->n, c->n));
    TRY(sl_mxm(middles, c->upper, NULL, SL_PLUS_PAIR_INT64, c->lower, c->upper,
               sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_vector_filled(&sum, c->A, sl_scalar_int64(0)));
    TRY(sl_matrix_reduce_rows(sum, NULL, SL_PLUS_INT64, SL_PLUS_MONOID_INT64, c->ends, NULL));
    TRY(sl_matrix_reduce_rows(sum, NULL, SL_PLUS_INT64, SL_PLUS_MONOID_INT64, c->ends,
                              sl_descriptor_get(SL_TRANSPOSE_A)));
    TRY(sl_matrix_reduce_rows(sum, NULL, SL_PLUS_INT64, SL_PLUS_MONOID_INT64, middles, NULL));
    if (!c->order) {
        *per_vertex = sum;
        sum = NULL;
        goto out;
    }
    TRY(sl_vector_new(per_vertex, ctx, SL_INT64, c->n));
    TRY(sl_vector_assign(*per_vertex, NULL, NULL, sum, c->order, c->n, NULL));
out:
    sl_matrix_free(middles);
    sl_vector_free(sum);
    return status;
}

sl_status sl_triangles(uint64_t *count, sl_vector **per_vertex, const sl_matrix *A)
{
    if (per_vertex)
        *per_vertex = NULL;
    counting c = {.A = A};
    sl_vector *result = NULL;
    sl_scalar sum;
    sl_status status;
    status = sl_require_output("triangles", A, count, "count");
    TRY(AGREE(A, status, "triangles", "per_vertex %d\n", per_vertex != NULL));
    TRY(sl_require_symmetric("triangles", A));
    c.n = sl_matrix_nrows(A);
    TRY(sort_if_skewed(&c));
    TRY(make_halves(&c, per_vertex != NULL));
    TRY(sl_matrix_new(&c.ends, sl_matrix_context(A), SL_INT64, c.n, c.n));
    TRY(sl_mxm(c.ends, c.upper, NULL, SL_PLUS_PAIR_INT64, c.upper, c.upper,
               sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, c.ends));
    if (per_vertex)
        TRY(count_per_vertex(&result, &c));
    *count = (uint64_t)sum.as.int64_;
out:
    sl_free(c.order);
    sl_matrix_free(c.upper);
    sl_matrix_free(c.lower);
    sl_matrix_free(c.ends);
    sl_return_vector(per_vertex, result, status);
    return status;
}
