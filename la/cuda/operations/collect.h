/* Private to the CUDA engine: the entries that a model's tuples stand for, by rows. */
#ifndef SEMLA_CUDA_COLLECT_H
#define SEMLA_CUDA_COLLECT_H

#include "matrix.h"
#include "sorting.h"
#include "tuple_kernels.h"

/*
 * Makes all tuples once for each stretch of rows and keeps those of the stretch: what a
 * whole graph takes would be several times the matrix, a stretch takes what there is.
 */
typedef struct {
    sl_context *ctx;
    const sl_tuple_source *source;
    cuda_numbers rows, cols; /* which of the entries */
    uint64_t room;           /* keys that fit into each of the two: */
    uint64_t *keys, *other;
    cuda_arena arena;
    unsigned long long *counted;
} cuda_collector;

/* The most entries that the tuples stand for. */
uint64_t sl_cuda_most_entries(const sl_tuple_source *source);

/* Bits of a number below `values`, at least one. */
unsigned sl_cuda_bits_for(uint64_t values);

/* Takes as much of the device's memory as is of use, but for `leave` bytes. */
sl_status sl_cuda_collect_open(cuda_collector *c, uint64_t leave);
void sl_cuda_collect_close(cuda_collector *c);

/*
 * The entries of rows [first, *last), each once, sorted by row and column, as keys of
 * `bits` for the column: *sorted, valid until the next call. Where the room is too small
 * for all of them *last is brought down. SL_NO_MEMORY if it is for one row.
 */
sl_status sl_cuda_collect(cuda_collector *c, uint32_t first, uint32_t *last, unsigned bits,
                          uint64_t **sorted, uint64_t *count);

#endif
