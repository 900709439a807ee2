/* Writes to vectors that wait until somebody reads the vector: waiting_writes.h. */
#include "cuda/data/waiting_writes.h"

bool sl_cuda_may_wait(const sl_object *out, const sl_object *mask)
{
    const cuda_vector *w = cuda_vector_of(out), *f = cuda_vector_of(mask);
    return w != f && f->bits && !w->full && !out->ctx->of_rank && out->ctx == mask->ctx;
}

sl_status sl_cuda_let_wait(const sl_object *out, const sl_object *mask, bool values, uint64_t one)
{
    cuda_vector *w = cuda_vector_of(out), *f = cuda_vector_of(mask);
    if (f->waiting.count == CUDA_ENTRY_WRITES)
        CUDA_TRY(sl_cuda_finish_writes(out->ctx, f));
    CUDA_TRY(sl_cuda_make_bitmap(out, w));
    sl_cuda_drop_frontier_list(w);
    w->nvals = CUDA_UNKNOWN;
    w->waits_for = f;
    f->waiting.n = out->nrows;
    f->waiting.write[f->waiting.count++] = (cuda_waiting_write){
        .to = w, .values = values, .one = one, .size = sl_type_size(out->type)};
    return SL_OK;
}

cuda_entry_writes sl_cuda_waiting_writes(const cuda_vector *v)
{
    cuda_entry_writes writes = {.count = v->waiting.count};
    for (unsigned k = 0; k < writes.count; k++) {
        const cuda_waiting_write *w = &v->waiting.write[k];
        writes.write[k] = (cuda_entry_write){.bits = w->to->bits,
                                             .to = w->to->values,
                                             .from = w->values ? v->values : NULL,
                                             .one = w->one,
                                             .size = w->size};
    }
    return writes;
}

void sl_cuda_forget_writes(cuda_vector *v)
{
    for (unsigned k = 0; k < v->waiting.count; k++)
        v->waiting.write[k].to->waits_for = NULL;
    v->waiting.count = 0;
}

sl_status sl_cuda_finish_writes(sl_context *ctx, cuda_vector *v)
{
    if (v->waits_for)
        CUDA_TRY(sl_cuda_finish_writes(ctx, v->waits_for));
    if (v->waiting.count == 0)
        return SL_OK;
    const cuda_entry_writes writes = sl_cuda_waiting_writes(v);
    const cuda_frontier_list *list = sl_cuda_listed(v);
    const bool few = list && list->counts->vertices < v->waiting.n / LIST_SHARE;
    sl_cuda_forget_writes(v);
    if (few)
        return sl_cuda_status(
            ctx, "kernel write_listed",
            sl_cuda_write_listed(&writes, list->frontier.list, list->counts->vertices));
    return sl_cuda_status(ctx, "kernel write_at_bits",
                          sl_cuda_write_at_bits(&writes, v->bits, v->waiting.n));
}

void sl_cuda_leave_writes(cuda_vector *v)
{
    cuda_vector *f = v->waits_for;
    for (unsigned k = 0; f && k < f->waiting.count; k++)
        if (f->waiting.write[k].to == v)
            f->waiting.write[k] = f->waiting.write[--f->waiting.count];
    v->waits_for = NULL;
    /* A launch that fails now fails the context's next operation, too. */
    (void)sl_cuda_finish_writes(NULL, v);
}
