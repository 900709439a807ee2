/*
 * Fuzz target for the codecs of the grid: two bytes with the limit of the ids, then a message. A
 * decoded message must have ids below the limit, the same ids as list and as bitmap, and must
 * survive a round trip through every codec.
 */
#include <stdlib.h>
#include <string.h>

#include "dist/codecs/codec.h"
#include "fuzz.h"

static void require(bool right)
{
    if (!right)
        abort();
}

/* Decodes a message; false if it is invalid. */
static bool read_message(sl_ids *ids, uint64_t *bits, const uint8_t *in, uint64_t bytes)
{
    sl_codec_code code;
    sl_encoded rest;
    if (!sl_codec_read_head(&code, &rest, in, bytes, ids->limit))
        return false;
    require(rest.count <= ids->limit);
    bool right = sl_codecs[code]->list(ids->list, &rest);
    require(sl_codecs[code]->bits(bits, &rest) == right);
    ids->count = rest.count;
    ids->sorted = code != SL_CODEC_LIST;
    for (uint64_t k = 0; right && k < ids->count; k++)
        require(ids->list[k] < ids->limit && sl_bit_test(bits, ids->list[k]));
    return right;
}

static void write_again(const sl_ids *found, const uint64_t *bits, uint64_t words)
{
    uint32_t *scratch = malloc(found->count * sizeof *scratch + 1);
    uint64_t *back = calloc(words + 1, sizeof *back);
    uint32_t *list = malloc(found->count * sizeof *list + 1);
    for (unsigned c = 0; scratch && back && list && c < SL_CODEC_COUNT; c++) {
        sl_ids ids = *found, copy = {.limit = found->limit, .list = list};
        uint64_t capacity = SL_CODEC_HEAD + sl_codecs[c]->bound(ids.count, ids.limit);
        uint8_t *out = malloc(capacity);
        uint64_t bytes = sl_codec_encode(out, &ids, 1U << c, scratch);
        memset(back, 0, words * sizeof *back);
        require(bytes <= capacity && read_message(&copy, back, out, bytes));
        require(copy.count == ids.count && memcmp(back, bits, words * sizeof *back) == 0);
        free(out);
    }
    free(list);
    free(back);
    free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    sl_ids ids = {.limit = (uint64_t)data[0] | (uint64_t)data[1] << 8};
    uint64_t words = sl_bits_words(ids.limit), *bits = calloc(words + 1, sizeof *bits);
    ids.list = malloc(ids.limit * sizeof *ids.list + 1);
    if (bits && ids.list && read_message(&ids, bits, data + 2, size - 2) &&
        sl_bits_count(bits, words) == ids.count) /* a list may contain an id twice */
        write_again(&ids, bits, words);
    require(bits && bits[words] == 0);
    free(ids.list);
    free(bits);
    return 0;
}
