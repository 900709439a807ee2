/* The transports by which frontiers move between the devices of a group, in order of preference. */
#include "device_group.h"
#include "nccl.h"

/* ---- peers: kernels store to the other devices' memory ----------------------------------------
 */

static bool can_write(cuda_device_group *t, sl_context *ctx)
{
    t->why_not = t->peers_mapped ? "a device has no cooperative launches"
                                 : "CUDA IPC cannot map the memory of the other ranks' devices";
    return t->peers_mapped && sl_cuda_device()->cooperative;
}

static void close_nothing(cuda_device_group *t)
{
}

static const cuda_transport peers = {
    .name = "peers", .maps_peers = true, .open = can_write, .close = close_nothing};

/* ---- NCCL ---------------------------------------------------------------------------------------
 */

/*
 * NCCL sets up a connection at the first transfer of each size class. This does it before a search.
 */
static bool go_first(cuda_device_group *t, uint64_t bytes)
{
    uint64_t room;
    char *own = sl_cuda_group_workspace(t, &room);
    bytes = bytes < room ? bytes / (uint64_t)(t->processes->size + 1) / 256 * 256 : 256;
    return !sl_cuda_nccl_allgather(t->nccl, own, own + bytes, bytes) &&
           cudaStreamSynchronize(cuda_stream()) == cudaSuccess;
}

static bool can_nccl(cuda_device_group *t, sl_context *ctx)
{
    const bool connected = sl_cuda_nccl_open(&t->nccl, t->processes, &t->why_not);
    if (!sl_cuda_group_all_true(t, connected))
        return false;
    bool gone = true;
    for (uint64_t bytes = 1 << 10; bytes <= GROUP_BUFFER_BYTES; bytes <<= 4)
        gone = go_first(t, bytes) && gone;
    cudaGetLastError();
    return gone;
}

static void close_nccl(cuda_device_group *t)
{
    sl_cuda_nccl_close(t->nccl);
    t->nccl = NULL;
}

static sl_status gather_by_nccl(cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                                uint64_t bytes)
{
    const char *why = sl_cuda_nccl_allgather(t->nccl, own, all, bytes);
    return why ? sl_fail(ctx, SL_ENGINE_FAULT, "ncclAllGather: %s", why) : SL_OK;
}

static const cuda_transport nccl = {
    .name = "nccl", .open = can_nccl, .close = close_nccl, .allgather = gather_by_nccl};

/* ---- through the hosts ------------------------------------------------------------------- */

static bool always(cuda_device_group *t, sl_context *ctx)
{
    return true;
}

/* Pinned memory for the own message, and behind it one of each rank. */
static sl_status take_staging(cuda_device_group *t, sl_context *ctx, uint64_t bytes)
{
    const uint64_t needed = bytes * (uint64_t)(t->processes->size + 1);
    if (t->staging_bytes >= needed)
        return SL_OK;
    sl_cuda_free_pinned(t->staging);
    t->staging_bytes = 0;
    CUDA_TRY(sl_cuda_alloc_pinned(ctx, &t->staging, needed));
    t->staging_bytes = needed;
    return SL_OK;
}

static sl_status gather_by_hosts(cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                                 uint64_t bytes)
{
    sl_status status = take_staging(t, ctx, bytes);
    CUDA_TRY(t->processes->agree(t->processes, status));
    char *arrived = (char *)t->staging + bytes;
    status = sl_cuda_download(ctx, t->staging, own, bytes);
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "copy from the device");
    sl_status gathered = t->processes->gather(t->processes, t->staging, arrived, bytes);
    status = status == SL_OK ? gathered : status;
    if (status == SL_OK)
        status = sl_cuda_upload(ctx, all, arrived, bytes * (uint64_t)t->processes->size);
    return status;
}

static const cuda_transport hosts = {
    .name = "hosts", .open = always, .close = close_nothing, .allgather = gather_by_hosts};

const cuda_transport *const sl_cuda_transports[] = {&peers, &nccl, &hosts, NULL};
