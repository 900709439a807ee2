/* The device's codecs are compared with those of dist/codecs/: encoding gives the same bytes,
 * decoding gives the same ids, and both refuse the same messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "codecs.h"
#include "sample.h"
#include "support.h"

static sl_context *ctx;
static cuda_codec_workspace coder;

/* ---- device memory with something around it ---------------------------------------------- */

enum { AROUND = 64, MARK = 0x77 };

typedef struct {
    uint8_t *memory;
    uint64_t bytes;
} block;

static uint8_t *block_new(block *b, uint64_t bytes)
{
    b->bytes = (bytes + 15) / 16 * 16;
    OK(ctx, sl_cuda_alloc(ctx, (void **)&b->memory, b->bytes + 2 * AROUND));
    OK(ctx, sl_cuda_status(ctx, "cudaMemsetAsync",
                           cudaMemsetAsync(b->memory, MARK, b->bytes + 2 * AROUND, cuda_stream())));
    return b->memory + AROUND;
}

/* Copies the contents to the host and checks that the bytes before the block, and those from `used`
 * on, are unchanged. */
static uint8_t *block_read(block *b, uint64_t used)
{
    uint8_t *copy = malloc(b->bytes + 2 * AROUND);
    OK(ctx, sl_cuda_download(ctx, copy, b->memory, b->bytes + 2 * AROUND));
    OK(ctx, sl_cuda_wait(ctx, "copy"));
    for (uint64_t k = 0; k < AROUND; k++)
        assert_int_equal(copy[k], MARK);
    for (uint64_t k = AROUND + used; k < b->bytes + 2 * AROUND; k++)
        assert_int_equal(copy[k], MARK);
    memmove(copy, copy + AROUND, b->bytes);
    sl_cuda_free(b->memory);
    return copy;
}

/* ---- the device's side --------------------------------------------------------------------- */

/* Encodes the set as a message in `out`; returns its length. */
static uint64_t device_encode(uint8_t *out, const sample *s, sl_codec_code code)
{
    cuda_message m = {.codec = (sl_group_codec)code, .count = s->count, .limit = s->limit};
    const uint64_t bound = sl_codecs[code]->bound(s->count, s->limit);
    const unsigned head = sl_cuda_head_length(s->count);
    const uint64_t words = (s->limit + 31) / 32;
    uint32_t *bits;
    block slot;
    OK(ctx, sl_cuda_alloc(ctx, (void **)&bits, (words + 1) * sizeof *bits));
    OK(ctx, sl_cuda_upload(ctx, bits, s->bits, words * sizeof *bits));
    uint8_t *at = block_new(&slot, sl_cuda_message_slot_bytes(bound));
    OK(ctx, sl_cuda_encode(&coder, ctx, at, &m, bits));
    assert_true(m.bytes <= bound);
    uint8_t *got = block_read(&slot, SLOT_HEAD + m.bytes);
    memcpy(out, got + SLOT_HEAD - head, head + m.bytes);
    for (unsigned k = 0; k + head < SLOT_HEAD; k++)
        assert_int_equal(got[k], MARK);
    free(got);
    sl_cuda_free(bits);
    return head + m.bytes;
}

/* Decodes the message, to a list and, if `bits` is not NULL, to a bitmap; false: it was refused. */
static bool device_decode(uint32_t *list, uint64_t *bits, const uint8_t *in, sl_codec_code code,
                          const sl_encoded *coded)
{
    const cuda_message m = {.codec = (sl_group_codec)code,
                            .count = coded->count,
                            .limit = coded->limit,
                            .bytes = coded->bytes};
    const uint64_t words = sl_bits_words(m.limit), head = (uint64_t)(coded->in - in);
    block slot, listed, marked;
    uint8_t *at = block_new(&slot, sl_cuda_message_slot_bytes(m.bytes));
    /* The device accepts only the shortest head for a count. */
    const unsigned length = sl_cuda_head_length(m.count);
    OK(ctx, sl_cuda_upload(ctx, at + SLOT_HEAD - length, in, head < length ? head : length));
    OK(ctx, sl_cuda_upload(ctx, at + SLOT_HEAD, coded->in, m.bytes));
    cuda_decode_target to_list = {.list = (uint32_t *)block_new(&listed, m.count * sizeof *list)};
    OK(ctx, sl_cuda_decode_begin(&coder, ctx));
    OK(ctx, sl_cuda_decode(&coder, ctx, &to_list, at, &m));
    const sl_status first = sl_cuda_decode_end(&coder, ctx);
    assert_true(first == SL_OK || first == SL_ENGINE_FAULT);
    uint8_t *got = block_read(&listed, m.count * sizeof *list);
    memcpy(list, got, m.count * sizeof *list);
    free(got);
    if (bits) {
        const cuda_decode_target to_bits = {
            .bits = (uint32_t *)block_new(&marked, words * sizeof *bits)};
        OK(ctx, sl_cuda_zero(ctx, to_bits.bits, words * sizeof *bits));
        OK(ctx, sl_cuda_decode_begin(&coder, ctx));
        OK(ctx, sl_cuda_decode(&coder, ctx, &to_bits, at, &m));
        assert_int_equal(sl_cuda_decode_end(&coder, ctx), first);
        got = block_read(&marked, words * sizeof *bits);
        memcpy(bits, got, words * sizeof *bits);
        free(got);
        if (m.limit % 64)
            assert_int_equal(bits[words - 1] >> m.limit % 64, 0);
    }
    sl_cuda_free(slot.memory);
    return first == SL_OK;
}

/* ---- tests --------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The device encodes the same bytes as the host, and decodes them. */
static void check_round_trip(uint64_t limit, uint64_t count, bool near, sl_codec_code code)
{
    sample s = sample_make(limit, count, near);
    const uint64_t room = SL_CODEC_HEAD + sl_codecs[code]->bound(s.count, limit);
    uint8_t *right = malloc(room), *got = malloc(room);
    sl_ids ids = {.limit = limit, .count = s.count, .bits = s.bits};
    const uint64_t bytes = sl_codec_encode(right, &ids, 1U << code, s.scratch);
    assert_int_equal(device_encode(got, &s, code), bytes);
    assert_memory_equal(got, right, bytes);
    sl_codec_code said;
    sl_encoded coded;
    uint32_t *list = malloc((s.count + 1) * sizeof *list);
    uint64_t *bits = malloc((sl_bits_words(limit) + 1) * sizeof *bits);
    assert_true(sl_codec_read_head(&said, &coded, right, bytes, limit));
    assert_true(device_decode(list, bits, right, said, &coded));
    assert_memory_equal(list, s.list, s.count * sizeof *list);
    assert_memory_equal(bits, s.bits, sl_bits_words(limit) * sizeof *bits);
    free(bits);
    free(list);
    free(right);
    free(got);
    sample_free(&s);
}

static const uint64_t limits[] = {0,    1,    2,     31,    32,     33,    64,
                                  1000, 1024, 16385, 65536, 262145, 600000};
enum { LIMITS = sizeof limits / sizeof *limits };

static void test_round_trips(void **unused)
{
    for (unsigned l = 0; l < LIMITS; l++) {
        const uint64_t n = limits[l];
        const uint64_t counts[] = {0, 1, 31, 32, 33, n / 1000, n / 100, n / 16, n / 2, n};
        for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)
            for (unsigned code = 0; code < SL_GROUP_CODECS; code++)
                check_round_trip(n, counts[c] < n ? counts[c] : n, (c + l) % 2,
                                 (sl_codec_code)code);
    }
}

/* Differences of all lengths mixed, over many tiles. */
static void test_lengths(void **unused)
{
    const uint64_t limit = UINT64_C(1) << 31;
    enum { COUNT = 12000 };
    uint32_t *list = malloc(COUNT * sizeof *list), *back = malloc(COUNT * sizeof *back);
    uint8_t *in = malloc(SL_CODEC_HEAD + 5 * COUNT);
    for (int run = 0; run < 4; run++) {
        uint64_t next = 0, count = 0;
        for (; count < COUNT && next < limit; count++) {
            const uint64_t longest = run == 0 ? 30 : run == 1 ? 12 : below(10) ? 8 : 21;
            list[count] = (uint32_t)(next += below(UINT64_C(1) << below(longest + 1)));
            next++;
        }
        count -= list[count - 1] >= limit;
        sl_ids ids = {.limit = limit, .count = count, .list = list, .sorted = true};
        const uint64_t bytes = sl_codec_encode(in, &ids, 1U << SL_GROUP_VLQ, back);
        sl_codec_code code;
        sl_encoded coded;
        assert_true(sl_codec_read_head(&code, &coded, in, bytes, limit));
        block slot, listed;
        cuda_message m = {.codec = SL_GROUP_VLQ, .count = count, .limit = limit};
        m.bytes = coded.bytes;
        const unsigned head = sl_cuda_head_length(count);
        uint8_t *at = block_new(&slot, sl_cuda_message_slot_bytes(m.bytes));
        OK(ctx, sl_cuda_upload(ctx, at + SLOT_HEAD - head, in, bytes));
        const cuda_decode_target to = {.list =
                                           (uint32_t *)block_new(&listed, count * sizeof *list)};
        OK(ctx, sl_cuda_decode_begin(&coder, ctx));
        OK(ctx, sl_cuda_decode(&coder, ctx, &to, at, &m));
        OK(ctx, sl_cuda_decode_end(&coder, ctx));
        uint8_t *got = block_read(&listed, count * sizeof *list);
        assert_memory_equal(got, list, count * sizeof *list);
        free(got);
        sl_cuda_free(slot.memory);
    }
    free(in);
    free(back);
    free(list);
}

/* Host and device both refuse these bytes, or both decode them to the same ids. The host alone
 * accepts heads that are longer than necessary; those are skipped. */
static bool agree_on(const uint8_t *in, uint64_t bytes, uint64_t limit)
{
    sl_codec_code code;
    sl_encoded coded;
    if (!sl_codec_read_head(&code, &coded, in, bytes, limit) ||
        (uint64_t)(coded.in - in) != sl_cuda_head_length(coded.count))
        return false;
    const uint64_t words = limit < 1 << 24 ? sl_bits_words(limit) : 0;
    uint32_t *list = malloc((coded.count + 1) * sizeof *list);
    uint32_t *right = malloc((coded.count + 1) * sizeof *right);
    uint64_t *bits = words ? malloc(words * sizeof *bits) : NULL;
    uint64_t *set = calloc(words + 1, sizeof *set);
    const bool readable = sl_codecs[code]->list(right, &coded);
    assert_int_equal(device_decode(list, bits, in, code, &coded), readable);
    if (readable) {
        assert_true(words == 0 || sl_codecs[code]->bits(set, &coded));
        qsort(list, coded.count, sizeof *list, by_size);
        qsort(right, coded.count, sizeof *list, by_size);
        assert_memory_equal(list, right, coded.count * sizeof *list);
        if (words)
            assert_memory_equal(bits, set, words * sizeof *bits);
    }
    free(set);
    free(bits);
    free(right);
    free(list);
    return readable;
}

static void test_garbage(void **unused)
{
    uint8_t in[600];
    unsigned taken = 0;
    for (unsigned run = 0; run < 2000; run++) {
        const uint64_t limit = limits[below(LIMITS)], count = below(run % 10 ? 20 : 100);
        const unsigned code = (unsigned)below(SL_GROUP_CODECS);
        uint64_t bytes = code == SL_GROUP_BITMAP ? (limit + 7) / 8
                         : code == SL_GROUP_LIST ? 4 * count
                                                 : count + below(4);
        if (bytes + 2 > sizeof in || run % 4 == 0)
            bytes = below(sizeof in - 2);
        for (uint64_t k = 2; k < bytes + 2; k++)
            in[k] = (uint8_t)(run & 1 ? draw() : draw() & draw() & (k % 4 ? 0x81 : 0x03));
        in[0] = (uint8_t)code;
        in[1] = (uint8_t)count;
        taken += agree_on(in, bytes + 2, limit);
    }
    assert_true(taken > 50); /* enough messages pass the first checks */
}

/* Messages of many tiles: with some bits flipped, with the last byte missing, and with one byte
 * appended. */
static void test_damage(void **unused)
{
    for (unsigned run = 0; run < 120; run++) {
        const uint64_t limit = 1 + below(run % 4 ? 3000 : 300000);
        sample s = sample_make(limit, below(limit / (1 + run % 5) + 1), false);
        uint8_t *out = malloc(SL_CODEC_HEAD + 4 * s.count + limit + 2);
        const sl_codec_code code = (sl_codec_code)(run % SL_GROUP_CODECS);
        sl_ids ids = {.limit = limit, .count = s.count, .bits = s.bits};
        const uint64_t bytes = sl_codec_encode(out, &ids, 1U << code, s.scratch);
        assert_true(agree_on(out, bytes, limit));
        assert_false(agree_on(out, bytes - 1, limit));
        out[bytes] = 0;
        assert_false(agree_on(out, bytes + 1, limit));
        for (int k = 0; k < 3; k++) {
            out[below(bytes)] ^= (uint8_t)(1 << below(8));
            agree_on(out, bytes, limit);
        }
        free(out);
        sample_free(&s);
    }
}

static void test_refused(void **unused)
{
    static const struct {
        const char *in;
        uint64_t bytes, limit;
    } bad[] = {
        {"\1\1\12\0\0\0", 6, 10},                      /* id 10 of 10 */
        {"\2\1\12", 3, 10},                            /* the same as a difference */
        {"\2\2\11\0", 4, 10},                          /* 9, then 10 */
        {"\2\1\xff\xff\xff\xff\x10", 7, UINT32_MAX},   /* 33 bits */
        {"\2\1\xff\xff\xff\xff\x8f\0", 8, UINT32_MAX}, /* a sixth byte */
        {"\2\2\x80\x80\1", 5, 1000},                   /* the second one has no end */
        {"\0\1\3\0", 4, 10},                           /* two bits, one counted */
        {"\0\1\0\4", 4, 10},                           /* bit 10 of 10 */
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(agree_on((const uint8_t *)bad[k].in, bad[k].bytes, bad[k].limit));
}

/* The head says another codec, or another count, than the receiver expects. */
static void test_other_heads(void **unused)
{
    const uint8_t in[SLOT_HEAD + 16] = {[SLOT_HEAD - 2] = SL_GROUP_LIST, 1, 5};
    for (int wrong = 0; wrong < 3; wrong++) {
        cuda_message m = {.codec = SL_GROUP_LIST, .count = 1, .limit = 100, .bytes = 4};
        block slot, listed;
        uint8_t *at = block_new(&slot, sizeof in);
        OK(ctx, sl_cuda_upload(ctx, at, in, sizeof in));
        if (wrong == 1)
            m = (cuda_message){.codec = SL_GROUP_VLQ, .count = 1, .limit = 100, .bytes = 1};
        if (wrong == 2)
            m = (cuda_message){.codec = SL_GROUP_LIST, .count = 2, .limit = 100, .bytes = 8};
        const cuda_decode_target to = {.list = (uint32_t *)block_new(&listed, 2 * sizeof *to.list)};
        OK(ctx, sl_cuda_decode_begin(&coder, ctx));
        OK(ctx, sl_cuda_decode(&coder, ctx, &to, at, &m));
        assert_int_equal(sl_cuda_decode_end(&coder, ctx), wrong ? SL_ENGINE_FAULT : SL_OK);
        sl_cuda_free(slot.memory);
        sl_cuda_free(listed.memory);
    }
    assert_non_null(strstr(sl_context_message(ctx), "message"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips), cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_garbage),     cmocka_unit_test(test_damage),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_other_heads),
    };
    if (sl_cuda_unavailable_reason()) {
        printf("engine cuda skipped: %s\n", sl_cuda_unavailable_reason());
        return 0;
    }
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK)
        return 1;
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sl_cuda_codec_workspace_free(&coder);
    sl_context_free(ctx);
    return failures;
}
