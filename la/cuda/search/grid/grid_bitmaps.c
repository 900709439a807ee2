/*
 * How a two-dimensional search exchanges sets of vertices within a host: as bitmaps of one block at places of the
 * outboxes that all processes know. own_next, own_visited and `found` are in the outbox, so nothing
 * is copied before it is sent, and no counts and no heads are needed. The kernels that use a set
 * read it in the other device's memory.
 *
 * When a set is complete, and when its place may be written again:
 *
 *   own_next      settle of level k writes slot k % 2. The reduction at the end of level k follows
 *                 a wait for the stream, so all processes may read the slot after it, which they do
 *                 at the beginning of level k + 1. Settle of level k + 2 writes the slot again: this
 *                 process has then passed the reduction of level k + 1, into which each process goes
 *                 after it has waited for its reads.
 *   own_visited   is read by the row after the reduction at the beginning of the search. Settle of
 *                 level 1 writes it next, after the row has met in the fold of that level.
 *   found         is complete when the row meets: each process waits for its stream first. Settle of
 *                 the level, or a copy before settle, reads it before the reduction of the level, and
 *                 the next level writes it after that.
 *
 * At the end `found` has the requests for parents. Before a search writes to the outbox, and after
 * it, each process waits for its stream, and then all agree on errors: so no operation before or
 * after it reads or writes what the search does.
 */
#include <string.h>

#include "cuda/search/grid/grid_bfs_run.h"

/* Describes the sets that the other processes of a line have at `offset` of their outboxes: bitmaps of ids below
 * `limit`. */
static void expect(cuda_grid_run *r, sl_grid_line line, uint64_t offset, uint32_t limit)
{
    const uint64_t bytes = limit / 8;
    for (uint32_t m = 0; m < sl_device_grid_members(r->part->grid, line); m++)
        r->received[m] = (cuda_parcel){
            .set = {.form = SL_GROUP_BITMAP, .count = limit, .limit = limit, .bytes = bytes},
            .bytes = m == sl_device_grid_place(r->part->grid, line) ? 0 : bytes,
            .offset = offset};
}

static void forget_sets(cuda_grid_run *r, sl_grid_line line)
{
    for (uint32_t m = 0; m < sl_device_grid_members(r->part->grid, line); m++)
        r->sets[m] = NULL;
}

/* Takes the sets that are described in r->received. */
static void take(cuda_grid_run *r, sl_grid_line line, sl_grid_phase phase, double began)
{
    GRID_DO(r, sl_cuda_grid_take(r->part->links, r->call->ctx, line, NULL, r->received));
    for (uint32_t m = 0; m < sl_device_grid_members(r->part->grid, line); m++)
        if (r->received[m].bytes && r->status == SL_OK)
            r->sets[m] = (const uint32_t *)r->received[m].data;
    sl_cuda_grid_count_received(r, line, phase, false, began);
}

/* The row meets: afterwards nothing is expected if a rank of it has failed. */
static void meet(cuda_grid_run *r)
{
    const uint32_t others = r->part->grid->cols - 1;
    r->status = sl_cuda_grid_meet(r->part->links, r->call->ctx, SL_ALONG_ROW, r->status);
    r->report->counts_messages += others;
    r->report->counts_bytes += others * sizeof *r->part->links->failed;
    if (!r->part->links->complete)
        for (uint32_t m = 0; m <= others; m++)
            r->received[m].bytes = 0;
}

/* ---- share and expand -------------------------------------------------------------------------------- */

static uint64_t offset_of(const cuda_grid_run *r, const uint32_t *set)
{
    return (uint64_t)((const char *)set - r->part->links->outbox);
}

static void share(cuda_grid_run *r, const uint32_t *own, uint32_t limit, bool found)
{
    const double began = sl_seconds();
    forget_sets(r, SL_ALONG_ROW);
    expect(r, SL_ALONG_ROW, offset_of(r, own), limit);
    take(r, SL_ALONG_ROW, SL_GRID_SHARE, began);
    GRID_LAUNCH(r, "share", sl_cuda_grid_bfs_share(&r->s, r->sets, limit / 32, found));
}

static void share_visited(cuda_grid_run *r)
{
    share(r, r->s.own_visited, r->part->stride, false);
}

static void expand(cuda_grid_run *r, uint32_t limit, bool shared)
{
    if (shared)
        share(r, r->s.own_next, limit, true);
    if (r->part->grid->rows == 1)
        return;
    const double began = sl_seconds();
    forget_sets(r, SL_ALONG_COLUMN);
    expect(r, SL_ALONG_COLUMN, offset_of(r, r->s.own_next), limit);
    take(r, SL_ALONG_COLUMN, SL_GRID_EXPAND, began);
}

/* ---- fold ------------------------------------------------------------------------------------------ */

/* Describes the blocks of `found` of which this process is the owner. */
static void expect_found(cuda_grid_run *r)
{
    expect(r, SL_ALONG_ROW,
           offset_of(r, r->s.found) +
               (uint64_t)r->part->grid->j * r->part->words * sizeof *r->s.found,
           r->part->stride);
}

static void fold(cuda_grid_run *r, sl_grid_phase phase)
{
    const double began = sl_seconds();
    forget_sets(r, SL_ALONG_ROW);
    expect_found(r);
    memcpy(r->sent, r->received, r->part->grid->cols * sizeof *r->sent);
    meet(r);
    take(r, SL_ALONG_ROW, phase, began);
}

const cuda_grid_exchange sl_cuda_grid_bitmaps = {
    .share_visited = share_visited, .expand = expand, .fold = fold};
