/* Completes an array of which every process has a part. Sizes and places are known, so that no heads travel. */
#include "cuda/links/links.h"

enum { PIECE_BYTES = 32 << 20 }; /* that a process sends at once */

typedef struct {
    cuda_grid_links *links;
    sl_context *ctx;
    char *array;
    const uint64_t *begin;
    uint64_t piece;
} gathering;

/* How many bytes of process m's part are in the piece that begins at `at`. */
static uint64_t length_at(const gathering *g, uint32_t m, uint64_t at)
{
    const uint64_t length = g->begin[m + 1] - g->begin[m];
    return at >= length ? 0 : length - at < g->piece ? length - at : g->piece;
}

/* Describes the messages of a piece, which begin at `offset` in the outboxes. */
static void describe(const gathering *g, uint64_t at, uint64_t offset)
{
    const cuda_grid_links *l = g->links;
    const uint32_t place = sl_device_grid_place(l->grid, SL_ALONG_ALL);
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, SL_ALONG_ALL); m++) {
        l->sent[m] = (cuda_parcel){.bytes = length_at(g, place, at), .offset = offset};
        l->received[m] = (cuda_parcel){.bytes = m == place ? 0 : length_at(g, m, at),
                                       .offset = offset,
                                       .to = g->array + g->begin[m] + at};
    }
}

/* Two places of the outbox alternate: a process that meets the others has read the messages of the piece before. */
static sl_status gather_pieces(gathering *g, uint64_t longest, sl_status status)
{
    cuda_grid_links *l = g->links;
    const uint32_t place = sl_device_grid_place(l->grid, SL_ALONG_ALL);
    l->complete = true;
    for (uint64_t at = 0, turn = 0; at < longest && l->complete; at += g->piece, turn++) {
        const uint64_t offset = turn % 2 * g->piece, own = length_at(g, place, at);
        describe(g, at, offset);
        if (status == SL_OK && own > 0)
            status = sl_cuda_copy(g->ctx, l->outbox + offset, g->array + g->begin[place] + at, own);
        status = sl_cuda_grid_meet(l, g->ctx, SL_ALONG_ALL, false, status);
        if (l->complete)
            status = sl_cuda_grid_take(l, g->ctx, SL_ALONG_ALL, l->sent, l->received, false);
    }
    return status;
}

sl_status sl_cuda_grid_gather(cuda_grid_links **links, const sl_device_grid *grid, sl_context *ctx,
                              void *array, const uint64_t *begin)
{
    const uint32_t members = sl_device_grid_members(grid, SL_ALONG_ALL);
    gathering g = {.ctx = ctx, .array = array, .begin = begin};
    uint64_t longest = CUDA_GRID_BOX_LINE;
    for (uint32_t m = 0; m < members; m++)
        longest = begin[m + 1] - begin[m] > longest ? begin[m + 1] - begin[m] : longest;
    g.piece = cuda_grid_aligned(longest < PIECE_BYTES ? longest : PIECE_BYTES);
    CUDA_TRY(cuda_grid_agree(grid, sl_cuda_wait(ctx, "messages of a grid")));
    CUDA_TRY(sl_cuda_grid_links_open(links, grid, ctx, 2 * g.piece, 0));
    g.links = *links;
    sl_status status = sl_cuda_grid_grow_inbox(g.links, ctx, 0, members * g.piece);
    status = gather_pieces(&g, longest, status);
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "messages of a grid");
    return cuda_grid_agree(grid, status);
}
