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
    const void *lengths; /* NULL: every length is 1 */
    const uint32_t *from_bits,
        *to_bits; /* which rows and columns have a value; NULL: those that have a distance */
    const void *from, *to;
    bool equal_too; /* predecessors of equal values are also found */
    uint32_t
        *best; /* [ncols]: the least row, or UINT32_MAX, as sl_cuda_begin_predecessors sets it */
    /* The columns sorted by length (lengths.h), none of them negative, or NULL: */
    const uint64_t *col_start;
    const uint32_t *col_index;
    const void *col_lengths;
    bool narrow;        /* the lengths have 32 bits */
    void *least;        /* a value */
    uint32_t first_row; /* the number by which col_index names the first row */
    uint32_t *
        marks; /* NULL, or a bitmap in which the columns of early rows for which `best` may have changed are marked */
} cuda_better_predecessors;

cudaError_t sl_cuda_begin_predecessors(uint32_t *best, uint64_t n, cudaStream_t stream);

/* best, for min_plus of the type. */
cudaError_t sl_cuda_find_better_predecessors(const cuda_better_predecessors *p, sl_type type,
                                             unsigned multiprocessors, cudaStream_t stream);

/* The same over sorted columns, in three steps: *least, the least value of the rows that are not early; over the edges of
 * early rows; over those of the others, by columns. */
cudaError_t sl_cuda_find_least_row(const cuda_better_predecessors *p, sl_type type,
                                   unsigned multiprocessors, cudaStream_t stream);
cudaError_t sl_cuda_find_early_predecessors(const cuda_better_predecessors *p, sl_type type,
                                            unsigned multiprocessors, cudaStream_t stream);
cudaError_t sl_cuda_pull_better_predecessors(const cuda_better_predecessors *p, sl_type type,
                                             unsigned multiprocessors, cudaStream_t stream);

/* The entries of `best`, and the bitmap of the columns that have one. */
cudaError_t sl_cuda_take_better_predecessors(long long *values, uint32_t *bits,
                                             const uint32_t *best, uint64_t n,
                                             unsigned multiprocessors, cudaStream_t stream);

/* The values of a vector, and where it has none a number greater than all distances; behind them *least, or such a number
 * if `least` is NULL. */
cudaError_t sl_cuda_list_distances(void *to, const void *values, const uint32_t *bits, uint64_t n,
                                   const void *least, sl_type type, unsigned multiprocessors,
                                   cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
