/* Sets of vertices of one block, as searches pass them to codecs. For dist/. */
#ifndef SEMLA_DIST_IDS_H
#define SEMLA_DIST_IDS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A set of `count` distinct ids below `limit` (at most 2^32): a list, or, if `list` is NULL, a
 * bitmap in which id v is bit v % 64 of word v / 64. The arrays are borrowed.
 */
typedef struct {
    uint64_t limit, count;
    uint32_t *list;
    bool sorted; /* the list ascends */
    const uint64_t *bits;
} sl_ids;

static inline uint64_t sl_bits_words(uint64_t limit)
{
    return (limit + 63) / 64;
}

static inline bool sl_bit_test(const uint64_t *bits, uint64_t v)
{
    return bits[v / 64] >> (v % 64) & 1;
}

static inline void sl_bit_set(uint64_t *bits, uint64_t v)
{
    bits[v / 64] |= (uint64_t)1 << (v % 64);
}

uint64_t sl_bits_count(const uint64_t *bits, uint64_t words);

/* Writes the ids of a bitmap in ascending order; returns their number. */
uint64_t sl_bits_list(uint32_t *list, const uint64_t *bits, uint64_t words);

#endif
