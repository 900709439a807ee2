/*
 * Products of two sparse matrices, row by row (Gustavson 1978). As kernels.h.
 * The pattern of the result is computed first, then its values; only the values depend on the
 * semiring. A row is processed by half a warp, a warp, a block or many blocks, depending on its
 * number of products (Nagasaka, Nukada, Matsuoka, "High-Performance and Memory-Saving Sparse
 * General Matrix-Matrix Multiplication for NVIDIA Pascal GPU", ICPP 2017).
 */
#ifndef SEMLA_CUDA_SPGEMM_KERNELS_H
#define SEMLA_CUDA_SPGEMM_KERNELS_H

#include "cuda/products/product_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The factors A and B. Products are numbered in the order of A's entries. */
typedef struct {
    uint64_t nrows, ncols; /* of the result */
    uint64_t a_nnz;
    const uint64_t *a_start, *b_start;
    const uint32_t *a_index, *b_index;
    const uint64_t *ends; /* a_nnz: inclusive sums of the products of each entry of A */
} cuda_factors;

/* lengths[e]: length of the row of B for entry e of A. Their inclusive sums are `ends`. */
cudaError_t sl_cuda_product_lengths(uint64_t *lengths, const cuda_factors *f);

/* *longest = max(*longest, length of the longest row). */
cudaError_t sl_cuda_longest_row(unsigned long long *longest, const uint64_t *start, uint64_t nrows);

/* How a row of the result is processed. */
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

/*
 * Assigns rows to kinds: for the pattern by their number of products; for the values, if c_start is
 * given, also by their entries of the result. Rows without products have no kind. counts (0 before)
 * get the number of each kind. list: the rows sorted by kind, or NULL; each kind begins at `first`.
 */
cudaError_t sl_cuda_sort_rows(uint32_t *list, cuda_row_counts *counts, const cuda_row_counts *first,
                              const cuda_factors *f, const uint64_t *c_start);

/* The pattern of the result, restricted to the mask's entries, or to the others if complement. */
typedef struct {
    cuda_factors f;
    const uint64_t *mask_start; /* NULL: no mask */
    const uint32_t *mask_index;
    const bool *truth; /* of the mask's entries; NULL: all true */
    bool complement;
    uint64_t *counts; /* out: entries of each row; or NULL */
    uint32_t *to;     /* out: columns, ascending; or NULL */
    const uint64_t
        *first; /* where in `to` each row begins; NULL: at the number of its first product */
} cuda_pattern;

/* For the rows in a list, all of one kind other than CUDA_ROW_GIANT. */
cudaError_t sl_cuda_pattern(const cuda_pattern *t, cuda_row_kind kind, const uint32_t *list,
                            uint64_t count);

/* Giant rows list[first ... first + count), with a bitmap each, all 0 before. */
typedef struct {
    const uint32_t *list;
    uint64_t tile;        /* products */
    const uint64_t *ends; /* inclusive sums of the tiles of list[0 ... first + count) */
    uint64_t first, count, words, chunks; /* chunks: of GIANT_WORDS words each */
    void *tables;   /* count x words: uint32_t for a pattern, two for values */
    uint64_t *sums; /* for a pattern: count x chunks */
} cuda_giants;

/* tiles[k]: number of tiles of row g->list[k]. */
cudaError_t sl_cuda_giant_tiles(uint64_t *tiles, const cuda_factors *f, const cuda_giants *g,
                                uint64_t count);

/* Sets the bits of the rows' columns that the mask allows; sums: the number of columns in each chunk. */
cudaError_t sl_cuda_mark_giants(const cuda_pattern *t, const cuda_giants *g);
/* Then, with inclusive sums: writes the counts of the rows and their columns. */
cudaError_t sl_cuda_emit_giants(const cuda_pattern *t, const cuda_giants *g);

/* Moves rows from where the pattern was first written to their places by c_start. */
cudaError_t sl_cuda_gather_rows(uint32_t *to, const uint64_t *c_start, const uint32_t *from,
                                const cuda_factors *f, uint64_t nnz);

/* c_values(i, j) = sum over k of A(i, k) (x) B(k, j) for the entries of a known pattern. p:
 * type, kind, add, multiply, any, identity; values: A's, u_values: B's. */
typedef struct {
    cuda_factors f;
    cuda_product p;
    bool inner_position, row_position; /* a positional product is k, or i; else j */
    const uint64_t *c_start;
    const uint32_t *c_index;
    void *c_values; /* of giant rows: filled with the identity before, except for `any` */
} cuda_sums;
cudaError_t sl_cuda_sums(const cuda_sums *s, cuda_row_kind kind, const uint32_t *list,
                         uint64_t count);
cudaError_t sl_cuda_giant_sums(const cuda_sums *s, const cuda_giants *g);

/* True if kernels are precompiled for the semiring of p. */
bool sl_cuda_mxm_is_precompiled(const cuda_product *p);

/*
 * t(i, j) = sum over k of A(i, k) (x) B(j, k) for the entries of a mask: dot products of rows.
 * found[e]: whether there was a term. p: type, kind, add, multiply, ends, any, terminal,
 * matrix_first; values: A's, u_values: B's. A positional product is k if inner_position, i if
 * row_position, else j.
 */
typedef struct {
    cuda_product p;
    uint64_t nrows, nnz; /* of the mask */
    const uint64_t *start, *a_start, *b_start;
    const uint32_t *index, *a_index, *b_index;
    const bool *truth; /* of the mask's entries; NULL: all true */
    bool inner_position, row_position;
    void *values;
    bool *found;
} cuda_dots;
cudaError_t sl_cuda_dot(const cuda_dots *d);

/* Adds to *examined what dot products for the entries of a mask examine: the shorter of two rows,
 * one of A and one of B's transpose (b_start NULL: only that of A). */
cudaError_t sl_cuda_count_dots(unsigned long long *examined, const uint64_t *start,
                               const uint32_t *index, uint64_t nnz, uint64_t nrows,
                               const uint64_t *a_start, const uint64_t *b_start);

/* The rows of a matrix that have entries: how many, which, how many precede each row, and their
 * starts and the last end, in 32 bits. */
typedef struct {
    uint64_t count;
    uint32_t *list, *before, *start; /* nrows, nrows + 1, nrows + 1 elements */
} cuda_packed_rows;
/* there[r] = 1 if row r has entries, else 0; pack_rows takes the inclusive sums. */
cudaError_t sl_cuda_rows_not_empty(uint64_t *there, const uint64_t *start, uint64_t nrows);
cudaError_t sl_cuda_pack_rows(const cuda_packed_rows *to, const uint64_t *there,
                              const uint64_t *start, uint64_t nrows);

/* A pattern: each row has the same `width` columns, or none. */
typedef struct {
    uint64_t *start;
    uint32_t *index;
    uint64_t nrows, nnz, width;
    /* number of preceding rows that have entries; NULL: all rows have entries */
    const uint32_t *before;
    const uint32_t *columns; /* NULL: 0, 1, 2, ... */
} cuda_full_shape;
cudaError_t sl_cuda_full_pattern(const cuda_full_shape *f);

/* Transposes a dense matrix of rows x columns, stored row by row. size: bytes of a value. */
cudaError_t sl_cuda_transpose_dense(void *to, const void *from, uint64_t rows, uint64_t columns,
                                    size_t size);

/* The product with a full B: a warp or part of it per row of A, its lanes divided among
 * columns and entries. c_start: the row offsets of a result that is full where A has entries in the row. */
/* pieces: 2 x a_nnz / SPMM_PIECE + 1 elements; piece_count: 0 before. */
cudaError_t sl_cuda_full_sums(const cuda_sums *s, cuda_piece *pieces,
                              unsigned long long *piece_count);

#ifdef __cplusplus
}
#endif
#endif
