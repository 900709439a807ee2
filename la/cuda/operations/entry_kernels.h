/*
 * Kernels that make matrices from keys, index lists and slices (as kernels.h). A matrix is start,
 * index and values, as in matrix_kernels.h. The key of an entry is (row << shift) | column, so keys
 * ascend in the order of entries.
 */
#ifndef SEMLA_CUDA_ENTRY_KERNELS_H
#define SEMLA_CUDA_ENTRY_KERNELS_H

#include "cuda/data/order_kernels.h"
#include "cuda/operations/matrix_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- keys (keys.cu) ------------------------------------------------------------- */

/* key[k] of entry (rows[k], cols[k]). For a vector, cols is NULL and shift is 0. */
cudaError_t sl_cuda_keys(uint64_t *key, const uint64_t *rows, const uint64_t *cols, unsigned shift,
                         uint64_t count);

/* Numbers of keys that are below, or equal to, the key before them; zeroed by the caller. */
typedef struct {
    unsigned long long below, equal;
} cuda_order;
cudaError_t sl_cuda_order(cuda_order *order, const uint64_t *key, uint64_t count);

/* Sorts keys of `bits` bits; stable. origin[k]: position of sorted[k] in key. */
cudaError_t sl_cuda_sort_scratch(size_t *bytes, uint64_t count, int bits);
cudaError_t sl_cuda_sort(uint64_t *sorted, uint64_t *origin, const uint64_t *key, uint64_t count,
                         int bits, void *scratch, size_t scratch_bytes);

/* Row starts and column indices of sorted keys. */
cudaError_t sl_cuda_key_rows(uint64_t *start, uint32_t *index, const uint64_t *key, unsigned shift,
                             uint64_t count, uint64_t nrows);

/* to[k] = 1 if key[k] differs from key[k - 1], else 0. */
cudaError_t sl_cuda_heads(uint64_t *to, const uint64_t *key, uint64_t count);

/* to[k] = from[origin[k]]. */
cudaError_t sl_cuda_gather_keys(uint64_t *to, const uint64_t *from, const uint64_t *origin,
                                uint64_t count);

/* Combines equal keys, which are adjacent. ends: inclusive sums of sl_cuda_heads. */
typedef struct {
    uint64_t count, heads;
    const uint64_t *key, *ends;
    const void *values;
    uint64_t *first; /* heads + 1: position of each distinct key; the last is count */
    uint64_t *to_key;
    void *to_values;
    cuda_kind kind;   /* of the operator */
    int code;         /* sl_binary_code */
    bool associative; /* the operator's terms may be grouped in any way */
    cuda_compiled made;
} cuda_join_keys;
/* Sets first and to_key. */
cudaError_t sl_cuda_list_heads(const cuda_join_keys *j);
/* Sets to_values; terms are combined in the order of equal keys (join.cu). */
cudaError_t sl_cuda_join(const cuda_join_keys *j, sl_type type);

/* ---- submatrices (submatrix.cu) ----------------------------------------------------- */

/* to[k] = begin + k step. */
cudaError_t sl_cuda_range(uint64_t *to, uint64_t begin, uint64_t step, uint64_t count);

/* Sets the bits of a list; bits are 0 before. */
cudaError_t sl_cuda_mark(uint32_t *bits, const uint64_t *list, uint64_t count);

/* Lengths of the rows in a list (NULL: all rows). */
cudaError_t sl_cuda_listed_lengths(uint64_t *to, const uint64_t *start, const uint64_t *list,
                                   uint64_t count);

/* The positions in the matrix of the entries of the rows in a list (NULL: all), row after row.
 * ends: inclusive sums of the rows' lengths. */
cudaError_t sl_cuda_listed_entries(uint64_t *entry, const uint64_t *start, const uint64_t *list,
                                   const uint64_t *ends, uint64_t rows, uint64_t count);

/* place[list[k]] = k for a list of `count` items; then *repeats = 1 if the list has an item twice. */
cudaError_t sl_cuda_invert_list(uint32_t *place, unsigned *repeats, const uint64_t *list,
                                uint64_t count);

/* times[k]: how often the column of entry[k] occurs in a sorted list. */
cudaError_t sl_cuda_occurrences(uint64_t *times, const uint64_t *entry, const uint32_t *index,
                                const uint64_t *sorted, uint64_t length, uint64_t count);

/* The keys of the `made` entries of a submatrix and, unless `origin` is NULL, their positions in the
 * matrix. The rows in the row list (NULL: all) have `count` entries. */
typedef struct {
    uint64_t made, count, rows, length;
    const uint64_t *start, *row_list;
    const uint64_t *row_ends; /* inclusive sums of the listed rows' lengths */
    const uint64_t *entry;    /* of the listed entries; NULL: found by row_ends */
    const uint64_t *times;    /* inclusive sums of the occurrences; NULL: each column occurs once */
    const uint32_t *place;    /* if times is NULL: the new column of each column; NULL: the same */
    /* sorted column list, and each item's position in the unsorted list (NULL: the same) */
    const uint64_t *sorted, *position;
    const uint32_t *index;
    unsigned shift;
    bool by_columns; /* the keys are those of the transposed submatrix */
    uint64_t *key, *origin;
} cuda_submatrix;
cudaError_t sl_cuda_submatrix(const cuda_submatrix *m);

/* The key of entry (i, j) as (rows[i], cols[j]); a NULL list keeps the index. */
cudaError_t sl_cuda_moved_keys(uint64_t *key, const cuda_matrix_rows *from, const uint64_t *rows,
                               const uint64_t *cols, unsigned shift);

/* Keeps entries with both row and column bits set (NULL: all are); if `outside`, entries where one of them is not. If
 * truth is not NULL, only entries e where truth[e]. */
cudaError_t sl_cuda_keep_region(const cuda_kept *kept, const cuda_matrix_rows *from,
                                const bool *truth, const uint32_t *rows, const uint32_t *cols,
                                bool outside);

/* The full block of some rows and some columns, sorted lists (NULL: all). */
cudaError_t sl_cuda_block(uint64_t *start, uint32_t *index, const uint64_t *rows,
                          uint64_t row_count, const uint64_t *cols, uint64_t col_count,
                          uint64_t nrows);

/* Keeps entries with row < nrows and column < ncols. rows: of the matrix. */
cudaError_t sl_cuda_keep_corner(const cuda_kept *kept, const uint64_t *start, const uint32_t *index,
                                uint64_t nrows, uint64_t ncols, uint64_t nnz, uint64_t rows);

/* ---- slices and single entries (slices.cu) --------------------------------------------- */

/* A row, column or diagonal of a matrix: element i is (row + i row_step, col + i col_step). */
typedef struct {
    uint64_t row, col;
    unsigned row_step, col_step;
} cuda_slice;

/* The n elements of a slice as a vector; writes all bits. size: bytes of a value. values NULL:
 * every value is `one` (host). */
cudaError_t sl_cuda_slice_of(uint32_t *bits, void *to, cuda_slice slice, uint64_t n,
                             const cuda_matrix_rows *from, const void *one);

/* The keys of elements of a slice. */
cudaError_t sl_cuda_slice_keys(uint64_t *key, cuda_slice slice, const uint64_t *element,
                               unsigned shift, uint64_t count);

/* Result of a look-up: present is 1 and value begins with the value, or present is 0. */
typedef struct {
    unsigned long long present, value;
} cuda_entry;

/* Entry (row, col) of a matrix, and entry v of a vector, which is in that order; order->new_id NULL: the caller's.
 * values NULL: every value is `one` (host). */
cudaError_t sl_cuda_find(cuda_entry *found, const cuda_matrix_rows *from, const void *one,
                         uint64_t row, uint32_t col);
cudaError_t sl_cuda_find_in_vector(cuda_entry *found, const uint32_t *bits, const void *values,
                                   size_t size, uint64_t v, const cuda_order_view *order);

/* Sets or removes entry v of a vector in such an order; the value is on the host. */
cudaError_t sl_cuda_set_entry(cuda_order_arrays vector, uint64_t v, bool present, const void *value,
                              size_t size, const cuda_order_view *order);

/* ---- the Kronecker product (kronecker.cu) ------------------------------------------------ */

/* For each entry of the Kronecker product of A and B, in order: the entries of A and B that it
 * is made of, and its column; and the starts of the product's rows. */
typedef struct {
    uint64_t a_rows, a_nnz, b_rows, b_cols, b_nnz;
    const uint64_t *a_start, *b_start;
    const uint32_t *a_index, *b_index;
    uint64_t *start;
    uint32_t *index;
    uint64_t *a_entry, *b_entry;
} cuda_kronecker;
cudaError_t sl_cuda_kronecker_entries(const cuda_kronecker *k);

#ifdef __cplusplus
}
#endif
#endif
