/* List: 4 bytes for each id, low byte first. The ids need not ascend. */
#include <string.h>

#include "dist/codecs/codec.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the list codec copies ids from memory and needs little-endian words"
#endif

static uint64_t bound(uint64_t count, uint64_t limit)
{
    return count * sizeof(uint32_t);
}

static uint64_t encode(uint8_t *out, const sl_ids *ids)
{
    uint64_t bytes = ids->count * sizeof(uint32_t);
    if (ids->list) {
        if (bytes)
            memcpy(out, ids->list, bytes);
        return bytes;
    }
    for (uint64_t w = 0; w < sl_bits_words(ids->limit); w++)
        for (uint64_t left = ids->bits[w]; left; left &= left - 1) {
            uint32_t id = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
            memcpy(out, &id, sizeof id);
            out += sizeof id;
        }
    return bytes;
}

static bool list(uint32_t *out, const sl_encoded *coded)
{
    if (coded->bytes != coded->count * sizeof *out)
        return false;
    if (coded->bytes)
        memcpy(out, coded->in, coded->bytes);
    bool valid = true;
    for (uint64_t k = 0; k < coded->count; k++)
        valid &= out[k] < coded->limit;
    return valid;
}

static bool bits(uint64_t *out, const sl_encoded *coded)
{
    if (coded->bytes != coded->count * sizeof(uint32_t))
        return false;
    for (uint64_t k = 0; k < coded->count; k++) {
        uint32_t id;
        memcpy(&id, coded->in + k * sizeof id, sizeof id);
        if (id >= coded->limit)
            return false;
        sl_bit_set(out, id);
    }
    return true;
}

const sl_codec sl_codec_list = {
    .name = "list", .bound = bound, .encode = encode, .list = list, .bits = bits};
