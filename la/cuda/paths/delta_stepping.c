/* Delta-stepping on the host's side: which closures it applies to, the width of a bucket, and
 * scratch. delta_stepping.cu has the algorithm. */
#include <math.h>

#include "cuda/paths/delta_stepping.h"
#include "cuda/paths/delta_stepping_kernels.h"
#include "cuda/paths/lengths.h"
#include "cuda/runtime/traversal_switches.h"

/* Statistics of values. Least and greatest are NaN where there are no values. */
typedef struct {
    double least, greatest, sum; /* sum of the absolute values */
} value_range;

static sl_status find_range(cuda_relaxation *r, value_range *range, const uint32_t *bits,
                            const void *values, sl_type type, uint64_t n)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_value_range *made, weights;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &made, sizeof *made));
    CUDA_TRY(sl_cuda_zero(ctx, made, sizeof *made));
    CUDA_TRY(cuda_launched(&r->s, "kernel value_range",
                           sl_cuda_find_value_range(made, bits, values, type, n)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel value_range", &weights, made, sizeof weights));
    *range = (value_range){.least = sl_cuda_range_least(&weights),
                           .greatest = sl_cuda_range_greatest(&weights),
                           .sum = weights.sum};
    return SL_OK;
}

static const cuda_derived_kind range_kind = {.name = "range of the values", .release = sl_free};

/* The range of the matrix's values in the operator's type; kept with the matrix if that is the
 * matrix's type. */
static sl_status weight_range(cuda_relaxation *r, value_range *range)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_matrix *A = cuda_matrix_of(r->s.call->a);
    const bool own = r->params.p.values == A->values;
    const value_range *known = own ? cuda_find_derived(A->derived, &range_kind) : NULL;
    if (known) {
        *range = *known;
        return SL_OK;
    }
    CUDA_TRY(find_range(r, range, NULL, r->params.p.values, r->params.p.type, A->nnz));
    if (!own)
        return SL_OK;
    value_range *kept = sl_malloc(sizeof *kept);
    if (!kept)
        return cuda_no_host_memory(ctx);
    *kept = *range;
    return sl_cuda_keep_derived(ctx, &A->derived, &range_kind, kept);
}

/* *fits: whether the type holds the sum along any path of n edges. Integers that overflow would
 * compare wrongly. */
static sl_status sums_fit_type(cuda_relaxation *r, const value_range *weights, bool *fits)
{
    const sl_type type = r->params.p.type;
    const cuda_vector *vectors[] = {r->pi, r->q};
    double first = 0;
    value_range held;
    *fits = type == SL_FP32 || type == SL_FP64;
    if (*fits)
        return SL_OK;
    const bool is_signed =
        type == SL_INT8 || type == SL_INT16 || type == SL_INT32 || type == SL_INT64;
    const double most = ldexp(1, 8 * (int)sl_type_size(type) - is_signed - 1);
    for (int k = 0; k < 2; k++) {
        CUDA_TRY(find_range(r, &held, vectors[k]->bits, vectors[k]->values, type, r->params.n));
        first = fmax(first, fmax(fabs(held.least), fabs(held.greatest)));
    }
    *fits =
        first + fmax(fabs(weights->least), fabs(weights->greatest)) * ((double)r->params.n + 1) <=
        most;
    return SL_OK;
}

sl_status sl_cuda_delta_stepping_applies(cuda_relaxation *r, bool *applies, double *delta)
{
    const cuda_product *p = &r->params.p;
    const bool least = p->add == SL_BINARY_MIN, greatest = p->add == SL_BINARY_MAX;
    value_range weights;
    cuda_switches on;
    *applies = false;
    CUDA_TRY(sl_cuda_switches(&on, r->s.call->ctx));
    if (!on.delta_stepping || !(least || greatest) || p->any || p->multiply != SL_BINARY_PLUS ||
        p->kind != CUDA_VALUES || p->type == SL_BOOL || !p->values)
        return SL_OK;
    CUDA_TRY(weight_range(r, &weights));
    if (!(least ? weights.least >= 0 : weights.greatest <= 0))
        return SL_OK;
    const double degree = (double)p->nnz / (double)r->params.n;
    *delta = on.delta * DELTA_SCALE * (weights.sum / (double)p->nnz) / pow(degree, 3);
    return sums_fit_type(r, &weights, applies);
}

sl_status sl_cuda_delta_stepping(cuda_relaxation *r, double delta, const cuda_lengths *lengths)
{
    sl_context *ctx = r->s.call->ctx;
    const uint64_t n = r->params.n, bits = cuda_words(n) * sizeof(uint32_t);
    delta_stepping_params b = {
        .delta = delta, .by_length = lengths != NULL, .narrow = lengths && lengths->narrow};
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.improved, n * sizeof *b.improved));
    for (int k = 0; k < 2; k++)
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.far[k], n * sizeof *b.far[k]));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.far_bits, bits));
    CUDA_TRY(sl_cuda_zero(ctx, b.far_bits, bits));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.state, sizeof *b.state));
    CUDA_TRY(sl_cuda_zero(ctx, b.state, sizeof *b.state));
    CUDA_TRY(cuda_launched(&r->s, "kernel delta_stepping",
                           sl_cuda_delta_stepping_launch(&r->params, &b)));
    return sl_cuda_relaxation_fetch(r);
}
