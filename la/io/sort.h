#ifndef SEMLA_IO_SORT_H
#define SEMLA_IO_SORT_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* 8 bytes of any type, moved without being looked at. */
typedef uint64_t __attribute__((may_alias)) word;

/* Keys and the words that go with them; `values` is NULL where there are none. */
typedef struct {
    uint64_t *keys;
    word *values;
} records;

/*
 * Sorts n records by the low `bits` bits of their keys (which have no others):
 * least significant digit first, stable. Returns the one of `data` and
 * `scratch`, of the same room, that holds the result; the other's contents are lost.
 */
records sort_records(records data, records scratch, uint64_t n, unsigned bits);

#pragma GCC visibility pop
#endif
