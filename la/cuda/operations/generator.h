/* Private to the CUDA engine: the entries of a generated graph, by ranges of rows. */
#ifndef SEMLA_CUDA_GENERATOR_H
#define SEMLA_CUDA_GENERATOR_H

#include "matrix.h"
#include "sorting.h"
#include "tuple_kernels.h"

/* Generates all tuples once for every range of rows and keeps those of the range. The tuples of
 * a whole graph would take several times the memory of the matrix; a range takes as much as is
 * free. */
typedef struct {
    sl_context *ctx;
    const sl_edge_generator *source;
    cuda_numbering rows, cols; /* numbering of the rows and columns that are wanted */
    uint64_t room;             /* keys that fit in each of the two arrays */
    uint64_t *keys, *other;
    cuda_arena arena;
    unsigned long long *counted;
} cuda_generator;

/* An upper bound of the number of entries. */
uint64_t sl_cuda_max_generated_entries(const sl_edge_generator *source);

/* Bits of a number below `values`, at least 1. */
unsigned sl_cuda_bits_for(uint64_t values);

/* Allocates as much device memory as is useful, except `leave` bytes. */
sl_status sl_cuda_generator_open(cuda_generator *c, uint64_t leave);
void sl_cuda_generator_close(cuda_generator *c);

/*
 * The entries of rows [first, *last), without duplicates, sorted by row and column, as keys (row -
 * first) << bits | column in *sorted, valid until the next call. *last is reduced if memory does
 * not suffice for all rows; SL_NO_MEMORY if it does not for one.
 */
sl_status sl_cuda_generator_rows(cuda_generator *c, uint32_t first, uint32_t *last, unsigned bits,
                                 uint64_t **sorted, uint64_t *count);

#endif
