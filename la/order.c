/*
 * A closure in the order of its values: of the vertices that wait only those near the least one
 * take a step, so that few are bettered again (Davidson, Baxter, Garland, Owens, "Work-Efficient
 * Parallel GPU Methods for Single-Source Shortest Paths", IPDPS 2014).
 */
#include "traverse.h"

#include <float.h>
#include <math.h>

/* How far apart those taken together may be, in lengths of an edge per degree. */
enum { SPREAD = 32 };

/* What a sum may come to: below 2^63 for integers. */
static double most_of(sl_type type)
{
    return type == SL_FP64 ? DBL_MAX : 9.2e18;
}

/* The least and the greatest of what was reduced to each, as floats. */
static double size_of(sl_scalar least, sl_scalar greatest)
{
    return fmax(fabs(sl_scalar_cast(least, SL_FP64).as.fp64_),
                fabs(sl_scalar_cast(greatest, SL_FP64).as.fp64_));
}

sl_status sl_may_order(double *width, const sl_vector *pi, const sl_matrix *A, sl_semiring semiring)
{
    const sl_type type = semiring->result;
    const sl_monoid min = sl_monoid_get(SL_MONOID_MIN, type);
    const sl_monoid max = sl_monoid_get(SL_MONOID_MAX, type);
    uint64_t edges;
    sl_scalar sum, least, greatest, low, high;
    *width = -1;
    if ((type != SL_INT64 && type != SL_FP64) || sl_matrix_type(A) != type ||
        sl_semiring_is_foreign(semiring) || semiring->add->code != SL_MONOID_MIN ||
        semiring->multiply->code != SL_BINARY_PLUS)
        return SL_OK;
    SL_TRY(sl_matrix_nvals(&edges, A));
    SL_TRY(sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, A));
    SL_TRY(sl_matrix_reduce(&least, NULL, min, A));
    SL_TRY(sl_matrix_reduce(&greatest, NULL, max, A));
    SL_TRY(sl_vector_reduce(&low, NULL, min, pi));
    SL_TRY(sl_vector_reduce(&high, NULL, max, pi));
    const double n = (double)sl_matrix_nrows(A);
    if (!(sl_scalar_cast(least, SL_FP64).as.fp64_ >= 0) || !isfinite(sum.as.fp64_) ||
        !(size_of(least, greatest) * (n + 1) + size_of(low, high) <= most_of(type)))
        return SL_OK;
    *width = SPREAD * (sum.as.fp64_ / (double)edges) * (n / (double)edges);
    return SL_OK;
}

/* The greatest value to be taken with the least that waits. */
static sl_scalar limit_of(sl_type type, double width, sl_scalar least)
{
    const double at = fmin(sl_scalar_cast(least, SL_FP64).as.fp64_ + width, most_of(type));
    const sl_scalar limit = sl_scalar_cast(sl_scalar_fp64(at), type);
    const bool rounded_down =
        type == SL_FP64 ? limit.as.fp64_ < least.as.fp64_ : limit.as.int64_ < least.as.int64_;
    return rounded_down ? least : limit;
}

static sl_status step_in_order(sl_vector *near, sl_vector *pi, sl_matrix *A, sl_semiring semiring)
{
    sl_traversal traversal = {
        .pi = OF_V(pi), .q = OF_V(near), .delta = OF_V(near), .A = A, .direction = SL_PUSH};
    sl_call call = {.op = SL_OP_ADVANCE,
                    .ctx = A->object.ctx,
                    .a = OF_M(A),
                    .semiring = semiring,
                    .traversal = &traversal};
    return sl_advance_checked(&call);
}

static sl_status close_in_order(sl_vector *pi, sl_vector *waiting, sl_vector *near, sl_matrix *A,
                                sl_semiring semiring, double width)
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
        const sl_scalar limit = limit_of(type, width, least);
        for (;;) {
            SL_TRY(sl_vector_select(near, NULL, NULL, within, waiting, limit, NULL));
            SL_TRY(sl_vector_nvals(&count, near));
            if (count == 0)
                break;
            SL_TRY(sl_vector_select(waiting, NULL, NULL, beyond, waiting, limit, NULL));
            SL_TRY(step_in_order(near, pi, A, semiring));
            SL_TRY(sl_vector_ewise_add(waiting, NULL, NULL, min, waiting, near, NULL));
        }
        SL_TRY(sl_vector_nvals(&count, waiting));
    }
    return SL_OK;
}

sl_status sl_close_in_order(sl_vector *pi, sl_vector *waiting, sl_matrix *A, sl_semiring semiring,
                            double width)
{
    sl_vector *near;
    SL_TRY(sl_vector_new(&near, A->object.ctx, semiring->result, sl_matrix_nrows(A)));
    sl_status status = close_in_order(pi, waiting, near, A, semiring, width);
    sl_vector_free(near);
    return status;
}
