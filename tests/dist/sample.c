#include "sample.h"

#include <stdlib.h>

#include "support.h"

uint64_t draw(void)
{
    static uint64_t state = 42;
    return test_random(&state);
}

uint64_t below(uint64_t n)
{
    return (uint64_t)(((unsigned __int128)draw() * n) >> 64);
}

sample sample_make(uint64_t limit, uint64_t count, bool near)
{
    sample s = {.limit = limit};
    const uint64_t range = near && 2 * count < limit ? 2 * count + 1 : limit;
    const uint64_t first = below(limit - range + 1);
    count = count < limit ? count : limit;
    s.bits = calloc(sl_bits_words(limit) + 1, sizeof *s.bits);
    for (uint64_t k = 0; k < count; k++)
        sl_bit_set(s.bits, count < limit ? first + below(range) : k);
    s.count = sl_bits_count(s.bits, sl_bits_words(limit));
    s.list = malloc((s.count + 1) * sizeof *s.list);
    s.scratch = malloc((s.count + 1) * sizeof *s.scratch);
    assert_int_equal(sl_bits_list(s.list, s.bits, sl_bits_words(limit)), s.count);
    return s;
}

void sample_free(sample *s)
{
    free(s->bits);
    free(s->list);
    free(s->scratch);
}
