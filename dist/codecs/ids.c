/* Sets of vertices of one block, as lists and as bitmaps: conversion. */
#include "dist/codecs/ids.h"

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
