/* The transports by which messages move between the devices of a grid row or grid column, in order
 * of preference. */
#include "grid_links.h"

/* Places the messages received one after the other in the inbox, except those that the caller wants
 * elsewhere. */
static void place_received(const cuda_grid_links *l, sl_grid_line line, cuda_parcel *received)
{
    uint64_t at = 0;
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, line); m++) {
        received[m].data = received[m].to ? received[m].to : (const uint8_t *)l->inbox + at;
        at += received[m].to ? 0 : cuda_grid_aligned(received[m].bytes);
    }
}

/* The k-th member after this process, so that the processes begin with different senders. */
static uint32_t member_after(const cuda_grid_links *l, sl_grid_line line, uint32_t k)
{
    return (sl_device_grid_place(l->grid, line) + 1 + k) % sl_device_grid_members(l->grid, line);
}

/* ---- peers: the outboxes are mapped -------------------------------------------------- */

static bool is_mapped(cuda_grid_links *l)
{
    l->why_not = "CUDA IPC cannot map the memory of the other ranks' devices";
    return l->mapped;
}

static const char *outbox_of(const cuda_grid_links *l, sl_grid_line line, uint32_t m)
{
    return l->peer[sl_device_grid_number(l->grid, line, m)];
}

static sl_status copy_from_peer(const cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                uint32_t m, const cuda_parcel *received, cudaStream_t stream)
{
    return sl_cuda_status(ctx, "copy from another device",
                          cudaMemcpyAsync((void *)received->data,
                                          outbox_of(l, line, m) + received->offset, received->bytes,
                                          cudaMemcpyDefault, stream));
}

/* Kernels read sets in the other devices' memory; values are copied, which takes less time than to
 * read a few bytes per thread. */
static sl_status read_peers(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *sent, cuda_parcel *received, cudaStream_t stream)
{
    place_received(l, line, received);
    for (uint32_t k = 0; k < sl_device_grid_members(l->grid, line); k++) {
        const uint32_t m = member_after(l, line, k);
        if (received[m].bytes && (received[m].to || received[m].set.count == 0))
            CUDA_TRY(copy_from_peer(l, ctx, line, m, &received[m], stream));
        else
            received[m].data = (const uint8_t *)outbox_of(l, line, m) + received[m].offset;
    }
    return SL_OK;
}

static const cuda_grid_transport peers = {
    .name = "peers", .mapped = true, .open = is_mapped, .deliver = read_peers};

/* ---- NCCL ---------------------------------------------------------------------------------------- */

static bool can_nccl(cuda_grid_links *l)
{
    return l->nccl || sl_cuda_nccl_open(&l->nccl, l->grid->group, &l->why_not);
}

/* The number of a process of the line in the group. */
static int number_in_group(const sl_device_grid *grid, sl_grid_line line, uint32_t m)
{
    const uint32_t number = sl_device_grid_number(grid, line, m);
    return (int)(number % grid->cols * grid->rows + number / grid->cols);
}

static sl_status deliver_by_nccl(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                 const cuda_parcel *sent, cuda_parcel *received,
                                 cudaStream_t stream)
{
    const uint32_t place = sl_device_grid_place(l->grid, line);
    place_received(l, line, received);
    const char *why = sl_cuda_nccl_begin(l->nccl);
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, line) && !why; m++) {
        const int number = number_in_group(l->grid, line, m);
        if (m != place && sent[m].bytes)
            why = sl_cuda_nccl_send(l->nccl, l->outbox + sent[m].offset, sent[m].bytes, number,
                                    stream);
        if (received[m].bytes && !why)
            why = sl_cuda_nccl_receive(l->nccl, (void *)received[m].data, received[m].bytes, number,
                                       stream);
    }
    const char *ended = sl_cuda_nccl_end(l->nccl);
    why = why ? why : ended;
    return why ? sl_fail(ctx, SL_ENGINE_FAULT, "NCCL: %s", why) : SL_OK;
}

static const cuda_grid_transport nccl = {
    .name = "nccl", .open = can_nccl, .deliver = deliver_by_nccl};

/* ---- through the hosts -------------------------------------------------- */

/* Describes the messages sent, in pinned memory, in the first half of `parcels`, and the messages
 * received in the second: they come one after the other to `landing`. */
static void describe(const cuda_grid_links *l, sl_parcel *parcels, sl_grid_line line,
                     const cuda_parcel *sent, cuda_parcel *received, char *landing)
{
    const uint32_t members = sl_device_grid_members(l->grid, line),
                   place = sl_device_grid_place(l->grid, line);
    uint64_t at = 0;
    place_received(l, line, received);
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

static const cuda_grid_transport hosts = {.name = "hosts",
                                          .stages = true,
                                          .open = always,
                                          .deliver = deliver_by_hosts,
                                          .begin = begin_by_hosts,
                                          .end = end_by_hosts};

const cuda_grid_transport *const sl_cuda_grid_transports[] = {&peers, &nccl, &hosts, NULL};
