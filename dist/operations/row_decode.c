/* Makes a matrix from messages of compressed rows, put side by side: two passes over the messages. */
#include "dist/operations/row_format.h"

#include <string.h>

typedef struct {
    sl_grid *grid;
    const sl_row_parts *parts;
    sl_arrays arrays; /* CSR: start[row] is where the next entry of the row is written; or COO */
    uint64_t written; /* COO: entries so far */
    size_t value_size;
    bool each; /* entries have values of their own */
} target;

static sl_row_head head_of(const uint8_t *message)
{
    sl_row_head h;
    memcpy(&h, message, sizeof h);
    return h;
}

uint64_t sl_row_message_values(const uint8_t *message)
{
    const sl_row_head h = head_of(message);
    return sl_row_values_bytes(&h);
}

/* Number k of an array of numbers of this width. */
static inline uint64_t number_at(const uint8_t *array, unsigned width, uint64_t k)
{
    switch (width) {
    case 1:
        return array[k];
    case 2:
        return ((const uint16_t *)array)[k];
    case 4:
        return ((const uint32_t *)array)[k];
    default:
        return ((const uint64_t *)array)[k];
    }
}

static inline uint64_t row_of(const uint8_t *rows, const sl_row_head *h, uint64_t line)
{
    return h->listed ? number_at(rows, h->row_width, line) : line;
}

/* ---- allocation ---------------------------------------------------------------------------------- */

/* Counts the entries, and finds out whether all of them have the same value. */
static void examine(target *t)
{
    const sl_row_parts *p = t->parts;
    const uint8_t *same = NULL;
    t->arrays.iso = p->values == SL_ROW_VALUES;
    for (uint32_t k = 0; k < p->count; k++) {
        const sl_row_head h = head_of(p->part[k]);
        const uint8_t *values = p->part[k] + sl_row_layout_of(&h).values;
        t->arrays.nvals += h.nvals;
        if (h.nvals == 0 || h.carries == SL_ROWS_NO_VALUES)
            continue;
        if (h.carries == SL_ROWS_EACH_VALUE || (same && memcmp(same, values, h.value_size) != 0))
            t->arrays.iso = false;
        same = values;
    }
    t->arrays.iso = t->arrays.iso && t->arrays.nvals > 0;
    t->each = p->values == SL_ROW_VALUES && !t->arrays.iso;
    t->value_size = sl_type_size(t->arrays.type);
}

static void *array(uint64_t count, size_t size)
{
    return sl_malloc(count > 0 ? count * size : 1);
}

static sl_status allocate(target *t)
{
    sl_arrays *a = &t->arrays;
    const bool pattern = t->parts->values == SL_ROW_PATTERN;
    if (a->format == SL_FORMAT_CSR)
        a->start = sl_calloc(a->nrows + 1, sizeof *a->start);
    else
        a->rows = array(a->nvals, sizeof *a->rows);
    a->cols = array(a->nvals, sizeof *a->cols);
    if (!pattern)
        a->values = array(a->iso ? 1 : a->nvals, t->value_size);
    return (a->start || a->rows) && a->cols && (a->values || pattern)
               ? SL_OK
               : sl_fail(t->grid->ctx, SL_NO_MEMORY, "mxm: out of memory for %zu entries",
                         (size_t)a->nvals);
}

/* ---- entries --------------------------------------------------------------------------------------- */

static uint64_t row_shift_of(const target *t, uint32_t part)
{
    return t->parts->row_shift ? t->parts->row_shift[part] : 0;
}

static void add_lengths(target *t, const uint8_t *message, uint64_t row_shift)
{
    const sl_row_head h = head_of(message);
    const sl_row_layout at = sl_row_layout_of(&h);
    for (uint64_t k = 0; k < h.lines; k++)
        t->arrays.start[row_of(message + at.rows, &h, k) + row_shift + 1] +=
            number_at(message + at.lengths, h.length_width, k);
}

/* Turns lengths, which begin at start[1], into the first entries of rows. */
static void sum_lengths(uint64_t *start, uint64_t nrows)
{
    for (uint64_t k = 0; k < nrows; k++)
        start[k + 1] += start[k];
}

/* In each row, copies one part's columns and values behind the ones of the parts before it. */
#define COPY_PART(T)                                                                               \
    static void copy_part_##T(target *t, const uint8_t *message, uint64_t shift,                   \
                              uint64_t row_shift)                                                  \
    {                                                                                              \
        const sl_row_head h = head_of(message);                                                    \
        const sl_row_layout at = sl_row_layout_of(&h);                                             \
        const T *from = (const T *)(message + at.columns);                                         \
        const char *values = (const char *)message + at.values;                                    \
        sl_arrays *a = &t->arrays;                                                                 \
        for (uint64_t k = 0; k < h.lines; k++) {                                                   \
            const uint64_t row = row_of(message + at.rows, &h, k) + row_shift,                     \
                           length = number_at(message + at.lengths, h.length_width, k);            \
            uint64_t *next = a->start ? &a->start[row] : &t->written;                              \
            for (uint64_t e = 0; e < length; e++)                                                  \
                a->cols[*next + e] = from[e] + shift;                                              \
            for (uint64_t e = 0; a->rows && e < length; e++)                                       \
                a->rows[*next + e] = row;                                                          \
            if (t->each && h.carries == SL_ROWS_EACH_VALUE)                                        \
                memcpy((char *)a->values + *next * t->value_size, values, length * t->value_size); \
            for (uint64_t e = 0; t->each && h.carries == SL_ROWS_SAME_VALUE && e < length; e++)    \
                memcpy((char *)a->values + (*next + e) * t->value_size, values, t->value_size);    \
            from += length;                                                                        \
            values += h.carries == SL_ROWS_EACH_VALUE ? length * t->value_size : 0;                \
            *next += length;                                                                       \
        }                                                                                          \
    }
SL_ROW_WIDTHS(COPY_PART)
#undef COPY_PART

static void copy_part(target *t, const uint8_t *message, uint64_t shift, uint64_t row_shift)
{
    switch (head_of(message).column_width) {
    case 1:
        copy_part_uint8_t(t, message, shift, row_shift);
        break;
    case 2:
        copy_part_uint16_t(t, message, shift, row_shift);
        break;
    case 4:
        copy_part_uint32_t(t, message, shift, row_shift);
        break;
    default:
        copy_part_uint64_t(t, message, shift, row_shift);
    }
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* All entries have the value of the first part that has entries. */
static void copy_same_value(target *t)
{
    for (uint32_t k = 0; k < t->parts->count; k++) {
        const sl_row_head h = head_of(t->parts->part[k]);
        if (h.nvals == 0)
            continue;
        memcpy(t->arrays.values, t->parts->part[k] + sl_row_layout_of(&h).values, h.value_size);
        return;
    }
}

/* Indices in the whole object as values. */
static void write_indices(target *t)
{
    const bool of_rows = t->parts->values == SL_ROW_INDEX;
    const sl_local_blocks *blocks = of_rows ? t->parts->rows : t->parts->cols;
    sl_arrays *a = &t->arrays;
    int64_t *values = a->values;
    if (of_rows && a->start)
        for (uint64_t row = 0; row < a->nrows; row++)
            for (uint64_t k = a->start[row]; k < a->start[row + 1]; k++)
                values[k] = (int64_t)sl_global_index(blocks, row);
    else
        for (uint64_t k = 0; k < a->nvals; k++)
            values[k] = (int64_t)sl_global_index(blocks, of_rows ? a->rows[k] : a->cols[k]);
}

static void fill(target *t)
{
    const sl_row_parts *p = t->parts;
    sl_arrays *a = &t->arrays;
    for (uint32_t k = 0; a->start && k < p->count; k++)
        add_lengths(t, p->part[k], row_shift_of(t, k));
    if (a->start)
        sum_lengths(a->start, a->nrows);
    for (uint32_t k = 0; k < p->count; k++)
        copy_part(t, p->part[k], p->shift ? p->shift[k] : 0, row_shift_of(t, k));
    if (a->start) { /* each row's next entry is now the first of the following row */
        memmove(a->start + 1, a->start, a->nrows * sizeof *a->start);
        a->start[0] = 0;
    }
    if (a->iso)
        copy_same_value(t);
    if (p->values == SL_ROW_INDEX || p->values == SL_ROW_COLUMN)
        write_indices(t);
}

sl_status sl_row_messages_decode(sl_matrix **A, sl_grid *grid, const sl_row_parts *parts)
{
    target t = {.grid = grid, .parts = parts};
    t.arrays = (sl_arrays){.type = parts->values == SL_ROW_VALUES    ? parts->type
                                   : parts->values == SL_ROW_PATTERN ? SL_BOOL
                                                                     : SL_INT64,
                           .nrows = parts->nrows,
                           .ncols = parts->ncols,
                           .trusted = true};
    examine(&t);
    t.arrays.format = sl_rows_suit(parts->nrows, t.arrays.nvals) ? SL_FORMAT_CSR : SL_FORMAT_COO;
    sl_status status = allocate(&t);
    if (status == SL_OK) {
        fill(&t);
        status = sl_matrix_take(A, grid->local, &t.arrays);
        if (status < 0)
            sl_grid_local_failed(grid, status);
    }
    sl_arrays_free(&t.arrays);
    return status;
}
