/*
 * Delta-stepping for closures over min_plus: the near-far method of Davidson, Baxter, Garland and
 * Owens ("Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths", IPDPS 2014). The
 * vector `waiting` holds the vertices whose edges are not yet relaxed. Each iteration relaxes only
 * the vertices whose value is within delta of the minimum (`near`), so that few values are improved
 * several times.
 */
#include "la/traversal/traverse.h"

#include <float.h>
#include <math.h>

/* delta is SPREAD times the mean edge length, divided by the mean degree. */
enum { SPREAD = 32 };

double sl_near_width(const sl_value_range *lengths, uint64_t edges, uint64_t vertices)
{
    const double degree = (double)edges / (double)vertices;
    return SPREAD * (lengths->sum / (double)edges) / degree;
}

/* The maximum sum of edge lengths: below 2^63 for integers. */
static double max_sum(sl_type type)
{
    return type == SL_FP64 ? DBL_MAX : 9.2e18;
}

/* Whether no path length, added to a value of pi, can exceed the range of the type. */
static sl_status sums_stay_in_range(bool *in_range, const sl_vector *pi,
                                    const sl_value_range *lengths, sl_type type)
{
    const double longest_path = (double)sl_vector_size(pi) + 1; /* edges */
    sl_scalar low, high;
    SL_TRY(sl_vector_reduce(&low, NULL, sl_monoid_get(SL_MONOID_MIN, type), pi));
    SL_TRY(sl_vector_reduce(&high, NULL, sl_monoid_get(SL_MONOID_MAX, type), pi));
    const double initial = fmax(fabs(sl_scalar_cast(low, SL_FP64).as.fp64_),
                                fabs(sl_scalar_cast(high, SL_FP64).as.fp64_));
    *in_range =
        isfinite(lengths->sum) && lengths->greatest * longest_path + initial <= max_sum(type);
    return SL_OK;
}

sl_status sl_delta_stepping_width(double *delta, const sl_vector *pi, const sl_matrix *A,
                                  sl_semiring semiring)
{
    const sl_type type = semiring->result;
    sl_switches on;
    sl_value_range lengths;
    uint64_t edges;
    bool in_range;
    *delta = -1;
    SL_TRY(sl_switches_read(&on, A->object.ctx));
    if (sl_switched(on.off, SL_SWITCH_NODELTA) || (type != SL_INT64 && type != SL_FP64) ||
        sl_matrix_type(A) != type || sl_semiring_is_user_defined(semiring) ||
        semiring->add->code != SL_MONOID_MIN || semiring->multiply->code != SL_BINARY_PLUS)
        return SL_OK;
    SL_TRY(sl_matrix_nvals(&edges, A));
    SL_TRY(sl_matrix_value_range(&lengths, A));
    if (edges == 0 || !(lengths.least >= 0))
        return SL_OK;
    SL_TRY(sums_stay_in_range(&in_range, pi, &lengths, type));
    if (in_range)
        *delta = on.delta * sl_near_width(&lengths, edges, sl_matrix_nrows(A));
    return SL_OK;
}

sl_scalar sl_near_limit(sl_type type, double delta, sl_scalar least)
{
    const double at = fmin(sl_scalar_cast(least, SL_FP64).as.fp64_ + delta, max_sum(type));
    const sl_scalar limit = sl_scalar_cast(sl_scalar_fp64(at), type);
    const bool rounded_down =
        type == SL_FP64 ? limit.as.fp64_ < least.as.fp64_ : limit.as.int64_ < least.as.int64_;
    return rounded_down ? least : limit;
}

static sl_status relax_near(sl_vector *near, sl_vector *pi, sl_matrix *A, sl_semiring semiring)
{
    sl_traversal traversal = {
        .pi = OF_V(pi), .q = OF_V(near), .delta = OF_V(near), .A = A, .direction = SL_PUSH};
    sl_call call = {.op = SL_OP_ADVANCE,
                    .ctx = A->object.ctx,
                    .a = OF_M(A),
                    .operators.semiring = semiring,
                    .traversal = &traversal};
    return sl_advance_checked(&call);
}

static sl_status delta_stepping(sl_vector *pi, sl_vector *waiting, sl_vector *near, sl_matrix *A,
                                sl_semiring semiring, double delta, sl_progress *progress)
{
    const sl_type type = semiring->result;
    const sl_index_op within = sl_index_op_get(SL_INDEX_VALUELE, type);
    const sl_index_op beyond = sl_index_op_get(SL_INDEX_VALUEGT, type);
    const sl_binary_op min = sl_binary_op_get(SL_BINARY_MIN, type);
    uint64_t count;
    sl_scalar least;
    SL_TRY(sl_vector_nvals(&count, waiting));
    while (count > 0) {
        SL_TRY(sl_vector_reduce(&least, NULL, sl_monoid_get(SL_MONOID_MIN, type), waiting));
        const sl_scalar limit = sl_near_limit(type, delta, least);
        for (;;) {
            SL_TRY(sl_vector_select(near, NULL, NULL, within, waiting, limit, NULL));
            SL_TRY(sl_vector_nvals(&count, near));
            if (count == 0)
                break;
            progress->done += count;
            SL_TRY(sl_vector_select(waiting, NULL, NULL, beyond, waiting, limit, NULL));
            SL_TRY(relax_near(near, pi, A, semiring));
            SL_TRY(sl_vector_ewise_add(waiting, NULL, NULL, min, waiting, near, NULL));
        }
        SL_TRY(sl_vector_nvals(&count, waiting));
    }
    return SL_OK;
}

sl_status sl_delta_stepping(sl_vector *pi, sl_vector *waiting, sl_matrix *A, sl_semiring semiring,
                            double delta, sl_progress *progress)
{
    sl_vector *near;
    SL_TRY(sl_vector_new(&near, A->object.ctx, semiring->result, sl_matrix_nrows(A)));
    sl_status status = delta_stepping(pi, waiting, near, A, semiring, delta, progress);
    sl_vector_free(near);
    return status;
}
