/* The kernels of predecessors (as kernels.h): see predecessors.cu. */
#ifndef SEMLA_CUDA_PREDECESSORS_KERNELS_H
#define SEMLA_CUDA_PREDECESSORS_KERNELS_H

#include "cuda/paths/relax_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NO_PREDECESSOR UINT32_MAX

/*
 * A matrix of lengths, and values of its rows and columns, in device memory. On one device rows and columns
 * are the vertices; on a grid they are the vertices of a block.
 */
typedef struct {
    sl_type type; /* of the values */
    bool
        narrow; /* the lengths have 32 bits (lengths.h); otherwise they have the type of the values */
    bool equal_too; /* predecessors of equal values are also found */
    uint64_t nrows, ncols, nnz;
    const uint64_t *start;
    const uint32_t *index;
    const void *lengths; /* NULL: every length is 1 */
    /* The rows and columns that have a value; NULL: those whose value is a distance. */
    const uint32_t *from_bits, *to_bits;
    const void *from, *to;
    uint32_t *best; /* [ncols]: the least row, or NO_PREDECESSOR */
    /* The columns sorted by length, none of them negative; only for pulls: */
    const uint64_t *col_start;
    const uint32_t *col_index;
    const void *col_lengths;
    const void *least; /* a value: no row that is not early has a lesser one */
    /* The early rows; NULL: those with lesser values. */
    const uint32_t *early_list;
    const unsigned long long *early_count;
    uint32_t first_row; /* the number of the first row in col_index */
    /* The number in `best` of each number in col_index; NULL: they are the same. */
    const uint32_t *old_id;
    uint32_t *marks; /* NULL, or a bitmap: columns to which early rows may be the best are marked */
    uint64_t source; /* its own predecessor, a number in `best` */
} cuda_predecessors;

/* best: NO_PREDECESSOR, but for `source`, unless that is `n` or more. */
cudaError_t sl_cuda_predecessors_begin(uint32_t *best, uint64_t n, uint64_t source);

/* ---- better values: best is set before ---- */

/* Over all rows, for min_plus of any type. */
cudaError_t sl_cuda_predecessors_by_rows(const cuda_predecessors *p);

/* The same over sorted columns, in three steps, of which an early list, or the source's value as `least`, replaces the
 * first: *least, the least value of the rows that are not early; over the edges of early rows; over
 * the edges of the others, by columns. */
cudaError_t sl_cuda_predecessors_find_least(const cuda_predecessors *p, void *least);
cudaError_t sl_cuda_predecessors_push_early(const cuda_predecessors *p);
cudaError_t sl_cuda_predecessors_pull(const cuda_predecessors *p);

/* ---- equal values: flat edges ---- */

/* missing: the bitmap of `n` columns, at least ncols: those that have a value but no predecessor,
 * other than the source; *number: how many they are, added to it. found: NULL, or the bitmap of the
 * others that have a value. */
cudaError_t sl_cuda_predecessors_missing(const cuda_predecessors *p, uint64_t n, uint32_t *missing,
                                         uint32_t *found, unsigned long long *number);

/* Columns that are missing take the least predecessor of the same value that is not, over sorted
 * columns. missing: a bitmap of the numbers in col_index. found: NULL, or the bitmap of the columns
 * that have got one. */
cudaError_t sl_cuda_predecessors_pull_flat(const cuda_predecessors *p, const uint32_t *missing,
                                           uint32_t *found);

/* Over all levels, from the vertices of x->frontier[0], on one device. x: p.start, p.index,
 * p.values are the rows of the matrix, p.t_values the values; frontier, next_bits and state are
 * scratch. candidate: [n] NO_PREDECESSOR before. */
cudaError_t sl_cuda_predecessors_push_flat(const cuda_predecessors *p, const relax_params *x,
                                           uint32_t *candidate);

/* ---- vectors ---- */

/* The entries of p->best, the source with itself, and the bitmap of the columns that have one.
 * new_id: the column of each entry; NULL: they are in the same order. */
cudaError_t sl_cuda_predecessors_take(const cuda_predecessors *p, cuda_integers values,
                                      uint32_t *bits, const uint32_t *new_id, uint64_t n);

#ifdef __cplusplus
}
#endif
#endif
