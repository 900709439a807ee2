/* The kernels of the operation `predecessors` (as kernels.h): see better_predecessors.cu. */
#ifndef SEMLA_CUDA_BETTER_PREDECESSORS_KERNELS_H
#define SEMLA_CUDA_BETTER_PREDECESSORS_KERNELS_H

#include <semla/semirings.h>

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix of lengths, and values of its rows and columns, all of one type, in device memory. */
typedef struct {
    uint64_t nrows, ncols, nnz;
    const uint64_t *start;
    const uint32_t *index;
    const void *lengths;                 /* NULL: every length is 1 */
    const uint32_t *from_bits, *to_bits; /* which rows and columns have a value */
    const void *from, *to;
    bool equal_too; /* predecessors of equal values are also found */
    uint64_t *best; /* [ncols]: the least row, or UINT64_MAX */
    /* The columns sorted by length (lengths.h), none of them negative, or NULL: */
    const uint64_t *col_start;
    const uint32_t *col_index;
    const void *col_lengths;
    bool narrow; /* the lengths have 32 bits */
    void *least; /* scratch for a value */
} cuda_better_predecessors;

/* best, for min_plus of the type. */
cudaError_t sl_cuda_find_better_predecessors(const cuda_better_predecessors *p, sl_type type,
                                             unsigned multiprocessors, cudaStream_t stream);

/* The same over sorted columns. */
cudaError_t sl_cuda_pull_better_predecessors(const cuda_better_predecessors *p, sl_type type,
                                             unsigned multiprocessors, cudaStream_t stream);

/* The bitmap of the columns that have a row in `best`. */
cudaError_t sl_cuda_mark_better_predecessors(uint32_t *bits, const cuda_better_predecessors *p,
                                             unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
