/* How what ranks found gets from device to device; in the order in which they are tried. */
#include "team.h"

/* ---- kernels that write into the others' memory ---------------------------------------- */

static bool can_write(cuda_team *t, sl_context *ctx)
{
    return t->opened && sl_cuda_device()->cooperative;
}

static void close_nothing(cuda_team *t)
{
}

static const cuda_transport peers = {.name = "peers", .open = can_write, .close = close_nothing};

/* ---- by way of the hosts ------------------------------------------------------------------- */

static bool always(cuda_team *t, sl_context *ctx)
{
    return true;
}

/* Pinned memory for a message of each rank, and the own one before them. */
static sl_status take_staging(cuda_team *t, sl_context *ctx, uint64_t bytes)
{
    const uint64_t needed = bytes * (uint64_t)(t->of->size + 1);
    if (t->staging_bytes >= needed)
        return SL_OK;
    if (t->staging)
        cudaFreeHost(t->staging);
    t->staging = NULL;
    t->staging_bytes = 0;
    CUDA_TRY(sl_cuda_status(ctx, "cudaMallocHost", cudaMallocHost(&t->staging, needed)));
    t->staging_bytes = needed;
    return SL_OK;
}

static sl_status gather_by_hosts(cuda_team *t, sl_context *ctx, const void *own, void *all,
                                 uint64_t bytes)
{
    sl_status status = take_staging(t, ctx, bytes);
    CUDA_TRY(t->of->agree(t->of, status));
    char *arrived = (char *)t->staging + bytes;
    status = sl_cuda_download(ctx, t->staging, own, bytes);
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "copy from the device");
    sl_status gathered = t->of->gather(t->of, t->staging, arrived, bytes);
    status = status == SL_OK ? gathered : status;
    if (status == SL_OK)
        status = sl_cuda_upload(ctx, all, arrived, bytes * (uint64_t)t->of->size);
    return status;
}

static const cuda_transport hosts = {
    .name = "hosts", .open = always, .close = close_nothing, .gather = gather_by_hosts};

const cuda_transport *const sl_cuda_transports[] = {&peers, &hosts, NULL};
