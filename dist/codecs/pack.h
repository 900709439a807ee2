/* Numbers packed to as many bits each as the greatest of them needs. For dist/. */
#ifndef SEMLA_DIST_PACK_H
#define SEMLA_DIST_PACK_H

#include <stdint.h>

/* The bits that a number below `limit` needs, 0 to 32. */
unsigned sl_pack_width(uint64_t limit);

/* The bytes that `count` numbers of `width` bits take. */
static inline uint64_t sl_pack_bytes(uint64_t count, unsigned width)
{
    return (count * width + 7) / 8;
}

/* Writes and reads numbers, so many bytes of them. */
void sl_pack(uint8_t *out, const uint32_t *value, uint64_t count, unsigned width);
void sl_unpack(uint32_t *value, const uint8_t *in, uint64_t count, unsigned width);

#endif
