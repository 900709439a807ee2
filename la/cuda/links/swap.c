/* Exchanges of messages: heads through the hosts, then the data by the transport. */
#include <string.h>

#include "cuda/links/links.h"

/* ---- heads ---------------------------------------------------------------------------------------- */

/* Swaps the heads; false: a rank of the line has failed. */
static bool swap_heads(cuda_grid_links *l, sl_grid_line line, const cuda_parcel *sent,
                       cuda_parcel *received, sl_status *status)
{
    const sl_device_grid *grid = l->grid;
    const uint32_t members = sl_device_grid_members(grid, line),
                   place = sl_device_grid_place(grid, line);
    cuda_grid_head *theirs = l->head + members;
    bool all_could = true;
    memset(l->head, 0, members * sizeof *l->head);
    for (uint32_t m = 0; m < members; m++) {
        l->head[m].failed = *status != SL_OK;
        if (*status != SL_OK || m == place)
            continue;
        l->head[m].set = sent[m].set;
        l->head[m].bytes = sent[m].bytes;
        l->head[m].offset = sent[m].offset;
        memcpy(l->head[m].words, sent[m].words, sizeof l->head[m].words);
    }
    const sl_status swapped = grid->swap(grid, line, l->head, theirs, sizeof *theirs);
    *status = *status == SL_OK ? swapped : *status;
    for (uint32_t m = 0; m < members; m++) {
        received[m] = (cuda_parcel){.set = theirs[m].set,
                                    .bytes = m == place ? 0 : theirs[m].bytes,
                                    .offset = theirs[m].offset};
        memcpy(received[m].words, theirs[m].words, sizeof received[m].words);
        all_could = all_could && !theirs[m].failed;
    }
    return all_could && swapped == SL_OK;
}

sl_status sl_cuda_grid_announce_complete(cuda_grid_links *l, sl_grid_line line,
                                         const cuda_parcel *sent, cuda_parcel *received,
                                         sl_status status)
{
    if (sl_device_grid_members(l->grid, line) == 1) {
        received[0] = (cuda_parcel){.bytes = 0};
        l->complete = status == SL_OK;
    } else {
        l->complete = swap_heads(l, line, sent, received, &status);
    }
    return status;
}

sl_status sl_cuda_grid_announce(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                const cuda_parcel *sent, cuda_parcel *received, sl_status status)
{
    const sl_status waited = sl_cuda_wait(ctx, "messages of a grid");
    return sl_cuda_grid_announce_complete(l, line, sent, received,
                                          status == SL_OK ? waited : status);
}

/* ---- data ----------------------------------------------------------------------------------------- */

static void count(const cuda_grid_links *l, sl_grid_line line, const cuda_parcel *received)
{
    sl_device_traffic *t = l->grid->traffic;
    t->transport = l->transport->name;
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, line); m++) {
        t->messages += received[m].bytes > 0;
        t->bytes += received[m].bytes;
        t->host_bytes += l->transport->stages ? received[m].bytes : 0;
    }
}

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

static sl_status move(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                      const cuda_parcel *sent, cuda_parcel *received, cudaStream_t stream)
{
    place_received(l, line, received);
    l->turns.unread = true;
    return l->transport->deliver(l, ctx, line, sent, received, stream);
}

/* Delivers what was announced, unless a rank of the line has failed. */
static sl_status deliver_if_complete(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                     const cuda_parcel *sent, cuda_parcel *received,
                                     sl_status status)
{
    if (l->complete) {
        const sl_status delivered = move(l, ctx, line, sent, received, cuda_stream());
        return status == SL_OK ? delivered : status;
    }
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, line); m++)
        received[m].bytes = 0;
    return status;
}

sl_status sl_cuda_grid_swap(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *sent, cuda_parcel *received, sl_status status)
{
    if (sl_device_grid_members(l->grid, line) == 1) {
        received[0] = (cuda_parcel){.bytes = 0};
        return status;
    }
    status = sl_cuda_grid_announce(l, ctx, line, sent, received, status);
    return deliver_if_complete(l, ctx, line, sent, received, status);
}

/* ---- exchanges of operations ------------------------------------------------------------------------ */

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The least power of two that is not less. */
static uint64_t power_of_two(uint64_t x)
{
    uint64_t power = 1;
    while (power < x)
        power *= 2;
    return power;
}

/*
 * The links with halves and parts of at least these sizes, and as much room in the inboxes of all processes. If a size
 * changes, places of the outbox change too: then all processes wait for their reads, and agree on `status`.
 */
static sl_status open_links(cuda_grid_links **links, const sl_device_grid *grid, sl_context *ctx,
                            uint64_t half, uint64_t part, uint64_t inbox, sl_status status)
{
    cuda_grid_links *l = *grid->engine_state;
    half = greater(l ? l->turns.half_bytes : 0, half);
    part = greater(l ? l->turns.part_bytes : 0, part);
    inbox = greater(l ? l->turns.short_bytes : 0, inbox);
    const uint64_t outbox = 2 * half + CUDA_GRID_SHORT_PARTS * part;
    *links = l;
    if (l && half == l->turns.half_bytes && part == l->turns.part_bytes &&
        inbox == l->turns.short_bytes && l->outbox_bytes >= outbox)
        return sl_cuda_grid_links_choose(l, ctx);
    const sl_status waited = sl_cuda_wait(ctx, "messages of a grid");
    CUDA_TRY(cuda_grid_agree(grid, status == SL_OK ? waited : status));
    CUDA_TRY(
        sl_cuda_grid_links_open(links, grid, ctx, outbox, greater(l ? l->inbox_bytes : 0, inbox)));
    (*links)->turns.half_bytes = half;
    (*links)->turns.part_bytes = part;
    (*links)->turns.short_bytes = inbox;
    return SL_OK;
}

/* The size of a half or a part. */
static uint64_t room_for(uint64_t bytes)
{
    return power_of_two(greater(bytes, CUDA_GRID_BOX_LINE));
}

sl_status sl_cuda_grid_begin(cuda_grid_links **links, const sl_device_grid *grid, sl_context *ctx,
                             uint64_t bytes, uint64_t *offset, sl_status status)
{
    CUDA_TRY(open_links(links, grid, ctx, room_for(bytes), 0, 0, status));
    *offset = (*links)->turns.exchanges++ % 2 * (*links)->turns.half_bytes;
    return SL_OK;
}

sl_status sl_cuda_grid_begin_short(cuda_grid_links **links, const sl_device_grid *grid,
                                   sl_context *ctx, uint64_t bytes, uint64_t inbox,
                                   uint64_t *offset, sl_status status)
{
    const cuda_grid_links *l = *grid->engine_state;
    const unsigned next = l ? l->turns.short_exchanges : 0;
    if (next >= CUDA_GRID_SHORT_PARTS &&
        l->turns.agreements[(next + 1) % CUDA_GRID_SHORT_PARTS] == *grid->agreements)
        CUDA_TRY(cuda_grid_agree(grid, status));
    CUDA_TRY(open_links(links, grid, ctx, 0, room_for(bytes), room_for(inbox), status));
    *offset =
        2 * (*links)->turns.half_bytes + next % CUDA_GRID_SHORT_PARTS * (*links)->turns.part_bytes;
    return SL_OK;
}

/* The room that the messages take in the inbox, and in pinned memory if they are staged. */
static sl_status grow_inbox(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *received)
{
    uint64_t inbox = 0, all = 0;
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, line); m++) {
        all += cuda_grid_aligned(received[m].bytes);
        inbox += received[m].to ? 0 : cuda_grid_aligned(received[m].bytes);
    }
    return sl_cuda_grid_grow_inbox(l, ctx, inbox, all);
}

sl_status sl_cuda_grid_deliver(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                               const cuda_parcel *sent, cuda_parcel *received, sl_status status)
{
    const double began = sl_seconds();
    if (status == SL_OK && l->complete)
        status = grow_inbox(l, ctx, line, received);
    CUDA_TRY(cuda_grid_agree(l->grid, status));
    if (sl_device_grid_members(l->grid, line) > 1)
        status = move(l, ctx, line, sent, received, cuda_stream());
    count(l, line, received);
    l->grid->traffic->seconds += sl_seconds() - began;
    return status;
}

sl_status sl_cuda_grid_deliver_short(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                     const cuda_parcel *sent, cuda_parcel *received,
                                     sl_status status)
{
    const double began = sl_seconds();
    l->turns.agreements[l->turns.short_exchanges++ % CUDA_GRID_SHORT_PARTS] = *l->grid->agreements;
    for (uint32_t m = 0; status != SL_OK && m < sl_device_grid_members(l->grid, line); m++)
        received[m].to = NULL;
    if (!l->complete && status == SL_OK) {
        *l->grid->told = true;
        status = sl_fail(ctx, SL_ENGINE_FAULT, "another rank has failed");
    }
    if (sl_device_grid_members(l->grid, line) > 1)
        status = deliver_if_complete(l, ctx, line, sent, received, status);
    count(l, line, received);
    l->grid->traffic->seconds += sl_seconds() - began;
    return status;
}

/* ---- exchanges that overlap with other work --------------------------------------------------------- */

/* Chooses where the messages of all lines come: in the inbox, and in pinned memory if they are staged. */
static sl_status place(cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t,
                       unsigned transfers)
{
    uint64_t bytes = 0;
    for (unsigned k = 0; k < transfers; k++) {
        t[k].landing = bytes;
        for (uint32_t m = 0; m < sl_device_grid_members(l->grid, t[k].line); m++)
            bytes += cuda_grid_aligned(t[k].received[m].bytes);
    }
    CUDA_TRY(sl_cuda_grid_grow_inbox(l, ctx, bytes, bytes));
    for (unsigned k = 0; k < transfers; k++) {
        uint64_t at = t[k].landing;
        for (uint32_t m = 0; m < sl_device_grid_members(l->grid, t[k].line); m++) {
            t[k].received[m].to = l->inbox + at;
            at += cuda_grid_aligned(t[k].received[m].bytes);
        }
    }
    return SL_OK;
}

static sl_status make_stream(cuda_grid_links *l, sl_context *ctx)
{
    cudaStream_t stream;
    if (l->moving)
        return SL_OK;
    CUDA_TRY(sl_cuda_status(ctx, "cudaEventCreate",
                            cudaEventCreateWithFlags(&l->reached, cudaEventDisableTiming)));
    const sl_status status = sl_cuda_status(
        ctx, "cudaStreamCreate", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (status == SL_OK)
        l->moving = stream;
    else
        cudaEventDestroy(l->reached);
    return status;
}

/* Work queued in `after` from now on waits for what is queued in `before`. */
static sl_status follow(const cuda_grid_links *l, sl_context *ctx, cudaStream_t after,
                        cudaStream_t before)
{
    CUDA_TRY(sl_cuda_status(ctx, "cudaEventRecord", cudaEventRecord(l->reached, before)));
    return sl_cuda_status(ctx, "cudaStreamWaitEvent", cudaStreamWaitEvent(after, l->reached, 0));
}

/* ---- messages at known places -------------------------------------------------------------------------- */

sl_status sl_cuda_grid_meet(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            sl_status status)
{
    const uint32_t members = sl_device_grid_members(l->grid, line);
    const bool *theirs = l->failed + members;
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "messages of a grid");
    for (uint32_t m = 0; m < members; m++)
        l->failed[m] = status != SL_OK;
    const sl_status swapped =
        l->grid->swap(l->grid, line, l->failed, l->failed + members, sizeof *theirs);
    l->complete = swapped == SL_OK;
    for (uint32_t m = 0; m < members; m++)
        l->complete = l->complete && !theirs[m];
    return status == SL_OK ? swapped : status;
}

sl_status sl_cuda_grid_take(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *sent, cuda_parcel *received)
{
    return move(l, ctx, line, sent, received, cuda_stream());
}

/* ---- transfers of operations --------------------------------------------------------------------------- */

static sl_status begin_transfer(cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t)
{
    t->begun = true;
    if (sl_device_grid_members(l->grid, t->line) == 1)
        return SL_OK;
    if (!l->transport->begin)
        return move(l, ctx, t->line, t->sent, t->received, l->moving);
    place_received(l, t->line, t->received);
    return l->transport->begin(l, ctx, t, l->moving);
}

sl_status sl_cuda_grid_send(cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t,
                            unsigned transfers, sl_status status)
{
    const double began = sl_seconds();
    if (status == SL_OK)
        status = make_stream(l, ctx);
    if (status == SL_OK)
        status = place(l, ctx, t, transfers);
    CUDA_TRY(cuda_grid_agree(l->grid, status));
    status = follow(l, ctx, l->moving, cuda_stream());
    for (unsigned k = 0; k < transfers; k++) {
        const sl_status begun = begin_transfer(l, ctx, &t[k]);
        status = status == SL_OK ? begun : status;
    }
    l->grid->traffic->seconds += sl_seconds() - began;
    return status;
}

static sl_status end_transfer(cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t)
{
    if (!t->begun)
        return SL_OK;
    count(l, t->line, t->received);
    return l->transport->end && sl_device_grid_members(l->grid, t->line) > 1
               ? l->transport->end(l, ctx, t, l->moving)
               : SL_OK;
}

sl_status sl_cuda_grid_complete(cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t,
                                unsigned transfers)
{
    const double began = sl_seconds();
    sl_status status = SL_OK;
    for (unsigned k = 0; k < transfers; k++) {
        const sl_status ended = end_transfer(l, ctx, &t[k]);
        status = status == SL_OK ? ended : status;
    }
    const sl_status followed = l->moving ? follow(l, ctx, cuda_stream(), l->moving) : SL_OK;
    l->grid->traffic->seconds += sl_seconds() - began;
    return status == SL_OK ? followed : status;
}
