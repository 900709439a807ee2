/* Private to the CUDA engine: what operations on matrices have in common. */
#ifndef SEMLA_CUDA_ROWS_H
#define SEMLA_CUDA_ROWS_H

#include "matrix_kernels.h"
#include "sorting.h"
#include "working.h"

/* A matrix under way: arrays of an object, which are only read, or of the scratch. */
typedef struct {
    sl_type type;
    uint64_t nrows, nnz;
    uint64_t *start;
    uint32_t *index;
    void *values; /* NULL: all 1 */
} cuda_rows;

/* An object's rows, or those of its transpose. */
sl_status sl_cuda_rows_of(cuda_rows *rows, sl_object *object, bool transposed);

/* The transpose of A, which is computed on first use and kept with A (transposed.c). */
sl_status sl_cuda_transposed(cuda_matrix **At, const sl_object *object, cuda_matrix *A);

/* The values in another type; none stay none. */
sl_status sl_cuda_rows_cast(cuda_scratch *s, cuda_rows *rows, sl_type type);
/* Sees that there are values. */
sl_status sl_cuda_rows_fill(cuda_scratch *s, cuda_rows *rows);

/* partner[e]: where entry e of A is in B. */
sl_status sl_cuda_rows_match(cuda_scratch *s, uint64_t **partner, const cuda_rows *A,
                             const cuda_rows *B);
/* The entries of `from` that keep (1 or 0 for each) says; it is used up. */
sl_status sl_cuda_rows_filter(cuda_scratch *s, cuda_rows *to, const cuda_rows *from,
                              uint64_t *keep);
/* A's entries and those of B where A has none; both of one type. */
sl_status sl_cuda_rows_unite(cuda_scratch *s, cuda_rows *to, const cuda_rows *A,
                             const cuda_rows *B);

/* z = op(A, B) of A's entries, unspecified where B has none (partner): of op->result. */
sl_status sl_cuda_rows_combine(cuda_scratch *s, void **z, sl_binary_op op, const cuda_rows *A,
                               const cuda_rows *B, const uint64_t *partner);

/* out<mask, replace> = out accum T. */
sl_status sl_cuda_rows_finish(cuda_scratch *s, const cuda_rows *T);
/* The same without an accumulator: out<mask, replace> = Z. */
sl_status sl_cuda_rows_write(cuda_scratch *s, const cuda_rows *Z);
/* out = Z, of out's type: the last of a call, which may give its arrays away. */
sl_status sl_cuda_rows_install(cuda_scratch *s, const cuda_rows *Z);

/* The mask's entries, with values of bool where these count; none if there is no mask. */
sl_status sl_cuda_rows_mask(cuda_scratch *s, cuda_rows *mask);

/* Terms become their sums, and *sum the last of these: waits. */
sl_status sl_cuda_sum(cuda_scratch *s, uint64_t *sum, uint64_t *terms, uint64_t count);

#endif
