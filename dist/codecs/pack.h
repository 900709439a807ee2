/* Arrays of numbers packed without gaps, with as many bits each as the greatest needs. For dist/.
 */
#ifndef SEMLA_DIST_PACK_H
#define SEMLA_DIST_PACK_H

#include <stdint.h>

/* The number of bits of numbers below `limit`: 0 to 32. */
unsigned sl_pack_width(uint64_t limit);

/* The bytes of `count` numbers of `width` bits. */
static inline uint64_t sl_pack_bytes(uint64_t count, unsigned width)
{
    return (count * width + 7) / 8;
}

/* Pack and unpack `count` numbers of `width` bits; `out` and `in` have sl_pack_bytes bytes. */
void sl_pack(uint8_t *out, const uint32_t *value, uint64_t count, unsigned width);
void sl_unpack(uint32_t *value, const uint8_t *in, uint64_t count, unsigned width);

#endif
