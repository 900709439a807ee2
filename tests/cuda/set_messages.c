/* Sets of vertices that the device encodes as bitmaps and lists have the bytes that they must have,
 * decoding gives the same ids, and a message with a wrong id, count or size is refused; nothing
 * outside messages and bitmaps is written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/search/grid/set_messages.h"
#include "sample.h"
#include "support.h"

static sl_context *ctx;
static cuda_set_workspace coder;

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

static const char *name_of(sl_group_codec form)
{
    return form == SL_GROUP_BITMAP ? "bitmap" : "list";
}

/* The bytes that a set must have in a form. */
static const void *right_bytes(uint64_t *bytes, const sample *s, sl_group_codec form)
{
    *bytes = form == SL_GROUP_BITMAP ? (s->limit + 7) / 8 : s->count * sizeof *s->list;
    return form == SL_GROUP_BITMAP ? (const void *)s->bits : s->list;
}

static void check_encoding(const sample *s, sl_group_codec form)
{
    cuda_set set = {.form = form, .count = s->count, .limit = s->limit};
    const uint64_t words = (s->limit + 31) / 32;
    uint64_t bytes;
    const void *right = right_bytes(&bytes, s, form);
    uint32_t *bits;
    block message;
    OK(ctx, sl_cuda_alloc(ctx, (void **)&bits, (words + 1) * sizeof *bits));
    OK(ctx, sl_cuda_upload(ctx, bits, s->bits, words * sizeof *bits));
    OK(ctx, sl_cuda_encode_set(&coder, ctx, block_new(&message, bytes), &set, bits));
    assert_int_equal(set.bytes, bytes);
    uint8_t *got = block_read(&message, bytes);
    assert_memory_equal(got, right, bytes);
    free(got);
    sl_cuda_free(bits);
}

/* Decodes a message into `bits`, which has a word more than the set; false: it was refused. */
static bool decode(uint64_t *bits, const void *in, const cuda_set *set)
{
    const uint64_t words = sl_bits_words(set->limit);
    block message, marked;
    uint8_t *at = block_new(&message, set->bytes);
    OK(ctx, sl_cuda_upload(ctx, at, in, set->bytes));
    uint32_t *to = (uint32_t *)block_new(&marked, words * sizeof *bits);
    OK(ctx, sl_cuda_zero(ctx, to, words * sizeof *bits));
    OK(ctx, sl_cuda_decode_begin(&coder, ctx));
    OK(ctx, sl_cuda_decode_set(&coder, ctx, to, at, set));
    const sl_status status = sl_cuda_decode_end(&coder, ctx);
    assert_true(status == SL_OK || status == SL_ENGINE_FAULT);
    uint8_t *got = block_read(&marked, words * sizeof *bits);
    memcpy(bits, got, words * sizeof *bits);
    free(got);
    if (set->limit % 64)
        assert_int_equal(bits[words - 1] >> set->limit % 64, 0);
    sl_cuda_free(message.memory);
    return status == SL_OK;
}

/* ---- tests --------------------------------------------------------------------------------- */

static const uint64_t limits[] = {1, 2, 31, 32, 33, 64, 1000, 1024, 16385, 65536, 262145, 600000};
enum { LIMITS = sizeof limits / sizeof *limits };

static void check_round_trip(const sample *s, sl_group_codec form)
{
    cuda_set set = {.form = form, .count = s->count, .limit = s->limit};
    uint64_t *bits = malloc((sl_bits_words(s->limit) + 1) * sizeof *bits);
    const void *right = right_bytes(&set.bytes, s, form);
    check_encoding(s, form);
    if (!decode(bits, right, &set))
        fail_msg("%llu of %llu ids as a %s are refused", (unsigned long long)s->count,
                 (unsigned long long)s->limit, name_of(form));
    assert_memory_equal(bits, s->bits, sl_bits_words(s->limit) * sizeof *bits);
    free(bits);
}

static void test_round_trips(void **unused)
{
    for (unsigned l = 0; l < LIMITS; l++) {
        const uint64_t n = limits[l];
        const uint64_t counts[] = {0, 1, 31, 32, 33, n / 1000, n / 100, n / 16, n / 2, n};
        for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++) {
            sample s = sample_make(n, counts[c] < n ? counts[c] : n, (c + l) % 2);
            check_round_trip(&s, SL_GROUP_BITMAP);
            check_round_trip(&s, SL_GROUP_LIST);
            sample_free(&s);
        }
    }
}

/* Ids of a list in any order, also twice, are set; an id that is not below the limit is refused. */
static void test_damaged_lists(void **unused)
{
    for (unsigned run = 0; run < 60; run++) {
        const uint64_t limit = 2 + below(run % 4 ? 3000 : 300000);
        sample s = sample_make(limit, 1 + below(limit / (1 + run % 5)), false);
        cuda_set set = {.form = SL_GROUP_LIST, .count = s.count, .limit = limit};
        const uint64_t k = below(s.count);
        uint64_t *bits = malloc((sl_bits_words(limit) + 1) * sizeof *bits);
        set.bytes = s.count * sizeof *s.list;
        const uint32_t id = s.list[k];
        s.list[k] = s.list[0];
        s.list[0] = id;
        assert_true(decode(bits, s.list, &set));
        assert_memory_equal(bits, s.bits, sl_bits_words(limit) * sizeof *bits);
        s.list[k] = (uint32_t)(limit + below(2) * below(1000));
        assert_false(decode(bits, s.list, &set));
        free(bits);
        sample_free(&s);
    }
}

/* A bit more or less than counted, and a bit beyond the limit in the last byte, are refused. */
static void test_damaged_bitmaps(void **unused)
{
    for (unsigned run = 0; run < 60; run++) {
        const uint64_t limit = 1 + below(run % 4 ? 3000 : 300000), id = below(limit);
        sample s = sample_make(limit, below(limit / (1 + run % 5) + 1), false);
        const cuda_set set = {
            .form = SL_GROUP_BITMAP, .count = s.count, .limit = limit, .bytes = (limit + 7) / 8};
        uint64_t *bits = malloc((sl_bits_words(limit) + 1) * sizeof *bits);
        s.bits[id / 64] ^= UINT64_C(1) << id % 64;
        assert_false(decode(bits, s.bits, &set));
        s.bits[id / 64] ^= UINT64_C(1) << id % 64;
        assert_true(decode(bits, s.bits, &set));
        if (limit % 8) {
            s.bits[limit / 64] |= UINT64_C(1) << limit % 64;
            assert_false(decode(bits, s.bits, &set));
        }
        free(bits);
        sample_free(&s);
    }
}

/* Sizes that do not suit the form and the count, more ids than the limit, and an unknown form. */
static void test_refused(void **unused)
{
    static const cuda_set bad[] = {
        {.form = SL_GROUP_LIST, .count = 2, .limit = 100, .bytes = 4},
        {.form = SL_GROUP_LIST, .count = 2, .limit = 100, .bytes = 9},
        {.form = SL_GROUP_LIST, .count = 0, .limit = 100, .bytes = 4},
        {.form = SL_GROUP_LIST, .count = 3, .limit = 2, .bytes = 12},
        {.form = SL_GROUP_BITMAP, .count = 0, .limit = 100, .bytes = 12},
        {.form = SL_GROUP_BITMAP, .count = 0, .limit = 100, .bytes = 14},
        {.form = SL_GROUP_BITMAP, .count = 101, .limit = 100, .bytes = 13},
        {.form = SL_GROUP_CODECS, .count = 1, .limit = 100, .bytes = 4},
    };
    static const uint32_t in[4];
    uint64_t bits[3];
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(decode(bits, in, &bad[k]));
    assert_non_null(strstr(sl_context_message(ctx), "message"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_damaged_lists),
        cmocka_unit_test(test_damaged_bitmaps),
        cmocka_unit_test(test_refused),
    };
    if (sl_cuda_unavailable_reason()) {
        printf("engine cuda skipped: %s\n", sl_cuda_unavailable_reason());
        return 0;
    }
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK)
        return 1;
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sl_cuda_set_workspace_free(&coder);
    sl_context_free(ctx);
    return failures;
}
