/*
 * Single-source shortest paths: the closure of the source over min_plus, then a search for the
 * parents (sssp_tree.c). If there are negative lengths, the closure is computed in parts of 16, 32,
 * 64, ... iterations, between which a cycle of negative length is looked for (sssp_cycle.c); after
 * as many iterations as vertices there is one if a distance still improves (Bellman 1958, Ford
 * 1956).
 */
#include "sssp_parts.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* Iterations before the first search for a negative cycle. */
enum { FIRST_ITERATIONS = 16 };

/* One call of sl_sssp. */
typedef struct {
    const sl_matrix *A;
    uint64_t n, source;       /* vertices; the source */
    sl_type type;             /* of lengths and distances: int64 or fp64 */
    bool negative;            /* there are negative lengths */
    sl_matrix *owned;         /* a copy of A with values of that type, or NULL; owned */
    const sl_matrix *lengths; /* A or the copy */
    sl_vector *distance;      /* owned */
} paths;

/* Fails with the first length that is NaN or infinite: one that is not 0 when subtracted from
 * itself. */
static sl_status fail_if_not_finite(const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_matrix *zero = NULL;
    uint64_t edge[2];
    sl_scalar length;
    sl_status status;
    TRY(sl_matrix_new(&zero, ctx, SL_FP64, sl_matrix_nrows(A), sl_matrix_ncols(A)));
    TRY(sl_matrix_ewise_mult(zero, NULL, NULL, SL_MINUS_FP64, A, A, NULL));
    TRY(sl_matrix_select(zero, NULL, NULL, SL_VALUENE_FP64, zero, sl_scalar_fp64(0), NULL));
    status = sl_first_entry(edge, zero);
    if (status == SL_NO_VALUE)
        status = SL_OK; /* all are finite, but their sum is not */
    else if (status == SL_OK) {
        TRY(sl_matrix_get(&length, A, edge[0], edge[1]));
        status = sl_fail(ctx, SL_INVALID,
                         "sssp: the edge from %" PRIu64 " to %" PRIu64
                         " has the length %g; lengths must be finite",
                         edge[0], edge[1], sl_scalar_cast(length, SL_FP64).as.fp64_);
    }
out:
    sl_matrix_free(zero);
    return status;
}

/* The greatest distance: below 2^63 for integers. */
static double max_distance(const paths *p)
{
    return p->type == SL_FP64 ? DBL_MAX : 9.2e18;
}

/* The lengths are finite, and the sum of n of them is in range. Sets p->negative. */
static sl_status check_lengths(paths *p)
{
    sl_value_range range;
    sl_status status;
    TRY(sl_matrix_value_range(&range, p->A));
    if (range.least > range.greatest)
        goto out; /* no edges */
    if (!isfinite(range.sum))
        TRY(fail_if_not_finite(p->A));
    p->negative = range.least < 0;
    const double size = fmax(fabs(range.least), fabs(range.greatest));
    if (size * ((double)p->n + 1) > max_distance(p))
        TRY(sl_fail(sl_matrix_context(p->A), SL_OUT_OF_RANGE,
                    "sssp: lengths up to %g on paths of %" PRIu64
                    " vertices may exceed the range of %s",
                    size, p->n, sl_type_name(p->type)));
out:
    return status;
}

/* The lengths in the type of the distances, so that no product has to convert them. */
static sl_status convert_lengths(paths *p)
{
    const sl_type type = sl_matrix_type(p->A);
    p->type = type == SL_FP32 || type == SL_FP64 ? SL_FP64 : SL_INT64;
    p->lengths = p->A;
    sl_status status;
    TRY(check_lengths(p));
    if (type == p->type)
        goto out;
    TRY(sl_matrix_new(&p->owned, sl_matrix_context(p->A), p->type, p->n, p->n));
    TRY(sl_matrix_apply(p->owned, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, p->type), p->A,
                        NULL));
    p->lengths = p->owned;
out:
    return status;
}

/* `where`: the cycle leads "through" the vertex or "to" it. */
static sl_status fail_with_cycle(const paths *p, const char *where, uint64_t vertex)
{
    return sl_fail(sl_matrix_context(p->A), SL_INVALID,
                   "sssp: a cycle of negative length leads %s vertex %" PRIu64
                   "; shortest paths do not exist",
                   where, vertex);
}

/* After n iterations: if one more improves a distance, a cycle of negative length leads to that
 * vertex. */
static sl_status check_converged(const paths *p, sl_semiring min_plus)
{
    sl_vector *improved = NULL;
    uint64_t vertex;
    sl_status status;
    TRY(sl_vector_new(&improved, sl_matrix_context(p->A), p->type, p->n));
    TRY(sl_advance(improved, p->distance, p->distance, p->lengths, min_plus, SL_PUSH, NULL));
    status = sl_first_index(&vertex, improved);
    if (status == SL_OK)
        status = fail_with_cycle(p, "to", vertex);
    else if (status == SL_NO_VALUE)
        status = SL_OK;
out:
    sl_vector_free(improved);
    return status;
}

/* At most `iterations` of the closure, from all vertices with a distance; *converged: it needed
 * fewer. */
static sl_status relax_some(bool *converged, paths *p, sl_semiring min_plus, uint64_t iterations)
{
    sl_iteration_log log = {0};
    sl_closure_options options = {.bounded = true, .max_iterations = iterations, .log = &log};
    sl_vector *q = NULL;
    sl_status status;
    TRY(sl_vector_dup(&q, p->distance));
    TRY(sl_closure(p->distance, q, p->lengths, min_plus, &options));
    *converged = log.count < iterations;
out:
    sl_iteration_log_clear(&log);
    sl_vector_free(q);
    return status;
}

/* The closure with negative lengths: in parts, between which a negative cycle is looked for. */
static sl_status relax_negative(paths *p, sl_semiring min_plus)
{
    uint64_t left = p->n, vertex;
    bool converged = false;
    sl_status status;
    TRY(sl_vector_with_entry(&p->distance, p->A, p->type, p->source, 0));
    for (uint64_t iterations = FIRST_ITERATIONS; left > 0; iterations *= 2) {
        iterations = iterations < left ? iterations : left;
        TRY(relax_some(&converged, p, min_plus, iterations));
        if (converged)
            goto out;
        status = sl_sssp_find_cycle(&vertex, p->lengths, p->distance);
        if (status != SL_NO_VALUE)
            return status == SL_OK ? fail_with_cycle(p, "through", vertex) : status;
        left -= iterations;
    }
    status = check_converged(p, min_plus);
out:
    return status;
}

static sl_status relax(paths *p)
{
    sl_semiring min_plus = sl_semiring_get(SL_SEMIRING_MIN_PLUS, p->type);
    const sl_closure_options options = {.from_source = true,
                                        .source = p->source,
                                        .source_value =
                                            sl_scalar_cast(sl_scalar_int64(0), p->type)};
    sl_status status;
    if (p->negative)
        return relax_negative(p, min_plus);
    TRY(sl_vector_new(&p->distance, sl_matrix_context(p->A), p->type, p->n));
    TRY(sl_closure(p->distance, NULL, p->lengths, min_plus, &options));
out:
    return status;
}

sl_status sl_sssp(sl_vector **distance, sl_vector **parent, const sl_matrix *A, uint64_t source)
{
    if (distance)
        *distance = NULL;
    if (parent)
        *parent = NULL;
    paths p = {.A = A, .source = source};
    sl_vector *tree = NULL;
    sl_status status;
    status = sl_require_output("sssp", A, distance, "distance");
    if (status == SL_OK)
        status = sl_require_vertices("sssp", "source", A, &source, 1);
    TRY(AGREE(A, status, "sssp", "parent %d\nsource %llu\ntype %d\n", parent != NULL,
              (unsigned long long)source, (int)sl_matrix_type(A)));
    p.n = sl_matrix_nrows(A);
    if (sl_matrix_type(A) == SL_BOOL) { /* every length is 1: distances are levels */
        const sl_bfs_options least = {.deterministic = true};
        return sl_bfs(parent, distance, A, source, &least);
    }
    TRY(convert_lengths(&p));
    TRY(relax(&p));
    if (parent)
        TRY(sl_sssp_find_parents(&tree, p.lengths, p.distance, source));
out:
    sl_matrix_free(p.owned);
    sl_return_vector(distance, p.distance, status);
    sl_return_vector(parent, tree, status);
    return status;
}
