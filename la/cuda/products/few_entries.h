/* Products of a matrix and a vector of a few entries, which the host has. Included by C and CUDA
 * sources. */
#ifndef SEMLA_CUDA_FEW_ENTRIES_H
#define SEMLA_CUDA_FEW_ENTRIES_H

#include <semla/semirings.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* t(c) = t(c) add (u multiply A(r, c)) for the entries of row r. Arrays are in device memory. */
typedef struct {
    uint64_t row;
    unsigned long long u; /* 8 bytes that begin with the value */
    const uint64_t *start;
    const uint32_t *index;
    const void *values; /* NULL: all 1 */
    uint64_t nnz;       /* of the matrix */
    uint32_t *bits;
    void *t;
    sl_type type;      /* of all values */
    int add, multiply; /* sl_binary_code */
    bool matrix_first; /* A(r, c) multiply u */
} cuda_few_entries;

cudaError_t sl_cuda_push_row(const cuda_few_entries *p);

#ifdef __cplusplus
}
#endif
#endif
