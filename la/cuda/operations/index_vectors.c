/*
 * gather and scatter by an index vector. A kernel checks the indices first, and the host waits for
 * its result; an index vector that was checked before is not checked again
 * (sl_object.index_bound). A gather is one kernel, and a scatter into a full vector that combines
 * equal indices by its accumulator changes the vector in place. Other scatters combine the values in
 * an array of the output's size, and write that as the result of any operation.
 */
#include "cuda/operations/index_vectors.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/vector_kernels.h"
#include "cuda/operations/vector_result.h"

static cuda_index_vector indices_of(const sl_call *call)
{
    const cuda_vector *b = cuda_vector_of(call->b);
    return (cuda_index_vector){
        .n = call->b->nrows, .bits = b->bits, .values = b->values, .type = call->b->type};
}

/* Reports index k, which is out of range. */
static sl_status report(cuda_scratch *s, const cuda_index_vector *indices, uint64_t k)
{
    size_t size = sl_type_size(indices->type);
    uint64_t value;
    CUDA_TRY(sl_cuda_fetch(s->call->ctx, "an index", &value,
                           (const char *)indices->values + k * size, size));
    sl_scalar index = sl_scalar_load(indices->type, &value);
    return sl_fail_index(s->call, k,
                         index.type == SL_UINT64
                             ? index.as.uint64_
                             : (uint64_t)sl_scalar_cast(index, SL_INT64).as.int64_);
}

sl_status sl_cuda_check_indices(cuda_scratch *s)
{
    sl_object *b = s->call->b;
    const cuda_index_vector indices = indices_of(s->call);
    const uint64_t bound = sl_call_index_bound(s->call);
    unsigned long long *first, none = UINT64_MAX, found;
    if (b->index_bound && b->index_bound <= bound)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &first, sizeof *first));
    CUDA_TRY(cuda_launched(s, "kernel fill", sl_cuda_fill(first, &none, sizeof none, 1)));
    CUDA_TRY(
        cuda_launched(s, "kernel first_outside", sl_cuda_first_outside(first, &indices, bound)));
    CUDA_TRY(sl_cuda_fetch(s->call->ctx, "kernel first_outside", &found, first, sizeof found));
    if (found != none)
        return report(s, &indices, found);
    b->index_bound = bound;
    return SL_OK;
}

static sl_status gather(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_vector *a = cuda_vector_of(call->a);
    const cuda_index_vector indices = indices_of(call);
    const sl_type type = call->a->type;
    const uint32_t *allowed;
    cuda_entries t;
    CUDA_TRY(sl_cuda_check_indices(s));
    CUDA_TRY(sl_cuda_allowed_bits(s, &allowed));
    if (a->full && !indices.bits)
        CUDA_TRY(sl_cuda_new_full(s, &t, indices.n, type));
    else
        CUDA_TRY(sl_cuda_new_entries(s, &t, indices.n, type));
    CUDA_TRY(cuda_launched(s, "kernel gather",
                           sl_cuda_gather_by_vector(t.bits, t.values, a->bits, a->values,
                                                    sl_type_size(type), &indices)));
    return sl_cuda_write_output(s, &t, allowed, NULL);
}

sl_status sl_cuda_gather_vector(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = gather(&s);
    sl_cuda_scratch_release(&s);
    return status;
}

/* True if the values can be combined in the output: it is full, nothing is masked, and the
 * accumulator is the operator that combines equal indices, or every index receives any value. */
static bool combines_in_place(const sl_call *call, int code, sl_type type)
{
    const sl_object *out = call->out;
    if (!cuda_vector_of(out)->full || call->mask || (call->flags & SL_COMPLEMENT) ||
        out->type != type || out == call->a || out == call->b)
        return false;
    if (!call->accum)
        return code == SL_BINARY_ANY && cuda_vector_of(call->a)->full;
    return call->operators.monoid && call->accum == call->operators.monoid->op;
}

/* New entries of the output's size for the values, without any so far. */
static sl_status new_combined(cuda_scratch *s, cuda_entries *t, sl_type type, int code)
{
    const sl_call *call = s->call;
    const uint64_t n = call->out->nrows;
    CUDA_TRY(sl_cuda_new_entries(s, t, n, type));
    CUDA_TRY(sl_cuda_zero(call->ctx, t->bits, cuda_words(n) * sizeof *t->bits));
    if (code == SL_BINARY_ANY)
        return SL_OK;
    const sl_scalar start = sl_cuda_neutral_value(call->operators.monoid);
    return cuda_launched(s, "kernel fill",
                         sl_cuda_fill(t->values, &start.as, sl_type_size(type), n));
}

/* *region: the bits of all indices, from which an assignment removes entries; NULL: it removes none.
 * *given: NULL if these are the bits of t. */
static sl_status new_region(cuda_scratch *s, const cuda_entries *t, uint32_t **region,
                            uint32_t **given)
{
    const sl_call *call = s->call;
    const uint64_t bytes = cuda_words(call->out->nrows) * sizeof **region;
    *given = NULL;
    *region = call->accum ? NULL : t->bits;
    if (call->accum || cuda_vector_of(call->a)->full)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, given, bytes));
    *region = *given;
    return sl_cuda_zero(call->ctx, *given, bytes);
}

static sl_status launch_scatter(cuda_scratch *s, const cuda_scatter *k,
                                const cuda_index_vector *indices)
{
    return cuda_launched(s, "kernel scatter", sl_cuda_scatter_by_vector(k, indices));
}

static sl_status scatter(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_vector *a = cuda_vector_of(call->a);
    const cuda_index_vector indices = indices_of(call);
    const uint32_t *allowed;
    uint32_t *region;
    cuda_entries t;
    cuda_scatter k = {.bits = a->bits,
                      .type = call->operators.monoid ? call->operators.monoid->type : call->a->type,
                      .code = call->operators.monoid ? (int)call->operators.monoid->op->code
                                                     : SL_BINARY_ANY};
    CUDA_TRY(sl_cuda_check_indices(s));
    CUDA_TRY(sl_cuda_values_as(s, &k.from, a, call->a, k.type));
    if (combines_in_place(call, k.code, k.type)) {
        sl_cuda_drop_frontier_list(cuda_vector_of(call->out));
        k.to = cuda_vector_of(call->out)->values;
        return launch_scatter(s, &k, &indices);
    }
    CUDA_TRY(sl_cuda_allowed_bits(s, &allowed));
    CUDA_TRY(new_combined(s, &t, k.type, k.code));
    CUDA_TRY(new_region(s, &t, &region, &k.given));
    k.to = t.values;
    k.to_bits = t.bits;
    CUDA_TRY(launch_scatter(s, &k, &indices));
    return sl_cuda_write_output(s, &t, allowed, region);
}

sl_status sl_cuda_scatter_vector(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = scatter(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
