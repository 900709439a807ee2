/*
 * A closure in the order of its values: of the vertices that wait only those near the least one
 * take a step, so that few are bettered again (Davidson, Baxter, Garland, Owens, "Work-Efficient
 * Parallel GPU Methods for Single-Source Shortest Paths", IPDPS 2014).
 */
#include "traverse.h"

#include <float.h>
#include <math.h>

/* Those are taken together that are no further apart than so many mean lengths of an edge, divided
 * by the degree. */
enum { SPREAD = 32 };

/* What a sum may come to: below 2^63 for integers. */
static double most_of(sl_type type)
{
    return type == SL_FP64 ? DBL_MAX : 9.2e18;
}

/* No sum of a path's lengths, nor what it is added to, passes what the type can hold. */
static sl_status stays_in_type(bool *stays, const sl_vector *pi, const sl_value_range *lengths,
                               sl_type type)
{
    const double steps = (double)sl_vector_size(pi) + 1;
    sl_scalar low, high;
    SL_TRY(sl_vector_reduce(&low, NULL, sl_monoid_get(SL_MONOID_MIN, type), pi));
    SL_TRY(sl_vector_reduce(&high, NULL, sl_monoid_get(SL_MONOID_MAX, type), pi));
    const double first = fmax(fabs(sl_scalar_cast(low, SL_FP64).as.fp64_),
                              fabs(sl_scalar_cast(high, SL_FP64).as.fp64_));
    *stays = isfinite(lengths->sum) && lengths->greatest * steps + first <= most_of(type);
    return SL_OK;
}

sl_status sl_may_order(double *width, const sl_vector *pi, const sl_matrix *A, sl_semiring semiring)
{
    const sl_type type = semiring->result;
    sl_switches on;
    sl_value_range lengths;
    uint64_t edges;
    bool stays;
    *width = -1;
    SL_TRY(sl_switches_read(&on, A->object.ctx));
    if (sl_switched(on.off, SL_SWITCH_NODELTA) || (type != SL_INT64 && type != SL_FP64) ||
        sl_matrix_type(A) != type || sl_semiring_is_user_defined(semiring) ||
        semiring->add->code != SL_MONOID_MIN || semiring->multiply->code != SL_BINARY_PLUS)
        return SL_OK;
    SL_TRY(sl_matrix_nvals(&edges, A));
    SL_TRY(sl_matrix_value_range(&lengths, A));
    if (edges == 0 || !(lengths.least >= 0))
        return SL_OK;
    SL_TRY(stays_in_type(&stays, pi, &lengths, type));
    const double degree = (double)edges / (double)sl_matrix_nrows(A);
    if (stays)
        *width = on.delta * SPREAD * (lengths.sum / (double)edges) / degree;
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
