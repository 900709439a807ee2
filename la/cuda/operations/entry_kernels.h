/*
 * Passes that make matrices of keys, lists and lines, and vectors of lines, on the terms
 * of kernels.h. A matrix is start, index and values, as in matrix_kernels.h. The key of
 * an entry is its row, `shift` bits to the left, and its column: keys ascend as entries do.
 */
#ifndef SEMLA_CUDA_ENTRY_KERNELS_H
#define SEMLA_CUDA_ENTRY_KERNELS_H

#include "matrix_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- keys (keys.cu) ------------------------------------------------------------- */

/* key[k] of (rows[k], cols[k]); of a vector cols is NULL and shift 0. */
cudaError_t sl_cuda_keys(uint64_t *key, const uint64_t *rows, const uint64_t *cols, unsigned shift,
                         uint64_t count, unsigned multiprocessors, cudaStream_t stream);

/* How keys stand to the ones before them; set to 0 before. */
typedef struct {
    unsigned long long below, equal;
} cuda_order;
cudaError_t sl_cuda_order(cuda_order *order, const uint64_t *key, uint64_t count,
                          unsigned multiprocessors, cudaStream_t stream);

/* Sorts keys of so many bits, equal ones in their order; new_id[k]: where sorted[k] was. */
cudaError_t sl_cuda_sort_scratch(size_t *bytes, uint64_t count, int bits);
cudaError_t sl_cuda_sort(uint64_t *sorted, uint64_t *new_id, const uint64_t *key, uint64_t count,
                         int bits, void *scratch, size_t scratch_bytes, unsigned multiprocessors,
                         cudaStream_t stream);

/* The rows of sorted keys. */
cudaError_t sl_cuda_key_rows(uint64_t *start, uint32_t *index, const uint64_t *key, unsigned shift,
                             uint64_t count, uint64_t nrows, unsigned multiprocessors,
                             cudaStream_t stream);

/* to[k] = 1 where a key differs from the one before it, else 0. */
cudaError_t sl_cuda_heads(uint64_t *to, const uint64_t *key, uint64_t count,
                          unsigned multiprocessors, cudaStream_t stream);

/* to[k] = from[new_id[k]]. */
cudaError_t sl_cuda_gather_keys(uint64_t *to, const uint64_t *from, const uint64_t *new_id,
                                uint64_t count, unsigned multiprocessors, cudaStream_t stream);

/* Equal keys under way to one each; ends: the sums of heads. */
typedef struct {
    uint64_t count, heads;
    const uint64_t *key, *ends;
    const void *values;
    uint64_t *first; /* of each key, and the end: heads + 1 */
    uint64_t *to_key;
    void *to_values;
    cuda_kind kind;  /* of the operator, and */
    int code;        /* its sl_binary_code */
    bool associates; /* its terms may be joined in any grouping */
    cuda_made made;
} cuda_join_keys;
/* Fills in first and to_key. */
cudaError_t sl_cuda_list_heads(const cuda_join_keys *j, unsigned multiprocessors,
                               cudaStream_t stream);
/* Fills in to_values, in the order of equal keys (join.cu). */
cudaError_t sl_cuda_join(const cuda_join_keys *j, sl_type type, unsigned multiprocessors,
                         cudaStream_t stream);

/* ---- submatrices (submatrix.cu) ----------------------------------------------------- */

/* to[k] = begin + k step. */
cudaError_t sl_cuda_range(uint64_t *to, uint64_t begin, uint64_t step, uint64_t count,
                          unsigned multiprocessors, cudaStream_t stream);

/* Sets the bits of a list; bits is 0 before. */
cudaError_t sl_cuda_mark(uint32_t *bits, const uint64_t *list, uint64_t count,
                         unsigned multiprocessors, cudaStream_t stream);

/* Lengths of the rows of a list (NULL: of all). */
cudaError_t sl_cuda_listed_lengths(uint64_t *to, const uint64_t *start, const uint64_t *list,
                                   uint64_t count, unsigned multiprocessors, cudaStream_t stream);

/* The entries of the rows of a list (NULL: all), one row after the other: where each is
 * in the matrix. ends: of the rows' lengths. */
cudaError_t sl_cuda_listed_entries(uint64_t *entry, const uint64_t *start, const uint64_t *list,
                                   const uint64_t *ends, uint64_t rows, uint64_t count,
                                   unsigned multiprocessors, cudaStream_t stream);

/* How often each entry's column is in a sorted list. */
cudaError_t sl_cuda_occurrences(uint64_t *times, const uint64_t *entry, const uint32_t *index,
                                const uint64_t *sorted, uint64_t length, uint64_t count,
                                unsigned multiprocessors, cudaStream_t stream);

/* The key and the new_id in the matrix of each of the `made` entries of a submatrix, of
 * whose rows `count` entries were listed. */
typedef struct {
    uint64_t made, count, rows, length;
    const uint64_t *entry, *row_ends;  /* of the listed entries */
    const uint64_t *times;             /* sums of their occurrences; NULL: all columns */
    const uint64_t *sorted, *position; /* the columns' list, and where each was; NULL: there */
    const uint32_t *index;
    unsigned shift;
    uint64_t *key, *new_id;
} cuda_submatrix;
cudaError_t sl_cuda_submatrix(const cuda_submatrix *m, unsigned multiprocessors,
                              cudaStream_t stream);

/* The key of entry (i, j) as (rows[i], cols[j]); NULL: itself. */
cudaError_t sl_cuda_moved_keys(uint64_t *key, const uint64_t *start, const uint32_t *index,
                               const uint64_t *rows, const uint64_t *cols, unsigned shift,
                               uint64_t nnz, uint64_t nrows, unsigned multiprocessors,
                               cudaStream_t stream);

/* keep[e] = 1 for entries in rows and columns whose bits are set (NULL: all are), or not
 * there if outside; of them, those where truth (NULL: all) is. */
cudaError_t sl_cuda_keep_region(uint64_t *keep, const uint64_t *start, const uint32_t *index,
                                const bool *truth, const uint32_t *rows, const uint32_t *cols,
                                bool outside, uint64_t nnz, uint64_t nrows,
                                unsigned multiprocessors, cudaStream_t stream);

/* All of some rows times some columns, sorted lists (NULL: all). */
cudaError_t sl_cuda_block(uint64_t *start, uint32_t *index, const uint64_t *rows,
                          uint64_t row_count, const uint64_t *cols, uint64_t col_count,
                          uint64_t nrows, unsigned multiprocessors, cudaStream_t stream);

/* keep[e] = 1 for entries above and to the left of (nrows, ncols); rows: of the matrix. */
cudaError_t sl_cuda_keep_corner(uint64_t *keep, const uint64_t *start, const uint32_t *index,
                                uint64_t nrows, uint64_t ncols, uint64_t nnz, uint64_t rows,
                                unsigned multiprocessors, cudaStream_t stream);

/* ---- lines and single entries (line.cu) ------------------------------------------------ */

/* A row, column or diagonal: element i is (row + i row_step, col + i col_step). */
typedef struct {
    uint64_t row, col;
    unsigned row_step, col_step;
} cuda_line;

/* The line's n elements as a vector; bits are wholly written. size: bytes of a value;
 * values NULL: ones, of which `one` is the first bytes. */
cudaError_t sl_cuda_line_of(uint32_t *bits, void *to, cuda_line line, uint64_t n,
                            const uint64_t *start, const uint32_t *index, const void *values,
                            size_t size, const void *one, unsigned multiprocessors,
                            cudaStream_t stream);

/* The keys of elements of the line. */
cudaError_t sl_cuda_line_keys(uint64_t *key, cuda_line line, const uint64_t *element,
                              unsigned shift, uint64_t count, unsigned multiprocessors,
                              cudaStream_t stream);

/* An entry: 1 and the value's bytes, or 0 where there is none. */
typedef struct {
    unsigned long long present, value;
} cuda_found;

/* Entry (row, col) of a matrix, and v of a vector. size: bytes of a value; values NULL:
 * ones, of which `one` is the first bytes. */
cudaError_t sl_cuda_find(cuda_found *found, const uint64_t *start, const uint32_t *index,
                         const void *values, size_t size, const void *one, uint64_t row,
                         uint32_t col, cudaStream_t stream);
cudaError_t sl_cuda_look(cuda_found *found, const uint32_t *bits, const void *values, size_t size,
                         uint64_t v, cudaStream_t stream);

/* Sets or removes the entry v of a vector; the value is on the host. */
cudaError_t sl_cuda_put(uint32_t *bits, void *values, uint64_t v, bool present, const void *value,
                        size_t size, cudaStream_t stream);

/* ---- the Kronecker product (kronecker.cu) ------------------------------------------------ */

/* Of each entry of the product of A and B, in order: which of each it is made of, and its
 * column; and the product's starts. */
typedef struct {
    uint64_t a_rows, a_nnz, b_rows, b_cols, b_nnz;
    const uint64_t *a_start, *b_start;
    const uint32_t *a_index, *b_index;
    uint64_t *start;
    uint32_t *index;
    uint64_t *a_entry, *b_entry;
} cuda_kronecker;
cudaError_t sl_cuda_kronecker_entries(const cuda_kronecker *k, unsigned multiprocessors,
                                      cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
