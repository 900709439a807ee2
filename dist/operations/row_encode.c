/* Encodes a block as messages of compressed rows: two passes over the rows for each part. */
#include "dist/operations/row_format.h"

#include <string.h>

/* The entries of a block: line k is row row[k], or row k if `row` is NULL. */
typedef struct {
    sl_arrays arrays;
    uint64_t lines;
    uint64_t *row;    /* or NULL; owned */
    uint64_t *begin;  /* lines + 1; owned if `row` is not NULL */
    uint64_t *from;   /* the first entry of each line in the part that is encoded */
    uint64_t *length; /* the entries of each line in the part */
    size_t value_size;
    sl_rows_carry carries;
    const void *same; /* the value of all entries: of `arrays`, or `one` */
    sl_scalar one;
    sl_row_head head;
} source;

static sl_status no_memory(sl_grid *grid)
{
    return sl_fail(grid->ctx, SL_NO_MEMORY, "mxm: out of memory for messages");
}

/* The non-empty rows of a list of entries. */
static bool find_lines(source *s)
{
    const sl_arrays *a = &s->arrays;
    s->row = sl_malloc((a->nvals + 1) * sizeof *s->row);
    s->begin = sl_malloc((a->nvals + 1) * sizeof *s->begin);
    if (!s->row || !s->begin)
        return false;
    for (uint64_t k = 0; k < a->nvals; k++)
        if (k == 0 || a->rows[k] != a->rows[k - 1]) {
            s->row[s->lines] = a->rows[k];
            s->begin[s->lines++] = k;
        }
    s->begin[s->lines] = a->nvals;
    return true;
}

static void carry_values(source *s, bool values)
{
    sl_arrays *a = &s->arrays;
    s->value_size = sl_type_size(a->type);
    if (!values)
        return;
    const bool each = a->values ? !a->iso : a->nvals == 0;
    s->carries = each ? SL_ROWS_EACH_VALUE : SL_ROWS_SAME_VALUE;
    s->one = sl_scalar_cast(sl_scalar_bool(true), a->type);
    s->same = a->values ? a->values : &s->one.as;
}

static sl_status open_source(source *s, sl_grid *grid, const sl_object *block, bool values)
{
    uint64_t entries;
    *s = (source){0};
    SL_TRY_LOCAL(grid, sl_matrix_nvals(&entries, (const sl_matrix *)block));
    const bool compressed = sl_rows_suit(block->nrows, entries);
    SL_TRY_LOCAL(grid, sl_matrix_copy_out(&s->arrays, (const sl_matrix *)block,
                                          compressed ? SL_FORMAT_CSR : SL_FORMAT_COO));
    carry_values(s, values);
    if (compressed) {
        s->lines = block->nrows;
        s->begin = s->arrays.start;
    } else if (!find_lines(s)) {
        return no_memory(grid);
    }
    s->from = sl_malloc((s->lines + 1) * sizeof *s->from);
    s->length = sl_malloc((s->lines + 1) * sizeof *s->length);
    if (!s->from || !s->length)
        return no_memory(grid);
    memcpy(s->from, s->begin, s->lines * sizeof *s->from);
    return SL_OK;
}

static void close_source(source *s)
{
    if (s->row)
        sl_free(s->begin);
    sl_free(s->row);
    sl_free(s->from);
    sl_free(s->length);
    sl_arrays_free(&s->arrays);
}

/* ---- one part ------------------------------------------------------------------------------- */

/* The lengths of the lines in the part that ends before column `end`, and the head. */
static void measure(source *s, uint64_t begin, uint64_t end, uint64_t nrows)
{
    const uint64_t *cols = s->arrays.cols;
    uint64_t nvals = 0, longest = 0, filled = 0;
    for (uint64_t k = 0; k < s->lines; k++) {
        uint64_t at = s->from[k];
        if (end == s->arrays.ncols)
            at = s->begin[k + 1];
        while (at < s->begin[k + 1] && cols[at] < end)
            at++;
        s->length[k] = at - s->from[k];
        nvals += s->length[k];
        filled += s->length[k] > 0;
        longest = s->length[k] > longest ? s->length[k] : longest;
    }
    sl_row_head h = {.nvals = nvals,
                     .row_width = sl_row_width(nrows),
                     .length_width = sl_row_width(longest),
                     .column_width = sl_row_width(end > begin ? end - begin - 1 : 0),
                     .value_size = s->value_size,
                     .carries = (uint8_t)s->carries};
    h.listed = filled * (h.row_width + h.length_width) < nrows * h.length_width;
    h.lines = h.listed ? filled : nrows;
    s->head = h;
}

#define PUT_NUMBERS(T)                                                                             \
    static void put_lengths_##T(T *to, const source *s)                                            \
    {                                                                                              \
        if (!s->head.listed && s->row)                                                             \
            memset(to, 0, s->head.lines * sizeof *to);                                             \
        for (uint64_t k = 0, at = 0; k < s->lines; k++)                                            \
            if (!s->head.listed)                                                                   \
                to[s->row ? s->row[k] : k] = (T)s->length[k];                                      \
            else if (s->length[k])                                                                 \
                to[at++] = (T)s->length[k];                                                        \
    }                                                                                              \
    static void put_rows_##T(T *to, const source *s)                                               \
    {                                                                                              \
        for (uint64_t k = 0, at = 0; k < s->lines; k++)                                            \
            if (s->length[k])                                                                      \
                to[at++] = (T)(s->row ? s->row[k] : k);                                            \
    }                                                                                              \
    static void put_columns_##T(T *to, const source *s, uint64_t begin)                            \
    {                                                                                              \
        for (uint64_t k = 0; k < s->lines; k++) {                                                  \
            const uint64_t *cols = s->arrays.cols + s->from[k];                                    \
            for (uint64_t e = 0; e < s->length[k]; e++)                                            \
                *to++ = (T)(cols[e] - begin);                                                      \
        }                                                                                          \
    }
SL_ROW_WIDTHS(PUT_NUMBERS)
#undef PUT_NUMBERS

/* Calls the function for a width; each writes to memory that is aligned for it. */
#define BY_WIDTH(function, width, to, ...)                                                         \
    do {                                                                                           \
        switch (width) {                                                                           \
        case 1:                                                                                    \
            function##_uint8_t((uint8_t *)(to), __VA_ARGS__);                                      \
            break;                                                                                 \
        case 2:                                                                                    \
            function##_uint16_t((uint16_t *)(to), __VA_ARGS__);                                    \
            break;                                                                                 \
        case 4:                                                                                    \
            function##_uint32_t((uint32_t *)(to), __VA_ARGS__);                                    \
            break;                                                                                 \
        default:                                                                                   \
            function##_uint64_t((uint64_t *)(to), __VA_ARGS__);                                    \
        }                                                                                          \
    } while (0)

static void put_values(char *to, const source *s)
{
    const char *values = s->arrays.values;
    if (s->carries == SL_ROWS_SAME_VALUE)
        memcpy(to, s->same, s->value_size);
    if (s->carries != SL_ROWS_EACH_VALUE || !values) /* no array: no entries */
        return;
    for (uint64_t k = 0; k < s->lines; k++) {
        const size_t bytes = s->length[k] * s->value_size;
        memcpy(to, values + s->from[k] * s->value_size, bytes);
        to += bytes;
    }
}

static sl_status encode_part(uint8_t **message, uint64_t *bytes, source *s, sl_grid *grid,
                             uint64_t begin, uint64_t end, uint64_t nrows)
{
    measure(s, begin, end, nrows);
    const sl_row_layout at = sl_row_layout_of(&s->head);
    uint8_t *m = sl_malloc(at.end);
    if (!m)
        return no_memory(grid);
    memcpy(m, &s->head, sizeof s->head);
    if (s->head.listed)
        BY_WIDTH(put_rows, s->head.row_width, m + at.rows, s);
    BY_WIDTH(put_lengths, s->head.length_width, m + at.lengths, s);
    BY_WIDTH(put_columns, s->head.column_width, m + at.columns, s, begin);
    put_values((char *)m + at.values, s);
    for (uint64_t k = 0; k < s->lines; k++)
        s->from[k] += s->length[k];
    *message = m;
    *bytes = at.end;
    return SL_OK;
}

/* ---- a block ---------------------------------------------------------------------------------- */

sl_status sl_row_messages_encode(sl_row_messages *messages, sl_grid *grid, const sl_object *block,
                                 bool values, const uint64_t *cut, uint32_t parts)
{
    source s;
    messages->parts = parts;
    messages->message = sl_calloc(parts + 1, sizeof *messages->message);
    messages->bytes = sl_calloc(parts + 1, sizeof *messages->bytes);
    if (!messages->message || !messages->bytes)
        return no_memory(grid);
    if (parts == 0)
        return SL_OK;
    sl_status status = open_source(&s, grid, block, values);
    for (uint32_t p = 0; p < parts && status == SL_OK; p++)
        status = encode_part(&messages->message[p], &messages->bytes[p], &s, grid, cut[p],
                             cut[p + 1], block->nrows);
    close_source(&s);
    return status;
}

void sl_row_messages_free(sl_row_messages *messages)
{
    for (uint32_t p = 0; messages->message && p < messages->parts; p++)
        sl_free(messages->message[p]);
    sl_free(messages->message);
    sl_free(messages->bytes);
    *messages = (sl_row_messages){0};
}
