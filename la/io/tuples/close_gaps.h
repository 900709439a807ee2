#ifndef SEMLA_IO_CLOSE_GAPS_H
#define SEMLA_IO_CLOSE_GAPS_H

#include <semla/context.h>

#pragma GCC visibility push(hidden)

/*
 * Moves the parts of an array together. Part p has to[p + 1] - to[p] elements, which are moved from
 * from[p] to to[p] <= from[p]. Both arrays have parts + 1 elements; the last one is the length of
 * the array before and after. Returns false if there is no memory; the contents are then undefined.
 */
bool close_gaps(sl_context *ctx, uint64_t *array, const uint64_t *from, const uint64_t *to,
                uint64_t parts, int threads);

#pragma GCC visibility pop
#endif
