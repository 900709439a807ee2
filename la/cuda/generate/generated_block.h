/*
 * Private to the CUDA engine: matrices that are one process's block of a generated graph.
 * A block keeps the description from which it was generated. A search by several devices generates
 * the entries of its partition again from it. If the device has no room for both, a block without
 * weights consists of the description alone until its entries are needed. A block with
 * weights has its entries until rows are sorted for shortest paths, which do not read it afterwards.
 */
#ifndef SEMLA_CUDA_GENERATED_BLOCK_H
#define SEMLA_CUDA_GENERATED_BLOCK_H

#include "cuda/data/device_matrix.h"
#include "cuda/operations/generator.h"

typedef struct cuda_generated_block {
    sl_edge_generator source;
    uint64_t rows[2]; /* rows rows[0] to rows[1] - 1 */
    uint64_t ranges;  /* number of ranges of columns */
    uint64_t cols[];  /* first column and end of each range */
} cuda_generated_block;

extern const cuda_derived_kind sl_cuda_generated_kind;

/* The description that a matrix was generated from, or NULL. */
static inline const cuda_generated_block *cuda_generated_of(const cuda_matrix *A)
{
    return cuda_find_derived(A->derived, &sl_cuda_generated_kind);
}

/*
 * Generates the rows 0 to n - 1 (numbers of the generator) of A: A->start and A->nnz, and A->index
 * if with_columns. expected: estimated number of keys. If A->index is NULL it is allocated for
 * `max_entries` entries, or for exactly as many as there are if one range of rows has them all.
 */
sl_status sl_cuda_fill_rows(cuda_generator *c, cuda_matrix *A, uint32_t n, uint64_t expected,
                            uint64_t max_entries, bool with_columns);

/* Moves the columns of A, which has room for `room` of them, to memory of their size, if there is room
 * for a copy. Columns that were not allocated, as there are no rows, are then. */
sl_status sl_cuda_shrink_columns(sl_context *ctx, cuda_matrix *A, uint64_t room);

/* Gives A, filled by sl_cuda_fill_rows with columns, its values: the least weight of each entry's
 * edges. The generator may be closed. */
sl_status sl_cuda_add_weights(const cuda_generator *c, cuda_matrix *A);

/* A new matrix without memory for columns. */
sl_status sl_cuda_new_rows(cuda_matrix **made, const sl_object *object);

/* The block that a GENERATE call describes by rows and cols: with entries, or the description
 * alone. SL_NO_MEMORY, before its entries are allocated: the device has no room for them. */
sl_status sl_cuda_generate_block(cuda_matrix **made, const sl_call *call);
/* Whether the device has room for a block and for a graph of the same size in both orders, which a search needs, and
 * for vectors. */
bool sl_cuda_fits_with_search(const cuda_generated_block *m);
/* Frees the entries of a generated block. The block then consists of the description alone, and keeps what was derived
 * from the entries. */
void sl_cuda_keep_description(cuda_matrix *A);
/* Generates the entries of a matrix that consists of the description alone, as a new matrix that the caller frees. */
sl_status sl_cuda_regenerate(cuda_matrix **made, const sl_object *object, const cuda_matrix *A);
/* Whether A consists of the description alone, and the device has room for its entries. */
bool sl_cuda_has_room_for_entries(const cuda_matrix *A);
/* Gives A, which consists of the description alone, its entries. On failure it stays as it is. */
sl_status sl_cuda_generate_entries(const sl_object *object, cuda_matrix *A);
/* Makes A->nnz known. */
sl_status sl_cuda_count_generated_block(const sl_object *object, cuda_matrix *A);

#endif
