/* Closures in the order of values (buckets.cu): which may be taken so, and what they need. */
#include <math.h>

#include "relax.h"
#include "switches.h"

static sl_status find_range(cuda_traversal *r, cuda_range *range, const uint32_t *bits,
                            const void *values, sl_type type, uint64_t n)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_weights *made, weights;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &made, sizeof *made));
    CUDA_TRY(sl_cuda_zero(ctx, made, sizeof *made));
    CUDA_TRY(cuda_launched(
        &r->s, "kernel weigh",
        sl_cuda_weigh(made, bits, values, type, n, cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel weigh", &weights, made, sizeof weights));
    *range = (cuda_range){.known = true,
                          .least = sl_cuda_least_weight(&weights),
                          .greatest = sl_cuda_greatest_weight(&weights),
                          .sum = weights.sum};
    return SL_OK;
}

/* The matrix's, in the operator's type; kept with it where that is its own. */
static sl_status find_weights(cuda_traversal *r, cuda_range *range)
{
    cuda_matrix *A = cuda_matrix_of(r->s.call->a);
    const bool own = r->x.p.values == A->values;
    *range = A->range;
    if (own && range->known)
        return SL_OK;
    CUDA_TRY(find_range(r, range, NULL, r->x.p.values, r->x.p.type, A->nnz));
    if (own)
        A->range = *range;
    return SL_OK;
}

/* Integers' sums are no paths' any more where they pass what the type can hold. */
static sl_status stay_in_type(cuda_traversal *r, const cuda_range *weights, bool *stay)
{
    const sl_type type = r->x.p.type;
    const cuda_vector *vectors[] = {r->pi, r->q};
    double first = 0;
    cuda_range held;
    *stay = type == SL_FP32 || type == SL_FP64;
    if (*stay)
        return SL_OK;
    const bool is_signed =
        type == SL_INT8 || type == SL_INT16 || type == SL_INT32 || type == SL_INT64;
    const double most = ldexp(1, 8 * (int)sl_type_size(type) - is_signed - 1);
    for (int k = 0; k < 2; k++) {
        CUDA_TRY(find_range(r, &held, vectors[k]->bits, vectors[k]->values, type, r->x.n));
        first = fmax(first, fmax(fabs(held.least), fabs(held.greatest)));
    }
    *stay =
        first + fmax(fabs(weights->least), fabs(weights->greatest)) * ((double)r->x.n + 1) <= most;
    return SL_OK;
}

sl_status sl_cuda_may_delta_step(cuda_traversal *r, bool *may, double *width)
{
    const cuda_product *p = &r->x.p;
    const bool least = p->add == SL_BINARY_MIN, greatest = p->add == SL_BINARY_MAX;
    cuda_range weights;
    cuda_switches on;
    *may = false;
    CUDA_TRY(sl_cuda_switches(&on, r->s.call->ctx));
    if (!on.delta_stepping || !(least || greatest) || p->any || p->multiply != SL_BINARY_PLUS ||
        p->kind != CUDA_VALUES || p->type == SL_BOOL || !p->values)
        return SL_OK;
    CUDA_TRY(find_weights(r, &weights));
    if (!(least ? weights.least >= 0 : weights.greatest <= 0))
        return SL_OK;
    const double degree = (double)p->nnz / (double)r->x.n;
    *width = on.delta * BUCKET_SPREAD * (weights.sum / (double)p->nnz) / pow(degree, 3);
    return stay_in_type(r, &weights, may);
}

sl_status sl_cuda_delta_stepping(cuda_traversal *r, double width)
{
    sl_context *ctx = r->s.call->ctx;
    const uint64_t n = r->x.n, bits = cuda_words(n) * sizeof(uint32_t);
    delta_stepping_params b = {.width = width};
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.found, n * sizeof *b.found));
    for (int k = 0; k < 2; k++)
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.waiting[k], n * sizeof *b.waiting[k]));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.waits, bits));
    CUDA_TRY(sl_cuda_zero(ctx, b.waits, bits));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &b.state, sizeof *b.state));
    CUDA_TRY(sl_cuda_zero(ctx, b.state, sizeof *b.state));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel buckets", sl_cuda_delta_stepping_launch(&r->x, &b, cuda_stream())));
    return sl_cuda_traverse_fetch(r);
}
