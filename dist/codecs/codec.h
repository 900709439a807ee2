/*
 * Codecs: encodings of a set of vertices of one block. Each codec is a file of its own and an entry
 * of the table in codec.c; see docs/adding-a-codec.md. For each message the codec whose bound is
 * least is chosen by the number of ids alone. No MPI and no allocation.
 *
 * Message: the number of the codec (1 byte); the number of ids (base 128, low digits first, the
 * high bit of a byte set if another byte follows; up to 5 bytes); the bytes of the codec.
 */
#ifndef SEMLA_DIST_CODEC_H
#define SEMLA_DIST_CODEC_H

#include "dist/codecs/ids.h"

/* X(NAME, name). Of codecs with equal bounds the first is chosen: the cheapest to decode. */
#define SL_CODECS(X)                                                                               \
    X(BITMAP, bitmap)                                                                              \
    X(LIST, list)                                                                                  \
    X(VLQ, vlq)

typedef enum {
#define X(NAME, name) SL_CODEC_##NAME,
    SL_CODECS(X)
#undef X
        SL_CODEC_COUNT
} sl_codec_code;

/* A set of codecs is a set of bits 1 << SL_CODEC_...; SL_CODEC_HEAD bytes is the longest head. */
enum { SL_CODECS_ALL = (1 << SL_CODEC_COUNT) - 1, SL_CODEC_HEAD = 6 };

/* The bytes of a codec in a received message: `bytes` bytes encode exactly `count` ids < limit. */
typedef struct {
    uint64_t limit, count, bytes;
    const uint8_t *in;
} sl_encoded;

/* The functions of one codec. */
typedef struct {
    const char *name;
    bool sorts; /* encodes lists only if they ascend */

    /* An upper bound of the bytes that `count` ids take. It does not decrease with count. */
    uint64_t (*bound)(uint64_t count, uint64_t limit);

    /* Encodes the ids in at most `bound` bytes; returns the number of bytes. */
    uint64_t (*encode)(uint8_t *out, const sl_ids *ids);

    /* Decodes into a list with capacity for `count` ids, in the order of encoding. Returns false if
     * the bytes are not a valid encoding; the list is undefined then, but nothing outside it is
     * written and nothing outside `in` is read. */
    bool (*list)(uint32_t *list, const sl_encoded *coded);

    /* Decodes into a bitmap: sets the bits of the ids and keeps the others. Returns false if the
     * bytes are not a valid encoding; some bits below `limit` may be set then. */
    bool (*bits)(uint64_t *bits, const sl_encoded *coded);
} sl_codec;

extern const sl_codec sl_codec_bitmap, sl_codec_list, sl_codec_vlq;
extern const sl_codec *const sl_codecs[SL_CODEC_COUNT];

/* The codec of the set `allowed` that has the least bound. */
sl_codec_code sl_codec_choose(uint64_t count, uint64_t limit, unsigned allowed);

/* The greatest length of a message with ids below `limit`, in bytes. */
uint64_t sl_codec_capacity(uint64_t limit, unsigned allowed);

/*
 * Writes a message and returns its length, at most SL_CODEC_HEAD plus the codec's bound. May sort
 * the list of ids; `scratch` has capacity for as many ids.
 */
uint64_t sl_codec_encode(uint8_t *out, sl_ids *ids, unsigned allowed, uint32_t *scratch);

/* Reads the head of a message: *code is the codec, *body the bytes after the head. Returns false if
 * the head is not valid or announces more than `limit` ids. */
bool sl_codec_read_head(sl_codec_code *code, sl_encoded *body, const uint8_t *in, uint64_t bytes,
                        uint64_t limit);

#endif
