/*
 * Labels of vertices: a table that numbers the distinct labels of a file in the order of their first
 * use, one per thread, and the final numbers, which depend on the set of labels alone.
 */
#ifndef SEMLA_IO_LABEL_TABLE_H
#define SEMLA_IO_LABEL_TABLE_H

#include "reader.h"

#pragma GCC visibility push(hidden)

#define LABEL_POSITION ((UINT64_C(1) << 48) - 1) /* the bits of a slot that are a position */

/*
 * A hash table with open addressing. `text` has a record for each label: its number, 8 bytes, the label,
 * and a NUL; label k starts at start[k]. A slot has the position of a label in its low 48 bits, and
 * 16 bits of the hash above them, so that a search touches the slot and the record alone. Start with
 * {0}.
 */
struct label_table {
    char *text;
    uint64_t used, room;
    uint64_t *start;
    uint64_t count, capacity;
    uint64_t *slots;     /* 0: free */
    uint64_t slot_count; /* 0 or a power of 2, at least twice `count` */
    char *scratch;       /* of the scanner, for labels with quotes */
    size_t scratch_room;
};

/* The hash of a label. label_table_expect fetches its slot ahead, label_table_expect_record then the
 * record of the label that the slot refers to. */
uint64_t label_hash(const char *label, size_t length);
static inline void label_table_expect(const label_table *t, uint64_t hash)
{
    if (t->slots)
        __builtin_prefetch(&t->slots[hash & (t->slot_count - 1)]);
}

static inline void label_table_expect_record(const label_table *t, uint64_t hash)
{
    if (t->slots)
        __builtin_prefetch(t->text + (t->slots[hash & (t->slot_count - 1)] & LABEL_POSITION));
}

/* Sets the number of a label of `length` bytes, which is new if it is not in the table. SL_SYNTAX if
 * it contains a NUL; SL_NO_MEMORY. */
sl_status label_table_number(label_table *t, const char *label, size_t length, uint64_t hash,
                             uint64_t *number);

void label_table_free(label_table *t);

/*
 * The order of labels: numbers of up to 19 digits without leading zeros first, by their value, then
 * all others by their bytes. Negative, 0 or positive as of strcmp.
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
