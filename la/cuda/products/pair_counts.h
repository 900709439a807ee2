/*
 * Masked products of matrices over plus_pair, C<M> = A B': each entry of the mask gets the number
 * of columns that a row of A and a row of B have in common. Triangle counting consists of such
 * products. Included by C and CUDA sources.
 */
#ifndef SEMLA_CUDA_PAIR_COUNTS_H
#define SEMLA_CUDA_PAIR_COUNTS_H

#include "cuda/products/product_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pieces of rows are processed by a warp (rows of A with at most PAIR_FEW columns) or a block. */
enum { PAIR_BY_WARP, PAIR_BY_BLOCK, PAIR_KINDS };

/* What the rows of a product need. */
typedef struct {
    unsigned long long pieces[PAIR_KINDS]; /* of rows, by kind */
    unsigned long long longest;            /* columns of the longest row of B */
} cuda_pair_rows;

/* Arrays are in device memory; columns are ascending within a row. */
typedef struct {
    uint64_t nrows, nnz; /* of the mask */
    uint64_t b_rows;
    const uint64_t *start, *a_start, *b_start;
    const uint32_t *index, *a_index, *b_index;
    const bool *truth; /* of the mask's entries; NULL: all true */
    uint32_t *count;   /* out: nnz; all 0 before */
    /* scratch: pieces of rows of the mask, sl_cuda_most_pieces of each kind; what there is of them,
     * and how many of each kind have been taken. All counts are 0 before. */
    cuda_piece *piece[PAIR_KINDS];
    cuda_pair_rows *rows;
    unsigned long long *taken; /* PAIR_KINDS elements */
} cuda_pair_counts;

uint64_t sl_cuda_most_pieces(uint64_t nrows, uint64_t nnz);

/* Counts the rows with little work, and lists the pieces of the others. */
cudaError_t sl_cuda_count_few_pairs(const cuda_pair_counts *p);
/* Counts the next pieces of a kind, up to piece number `end`. */
cudaError_t sl_cuda_count_pairs(const cuda_pair_counts *p, int kind, uint64_t end);

/* Keeps the entries whose count is not 0. */
cudaError_t sl_cuda_keep_counted(const cuda_kept *kept, const uint32_t *count, uint64_t nnz);

#ifdef __cplusplus
}
#endif
#endif
