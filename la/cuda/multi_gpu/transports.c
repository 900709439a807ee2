/* The transports by which frontiers move between the devices of a group, in order of preference. */
#include <stddef.h>

#include "device_group.h"
#include "group_pinned.h"
#include "nccl.h"

/* ---- peers: kernels store to the other devices' memory ----------------------------------------
 */

static const char not_mapped[] = "CUDA IPC cannot map the memory of the other ranks' devices";

static bool can_write(cuda_device_group *t, sl_context *ctx)
{
    t->why_not = t->peers_mapped ? "a device has no cooperative launches" : not_mapped;
    return t->peers_mapped && sl_cuda_device()->cooperative;
}

static void close_nothing(cuda_device_group *t)
{
}

static const cuda_transport peers = {
    .name = "peers", .maps_peers = true, .open = can_write, .close = close_nothing};

/* ---- copies to the other devices' memory
 * --------------------------------------------------------- */

/* Whether another rank's block is on this rank's device. */
static bool shares(const cuda_device_group *t)
{
    bool shared = false;
    for (int q = 0; q < t->processes->size; q++) {
        struct cudaPointerAttributes where;
        const bool known = cudaPointerGetAttributes(&where, t->peer[q]) == cudaSuccess;
        shared = shared ||
                 (q != t->processes->rank && (!known || where.device == sl_cuda_device()->number));
    }
    return shared;
}

static bool can_copy(cuda_device_group *t, sl_context *ctx)
{
    t->why_not = t->peers_mapped ? "a stream cannot be created" : not_mapped;
    bool can = t->peers_mapped &&
               cudaEventCreateWithFlags(&t->own_copied, cudaEventDisableTiming) == cudaSuccess;
    for (int k = 0; k < 2 && can; k++)
        can = cudaStreamCreateWithFlags(&t->copy_stream[k], cudaStreamNonBlocking) == cudaSuccess;
    t->device_shared = can && shares(t);
    cudaGetLastError();
    return can;
}

/* Waits for the copies of the last round. */
static cudaError_t wait_for_copies(cuda_device_group *t)
{
    const cudaError_t first = cudaStreamSynchronize(t->copy_stream[0]),
                      second = cudaStreamSynchronize(t->copy_stream[1]);
    return first == cudaSuccess ? second : first;
}

static void close_copies(cuda_device_group *t)
{
    for (int k = 0; k < 2; k++) {
        if (t->copy_stream[k]) {
            cudaStreamSynchronize(t->copy_stream[k]);
            cudaStreamDestroy(t->copy_stream[k]);
        }
        t->copy_stream[k] = NULL;
    }
    if (t->own_copied)
        cudaEventDestroy(t->own_copied);
    t->own_copied = NULL;
}

/* Sends so many bytes, at the same offset in all blocks, and then the stamp. */
typedef struct {
    uint64_t at, bytes, stamp_at;
} copy_request;

static cudaError_t copy_to(cuda_device_group *t, int to, cudaStream_t stream, const void *own,
                           const copy_request *p)
{
    const unsigned long long *stamp = &cuda_group_pinned()->stamp;
    cudaError_t error =
        cudaMemcpyAsync(t->peer[to] + p->at, own, p->bytes, cudaMemcpyDefault, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(t->peer[to] + p->stamp_at, stamp, sizeof *stamp, cudaMemcpyDefault,
                                stream);
    return error;
}

/*
 * Each device sends to its right and its left neighbour at once, then to those next to them, and so
 * on, so that no two devices send to the same one (the circular left-right order of Mitsuishi et
 * al. 2016, section 5.3). The data are copied to the own block first, and from there to the others.
 * The stream's next kernel waits for that first copy, because a running kernel might leave no room
 * for a copy inside the device.
 */
static cudaError_t queue_copies(cuda_device_group *t, const void *own, const copy_request *p)
{
    const int size = t->processes->size, rank = t->processes->rank;
    cudaError_t error = copy_to(t, rank, t->copy_stream[0], own, p);
    if (error == cudaSuccess)
        error = cudaEventRecord(t->own_copied, t->copy_stream[0]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(t->copy_stream[1], t->own_copied, 0);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(cuda_stream(), t->own_copied, 0);
    for (int k = 1; k < size && error == cudaSuccess; k++) {
        const int away = (k + 1) / 2, to = (rank + (k % 2 ? away : size - away)) % size;
        error = copy_to(t, to, t->copy_stream[k % 2], t->peer[rank] + p->at, p);
    }
    return error;
}

/* If ranks share a device, a kernel that waits for another rank's copies can prevent them from
 * running: then the copies are waited for before the kernel starts. */
static sl_status start_copies(cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                              uint64_t bytes, unsigned long long stamp)
{
    const uint64_t size = (uint64_t)t->processes->size, rank = (uint64_t)t->processes->rank;
    const uint64_t counts_at = ((stamp + 1) % 2 * size + rank) * sizeof(step_counts);
    const copy_request p = {.at = (uint64_t)((const char *)all - t->peer[rank]) + rank * bytes,
                            .bytes = bytes,
                            .stamp_at = counts_at + offsetof(step_counts, round)};
    cudaError_t error = wait_for_copies(t); /* of the last round: they still read the stamp */
    cuda_group_pinned()->stamp = stamp;
    if (error == cudaSuccess)
        error = queue_copies(t, own, &p);
    if (error == cudaSuccess && t->device_shared)
        error = wait_for_copies(t);
    return t->processes->agree(t->processes, sl_cuda_status(ctx, "copy to another device", error));
}

static const cuda_transport copies = {.name = "copies",
                                      .maps_peers = true,
                                      .open = can_copy,
                                      .close = close_copies,
                                      .start_copies = start_copies};

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

static const cuda_transport nccl = {.name = "nccl",
                                                                    .open = can_nccl,
                                    .close = close_nccl,
                                    .allgather = gather_by_nccl};

/* ---- MPI on device memory ---------------------------------------- */

static bool can_mpi(cuda_device_group *t, sl_context *ctx)
{
    t->why_not = "MPI does not report that it reads device memory";
    return t->processes->reads_devices;
}

static sl_status gather_by_mpi(cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                               uint64_t bytes)
{
    return t->processes->gather(t->processes, own, all, bytes);
}

static const cuda_transport mpi = {.name = "mpi",
                                                                  .open = can_mpi,
                                   .close = close_nothing,
                                   .allgather = gather_by_mpi};

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

static const cuda_transport hosts = {.name = "hosts",
                                                                      .open = always,
                                     .close = close_nothing,
                                     .allgather = gather_by_hosts};

const cuda_transport *const sl_cuda_transports[] = {&peers, &copies, &nccl, &mpi, &hosts, NULL};
