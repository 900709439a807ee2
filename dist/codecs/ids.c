/* Sets of vertices of one block, as lists and as bitmaps: conversion and sorting. */
#include "dist/codecs/ids.h"

#include <string.h>

enum { FEW = 48, DIGIT = 11, DIGITS = 1 << DIGIT };

uint64_t sl_bits_count(const uint64_t *bits, uint64_t words)
{
    uint64_t count = 0;
    for (uint64_t w = 0; w < words; w++)
        count += (uint64_t)__builtin_popcountll(bits[w]);
    return count;
}

uint64_t sl_bits_list(uint32_t *list, const uint64_t *bits, uint64_t words)
{
    uint64_t count = 0;
    for (uint64_t w = 0; w < words; w++)
        for (uint64_t left = bits[w]; left; left &= left - 1)
            list[count++] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
    return count;
}

static void sort_few(uint32_t *list, uint64_t count)
{
    for (uint64_t k = 1; k < count; k++) {
        uint32_t id = list[k];
        uint64_t at = k;
        for (; at > 0 && list[at - 1] > id; at--)
            list[at] = list[at - 1];
        list[at] = id;
    }
}

static void sort_digit(uint32_t *to, const uint32_t *from, uint64_t count, unsigned shift)
{
    uint64_t place[DIGITS] = {0}, sum = 0;
    for (uint64_t k = 0; k < count; k++)
        place[from[k] >> shift & (DIGITS - 1)]++;
    for (unsigned d = 0; d < DIGITS; d++) {
        uint64_t here = place[d];
        place[d] = sum;
        sum += here;
    }
    for (uint64_t k = 0; k < count; k++)
        to[place[from[k] >> shift & (DIGITS - 1)]++] = from[k];
}

/* Radix sort with 11-bit digits from the least significant, as many as ids below `limit` have. */
void sl_ids_sort(uint32_t *list, uint64_t count, uint64_t limit, uint32_t *scratch)
{
    if (count <= FEW) {
        sort_few(list, count);
        return;
    }
    uint32_t *from = list, *to = scratch;
    for (unsigned shift = 0; shift < 32 && (limit - 1) >> shift; shift += DIGIT) {
        sort_digit(to, from, count, shift);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != list)
        memcpy(list, from, count * sizeof *list);
}
