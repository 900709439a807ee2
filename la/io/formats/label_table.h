/*
 * Labels of vertices: a table that numbers the distinct labels of a file in the order of their first
 * use, one per thread, and the final numbers, which depend on the set of labels alone.
 */
#ifndef SEMLA_IO_LABEL_TABLE_H
#define SEMLA_IO_LABEL_TABLE_H

#include <semla/random.h>

#include "io/formats/reader.h"

#pragma GCC visibility push(hidden)

/*
 * A hash table with open addressing. A label of up to 8 bytes is in its slot, so that a search touches
 * the slot alone; a longer one is compared with its record. `text` has a record for each label: its
 * number, 8 bytes, the label, and a NUL; label k starts at start[k]. Start with {0}.
 */
enum { LABEL_SHORT = 8, LABEL_LONG = 15 };
typedef struct {
    uint64_t key; /* the bytes of a short label, or the hash of a long one */
    uint64_t
        kind; /* 0: free; low 4 bits: the length of a short label, or LABEL_LONG; above them: the
                      number of a short label, or the position of a long one in the text */
} label_slot;

struct label_table {
    char *text;
    uint64_t used, room;
    uint64_t *start;
    uint64_t count, capacity;
    label_slot *slots;
    uint64_t slot_count; /* 0 or a power of 2, at least twice `count` */
    char *scratch;       /* scratch of the scanner, for labels with quotes */
    size_t scratch_room;
};

/* The bytes of a label of up to 8 bytes as a number, without reading others. */
static inline uint64_t label_word(const char *label, size_t length)
{
    if (length >= 4) {
        uint32_t first, last;
        memcpy(&first, label, 4);
        memcpy(&last, label + length - 4, 4);
        return first | (uint64_t)last << (8 * (length - 4));
    }
    const unsigned char *bytes = (const unsigned char *)label;
    uint64_t word = 0;
    for (size_t k = 0; k < length; k++)
        word |= (uint64_t)bytes[k] << (8 * k);
    return word;
}

/* The hash of a label of up to 8 bytes with this label_word, and of any label. */
static inline uint64_t label_word_hash(uint64_t word, size_t length)
{
    return sl_random(word ^ (uint64_t)length << 60, 0);
}

uint64_t label_long_hash(const char *label, size_t length);
static inline uint64_t label_hash(const char *label, size_t length)
{
    return length <= LABEL_SHORT ? label_word_hash(label_word(label, length), length)
                                 : label_long_hash(label, length);
}

/* label_table_expect fetches the slot of a hash ahead, label_table_expect_record then the record of
 * the long label that the slot refers to. */
static inline void label_table_expect(const label_table *t, uint64_t hash)
{
    if (t->slots)
        __builtin_prefetch(&t->slots[hash & (t->slot_count - 1)]);
}

static inline void label_table_expect_record(const label_table *t, uint64_t hash)
{
    if (!t->slots)
        return;
    const uint64_t kind = t->slots[hash & (t->slot_count - 1)].kind;
    if ((kind & LABEL_LONG) == LABEL_LONG)
        __builtin_prefetch(t->text + (kind >> 4));
}

/* Sets the number of a label of `length` bytes, which is new if it is not in the table. SL_SYNTAX if
 * it contains a NUL; SL_NO_MEMORY. */
sl_status label_table_number(label_table *t, const char *label, size_t length, uint64_t hash,
                             uint64_t *number);

void label_table_free(label_table *t);

/*
 * The order of labels: integers of 64 bits without leading zeros first, by their value, then all
 * others by their bytes. Negative, 0 or positive as of strcmp.
 */
int compare_labels(const char *a, const char *b);

/*
 * Numbers the labels of all threads 0, 1, ... in their order, replaces the numbers of the tables in
 * all tuples of the reader, and sets the labels and the shape of r->edges. O(tuples + labels * log
 * labels). SL_NO_MEMORY.
 */
sl_status number_labels(reader *r);

#pragma GCC visibility pop
#endif
