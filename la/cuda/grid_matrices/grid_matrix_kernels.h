/* Kernels that cut blocks of matrices and join parts (kernels.h has the conventions). */
#ifndef SEMLA_CUDA_GRID_MATRIX_KERNELS_H
#define SEMLA_CUDA_GRID_MATRIX_KERNELS_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Compressed rows. */
typedef struct {
    uint64_t nrows, nnz;
    const uint64_t *start;
    const uint32_t *index;
    const void *values; /* NULL: every value is 1 */
} cuda_part;

/* The columns begin to end - 1 of each row: their number, and the first entry in A. */
cudaError_t sl_cuda_measure_columns(uint64_t *length, uint64_t *first, const cuda_part *A,
                                    uint64_t begin, uint64_t end, unsigned multiprocessors,
                                    cudaStream_t stream);
/* Copies these columns, less `begin`, and their values of `size` bytes, to rows that begin at
 * to_start. to_values NULL: without values. */
cudaError_t sl_cuda_cut_columns(uint32_t *to_index, void *to_values, const uint64_t *to_start,
                                uint64_t nnz, const uint64_t *first, const cuda_part *A,
                                uint64_t begin, size_t size, unsigned multiprocessors,
                                cudaStream_t stream);

/* lengths[i] += the length of the part's row i. */
cudaError_t sl_cuda_add_lengths(uint64_t *lengths, const cuda_part *part, unsigned multiprocessors,
                                cudaStream_t stream);
/* Copies a part, with columns increased by `shift`, to rows of which row i goes on at next[i]. Values
 * that the part lacks are `one`. to_values NULL: without values. */
cudaError_t sl_cuda_join_part(uint32_t *to_index, void *to_values, const uint64_t *next,
                              const cuda_part *part, uint32_t shift, uint64_t one, size_t size,
                              unsigned multiprocessors, cudaStream_t stream);

/* values[e] = the index in the whole object of entry e's row, or column: that of local index k is
 * first[b] + k - begin[b], for the last b with begin[b] <= k. */
cudaError_t sl_cuda_number_entries(int64_t *values, const cuda_part *A, bool of_rows,
                                   uint32_t count, const uint64_t *begin, const uint64_t *first,
                                   unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
