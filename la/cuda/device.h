/* Private to the CUDA engine: the device, its memory, its objects. */
#ifndef SEMLA_CUDA_DEVICE_H
#define SEMLA_CUDA_DEVICE_H

#include <semla/engine.h>

#include "kernels.h"

#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* What of the host's memory the device writes to directly. */
typedef struct {
    cuda_counts counts[3];
    cuda_small_result result;
    cuda_small_step steps[SMALL_LEVELS];
} cuda_mailbox;

/* The one device, the one stream that all work is queued in, the pool that its
 * memory comes from. Constant once the engine has started. */
typedef struct {
    int number;
    unsigned multiprocessors;
    cudaStream_t stream;
    cudaMemPool_t pool;
    cuda_mailbox *mailbox; /* for who holds the lock */
} cuda_device;

/* Valid after sl_cuda_start. */
const cuda_device *sl_cuda_device(void);

/* Why there is no device to work on, or NULL; asks the driver once. */
const char *sl_cuda_absence(void);
/* "12.4", of the driver. */
const char *sl_cuda_version(void);
/* Prepares the device; for every context, from any thread. */
sl_status sl_cuda_start(sl_context *ctx);

/* One search at a time: the mailbox is its own. */
void sl_cuda_lock(void);
void sl_cuda_unlock(void);

/* SL_OK, or the failure with a message that names the call or kernel. */
sl_status sl_cuda_status(sl_context *ctx, const char *what, cudaError_t error);

/* Device memory from the pool, for work in the stream; *memory is NULL on failure. */
sl_status sl_cuda_alloc(sl_context *ctx, void **memory, uint64_t bytes);
/* Gives it back when the work queued so far is done; NULL is allowed. */
void sl_cuda_free(void *memory);

/* Copies that are queued, and the wait for all that is. */
sl_status sl_cuda_upload(sl_context *ctx, void *to, const void *from, uint64_t bytes);
sl_status sl_cuda_download(sl_context *ctx, void *to, const void *from, uint64_t bytes);
sl_status sl_cuda_copy(sl_context *ctx, void *to, const void *from, uint64_t bytes);
sl_status sl_cuda_zero(sl_context *ctx, void *to, uint64_t bytes);
sl_status sl_cuda_wait(sl_context *ctx, const char *what);

/* A matrix on the device: compressed rows, column indices ascending. */
typedef struct {
    uint64_t nnz;
    uint64_t *start; /* nrows + 1 */
    uint32_t *index; /* nnz */
    void *values;    /* nnz, or NULL: all 1 */
} cuda_matrix;

/* A vector on the device, as a bitmap. */
typedef struct {
    uint64_t nvals;
    uint32_t *bits; /* ceil(size / 32) words: where there is an entry */
    void *values;   /* size, unspecified where there is none */
} cuda_vector;

extern const sl_store sl_store_cuda;
extern const sl_engine sl_engine_cuda;

static inline uint64_t cuda_words(uint64_t n)
{
    return (n + 31) / 32;
}

/* The engine's operations. */
sl_status sl_cuda_closure(sl_call *call);
sl_status sl_cuda_optimize(sl_call *call);
sl_status sl_cuda_nvals(sl_call *call);
sl_status sl_cuda_get(sl_call *call);
sl_status sl_cuda_tuples(sl_call *call);

#endif
