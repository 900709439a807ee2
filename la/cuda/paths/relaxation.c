/* Set-up of a relaxation: the kernels' parameters from a call, and their scratch (relaxation.h). */
#include "cuda/paths/relaxation.h"

#include "cuda/paths/lengths.h"

#include <inttypes.h>
#include <string.h>

/* The position that a positional operator returns, for the product u(0, k) A(k, j). */
static cuda_position position_of(sl_binary_op multiply)
{
    switch (multiply->code) {
    case SL_BINARY_FIRSTI:
        return CUDA_ONLY;
    case SL_BINARY_SECONDJ:
        return CUDA_OUTER;
    default:
        return CUDA_INNER;
    }
}

/* The matrix's values, converted to the operator's type, if the operator reads them. Shortest paths
 * read sorted rows instead. */
static sl_status take_values(cuda_relaxation *r)
{
    const sl_call *call = r->s.call;
    sl_binary_op multiply = call->operators.semiring->multiply;
    void *made;
    if (multiply->positional || !multiply->reads_y || !r->A->values || sl_cuda_uses_lengths(call))
        return SL_OK;
    r->params.p.values = r->A->values;
    if (call->a->type == multiply->type)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &made, r->A->nnz * sl_type_size(multiply->type)));
    r->params.p.values = made;
    return cuda_launched(
        &r->s, "kernel cast",
        sl_cuda_cast(made, multiply->type, r->A->values, call->a->type, NULL, r->A->nnz));
}

static sl_status take_scratch(cuda_relaxation *r, bool news)
{
    relax_params *x = &r->params;
    uint64_t n = x->n, bits = cuda_words(n) * sizeof *x->next_bits;
    sl_context *ctx = r->s.call->ctx;
    for (int k = 0; k < 2; k++) {
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->lists[k], sl_cuda_frontier_bytes(n)));
        x->frontier[k] = sl_cuda_frontier_in(r->lists[k], n);
    }
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->state, sizeof *x->state));
    CUDA_TRY(sl_cuda_zero(ctx, x->state, sizeof *x->state));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->next_bits, bits));
    CUDA_TRY(sl_cuda_zero(ctx, x->next_bits, bits));
    if (!news && !r->reads_q)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->frontier_values,
                                  n * sl_type_size(r->s.call->operators.semiring->result)));
    if (r->reads_q)
        x->p.u_values = x->frontier_values;
    return SL_OK;
}

sl_status sl_cuda_relaxation_open(cuda_relaxation *r, sl_call *call, bool news)
{
    const sl_traversal *t = call->traversal;
    sl_monoid add = call->operators.semiring->add;
    sl_binary_op multiply = call->operators.semiring->multiply;
    *r = (cuda_relaxation){.s = {.call = call},
                           .pi = cuda_vector_of(t->pi),
                           .q = cuda_vector_of(t->q),
                           .A = cuda_matrix_of(call->a),
                           .reads_q = multiply->reads_x && !multiply->positional};
    relax_params *x = &r->params;
    x->n = call->a->nrows;
    x->edge_bits = sl_cuda_edge_bits(x->n, r->A->nnz);
    if (x->edge_bits == 0)
        return sl_fail(call->ctx, SL_UNSUPPORTED,
                       "cuda: %s of %" PRIu64 " vertices and %" PRIu64 " edges",
                       sl_operation_name(call->op), x->n, r->A->nnz);
    x->settles = sl_semiring_settles(call->operators.semiring);
    x->init_values = !add->any;
    x->p = (cuda_product){.nnz = r->A->nnz,
                          .rows = x->n,
                          .start = r->A->start,
                          .index = r->A->index,
                          .bits = r->pi->bits,
                          .t_values = r->pi->values,
                          .type = multiply->type,
                          .kind = multiply->positional ? CUDA_POSITION : CUDA_VALUES,
                          .position = position_of(multiply),
                          .add = (int)add->op->code,
                          .multiply = (int)multiply->code,
                          .any = add->any};
    const sl_scalar neutral = sl_cuda_neutral_value(add);
    memcpy(&x->p.neutral, &neutral.as, sizeof x->p.neutral);
    CUDA_TRY(take_values(r));
    return take_scratch(r, news);
}

sl_status sl_cuda_relaxation_begin(cuda_relaxation *r, bool one_step)
{
    size_t size = sl_type_size(r->s.call->operators.semiring->result);
    const cuda_frontier_list *listed = sl_cuda_listed(r->q);
    if (!one_step || !listed || listed->serial != r->A->serial)
        return cuda_launched(&r->s, "kernel begin",
                             sl_cuda_relax_begin(&r->params, r->q->bits, r->q->values, size));
    const cuda_frontier_counts *counts = listed->counts;
    r->params.frontier[0] = listed->frontier;
    return cuda_launched(&r->s, "kernel begin_listed",
                         sl_cuda_relax_begin_listed(&r->params, r->q->values, size,
                                                    counts->vertices, counts->edges, counts->tall));
}

sl_status sl_cuda_relaxation_fetch(cuda_relaxation *r)
{
    return sl_cuda_fetch(r->s.call->ctx, "kernel relax", &r->state, r->params.state,
                         sizeof r->state);
}

void sl_cuda_relaxation_gained(cuda_relaxation *r, uint64_t count)
{
    sl_cuda_drop_frontier_list(r->pi);
    if (r->pi->nvals != CUDA_UNKNOWN)
        r->pi->nvals += count;
}
