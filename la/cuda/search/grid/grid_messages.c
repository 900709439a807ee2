/*
 * How a two-dimensional search exchanges sets of vertices between hosts, or wherever codecs are asked for: as
 * messages in regions of the outbox (set_messages.h). Their heads with form, count and size travel
 * first. A rank that has failed sends nothing and goes on.
 */
#include "cuda/search/grid/grid_bfs_run.h"

/* The form of a message of `count` ids below `limit`: the shorter one. */
static sl_group_codec form_for(uint64_t count, uint32_t limit)
{
    return count * sizeof(uint32_t) < limit / 8 ? SL_GROUP_LIST : SL_GROUP_BITMAP;
}

/* Writes a bitmap of one block, with `count` bits below `limit`, as a message at an offset in the outbox. */
static cuda_parcel encode(cuda_grid_run *r, uint64_t offset, const uint32_t *bits, uint64_t count,
                          uint32_t limit)
{
    cuda_parcel p = {.set = {.form = form_for(count, limit), .count = count, .limit = limit},
                     .offset = offset};
    if (count == 0)
        return (cuda_parcel){.offset = offset};
    GRID_DO(r, sl_cuda_encode_set(&r->kept->coder, r->call->ctx,
                                  (uint8_t *)r->part->links->outbox + offset, &p.set, bits));
    p.bytes = (p.set.bytes + 15) / 16 * 16;
    return p;
}

/* ---- exchanges ------------------------------------------------------------------------------------- */

static void count_heads(cuda_grid_run *r, sl_grid_line line)
{
    const uint32_t others = sl_device_grid_members(r->part->grid, line) - 1;
    r->report->counts_messages += others;
    r->report->counts_bytes += others * sizeof(cuda_grid_head);
}

void sl_cuda_grid_swap_messages(cuda_grid_run *r, sl_grid_line line, sl_grid_phase phase,
                                bool values)
{
    const double began = sl_seconds();
    r->status =
        sl_cuda_grid_swap(r->part->links, r->call->ctx, line, r->sent, r->received, r->status);
    count_heads(r, line);
    sl_cuda_grid_count_received(r, line, phase, values, began);
}

/* Adds the messages received along a line to bitmaps of one block each: that of member m to `to` +
 * m words. Whether they were valid is known at the next wait (sum_counts in grid_bfs.c). */
static void merge(cuda_grid_run *r, sl_grid_line line, uint32_t *to)
{
    for (uint32_t m = 0; m < sl_device_grid_members(r->part->grid, line); m++) {
        const cuda_parcel *p = &r->received[m];
        if (p->bytes)
            GRID_DO(r, sl_cuda_decode_set(&r->kept->coder, r->call->ctx,
                                          to + (uint64_t)m * r->part->words, p->data, &p->set));
    }
}

/* Empties the blocks of `arrived`, one for each process of a line: they are the sets of the line. */
static void empty_arrived(cuda_grid_run *r, sl_grid_line line)
{
    const uint32_t members = sl_device_grid_members(r->part->grid, line);
    GRID_DO(r, sl_cuda_zero(r->call->ctx, r->s.arrived,
                            (uint64_t)members * r->part->words * sizeof *r->s.arrived));
    for (uint32_t m = 0; m < members; m++)
        r->sets[m] = r->s.arrived + (uint64_t)m * r->part->words;
}

static void send_all(cuda_grid_run *r, sl_grid_line line, cuda_parcel parcel)
{
    for (uint32_t m = 0; m < sl_device_grid_members(r->part->grid, line); m++)
        r->sent[m] = parcel;
}

/* ---- share and expand -------------------------------------------------------------------------------- */

static void share(cuda_grid_run *r, cuda_parcel parcel)
{
    send_all(r, SL_ALONG_ROW, parcel);
    sl_cuda_grid_swap_messages(r, SL_ALONG_ROW, SL_GRID_SHARE, false);
    merge(r, SL_ALONG_ROW, r->s.visited);
}

static void share_visited(cuda_grid_run *r)
{
    share(r, encode(r, r->boxes.set[1], r->s.own_visited, r->own_settled, r->part->stride));
}

static void expand(cuda_grid_run *r, uint32_t limit, bool shared)
{
    const cuda_parcel parcel = encode(r, r->boxes.set[0], r->s.own_next, r->own_expanded, limit);
    if (shared)
        share(r, parcel);
    if (r->part->grid->rows == 1)
        return;
    send_all(r, SL_ALONG_COLUMN, parcel);
    sl_cuda_grid_swap_messages(r, SL_ALONG_COLUMN, SL_GRID_EXPAND, false);
    empty_arrived(r, SL_ALONG_COLUMN);
    merge(r, SL_ALONG_COLUMN, r->s.arrived);
}

/* ---- fold ----------------------------------------------------------------------------------------- */

void sl_cuda_grid_read_slice_counts(cuda_grid_run *r)
{
    GRID_DO(r, sl_cuda_download(r->call->ctx, r->kept->counts->slice, r->s.slice_counts,
                                r->part->grid->cols * sizeof *r->s.slice_counts));
    GRID_DO(r, sl_cuda_wait(r->call->ctx, "counts of a level"));
}

static void pack_found(cuda_grid_run *r)
{
    const sl_device_grid *grid = r->part->grid;
    GRID_DO(r,
            sl_cuda_zero(r->call->ctx, r->s.slice_counts, grid->cols * sizeof *r->s.slice_counts));
    GRID_LAUNCH(r, "take_found", sl_cuda_grid_bfs_take_found(&r->s));
    sl_cuda_grid_read_slice_counts(r);
    for (uint32_t m = 0; m < grid->cols; m++) {
        r->sent[m] = (cuda_parcel){.bytes = 0};
        if (m != grid->j && r->status == SL_OK)
            r->sent[m] = encode(r, r->boxes.fold + m * r->boxes.slot,
                                r->s.found + (uint64_t)m * r->part->words,
                                r->kept->counts->slice[m], r->part->stride);
    }
}

static void fold(cuda_grid_run *r, sl_grid_phase phase)
{
    empty_arrived(r, SL_ALONG_ROW);
    pack_found(r);
    sl_cuda_grid_swap_messages(r, SL_ALONG_ROW, phase, false);
    merge(r, SL_ALONG_ROW, r->s.arrived);
}

const cuda_grid_exchange sl_cuda_grid_messages = {
    .encodes = true, .share_visited = share_visited, .expand = expand, .fold = fold};

void sl_cuda_grid_count_received(cuda_grid_run *r, sl_grid_line line, sl_grid_phase phase,
                                 bool values, double began)
{
    for (uint32_t m = 0; m < sl_device_grid_members(r->part->grid, line); m++) {
        const cuda_parcel *p = &r->received[m];
        r->report->messages[phase] += p->bytes > 0;
        if (values)
            r->report->parent_bytes += p->bytes;
        else if (p->bytes)
            r->report->bytes[phase][p->set.form] += p->bytes;
    }
    r->report->seconds[phase] += sl_seconds() - began;
}
