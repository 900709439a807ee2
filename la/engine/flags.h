/* Patterns of vectors: one byte for each index (sl_bitmap), and one bit. */
#ifndef SEMLA_FLAGS_H
#define SEMLA_FLAGS_H

#include <stdint.h>
#include <string.h>

/* Packs 8 flags, each 0 or 1, to the bits of a byte; flag k becomes bit k. */
static inline uint64_t sl_pack_8_flags(const int8_t *flags)
{
    uint64_t bytes;
    memcpy(&bytes, flags, sizeof bytes);
    return bytes * UINT64_C(0x0102040810204080) >> 56;
}

/* Packs `count` flags, each 0 or 1, to the bits of words; the last word is padded with zeros. */
static inline void sl_pack_flags(uint64_t *bits, const int8_t *flags, uint64_t count)
{
    const uint64_t whole = count / 64;
    for (uint64_t w = 0; w < whole; w++) {
        uint64_t word = 0;
        for (unsigned k = 0; k < 8; k++)
            word |= sl_pack_8_flags(flags + 64 * w + 8 * k) << (8 * k);
        bits[w] = word;
    }
    if (count % 64)
        bits[whole] = 0;
    for (uint64_t k = 64 * whole; k < count; k++)
        bits[whole] |= (uint64_t)flags[k] << (k % 64);
}

/* Writes the numbers of the flags that are set, ascending, and returns how many they are. Flags are
 * read 8 at a time, so that few set ones are found fast. */
static inline uint64_t sl_list_flags(uint64_t *list, const int8_t *flags, uint64_t count)
{
    const uint64_t whole = count / 8 * 8;
    uint64_t found = 0;
    for (uint64_t k = 0; k < whole; k += 8) {
        uint64_t eight;
        memcpy(&eight, flags + k, sizeof eight);
        for (; eight; eight &= eight - 1)
            list[found++] = k + (uint64_t)__builtin_ctzll(eight) / 8;
    }
    for (uint64_t k = whole; k < count; k++)
        if (flags[k])
            list[found++] = k;
    return found;
}

/* Unpacks the bits of a byte to 8 flags; bit k becomes flag k. */
static inline void sl_unpack_8_flags(int8_t *flags, uint64_t byte)
{
    /* Byte k of `spread` has bit k of the byte, or is 0. */
    const uint64_t spread = (byte * UINT64_C(0x0101010101010101)) & UINT64_C(0x8040201008040201);
    const uint64_t bytes =
        ((spread + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7) & UINT64_C(0x0101010101010101);
    memcpy(flags, &bytes, sizeof bytes);
}

/* Sets the flags of the bits that are set, and keeps the others. */
static inline void sl_add_flags(int8_t *flags, const uint64_t *bits, uint64_t count)
{
    const uint64_t whole = count / 64;
    for (uint64_t w = 0; w < whole; w++)
        for (unsigned k = 0; k < 8; k++) {
            int8_t eight[8];
            uint64_t old, more;
            sl_unpack_8_flags(eight, bits[w] >> (8 * k) & 255);
            memcpy(&old, flags + 64 * w + 8 * k, sizeof old);
            memcpy(&more, eight, sizeof more);
            old |= more;
            memcpy(flags + 64 * w + 8 * k, &old, sizeof old);
        }
    for (uint64_t k = 64 * whole; k < count; k++)
        flags[k] |= bits[whole] >> (k % 64) & 1;
}

#endif
