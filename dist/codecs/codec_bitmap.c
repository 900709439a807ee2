/*
 * Bitmap: one bit for each id of the block, 8 to a byte, low bit first. It is shorter than a list
 * if more than one id in 32 is set, the threshold of Bisson, Bernaschi and Mastrostefano (2014),
 * section 5. Its length depends on the block alone.
 */
#include <string.h>

#include "dist/codecs/codec.h"

static uint64_t bound(uint64_t count, uint64_t limit)
{
    return (limit + 7) / 8;
}

static uint64_t encode(uint8_t *out, const sl_ids *ids)
{
    uint64_t bytes = bound(ids->count, ids->limit);
    if (!ids->list) {
        if (bytes)
            memcpy(out, ids->bits, bytes);
        return bytes;
    }
    memset(out, 0, bytes);
    for (uint64_t k = 0; k < ids->count; k++)
        out[ids->list[k] / 8] |= (uint8_t)(1 << ids->list[k] % 8);
    return bytes;
}

/* Word w of the bitmap; bits after the last byte are 0. */
static inline uint64_t word(const sl_encoded *coded, uint64_t w)
{
    uint64_t bits = 0, left = coded->bytes - 8 * w;
    memcpy(&bits, coded->in + 8 * w, left < 8 ? left : 8);
    return bits;
}

/* True if the length is the block's, `count` bits are set, and none after the last id. */
static bool valid(const sl_encoded *coded)
{
    if (coded->bytes != bound(coded->count, coded->limit))
        return false;
    uint64_t count = 0, words = sl_bits_words(coded->limit);
    for (uint64_t w = 0; w < words; w++)
        count += (uint64_t)__builtin_popcountll(word(coded, w));
    if (count != coded->count)
        return false;
    return coded->limit % 64 == 0 || word(coded, words - 1) >> coded->limit % 64 == 0;
}

static bool list(uint32_t *out, const sl_encoded *coded)
{
    if (!valid(coded))
        return false;
    for (uint64_t w = 0; w < sl_bits_words(coded->limit); w++)
        for (uint64_t left = word(coded, w); left; left &= left - 1)
            *out++ = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
    return true;
}

static bool bits(uint64_t *out, const sl_encoded *coded)
{
    if (!valid(coded))
        return false;
    for (uint64_t w = 0; w < sl_bits_words(coded->limit); w++)
        out[w] |= word(coded, w);
    return true;
}

const sl_codec sl_codec_bitmap = {
    .name = "bitmap", .bound = bound, .encode = encode, .list = list, .bits = bits};
