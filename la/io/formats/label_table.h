/*
 * Labels of vertices: a table that numbers the distinct labels of a file in the order of their first
 * use, one per thread, and the final numbers, which depend on the set of labels alone.
 */
#ifndef SEMLA_IO_LABEL_TABLE_H
#define SEMLA_IO_LABEL_TABLE_H

#include "reader.h"

#pragma GCC visibility push(hidden)

/*
 * A hash table with open addressing. The labels are in `text`, each with a NUL behind it; label k
 * starts at start[k]. Start with {0}.
 */
struct label_table {
    char *text;
    uint64_t used, room;
    uint64_t *start;
    uint64_t count, capacity;
    struct label_slot {
        uint64_t hash, number; /* number of the label plus 1; 0: the slot is free */
    } * slots;
    uint64_t slot_count; /* 0 or a power of 2, at least twice `count` */
    char *scratch;       /* of the scanner, for labels with quotes */
    size_t scratch_room;
};

/* Sets the number of a label of `length` bytes, which is new if it is not in the table. SL_SYNTAX if
 * it contains a NUL; SL_NO_MEMORY. */
sl_status label_table_number(label_table *t, const char *label, size_t length, uint64_t *number);

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
