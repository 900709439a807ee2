/*
 * Copies between the device and ordinary host memory, and visits: passes of the host's threads over arrays of the
 * device.
 *
 * The driver copies ordinary memory by one thread, at a fraction of the bus's rate. Here a large array passes through a
 * ring of pinned pieces: the device copies some of them while the context's threads work on another. In a copy they
 * copy between the piece and the host's array, and narrow indices of 64 bits to 32 on the way to the device, and widen
 * them on the way back. In a visit they call the caller's function.
 */
#include <pthread.h>
#include <string.h>

#include "cuda/runtime/device.h"

enum {
    SLOTS = 4,
    SLOT_BYTES = 4 << 20,
    LARGE_BYTES = 1 << 20, /* less is left to the driver */
    THREADS = 16,          /* more do not fill the bus faster */
    PARTS = 4,             /* of a piece, for each thread: a thread that is late gets fewer */
    MULTIPLE = 64          /* elements of a piece are a multiple, so that each array is aligned */
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

/* ---- pieces ------------------------------------------------------------------------------- */

/* A visit that runs. */
typedef struct {
    sl_context *ctx;
    const cuda_visit *visit;
    uint64_t piece, pieces; /* elements of each piece but the last; number of pieces */
    sl_status status;       /* whether the call was interrupted */
    cudaError_t error, queued;
} visiting;

static uint64_t elements_of(const visiting *v, uint64_t k)
{
    const uint64_t left = v->visit->count - k * v->piece;
    return left < v->piece ? left : v->piece;
}

/* Where the slot of piece k has the elements of an array, from element `from` of the piece on. */
static char *place_of(const visiting *v, uint64_t k, int array, uint64_t from)
{
    size_t before = 0;
    for (int a = 0; a < array; a++)
        before += v->visit->array[a].size;
    return slots + k % SLOTS * SLOT_BYTES + before * v->piece + from * v->visit->array[array].size;
}

/* Queues the device's copy of an array of piece k. */
static cudaError_t queue_array(const visiting *v, uint64_t k, int a)
{
    const cuda_visited_array *array = &v->visit->array[a];
    if (!array->device)
        return cudaSuccess;
    char *there = (char *)array->device + k * v->piece * array->size, *here = place_of(v, k, a, 0);
    const bool to_device = a == CUDA_RETURNED;
    return cudaMemcpyAsync(to_device ? there : here, to_device ? here : there,
                           elements_of(v, k) * array->size, cudaMemcpyDefault,
                           sl_cuda_device()->stream);
}

/* Queues the copies of piece k to its slot. */
static cudaError_t queue_piece(const visiting *v, uint64_t k)
{
    cudaError_t error = cudaSuccess;
    for (int a = 0; a < CUDA_RETURNED && error == cudaSuccess && k < v->pieces; a++)
        error = queue_array(v, k, a);
    return error == cudaSuccess ? cudaEventRecord(done[k % SLOTS], sl_cuda_device()->stream)
                                : error;
}

/* Before the threads visit piece k: the slot must be free, or hold the piece. */
static void before_piece(visiting *v, uint64_t k)
{
    const bool fills = k == 0 && v->visit->array[0].device; /* nothing is read otherwise */
    for (uint64_t next = 0; fills && next < SLOTS && v->queued == cudaSuccess; next++)
        v->queued = queue_piece(v, next);
    v->error = v->queued;
    if (v->error == cudaSuccess)
        v->error = cudaEventSynchronize(done[k % SLOTS]);
    if (v->visit->operation && sl_asks(v->ctx))
        v->status = sl_interrupted(v->ctx, v->visit->operation);
}

/* After it: what the threads wrote is sent, and the slot receives a later piece. */
static void after_piece(visiting *v, uint64_t k)
{
    v->queued = queue_array(v, k, CUDA_RETURNED);
    if (v->queued == cudaSuccess)
        v->queued = queue_piece(v, k + SLOTS);
}

static void visit_part(const visiting *v, uint64_t k, uint64_t from, uint64_t to)
{
    char *place[CUDA_VISITED_ARRAYS];
    for (int a = 0; a < CUDA_VISITED_ARRAYS; a++)
        place[a] = v->visit->array[a].device ? place_of(v, k, a, from) : NULL;
    v->visit->function(v->visit->state, place, k * v->piece + from, to - from);
}

/*
 * Only the calling thread calls CUDA, for which it has selected the device. It sends a piece while the other threads
 * have begun the next one, and therefore notes an error of that in `queued`, which they do not read.
 */
static void visit_pieces(visiting *v, int threads)
{
    const uint64_t parts = threads > 1 ? (uint64_t)threads * PARTS : 1;
#pragma omp parallel num_threads(threads) if (threads > 1)
    for (uint64_t k = 0; k < v->pieces; k++) {
#pragma omp master
        before_piece(v, k);
#pragma omp barrier
        if (v->error != cudaSuccess || v->status != SL_OK)
            break;
#pragma omp master
        if (k > 0)
            after_piece(v, k - 1);
        const uint64_t count = elements_of(v, k);
#pragma omp for schedule(dynamic)
        for (uint64_t part = 0; part < parts; part++)
            visit_part(v, k, count * part / parts, count * (part + 1) / parts);
    }
    if (v->error == cudaSuccess && v->status == SL_OK) {
        after_piece(v, v->pieces - 1);
        v->error = v->queued;
    }
}

sl_status sl_cuda_visit(sl_context *ctx, const char *what, const cuda_visit *visit, int threads)
{
    visiting v = {.ctx = ctx, .visit = visit};
    size_t bytes = 0;
    if (visit->count == 0)
        return SL_OK;
    for (int a = 0; a < CUDA_VISITED_ARRAYS; a++)
        bytes += visit->array[a].size;
    v.piece = SLOT_BYTES / bytes / MULTIPLE * MULTIPLE;
    v.pieces = (visit->count + v.piece - 1) / v.piece;
    pthread_mutex_lock(&lock);
    if (!slots)
        v.error = make_ring();
    if (v.error == cudaSuccess)
        visit_pieces(&v, threads);
    pthread_mutex_unlock(&lock);
    return v.status == SL_OK ? sl_cuda_status(ctx, what, v.error) : v.status;
}

/* ---- copies -------------------------------------------------------------------------------- */

/* An array that is copied, and the size of its elements here and there: equal, or 8 and 4 bytes. */
typedef struct {
    char *host, *device;
    uint64_t count;
    size_t host_size, device_size;
    bool to_device;
} copying;

/* Copies elements between their slot and the host's array. */
static void copy_part(const void *state, char *const *place, uint64_t first, uint64_t count)
{
    const copying *c = state;
    char *host = c->host + first * c->host_size, *slot = place[c->to_device ? CUDA_RETURNED : 0];
    if (c->host_size == c->device_size)
        memcpy(c->to_device ? slot : host, c->to_device ? host : slot, count * c->host_size);
    else if (c->to_device)
        for (uint64_t e = 0; e < count; e++)
            ((uint32_t *)slot)[e] = (uint32_t)((const uint64_t *)host)[e];
    else
        for (uint64_t e = 0; e < count; e++)
            ((uint64_t *)host)[e] = ((const uint32_t *)slot)[e];
}

static sl_status copy(sl_context *ctx, copying c)
{
    cuda_visit visit = {.count = c.count, .function = copy_part, .state = &c};
    visit.array[c.to_device ? CUDA_RETURNED : 0] = (cuda_visited_array){c.device, c.device_size};
    int threads = c.count * c.device_size < LARGE_BYTES ? 1 : sl_context_threads(ctx);
    if (threads > THREADS)
        threads = THREADS;
    return sl_cuda_visit(ctx, c.to_device ? "copy to the device" : "copy from the device", &visit,
                         threads);
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
        return copy(ctx, (copying){(char *)from, to, bytes, 1, 1, true});
    return bytes ? sl_cuda_status(ctx, "copy to the device",
                                  cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault,
                                                  sl_cuda_device()->stream))
                 : SL_OK;
}

sl_status sl_cuda_download(sl_context *ctx, void *to, const void *from, uint64_t bytes)
{
    if (bytes >= LARGE_BYTES && !sl_cuda_is_read_later(to))
        return copy(ctx, (copying){to, (char *)from, bytes, 1, 1, false});
    return bytes ? sl_cuda_status(ctx, "copy from the device",
                                  cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault,
                                                  sl_cuda_device()->stream))
                 : SL_OK;
}

sl_status sl_cuda_upload_narrowed(sl_context *ctx, uint32_t *to, const uint64_t *from,
                                  uint64_t count)
{
    return copy(ctx, (copying){(char *)from, (char *)to, count, sizeof *from, sizeof *to, true});
}

sl_status sl_cuda_download_widened(sl_context *ctx, uint64_t *to, const uint32_t *from,
                                   uint64_t count)
{
    return copy(ctx, (copying){(char *)to, (char *)from, count, sizeof *to, sizeof *from, false});
}

/* Through pinned memory: a copy to pageable memory takes twice as long. */
sl_status sl_cuda_fetch(sl_context *ctx, const char *what, void *to, const void *from,
                        uint64_t bytes)
{
    void *fetched = sl_cuda_lock_fetched();
    return sl_cuda_unlock_fetched(ctx, what, sl_cuda_download(ctx, fetched, from, bytes), to,
                                  bytes);
}
