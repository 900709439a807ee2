/* Transport `hosts`: messages are copied to pinned memory and pass through MPI. */
#include "cuda/links/links.h"

/* Describes the messages sent, in pinned memory, in the first half of `parcels`, and the messages
 * received in the second: they come one after the other to `landing`. */
static void describe(const cuda_grid_links *l, sl_parcel *parcels, sl_grid_line line,
                     const cuda_parcel *sent, const cuda_parcel *received, char *landing)
{
    const uint32_t members = sl_device_grid_members(l->grid, line),
                   place = sl_device_grid_place(l->grid, line);
    uint64_t at = 0;
    for (uint32_t m = 0; m < members; m++) {
        parcels[m] = (sl_parcel){l->staging + sent[m].offset, m == place ? 0 : sent[m].bytes};
        parcels[members + m] = (sl_parcel){landing + at, received[m].bytes};
        at += cuda_grid_aligned(received[m].bytes);
    }
}

/* Begins an exchange of the parcels of a transfer by MPI. */
static sl_status begin_parcels(const cuda_grid_links *l, cuda_grid_transfer *t)
{
    return l->grid->begin_exchange(l->grid, t->line, t->parcels,
                                   t->parcels + sl_device_grid_members(l->grid, t->line),
                                   &t->pending);
}

static bool always(cuda_grid_links *l)
{
    return true;
}

/* Copies the messages sent to pinned memory. The same message for several processes is copied once. */
static sl_status stage(const cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                       const cuda_parcel *sent, cudaStream_t stream)
{
    const cuda_parcel *last = NULL;
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, line); m++) {
        const cuda_parcel *p = &sent[m];
        if (m == sl_device_grid_place(l->grid, line) || p->bytes == 0 ||
            (last && last->offset == p->offset && last->bytes == p->bytes))
            continue;
        last = p;
        CUDA_TRY(sl_cuda_status(ctx, "copy from the device",
                                cudaMemcpyAsync(l->staging + p->offset, l->outbox + p->offset,
                                                p->bytes, cudaMemcpyDeviceToHost, stream)));
    }
    return sl_cuda_status(ctx, "copies of messages to the host", cudaStreamSynchronize(stream));
}

/* Copies the messages received from pinned memory to their places. */
static sl_status unstage(const cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                         const sl_parcel *landed, const cuda_parcel *received, cudaStream_t stream)
{
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, line); m++)
        if (landed[m].bytes)
            CUDA_TRY(
                sl_cuda_status(ctx, "copy to the device",
                               cudaMemcpyAsync((void *)received[m].data, landed[m].data,
                                               landed[m].bytes, cudaMemcpyHostToDevice, stream)));
    return SL_OK;
}

static sl_status deliver_by_hosts(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                  const cuda_parcel *sent, cuda_parcel *received,
                                  cudaStream_t stream)
{
    sl_parcel *landed = l->parcel + sl_device_grid_members(l->grid, line);
    const sl_status staged = stage(l, ctx, line, sent, stream);
    describe(l, l->parcel, line, sent, received, l->landing);
    const sl_status exchanged = l->grid->exchange(l->grid, line, l->parcel, landed);
    const sl_status status = staged == SL_OK ? exchanged : staged;
    return status == SL_OK ? unstage(l, ctx, line, landed, received, stream) : status;
}

static sl_status begin_by_hosts(cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t,
                                cudaStream_t stream)
{
    const sl_status staged = stage(l, ctx, t->line, t->sent, stream);
    describe(l, t->parcels, t->line, t->sent, t->received, l->landing + t->landing);
    const sl_status begun = begin_parcels(l, t);
    return staged == SL_OK ? begun : staged;
}

static sl_status end_by_hosts(cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t,
                              cudaStream_t stream)
{
    const sl_parcel *landed = t->parcels + sl_device_grid_members(l->grid, t->line);
    const sl_status status = l->grid->end_exchange(l->grid, t->pending);
    return status == SL_OK ? unstage(l, ctx, t->line, landed, t->received, stream) : status;
}

const cuda_grid_transport sl_cuda_hosts = {.name = "hosts",
                                           .stages = true,
                                           .open = always,
                                           .deliver = deliver_by_hosts,
                                           .begin = begin_by_hosts,
                                           .end = end_by_hosts};
