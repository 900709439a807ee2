/* Kernels of gather and scatter by an index vector (as vector_kernels.h). */
#ifndef SEMLA_CUDA_INDEX_VECTOR_KERNELS_H
#define SEMLA_CUDA_INDEX_VECTOR_KERNELS_H

#include <semla/semirings.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The index vector: n values of an integer type. */
typedef struct {
    uint64_t n;
    const uint32_t *bits; /* NULL: all n are present */
    const void *values;
    sl_type type;
} cuda_index_vector;

/* *first becomes the least position of an index that is not below `bound`, if it is less than
 * *first. */
cudaError_t sl_cuda_first_outside(unsigned long long *first, const cuda_index_vector *indices,
                                  uint64_t bound);

/* to(i) = from(index(i)), values of `size` bytes. to_bits NULL: all are present. */
cudaError_t sl_cuda_gather_by_vector(uint32_t *to_bits, void *to, const uint32_t *bits,
                                     const void *from, size_t size,
                                     const cuda_index_vector *indices);

/* to(index(i)) = to(index(i)) op from(i), for values of `type`. */
typedef struct {
    uint32_t *to_bits; /* receives the bits of the entries that are written; NULL: not written */
    void *to;
    uint32_t *given;      /* receives the bits of all indices; NULL: not written */
    const uint32_t *bits; /* of from; NULL: all are present */
    const void *from;
    sl_type type;
    int code; /* sl_binary_code; SL_BINARY_ANY: from(i) replaces the value */
} cuda_scatter;
cudaError_t sl_cuda_scatter_by_vector(const cuda_scatter *s, const cuda_index_vector *indices);

#ifdef __cplusplus
}
#endif
#endif
