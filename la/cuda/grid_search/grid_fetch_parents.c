/* Parents are fetched when a search has ended (Bisson et al. 2014, section 3): the owner of a vertex asks
 * the process of its row that reached it, by sets of vertices, and is answered by one value of 32 bits
 * for each id of a set. */
#include <string.h>

#include "grid_bfs_run.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Decodes a set of requests, which is never a plain bitmap, to the list of its ids. */
static void decode_list(cuda_grid_run *r, const uint8_t *slot, const cuda_message *message)
{
    const cuda_decode_target list = {.list = r->s.list};
    GRID_DO(r, sl_cuda_decode(&r->part->codec, r->call->ctx, &list, slot, message));
}

/* Answers the requests received: values in the outbox, one region after the other. The requests are
 * counted against the room first, as they come from other processes. */
static void answer(cuda_grid_run *r)
{
    const cuda_grid_part *part = r->part;
    uint64_t at = r->boxes.values;
    for (uint32_t m = 0; m < part->grid->cols; m++) {
        const cuda_parcel request = r->received[m];
        const uint64_t count = least(request.bytes ? request.message.count : 0, part->stride);
        r->sent[m] = (cuda_parcel){.bytes = count * sizeof(uint32_t), .offset = at};
        if (count == 0)
            continue;
        decode_list(r, request.data, &request.message);
        GRID_LAUNCH(r, "replies",
                    sl_cuda_grid_bfs_replies(&r->s, (uint32_t *)(part->links->outbox + at), count,
                                             m * part->stride, cuda_processors(), cuda_stream()));
        at += (count * sizeof(uint32_t) + 255) / 256 * 256;
    }
}

/* Takes the answers, unless a rank of the row has failed: the ids that they are for are in the own
 * requests. */
static void take_answers(cuda_grid_run *r, const cuda_parcel *asked)
{
    const cuda_grid_part *part = r->part;
    for (uint32_t m = 0; m < part->grid->cols; m++) {
        const uint64_t count = asked[m].bytes ? asked[m].message.count : 0;
        if (count == 0 || r->status != SL_OK || !part->links->complete)
            continue;
        if (r->received[m].bytes != count * sizeof(uint32_t)) {
            cuda_grid_keep(r, sl_fail(r->call->ctx, SL_ENGINE_FAULT,
                                      "cuda: grid column %u answers %llu requests for parents by "
                                      "%llu bytes instead of 4 for each",
                                      m, (unsigned long long)count,
                                      (unsigned long long)r->received[m].bytes));
            continue;
        }
        decode_list(r, (const uint8_t *)part->links->outbox + asked[m].offset, &asked[m].message);
        GRID_LAUNCH(r, "take_replies",
                    sl_cuda_grid_bfs_take_replies(&r->s, (const uint32_t *)r->received[m].data,
                                                  count, cuda_processors(), cuda_stream()));
    }
}

void sl_cuda_grid_fetch_parents(cuda_grid_run *r)
{
    const sl_device_grid *grid = r->part->grid;
    cuda_parcel *asked = r->part->asked;
    if (grid->cols == 1)
        return;
    sl_cuda_grid_empty_arrived(r, grid->cols);
    GRID_DO(r,
            sl_cuda_zero(r->call->ctx, r->s.slice_counts, grid->cols * sizeof *r->s.slice_counts));
    GRID_LAUNCH(r, "requests", sl_cuda_grid_bfs_requests(&r->s, cuda_processors(), cuda_stream()));
    GRID_LAUNCH(r, "count_arrived",
                sl_cuda_grid_bfs_count_arrived(&r->s, cuda_processors(), cuda_stream()));
    sl_cuda_grid_encode_slices(r, r->s.arrived, 1, grid->cols - 1, true);
    memcpy(asked, r->sent, grid->cols * sizeof *asked);
    sl_cuda_grid_swap_sets(r, SL_ALONG_ROW, SL_GRID_PARENTS, false);
    answer(r);
    sl_cuda_grid_swap_sets(r, SL_ALONG_ROW, SL_GRID_PARENTS, true);
    take_answers(r, asked);
}
