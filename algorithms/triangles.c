/*
 * Triangles by products of the upper half U of the edges, masked by U (Azad,
 * Buluc, Gilbert, IPDPSW 2015). A triangle u < v < w stands in U U at (u, w), and
 * in U' U at (v, w). Where degrees are uneven the vertices are first put in
 * the order of their degrees, so that the rows of U are short (Schank and Wagner,
 * WEA 2005).
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum { UNEVEN = 16 }; /* the greatest degree is that many times the average */

typedef struct {
    const sl_matrix *A;
    uint64_t n;
    uint64_t *order; /* vertices by rising degree, or NULL: as they are */
    sl_matrix *upper, *lower;
    sl_matrix *ends; /* for each edge (u, w) the triangles u < v < w */
} counting;

/* Sorts 0 .. n - 1 by `degree`, which is at most `most`; equal ones stay in order. */
static sl_status sort_by_degree(counting *c, const int64_t *degree, uint64_t most)
{
    uint64_t *place = sl_calloc(most + 2, sizeof *place);
    c->order = sl_malloc(c->n * sizeof *c->order);
    if (!place || !c->order) {
        sl_free(place);
        return sl_fail(sl_matrix_context(c->A), SL_NO_MEMORY, "triangles: no memory for an order");
    }
    for (uint64_t v = 0; v < c->n; v++)
        place[degree[v] + 1]++;
    for (uint64_t d = 1; d <= most; d++)
        place[d] += place[d - 1];
    for (uint64_t v = 0; v < c->n; v++)
        c->order[place[degree[v]]++] = v;
    sl_free(place);
    return SL_OK;
}

/* Decides whether an order pays, and makes it: not of vertices that are spread over
 * processes, which would need all degrees in each. */
static sl_status find_order(counting *c)
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
    if (edges == 0 || (double)most.as.int64_ * (double)c->n <= UNEVEN * (double)edges)
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

/* The triangles of each vertex: as the first, the last, the one between. */
static sl_status count_corners(sl_vector **per_vertex, const counting *c)
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
    sl_vector *corners = NULL;
    sl_scalar sum;
    sl_status status;
    TRY(sl_require_square("triangles", A));
    if (!count)
        TRY(sl_fail(sl_matrix_context(A), SL_INVALID, "triangles: count is NULL"));
    TRY(sl_require_symmetric("triangles", A));
    c.n = sl_matrix_nrows(A);
    TRY(find_order(&c));
    TRY(make_halves(&c, per_vertex != NULL));
    TRY(sl_matrix_new(&c.ends, sl_matrix_context(A), SL_INT64, c.n, c.n));
    TRY(sl_mxm(c.ends, c.upper, NULL, SL_PLUS_PAIR_INT64, c.upper, c.upper,
               sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, c.ends));
    if (per_vertex)
        TRY(count_corners(&corners, &c));
    *count = (uint64_t)sum.as.int64_;
out:
    sl_free(c.order);
    sl_matrix_free(c.upper);
    sl_matrix_free(c.lower);
    sl_matrix_free(c.ends);
    sl_return_vector(per_vertex, corners, status);
    return status;
}
