/*
 * Least-significant-digit radix sort with digits of 8 or 11 bits; insertion sort for few records;
 * sorted input is detected. Cost: O(n * bits / 11).
 */
#include "io/tuples/sort.h"

#include <stddef.h>
#include <string.h>

enum {
    FEW = 24,    /* up to this number insertion sort is faster */
    MANY = 4096, /* from this number on digits of 11 bits are faster */
    DIGIT_BITS_FEW = 8,
    DIGIT_BITS_MANY = 11
};

static bool is_sorted(const uint64_t *keys, uint64_t n)
{
    for (uint64_t k = 1; k < n; k++)
        if (keys[k - 1] > keys[k])
            return false;
    return true;
}

static void sort_few(records data, uint64_t n)
{
    for (uint64_t k = 1; k < n; k++) {
        uint64_t key = data.keys[k];
        word value = data.values ? data.values[k] : 0;
        uint64_t hole = k;
        for (; hole > 0 && data.keys[hole - 1] > key; hole--) {
            data.keys[hole] = data.keys[hole - 1];
            if (data.values)
                data.values[hole] = data.values[hole - 1];
        }
        data.keys[hole] = key;
        if (data.values)
            data.values[hole] = value;
    }
}

/* One pass over the digit at `shift`; false if all records have the same digit. */
static inline bool pass(records from, records to, uint64_t n, unsigned shift, unsigned digit_bits,
                        bool valued)
{
    uint64_t next[1 << DIGIT_BITS_MANY];
    const uint64_t mask = (UINT64_C(1) << digit_bits) - 1;
    memset(next, 0, sizeof *next << digit_bits);
    for (uint64_t k = 0; k < n; k++)
        next[(from.keys[k] >> shift) & mask]++;
    if (next[(from.keys[0] >> shift) & mask] == n)
        return false;
    for (uint64_t digit = 0, sum = 0; digit <= mask; digit++) {
        uint64_t count = next[digit];
        next[digit] = sum;
        sum += count;
    }
    for (uint64_t k = 0; k < n; k++) {
        uint64_t position = next[(from.keys[k] >> shift) & mask]++;
        to.keys[position] = from.keys[k];
        if (valued)
            to.values[position] = from.values[k];
    }
    return true;
}

records sort_records(records data, records scratch, uint64_t n, unsigned bits)
{
    if (is_sorted(data.keys, n))
        return data;
    if (n <= FEW) {
        sort_few(data, n);
        return data;
    }
    const unsigned most = n < MANY ? DIGIT_BITS_FEW : DIGIT_BITS_MANY;
    const unsigned passes = (bits + most - 1) / most;
    const unsigned digit_bits = (bits + passes - 1) / passes;
    for (unsigned shift = 0; shift < bits; shift += digit_bits) {
        bool moved = data.values ? pass(data, scratch, n, shift, digit_bits, true)
                                 : pass(data, scratch, n, shift, digit_bits, false);
        if (moved) {
            records other = data;
            data = scratch;
            scratch = other;
        }
    }
    return data;
}
