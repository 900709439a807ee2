/* Private to the CUDA engine: what operations on matrices share. */
#ifndef SEMLA_CUDA_MATRIX_ROWS_H
#define SEMLA_CUDA_MATRIX_ROWS_H

#include "cuda/operations/mirror_kernels.h"
#include "cuda/operations/vector_result.h"
#include "cuda/runtime/sorting.h"

/* A matrix during an operation. The arrays belong to an object, and are only read, or to the
 * scratch. */
typedef struct {
    sl_type type;
    uint64_t nrows, nnz;
    uint64_t *start;
    uint32_t *index;
    void *values; /* NULL: all 1 */
    bool
        allowed; /* known: the call's mask allows all entries, so that none is left out when they are written */
} cuda_rows;

static inline cuda_matrix_rows sl_cuda_view_rows(const cuda_rows *rows)
{
    return (cuda_matrix_rows){.start = rows->start,
                              .index = rows->index,
                              .values = rows->values,
                              .size = sl_type_size(rows->type),
                              .nrows = rows->nrows,
                              .nnz = rows->nnz};
}

/* A is the matrix of the object, or has the same shape and type. */
static inline cuda_matrix_rows sl_cuda_view_matrix(const sl_object *object, const cuda_matrix *A)
{
    return (cuda_matrix_rows){.start = A->start,
                              .index = A->index,
                              .values = A->values,
                              .size = sl_type_size(object->type),
                              .nrows = object->nrows,
                              .ncols = object->ncols,
                              .nnz = A->nnz};
}

/* The rows of an object, or of its transpose. */
sl_status sl_cuda_rows_of(cuda_rows *rows, sl_object *object, bool transposed);

/* Sets sl_matrix.symmetry of a matrix whose rows are in device memory, unless it is known or the matrix is a block of a
 * grid: before the transpose is made, or an order for it. */
sl_status sl_cuda_find_symmetry(const sl_object *matrix);

/* Sets m->sum: see sl_cuda_mirror_sum. Waits. */
sl_status sl_cuda_add_mirrors(sl_mirrors *m, sl_context *ctx, const cuda_matrix_rows *rows,
                              sl_type type);
/* *have: every entry of a whole matrix has a mirror entry of the same value; values of type fp32 or fp64 are compared
 * as numbers, others by their bytes. Wrong with a probability of 2^-64. Waits. O(entries). */
sl_status sl_cuda_find_mirrors(bool *have, sl_context *ctx, const cuda_matrix_rows *rows,
                               sl_type type);

/* *equals: A has the same entries as its transpose, bit by bit. Entries in pinned memory are not compared: false. */
sl_status sl_cuda_equals_transpose(bool *equals, const sl_object *object, const cuda_matrix *A);

/* The transpose of A, which is A itself or computed on first use and kept with A (transposed.c). */
sl_status sl_cuda_transposed(cuda_matrix **At, const sl_object *object, cuda_matrix *A);
/* The same if it is known, else NULL. */
cuda_matrix *sl_cuda_kept_transposed(const cuda_matrix *A);
/* A matrix with the pattern of the transpose: A itself if its pattern is symmetric. NULL if there is none
 * yet and `make` is false. */
sl_status sl_cuda_transposed_pattern(cuda_matrix **At, const sl_object *object, cuda_matrix *A,
                                     bool make);
/* The rows of the transpose, into arrays of from->ncols + 1 offsets and from->nnz indices and
 * values. If memory is short, it is done in pieces, whose scratch takes half of what is free, or
 * 1.3 MB. O(entries). SL_NO_MEMORY. */
sl_status sl_cuda_transpose_rows(sl_context *ctx, uint64_t *t_start, uint32_t *t_index,
                                 void *t_values, const cuda_matrix_rows *from);

/* Casts the values to another type; without values there is nothing to do. */
sl_status sl_cuda_rows_cast(cuda_scratch *s, cuda_rows *rows, sl_type type);
/* Makes an array of ones if there are no values. */
sl_status sl_cuda_rows_fill(cuda_scratch *s, cuda_rows *rows);

/* Arrays of the scratch for a choice among nnz entries. */
sl_status sl_cuda_take_kept(cuda_scratch *s, cuda_kept *kept, uint64_t nnz);
/* The entries for which flag is true; of flag[from->nnz]. */
sl_status sl_cuda_rows_keep_flagged(cuda_scratch *s, cuda_rows *to, const cuda_rows *from,
                                    const bool *flag);
/* Keeps the entries of A that have a partner in B for which truth (NULL: all) holds; the others if complement.
 * (*partner)[e]: position in B of the partner of A's entry e, or CUDA_NO_PARTNER; partner NULL: not wanted. */
sl_status sl_cuda_rows_keep_matched(cuda_scratch *s, uint64_t **partner, cuda_kept *kept,
                                    const cuda_rows *A, const cuda_rows *B, const bool *truth,
                                    bool complement);
/* The entries of `from` that are kept, by sums that are not made yet. */
sl_status sl_cuda_rows_filter(cuda_scratch *s, cuda_rows *to, const cuda_rows *from,
                              cuda_kept *kept);
/* The entries of A, and the entries of B where A has none; both of one type. */
sl_status sl_cuda_rows_unite(cuda_scratch *s, cuda_rows *to, const cuda_rows *A,
                             const cuda_rows *B);

/* both: the entries of `at` with the values op(x, y), of type op->result: x of an entry and y of its partner in
 * `other`; or the reverse, if other_first. Unspecified where there is no partner. */
sl_status sl_cuda_rows_combine(cuda_scratch *s, cuda_rows *both, sl_binary_op op,
                               const cuda_rows *at, const cuda_rows *other, const uint64_t *partner,
                               bool other_first);
/* The union of A and B with the values op(A, B). a, b: A and B with values of type op->result, for entries that only
 * one of the two has. */
sl_status sl_cuda_rows_add(cuda_scratch *s, cuda_rows *to, sl_binary_op op, const cuda_rows *A,
                           const cuda_rows *B, const cuda_rows *a, const cuda_rows *b);

/* out<mask, replace> = out accum T. */
sl_status sl_cuda_write_rows(cuda_scratch *s, const cuda_rows *T);
/* The same without an accumulator: out<mask, replace> = Z. */
sl_status sl_cuda_write_masked_rows(cuda_scratch *s, const cuda_rows *Z);
/* out = Z, of out's type. The last step of a call: Z's arrays may move to the output. */
sl_status sl_cuda_replace_rows(cuda_scratch *s, const cuda_rows *Z);

/* The entries of the mask, with bool values unless the mask is structural; empty if there is
 * none. */
sl_status sl_cuda_rows_mask(cuda_scratch *s, cuda_rows *mask);

/* If the call's mask allows much fewer entries than `entries`, leaves out the entries of `rows`, of the output's shape,
 * that it does not allow. They have no part in the output, whatever the accumulator. The others are `allowed`. */
sl_status sl_cuda_rows_under_mask(cuda_scratch *s, cuda_rows *rows, uint64_t entries);

/* terms become inclusive sums; *sum is the last. Waits. */
sl_status sl_cuda_sum(cuda_scratch *s, uint64_t *sum, uint64_t *terms, uint64_t count);

#endif
