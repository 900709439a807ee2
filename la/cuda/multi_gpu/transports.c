/* How what ranks found gets from device to device; in the order in which they are tried. */
#include <stddef.h>

#include "collectives.h"
#include "team.h"

/* ---- kernels that write into the others' memory ---------------------------------------- */

static bool can_write(cuda_device_group *t, sl_context *ctx)
{
    return t->opened && sl_cuda_device()->cooperative;
}

static void close_nothing(cuda_device_group *t)
{
}

static const cuda_transport peers = {
    .name = "peers", .by_blocks = true, .open = can_write, .close = close_nothing};

/* ---- copies into the others' memory --------------------------------------------------------- */

/* Whether another's block lies on this rank's device. */
static bool shares(const cuda_device_group *t)
{
    bool shared = false;
    for (int q = 0; q < t->of->size; q++) {
        struct cudaPointerAttributes where;
        const bool known = cudaPointerGetAttributes(&where, t->peer[q]) == cudaSuccess;
        shared =
            shared || (q != t->of->rank && (!known || where.device == sl_cuda_device()->number));
    }
    return shared;
}

static bool can_copy(cuda_device_group *t, sl_context *ctx)
{
    bool can =
        t->opened && cudaEventCreateWithFlags(&t->kept, cudaEventDisableTiming) == cudaSuccess;
    for (int k = 0; k < 2 && can; k++)
        can = cudaStreamCreateWithFlags(&t->side[k], cudaStreamNonBlocking) == cudaSuccess;
    t->shared = can && shares(t);
    cudaGetLastError();
    return can;
}

/* Waits for what was sent. */
static cudaError_t wait_for_copies(cuda_device_group *t)
{
    const cudaError_t first = cudaStreamSynchronize(t->side[0]),
                      second = cudaStreamSynchronize(t->side[1]);
    return first == cudaSuccess ? second : first;
}

static void close_copies(cuda_device_group *t)
{
    for (int k = 0; k < 2; k++) {
        if (t->side[k]) {
            cudaStreamSynchronize(t->side[k]);
            cudaStreamDestroy(t->side[k]);
        }
        t->side[k] = NULL;
    }
    if (t->kept)
        cudaEventDestroy(t->kept);
    t->kept = NULL;
}

/* What is sent: so many bytes, at the same distance from the beginning of all blocks, and then the
 * stamp. */
typedef struct {
    uint64_t at, bytes, stamp_at;
} parcel;

static cudaError_t copy_to(cuda_device_group *t, int to, cudaStream_t stream, const void *own,
                           const parcel *p)
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
 * Each device sends to its right and its left neighbour at once, then to those next to them,
 * and so on: no two send to one (the circular left-right order of Mitsuishi et al. 2016,
 * 5.3). First to the own block, from where the others get it. A kernel that follows in the stream
 * begins when that is done, as it might not leave room for a copy inside a device.
 */
static cudaError_t queue_copies(cuda_device_group *t, const void *own, const parcel *p)
{
    const int size = t->of->size, rank = t->of->rank;
    cudaError_t error = copy_to(t, rank, t->side[0], own, p);
    if (error == cudaSuccess)
        error = cudaEventRecord(t->kept, t->side[0]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(t->side[1], t->kept, 0);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(cuda_stream(), t->kept, 0);
    for (int k = 1; k < size && error == cudaSuccess; k++) {
        const int away = (k + 1) / 2, to = (rank + (k % 2 ? away : size - away)) % size;
        error = copy_to(t, to, t->side[k % 2], t->peer[rank] + p->at, p);
    }
    return error;
}

/* Where ranks share a device a kernel that waits for copies of others keeps them from it: there
 * all wait before it begins. */
static sl_status begin_copies(cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                              uint64_t bytes, unsigned long long stamp)
{
    const uint64_t size = (uint64_t)t->of->size, rank = (uint64_t)t->of->rank;
    const uint64_t letter = ((stamp + 1) % 2 * size + rank) * sizeof(step_counts);
    const parcel p = {.at = (uint64_t)((const char *)all - t->peer[rank]) + rank * bytes,
                      .bytes = bytes,
                      .stamp_at = letter + offsetof(step_counts, round)};
    cudaError_t error = wait_for_copies(t); /* the last ones, for which the stamp is still needed */
    cuda_group_pinned()->stamp = stamp;
    if (error == cudaSuccess)
        error = queue_copies(t, own, &p);
    if (error == cudaSuccess && t->shared)
        error = wait_for_copies(t);
    return t->of->agree(t->of, sl_cuda_status(ctx, "copy to another device", error));
}

static const cuda_transport copies = {.name = "copies",
                                      .by_blocks = true,
                                      .open = can_copy,
                                      .close = close_copies,
                                      .begin = begin_copies};

/* ---- NCCL ---------------------------------------------------------------------------------------
 */

/* NCCL sets up the way of data, by its length, when the first goes there: which is not to be in a
 * search. */
static bool go_first(cuda_device_group *t, uint64_t bytes)
{
    uint64_t room;
    char *own = sl_cuda_group_workspace(t, &room);
    bytes = bytes < room ? bytes / (uint64_t)(t->of->size + 1) / 256 * 256 : 256;
    return !sl_cuda_collectives_gather(t->collectives, own, own + bytes, bytes) &&
           cudaStreamSynchronize(cuda_stream()) == cudaSuccess;
}

static bool can_nccl(cuda_device_group *t, sl_context *ctx)
{
    const bool connected = sl_cuda_collectives_open(&t->collectives, t->of);
    if (!sl_cuda_group_all_true(t, connected))
        return false;
    bool gone = true;
    for (uint64_t bytes = 1 << 10; bytes <= GROUP_SHARED; bytes <<= 4)
        gone = go_first(t, bytes) && gone;
    cudaGetLastError();
    return gone;
}

static void close_nccl(cuda_device_group *t)
{
    sl_cuda_collectives_close(t->collectives);
    t->collectives = NULL;
}

static sl_status gather_by_nccl(cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                                uint64_t bytes)
{
    const char *why = sl_cuda_collectives_gather(t->collectives, own, all, bytes);
    return why ? sl_fail(ctx, SL_ENGINE_FAULT, "ncclAllGather: %s", why) : SL_OK;
}

static const cuda_transport nccl = {
    .name = "nccl", .codes = true, .open = can_nccl, .close = close_nccl, .gather = gather_by_nccl};

/* ---- an MPI that reads and writes the devices' memory ---------------------------------------- */

static bool can_mpi(cuda_device_group *t, sl_context *ctx)
{
    return t->of->reads_devices;
}

static sl_status gather_by_mpi(cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                               uint64_t bytes)
{
    return t->of->gather(t->of, own, all, bytes);
}

static const cuda_transport mpi = {
    .name = "mpi", .codes = true, .open = can_mpi, .close = close_nothing, .gather = gather_by_mpi};

/* ---- by way of the hosts ------------------------------------------------------------------- */

static bool always(cuda_device_group *t, sl_context *ctx)
{
    return true;
}

/* Pinned memory for a message of each rank, and the own one before them. */
static sl_status take_staging(cuda_device_group *t, sl_context *ctx, uint64_t bytes)
{
    const uint64_t needed = bytes * (uint64_t)(t->of->size + 1);
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

static const cuda_transport hosts = {.name = "hosts",
                                     .codes = true,
                                     .open = always,
                                     .close = close_nothing,
                                     .gather = gather_by_hosts};

const cuda_transport *const sl_cuda_transports[] = {&peers, &copies, &nccl, &mpi, &hosts, NULL};
