/* Sums over tiles of products with a vector that lacks entries, which are read as something that adds nothing. */
#include "cuda/products/missing_entries.h"

#include <float.h>
#include <math.h>

#include "cuda/operations/value_range.h"

bool sl_cuda_has_many_entries(const sl_object *vector)
{
    enum { LEAST_SHARE = 128 };
    const cuda_vector *u = cuda_vector_of(vector);
    return !u->order && u->nvals != CUDA_UNKNOWN && u->nvals >= vector->nrows / LEAST_SHARE;
}

static bool is_float(sl_type type)
{
    return type == SL_FP32 || type == SL_FP64;
}

/* When the products of the matrix's values with what stands for a missing entry (summing.cuh) add nothing. */
typedef enum {
    NEVER,
    ALWAYS,
    IF_NUMBERS, /* no value is NaN */
    /* Values are finite; integers are so near to 0 that sums do not overflow, as the vector's have to be. */
    IF_BOUNDED
} missing_adds_nothing;

static bool is_unsigned(sl_type type)
{
    return type == SL_UINT32 || type == SL_UINT64;
}

static missing_adds_nothing when_missing_adds_nothing(const cuda_product *p)
{
    if (p->multiply == p->add)
        return NEVER;
    if (p->multiply == SL_BINARY_MIN || p->multiply == SL_BINARY_MAX)
        return is_float(p->type) ? IF_NUMBERS : ALWAYS;
    if (is_float(p->type) == (p->add != SL_BINARY_PLUS))
        return ALWAYS;
    return (is_float(p->type) || p->multiply == SL_BINARY_PLUS) &&
                   !(is_unsigned(p->type) && p->add == SL_BINARY_MAX)
               ? IF_BOUNDED
               : NEVER;
}

/* The greatest value of IF_BOUNDED. */
static double bound_of(sl_type type)
{
    return type == SL_FP32   ? FLT_MAX
           : type == SL_FP64 ? DBL_MAX
                             : ldexp(1, 8 * (int)sl_type_size(type) - !is_unsigned(type) - 3);
}

/* *within: no value of M is NaN, and none exceeds `most`. */
static sl_status values_are_within(bool *within, sl_context *ctx, cuda_matrix *M, sl_type stored,
                                   sl_type type, double most)
{
    cuda_value_range range;
    CUDA_TRY(sl_cuda_range_of_matrix(ctx, &range, M, stored));
    *within = range.least >= (is_unsigned(type) ? 0 : -most) && range.greatest <= most;
    return SL_OK;
}

sl_status sl_cuda_lets_entries_be_missing(bool *yes, sl_context *ctx, const cuda_product *p,
                                          cuda_matrix *M, sl_type stored)
{
    const missing_adds_nothing when = when_missing_adds_nothing(p);
    *yes = when == ALWAYS;
    return when == NEVER || when == ALWAYS
               ? SL_OK
               : values_are_within(yes, ctx, M, stored, p->type,
                                   when == IF_NUMBERS ? INFINITY : bound_of(p->type));
}

/* *tells: sums of missing entries alone differ from all others, unless a value of the vector is far. */
static sl_status sums_may_tell(bool *tells, sl_context *ctx, const cuda_sum_operators *by,
                               cuda_matrix *M, sl_type stored)
{
    *tells = by->add != SL_BINARY_PLUS && (!by->multiplies || by->multiply == SL_BINARY_PLUS);
    return *tells && by->multiplies
               ? values_are_within(tells, ctx, M, stored, by->type, bound_of(by->type))
               : SL_OK;
}

sl_status sl_cuda_order_partial_vector(cuda_partial_vector *u, cuda_scratch *s,
                                       cuda_neighbour_sums *sums, const cuda_product *p,
                                       cuda_matrix *M, sl_type stored)
{
    sl_context *ctx = s->call->ctx;
    unsigned is_far = 0;
    sums->u = p->u_values;
    CUDA_TRY(sums_may_tell(&u->tells, ctx, &sums->by, M, stored));
    CUDA_TRY(
        sl_cuda_scratch_take(s, &sums->ordered, sums->of.columns * sl_type_size(sums->by.type)));
    if (u->tells) {
        CUDA_TRY(sl_cuda_scratch_take(s, &sums->far, sizeof *sums->far));
        CUDA_TRY(sl_cuda_zero(ctx, sums->far, sizeof *sums->far));
    }
    CUDA_TRY(cuda_launched(s, "kernel order_values", sl_cuda_order_factors(sums)));
    if (u->tells)
        CUDA_TRY(sl_cuda_fetch(ctx, "kernel order_values", &is_far, sums->far, sizeof is_far));
    u->fits = !is_far || !sums->by.multiplies || is_float(sums->by.type);
    u->tells &= !is_far;
    return SL_OK;
}
