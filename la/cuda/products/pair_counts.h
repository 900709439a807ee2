/*
 * Masked products of matrices over plus_pair, C<M> = A B': each entry of the mask gets the number
 * of columns that a row of A and a row of B have in common. Triangle counting consists of such
 * products. Included by C and CUDA sources.
 */
#ifndef SEMLA_CUDA_PAIR_COUNTS_H
#define SEMLA_CUDA_PAIR_COUNTS_H

#include "product_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pieces of rows are processed by a warp (rows of A with at most PAIR_FEW columns) or a block. */
enum { PAIR_BY_WARP, PAIR_BY_BLOCK, PAIR_KINDS };

/* Arrays are in device memory; columns are ascending within a row. */
typedef struct {
    uint64_t nrows, nnz; /* of the mask */
    const uint64_t *start, *a_start, *b_start;
    const uint32_t *index, *a_index, *b_index;
    const bool *truth; /* of the mask's entries; NULL: all true */
    uint32_t *count;   /* out: nnz; all 0 before */
    bool *found;       /* out: nnz: count is not 0; all false before */
    /* scratch: pieces of rows of the mask, sl_cuda_most_pieces of each kind; how many there are,
     * and how many blocks have taken one. Both counts are 0 before. */
    cuda_piece *piece[PAIR_KINDS];
    unsigned long long *pieces, *taken; /* PAIR_KINDS elements; one */
} cuda_pair_counts;

uint64_t sl_cuda_most_pieces(uint64_t nrows, uint64_t nnz);

cudaError_t sl_cuda_count_pairs(const cuda_pair_counts *p, unsigned multiprocessors,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
