/* Assign and extract, on vectors. */
#include "working.h"

/* A range's indices, one by one. */
static uint64_t *list_range(const sl_call *call)
{
    uint64_t *list = sl_malloc(call->nrows * sizeof *list);
    for (uint64_t k = 0; list && k < call->nrows; k++)
        list[k] = call->rows[0] + k * call->rows[2];
    return list;
}

/* The call's index list on the device; NULL: all. */
static sl_status upload_list(cuda_scratch *s, const uint64_t **list)
{
    const sl_call *call = s->call;
    uint64_t *made, *listed = NULL;
    *list = NULL;
    if (!call->rows)
        return SL_OK;
    CUDA_TRY(sl_cuda_take(s, &made, call->nrows * sizeof *made));
    *list = made;
    if (!call->rows_range)
        return sl_cuda_upload(call->ctx, made, call->rows, call->nrows * sizeof *made);
    listed = list_range(call);
    if (!listed)
        return sl_fail(call->ctx, SL_NO_MEMORY, "cuda: out of host memory");
    sl_status status = sl_cuda_upload(call->ctx, made, listed, call->nrows * sizeof *made);
    if (status == SL_OK) /* the copy reads it */
        status = sl_cuda_wait(call->ctx, "copy of an index range");
    sl_free(listed);
    return status;
}

/* Spreads entries over a list: those of t, and the region they may be in. `from` of
 * nobody: the region alone. */
static sl_status spread(cuda_scratch *s, cuda_entries *t, uint32_t **region,
                        const cuda_vector *from)
{
    const sl_call *call = s->call;
    const uint64_t *list;
    uint64_t n = call->out->nrows, bytes = cuda_words(n) * sizeof **region;
    CUDA_TRY(upload_list(s, &list));
    CUDA_TRY(sl_cuda_take(s, region, bytes));
    CUDA_TRY(sl_cuda_zero(call->ctx, *region, bytes));
    if (from) {
        CUDA_TRY(sl_cuda_new_entries(s, t, n, call->a->type));
        CUDA_TRY(sl_cuda_zero(call->ctx, t->bits, bytes));
    }
    return cuda_launched(s, "kernel spread",
                         sl_cuda_spread(*region, t->bits, t->values, from ? from->bits : NULL,
                                        from ? from->values : NULL, t->type, list, call->nrows,
                                        cuda_processors(), cuda_stream()));
}

static sl_status assign(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_vector *a = cuda_vector_of(call->a);
    cuda_entries t = {.type = call->a->type, .bits = a->bits, .values = a->values};
    const uint32_t *todo;
    uint32_t *region = NULL;
    CUDA_TRY(sl_cuda_todo(s, &todo));
    if (call->rows)
        CUDA_TRY(spread(s, &t, &region, a));
    return sl_cuda_finish(s, &t, todo, region);
}

sl_status sl_cuda_assign(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = assign(&s);
    sl_cuda_done(&s);
    return status;
}

/* The scalar as an array, where an accumulator wants it in another type than the output's. */
static sl_status spread_scalar(cuda_scratch *s, cuda_entries *t)
{
    const sl_call *call = s->call;
    uint64_t n = call->out->nrows;
    t->type = call->scalar.type;
    CUDA_TRY(sl_cuda_take(s, &t->values, n * sl_type_size(t->type)));
    return cuda_launched(s, "kernel fill",
                         sl_cuda_fill(t->values, t->type, &call->scalar.as, n, cuda_processors(),
                                      cuda_stream()));
}

static sl_status assign_scalar(cuda_scratch *s)
{
    const sl_call *call = s->call;
    sl_type type = call->out->type;
    cuda_entries t = {.type = type, .scalar = sl_scalar_cast(call->scalar, type)};
    const uint32_t *todo;
    uint32_t *region = NULL;
    CUDA_TRY(sl_cuda_todo(s, &todo));
    if (call->accum && (call->scalar.type != type || !sl_cuda_accumulates_in_place(call, &t)))
        CUDA_TRY(spread_scalar(s, &t));
    if (call->rows) {
        cuda_entries none = {.type = type};
        CUDA_TRY(spread(s, &none, &region, NULL));
    }
    return sl_cuda_finish(s, &t, todo, region);
}

sl_status sl_cuda_assign_scalar(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = assign_scalar(&s);
    sl_cuda_done(&s);
    return status;
}

static sl_status extract(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_vector *a = cuda_vector_of(call->a);
    cuda_entries t = {.type = call->a->type, .bits = a->bits, .values = a->values};
    const uint64_t *list;
    const uint32_t *todo;
    CUDA_TRY(sl_cuda_todo(s, &todo));
    CUDA_TRY(upload_list(s, &list));
    if (list) {
        CUDA_TRY(sl_cuda_new_entries(s, &t, call->nrows, call->a->type));
        CUDA_TRY(cuda_launched(s, "kernel gather",
                               sl_cuda_gather(t.bits, t.values, a->bits, a->values, call->a->type,
                                              list, call->nrows, cuda_processors(),
                                              cuda_stream())));
    }
    return sl_cuda_finish(s, &t, todo, NULL);
}

sl_status sl_cuda_extract(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = extract(&s);
    sl_cuda_done(&s);
    return status;
}
