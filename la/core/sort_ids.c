/* Sorting of 32-bit ids: a radix sort from the least significant digit, and for a few ids a sort by insertion. */
#include <string.h>

#include <semla/host.h>

/* Lists with fewer ids than a long list has small digits, whose counts take less time to clear. */
enum { FEW = 32, LONG = 1 << 12, SMALL_DIGIT = 8, DIGIT = 11, DIGITS = 1 << DIGIT };

static void sort_few(uint32_t *ids, uint64_t count)
{
    for (uint64_t k = 1; k < count; k++) {
        const uint32_t id = ids[k];
        uint64_t at = k;
        for (; at > 0 && ids[at - 1] > id; at--)
            ids[at] = ids[at - 1];
        ids[at] = id;
    }
}

static void sort_digit(uint32_t *to, const uint32_t *from, uint64_t count, unsigned shift,
                       uint32_t digits)
{
    uint64_t place[DIGITS], sum = 0;
    memset(place, 0, digits * sizeof *place);
    for (uint64_t k = 0; k < count; k++)
        place[from[k] >> shift & (digits - 1)]++;
    for (uint32_t d = 0; d < digits; d++) {
        const uint64_t here = place[d];
        place[d] = sum;
        sum += here;
    }
    for (uint64_t k = 0; k < count; k++)
        to[place[from[k] >> shift & (digits - 1)]++] = from[k];
}

void sl_sort_ids(uint32_t *ids, uint64_t count, uint64_t limit, uint32_t *scratch)
{
    const unsigned digit = count < LONG ? SMALL_DIGIT : DIGIT;
    uint32_t *from = ids, *to = scratch;
    if (count <= FEW) {
        sort_few(ids, count);
        return;
    }
    for (unsigned shift = 0; shift < 32 && (limit - 1) >> shift; shift += digit) {
        sort_digit(to, from, count, shift, (uint32_t)1 << digit);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != ids)
        memcpy(ids, from, count * sizeof *ids);
}
