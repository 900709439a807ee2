/*
 * The kernels, as the host's side in C sees them: each function launches on a
 * stream and returns. None allocates, waits or throws; what it returns is the
 * launch's error, cudaSuccess if there was none. Pointers are the device's.
 *
 * Bit v of a bitmap is bit v % 32 of word v / 32; bits past the last vertex are 0.
 */
#ifndef SEMLA_CUDA_KERNELS_H
#define SEMLA_CUDA_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels that were compiled while the program runs, as cudaLaunchKernel takes them: they
 * do what this library's own would; NULL: those do it. The host's pointers. */
typedef struct {
    const void *kernel[5];
} cuda_made;

/* Sums that a pass leaves; set to 0 before it. */
typedef struct {
    unsigned long long vertices; /* found, or counted */
    unsigned long long edges;    /* the sum of their rows' lengths */
    unsigned long long seen;     /* edges looked at */
} cuda_counts;

typedef enum { CUDA_ANY, CUDA_MIN, CUDA_MAX } cuda_choice;

/* A vector's values, which are int64, or int32 if `narrow`. */
typedef struct {
    void *values; /* or NULL */
    bool narrow;
} cuda_integers;

/* ---- objects (objects.cu) --------------------------------------------------- */

/* to[k] = from[k], which is below 2^32. */
cudaError_t sl_cuda_narrow(uint32_t *to, const uint64_t *from, uint64_t count, cudaStream_t stream);

/* to[k] = from[k]. */
cudaError_t sl_cuda_widen(uint64_t *to, const uint32_t *from, uint64_t count, cudaStream_t stream);

/* Puts `count` entries into a vector: bits and values at index[k]. No index twice. from
 * NULL: the value on the host. `size`: bytes of a value, 1, 2, 4 or 8. */
cudaError_t sl_cuda_scatter(uint32_t *bits, void *values, const uint32_t *index, const void *from,
                            const void *value, uint64_t count, size_t size, cudaStream_t stream);

/* A few entries, which come as the kernel's own arguments: `count` of at most CUDA_HOST_LIST_MAX. */
enum { CUDA_HOST_LIST_MAX = 8 };
typedef struct {
    uint64_t index[CUDA_HOST_LIST_MAX];
    unsigned long long value[CUDA_HOST_LIST_MAX]; /* 8 bytes that begin with it */
} cuda_host_list;
cudaError_t sl_cuda_scatter_few(uint32_t *bits, void *values, const cuda_host_list *few, uint64_t count,
                                size_t size, cudaStream_t stream);
/* The same as a matrix of one row. */
cudaError_t sl_cuda_list_few(uint64_t *start, uint32_t *index, void *values, const cuda_host_list *few,
                             uint64_t count, size_t size, cudaStream_t stream);

/* ---- a pass over a bitmap (bits.cu) ------------------------------------------- */

/* Adds up the vertices of `bits`, and the lengths of their rows, which start there. */
cudaError_t sl_cuda_count(cuda_counts *counts, const uint32_t *bits, uint64_t words,
                          const uint64_t *start, unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
