/*
 * Sorts a vector: the values become 64-bit keys of the same order, which a radix sort orders with
 * their positions; values and indices follow these positions.
 */
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/keys.h"
#include "cuda/operations/vector_kernels.h"

/* Replaces the entries of an output by `count` values at the indices from 0 on. */
static sl_status write_sorted(cuda_scratch *s, sl_object *out, const void *values, uint64_t count)
{
    const uint64_t n = out->nrows, words = cuda_words(n);
    cuda_entries t;
    if (count == 0) {
        sl_cuda_clear_vector(cuda_vector_of(out));
        return SL_OK;
    }
    if (count == n)
        CUDA_TRY(sl_cuda_new_full(s, &t, n, out->type));
    else
        CUDA_TRY(sl_cuda_new_entries(s, &t, n, out->type));
    CUDA_TRY(sl_cuda_copy(s->call->ctx, t.values, values, count * sl_type_size(out->type)));
    if (t.bits) {
        CUDA_TRY(sl_cuda_zero(s->call->ctx, t.bits, words * sizeof *t.bits));
        CUDA_TRY(cuda_launched(s, "kernel set_bits", sl_cuda_set_bits(t.bits, count)));
    }
    sl_cuda_move_entries(s, cuda_vector_of(out), &t, n);
    cuda_vector_of(out)->nvals = count;
    return SL_OK;
}

/* The entries of u: their values, and their indices (NULL: 0, 1, 2, ...). */
static sl_status entries_of(cuda_scratch *s, uint64_t **index, void **values, uint64_t *count)
{
    cuda_vector *u = cuda_vector_of(s->call->a);
    CUDA_TRY(sl_cuda_count_entries(s->call->a, u));
    *count = u->nvals;
    *index = NULL;
    *values = u->values;
    return u->full ? SL_OK : sl_cuda_list_entries(&s->arena, index, values, s->call->a, u);
}

static sl_status sort(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const sl_type type = call->a->type;
    cuda_keys k = {.bits = 8 * (int)sl_type_size(type)};
    uint64_t *index, *order = NULL;
    void *values, *sorted = NULL;
    CUDA_TRY(entries_of(s, &index, &values, &k.count));
    CUDA_TRY(sl_cuda_scratch_take(s, &k.key, k.count * sizeof *k.key));
    CUDA_TRY(
        cuda_launched(s, "kernel value_keys",
                      sl_cuda_value_keys(k.key, values, type,
                                         call->operators.binary->code == SL_BINARY_GT, k.count)));
    CUDA_TRY(sl_cuda_sort_keys(s, &k));
    if (call->out)
        CUDA_TRY(sl_cuda_values_of_keys(s, &sorted, &k, values, type));
    order = k.origin;
    if (call->second_out && index) {
        CUDA_TRY(sl_cuda_scratch_take(s, &order, k.count * sizeof *order));
        CUDA_TRY(cuda_launched(s, "kernel gather_keys",
                               sl_cuda_gather_keys(order, index, k.origin, k.count)));
    }
    if (call->out)
        CUDA_TRY(write_sorted(s, call->out, sorted, k.count));
    return call->second_out ? write_sorted(s, call->second_out, order, k.count) : SL_OK;
}

sl_status sl_cuda_sort_vector(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = sort(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
