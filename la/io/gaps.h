#ifndef SEMLA_IO_GAPS_H
#define SEMLA_IO_GAPS_H

#include <semla/context.h>

#pragma GCC visibility push(hidden)

/*
 * Moves the parts of an array together. Part p has to[p + 1] - to[p] elements, which lie
 * from from[p] on and belong from to[p] on, not behind that. Both have parts + 1
 * elements, the last being where the array ends before and after. False if there is no
 * memory, and then the array's contents are lost.
 */
bool close_gaps(sl_context *ctx, uint64_t *array, const uint64_t *from, const uint64_t *to,
                uint64_t parts, int threads);

#pragma GCC visibility pop
#endif
