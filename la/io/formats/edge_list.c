/* Reader of SNAP, KONECT and plain edge lists: two to four columns, comments with # or %. */
#include "io/files/scan.h"
#include "io/formats/format.h"
#include "io/formats/reader.h"

/* One line: u and v, a weight if there is a third column, a time, which is not kept, if there is a
 * fourth. */
typedef struct {
    uint64_t u, v;
    double weight;
    int columns;
} edge;

/*
 * Scans an id that is not in 0 to 2^60 - 1, or none. Such ids, of 64 bits and with a sign, are
 * accepted if ids are renumbered. *end becomes its end.
 */
static sl_status scan_large_id(reader *r, const char *p, const char **end, uint64_t *id,
                               const char *what)
{
    const input *s = &r->input;
    const int length = word_length(p, 40);
    bool negative = false, overflow = false;
    *end = scan_integer(p, id, &negative, &overflow);
    if ((!*end && !overflow) || *p == '+')
        return input_expected(s, p, what);
    if (r->options->base > 0 && (*p == '-' || (*end && *id == 0)))
        return input_fail(s, p, SL_OUT_OF_RANGE,
                          "vertex id %.*s is out of range: ids start at 1 (base 1)", length, p);
    if (!(r->options->flags & SL_READ_RENUMBER))
        return input_fail(
            s, p, SL_OUT_OF_RANGE,
            "vertex id %.*s is %s; --renumber (SL_READ_RENUMBER) accepts all integers "
            "of 64 bits",
            length, p, *p == '-' ? "negative" : "above the limit 2^60");
    if (overflow)
        return input_fail(s, p, SL_OUT_OF_RANGE, "vertex id %.*s does not fit in 64 bits", length,
                          p);
    r->negative_values |= negative && *id != 0;
    r->unsigned_values |= !negative && *id > INT64_MAX;
    return SL_OK;
}

/* Scans an id and the blanks after it. */
static inline sl_status scan_id(reader *r, const char **p, uint64_t *id, const char *what)
{
    const input *s = &r->input;
    bool overflow = false;
    const char *end = scan_digits(*p, id, &overflow);
    if (__builtin_expect(!end || *id - r->options->base >= UINT64_C(1) << MAX_DIMENSION_LOG,
                         false)) {
        sl_status status = scan_large_id(r, *p, &end, id, what);
        if (status != SL_OK)
            return status;
    }
    const char *next = skip_blanks(end);
    if (__builtin_expect(next == end && *end != '\n', false)) {
        if (*end == ',' || *end == ';')
            return input_fail(
                s, end, SL_SYNTAX,
                "expected a blank after a vertex id, found '%c'; comma-separated files "
                "are read as CSV (--format csv)",
                *end);
        return input_expected(s, end, "a blank after a vertex id");
    }
    *p = next;
    return SL_OK;
}

/* Checks the fourth column: a number of any size, because it is not kept. */
static sl_status scan_time(const input *s, const char **p)
{
    double time;
    number_fault fault;
    const char *end = scan_real(*p, &time, &fault);
    if (!end)
        return input_expected(s, *p, "a time or the end of the line after the weight");
    *p = skip_blanks(end);
    if (**p != '\n')
        return input_expected(s, *p, "the end of the line after the time");
    return SL_OK;
}

/* Scans a line. *p is moved behind the line; on failure it is at the error. */
static inline sl_status scan_edge(reader *r, const char **p, edge *e)
{
    const input *s = &r->input;
    sl_status status = scan_id(r, p, &e->u, "a vertex id");
    if (status == SL_OK)
        status = scan_id(r, p, &e->v, "a second vertex id");
    if (status != SL_OK)
        return status;
    e->columns = 2;
    if (**p != '\n') {
        status = scan_fp64(s, p, "a weight", &e->weight);
        if (status == SL_OK)
            status = scan_blank(s, p, "a blank or the end of the line after the weight");
        e->columns = 3;
    }
    if (status == SL_OK && **p != '\n') {
        status = scan_time(s, p);
        e->columns = 4;
    }
    if (status != SL_OK)
        return status;
    ++*p;
    return SL_OK;
}

/* The number of columns of the first edge, which all others must have, and whether to store the
 * weights. */
typedef struct {
    int columns;
    bool keep_weights;
} line_form;

static sl_status scan_edges(reader *r, const char *p, const void *format)
{
    const line_form *form = format;
    const input *s = &r->input;
    sl_edges *edges = &r->edges;
    const unsigned base = r->options->base;
    while (block_line(s, &p, "#%")) {
        const char *line = p;
        edge e;
        sl_status status = scan_edge(r, &p, &e);
        if (status != SL_OK)
            return status;
        if (__builtin_expect(e.columns != form->columns, false))
            return input_fail(s, line, SL_SYNTAX, "the line has %d columns; the first edge has %d",
                              e.columns, form->columns);
        if (edges->count == r->capacity) {
            /*
             * estimate: a line has at least 4 bytes, typically 8 or more; unknown for compressed
             * files
             */
            uint64_t hint = s->compressed ? 0 : reader_bytes(r) / 8;
            status = reader_grow(r, hint > 1024 ? hint : 1024, form->keep_weights);
            if (status != SL_OK)
                return status;
        }
        const uint64_t i = e.u - base, j = e.v - base;
        edges->row[edges->count] = i;
        edges->col[edges->count] = j;
        if (form->keep_weights)
            ((double *)edges->values)[edges->count] = e.weight;
        edges->count++;
        uint64_t larger = i > j ? i : j;
        r->max_index = larger > r->max_index ? larger : r->max_index;
    }
    return SL_OK;
}

sl_status read_edge_list(reader *r)
{
    input *s = &r->input;
    sl_edges *edges = &r->edges;
    const char *p = s->begin;
    edges->type = SL_BOOL;
    sl_status status = input_line(s, &p, "#%");
    if (status == SL_OK && p != s->end) {
        const char *ahead = p;
        edge first;
        line_form form;
        if ((status = scan_edge(r, &ahead, &first)) != SL_OK) {
            const char *title = format_of_text(p, s->end);
            return title ? sl_fail(s->ctx, SL_UNSUPPORTED, "%s: the %s format is not supported",
                                   s->path, title)
                         : status;
        }
        form.columns = first.columns;
        form.keep_weights = first.columns > 2 && !(r->options->flags & SL_READ_PATTERN);
        edges->type = form.keep_weights ? SL_FP64 : SL_BOOL;
        status = read_blocks(r, p, scan_edges, &form);
    }
    if (status != SL_OK)
        return status;
    return reader_set_size(r, r->options->base);
}
