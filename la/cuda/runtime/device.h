/*
 * Private to the CUDA engine: the device, its stream, its memory, and errors of the CUDA runtime.
 *
 * A process uses one device. All work is queued in one stream, and all device memory comes from one
 * pool; both are shared by all contexts.
 */
#ifndef SEMLA_CUDA_DEVICE_H
#define SEMLA_CUDA_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <semla/engine.h>

#include "cuda/runtime/current_device.h"
#include "cuda/runtime/kernels.h"

/* Returns from the calling function if the call fails. */
#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* Why no device can be used, or NULL. The driver is asked once per process. */
const char *sl_cuda_unavailable_reason(void);
/* Selects device `rank` (modulo the number of devices) unless the program has called
 * cudaSetDevice. rank: number of this process among the processes of its host. To be called before
 * the engine starts. */
void sl_cuda_set_local_rank(unsigned rank);
/* Version of CUDA that the driver supports, as "12.4". */
const char *sl_cuda_version(void);
/* Creates stream and pool, and makes the device current for the calling thread. Called once for
 * every context, from any thread. */
sl_status sl_cuda_start(sl_context *ctx);

/* The energy counter of the board, in joules (energy.c). SL_UNSUPPORTED without NVML. */
sl_status sl_cuda_energy(sl_context *ctx, double *joules);

/* Serialises searches, which share search_results. Not recursive. */
void sl_cuda_lock(void);
void sl_cuda_unlock(void);

/* ---- errors ---- */

/* SL_OK, or SL_NO_MEMORY or SL_ENGINE_FAULT with a message. `what` names the failed call; for a
 * kernel it is "kernel NAME" and must be static text, as later messages name the last kernel. */
sl_status sl_cuda_status(sl_context *ctx, const char *what, cudaError_t error);

static inline sl_status cuda_no_host_memory(sl_context *ctx)
{
    return sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory");
}

/* ---- memory ---- */

/* Device memory from the pool, usable by work that is queued in the stream afterwards. If there is none left, spare
 * data (spare.h) are freed. *memory is NULL on failure. Never returns NULL for 0 bytes. */
sl_status sl_cuda_alloc(sl_context *ctx, void **memory, uint64_t bytes);
/* Frees device memory once the work queued so far is done. NULL is allowed. */
void sl_cuda_free(void *memory);

/* Device memory that other processes can map. It is not from the pool: CUDA IPC maps whole allocations.
 * Both functions may wait for the device. *memory is NULL on failure; NULL can be freed. */
sl_status sl_cuda_alloc_mappable(sl_context *ctx, void **memory, uint64_t bytes);
void sl_cuda_free_mappable(void *memory);

/* Reads SEMLA_CUDA_MEMORY, the bytes of device memory for matrices that could be in host memory
 * instead. SL_INVALID if it is not a number of bytes. */
sl_status sl_cuda_read_limit(sl_context *ctx);
bool sl_cuda_is_limited(void);
/* Returns the memory of the pool that is not used to the device, after waiting for the stream. */
cudaError_t sl_cuda_trim_pool(void);
/* Bytes that can be allocated now, within the limit. */
uint64_t sl_cuda_free_bytes(void);
/* Whether so many bytes can be, once spare data (spare.h) are freed as far as needed. */
bool sl_cuda_make_room(const sl_context *ctx, uint64_t bytes);

/* SL_NO_MEMORY, with a message by `what` that has the bytes needed and present, unless so many bytes of
 * device memory and of the host's can be allocated for the edges. SEMLA_CUDA_MEMORY is not considered. */
sl_status sl_cuda_check_room(sl_context *ctx, const char *what, uint64_t edges, uint64_t needed,
                             uint64_t on_host);

/* Pinned host memory, which kernels access by the same address. *memory is NULL on failure. */
sl_status sl_cuda_alloc_pinned(sl_context *ctx, void **memory, uint64_t bytes);
void sl_cuda_free_pinned(void *memory); /* waits for the stream; NULL is allowed */

/* Registers a block of device memory with the program's allocator (blocks.c), and removes it.
 * False if the allocator has no memory. */
bool sl_cuda_register_block(const void *memory);
void sl_cuda_unregister_block(const void *memory);

/* ---- copies, queued in the stream ---- */

/* Between the device, or pinned memory, and the host (host_copies.c). A large copy to ordinary
 * memory is complete when the function returns; a small one after the next wait. Ordinary memory
 * that was uploaded may be freed at once. */
sl_status sl_cuda_upload(sl_context *ctx, void *to, const void *from, uint64_t bytes);
sl_status sl_cuda_download(sl_context *ctx, void *to, const void *from, uint64_t bytes);
/* The same for indices, 32 bits on the device and 64 in the host's ordinary memory. Indices that
 * are downloaded are complete when the function returns. */
sl_status sl_cuda_upload_narrowed(sl_context *ctx, uint32_t *to, const uint64_t *from,
                                  uint64_t count);
sl_status sl_cuda_download_widened(sl_context *ctx, uint64_t *to, const uint32_t *from,
                                   uint64_t count);
/*
 * A pass of the host's threads over arrays of the device, in pieces in pinned memory (host_copies.c). The device copies
 * other pieces while the threads work on one. The function is called with a part of a piece: place[a] are `count`
 * elements of array a, from element `first` on. It reads all but the last array and writes that one, which the device
 * then has. An array whose address is NULL has size 0 and place NULL. If array 0 is NULL, no array is read.
 */
enum { CUDA_RETURNED = 3, CUDA_VISITED_ARRAYS = 4 };
typedef struct {
    void *device;
    size_t size; /* bytes of an element: 0 to 16 */
} cuda_visited_array;
typedef struct {
    cuda_visited_array array[CUDA_VISITED_ARRAYS];
    uint64_t count; /* elements of each array */
    void (*function)(const void *state, char *const *place, uint64_t first, uint64_t count);
    const void *state;
    const char *operation; /* named if the call is interrupted between pieces; NULL: it is not */
} cuda_visit;
/* `what` names the copies in messages. The last array is complete for work that is queued afterwards. */
sl_status sl_cuda_visit(sl_context *ctx, const char *what, const cuda_visit *visit, int threads);
/* True if an upload from this host memory may still read it after the call has returned, as with
 * pinned memory. */
bool sl_cuda_is_read_later(const void *memory);
/* Between any two of device, pinned and ordinary memory. */
sl_status sl_cuda_copy(sl_context *ctx, void *to, const void *from, uint64_t bytes);
sl_status sl_cuda_zero(sl_context *ctx, void *to, uint64_t bytes);
/* Copies up to 128 bytes to the host and waits for them. `what` names the work that is waited for.
 */
sl_status sl_cuda_fetch(sl_context *ctx, const char *what, void *to, const void *from,
                        uint64_t bytes);
/* The pinned memory of such copies, 128 bytes, to which a kernel may write a result itself. The calling thread holds
 * it until it unlocks it, which waits for the kernel if `status`, the status of its launch, is SL_OK, copies the
 * first `bytes`, and returns the status of both. */
void *sl_cuda_lock_fetched(void);
sl_status sl_cuda_unlock_fetched(sl_context *ctx, const char *what, sl_status status, void *to,
                                 uint64_t bytes);
/* Counts that one kernel writes to pinned memory, at most CUDA_STAMPED_COUNTS, each with *stamp
 * behind it. The calling thread holds them until it unlocks them: that polls for the first `count`
 * of them, then waits for the stream, which takes longer, unless `status`, the status of the
 * launch, is a failure; copies them; and returns the status of all. All work queued before the
 * kernel is then complete. */
enum { CUDA_STAMPED_COUNTS = 8 };
cuda_stamped_count *sl_cuda_lock_stamped(unsigned long long *stamp);
sl_status sl_cuda_unlock_stamped(sl_context *ctx, const char *what, sl_status status,
                                 unsigned long long *counts, uint32_t count);
/* Whether *stamp becomes `awaited` within some microseconds. */
bool sl_cuda_poll(const volatile unsigned long long *stamp, unsigned long long awaited);
/* Waits for all queued work. */
sl_status sl_cuda_wait(sl_context *ctx, const char *what);

/* 32-bit words of a bitmap of n bits. */
static inline uint64_t cuda_words(uint64_t n)
{
    return (n + 31) / 32;
}

#endif
