/* Completes an array of which every process of a line has a part. Sizes and places are known, so that no heads travel.
 */
#include "cuda/links/links.h"

/* Bytes that a process sends at once, and those that it receives. */
enum { PIECE_BYTES = 32 << 20, RECEIVED_BYTES = 16 * PIECE_BYTES };

typedef struct {
    cuda_grid_links *links;
    sl_context *ctx;
    sl_grid_line line;
    char *array;
    size_t size; /* of an element */
    const uint64_t *begin;
    uint64_t piece;
} gathering;

/* The bytes of process m's part. */
static uint64_t length_of(const gathering *g, uint32_t m)
{
    return (g->begin[m + 1] - g->begin[m]) * g->size;
}

/* How many bytes of process m's part are in the piece that begins at `at`. */
static uint64_t length_at(const gathering *g, uint32_t m, uint64_t at)
{
    const uint64_t length = length_of(g, m);
    return at >= length ? 0 : length - at < g->piece ? length - at : g->piece;
}

/* Describes the messages of a piece, which begin at `offset` in the outboxes. */
static void describe(const gathering *g, uint64_t at, uint64_t offset)
{
    const cuda_grid_links *l = g->links;
    const uint32_t place = sl_device_grid_place(l->grid, g->line);
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, g->line); m++) {
        l->sent[m] = (cuda_parcel){.bytes = length_at(g, place, at), .offset = offset};
        l->received[m] = (cuda_parcel){.bytes = m == place ? 0 : length_at(g, m, at),
                                       .offset = offset,
                                       .to = g->array + g->begin[m] * g->size + at};
    }
}

/* Two places of the outbox alternate: a process that meets the others has read the messages of the piece before. */
static sl_status gather_pieces(gathering *g, uint64_t longest, sl_status status)
{
    cuda_grid_links *l = g->links;
    const uint32_t place = sl_device_grid_place(l->grid, g->line);
    l->complete = true;
    for (uint64_t at = 0, turn = 0; at < longest && l->complete; at += g->piece, turn++) {
        const uint64_t offset = turn % 2 * g->piece, own = length_at(g, place, at);
        describe(g, at, offset);
        if (status == SL_OK && own > 0)
            status = sl_cuda_copy(g->ctx, l->outbox + offset,
                                  g->array + g->begin[place] * g->size + at, own);
        status = sl_cuda_grid_meet(l, g->ctx, g->line, status);
        if (l->complete)
            status = sl_cuda_grid_take(l, g->ctx, g->line, l->sent, l->received);
    }
    return status;
}

sl_status sl_cuda_grid_gather(cuda_grid_links **links, const sl_device_grid *grid, sl_context *ctx,
                              sl_grid_line line, void *array, size_t size, const uint64_t *begin)
{
    const uint32_t members = sl_device_grid_members(grid, line);
    gathering g = {.ctx = ctx, .line = line, .array = array, .size = size, .begin = begin};
    uint64_t longest = CUDA_GRID_BOX_LINE; /* of all lines: boxes have one size */
    for (uint32_t m = 0; m < members; m++)
        longest = length_of(&g, m) > longest ? length_of(&g, m) : longest;
    sl_status status = grid->reduce(grid, &longest, 1, true);
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "messages of a grid");
    const uint64_t share = RECEIVED_BYTES / members,
                   most = share < PIECE_BYTES ? share : PIECE_BYTES;
    g.piece = cuda_grid_aligned(longest < most ? longest : most);
    CUDA_TRY(cuda_grid_agree(grid, status));
    CUDA_TRY(sl_cuda_grid_links_open(links, grid, ctx, 2 * g.piece, 0));
    g.links = *links;
    status = sl_cuda_grid_grow_inbox(g.links, ctx, 0, members * g.piece);
    status = gather_pieces(&g, longest, status);
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "messages of a grid");
    return cuda_grid_agree(grid, status);
}
