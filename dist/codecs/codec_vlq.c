/*
 * Variable-length quantities of the differences between ascending ids, in the order of Ueno and
 * Suzumura, "Parallel distributed breadth first search on GPU" (HiPC 2013), section V-C. A byte has
 * 7 bits of the value, low bits first; its high bit is set if another byte follows. Values are
 * encoded in groups of 32: the first bytes of all 32 values, then the second bytes of those that
 * have one, and so on, so that the lanes of a vector or a warp read consecutive bytes.
 *
 * The first value is the first id; each other value is the difference to the preceding id, less 1.
 * So any decoded sequence ascends, and only its last id must be compared with the limit.
 */
#include <stddef.h>
#include <string.h>

#include "dist/codecs/codec.h"

enum { LANES = 32, MORE = 128, LAST_SHIFT = 28 };

/* A difference has more than k bytes only if it is at least 128^k, and the sum of the differences
 * is less than the limit, so at most limit / 128^k differences have more than k bytes. */
static uint64_t bound(uint64_t count, uint64_t limit)
{
    uint64_t bytes = count;
    for (unsigned shift = 7; shift <= LAST_SHIFT; shift += 7)
        bytes += count < limit >> shift ? count : limit >> shift;
    return bytes;
}

/* Encodes one group; returns the end of the bytes written. */
static uint8_t *put(uint8_t *out, uint32_t *value, unsigned lanes)
{
    while (lanes > 0) {
        uint32_t all = 0;
        for (unsigned k = 0; k < lanes; k++) {
            out[k] = (uint8_t)((value[k] & 127) | (value[k] > 127 ? MORE : 0));
            all |= value[k];
        }
        out += lanes;
        if (all <= 127)
            break;
        unsigned left = 0;
        for (unsigned k = 0; k < lanes; k++) {
            uint32_t body = value[k] >> 7;
            value[left] = body;
            left += body > 0;
        }
        lanes = left;
    }
    return out;
}

static uint64_t encode_list(uint8_t *out, const sl_ids *ids)
{
    uint8_t *at = out;
    uint32_t value[LANES];
    for (uint64_t k = 0; k < ids->count; k += LANES) {
        unsigned lanes = ids->count - k < LANES ? (unsigned)(ids->count - k) : LANES;
        const uint32_t *list = ids->list + k;
        value[0] = k ? list[0] - list[-1] - 1 : list[0];
        for (unsigned lane = 1; lane < lanes; lane++)
            value[lane] = list[lane] - list[lane - 1] - 1;
        at = put(at, value, lanes);
    }
    return (uint64_t)(at - out);
}

static uint64_t encode(uint8_t *out, const sl_ids *ids)
{
    if (ids->list)
        return encode_list(out, ids);
    uint8_t *at = out;
    uint32_t value[LANES], next = 0;
    unsigned lanes = 0;
    for (uint64_t w = 0; w < sl_bits_words(ids->limit); w++)
        for (uint64_t left = ids->bits[w]; left; left &= left - 1) {
            uint32_t id = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
            value[lanes++] = id - next;
            next = id + 1;
            if (lanes == LANES) {
                at = put(at, value, LANES);
                lanes = 0;
            }
        }
    return (uint64_t)(put(at, value, lanes) - out);
}

/* Compacts the list of lanes to those for which another byte follows; returns their number. */
static inline unsigned continued(uint8_t *lane, const uint8_t *byte, unsigned lanes)
{
    unsigned count = 0;
    for (unsigned k = 0; k < lanes; k++) {
        uint8_t from = lane[k];
        lane[count] = from;
        count += byte[k] >> 7;
    }
    return count;
}

/* Decodes one group; returns the end of the bytes read, or NULL if they are not valid. */
static const uint8_t *get(uint32_t *value, unsigned lanes, const uint8_t *in, const uint8_t *end)
{
    uint8_t lane[LANES], more = 0;
    if (end - in < (ptrdiff_t)lanes)
        return NULL;
    for (unsigned k = 0; k < lanes; k++) {
        value[k] = in[k] & 127;
        more |= in[k];
    }
    if (more < MORE)
        return in + lanes;
    for (unsigned k = 0; k < lanes; k++)
        lane[k] = (uint8_t)k;
    unsigned shift = 7, left = continued(lane, in, lanes);
    for (in += lanes; left > 0; shift += 7) {
        if (shift > LAST_SHIFT || end - in < (ptrdiff_t)left)
            return NULL;
        for (unsigned k = 0; k < left; k++) {
            if (shift == LAST_SHIFT && in[k] > 15) /* the value would exceed 32 bits */
                return NULL;
            value[lane[k]] |= (uint32_t)(in[k] & 127) << shift;
        }
        const uint8_t *bytes = in;
        in += left;
        left = continued(lane, bytes, left);
    }
    return in;
}

/* Decodes the ids of one group; *next is the least possible next id. NULL: not valid. */
static const uint8_t *get_ids(uint32_t *id, unsigned lanes, const uint8_t *in, uint64_t *next,
                              const sl_encoded *coded)
{
    uint32_t value[LANES];
    in = get(value, lanes, in, coded->in + coded->bytes);
    if (!in)
        return NULL;
    uint64_t at = *next;
    for (unsigned k = 0; k < lanes; k++) {
        at += value[k];
        id[k] = (uint32_t)at++;
    }
    *next = at;
    return at <= coded->limit ? in : NULL;
}

static bool list(uint32_t *out, const sl_encoded *coded)
{
    const uint8_t *in = coded->in;
    uint64_t next = 0;
    for (uint64_t k = 0; in && k < coded->count; k += LANES)
        in = get_ids(out + k, coded->count - k < LANES ? (unsigned)(coded->count - k) : LANES, in,
                     &next, coded);
    return in == coded->in + coded->bytes;
}

static bool bits(uint64_t *out, const sl_encoded *coded)
{
    const uint8_t *in = coded->in;
    uint64_t next = 0;
    for (uint64_t k = 0; k < coded->count; k += LANES) {
        uint32_t id[LANES];
        unsigned lanes = coded->count - k < LANES ? (unsigned)(coded->count - k) : LANES;
        in = get_ids(id, lanes, in, &next, coded);
        if (!in)
            return false;
        for (unsigned lane = 0; lane < lanes; lane++)
            sl_bit_set(out, id[lane]);
    }
    return in == coded->in + coded->bytes;
}

const sl_codec sl_codec_vlq = {
    .name = "vlq", .sorts = true, .bound = bound, .encode = encode, .list = list, .bits = bits};
