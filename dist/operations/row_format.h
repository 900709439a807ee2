/* The layout of a message of compressed rows. Private to row_encode.c and row_decode.c. */
#ifndef SEMLA_DIST_ROW_FORMAT_H
#define SEMLA_DIST_ROW_FORMAT_H

#include "dist/operations/row_messages.h"

typedef enum { SL_ROWS_NO_VALUES, SL_ROWS_SAME_VALUE, SL_ROWS_EACH_VALUE } sl_rows_carry;

typedef struct {
    uint64_t nvals;
    uint64_t lines;       /* rows that the message describes */
    uint8_t listed;       /* 1: their indices are in the message; 0: they are 0 .. lines - 1 */
    uint8_t row_width;    /* bytes of a row index */
    uint8_t length_width; /* bytes of the length of a row */
    uint8_t column_width; /* bytes of a column index */
    uint8_t carries;      /* sl_rows_carry */
    uint8_t unused[3];
    uint64_t value_size; /* bytes of a value */
} sl_row_head;

/* Where the arrays of a message begin, in bytes; each begins at a multiple of 8. */
typedef struct {
    uint64_t rows, lengths, columns, values, end;
} sl_row_layout;

static inline uint64_t sl_row_array(uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static inline uint64_t sl_row_values_bytes(const sl_row_head *h)
{
    return h->value_size * (h->carries == SL_ROWS_EACH_VALUE   ? h->nvals
                            : h->carries == SL_ROWS_SAME_VALUE ? 1
                                                               : 0);
}

static inline sl_row_layout sl_row_layout_of(const sl_row_head *h)
{
    sl_row_layout at = {.rows = sizeof *h};
    at.lengths = at.rows + sl_row_array(h->listed ? h->lines * h->row_width : 0);
    at.columns = at.lengths + sl_row_array(h->lines * h->length_width);
    at.values = at.columns + sl_row_array(h->nvals * h->column_width);
    at.end = at.values + sl_row_array(sl_row_values_bytes(h));
    return at;
}

/* The least width of numbers up to `most`. */
static inline uint8_t sl_row_width(uint64_t most)
{
    return most <= UINT8_MAX ? 1 : most <= UINT16_MAX ? 2 : most <= UINT32_MAX ? 4 : 8;
}

/* Whether a matrix is read or made as compressed rows and not as a list of entries, because it has
 * not too many rows for its entries. */
static inline bool sl_rows_suit(uint64_t nrows, uint64_t entries)
{
    return nrows / 8 <= entries + (1 << 16);
}

/* X(TYPE): the unsigned integers of these widths. */
#define SL_ROW_WIDTHS(X) X(uint8_t) X(uint16_t) X(uint32_t) X(uint64_t)

#endif
