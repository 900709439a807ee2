/*
 * Products of two sparse matrices, row by row (Gustavson 1978), on the terms of kernels.h.
 * First the pattern of the result, then its values: only the latter know of semirings.
 * A row of the result is a warp's, a block's or that of many blocks, by its work: how many
 * products it sums (Nagasaka, Nukada, Matsuoka, "High-Performance and Memory-Saving Sparse
 * General Matrix-Matrix Multiplication for NVIDIA Pascal GPU", ICPP 2017).
 */
#ifndef SEMLA_CUDA_SPGEMM_KERNELS_H
#define SEMLA_CUDA_SPGEMM_KERNELS_H

#include "product_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A and B. The products are numbered in the order of A's entries. */
typedef struct {
    uint64_t nrows, ncols; /* of the result */
    uint64_t a_nnz;
    const uint64_t *a_start, *b_start;
    const uint32_t *a_index, *b_index;
    const uint64_t *ends; /* of each entry of A: how many products there are up to its last */
    unsigned multiprocessors;
} cuda_factors;

/* lengths[e]: of the row of B that entry e of A meets. Their sums are `ends`. */
cudaError_t sl_cuda_product_lengths(uint64_t *lengths, const cuda_factors *f, cudaStream_t stream);

/* *longest becomes the greatest row's length, if that is more. */
cudaError_t sl_cuda_longest_row(unsigned long long *longest, const uint64_t *start, uint64_t nrows,
                                unsigned multiprocessors, cudaStream_t stream);

/* Who does a row of the result. */
typedef enum {
    CUDA_ROW_HALF,   /* up to 16 products: half a warp */
    CUDA_ROW_WARP,   /* up to 32 products */
    CUDA_ROW_FEW,    /* up to HASH_FEW: a small block with a hash table */
    CUDA_ROW_HASH,   /* up to HASH_MANY: a block with a hash table */
    CUDA_ROW_BITMAP, /* a block with a bitmap of all columns */
    CUDA_ROW_GIANT,  /* many blocks */
    CUDA_ROW_KINDS
} cuda_row_kind;
typedef struct {
    unsigned long long rows[CUDA_ROW_KINDS];
} cuda_row_counts;

/* Which rows are of which kind: for the pattern by their products, for the values, where
 * there is a c_start, by the entries of the result too. Those without any are of none.
 * counts: 0 before; then how many are of each kind. list: all rows by kind, or NULL;
 * the kinds then begin at `first`. */
cudaError_t sl_cuda_sort_rows(uint32_t *list, cuda_row_counts *counts, const cuda_row_counts *first,
                              const cuda_factors *f, const uint64_t *c_start, cudaStream_t stream);

/* The result's columns that a mask lets through: those it has, or has not if complement. */
typedef struct {
    cuda_factors f;
    const uint64_t *mask_start; /* NULL: all */
    const uint32_t *mask_index;
    const bool *truth; /* of the mask's entries; NULL: all */
    bool complement;
    uint64_t *counts; /* entries of each row; or NULL */
    uint32_t *to;     /* columns, ascending; or NULL */
    const uint64_t
        *new_id; /* where in `to` each row begins; NULL: at the number of its first product */
} cuda_pattern;

/* The rows of a list, all of one kind but CUDA_ROW_GIANT. */
cudaError_t sl_cuda_pattern(const cuda_pattern *t, cuda_row_kind kind, const uint32_t *list,
                            uint64_t count, cudaStream_t stream);

/* Tiles of GIANT_TILE products of each row of a list; their sums are `ends` below. */
cudaError_t sl_cuda_giant_tiles(uint64_t *tiles, const cuda_factors *f, const uint32_t *list,
                                uint64_t count, cudaStream_t stream);

/* Giant rows: list[first .. first + count) with a bitmap each, all 0 before. */
typedef struct {
    const uint32_t *list;
    const uint64_t *ends; /* of the tiles of list[0 .. first + count) */
    uint64_t first, count, words;
    void *tables; /* count x words: uint32_t of a pattern, two for values */
} cuda_giants;
cudaError_t sl_cuda_giant_pattern(const cuda_pattern *t, const cuda_giants *g, cudaStream_t stream);

/* Rows from where a pattern was written at first to where c_start has them. */
cudaError_t sl_cuda_gather_rows(uint32_t *to, const uint64_t *c_start, const uint32_t *from,
                                const cuda_factors *f, uint64_t nnz, cudaStream_t stream);

/* c_values(i, j) = sum over k of A(i, k) (x) B(k, j) for the entries of a known pattern.
 * p: type, kind, add, multiply, any, identity; values: A's, u_values: B's. */
typedef struct {
    cuda_factors f;
    cuda_product p;
    bool inner_position, row_position; /* a positional product is k, or i; else j */
    const uint64_t *c_start;
    const uint32_t *c_index;
    void *c_values; /* of giant rows: identities before, save for `any` */
} cuda_sums;
cudaError_t sl_cuda_sums(const cuda_sums *s, cuda_row_kind kind, const uint32_t *list,
                         uint64_t count, cudaStream_t stream);
cudaError_t sl_cuda_giant_sums(const cuda_sums *s, const cuda_giants *g, cudaStream_t stream);

/* True if kernels were compiled ahead for the semiring of p. */
bool sl_cuda_mxm_is_precompiled(const cuda_product *p);

/*
 * t(i, j) = sum over k of A(i, k) (x) B(j, k) for the entries of a mask: dot products of
 * rows. found[e] tells whether there was a term. p: type, kind, add, multiply, ends, any,
 * terminal; values: A's, u_values: B's; matrix_first. inner_position: the product is k;
 * else, where it is positional, row_position tells i from j.
 */
typedef struct {
    cuda_product p;
    uint64_t nrows, nnz; /* of the mask */
    const uint64_t *start, *a_start, *b_start;
    const uint32_t *index, *a_index, *b_index;
    const bool *truth; /* of the mask's entries; NULL: all */
    bool inner_position, row_position;
    void *values;
    bool *found;
} cuda_dots;
cudaError_t sl_cuda_dot(const cuda_dots *d, cudaStream_t stream);

/* What dot products for the entries of a mask would look at: the shorter of each pair of
 * rows, one of A and one of B's transpose (b_start NULL: that of A). *looks is 0 before. */
cudaError_t sl_cuda_count_dots(unsigned long long *looks, const uint64_t *start,
                               const uint32_t *index, uint64_t nnz, uint64_t nrows,
                               const uint64_t *a_start, const uint64_t *b_start,
                               unsigned multiprocessors, cudaStream_t stream);

/* The rows of a matrix that have entries: how many, which, how many of them stand before
 * each row, and where each begins and the last ends, in 32 bits. */
typedef struct {
    uint64_t count;
    uint32_t *list, *before, *start; /* room for nrows, nrows + 1, nrows + 1 */
} cuda_packed_rows;
/* 1 for each of them; of which the sums are `there`. */
cudaError_t sl_cuda_rows_not_empty(uint64_t *there, const uint64_t *start, uint64_t nrows,
                                   unsigned multiprocessors, cudaStream_t stream);
cudaError_t sl_cuda_pack_rows(const cuda_packed_rows *to, const uint64_t *there,
                              const uint64_t *start, uint64_t nrows, unsigned multiprocessors,
                              cudaStream_t stream);

/* A pattern whose rows have the same `width` columns, or none. */
typedef struct {
    uint64_t *start;
    uint32_t *index;
    uint64_t nrows, nnz, width;
    const uint32_t *before;  /* how many rows that have entries come before; NULL: all have */
    const uint32_t *columns; /* NULL: 0, 1, 2, ... */
} cuda_full_shape;
cudaError_t sl_cuda_full_pattern(const cuda_full_shape *f, unsigned multiprocessors,
                                 cudaStream_t stream);

/* to: a dense matrix of rows x columns, row by row, turned. size: bytes of a value. */
cudaError_t sl_cuda_turn_dense(void *to, const void *from, uint64_t rows, uint64_t columns,
                               size_t size, unsigned multiprocessors, cudaStream_t stream);

/*
 * The product with a B all of whose entries are there: a warp or less to a row of A, its
 * lanes to columns and to entries. c_start is as of a result that has all entries
 * in each row where A has any.
 */
/* pieces: room for 2 x a_nnz / SPMM_PIECE + 1; piece_count: 0 before. */
cudaError_t sl_cuda_full_sums(const cuda_sums *s, cuda_piece *pieces,
                              unsigned long long *piece_count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
