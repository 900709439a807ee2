/*
 * Conventions of all kernels, as the host's C code calls them.
 *
 * Each function launches on the device's stream and returns the error of the launch, cudaSuccess if there was
 * none. None allocates, waits or throws. Pointers are to device memory unless stated otherwise.
 * Headers *_kernels.h declare such functions; they are included by C and by CUDA code.
 *
 * Bitmaps: bit v is bit v % 32 of word v / 32; bits behind the last one are 0.
 */
#ifndef SEMLA_CUDA_KERNELS_H
#define SEMLA_CUDA_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/runtime/tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels compiled at run time (jit.h), as cudaLaunchKernel takes them; NULL: the kernels that were
 * compiled with the library serve. Host pointers. */
typedef struct {
    const void *kernel[5];
} cuda_compiled;

/* A count that a kernel writes to pinned host memory, where the host polls for it: the stamp is written last. */
typedef struct {
    unsigned long long count;
    volatile unsigned long long stamp;
} cuda_stamped_count;

/* Which of several possible values is taken. */
typedef enum { CUDA_ANY, CUDA_MIN, CUDA_MAX } cuda_choice;

/* An array of int64, or of int32 if `int32`. */
typedef struct {
    void *values; /* or NULL */
    bool int32;
} cuda_integers;

#ifdef __cplusplus
}
#endif
#endif
