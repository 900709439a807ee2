/*
 * Single-source shortest paths: the closure of the source over min_plus, which also returns the
 * parents. If there are negative lengths, the closure is first computed in parts of 16, 32, 64, ...
 * iterations, between which a cycle of negative length is looked for (sssp_cycle.c); after as many
 * iterations as vertices there is one if a distance still improves (Bellman 1958, Ford 1956). If
 * sums of lengths may exceed the range of the distances, the closure is over a min_plus whose sums
 * saturate (sssp_range.c), and the distances are checked.
 */
#include "algorithms/sssp_parts.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* Iterations before the first search for a negative cycle. */
enum { FIRST_ITERATIONS = 16 };

/* One call of sl_sssp. */
typedef struct {
    const sl_matrix *A;
    uint64_t n, source; /* vertices; the source */
    sl_type type;       /* of the distances: int64 or fp64 */
    bool negative;      /* there are negative lengths */
    bool wide;          /* a sum of n lengths may exceed the range of that type */
    sl_wide_semiring owned_semiring;
    sl_semiring min_plus;     /* built in, or if wide the owned one */
    sl_matrix *owned;         /* a copy of A with lengths that int64 has, or NULL; owned */
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
                         sl_matrix_id(A, edge[0]), sl_matrix_id(A, edge[1]),
                         sl_scalar_cast(length, SL_FP64).as.fp64_);
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

/* The lengths must be finite. Sets p->negative and p->wide. */
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
    double longest = size * ((double)p->n + 1);
    if (!p->negative) /* the sum is rounded */
        longest = fmin(longest, 1.001 * range.sum);
    p->wide = longest > max_distance(p);
out:
    return status;
}

/* Lengths of uint64 that int64 does not have become INT64_MAX, which stands for every sum out of
 * range: p->lengths is then a copy. */
static sl_status limit_lengths(paths *p)
{
    const sl_scalar most = sl_scalar_cast(sl_scalar_int64(INT64_MAX), SL_UINT64);
    sl_status status;
    TRY(sl_matrix_new(&p->owned, sl_matrix_context(p->A), p->type, p->n, p->n));
    TRY(sl_matrix_apply_second(p->owned, NULL, NULL, SL_MIN_UINT64, p->A, most, NULL));
    p->lengths = p->owned;
out:
    return status;
}

/* Chooses the type of the distances and the semiring. */
static sl_status choose_semiring(paths *p)
{
    const sl_type type = sl_matrix_type(p->A);
    p->type = type == SL_FP32 || type == SL_FP64 ? SL_FP64 : SL_INT64;
    p->lengths = p->A;
    sl_status status;
    TRY(check_lengths(p));
    p->min_plus = sl_semiring_get(SL_SEMIRING_MIN_PLUS, p->type);
    if (!p->wide)
        goto out;
    TRY(sl_sssp_wide_semiring_new(&p->owned_semiring, sl_matrix_context(p->A), p->type));
    p->min_plus = p->owned_semiring.min_plus;
    if (type == SL_UINT64)
        TRY(limit_lengths(p));
out:
    return status;
}

/* `where`: the cycle leads "through" the vertex or "to" it. */
static sl_status fail_with_cycle(const paths *p, const char *where, uint64_t vertex)
{
    return sl_fail(sl_matrix_context(p->A), SL_INVALID,
                   "sssp: a cycle of negative length leads %s vertex %" PRIu64
                   "; shortest paths do not exist",
                   where, sl_matrix_id(p->A, vertex));
}

/* After n iterations: if one more improves a distance, a cycle of negative length leads to that
 * vertex. */
static sl_status check_converged(const paths *p)
{
    sl_vector *improved = NULL;
    uint64_t vertex;
    sl_status status;
    TRY(sl_vector_new(&improved, sl_matrix_context(p->A), p->type, p->n));
    TRY(sl_advance(improved, p->distance, p->distance, p->lengths, p->min_plus, SL_PUSH, NULL));
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
static sl_status relax_some(bool *converged, paths *p, uint64_t iterations)
{
    sl_iteration_log log = {0};
    sl_closure_options options = {.bounded = true, .max_iterations = iterations, .log = &log};
    sl_vector *q = NULL;
    sl_status status;
    TRY(sl_vector_dup(&q, p->distance));
    TRY(sl_closure(p->distance, q, p->lengths, p->min_plus, &options));
    *converged = log.count < iterations;
out:
    sl_iteration_log_clear(&log);
    sl_vector_free(q);
    return status;
}

/* The closure with negative lengths: in parts, between which a negative cycle is looked for. */
static sl_status relax_negative(paths *p)
{
    uint64_t left = p->n, vertex;
    bool converged = false;
    sl_status status;
    TRY(sl_vector_with_entry(&p->distance, p->A, p->type, p->source, 0));
    for (uint64_t iterations = FIRST_ITERATIONS; left > 0; iterations *= 2) {
        iterations = iterations < left ? iterations : left;
        TRY(relax_some(&converged, p, iterations));
        if (converged)
            goto out;
        status = sl_sssp_find_cycle(&vertex, p->lengths, p->distance, p->min_plus);
        if (status != SL_NO_VALUE)
            return status == SL_OK ? fail_with_cycle(p, "through", vertex) : status;
        left -= iterations;
    }
    status = check_converged(p);
out:
    return status;
}

/* The closure of the source, with predecessors in `tree` if it is not NULL. */
static sl_status close_source(paths *p, sl_vector *tree)
{
    const sl_closure_options options = {.from_source = true,
                                        .source = p->source,
                                        .source_value = sl_scalar_cast(sl_scalar_int64(0), p->type),
                                        .parent = tree};
    sl_status status;
    TRY(sl_vector_new(&p->distance, sl_matrix_context(p->A), p->type, p->n));
    TRY(sl_closure(p->distance, NULL, p->lengths, p->min_plus, &options));
out:
    return status;
}

/* The distances, and the tree if it is not NULL. With negative lengths, a first computation of the
 * distances looks for cycles. */
static sl_status find_paths(paths *p, sl_vector *tree)
{
    sl_status status;
    TRY(p->negative ? relax_negative(p) : close_source(p, tree));
    if (p->wide)
        TRY(sl_sssp_check_range(p->distance));
    if (p->negative && tree) {
        sl_vector_free(p->distance);
        p->distance = NULL;
        TRY(close_source(p, tree));
    }
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
    TRY(choose_semiring(&p));
    if (parent)
        TRY(sl_vector_new(&tree, sl_matrix_context(A), SL_INT64, p.n));
    TRY(find_paths(&p, tree));
out:
    sl_matrix_free(p.owned);
    sl_sssp_wide_semiring_free(&p.owned_semiring);
    sl_return_vector(distance, p.distance, status);
    sl_return_vector(parent, tree, status);
    return status;
}
