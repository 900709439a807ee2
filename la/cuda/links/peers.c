/* Transport `peers`: the outboxes are mapped, and the receivers read them. */
#include "cuda/links/links.h"

/* The k-th member after this process, so that the processes begin with different senders. */
static uint32_t member_after(const cuda_grid_links *l, sl_grid_line line, uint32_t k)
{
    return (sl_device_grid_place(l->grid, line) + 1 + k) % sl_device_grid_members(l->grid, line);
}

static bool is_mapped(cuda_grid_links *l)
{
    l->why_not = "CUDA IPC cannot map the memory of the other ranks' devices";
    return l->mapped;
}

static const char *outbox_of(const cuda_grid_links *l, sl_grid_line line, uint32_t m)
{
    return l->peer[sl_device_grid_number(l->grid, line, m)];
}

static sl_status copy_from_peer(const cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                uint32_t m, const cuda_parcel *received, cudaStream_t stream)
{
    return sl_cuda_status(ctx, "copy from another device",
                          cudaMemcpyAsync((void *)received->data,
                                          outbox_of(l, line, m) + received->offset, received->bytes,
                                          cudaMemcpyDefault, stream));
}

/* Kernels read sets in the other devices' memory. Values are copied, unless they are read once and in order: a kernel
 * would wait longer for scattered values, or for those that it reads again. */
static sl_status read_peers(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *sent, cuda_parcel *received, cudaStream_t stream)
{
    for (uint32_t k = 0; k < sl_device_grid_members(l->grid, line); k++) {
        const uint32_t m = member_after(l, line, k);
        if (received[m].bytes && !received[m].stays &&
            (received[m].to || received[m].set.count == 0))
            CUDA_TRY(copy_from_peer(l, ctx, line, m, &received[m], stream));
        else
            received[m].data = (const uint8_t *)outbox_of(l, line, m) + received[m].offset;
    }
    return SL_OK;
}

const cuda_grid_transport sl_cuda_peers = {
    .name = "peers", .mapped = true, .open = is_mapped, .deliver = read_peers};
