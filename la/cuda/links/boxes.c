/* The boxes of the links of a grid: their memory, and the mapping of the other processes' outboxes. */
#include <string.h>

#include "cuda/links/links.h"

/* ---- memory ---------------------------------------------------------------------------------- */

void sl_cuda_grid_unmap(cuda_grid_links *l)
{
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, SL_ALONG_ALL); m++) {
        if (l->peer[m] && m != sl_device_grid_place(l->grid, SL_ALONG_ALL))
            cudaIpcCloseMemHandle(l->peer[m] - CUDA_BARRIER_BYTES);
        l->peer[m] = NULL;
    }
    l->mapped = false;
}

void sl_cuda_grid_free_boxes(cuda_grid_links *l)
{
    sl_cuda_free_mappable(l->outbox ? l->outbox - CUDA_BARRIER_BYTES : NULL);
    sl_cuda_free(l->inbox);
    sl_cuda_free_pinned(l->staging);
    sl_cuda_free_pinned(l->landing);
    l->outbox = l->inbox = l->staging = l->landing = NULL;
    l->outbox_bytes = l->inbox_bytes = l->landing_bytes = 0;
    l->turns.half_bytes = l->turns.part_bytes = l->turns.short_bytes = 0;
}

sl_status sl_cuda_grid_take_staging(cuda_grid_links *l, sl_context *ctx)
{
    if (!l->transport->stages)
        return SL_OK;
    if (!l->staging)
        CUDA_TRY(sl_cuda_alloc_pinned(ctx, (void **)&l->staging, l->outbox_bytes));
    return sl_cuda_grid_grow_inbox(l, ctx, l->inbox_bytes, l->inbox_bytes);
}

/* Replaces one of the boxes for messages received by a larger one; it stays if there is no memory. */
static sl_status grow(sl_context *ctx, char **box, uint64_t *has, uint64_t bytes, bool pinned)
{
    void *larger;
    if (bytes <= *has)
        return SL_OK;
    CUDA_TRY((pinned ? sl_cuda_alloc_pinned : sl_cuda_alloc)(ctx, &larger, bytes));
    (pinned ? sl_cuda_free_pinned : sl_cuda_free)(*box);
    *box = larger;
    *has = bytes;
    return SL_OK;
}

sl_status sl_cuda_grid_grow_inbox(cuda_grid_links *l, sl_context *ctx, uint64_t inbox,
                                  uint64_t landing)
{
    CUDA_TRY(grow(ctx, &l->inbox, &l->inbox_bytes, inbox, false));
    return l->transport->stages ? grow(ctx, &l->landing, &l->landing_bytes, landing, true) : SL_OK;
}

static sl_status take_boxes(cuda_grid_links *l, sl_context *ctx, uint64_t outbox_bytes,
                            uint64_t inbox_bytes)
{
    sl_cuda_grid_free_boxes(l);
    char *barrier;
    CUDA_TRY(sl_cuda_alloc_mappable(ctx, (void **)&barrier, CUDA_BARRIER_BYTES + outbox_bytes));
    l->outbox = barrier + CUDA_BARRIER_BYTES;
    CUDA_TRY(sl_cuda_zero(ctx, barrier, CUDA_BARRIER_BYTES));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&l->inbox, inbox_bytes));
    l->outbox_bytes = outbox_bytes;
    l->inbox_bytes = inbox_bytes;
    return sl_cuda_wait(ctx, "memory for messages");
}

/* ---- mapping --------------------------------------------------------------------------------- */

typedef struct {
    cudaIpcMemHandle_t handle;
    bool there;
} outbox_handle;

static bool map_outbox(char **outbox, cudaIpcMemHandle_t handle)
{
    void *barrier;
    if (cudaIpcOpenMemHandle(&barrier, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess)
        return false;
    *outbox = (char *)barrier + CUDA_BARRIER_BYTES;
    return true;
}

/* Maps the outboxes of all processes. `handles` has room for two of each. Collective. */
static bool map_outboxes(cuda_grid_links *l, outbox_handle *handles)
{
    const sl_device_grid *grid = l->grid;
    const uint32_t members = sl_device_grid_members(grid, SL_ALONG_ALL),
                   place = sl_device_grid_place(grid, SL_ALONG_ALL);
    outbox_handle mine, *all = handles + members;
    memset(&mine, 0, sizeof mine);
    mine.there = grid->group->one_host &&
                 cudaIpcGetMemHandle(&mine.handle, l->outbox - CUDA_BARRIER_BYTES) == cudaSuccess;
    for (uint32_t m = 0; m < members; m++)
        handles[m] = mine;
    bool mapped = grid->swap(grid, SL_ALONG_ALL, handles, all, sizeof mine) == SL_OK;
    for (uint32_t m = 0; m < members && mapped; m++) {
        mapped = all[m].there;
        if (m == place)
            l->peer[m] = l->outbox;
        else if (mapped)
            mapped = map_outbox(&l->peer[m], all[m].handle);
    }
    cudaGetLastError();
    return mapped;
}

static sl_status map_peers(cuda_grid_links *l, sl_context *ctx)
{
    outbox_handle *handles =
        sl_malloc(2 * (uint64_t)sl_device_grid_members(l->grid, SL_ALONG_ALL) * sizeof *handles);
    sl_status status = cuda_grid_agree(l->grid, handles ? SL_OK : cuda_no_host_memory(ctx));
    if (status == SL_OK) {
        l->mapped = cuda_grid_all_true(l, map_outboxes(l, handles));
        if (!l->mapped)
            sl_cuda_grid_unmap(l);
    }
    sl_free(handles);
    return status;
}

/* All ranks unmap the outboxes before any frees its own. */
sl_status sl_cuda_grid_grow_boxes(cuda_grid_links *l, sl_context *ctx, uint64_t outbox_bytes,
                                  uint64_t inbox_bytes)
{
    sl_status status = sl_cuda_wait(ctx, "messages of a grid");
    sl_cuda_grid_unmap(l);
    CUDA_TRY(cuda_grid_agree(l->grid, status));
    status = cuda_grid_agree(l->grid, take_boxes(l, ctx, outbox_bytes, inbox_bytes));
    if (status == SL_OK)
        status = map_peers(l, ctx);
    if (status != SL_OK)
        sl_cuda_grid_free_boxes(l);
    return status;
}
