/*
 * Copies between the device and ordinary host memory.
 *
 * The driver copies ordinary memory by one thread, at a fraction of the bus's rate. Here a large array passes through a
 * ring of pinned pieces: the device copies some of them while the context's threads copy another. The same threads
 * narrow indices of 64 bits to 32 on the way to the device, and widen them on the way back.
 */
#include <pthread.h>
#include <string.h>

#include "cuda/runtime/device.h"

enum {
    SLOTS = 4,
    SLOT_BYTES = 4 << 20,
    LARGE_BYTES = 1 << 20, /* less is left to the driver */
    THREADS = 16           /* more do not fill the bus faster */
};

/* The ring. A thread holds `lock` while it uses the slots. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *slots; /* SLOTS pieces of pinned memory; NULL before the first large copy */
static cudaEvent_t done[SLOTS]; /* the device's last copy from or to the slot */

static cudaError_t make_ring(void)
{
    char *memory;
    cudaError_t error = cudaMallocHost((void **)&memory, (size_t)SLOTS * SLOT_BYTES);
    if (error != cudaSuccess)
        return error;
    int made = 0;
    while (made < SLOTS && error == cudaSuccess) {
        error = cudaEventCreateWithFlags(&done[made], cudaEventDisableTiming);
        made += error == cudaSuccess;
    }
    if (error == cudaSuccess) {
        slots = memory;
        return cudaSuccess;
    }
    for (int k = 0; k < made; k++)
        cudaEventDestroy(done[k]);
    cudaFreeHost(memory);
    return error;
}

/* An array that is copied, and the size of its elements here and there: equal, or 8 and 4 bytes. */
typedef struct {
    char *host, *device;
    uint64_t count;
    size_t host_size, device_size;
    bool to_device;
    cudaError_t error;
} copying;

/* Elements of one piece, of all but the last. */
static uint64_t piece_of(const copying *c)
{
    return SLOT_BYTES / c->device_size;
}

static uint64_t elements_of(const copying *c, uint64_t k)
{
    const uint64_t piece = piece_of(c), left = c->count - k * piece;
    return left < piece ? left : piece;
}

static char *slot_of(uint64_t k)
{
    return slots + k % SLOTS * SLOT_BYTES;
}

/* Queues the device's copy of piece k. */
static cudaError_t queue_piece(const copying *c, uint64_t k)
{
    char *there = c->device + k * piece_of(c) * c->device_size;
    const size_t bytes = elements_of(c, k) * c->device_size;
    const cudaError_t error =
        cudaMemcpyAsync(c->to_device ? there : slot_of(k), c->to_device ? slot_of(k) : there, bytes,
                        cudaMemcpyDefault, sl_cuda_device()->stream);
    return error == cudaSuccess ? cudaEventRecord(done[k % SLOTS], sl_cuda_device()->stream)
                                : error;
}

/* Copies the elements [from, to) of piece k between its slot and the host's array. */
static void copy_part(const copying *c, uint64_t k, uint64_t from, uint64_t to)
{
    char *host = c->host + (k * piece_of(c) + from) * c->host_size;
    char *slot = slot_of(k) + from * c->device_size;
    const uint64_t count = to - from;
    if (c->host_size == c->device_size)
        memcpy(c->to_device ? slot : host, c->to_device ? host : slot, count * c->host_size);
    else if (c->to_device)
        for (uint64_t e = 0; e < count; e++)
            ((uint32_t *)slot)[e] = (uint32_t)((const uint64_t *)host)[e];
    else
        for (uint64_t e = 0; e < count; e++)
            ((uint64_t *)host)[e] = ((const uint32_t *)slot)[e];
}

/* Before the threads copy piece k: the slot must be free, or hold the piece. */
static void before_piece(copying *c, uint64_t k, uint64_t pieces)
{
    for (uint64_t next = 0; k == 0 && !c->to_device && next < SLOTS && next < pieces; next++)
        if (c->error == cudaSuccess)
            c->error = queue_piece(c, next);
    if (c->error == cudaSuccess)
        c->error = cudaEventSynchronize(done[k % SLOTS]);
}

/* After it: the slot is sent, or receives a later piece. */
static void after_piece(copying *c, uint64_t k, uint64_t pieces)
{
    const uint64_t next = c->to_device ? k : k + SLOTS;
    if (c->error == cudaSuccess && next < pieces)
        c->error = queue_piece(c, next);
}

/* Only the calling thread calls CUDA, for which it has selected the device. */
static void copy_pieces(copying *c, int threads)
{
    const uint64_t pieces = (c->count + piece_of(c) - 1) / piece_of(c);
#pragma omp parallel num_threads(threads) if (threads > 1)
    for (uint64_t k = 0; k < pieces; k++) {
#pragma omp master
        before_piece(c, k, pieces);
#pragma omp barrier
        if (c->error != cudaSuccess)
            break;
        const uint64_t count = elements_of(c, k), parts = (uint64_t)threads;
#pragma omp for schedule(static)
        for (uint64_t part = 0; part < parts; part++)
            copy_part(c, k, count * part / parts, count * (part + 1) / parts);
#pragma omp master
        after_piece(c, k, pieces);
    }
}

static sl_status copy(sl_context *ctx, copying c)
{
    const char *what = c.to_device ? "copy to the device" : "copy from the device";
    const uint64_t bytes = c.count * c.device_size;
    int threads = bytes < LARGE_BYTES ? 1 : sl_context_threads(ctx);
    if (threads > THREADS)
        threads = THREADS;
    if (bytes == 0)
        return SL_OK;
    pthread_mutex_lock(&lock);
    if (!slots)
        c.error = make_ring();
    if (c.error == cudaSuccess)
        copy_pieces(&c, threads);
    pthread_mutex_unlock(&lock);
    return sl_cuda_status(ctx, what, c.error);
}

bool sl_cuda_is_read_later(const void *memory)
{
    struct cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
        cudaGetLastError();
        return true;
    }
    return attributes.type != cudaMemoryTypeUnregistered;
}

sl_status sl_cuda_upload(sl_context *ctx, void *to, const void *from, uint64_t bytes)
{
    if (bytes >= LARGE_BYTES && !sl_cuda_is_read_later(from))
        return copy(ctx, (copying){(char *)from, to, bytes, 1, 1, true, cudaSuccess});
    return bytes ? sl_cuda_status(ctx, "copy to the device",
                                  cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault,
                                                  sl_cuda_device()->stream))
                 : SL_OK;
}

sl_status sl_cuda_download(sl_context *ctx, void *to, const void *from, uint64_t bytes)
{
    if (bytes >= LARGE_BYTES && !sl_cuda_is_read_later(to))
        return copy(ctx, (copying){to, (char *)from, bytes, 1, 1, false, cudaSuccess});
    return bytes ? sl_cuda_status(ctx, "copy from the device",
                                  cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault,
                                                  sl_cuda_device()->stream))
                 : SL_OK;
}

sl_status sl_cuda_upload_narrowed(sl_context *ctx, uint32_t *to, const uint64_t *from,
                                  uint64_t count)
{
    return copy(ctx, (copying){(char *)from, (char *)to, count, sizeof *from, sizeof *to, true,
                               cudaSuccess});
}

sl_status sl_cuda_download_widened(sl_context *ctx, uint64_t *to, const uint32_t *from,
                                   uint64_t count)
{
    return copy(ctx, (copying){(char *)to, (char *)from, count, sizeof *to, sizeof *from, false,
                               cudaSuccess});
}

/* Through pinned memory: a copy to pageable memory takes twice as long. */
sl_status sl_cuda_fetch(sl_context *ctx, const char *what, void *to, const void *from,
                        uint64_t bytes)
{
    void *fetched = sl_cuda_lock_fetched();
    return sl_cuda_unlock_fetched(ctx, what, sl_cuda_download(ctx, fetched, from, bytes), to,
                                  bytes);
}
