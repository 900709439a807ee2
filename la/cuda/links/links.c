/* Opens the links of a grid and chooses their transport. */
#include "cuda/links/links.h"

#include <string.h>

static const cuda_grid_transport *const transports[] = {&sl_cuda_peers, &sl_cuda_nccl,
                                                        &sl_cuda_hosts, NULL};

static sl_status choose(cuda_grid_links *l, sl_context *ctx)
{
    const char *asked = l->grid->group->forced_transport;
    l->chosen_by = asked;
    l->why_not = NULL;
    l->transport = NULL;
    for (const cuda_grid_transport *const *x = transports; *x && !l->transport; x++)
        if ((!asked || strcmp(asked, (*x)->name) == 0) && cuda_grid_all_true(l, (*x)->open(l)))
            l->transport = *x;
    sl_status status = l->transport
                           ? sl_cuda_grid_take_staging(l, ctx)
                           : sl_fail(ctx, SL_UNSUPPORTED,
                                     "the devices of a grid cannot exchange data by "
                                     "'%s': %s",
                                     asked ? asked : "", l->why_not ? l->why_not : "unknown name");
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
    if (l) {
        if (l->moving) {
            cudaStreamDestroy(l->moving);
            cudaEventDestroy(l->reached);
        }
        sl_free(l->peer);
        sl_free(l->head);
        sl_free(l->failed);
        sl_free(l->parcel);
        sl_free(l->sent);
        sl_free(l->received);
    }
    sl_free(l);
}

static cuda_grid_links *new_links(const sl_device_grid *grid)
{
    const uint64_t all = sl_device_grid_members(grid, SL_ALONG_ALL);
    cuda_grid_links *l = sl_calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->grid = grid;
    l->peer = sl_calloc(all, sizeof *l->peer);
    l->head = sl_calloc(2 * all, sizeof *l->head);
    l->failed = sl_calloc(2 * all, sizeof *l->failed);
    l->parcel = sl_calloc(2 * all, sizeof *l->parcel);
    l->sent = sl_calloc(all, sizeof *l->sent);
    l->received = sl_calloc(all, sizeof *l->received);
    if (l->peer && l->head && l->failed && l->parcel && l->sent && l->received)
        return l;
    free_links(l);
    return NULL;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
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
        l->transport = NULL;
        CUDA_TRY(sl_cuda_grid_grow_boxes(l, ctx, greater(outbox_bytes, l->outbox_bytes),
                                         greater(inbox_bytes, l->inbox_bytes)));
    }
    *links = l;
    return sl_cuda_grid_links_choose(l, ctx);
}

sl_status sl_cuda_grid_links_reopen(cuda_grid_links *l, sl_context *ctx, uint64_t outbox_bytes,
                                    uint64_t inbox_bytes)
{
    return l->outbox_bytes >= outbox_bytes
               ? sl_cuda_grid_links_choose(l, ctx)
               : sl_cuda_grid_links_open(&l, l->grid, ctx, outbox_bytes, inbox_bytes);
}

void sl_cuda_grid_links_close(const sl_device_grid *grid)
{
    cuda_grid_links *l = *grid->engine_state;
    if (!l)
        return;
    cudaStreamSynchronize(cuda_stream()); /* the last messages may not have been read */
    sl_cuda_nccl_close(l);
    sl_cuda_grid_unmap(l);
    cuda_grid_agree(grid, SL_OK);
    sl_cuda_grid_free_boxes(l);
    free_links(l);
    *grid->engine_state = NULL;
}
