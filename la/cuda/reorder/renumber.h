/* Private to the CUDA engine: a matrix's rows in a new order, made piece by piece. */
#ifndef SEMLA_CUDA_RENUMBER_H
#define SEMLA_CUDA_RENUMBER_H

#include "generator.h"
#include "matrix.h"

/*
 * Entries are keys, (row - first) << bits | neighbour, which are sorted: a piece has so many whole
 * rows that the scratch for it is bounded.
 */
typedef struct {
    sl_context *ctx;
    uint32_t rows;         /* of the new order */
    const uint64_t *start; /* rows + 1: where they begin */
    const uint64_t *whole; /* the same with entries that are left out; or NULL: none is */
    uint64_t room;         /* entries of a piece: no row may have more */
    unsigned bits;         /* of a neighbour's number */
    void *of;              /* for the two */
    /* The keys of rows [first, last), of which there are `count`, in any order; those left out
     * have keys that come behind all others. */
    sl_status (*fill)(void *of, uint64_t *keys, uint32_t first, uint32_t last, uint64_t count);
    /* Sorted keys of the entries from `at` on. */
    sl_status (*put)(void *of, uint64_t at, const uint64_t *keys, uint64_t count, unsigned bits);
} cuda_renumbering;

/* All rows by fill and put. */
sl_status sl_cuda_renumber(const cuda_renumbering *r);
/* By the collector, which is opened with all that is free, and put; fill and room are not
 * needed. SL_ENGINE_FAULT if it does not have as many entries as `start` says. */
sl_status sl_cuda_recollect(const cuda_renumbering *r, cuda_generator *c);

#endif
