/* Private to the CUDA engine: the device of the process and its stream, as C code and launches read them. */
#ifndef SEMLA_CUDA_CURRENT_DEVICE_H
#define SEMLA_CUDA_CURRENT_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of cuda_device.search_results. */
enum { CUDA_SEARCH_RESULT_BYTES = 1 << 16 };

/* The device that the process uses. Constant once the engine has started, except `limit`. */
typedef struct {
    int number;               /* CUDA's number of the device */
    int architecture;         /* compute capability times 10: 90 is 9.0 */
    unsigned multiprocessors; /* of the device */
    bool cooperative;         /* supports cooperative launches */
    uint64_t limit;           /* SEMLA_CUDA_MEMORY, in bytes; 0: none */
    cudaStream_t stream;
    cudaMemPool_t pool;
    /* Pinned host memory, CUDA_SEARCH_RESULT_BYTES, to which the kernels of a search write their
     * results. For the thread that holds sl_cuda_lock. */
    void *search_results;
} cuda_device;

/* Valid after sl_cuda_start. */
const cuda_device *sl_cuda_device(void);

static inline cudaStream_t cuda_stream(void)
{
    return sl_cuda_device()->stream;
}
static inline unsigned cuda_processors(void)
{
    return sl_cuda_device()->multiprocessors;
}

#ifdef __cplusplus
}
#endif
#endif
