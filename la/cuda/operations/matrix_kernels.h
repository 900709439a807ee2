/* Kernels over the entries of matrices (as kernels.h): one thread per entry, which finds its row
 * by binary search in start. A matrix is start, index and `nnz` entries, sorted by row, then
 * column. */
#ifndef SEMLA_CUDA_MATRIX_KERNELS_H
#define SEMLA_CUDA_MATRIX_KERNELS_H

#include "cuda/operations/vector_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUDA_NO_PARTNER UINT64_MAX

/* The rows of a matrix. size: bytes of a value. values NULL: none. */
typedef struct {
    const uint64_t *start;
    const uint32_t *index;
    const void *values;
    size_t size;
    uint64_t nrows, ncols, nnz;
} cuda_matrix_rows;

/* Which entries of a matrix are kept. The kernels that choose them write a bit for each, and the number of bits of each
 * word to `ends`. Inclusive sums then replace these numbers. */
typedef struct {
    uint32_t *bits;
    uint64_t *ends; /* by word of bits */
} cuda_kept;

/*
 * The partner of an entry of A is the entry of B in the same row and column. Keeps the entries that have a partner for
 * which truth holds; the others if complement.
 *
 * truth    a bool for each entry of B; NULL: all true
 * partner  out: the position in B of each entry's partner, or CUDA_NO_PARTNER; NULL: not wanted
 */
typedef struct {
    cuda_matrix_rows A, B;
    const bool *truth;
    bool complement;
    cuda_kept kept;
    uint64_t *partner;
} cuda_match;
cudaError_t sl_cuda_match(const cuda_match *m);

/* Keeps entry e if flag[e]. */
cudaError_t sl_cuda_keep_flagged(const cuda_kept *kept, const bool *flag, uint64_t nnz);

/* Copies the entries that are kept. */
cudaError_t sl_cuda_filter(uint64_t *to_start, uint32_t *to_index, void *to_values,
                           const cuda_kept *kept, const cuda_matrix_rows *from);

/* The entries of A, and the entries of B that `alone` keeps: B's entries without a partner. Values have one size; all
 * three arrays are given, or none. */
typedef struct {
    uint64_t nrows, a_nnz, b_nnz;
    cuda_kept alone;
    const uint64_t *a_start, *b_start;
    const uint32_t *a_index, *b_index;
    const void *a_values, *b_values;
    uint64_t *start;
    uint32_t *index;
    void *values;
} cuda_union;
cudaError_t sl_cuda_unite(const cuda_union *u, size_t size);

/* to[e] = from[partner[e]], or 0 if there is none. */
cudaError_t sl_cuda_gather_partners(void *to, const void *from, const uint64_t *partner,
                                    size_t size, uint64_t nnz);
/* to[partner[e] + the number of kept entries before e] = from[e] where there is a partner. */
cudaError_t sl_cuda_scatter_matched(void *to, const void *from, const uint64_t *partner,
                                    const cuda_kept *kept, size_t size, uint64_t nnz);

/* The row or column index of each entry, as int64 or int32. */
cudaError_t sl_cuda_positions(void *to, sl_type type, bool rows, const uint64_t *start,
                              const uint32_t *index, uint64_t nnz, uint64_t nrows);
/* The result of a positional index operator for each entry, as `result`: int64, int32 or bool; or
 * the result of a compiled kernel, which also reads the values. The thunk is on the host. */
cudaError_t sl_cuda_index_entries(void *to, sl_type result, const cuda_matrix_rows *from, int code,
                                  const void *thunk, const cuda_compiled *made);

/* Bytes of scratch for a transpose that sorts `segment` entries at a time, at most 2^32. */
cudaError_t sl_cuda_transpose_scratch(size_t *bytes, uint64_t ncols, uint64_t nnz,
                                      uint64_t segment);
/* The rows of the transpose. */
cudaError_t sl_cuda_transpose(uint64_t *t_start, uint32_t *t_index, void *t_values,
                              const cuda_matrix_rows *from, uint64_t segment, void *scratch,
                              size_t scratch_bytes);

/* ---- select by columns ---- */

/* Row i keeps its columns below limit + i, or if `last` those from there on; without `diagonal` the
 * limit is the same for all rows. Its absolute value is at most 2^34. */
typedef struct {
    uint64_t nrows;
    const uint64_t *start;
    const uint32_t *index;
    int64_t limit;
    bool diagonal, last;
} cuda_column_range;

/* length[i]: the number of columns that row i keeps. */
cudaError_t sl_cuda_range_lengths(uint64_t *length, const cuda_column_range *r);
/* Copies these entries to rows that begin at to_start. size: bytes of a value. values NULL: none. */
cudaError_t sl_cuda_copy_range(uint32_t *to_index, void *to_values, const uint64_t *to_start,
                               uint64_t nnz, const cuda_column_range *r, const void *values,
                               size_t size);

#ifdef __cplusplus
}
#endif
#endif
