/*
 * Shortest paths whose lengths are so large that some sum of them may exceed the range of the
 * distances. Integer sums saturate: the greatest and the least int64 stand for every sum beyond
 * them, and stay what they are when a length is added. Sums of fp64 become infinite by themselves.
 * So a path that is too long is never the shortest of several, and a distance out of range shows as
 * one of these values in the result.
 */
#include "algorithms/sssp_parts.h"

#include <inttypes.h>
#include <math.h>

/* The C text of a saturating sum, for the function and for engines that compile operators. */
#define SATURATING_SUM                                                                             \
    if (*x == INT64_MAX || *x == INT64_MIN)                                                        \
        *z = *x;                                                                                   \
    else if (*y > 0 && *x > INT64_MAX - *y)                                                        \
        *z = INT64_MAX;                                                                            \
    else if (*y < 0 && *x < INT64_MIN - *y)                                                        \
        *z = INT64_MIN;                                                                            \
    else                                                                                           \
        *z = *x + *y;
#define TEXT_OF(...)          #__VA_ARGS__
#define EXPANDED_TEXT_OF(...) TEXT_OF(__VA_ARGS__)

static void saturating_sum(void *sum, const void *left, const void *right)
{
    int64_t *z = sum;
    const int64_t *x = left, *y = right;
    SATURATING_SUM
}

/* Defined by the user's means, so that it does not run as the built-in min_plus, for which engines
 * choose algorithms that need finite sums. */
static void fp64_sum(void *sum, const void *left, const void *right)
{
    *(double *)sum = *(const double *)left + *(const double *)right;
}

sl_status sl_sssp_wide_semiring_new(sl_wide_semiring *wide, sl_context *ctx, sl_type type)
{
    const bool real = type == SL_FP64;
    sl_status status;
    TRY(sl_binary_op_new(&wide->plus, ctx, "saturating_plus", type, type, type,
                         real ? fp64_sum : saturating_sum,
                         real ? "*z = *x + *y;" : EXPANDED_TEXT_OF(SATURATING_SUM)));
    TRY(sl_semiring_new(&wide->min_plus, ctx, "min_saturating_plus",
                        sl_monoid_get(SL_MONOID_MIN, type), wide->plus));
out:
    return status;
}

void sl_sssp_wide_semiring_free(sl_wide_semiring *wide)
{
    sl_semiring_free(wide->min_plus);
    sl_binary_op_free(wide->plus);
}

/* Sets *vertex to the first with this distance; SL_NO_VALUE if there is none. */
static sl_status find_distance(uint64_t *vertex, const sl_vector *distance, sl_scalar value)
{
    sl_vector *equal = NULL;
    sl_status status;
    TRY(sl_vector_new(&equal, sl_vector_context(distance), value.type, sl_vector_size(distance)));
    TRY(sl_vector_select(equal, NULL, NULL, sl_index_op_get(SL_INDEX_VALUEEQ, value.type), distance,
                         value, NULL));
    status = sl_first_index(vertex, equal);
out:
    sl_vector_free(equal);
    return status;
}

sl_status sl_sssp_check_range(const sl_vector *distance)
{
    sl_context *ctx = sl_vector_context(distance);
    const sl_type type = sl_vector_type(distance);
    const bool real = type == SL_FP64;
    uint64_t vertex;
    sl_status status = find_distance(&vertex, distance,
                                     real ? sl_scalar_fp64(INFINITY) : sl_scalar_int64(INT64_MAX));
    if (status == SL_OK)
        return sl_fail(ctx, SL_OUT_OF_RANGE,
                       "sssp: the distance of vertex %" PRIu64 " is above the range of %s", vertex,
                       sl_type_name(type));
    if (status == SL_NO_VALUE)
        status = find_distance(&vertex, distance,
                               real ? sl_scalar_fp64(-INFINITY) : sl_scalar_int64(INT64_MIN));
    if (status == SL_OK)
        return sl_fail(ctx, SL_OUT_OF_RANGE,
                       "sssp: the distance of vertex %" PRIu64
                       " is below the range of %s, or a cycle of negative length leads to it",
                       vertex, sl_type_name(type));
    return status == SL_NO_VALUE ? SL_OK : status;
}
