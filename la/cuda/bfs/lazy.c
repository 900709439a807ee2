/*
 * Searches whose last pass is put off: what was found lies in the layout's scratch, in the
 * layout's order, until it is looked at.
 */
#include "layout.h"
#include "search.h"

struct cuda_unfinished {
    cuda_reordered_graph *layout; /* whose scratch it is */
    sl_context *ctx;
    bfs_params s; /* as it was launched, with the vectors */
    cuda_vector *pi, *level;
};

static void forget(cuda_unfinished *u)
{
    if (u->pi)
        u->pi->unfinished = NULL;
    if (u->level)
        u->level->unfinished = NULL;
    u->layout->unfinished = NULL;
    sl_free(u);
}

sl_status sl_cuda_put_off(const cuda_launches *l, cuda_vector *pi, cuda_vector *level)
{
    cuda_unfinished *u = sl_malloc(sizeof *u);
    if (!u)
        return sl_fail(l->ctx, SL_NO_MEMORY, "cuda: out of host memory");
    *u = (cuda_unfinished){.layout = cuda_matrix_of(l->matrix)->layout,
                           .ctx = l->ctx,
                           .s = l->s,
                           .pi = pi,
                           .level = level};
    u->s.result = u->s.standing; /* the pinned_results may be another search's by then */
    u->layout->unfinished = pi->unfinished = u;
    if (level)
        level->unfinished = u;
    return SL_OK;
}

static sl_status complete(cuda_unfinished *u)
{
    const cuda_device *device = sl_cuda_device();
    sl_status status =
        sl_cuda_status(u->ctx, "kernel finish",
                       sl_cuda_bfs_write_results(&u->s, device->multiprocessors, device->stream));
    forget(u);
    return status;
}

sl_status sl_cuda_complete_for(cuda_reordered_graph *layout)
{
    return layout->unfinished ? complete(layout->unfinished) : SL_OK;
}

sl_status sl_cuda_complete(cuda_vector *v)
{
    if (!v->unfinished)
        return SL_OK;
    sl_cuda_lock();
    sl_status status = v->unfinished ? complete(v->unfinished) : SL_OK;
    sl_cuda_unlock();
    return status;
}

/* Where there is another vector, that is still to be filled. */
void sl_cuda_forget_unfinished(cuda_vector *v)
{
    if (v->unfinished && v->unfinished->level) {
        sl_cuda_complete(v); /* a failure is one of the device, which comes again */
        return;
    }
    sl_cuda_lock();
    if (v->unfinished)
        forget(v->unfinished);
    sl_cuda_unlock();
}
