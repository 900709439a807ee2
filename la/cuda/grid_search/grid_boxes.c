/* The boxes of the links of a grid: their memory, and the mapping of the other processes' outboxes. */
#include <string.h>

#include "grid_links.h"

/* ---- memory ---------------------------------------------------------------------------------- */

void sl_cuda_grid_unmap(cuda_grid_links *l)
{
    for (int line = 0; line < SL_GRID_LINES; line++)
        for (uint32_t m = 0; l->peer[line] && m < cuda_grid_members(l->grid, line); m++) {
            if (l->peer[line][m] && m != cuda_grid_place(l->grid, line))
                cudaIpcCloseMemHandle(l->peer[line][m]);
            l->peer[line][m] = NULL;
        }
    l->mapped = false;
}

void sl_cuda_grid_free_boxes(cuda_grid_links *l)
{
    if (l->outbox)
        sl_cuda_unregister_block(l->outbox);
    cudaFree(l->outbox);
    sl_cuda_free(l->inbox);
    sl_cuda_free_pinned(l->staging);
    l->outbox = l->inbox = l->staging = NULL;
    l->outbox_bytes = l->inbox_bytes = 0;
}

/* The outbox is made by cudaMalloc, not from a memory pool: CUDA IPC maps whole allocations. */
static sl_status take_boxes(cuda_grid_links *l, sl_context *ctx, uint64_t outbox_bytes,
                            uint64_t inbox_bytes)
{
    sl_cuda_grid_free_boxes(l);
    CUDA_TRY(sl_cuda_status(ctx, "cudaMalloc", cudaMalloc((void **)&l->outbox, outbox_bytes)));
    if (!sl_cuda_register_block(l->outbox)) {
        cudaFree(l->outbox);
        l->outbox = NULL;
        return cuda_no_host_memory(ctx);
    }
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

/* Maps the outboxes of one line. `handles` has room for two lines. Collective over the line. */
static bool map_line(cuda_grid_links *l, sl_grid_line line, outbox_handle *handles)
{
    const sl_device_grid *grid = l->grid;
    const uint32_t members = cuda_grid_members(grid, line), place = cuda_grid_place(grid, line);
    outbox_handle mine, *all = handles + members;
    memset(&mine, 0, sizeof mine);
    mine.there =
        grid->group->one_host && cudaIpcGetMemHandle(&mine.handle, l->outbox) == cudaSuccess;
    for (uint32_t m = 0; m < members; m++)
        handles[m] = mine;
    bool mapped = grid->swap(grid, line, handles, all, sizeof mine) == SL_OK;
    for (uint32_t m = 0; m < members && mapped; m++) {
        mapped = all[m].there;
        if (m == place)
            l->peer[line][m] = l->outbox;
        else if (mapped)
            mapped = cudaIpcOpenMemHandle((void **)&l->peer[line][m], all[m].handle,
                                          cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    }
    cudaGetLastError();
    return mapped;
}

static sl_status map_peers(cuda_grid_links *l, sl_context *ctx)
{
    outbox_handle *handles =
        sl_malloc(2 * (uint64_t)cuda_grid_longest_line(l->grid) * sizeof *handles);
    sl_status status = cuda_grid_agree(l->grid, handles ? SL_OK : cuda_no_host_memory(ctx));
    if (status == SL_OK) {
        const bool row = map_line(l, SL_ALONG_ROW, handles),
                   column = map_line(l, SL_ALONG_COLUMN, handles);
        l->mapped = cuda_grid_all_true(l, row && column);
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
    sl_cuda_grid_unmap(l);
    CUDA_TRY(cuda_grid_agree(l->grid, SL_OK));
    sl_status status = cuda_grid_agree(l->grid, take_boxes(l, ctx, outbox_bytes, inbox_bytes));
    if (status == SL_OK)
        status = map_peers(l, ctx);
    if (status != SL_OK)
        sl_cuda_grid_free_boxes(l);
    return status;
}
