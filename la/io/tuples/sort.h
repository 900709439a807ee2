/* Stable radix sort of 64-bit keys with optional 8-byte values. */
#ifndef SEMLA_IO_SORT_H
#define SEMLA_IO_SORT_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* 8 bytes of any type; only copied, never interpreted. */
typedef uint64_t __attribute__((may_alias)) word;

/* Keys and their values; `values` is NULL if there are none. */
typedef struct {
    uint64_t *keys;
    word *values;
} records;

/*
 * Sorts n records by the low `bits` bits of their keys; all other bits must be 0. Least significant
 * digit first, stable. `data` and `scratch` have the same capacity; returns the one of them that
 * holds the result; the contents of the other are undefined.
 */
records sort_records(records data, records scratch, uint64_t n, unsigned bits);

#pragma GCC visibility pop
#endif
