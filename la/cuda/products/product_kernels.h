/* Products of a sparse matrix and a vector, on the terms of kernels.h. */
#ifndef SEMLA_CUDA_PRODUCT_KERNELS_H
#define SEMLA_CUDA_PRODUCT_KERNELS_H

#include "vector_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a positional operator's product is: the index of the result's entry, the one
 * that is summed over, or the only index of the vector. */
typedef enum { CUDA_ONLY, CUDA_OUTER, CUDA_INNER } cuda_position;

/* A piece of a long row, LONG_PIECE entries. */
typedef struct {
    uint32_t row, number;
} cuda_piece;

/* t(out) = sum over inner of matrix (x) u(inner), where todo lets out through. */
typedef struct {
    uint64_t nnz;
    uint64_t rows;         /* of the matrix, whose rows are walked: */
    const uint64_t *start; /* a pull sums over a row, a push spreads it */
    const uint32_t *index;
    const void *values;     /* NULL: all 1 */
    const uint32_t *u_bits; /* NULL: all */
    const void *u_values;   /* NULL: all 1 */
    uint32_t *bits;         /* t; all 0 before */
    void *t_values;         /* a push combines with them: identities before, save for `any` */
    const uint32_t *todo;   /* NULL: all */
    sl_type type;           /* of the operands */
    cuda_kind kind;         /* CUDA_VALUES or CUDA_POSITION */
    cuda_position position;
    int add, multiply;      /* sl_binary_code */
    bool matrix_first;      /* the matrix is the first operand */
    bool ends;              /* a sum that is `terminal` needs no more terms */
    bool any;               /* the first term will do */
    cuda_made made;         /* of the way it goes, a pull or a push, or none */
    unsigned long long terminal, identity; /* 8 bytes that begin with the value */
    const uint32_t *tile_rows;      /* of a pull by tiles */
    cuda_piece *long_rows;          /* room for nnz / ROW_LONG + 1; */
    unsigned long long *long_count; /* how many there are, 0 before */
    unsigned multiprocessors;
} cuda_product;

/* Pulls of all rows share them by tiles: their number, and the first row of each and the
 * end, for p->tile_rows. */
bool sl_cuda_pulls_tiles(const cuda_product *p);
uint64_t sl_cuda_tiles(uint64_t rows, uint64_t nnz);
cudaError_t sl_cuda_tile_rows(uint32_t *to, const uint64_t *start, uint64_t rows, uint64_t nnz,
                              unsigned multiprocessors, cudaStream_t stream);

/* True if kernels were compiled ahead for its semiring alone. */
bool sl_cuda_product_is_precompiled(const cuda_product *p);

cudaError_t sl_cuda_product_pull(const cuda_product *p, cudaStream_t stream);

/* The entries of `bits` to list[], in no order; counts, all 0 before: how many they are
 * (vertices), how long their rows (edges), and how many bits todo, if any, has (seen). */
cudaError_t sl_cuda_survey(uint32_t *list, cuda_counts *counts, const uint64_t *start,
                           const uint32_t *bits, uint64_t words, const uint32_t *todo,
                           uint64_t todo_words, unsigned multiprocessors, cudaStream_t stream);

/* The lengths of the rows of a list. */
cudaError_t sl_cuda_row_lengths(uint64_t *lengths, const uint64_t *start, const uint32_t *list,
                                uint64_t count, unsigned multiprocessors, cudaStream_t stream);

/* Along the rows list[0 .. count) with `edges` entries in all. */
cudaError_t sl_cuda_product_push(const cuda_product *p, const uint32_t *list, uint64_t count,
                                 uint64_t edges, const uint64_t *ends, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
