/* Facts about the rows of a matrix that products need. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_ROW_FACTS_H
#define SEMLA_CUDA_ROW_FACTS_H

#include "cuda/data/device_matrix.h"
#include "cuda/operations/vector_result.h"

typedef struct {
    uint64_t with_entries; /* rows that have some */
    uint64_t longest;      /* entries of the longest row */
} cuda_row_facts;

/* The facts about M, or NULL if they have not been found yet. */
const cuda_row_facts *sl_cuda_row_facts(const cuda_matrix *M);
/* Finds them, in O(rows), and waits for the device. M has `rows` rows. */
sl_status sl_cuda_find_row_facts(const cuda_row_facts **facts, cuda_scratch *s, cuda_matrix *M,
                                 uint64_t rows);
/* *first: the first row of each tile (product_kernels.h). */
sl_status sl_cuda_find_row_tiles(const uint32_t **first, cuda_scratch *s, cuda_matrix *M,
                                 uint64_t rows);

#endif
