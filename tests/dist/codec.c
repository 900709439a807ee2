/*
 * Codecs: decoding returns the encoded set, encodings stay within their bounds, and malformed bytes
 * are rejected without access outside the buffers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/host.h>

#include "dist/codecs/codec.h"
#include "dist/codecs/pack.h"
#include "sample.h"
#include "support.h"

static void shuffle(uint32_t *list, uint64_t count)
{
    for (uint64_t k = count; k > 1; k--) {
        uint64_t other = below(k);
        uint32_t swap = list[k - 1];
        list[k - 1] = list[other];
        list[other] = swap;
    }
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Decodes a message to a list and to a bitmap, and compares both with the sample. */
static void check_read(const sample *s, const uint8_t *in, uint64_t bytes, sl_codec_code expected)
{
    sl_codec_code code;
    sl_encoded rest;
    uint8_t *exact = malloc(bytes ? bytes : 1); /* so that sanitizers detect reads past its end */
    memcpy(exact, in, bytes);
    assert_true(sl_codec_read_head(&code, &rest, exact, bytes, s->limit));
    assert_int_equal(code, expected);
    assert_int_equal(rest.count, s->count);
    uint32_t *list = malloc(s->count ? s->count * sizeof *list : 1);
    assert_true(sl_codecs[code]->list(list, &rest));
    qsort(list, s->count, sizeof *list, by_size);
    for (uint64_t k = 0, v = 0; k < s->count; k++, v++) {
        for (; !sl_bit_test(s->bits, v); v++)
            ;
        assert_int_equal(list[k], v);
    }
    uint64_t words = sl_bits_words(s->limit), *bits = calloc(words + 1, sizeof *bits);
    assert_true(sl_codecs[code]->bits(bits, &rest));
    assert_memory_equal(bits, s->bits, words * sizeof *bits);
    free(bits);
    free(list);
    free(exact);
}

static void check_round_trip(uint64_t limit, uint64_t count, unsigned allowed)
{
    sample s = sample_make(limit, count, false);
    sl_codec_code code = sl_codec_choose(s.count, limit, allowed);
    uint64_t bound = SL_CODEC_HEAD + sl_codecs[code]->bound(s.count, limit);
    assert_true(bound <= sl_codec_capacity(limit, allowed));
    uint8_t *out[3];
    uint64_t bytes[3];
    for (unsigned form = 0; form < 3; form++) {
        out[form] = malloc(bound);
        sl_ids ids = {.limit = limit, .count = s.count, .bits = s.bits};
        if (form > 0) {
            ids.list = s.list;
            ids.sorted = form == 1;
        }
        if (form == 2)
            shuffle(s.list, s.count);
        bytes[form] = sl_codec_encode(out[form], &ids, allowed, s.scratch);
        assert_true(bytes[form] <= bound);
        check_read(&s, out[form], bytes[form], code);
    }
    /* A set has one encoding, whether it is a bitmap or a list in any order. */
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(out[0], out[1], bytes[0]);
    if (code != SL_CODEC_LIST) {
        assert_int_equal(bytes[0], bytes[2]);
        assert_memory_equal(out[0], out[2], bytes[0]);
    }
    for (unsigned form = 0; form < 3; form++)
        free(out[form]);
    sample_free(&s);
}

static const uint64_t limits[] = {0,   1,    2,     63,     64,     65,     127,    128,
                                  129, 1000, 16384, 100000, 262144, 262145, 1000000};
enum { LIMITS = sizeof limits / sizeof *limits };

static void test_round_trips(void **unused)
{
    for (unsigned l = 0; l < LIMITS; l++)
        for (unsigned allowed = 1; allowed <= SL_CODECS_ALL; allowed++) {
            const uint64_t n = limits[l];
            const uint64_t counts[] = {0,        1,      2,      31,         32,    33, 64,
                                       n / 1000, n / 64, n / 32, n / 32 + 1, n / 8, n};
            for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)
                check_round_trip(n, counts[c], allowed);
        }
}

/* Ids up to 2^32 - 1, with the greatest differences. */
static void test_greatest_ids(void **unused)
{
    uint32_t list[] = {0, 1, 0x80000000, 0xfffffffe, 0xffffffff}, back[5], scratch[5];
    const uint64_t limit = UINT64_C(1) << 32;
    for (unsigned c = 0; c < SL_CODEC_COUNT; c++) {
        if (c == SL_CODEC_BITMAP)
            continue; /* the bitmap would take half a gigabyte */
        uint8_t out[SL_CODEC_HEAD + 5 * 5];
        sl_ids ids = {.limit = limit, .count = 5, .list = list, .sorted = true};
        assert_true(sl_codecs[c]->bound(5, limit) <= 5 * 5);
        uint64_t bytes = sl_codec_encode(out, &ids, 1U << c, scratch);
        sl_codec_code code;
        sl_encoded rest;
        assert_true(sl_codec_read_head(&code, &rest, out, bytes, limit));
        assert_true(sl_codecs[code]->list(back, &rest));
        assert_memory_equal(back, list, sizeof list);
    }
}

/* A bitmap is chosen from one id in 32 on instead of a list; later if differences are allowed. */
static void test_thresholds(void **unused)
{
    const unsigned plain = 1U << SL_CODEC_LIST | 1U << SL_CODEC_BITMAP;
    const uint64_t n = 1 << 21; /* the example of the paper: T is 65536 */
    assert_int_equal(sl_codec_choose(65535, n, plain), SL_CODEC_LIST);
    assert_int_equal(sl_codec_choose(65536, n, plain), SL_CODEC_BITMAP);
    assert_int_equal(sl_codec_choose(65536, n, SL_CODECS_ALL), SL_CODEC_VLQ);
    assert_int_equal(sl_codec_choose(n / 8, n, SL_CODECS_ALL), SL_CODEC_BITMAP);
    assert_int_equal(sl_codec_choose(n / 16, n, SL_CODECS_ALL), SL_CODEC_VLQ);
    for (uint64_t count = 0; count <= n; count += 997)
        assert_true(sl_codecs[sl_codec_choose(count, n, SL_CODECS_ALL)]->bound(count, n) <= n / 8);
}

/* Figure 4 of Ueno and Suzumura: 3, 123456, 80, 300 in one group. */
static void test_figure_4(void **unused)
{
    uint32_t list[] = {3, 3 + 123457, 3 + 123457 + 81, 3 + 123457 + 81 + 301};
    const uint8_t expected[] = {0x03, 0xc0, 0x50, 0xac, 0xc4, 0x02, 0x07};
    uint8_t out[32];
    sl_ids ids = {.limit = 200000, .count = 4, .list = list, .sorted = true};
    assert_int_equal(sl_codec_vlq.encode(out, &ids), sizeof expected);
    assert_memory_equal(out, expected, sizeof expected);
}

/* Their algorithm IV, 32 threads in lockstep, as a warp decodes. */
static uint64_t warp_decode(uint32_t *out, uint64_t count, const uint8_t *in)
{
    uint64_t offset = 0, next = 0;
    for (uint64_t i = 0; i < count; i += 32) {
        uint32_t value[32] = {0};
        bool active[32];
        for (unsigned t = 0; t < 32; t++)
            active[t] = i + t < count;
        for (unsigned j = 0; j < 35; j += 7) {
            unsigned ballot = 0;
            for (unsigned t = 0; t < 32; t++)
                ballot |= (unsigned)active[t] << t;
            if (!ballot)
                break;
            for (unsigned t = 0; t < 32; t++) {
                if (!active[t])
                    continue;
                unsigned before = ballot & (unsigned)((UINT64_C(1) << t) - 1);
                uint8_t b = in[offset + (unsigned)__builtin_popcount(before)];
                value[t] |= (uint32_t)(b & 127) << j;
                active[t] = b >= 128;
            }
            offset += (unsigned)__builtin_popcount(ballot);
        }
        for (unsigned t = 0; t < 32 && i + t < count; t++) {
            next += value[t];
            out[i + t] = (uint32_t)next++;
        }
    }
    return offset;
}

static void test_decoding_by_warps(void **unused)
{
    const uint64_t counts[] = {1, 31, 32, 33, 500, 5000, 100000};
    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)
        for (uint64_t limit = 2 * counts[c]; limit < UINT64_C(1) << 30; limit *= 13) {
            sample s = sample_make(limit, counts[c], false);
            sl_ids ids = {.limit = limit, .count = s.count, .list = s.list, .sorted = true};
            uint8_t *out = malloc(sl_codec_vlq.bound(s.count, limit));
            uint64_t bytes = sl_codec_vlq.encode(out, &ids);
            assert_int_equal(warp_decode(s.scratch, s.count, out), bytes);
            assert_memory_equal(s.scratch, s.list, s.count * sizeof *s.list);
            free(out);
            sample_free(&s);
        }
}

/* Decodes arbitrary bytes; returns whether they are a message. Memory around the output must not
 * change. */
static bool survives(const uint8_t *in, uint64_t bytes, uint64_t limit)
{
    sl_codec_code code;
    sl_encoded rest;
    uint8_t *exact = malloc(bytes ? bytes : 1);
    if (bytes)
        memcpy(exact, in, bytes);
    bool right = sl_codec_read_head(&code, &rest, exact, bytes, limit);
    if (right) {
        uint64_t words = sl_bits_words(limit);
        uint32_t *list = malloc((rest.count + 1) * sizeof *list);
        uint64_t *bits = calloc(words + 1, sizeof *bits);
        list[rest.count] = 0xfeedbeef;
        right = sl_codecs[code]->list(list, &rest);
        assert_int_equal(list[rest.count], 0xfeedbeef);
        assert_int_equal(sl_codecs[code]->bits(bits, &rest), right);
        assert_int_equal(bits[words], 0);
        for (uint64_t k = 0; right && k < rest.count; k++)
            assert_true(list[k] < limit && sl_bit_test(bits, list[k]));
        if (limit % 64 && right)
            assert_int_equal(bits[words - 1] >> limit % 64, 0);
        free(bits);
        free(list);
    }
    free(exact);
    return right;
}

static void test_random_bytes(void **unused)
{
    uint8_t in[600];
    unsigned taken = 0;
    for (unsigned run = 0; run < 60000; run++) {
        uint64_t bytes = below(run % 10 ? 40 : sizeof in), limit = limits[below(LIMITS)];
        for (uint64_t k = 0; k < bytes; k++)
            in[k] = (uint8_t)(run & 1 ? draw() : draw() & draw() & 0x83);
        if (bytes > 1 && run % 3) {
            in[0] = (uint8_t)below(SL_CODEC_COUNT);
            in[1] &= 31;
        }
        taken += survives(in, bytes, limit);
    }
    assert_true(taken > 100); /* the test reaches code that follows the checks */
}

/* Messages with one byte changed, truncated, and with one byte added. */
static void test_damage(void **unused)
{
    for (unsigned run = 0; run < 2000; run++) {
        uint64_t limit = 1 + below(3000);
        sample s = sample_make(limit, below(limit), false);
        uint8_t *out = malloc(sl_codec_capacity(limit, SL_CODECS_ALL) + 4 * s.count + 1);
        sl_ids ids = {.limit = limit, .count = s.count, .list = s.list, .sorted = true};
        unsigned allowed = 1U << below(SL_CODEC_COUNT);
        uint64_t bytes = sl_codec_encode(out, &ids, allowed, s.scratch);
        assert_true(survives(out, bytes, limit));
        assert_false(survives(out, bytes - 1, limit));
        out[bytes] = 0;
        assert_false(survives(out, bytes + 1, limit));
        out[below(bytes)] ^= (uint8_t)(1 << below(8));
        survives(out, bytes, limit);
        free(out);
        sample_free(&s);
    }
}

static void refuse(const char *in, uint64_t bytes, uint64_t limit)
{
    if (survives((const uint8_t *)in, bytes, limit))
        fail_msg("%u malformed bytes were accepted for ids below %u", (unsigned)bytes,
                 (unsigned)limit);
}

static void test_refused(void **unused)
{
    refuse("\0", 0, 10);
    refuse("\1", 1, 10);
    refuse("\3\0", 2, 10);                                      /* unknown codec */
    refuse("\1\x80", 2, 10);                                    /* the count is truncated */
    refuse("\1\xff\xff\xff\xff\xff\xff", 7, UINT32_MAX);        /* the count is too long */
    refuse("\2\4\0\0\0\0", 6, 3);                               /* more ids than the limit */
    refuse("\1\1\12\0\0\0", 6, 10);                             /* id 10 of 10 */
    refuse("\2\1\12", 3, 10);                                   /* the same as a difference */
    refuse("\2\2\11\0", 4, 10);                                 /* ids 9 and 10 of 10 */
    refuse("\2\1\xff\xff\xff\xff\x10", 7, UINT64_C(1) << 32);   /* a value of 33 bits */
    refuse("\2\1\xff\xff\xff\xff\x8f\0", 8, UINT64_C(1) << 32); /* a sixth byte */
    refuse("\0\1\3\0", 4, 10);                                  /* two bits set, count 1 */
    refuse("\0\1\0\4", 4, 10);                                  /* bit 10 of 10 */
}

static void test_sort(void **unused)
{
    for (unsigned run = 0; run < 300; run++) {
        uint64_t limit = 1 + below(UINT64_C(1) << below(33)), count = below(run % 7 ? 60 : 3000);
        uint32_t *list = malloc((count + 1) * sizeof *list), *copy = malloc((count + 1) * 4);
        uint32_t *scratch = malloc((count + 1) * sizeof *list);
        for (uint64_t k = 0; k < count; k++)
            list[k] = copy[k] = (uint32_t)below(limit);
        qsort(copy, count, sizeof *copy, by_size);
        sl_sort_ids(list, count, limit, scratch);
        assert_memory_equal(list, copy, count * sizeof *list);
        free(scratch);
        free(copy);
        free(list);
    }
}

static void test_pack(void **unused)
{
    assert_int_equal(sl_pack_width(0), 0);
    assert_int_equal(sl_pack_width(1), 0);
    assert_int_equal(sl_pack_width(2), 1);
    assert_int_equal(sl_pack_width(256), 8);
    assert_int_equal(sl_pack_width(257), 9);
    assert_int_equal(sl_pack_width(UINT64_C(1) << 32), 32);
    for (unsigned width = 0; width <= 32; width++) {
        enum { COUNT = 101 };
        uint32_t value[COUNT], back[COUNT];
        uint64_t bytes = sl_pack_bytes(COUNT, width);
        uint8_t *out = malloc(bytes + 1);
        out[bytes] = 77;
        for (unsigned k = 0; k < COUNT; k++)
            value[k] = (uint32_t)below(UINT64_C(1) << width);
        sl_pack(out, value, COUNT, width);
        assert_int_equal(out[bytes], 77);
        sl_unpack(back, out, COUNT, width);
        assert_memory_equal(back, value, sizeof value);
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_greatest_ids),
        cmocka_unit_test(test_thresholds),
        cmocka_unit_test(test_figure_4),
        cmocka_unit_test(test_decoding_by_warps),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_pack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
