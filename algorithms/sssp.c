/*
 * Single-source shortest paths: the closure of one distance over min_plus; in parts
 * (Bellman 1958, Ford 1956) where negative lengths have to be watched.
 */
#include "sssp.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* Until a negative cycle is looked for; then twice as many. */
enum { FIRST_STEPS = 16 };

typedef struct {
    const sl_matrix *A;
    uint64_t n;
    sl_type type;  /* of lengths and distances */
    bool negative; /* there are negative lengths */
    sl_matrix *owned;
    const sl_matrix *lengths; /* A, or `owned`, which is A in that type */
    sl_vector *distance;
} paths;

/* Names a length that is NaN or infinite: one that minus itself is not 0. */
static sl_status refuse_infinite(const sl_matrix *A)
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
        status = SL_OK; /* only their sum is not finite */
    else if (status == SL_OK) {
        TRY(sl_matrix_get(&length, A, edge[0], edge[1]));
        status = sl_fail(ctx, SL_INVALID,
                         "sssp: the edge from %" PRIu64 " to %" PRIu64 " has the length %g",
                         edge[0], edge[1], sl_scalar_cast(length, SL_FP64).as.fp64_);
    }
out:
    sl_matrix_free(zero);
    return status;
}

/* What a distance may come to: below 2^63 for integers. */
static double most_of(const paths *p)
{
    return p->type == SL_FP64 ? DBL_MAX : 9.2e18;
}

/* Are the lengths numbers, and small enough for the sums that paths can have? */
static sl_status check_lengths(paths *p)
{
    sl_value_range range;
    sl_status status;
    TRY(sl_matrix_value_range(&range, p->A));
    if (range.least > range.greatest)
        goto out; /* no edges */
    if (!isfinite(range.sum))
        TRY(refuse_infinite(p->A));
    p->negative = range.least < 0;
    const double size = fmax(fabs(range.least), fabs(range.greatest));
    if (size * ((double)p->n + 1) > most_of(p))
        TRY(sl_fail(sl_matrix_context(p->A), SL_OUT_OF_RANGE,
                    "sssp: lengths up to %g over paths of %" PRIu64 " vertices may pass what %s "
                    "can hold",
                    size, p->n, sl_type_name(p->type)));
out:
    return status;
}

/* The lengths in the distances' type, so that no product has to cast them. */
static sl_status take_lengths(paths *p)
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

static sl_status refuse_cycle(const paths *p, const char *what, uint64_t vertex)
{
    return sl_fail(sl_matrix_context(p->A), SL_INVALID,
                   "sssp: a cycle of negative length leads %s vertex %" PRIu64, what, vertex);
}

/* After n steps: nothing is better in one more, or a cycle leads there. */
static sl_status check_end(const paths *p, sl_semiring min_plus)
{
    sl_vector *better = NULL;
    uint64_t vertex;
    sl_status status;
    TRY(sl_vector_new(&better, sl_matrix_context(p->A), p->type, p->n));
    TRY(sl_advance(better, p->distance, p->distance, p->lengths, min_plus, SL_PUSH, NULL));
    status = sl_first_index(&vertex, better);
    if (status == SL_OK)
        status = refuse_cycle(p, "to", vertex);
    else if (status == SL_NO_VALUE)
        status = SL_OK;
out:
    sl_vector_free(better);
    return status;
}

/* The closure, as far as `steps`; *done is true if it ended by itself. */
static sl_status close_in_steps(bool *done, paths *p, sl_semiring min_plus, uint64_t steps)
{
    sl_iteration_log log = {0};
    sl_closure_options options = {.bounded = true, .max_iterations = steps, .log = &log};
    sl_vector *q = NULL;
    sl_status status;
    TRY(sl_vector_dup(&q, p->distance));
    TRY(sl_closure(p->distance, q, p->lengths, min_plus, &options));
    *done = log.count < steps;
out:
    sl_iteration_log_clear(&log);
    sl_vector_free(q);
    return status;
}

/* Negative lengths: in parts, between which negative cycles are looked for. */
static sl_status relax_negative(paths *p, sl_semiring min_plus)
{
    uint64_t left = p->n, vertex;
    bool done = false;
    sl_status status = SL_OK;
    for (uint64_t steps = FIRST_STEPS; left > 0; steps *= 2) {
        steps = steps < left ? steps : left;
        TRY(close_in_steps(&done, p, min_plus, steps));
        if (done)
            goto out;
        status = sl_sssp_find_cycle(&vertex, p->lengths, p->distance);
        if (status != SL_NO_VALUE)
            return status == SL_OK ? refuse_cycle(p, "through", vertex) : status;
        left -= steps;
    }
    status = check_end(p, min_plus);
out:
    return status;
}

static sl_status relax(paths *p)
{
    sl_semiring min_plus = sl_semiring_get(SL_SEMIRING_MIN_PLUS, p->type);
    sl_vector *q = NULL;
    sl_status status;
    if (p->negative)
        return relax_negative(p, min_plus);
    TRY(sl_vector_dup(&q, p->distance));
    TRY(sl_closure(p->distance, q, p->lengths, min_plus, NULL));
out:
    sl_vector_free(q);
    return status;
}

sl_status sl_sssp(sl_vector **distance, sl_vector **parent, const sl_matrix *A, uint64_t source)
{
    if (distance)
        *distance = NULL;
    if (parent)
        *parent = NULL;
    paths p = {.A = A};
    sl_vector *tree = NULL;
    sl_status status;
    TRY(sl_require_square("sssp", A));
    if (!distance)
        TRY(sl_fail(sl_matrix_context(A), SL_INVALID, "sssp: distance is NULL"));
    TRY(sl_require_vertices("sssp", "source", A, &source, 1));
    p.n = sl_matrix_nrows(A);
    if (sl_matrix_type(A) == SL_BOOL) { /* every length is 1: a level is a distance */
        const sl_bfs_options least = {.deterministic = true};
        return sl_bfs(parent, distance, A, source, &least);
    }
    TRY(take_lengths(&p));
    TRY(sl_vector_with_entry(&p.distance, A, p.type, source, 0));
    TRY(relax(&p));
    if (parent)
        TRY(sl_sssp_tree(&tree, p.lengths, p.distance, source));
out:
    sl_matrix_free(p.owned);
    sl_return_vector(distance, p.distance, status);
    sl_return_vector(parent, tree, status);
    return status;
}
