/* The device of the process: selected once, with one stream and one memory pool. Copies and
 * errors. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/process.h>

#include "cuda/runtime/device.h"
#include "cuda/runtime/spare.h"

static cuda_device device;

/* ---- selection --------------------------------------------------------------- */

static pthread_once_t looked = PTHREAD_ONCE_INIT;
static const char *unavailable_reason; /* NULL: a device can be used */
static char version_text[32] = "";

enum { OLDEST_MAJOR = 7, OLDEST_MINOR = 5 };

static unsigned seat; /* number of this process among the processes of its host */
static bool has_looked, has_started;

static void look(void)
{
    int count = 0, major = 0, minor = 0, pools = 0, driver = 0, processors = 0, cooperative = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error == cudaSuccess)
        error = cudaGetDevice(&device.number);
    if (error == cudaSuccess && device.number == 0) /* otherwise the program has selected one */
        device.number = (int)(seat % (unsigned)count);
    has_looked = true;
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device.number);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device.number);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device.number);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device.number);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device.number);
    if (error != cudaSuccess) {
        cudaGetLastError();
        unavailable_reason = cudaGetErrorString(error);
        return;
    }
    device.multiprocessors = (unsigned)processors;
    device.cooperative = cooperative != 0;
    device.architecture = 10 * major + minor;
    if (device.architecture < 10 * OLDEST_MAJOR + OLDEST_MINOR)
        unavailable_reason = "the device's compute capability is below 7.5";
    else if (!pools)
        unavailable_reason = "the device has no memory pools";
    if (cudaDriverGetVersion(&driver) == cudaSuccess)
        snprintf(version_text, sizeof version_text, "%d.%d", driver / 1000, driver % 1000 / 10);
}

void sl_cuda_set_local_rank(unsigned number)
{
    seat = number;
    if (has_looked && !has_started)
        look();
}

const char *sl_cuda_unavailable_reason(void)
{
    pthread_once(&looked, look);
    return unavailable_reason;
}

const char *sl_cuda_version(void)
{
    pthread_once(&looked, look);
    return version_text;
}

/* ---- start --------------------------------------------------------------------- */

/* Pinned memory for the thread that holds fetch_lock: that of sl_cuda_fetch, and counts with
 * stamps. Nothing but stamps is written where stamps are: data could equal the next one. */
enum { FETCHED_BYTES = 128 };
typedef struct {
    char fetched[FETCHED_BYTES];
    cuda_stamped_count stamped[CUDA_STAMPED_COUNTS];
} pinned_memory;
static pinned_memory *pinned;
static unsigned long long last_stamp;
static pthread_mutex_t fetch_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static cudaError_t start_error;
static const char *start_call = "";

/* The pool keeps freed memory for later allocations. It belongs to the library, so other users
 * of CUDA in the process are not affected. */
static void prepare(void)
{
    uint64_t keep = UINT64_MAX;
    struct cudaMemPoolProps properties = {
        .allocType = cudaMemAllocationTypePinned,
        .location = {.type = cudaMemLocationTypeDevice, .id = device.number}};
    start_call = "cudaStreamCreate";
    start_error = cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking);
    if (start_error == cudaSuccess) {
        start_call = "cudaMemPoolCreate";
        start_error = cudaMemPoolCreate(&device.pool, &properties);
    }
    if (start_error == cudaSuccess) {
        start_call = "cudaMemPoolSetAttribute";
        start_error = cudaMemPoolSetAttribute(device.pool, cudaMemPoolAttrReleaseThreshold, &keep);
    }
    if (start_error == cudaSuccess) {
        start_call = "cudaMallocHost";
        start_error = cudaMallocHost(&device.search_results, CUDA_SEARCH_RESULT_BYTES);
    }
    if (start_error == cudaSuccess) {
        start_call = "cudaMallocHost";
        start_error = cudaMallocHost((void **)&pinned, sizeof *pinned);
    }
    if (start_error == cudaSuccess)
        memset(pinned, 0, sizeof *pinned);
}

/* SEMLA_CUDA_MEMORY: a number of bytes, optionally with suffix k, M or G (powers of 1,024). */
sl_status sl_cuda_read_limit(sl_context *ctx)
{
    const char *text = getenv("SEMLA_CUDA_MEMORY");
    device.limit = 0;
    if (!text || !*text)
        return SL_OK;
    char *end;
    uint64_t number = strtoull(text, &end, 10);
    unsigned shift = *end == 'k' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (end == text || *text == '-' || number == 0 || number > UINT64_MAX >> shift ||
        end[shift > 0] != '\0')
        return sl_fail(ctx, SL_INVALID,
                       "SEMLA_CUDA_MEMORY: '%s' is not a number of bytes; write for example 64G",
                       text);
    device.limit = number << shift;
    return SL_OK;
}

sl_status sl_cuda_start(sl_context *ctx)
{
    if (sl_cuda_unavailable_reason())
        return sl_fail(ctx, SL_UNSUPPORTED, "cuda: %s", unavailable_reason);
    cudaError_t error = cudaSetDevice(device.number); /* for the calling thread */
    if (error != cudaSuccess)
        return sl_cuda_status(ctx, "cudaSetDevice", error);
    has_started = true;
    pthread_once(&started, prepare);
    return sl_cuda_status(ctx, start_call, start_error);
}

const cuda_device *sl_cuda_device(void)
{
    return &device;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void sl_cuda_lock(void)
{
    pthread_mutex_lock(&lock);
}

void sl_cuda_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* ---- errors and memory ------------------------------------------------------------ */

/* The kernel launched last: errors on the device are reported by a later call. */
static _Atomic(const char *) launched;

sl_status sl_cuda_status(sl_context *ctx, const char *what, cudaError_t error)
{
    const bool is_kernel = strncmp(what, "kernel ", 7) == 0;
    if (error == cudaSuccess) {
        if (is_kernel)
            atomic_store_explicit(&launched, what, memory_order_relaxed);
        return SL_OK;
    }
    cudaGetLastError(); /* otherwise the next call would report the error again */
    if (error == cudaErrorMemoryAllocation)
        return sl_fail(ctx, SL_NO_MEMORY, "cuda: %s: %s", what, cudaGetErrorString(error));
    const char *last = atomic_load_explicit(&launched, memory_order_relaxed);
    return sl_fail(ctx, SL_ENGINE_FAULT, "cuda: %s%s%s: %s", what,
                   is_kernel || !last ? "" : ", the last kernel being ",
                   is_kernel || !last ? "" : last, cudaGetErrorString(error));
}

bool sl_cuda_is_limited(void)
{
    return device.limit > 0;
}

/* Free memory of the device and unused memory of the pool. *used: of the pool. */
static uint64_t present_bytes(uint64_t *used)
{
    size_t left = 0, all = 0;
    uint64_t reserved = 0;
    *used = 0;
    cudaMemGetInfo(&left, &all);
    cudaMemPoolGetAttribute(device.pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
    cudaMemPoolGetAttribute(device.pool, cudaMemPoolAttrUsedMemCurrent, used);
    return left + (reserved - *used);
}

uint64_t sl_cuda_free_bytes(void)
{
    uint64_t used;
    const uint64_t here = present_bytes(&used);
    const uint64_t allowed = device.limit > used ? device.limit - used : 0;
    return device.limit && allowed < here ? allowed : here;
}

bool sl_cuda_make_room(const sl_context *ctx, uint64_t bytes)
{
    while (sl_cuda_free_bytes() < bytes)
        if (!sl_cuda_release_oldest_spare(ctx) ||
            cudaStreamSynchronize(device.stream) != cudaSuccess)
            return false;
    return true;
}

sl_status sl_cuda_check_room(sl_context *ctx, const char *what, uint64_t edges, uint64_t needed,
                             uint64_t on_host)
{
    uint64_t used;
    const uint64_t present = present_bytes(&used), host = on_host ? sl_host_bytes_present() : 0;
    if (needed > present)
        return sl_fail(ctx, SL_NO_MEMORY,
                       "%s: no memory for %" PRIu64 " edges: they need %" PRIu64
                       " bytes of device memory, and %" PRIu64 " bytes are present",
                       what, edges, needed, present);
    if (on_host > host)
        return sl_fail(ctx, SL_NO_MEMORY,
                       "%s: no memory for %" PRIu64 " edges: beside the device they need %" PRIu64
                       " bytes of the host's memory, and %" PRIu64 " bytes are present",
                       what, edges, on_host, host);
    return SL_OK;
}

cudaError_t sl_cuda_trim_pool(void)
{
    cudaGetLastError();
    const cudaError_t error = cudaStreamSynchronize(device.stream);
    return error == cudaSuccess ? cudaMemPoolTrimTo(device.pool, 0) : error;
}

/* Unused memory of the pool may be fragmented: return it to the device and try again. */
static cudaError_t allocate_again(void **memory, size_t size)
{
    const cudaError_t error = sl_cuda_trim_pool();
    return error == cudaSuccess ? cudaMallocFromPoolAsync(memory, size, device.pool, device.stream)
                                : error;
}

/* The status of a failed allocation of device memory. */
static sl_status allocation_failed(sl_context *ctx, const char *what, cudaError_t error,
                                   size_t size)
{
    if (error != cudaErrorMemoryAllocation)
        return sl_cuda_status(ctx, what, error);
    cudaGetLastError();
    return sl_fail(ctx, SL_NO_MEMORY,
                   "cuda: out of device memory: %zu bytes asked for, %zu bytes free", size,
                   (size_t)sl_cuda_free_bytes());
}

sl_status sl_cuda_alloc(sl_context *ctx, void **memory, uint64_t bytes)
{
    *memory = NULL;
    size_t size = bytes ? (bytes + 7) / 8 * 8 : 8; /* atomics on small values access whole words */
    cudaError_t error = cudaMallocFromPoolAsync(memory, size, device.pool, device.stream);
    if (error == cudaErrorMemoryAllocation)
        error = allocate_again(memory, size);
    while (error == cudaErrorMemoryAllocation && sl_cuda_release_oldest_spare(ctx))
        error = allocate_again(memory, size);
    if (error == cudaSuccess && sl_cuda_register_block(*memory))
        return SL_OK;
    if (error == cudaSuccess) {
        cudaFreeAsync(*memory, device.stream);
        *memory = NULL;
        return sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory");
    }
    *memory = NULL;
    return allocation_failed(ctx, "cudaMallocFromPoolAsync", error, size);
}

sl_status sl_cuda_alloc_mappable(sl_context *ctx, void **memory, uint64_t bytes)
{
    *memory = NULL;
    cudaError_t error = cudaMalloc(memory, bytes);
    /* The pool keeps memory that was freed, and returns it when it is asked to. */
    if (error == cudaErrorMemoryAllocation && sl_cuda_trim_pool() == cudaSuccess)
        error = cudaMalloc(memory, bytes);
    while (error == cudaErrorMemoryAllocation && sl_cuda_release_oldest_spare(ctx) &&
           sl_cuda_trim_pool() == cudaSuccess)
        error = cudaMalloc(memory, bytes);
    if (error == cudaSuccess && sl_cuda_register_block(*memory))
        return SL_OK;
    if (error == cudaSuccess)
        cudaFree(*memory);
    *memory = NULL;
    return error == cudaSuccess ? sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory")
                                : allocation_failed(ctx, "cudaMalloc", error, bytes);
}

void sl_cuda_free_mappable(void *memory)
{
    if (memory)
        sl_cuda_unregister_block(memory);
    cudaFree(memory);
}

void sl_cuda_free(void *memory)
{
    if (!memory)
        return;
    sl_cuda_unregister_block(memory);
    cudaFreeAsync(memory, device.stream);
}

sl_status sl_cuda_alloc_pinned(sl_context *ctx, void **memory, uint64_t bytes)
{
    cudaError_t error = cudaHostAlloc(memory, bytes ? bytes : 1, cudaHostAllocDefault);
    if (error == cudaSuccess && sl_charge_block(*memory, bytes)) {
        if (sl_cuda_register_block(*memory))
            return SL_OK;
        sl_discharge_block(*memory);
    }
    if (error == cudaSuccess)
        cudaFreeHost(*memory);
    *memory = NULL;
    if (error != cudaSuccess && error != cudaErrorMemoryAllocation)
        return sl_cuda_status(ctx, "cudaHostAlloc", error);
    cudaGetLastError();
    return sl_fail(ctx, SL_NO_MEMORY,
                   "cuda: out of host memory: %" PRIu64 " pinned bytes asked for", bytes);
}

void sl_cuda_free_pinned(void *memory)
{
    if (!memory)
        return;
    sl_cuda_unregister_block(memory);
    sl_discharge_block(memory);
    cudaStreamSynchronize(device.stream); /* kernels may still read it */
    cudaFreeHost(memory);
}

void *sl_cuda_lock_fetched(void)
{
    pthread_mutex_lock(&fetch_lock);
    return pinned->fetched;
}

sl_status sl_cuda_unlock_fetched(sl_context *ctx, const char *what, sl_status status, void *to,
                                 uint64_t bytes)
{
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, what);
    if (status == SL_OK)
        memcpy(to, pinned->fetched, bytes);
    pthread_mutex_unlock(&fetch_lock);
    return status;
}

bool sl_cuda_poll(const volatile unsigned long long *stamp, unsigned long long awaited)
{
    enum { POLLS = 1 << 20 }; /* about a third of a millisecond */
    for (int k = 0; k < POLLS && *stamp != awaited; k++)
        ;
    const bool there = *stamp == awaited;
    atomic_thread_fence(memory_order_acquire);
    return there;
}

/* The stamp distinguishes the counts from those of an earlier kernel. */
cuda_stamped_count *sl_cuda_lock_stamped(unsigned long long *stamp)
{
    pthread_mutex_lock(&fetch_lock);
    *stamp = ++last_stamp;
    return pinned->stamped;
}

sl_status sl_cuda_unlock_stamped(sl_context *ctx, const char *what, sl_status status,
                                 unsigned long long *counts, uint32_t count)
{
    const cuda_stamped_count *stamped = pinned->stamped;
    bool there = status == SL_OK;
    for (uint32_t k = 0; k < count && there; k++)
        there = sl_cuda_poll(&stamped[k].stamp, last_stamp);
    if (status == SL_OK && !there)
        status = sl_cuda_wait(ctx, what);
    for (uint32_t k = 0; k < count && status == SL_OK; k++)
        counts[k] = stamped[k].count;
    pthread_mutex_unlock(&fetch_lock);
    return status;
}

sl_status sl_cuda_copy(sl_context *ctx, void *to, const void *from, uint64_t bytes)
{
    return bytes
               ? sl_cuda_status(ctx, "copy on the device",
                                cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, device.stream))
               : SL_OK;
}

sl_status sl_cuda_zero(sl_context *ctx, void *to, uint64_t bytes)
{
    return bytes ? sl_cuda_status(ctx, "cudaMemsetAsync",
                                  cudaMemsetAsync(to, 0, bytes, device.stream))
                 : SL_OK;
}

sl_status sl_cuda_wait(sl_context *ctx, const char *what)
{
    return sl_cuda_status(ctx, what, cudaStreamSynchronize(device.stream));
}
