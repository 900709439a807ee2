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
    const void *lengths; /* NULL: every length is 1; for early rows, of the type of col_lengths */
    /* Which rows and columns have a value; NULL: those whose value is a distance. */
    const uint32_t *from_bits, *to_bits;
    const void *from, *to;
    bool equal_too; /* predecessors of equal values are also found */
    uint32_t *best; /* [ncols]: the least row, or UINT32_MAX, which is set before */
    /* The columns sorted by length (lengths.h), none of them negative, or NULL: */
    const uint64_t *col_start;
    const uint32_t *col_index;
    const void *col_lengths;
    bool narrow;        /* the lengths have 32 bits */
    void *least;        /* a value */
    uint32_t first_row; /* the number of the first row in col_index */
    const uint32_t
        *old_id;     /* the numbers in `best`, by those in col_index; NULL: they are the same */
    uint32_t *marks; /* NULL, or a bitmap: columns to which early rows may be the best are marked */
} cuda_better_predecessors;

/* best: UINT32_MAX. */
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

/* The entries of `best`, and the bitmap of the columns that have one. new_id: the column of each entry, NULL: they are in the same
 * order. */
cudaError_t sl_cuda_take_better_predecessors(long long *values, uint32_t *bits,
                                             const uint32_t *best, const uint32_t *new_id,
                                             uint64_t n, unsigned multiprocessors,
                                             cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
