/*
 * Codecs: how a set of vertices of one block travels. Each is a file of its own and an
 * entry of the table in codec.c; docs/adding-a-codec.md. The smallest is chosen for each
 * message by its count of ids alone. No MPI, no memory.
 *
 * A message is the codec's number (a byte), the count (base 128, the low digits first,
 * the high bit of a byte saying that another follows), and the codec's own bytes.
 */
#ifndef SEMLA_DIST_CODEC_H
#define SEMLA_DIST_CODEC_H

#include "ids.h"

/* X(NAME, name), in the order in which equals are preferred: the cheapest to read first. */
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

/* Sets of codecs are bits. */
enum { SL_CODECS_ALL = (1 << SL_CODEC_COUNT) - 1, SL_CODEC_HEAD = 6 };

/* What is read: `count` ids below `limit` from `bytes` bytes, neither more nor less. */
typedef struct {
    uint64_t limit, count, bytes;
    const uint8_t *in;
} sl_encoded;

typedef struct {
    const char *name;
    bool sorts; /* takes lists only in ascending order */

    /* The most bytes that so many ids can take. */
    uint64_t (*bound)(uint64_t count, uint64_t limit);

    /* Writes the ids, at most `bound` bytes; returns how many. */
    uint64_t (*encode)(uint8_t *out, const sl_ids *ids);

    /* Writes the ids to a list of capacity for `count`, in the order in which they were
     * written. False: these bytes are none of the codec's. The list is undefined then, but
     * nothing outside it or outside `in` was touched. */
    bool (*list)(uint32_t *list, const sl_encoded *coded);

    /* Sets their bits and leaves the others as they are. False: the same. Some bits below
     * `limit` may be set then. */
    bool (*bits)(uint64_t *bits, const sl_encoded *coded);
} sl_codec;

extern const sl_codec sl_codec_bitmap, sl_codec_list, sl_codec_vlq;
extern const sl_codec *const sl_codecs[SL_CODEC_COUNT];

/* The codec of the set `allowed` whose bound is least. */
sl_codec_code sl_codec_choose(uint64_t count, uint64_t limit, unsigned allowed);

/* The most bytes that any message about ids below `limit` can take. */
uint64_t sl_codec_capacity(uint64_t limit, unsigned allowed);

/*
 * Writes a message and returns its length, which is at most the codec's bound and
 * SL_CODEC_HEAD. May sort the list; scratch has capacity for as many ids.
 */
uint64_t sl_codec_encode(uint8_t *out, sl_ids *ids, unsigned allowed, uint32_t *scratch);

/* The head of a message. false: it is none, or has more than `limit` ids. `code` tells the
 * codec; *body is what comes behind the head, for the functions of the codec. */
bool sl_codec_read_head(sl_codec_code *code, sl_encoded *body, const uint8_t *in, uint64_t bytes,
                        uint64_t limit);

#endif
