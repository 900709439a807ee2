/* The exchanges of a two-dimensional search: sets of vertices as messages of the codecs, in the
 * regions of the outbox, and parents. A rank that has failed sends nothing and goes on. */
#include "grid_bfs_run.h"
#include "grid_tuning.h"

/* Whether every set is sent as it is: a bitmap that short is copied between the devices of a host in
 * less time than it takes to count its bits and to list them. */
static bool sends_bitmaps(const cuda_grid_run *r)
{
    return r->part->links->transport->mapped && r->part->stride / 8 <= GRID_BITMAP_BYTES &&
           !r->part->grid->group->compresses;
}

/* The encoding of `count` ids of a block below `limit`: within a host the smaller of list and bitmap, which cost no
 * pass more than the set itself; between hosts the smallest of all. */
static sl_group_codec codec_for(const cuda_grid_run *r, uint64_t count, uint32_t limit)
{
    const sl_device_group *group = r->part->grid->group;
    uint64_t most;
    if (group->compresses)
        return group->choose_codec(group, count, limit, &most);
    if (sends_bitmaps(r))
        return SL_GROUP_BITMAP;
    return count * sizeof(uint32_t) < limit / 8 ? SL_GROUP_LIST : SL_GROUP_BITMAP;
}

/* Whether a message is a bitmap without a head, in mapped memory. */
static bool is_plain(const cuda_grid_run *r, const cuda_message *message)
{
    return r->part->links->transport->mapped && message->codec == SL_GROUP_BITMAP;
}

/* Writes a bitmap of one block, with `count` bits below `limit`, as a message at an offset in the outbox. */
static cuda_parcel encode(cuda_grid_run *r, uint64_t offset, const uint32_t *bits, uint64_t count,
                          uint32_t limit)
{
    cuda_parcel p = {
        .message = {.codec = codec_for(r, count, limit), .count = count, .limit = limit},
        .offset = offset};
    uint8_t *slot = (uint8_t *)r->part->links->outbox + offset;
    if (count == 0)
        return (cuda_parcel){.offset = offset};
    if (is_plain(r, &p.message)) {
        p.message.bytes = limit / 8;
        GRID_DO(r, sl_cuda_copy(r->call->ctx, slot + SLOT_HEAD, bits, p.message.bytes));
    } else {
        GRID_DO(r, sl_cuda_encode(&r->part->codec, r->call->ctx, slot, &p.message, bits));
    }
    p.bytes = sl_cuda_message_slot_bytes(p.message.bytes);
    return p;
}

/* Adds a message to a bitmap of one block. Whether it was valid is known at the next wait
 * (grid_bfs.c). */
static void decode(cuda_grid_run *r, uint32_t *bits, const cuda_parcel *p)
{
    const cuda_decode_target target = {.bits = bits};
    if (is_plain(r, &p->message))
        GRID_LAUNCH(r, "merge_bits",
                    sl_cuda_merge_bits(bits, (const uint32_t *)(p->data + SLOT_HEAD),
                                       p->message.limit, cuda_processors(), cuda_stream()));
    else
        GRID_DO(r, sl_cuda_decode(&r->part->codec, r->call->ctx, &target, p->data, &p->message));
}

/* Counts what has arrived along a line, in an exchange since `began`. */
static void count(cuda_grid_run *r, sl_grid_line line, sl_grid_phase phase, bool values,
                  double began)
{
    const uint32_t members = sl_device_grid_members(r->part->grid, line);
    for (uint32_t m = 0; m < members; m++) {
        const cuda_parcel *p = &r->received[m];
        r->report->messages[phase] += p->bytes > 0;
        if (values)
            r->report->parent_bytes += p->bytes;
        else if (p->bytes)
            r->report->bytes[phase][p->message.codec] += p->bytes;
    }
    r->report->counts_messages += members - 1;
    r->report->counts_bytes += (members - 1) * sizeof(cuda_grid_head);
    r->report->seconds[phase] += sl_seconds() - began;
}

void sl_cuda_grid_swap_sets(cuda_grid_run *r, sl_grid_line line, sl_grid_phase phase, bool values)
{
    const double began = sl_seconds();
    r->status =
        sl_cuda_grid_swap(r->part->links, r->call->ctx, line, r->sent, r->received, r->status);
    count(r, line, phase, values, began);
}

void sl_cuda_grid_merge(cuda_grid_run *r, sl_grid_line line, uint32_t *to)
{
    for (uint32_t m = 0; m < sl_device_grid_members(r->part->grid, line); m++)
        if (r->received[m].bytes)
            decode(r, to + (uint64_t)m * r->part->words, &r->received[m]);
}

static void send_all(cuda_grid_run *r, sl_grid_line line, cuda_parcel parcel)
{
    for (uint32_t m = 0; m < sl_device_grid_members(r->part->grid, line); m++)
        r->sent[m] = parcel;
}

static void share(cuda_grid_run *r, cuda_parcel parcel)
{
    send_all(r, SL_ALONG_ROW, parcel);
    sl_cuda_grid_swap_sets(r, SL_ALONG_ROW, SL_GRID_SHARE, false);
    sl_cuda_grid_merge(r, SL_ALONG_ROW, r->s.visited);
}

/* Empties the blocks to which messages of a line are decoded. */
void sl_cuda_grid_empty_arrived(cuda_grid_run *r, uint32_t blocks)
{
    GRID_DO(r, sl_cuda_zero(r->call->ctx, r->s.arrived,
                            (uint64_t)blocks * r->part->words * sizeof *r->s.arrived));
}

void sl_cuda_grid_share(cuda_grid_run *r, const uint32_t *own, uint64_t count)
{
    if (r->part->grid->cols > 1)
        share(r, encode(r, r->boxes.set[1], own, count, r->part->stride));
}

void sl_cuda_grid_expand(cuda_grid_run *r, uint64_t count, uint32_t limit, bool shared)
{
    const sl_device_grid *grid = r->part->grid;
    shared = shared && grid->cols > 1;
    if (shared || grid->rows > 1) {
        const cuda_parcel parcel = encode(r, r->boxes.set[0], r->s.own_next, count, limit);
        if (shared)
            share(r, parcel);
        if (grid->rows > 1) {
            send_all(r, SL_ALONG_COLUMN, parcel);
            sl_cuda_grid_swap_sets(r, SL_ALONG_COLUMN, SL_GRID_EXPAND, false);
            sl_cuda_grid_empty_arrived(r, grid->rows);
            sl_cuda_grid_merge(r, SL_ALONG_COLUMN, r->s.arrived);
        }
    }
    GRID_LAUNCH(r, "spread", sl_cuda_grid_bfs_spread(&r->s, cuda_processors(), cuda_stream()));
}

void sl_cuda_grid_read_slice_counts(cuda_grid_run *r, bool exactly)
{
    for (uint32_t m = 0; m < r->part->grid->cols && !exactly; m++)
        r->part->counts->slice[m] = r->part->stride;
    if (!exactly)
        return;
    GRID_DO(r, sl_cuda_download(r->call->ctx, r->part->counts->slice, r->s.slice_counts,
                                r->part->grid->cols * sizeof *r->s.slice_counts));
    GRID_DO(r, sl_cuda_wait(r->call->ctx, "counts of a level"));
}

void sl_cuda_grid_encode_slices(cuda_grid_run *r, const uint32_t *bits, uint32_t first,
                                uint32_t many)
{
    const sl_device_grid *grid = r->part->grid;
    sl_cuda_grid_read_slice_counts(r, !sends_bitmaps(r));
    for (uint32_t m = 0; m < grid->cols; m++) {
        const uint32_t distance = (m + grid->cols - grid->j) % grid->cols;
        r->sent[m] = (cuda_parcel){.bytes = 0};
        if (distance >= first && distance - first < many && r->status == SL_OK)
            r->sent[m] =
                encode(r, r->boxes.fold + m * r->boxes.slot, bits + (uint64_t)m * r->part->words,
                       r->part->counts->slice[m], r->part->stride);
    }
}

/* ---- fold ----------------------------------------------------------------------------------------- */

void sl_cuda_grid_begin_fold(cuda_grid_run *r)
{
    GRID_DO(r, sl_cuda_zero(r->call->ctx, r->s.slice_counts,
                            r->part->grid->cols * sizeof *r->s.slice_counts));
    sl_cuda_grid_empty_arrived(r, r->part->grid->cols);
}

void sl_cuda_grid_pack_found(cuda_grid_run *r, uint32_t first, uint32_t many)
{
    cuda_block_range ranges[2];
    for (unsigned k = 0, count = sl_cuda_grid_ranges(r, first, many, ranges); k < count; k++)
        GRID_LAUNCH(r, "take_found",
                    sl_cuda_grid_bfs_take_found(&r->s, ranges[k].first, ranges[k].count,
                                                cuda_processors(), cuda_stream()));
    sl_cuda_grid_encode_slices(r, r->s.found, first, many);
}

void sl_cuda_grid_fold_marked(cuda_grid_run *r)
{
    const double began = sl_seconds();
    r->status = sl_cuda_grid_swap_marked(r->part->links, r->call->ctx, SL_ALONG_ROW, r->sent,
                                         r->received, r->status);
    count(r, SL_ALONG_ROW, SL_GRID_FOLD, false, began);
    for (uint32_t m = 0; m < r->part->grid->cols; m++)
        r->report->overlapped_bytes += r->received[m].bytes;
    sl_cuda_grid_merge(r, SL_ALONG_ROW, r->s.arrived);
}

void sl_cuda_grid_fold(cuda_grid_run *r)
{
    const uint32_t others = r->part->grid->cols - 1;
    if (others == 0)
        return;
    sl_cuda_grid_begin_fold(r);
    sl_cuda_grid_pack_found(r, 1, others);
    sl_cuda_grid_swap_sets(r, SL_ALONG_ROW, SL_GRID_FOLD, false);
    sl_cuda_grid_merge(r, SL_ALONG_ROW, r->s.arrived);
}
