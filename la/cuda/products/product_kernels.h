/* Products of a sparse matrix and a vector (as kernels.h). */
#ifndef SEMLA_CUDA_PRODUCT_KERNELS_H
#define SEMLA_CUDA_PRODUCT_KERNELS_H

#include "cuda/operations/vector_kernels.h"
#include "cuda/products/product_tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a positional operator returns: the index of the result's entry, the index that is summed
 * over, or the only column of the vector. */
typedef enum { CUDA_ONLY, CUDA_OUTER, CUDA_INNER } cuda_position;

/* A part of a long row: LONG_PIECE entries. */
typedef struct {
    uint32_t row, number;
} cuda_piece;

/* t(out) = sum over inner of matrix (x) u(inner), for the indices `out` that the mask allows. */
typedef struct {
    uint64_t nnz;
    /* rows of the matrix as it is traversed: a pull sums over a row, a push scatters it */
    uint64_t rows;
    const uint64_t *start; /* rows + 1 */
    const uint32_t *index;
    const void *values;      /* NULL: all 1 */
    const uint32_t *u_bits;  /* NULL: all */
    const void *u_values;    /* NULL: all 1 */
    uint32_t *bits;          /* of t; all 0 before */
    void *t_values;          /* of t; a push needs them filled with `neutral`, except for `any` */
    const uint32_t *allowed; /* indices that the mask allows; NULL: all */
    sl_type type;            /* of the operands */
    cuda_kind kind;          /* CUDA_VALUES or CUDA_POSITION */
    cuda_position position;
    int add, multiply;  /* sl_binary_code */
    bool matrix_first;  /* the matrix is the operator's first operand */
    bool ends;          /* a sum that equals `terminal` needs no more terms */
    bool any;           /* the first term is the result */
    cuda_compiled made; /* kernels compiled at run time for a pull or a push, or none */
    unsigned long long terminal, neutral; /* 8 bytes that begin with the value */
    const uint32_t *tile_rows;            /* pull by tiles: first row of each tile and the end */
    uint64_t longest;                     /* entries of the longest row; 0: not known */
    cuda_piece *long_rows; /* of a pull that may have rows of ROW_LONG: nnz / ROW_LONG + 1 */
    unsigned long long *long_count; /* length of long_rows; 0 before */
} cuda_product;

/* Whether every row is known to have few entries, for one thread. */
bool sl_cuda_has_short_rows(const cuda_product *p);
/* Whether a pull assigns rows by tiles; the number of tiles; and their first rows and the end,
 * for p->tile_rows. */
bool sl_cuda_pulls_tiles(const cuda_product *p);
uint64_t sl_cuda_tiles(uint64_t rows, uint64_t nnz);
cudaError_t sl_cuda_tile_rows(uint32_t *to, const uint64_t *start, uint64_t rows, uint64_t nnz);

/* Whether the matrix may have a row that a pull divides into pieces. */
bool sl_cuda_pull_has_long_rows(const cuda_product *p);

/* True if kernels are precompiled for its semiring. */
bool sl_cuda_product_is_precompiled(const cuda_product *p);

cudaError_t sl_cuda_product_pull(const cuda_product *p);

/* t[i] = the length of row i in t's type, for rows with entries, whose bits are set; bits NULL: all
 * rows have entries. */
cudaError_t sl_cuda_row_counts(uint32_t *bits, void *t, sl_type type, const uint64_t *start,
                               uint64_t rows);

/* Pushes along the rows list[0 ... count), which have `edges` entries in total; ends: inclusive
 * sums of their lengths. */
cudaError_t sl_cuda_product_push(const cuda_product *p, const uint32_t *list, uint64_t count,
                                 uint64_t edges, const uint64_t *ends);

#ifdef __cplusplus
}
#endif
#endif
