/*
 * Private to the CUDA engine: matrices made of a model's tuples. One that is a process's piece
 * remembers what it was made of: searches of several processes make their parts of that anew,
 * and where the device has no room for both, the piece is not there until somebody asks for it.
 */
#ifndef SEMLA_CUDA_MODEL_H
#define SEMLA_CUDA_MODEL_H

#include "collect.h"

typedef struct cuda_model {
    sl_tuple_source source;
    uint64_t rows[2]; /* from rows[0] on and before rows[1] */
    uint64_t ranges;  /* of columns */
    uint64_t cols[];  /* two for each */
} cuda_model;

/* A's rows 0 to n - 1, by the collector's numbers, which has about `expected` keys of them:
 * A->start and A->nnz, and A->index if with_columns. Where A has none yet, it gets room for
 * `most` entries, or for just as many as there are if all come at once. */
sl_status sl_cuda_fill_rows(cuda_collector *c, cuda_matrix *A, uint32_t n, uint64_t expected,
                            uint64_t most, bool with_columns);

/* A new matrix without room for columns. */
sl_status sl_cuda_new_rows(cuda_matrix **made, const sl_object *object);

/* The piece that a call of GENERATE asks for by rows and cols: there, or remembered alone. */
sl_status sl_cuda_make_piece(cuda_matrix **made, const sl_call *call);
/* Another of the same that is remembered alone. */
sl_status sl_cuda_copy_model(cuda_matrix **made, const sl_object *object, const cuda_matrix *from);
/* Of one that is remembered alone: makes it, for as long as the caller needs it. */
sl_status sl_cuda_remake(cuda_matrix **made, const sl_object *object, const cuda_matrix *A);
/* Sees that A->nnz is known. */
sl_status sl_cuda_count_model(const sl_object *object, cuda_matrix *A);

#endif
