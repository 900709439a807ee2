/* Packs numbers of `width` bits through a 64-bit buffer, low bits first. */
#include "dist/codecs/pack.h"

unsigned sl_pack_width(uint64_t limit)
{
    unsigned width = 0;
    while (limit > 1 && (limit - 1) >> width)
        width++;
    return width;
}

void sl_pack(uint8_t *out, const uint32_t *value, uint64_t count, unsigned width)
{
    uint64_t held = 0;
    unsigned bits = 0;
    for (uint64_t k = 0; k < count; k++) {
        held |= (uint64_t)value[k] << bits;
        for (bits += width; bits >= 8; bits -= 8) {
            *out++ = (uint8_t)held;
            held >>= 8;
        }
    }
    if (bits > 0)
        *out = (uint8_t)held;
}

void sl_unpack(uint32_t *value, const uint8_t *in, uint64_t count, unsigned width)
{
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    uint64_t held = 0;
    unsigned bits = 0;
    for (uint64_t k = 0; k < count; k++) {
        for (; bits < width; bits += 8)
            held |= (uint64_t)*in++ << bits;
        value[k] = (uint32_t)(held & mask);
        held >>= width;
        bits -= width;
    }
}
