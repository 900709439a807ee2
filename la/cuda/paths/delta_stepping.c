/* Delta-stepping on the host's side: which closures it applies to, the width of a bucket, and
 * scratch. delta_stepping.cu has the algorithm. */
#include <math.h>

#include "cuda/operations/value_range.h"
#include "cuda/paths/delta_stepping.h"
#include "cuda/paths/delta_stepping_kernels.h"
#include "cuda/paths/lengths.h"
#include "cuda/runtime/traversal_switches.h"

/* The range of the matrix's values in the operator's type. */
static sl_status weight_range(cuda_relaxation *r, cuda_value_range *range)
{
    cuda_matrix *A = cuda_matrix_of(r->s.call->a);
    const cuda_product *p = &r->params.p;
    return p->values == A->values
               ? sl_cuda_range_of_matrix(r->s.call->ctx, range, A, p->type)
               : sl_cuda_find_range(r->s.call->ctx, range, NULL, p->values, p->type, A->nnz);
}

/* *fits: whether the type holds the sum along any path of n edges. Integers that overflow would
 * compare wrongly. */
static sl_status sums_fit_type(cuda_relaxation *r, const cuda_value_range *weights, bool *fits)
{
    const sl_type type = r->params.p.type;
    const cuda_vector *vectors[] = {r->pi, r->q};
    double first = 0;
    cuda_value_range held;
    *fits = type == SL_FP32 || type == SL_FP64;
    if (*fits)
        return SL_OK;
    const bool is_signed =
        type == SL_INT8 || type == SL_INT16 || type == SL_INT32 || type == SL_INT64;
    const double most = ldexp(1, 8 * (int)sl_type_size(type) - is_signed - 1);
    for (int k = 0; k < 2; k++) {
        CUDA_TRY(sl_cuda_find_range(r->s.call->ctx, &held, vectors[k]->bits, vectors[k]->values,
                                    type, r->params.n));
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
    cuda_value_range weights;
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
