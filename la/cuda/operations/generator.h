/* Private to the CUDA engine: the entries of a generated graph, by ranges of rows. */
#ifndef SEMLA_CUDA_GENERATOR_H
#define SEMLA_CUDA_GENERATOR_H

#include "cuda/data/device_matrix.h"
#include "cuda/operations/tuple_kernels.h"
#include "cuda/runtime/sorting.h"

/* Generates all tuples once for every range of rows, and keeps the tuples of the range. The tuples of a whole graph
 * would take several times the memory of the matrix; a range takes as much scratch as the caller allows. */
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

/* A lower bound for what is refused before it is generated: half of the entries may be duplicates. */
uint64_t sl_cuda_least_generated_entries(const sl_edge_generator *source);

/* Bits of a number below `values`, at least 1. */
unsigned sl_cuda_bits_for(uint64_t values);

/* Keys whose scratch takes so many bytes: each needs two places, and an eighth is left for CUB. */
static inline uint64_t cuda_keys_within(uint64_t bytes)
{
    return bytes / (2 * sizeof(uint64_t)) / 8 * 7;
}

/* Allocates memory for ranges of `most` keys, or for fewer if that suffices for all entries or
 * GENERATE_FREE_BYTES would not stay free; but at least for GENERATE_MIN_KEYS. */
sl_status sl_cuda_generator_open(cuda_generator *c, uint64_t most);
void sl_cuda_generator_close(cuda_generator *c);

/*
 * The entries of rows [first, *last), without duplicates, sorted by row and column, as keys (row -
 * first) << bits | column in *sorted, valid until the next call. *last is reduced if the scratch does
 * not suffice for all rows. It grows for a row that is longer; SL_NO_MEMORY if it cannot.
 */
sl_status sl_cuda_generator_rows(cuda_generator *c, uint32_t first, uint32_t *last, unsigned bits,
                                 uint64_t **sorted, uint64_t *count);

#endif
