/* Opens the links of a grid, and swaps messages: heads through the hosts, then the data by the
 * transport. */
#include "grid_links.h"

#include <string.h>

/* ---- opening ---------------------------------------------------------------------------------- */

static sl_status choose(cuda_grid_links *l, sl_context *ctx)
{
    const char *asked = l->grid->group->forced_transport;
    l->chosen_by = asked;
    l->why_not = NULL;
    l->transport = NULL;
    for (const cuda_grid_transport *const *x = sl_cuda_grid_transports; *x && !l->transport; x++)
        if ((!asked || strcmp(asked, (*x)->name) == 0) && cuda_grid_all_true(l, (*x)->open(l)))
            l->transport = *x;
    sl_status status = l->transport
                           ? SL_OK
                           : sl_fail(ctx, SL_UNSUPPORTED,
                                     "the devices of a grid cannot exchange data by "
                                     "'%s': %s",
                                     asked ? asked : "", l->why_not ? l->why_not : "unknown name");
    if (status == SL_OK && l->transport->stages && !l->staging)
        status = sl_cuda_alloc_pinned(ctx, (void **)&l->staging, l->outbox_bytes + l->inbox_bytes);
    status = cuda_grid_agree(l->grid, status);
    if (status != SL_OK)
        l->transport = NULL;
    return status;
}

sl_status sl_cuda_grid_links_choose(cuda_grid_links *l, sl_context *ctx)
{
    return l->transport && l->chosen_by == l->grid->group->forced_transport ? SL_OK
                                                                            : choose(l, ctx);
}

static void free_links(cuda_grid_links *l)
{
    for (int line = 0; l && line < SL_GRID_LINES; line++)
        sl_free(l->peer[line]);
    if (l) {
        sl_free(l->head);
        sl_free(l->parcel);
    }
    sl_free(l);
}

static cuda_grid_links *new_links(const sl_device_grid *grid)
{
    cuda_grid_links *l = sl_calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->grid = grid;
    bool enough = true;
    for (int line = 0; line < SL_GRID_LINES; line++) {
        l->peer[line] = sl_calloc(cuda_grid_members(grid, line), sizeof *l->peer[line]);
        enough = enough && l->peer[line];
    }
    l->head = sl_calloc(2 * (uint64_t)cuda_grid_longest_line(grid), sizeof *l->head);
    l->parcel = sl_calloc(2 * (uint64_t)cuda_grid_longest_line(grid), sizeof *l->parcel);
    if (enough && l->head && l->parcel)
        return l;
    free_links(l);
    return NULL;
}

sl_status sl_cuda_grid_links_open(cuda_grid_links **links, const sl_device_grid *grid,
                                  sl_context *ctx, uint64_t outbox_bytes, uint64_t inbox_bytes)
{
    cuda_grid_links *l = *grid->engine_state;
    if (!l) {
        l = new_links(grid);
        const sl_status status = cuda_grid_agree(grid, l ? SL_OK : cuda_no_host_memory(ctx));
        if (status != SL_OK) {
            free_links(l);
            return status;
        }
        *grid->engine_state = l;
    }
    uint64_t grows = l->outbox_bytes < outbox_bytes || l->inbox_bytes < inbox_bytes;
    CUDA_TRY(cuda_grid_agree(grid, grid->reduce(grid, &grows, 1, true)));
    if (grows) {
        sl_cuda_nccl_close(l->nccl);
        l->nccl = NULL;
        l->transport = NULL;
        CUDA_TRY(sl_cuda_grid_grow_boxes(l, ctx, outbox_bytes, inbox_bytes));
    }
    *links = l;
    return sl_cuda_grid_links_choose(l, ctx);
}

void sl_cuda_grid_links_close(const sl_device_grid *grid)
{
    cuda_grid_links *l = *grid->engine_state;
    if (!l)
        return;
    sl_cuda_nccl_close(l->nccl);
    sl_cuda_grid_unmap(l);
    cuda_grid_agree(grid, SL_OK);
    sl_cuda_grid_free_boxes(l);
    free_links(l);
    *grid->engine_state = NULL;
}

/* ---- messages ---------------------------------------------------------------------------------- */

/* Swaps the heads; false: a rank of the line has failed. */
static bool swap_heads(cuda_grid_links *l, sl_grid_line line, const cuda_parcel *sent,
                       cuda_parcel *received, sl_status *status)
{
    const sl_device_grid *grid = l->grid;
    const uint32_t members = cuda_grid_members(grid, line), place = cuda_grid_place(grid, line);
    cuda_grid_head *theirs = l->head + members;
    bool all_could = true;
    memset(l->head, 0, members * sizeof *l->head);
    for (uint32_t m = 0; m < members; m++) {
        l->head[m].failed = *status != SL_OK;
        if (*status != SL_OK || m == place)
            continue;
        l->head[m].message = sent[m].message;
        l->head[m].bytes = sent[m].bytes;
        l->head[m].offset = sent[m].offset;
    }
    const sl_status swapped = grid->swap(grid, line, l->head, theirs, sizeof *theirs);
    *status = *status == SL_OK ? swapped : *status;
    for (uint32_t m = 0; m < members; m++) {
        received[m] = (cuda_parcel){.message = theirs[m].message,
                                    .bytes = m == place ? 0 : theirs[m].bytes,
                                    .offset = theirs[m].offset};
        all_could = all_could && !theirs[m].failed;
    }
    return all_could && swapped == SL_OK;
}

sl_status sl_cuda_grid_swap(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *sent, cuda_parcel *received, sl_status status)
{
    const uint32_t members = cuda_grid_members(l->grid, line);
    if (members == 1) {
        received[0] = (cuda_parcel){.bytes = 0};
        return status;
    }
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "messages of a grid");
    l->complete = swap_heads(l, line, sent, received, &status);
    if (l->complete) {
        const sl_status delivered = l->transport->deliver(l, ctx, line, sent, received);
        return status == SL_OK ? delivered : status;
    }
    for (uint32_t m = 0; m < members; m++)
        received[m].bytes = 0;
    return status;
}
