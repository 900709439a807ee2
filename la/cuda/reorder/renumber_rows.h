/*
 * Rows in a new order, made in segments. A segment is as many whole rows as the scratch holds; its
 * entries are keys, (row - first) << bits | neighbour, which are sorted and handed to a callback.
 * Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_RENUMBER_ROWS_H
#define SEMLA_CUDA_RENUMBER_ROWS_H

#include "cuda/data/device_matrix.h"
#include "cuda/operations/generator.h"

/* Keys of entries, and a number for each entry, its item; items may be NULL. */
typedef struct {
    uint64_t *keys;
    uint32_t *items;
} cuda_keys_of_rows;

/* What to renumber; all members are the caller's. */
typedef struct {
    sl_context *ctx;
    uint32_t rows;         /* of the new order */
    const uint64_t *start; /* device, rows + 1: offsets of the rows in the result */
    const uint64_t
        *full_start;   /* device: the same with entries that are dropped; NULL: none is dropped */
    uint64_t capacity; /* entries of a segment; no row may have more, unless they are generated */
    unsigned bits;     /* of a neighbour's id */
    bool numbered; /* keys have items: fill writes them, and put gets them beside the sorted keys */
    void *callback_data; /* passed to fill and put */
    /* Writes the `count` keys of rows [first, last), dropped entries included, in any order, and their items.
     * Dropped entries get keys that sort behind all others. */
    sl_status (*fill)(void *data, cuda_keys_of_rows to, uint32_t first, uint32_t last,
                      uint64_t count);
    /* Takes the sorted keys of entries at ... at + count - 1 of the result, and their items. */
    sl_status (*put)(void *data, uint64_t at, cuda_keys_of_rows sorted, uint64_t count,
                     unsigned bits);
} cuda_renumbering;

/* Entries of whole rows that are sorted at once, with so many bytes of scratch each. They take at most half of the
 * memory, unless sl_cuda_least_segment needs more. longest: no row is longer. */
uint64_t sl_cuda_segment(uint64_t nnz, uint64_t longest, uint64_t bytes);
uint64_t sl_cuda_least_segment(uint64_t nnz, uint64_t longest);
/* *last: the end of the rows from `first` on that have at most `most` entries together. found: device scratch. */
sl_status sl_cuda_find_segment(sl_context *ctx, uint32_t *last, const uint64_t *start,
                               uint32_t first, uint32_t rows, uint64_t most, uint32_t *found);
/* Renumbers all rows by fill and put. */
sl_status sl_cuda_renumber(const cuda_renumbering *r);
/* Renumbers all rows with entries that the collector generates, and put; fill is not used.
 * SL_ENGINE_FAULT if it generates another number of entries than `start` says. */
sl_status sl_cuda_recollect(const cuda_renumbering *r, cuda_generator *c);

#endif
