/* An array of vertices or levels on the host: int64, or int32 where a vector has that type. */
#ifndef SEMLA_INTEGERS_H
#define SEMLA_INTEGERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    void *values; /* int32_t[] or int64_t[]; NULL: no array */
    bool int32;
} sl_integers;

static inline int64_t sl_integers_get(const sl_integers numbers, uint64_t k)
{
    return numbers.int32 ? ((const int32_t *)numbers.values)[k]
                         : ((const int64_t *)numbers.values)[k];
}

static inline void sl_integers_set(const sl_integers numbers, uint64_t k, int64_t x)
{
    if (numbers.int32)
        ((int32_t *)numbers.values)[k] = (int32_t)x;
    else
        ((int64_t *)numbers.values)[k] = x;
}

#endif
