/* The table of codecs, the choice of a codec, and the head of messages. */
#include "dist/codecs/codec.h"

#include <semla/host.h>

const sl_codec *const sl_codecs[SL_CODEC_COUNT] = {
#define X(NAME, name) &sl_codec_##name,
    SL_CODECS(X)
#undef X
};

sl_codec_code sl_codec_choose(uint64_t count, uint64_t limit, unsigned allowed)
{
    sl_codec_code best = SL_CODEC_COUNT;
    uint64_t least = UINT64_MAX;
    for (unsigned c = 0; c < SL_CODEC_COUNT; c++) {
        if (!(allowed >> c & 1))
            continue;
        uint64_t bound = sl_codecs[c]->bound(count, limit);
        if (bound < least) {
            least = bound;
            best = (sl_codec_code)c;
        }
    }
    return best;
}

/* No bound decreases with the count, and the minimum of the bounds is at most the bound of any one
 * codec for the full set: the bound of the chosen codec for the full set is an upper bound. */
uint64_t sl_codec_capacity(uint64_t limit, unsigned allowed)
{
    sl_codec_code code = sl_codec_choose(limit, limit, allowed);
    return SL_CODEC_HEAD + sl_codecs[code]->bound(limit, limit);
}

uint64_t sl_codec_encode(uint8_t *out, sl_ids *ids, unsigned allowed, uint32_t *scratch)
{
    sl_codec_code code = sl_codec_choose(ids->count, ids->limit, allowed);
    const sl_codec *codec = sl_codecs[code];
    if (codec->sorts && ids->list && !ids->sorted) {
        sl_sort_ids(ids->list, ids->count, ids->limit, scratch);
        ids->sorted = true;
    }
    uint64_t at = 0, count = ids->count;
    out[at++] = (uint8_t)code;
    for (; count > 127; count >>= 7)
        out[at++] = (uint8_t)(count | 128);
    out[at++] = (uint8_t)count;
    return at + codec->encode(out + at, ids);
}

bool sl_codec_read_head(sl_codec_code *code, sl_encoded *body, const uint8_t *in, uint64_t bytes,
                        uint64_t limit)
{
    if (bytes < 2 || in[0] >= SL_CODEC_COUNT)
        return false;
    uint64_t count = 0, at = 1;
    for (unsigned shift = 0; shift < 35; shift += 7, at++) {
        if (at == bytes)
            return false;
        count |= (uint64_t)(in[at] & 127) << shift;
        if (in[at] < 128) {
            *code = (sl_codec_code)in[0];
            *body = (sl_encoded){
                .limit = limit, .count = count, .in = in + at + 1, .bytes = bytes - at - 1};
            return count <= limit;
        }
    }
    return false;
}
