/* Kernels that cut blocks of matrices and join parts (kernels.h has the conventions). */
#ifndef SEMLA_CUDA_GRID_MATRIX_KERNELS_H
#define SEMLA_CUDA_GRID_MATRIX_KERNELS_H

#include <semla/distribution.h>

#include "cuda/runtime/kernels.h"

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

/* Which rows of the result a part's rows are: row k is first[b] + k - begin[b], for the last b with
 * begin[b] <= k. */
typedef struct {
    uint32_t count; /* 0: the same */
    const uint64_t *begin, *first;
} cuda_row_map;

/* The columns begin to end - 1 of each row: their number, and the first entry in A. */
cudaError_t sl_cuda_measure_columns(uint64_t *length, uint64_t *first, const cuda_part *A,
                                    uint64_t begin, uint64_t end);
/* Entries that kernels write; values of `size` bytes. values NULL: without values. */
typedef struct {
    uint32_t *index;
    void *values;
    size_t size;
} cuda_part_entries;
/* Copies these columns, less `begin`, and their values, to `nnz` entries in rows that begin at to_start. */
cudaError_t sl_cuda_cut_columns(const cuda_part_entries *to, const uint64_t *to_start, uint64_t nnz,
                                const uint64_t *first, const cuda_part *A, uint64_t begin);

/* row[p], for p = 0 ... pieces: the first row before which there are at least p / pieces of all entries and rows. */
cudaError_t sl_cuda_divide_rows(uint64_t *row, const cuda_part *A, uint64_t pieces);

/* Adds the length of each row of the part to that of the result's row. */
cudaError_t sl_cuda_add_lengths(uint64_t *lengths, const cuda_part *part, const cuda_row_map *map);
/* Copies a part, with columns increased by `shift`, to rows of the result, of which row i goes on at next[i]. Values
 * that the part lacks are `one`. */
cudaError_t sl_cuda_join_part(const cuda_part_entries *to, const uint64_t *next,
                              const cuda_part *part, const cuda_row_map *map, uint32_t shift,
                              uint64_t one);

/* to[k] = the index of the whole matrix that has local index from[k] in `blocks`. */
cudaError_t sl_cuda_global_columns(uint32_t *to, const uint32_t *from, uint64_t count,
                                   const sl_local_blocks *blocks);

/* values[e] = what `map` gives the row, or the column, of entry e. */
cudaError_t sl_cuda_write_indices(int64_t *values, const cuda_part *A, bool of_rows,
                                  const cuda_row_map *map);

#ifdef __cplusplus
}
#endif
#endif
