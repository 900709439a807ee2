/* The transports by which messages move between the devices of a grid row or grid column, in order
 * of preference. */
#include "grid_links.h"

/* Offsets in an inbox are multiples of this. */
enum { INBOX_LINE = 256 };

/* Places the messages received one after the other in the inbox. */
static void place_in_inbox(const cuda_grid_links *l, sl_grid_line line, cuda_parcel *received)
{
    uint64_t at = 0;
    for (uint32_t m = 0; m < cuda_grid_members(l->grid, line); m++) {
        received[m].data = (const uint8_t *)l->inbox + at;
        at += (received[m].bytes + INBOX_LINE - 1) / INBOX_LINE * INBOX_LINE;
    }
}

/* ---- peers and copies: the outboxes are mapped -------------------------------------------------- */

static bool is_mapped(cuda_grid_links *l)
{
    l->why_not = "CUDA IPC cannot map the memory of the other ranks' devices";
    return l->mapped;
}

static sl_status copy_from_peer(const cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                uint32_t m, const cuda_parcel *received)
{
    return sl_cuda_status(ctx, "copy from another device",
                          cudaMemcpyAsync((void *)received->data,
                                          l->peer[line][m] + received->offset, received->bytes,
                                          cudaMemcpyDefault, cuda_stream()));
}

/* Kernels read sets in the other devices' memory; values are copied, which takes less time than to
 * read a few bytes per thread. */
static sl_status read_peers(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *sent, cuda_parcel *received)
{
    place_in_inbox(l, line, received);
    for (uint32_t m = 0; m < cuda_grid_members(l->grid, line); m++)
        if (received[m].bytes && received[m].message.count == 0)
            CUDA_TRY(copy_from_peer(l, ctx, line, m, &received[m]));
        else
            received[m].data = (const uint8_t *)l->peer[line][m] + received[m].offset;
    return SL_OK;
}

static sl_status copy_from_peers(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                 const cuda_parcel *sent, cuda_parcel *received)
{
    place_in_inbox(l, line, received);
    for (uint32_t m = 0; m < cuda_grid_members(l->grid, line); m++)
        if (received[m].bytes)
            CUDA_TRY(copy_from_peer(l, ctx, line, m, &received[m]));
    return SL_OK;
}

static const cuda_grid_transport peers = {
    .name = "peers", .mapped = true, .open = is_mapped, .deliver = read_peers};
static const cuda_grid_transport copies = {
    .name = "copies", .mapped = true, .open = is_mapped, .deliver = copy_from_peers};

/* ---- NCCL ---------------------------------------------------------------------------------------- */

static bool can_nccl(cuda_grid_links *l)
{
    return l->nccl || sl_cuda_nccl_open(&l->nccl, l->grid->group, &l->why_not);
}

/* The number of a process of the line in the group. */
static int number_in_group(const sl_device_grid *grid, sl_grid_line line, uint32_t m)
{
    return (int)(line == SL_ALONG_ROW ? m * grid->rows + grid->i : grid->j * grid->rows + m);
}

static sl_status deliver_by_nccl(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                 const cuda_parcel *sent, cuda_parcel *received)
{
    const uint32_t place = cuda_grid_place(l->grid, line);
    place_in_inbox(l, line, received);
    const char *why = sl_cuda_nccl_begin(l->nccl);
    for (uint32_t m = 0; m < cuda_grid_members(l->grid, line) && !why; m++) {
        const int number = number_in_group(l->grid, line, m);
        if (m != place && sent[m].bytes)
            why = sl_cuda_nccl_send(l->nccl, l->outbox + sent[m].offset, sent[m].bytes, number);
        if (received[m].bytes && !why)
            why =
                sl_cuda_nccl_receive(l->nccl, (void *)received[m].data, received[m].bytes, number);
    }
    const char *ended = sl_cuda_nccl_end(l->nccl);
    why = why ? why : ended;
    return why ? sl_fail(ctx, SL_ENGINE_FAULT, "NCCL: %s", why) : SL_OK;
}

static const cuda_grid_transport nccl = {
    .name = "nccl", .open = can_nccl, .deliver = deliver_by_nccl};

/* ---- MPI on device memory, and through the hosts -------------------------------------------------- */

/* Describes the messages, where those sent begin at `outbox`, and those received, which are placed
 * in the inbox, at `inbox`. */
static void describe(cuda_grid_links *l, sl_grid_line line, const cuda_parcel *sent,
                     cuda_parcel *received, char *outbox, char *inbox)
{
    const uint32_t members = cuda_grid_members(l->grid, line),
                   place = cuda_grid_place(l->grid, line);
    place_in_inbox(l, line, received);
    for (uint32_t m = 0; m < members; m++) {
        l->parcel[m] = (sl_parcel){outbox + sent[m].offset, m == place ? 0 : sent[m].bytes};
        l->parcel[members + m] =
            (sl_parcel){inbox + (received[m].data - (const uint8_t *)l->inbox), received[m].bytes};
    }
}

static bool can_mpi(cuda_grid_links *l)
{
    l->why_not = "MPI does not report that it reads device memory";
    return l->grid->group->reads_devices;
}

static sl_status deliver_by_mpi(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                const cuda_parcel *sent, cuda_parcel *received)
{
    describe(l, line, sent, received, l->outbox, l->inbox);
    return l->grid->exchange(l->grid, line, l->parcel,
                             l->parcel + cuda_grid_members(l->grid, line));
}

static const cuda_grid_transport mpi = {.name = "mpi", .open = can_mpi, .deliver = deliver_by_mpi};

static bool always(cuda_grid_links *l)
{
    return true;
}

/* Copies the messages sent to pinned memory, or those received from there. The same message for
 * several processes is copied once. */
static sl_status stage(const cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                       const cuda_parcel *parcels, bool sends)
{
    const uint32_t members = cuda_grid_members(l->grid, line),
                   place = cuda_grid_place(l->grid, line);
    const cuda_parcel *last = NULL;
    for (uint32_t m = 0; m < members; m++) {
        const cuda_parcel *p = &parcels[m];
        if (m == place || p->bytes == 0 || (sends && last && last->offset == p->offset))
            continue;
        last = p;
        if (sends)
            CUDA_TRY(
                sl_cuda_download(ctx, l->staging + p->offset, l->outbox + p->offset, p->bytes));
        else
            CUDA_TRY(sl_cuda_upload(
                ctx, (void *)p->data,
                l->staging + l->outbox_bytes + (p->data - (const uint8_t *)l->inbox), p->bytes));
    }
    return sends ? sl_cuda_wait(ctx, "copies of messages to the host") : SL_OK;
}

static sl_status deliver_by_hosts(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                  const cuda_parcel *sent, cuda_parcel *received)
{
    sl_status status = stage(l, ctx, line, sent, true);
    describe(l, line, sent, received, l->staging, l->staging + l->outbox_bytes);
    const sl_status exchanged =
        l->grid->exchange(l->grid, line, l->parcel, l->parcel + cuda_grid_members(l->grid, line));
    status = status == SL_OK ? exchanged : status;
    return status == SL_OK ? stage(l, ctx, line, received, false) : status;
}

static const cuda_grid_transport hosts = {
    .name = "hosts", .stages = true, .open = always, .deliver = deliver_by_hosts};

const cuda_grid_transport *const sl_cuda_grid_transports[] = {&peers, &copies, &nccl,
                                                              &mpi,   &hosts,  NULL};
