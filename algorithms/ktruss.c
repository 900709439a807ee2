/*
 * The k-truss by rounds (Davis, "Graph algorithms via SuiteSparse:GraphBLAS: triangle counting and
 * k-truss", HPEC 2018): the support of each edge, the number of triangles that contain it, is the
 * product C C' over plus_pair masked by C; edges of a support below k - 2 are removed, until there
 * are none. The product is three products of the halves of C, of which each reads shorter rows.
 *
 * If a round removes few edges, the next one does not count all triangles again but those that
 * contained a removed edge (Wang and Cheng, "Truss Decomposition in Massive Networks", PVLDB 5, 2012).
 * With C = R + D, R removed and D kept, these are R C' + D R'.
 */
#include <inttypes.h>

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum {
    LEAST_K = 3,
    FEW = 8 /* edges are few if they are less than this part of the edges that are kept */
};

/* The state of a call. The matrices are int64, of A's shape, and owned. */
typedef struct {
    sl_matrix *before;    /* the edges before the last removal */
    sl_matrix *kept;      /* the edges that are left, with their support */
    sl_matrix *removed;   /* the edges that the last round removed */
    uint64_t edges;       /* entries of `kept` */
    uint64_t removals;    /* entries of `removed` */
    sl_scalar least;      /* the least support of an edge of the truss */
    sl_progress progress; /* rounds */
} trussing;

static sl_status begin(trussing *t, const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    const uint64_t n = sl_matrix_nrows(A);
    sl_status status;
    TRY(sl_matrix_new(&t->before, ctx, SL_INT64, n, n));
    TRY(sl_matrix_new(&t->kept, ctx, SL_INT64, n, n));
    TRY(sl_matrix_new(&t->removed, ctx, SL_INT64, n, n));
    TRY(sl_matrix_select(t->kept, NULL, NULL, SL_OFFDIAG_BOOL, A, sl_scalar_int64(0), NULL));
    TRY(sl_matrix_nvals(&t->edges, t->kept));
out:
    return status;
}

/* sum += A B', masked by the upper triangle. */
static sl_status add_product(sl_matrix *sum, sl_matrix *product, const sl_matrix *upper,
                             const sl_matrix *A, const sl_matrix *B)
{
    sl_status status;
    TRY(sl_mxm(product, upper, NULL, SL_PLUS_PAIR_INT64, A, B,
               sl_descriptor_get(SL_STRUCTURE | SL_REPLACE | SL_TRANSPOSE_B)));
    TRY(sl_matrix_ewise_add(sum, NULL, NULL, SL_PLUS_INT64, sum, product, NULL));
out:
    return status;
}

/* Counts the triangles of each edge that is left; edges without triangles lose their entries. The third
 * vertex of a triangle of the edge (u, v), u < v, comes after both, between them or before both: with the
 * triangles U and L of the matrix these are U U', U L' and L L', masked by U. */
static sl_status count_all(trussing *t)
{
    sl_context *ctx = sl_matrix_context(t->kept);
    const uint64_t n = sl_matrix_nrows(t->kept);
    sl_matrix *upper = NULL, *lower = NULL, *product = NULL, *sum = NULL;
    sl_status status;
    TRY(sl_matrix_new(&upper, ctx, SL_INT64, n, n));
    TRY(sl_matrix_new(&lower, ctx, SL_INT64, n, n));
    TRY(sl_matrix_new(&product, ctx, SL_INT64, n, n));
    TRY(sl_matrix_new(&sum, ctx, SL_INT64, n, n));
    TRY(sl_matrix_select(upper, NULL, NULL, SL_TRIU_BOOL, t->kept, sl_scalar_int64(1), NULL));
    TRY(sl_matrix_select(lower, NULL, NULL, SL_TRIL_BOOL, t->kept, sl_scalar_int64(-1), NULL));
    TRY(add_product(sum, product, upper, upper, upper));
    TRY(add_product(sum, product, upper, upper, lower));
    TRY(add_product(sum, product, upper, lower, lower));
    TRY(sl_matrix_ewise_add(t->kept, NULL, NULL, SL_PLUS_INT64, sum, sum,
                            sl_descriptor_get(SL_TRANSPOSE_B)));
out:
    sl_matrix_free(upper);
    sl_matrix_free(lower);
    sl_matrix_free(product);
    sl_matrix_free(sum);
    return status;
}

/* Subtracts the triangles that contained removed edges. */
static sl_status subtract_removed(trussing *t)
{
    const sl_descriptor flags = sl_descriptor_get(SL_STRUCTURE | SL_TRANSPOSE_B);
    sl_status status;
    TRY(sl_mxm(t->kept, t->kept, SL_MINUS_INT64, SL_PLUS_PAIR_INT64, t->removed, t->before, flags));
    TRY(sl_mxm(t->kept, t->kept, SL_MINUS_INT64, SL_PLUS_PAIR_INT64, t->kept, t->removed, flags));
out:
    return status;
}

/* Removes the edges of too little support. Those without any triangle have no entry; that they are gone
 * changes no support. */
static sl_status remove_edges(trussing *t)
{
    sl_matrix *swap = t->before;
    uint64_t edges;
    sl_status status;
    TRY(sl_matrix_nvals(&edges, t->kept));
    TRY(sl_matrix_select(t->before, NULL, NULL, SL_VALUEGE_INT64, t->kept, t->least, NULL));
    t->before = t->kept; /* the edges before the removal */
    t->kept = swap;
    TRY(sl_matrix_nvals(&t->edges, t->kept));
    t->removals = edges - t->edges;
    if (t->removals > 0 && t->removals < t->edges / FEW)
        TRY(sl_matrix_select(t->removed, NULL, NULL, SL_VALUELT_INT64, t->before, t->least, NULL));
out:
    return status;
}

/* One round: supports, then removal. */
static sl_status run_round(trussing *t)
{
    const bool few = t->removals < t->edges / FEW;
    sl_status status;
    TRY(few ? subtract_removed(t) : count_all(t));
    TRY(remove_edges(t));
    t->progress.done++;
out:
    return status;
}

sl_status sl_ktruss(sl_matrix **truss, const sl_matrix *A, uint64_t k)
{
    if (truss)
        *truss = NULL;
    trussing t = {.least = sl_scalar_int64(k > INT64_MAX ? INT64_MAX : (int64_t)k - 2),
                  .removals = UINT64_MAX,
                  .progress.operation = "ktruss"};
    sl_status status = sl_require_output("ktruss", A, truss, "truss");
    if (status == SL_OK && k < LEAST_K)
        status = sl_fail(sl_matrix_context(A), SL_INVALID,
                         "ktruss: k is %" PRIu64 "; the least value is %d", k, LEAST_K);
    TRY(AGREE(A, status, "ktruss", "k %" PRIu64 "\n", k));
    TRY(sl_require_symmetric("ktruss", A));
    sl_progress_begin(sl_matrix_context(A), &t.progress);
    TRY(begin(&t, A));
    while (t.edges > 0 && t.removals > 0)
        TRY(run_round(&t));
out:
    sl_progress_end(sl_matrix_context(A), &t.progress);
    sl_matrix_free(t.before);
    sl_matrix_free(t.removed);
    sl_return_matrix(truss, t.kept, status);
    return status;
}
