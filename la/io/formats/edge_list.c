/* Reader of SNAP and plain edge lists: two or three columns, comments with # or %. */
#include "reader.h"
#include "scan.h"

/* One line: u and v, and a weight if there is a third column. */
typedef struct {
    uint64_t u, v;
    double weight;
    bool weighted;
} edge;

/* Scans an id and the blanks after it. */
static inline sl_status scan_id(const reader *r, const char **p, uint64_t *id, const char *what)
{
    const input *s = &r->input;
    bool overflow = false;
    const char *end = scan_digits(*p, id, &overflow);
    if (__builtin_expect(!end, false)) {
        if (overflow)
            return input_fail(s, *p, SL_OUT_OF_RANGE, "vertex id is above the limit 2^60");
        return input_expected(s, *p, what);
    }
    if (__builtin_expect(*id - r->options->base >= UINT64_C(1) << MAX_DIMENSION_LOG, false)) {
        if (*id == 0)
            return input_fail(s, *p, SL_OUT_OF_RANGE,
                              "vertex id 0 is out of range: ids start at 1 (base 1)");
        return input_fail(s, *p, SL_OUT_OF_RANGE, "vertex id %llu is above the limit 2^60",
                          (unsigned long long)*id);
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

/* Scans a line. *p is moved behind the line; on failure it is at the error. */
static inline sl_status scan_edge(const reader *r, const char **p, edge *e)
{
    const input *s = &r->input;
    sl_status status = scan_id(r, p, &e->u, "a vertex id");
    if (status == SL_OK)
        status = scan_id(r, p, &e->v, "a second vertex id");
    if (status != SL_OK)
        return status;
    e->weighted = **p != '\n';
    if (e->weighted) {
        status = scan_fp64(s, p, "a weight", &e->weight);
        if (status != SL_OK)
            return status;
        *p = skip_blanks(*p);
        if (**p != '\n')
            return input_expected(s, *p, "the end of the line after the weight");
    }
    ++*p;
    return SL_OK;
}

/* Properties of the first edge that all others must have, and whether to store the weights. */
typedef struct {
    bool weighted, keep_weights;
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
        if (__builtin_expect(e.weighted != form->weighted, false))
            return input_fail(s, line, SL_SYNTAX, "the line has %d columns; the first edge has %d",
                              2 + e.weighted, 2 + form->weighted);
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
        if ((status = scan_edge(r, &ahead, &first)) != SL_OK)
            return status;
        form.weighted = first.weighted;
        form.keep_weights = first.weighted && !(r->options->flags & SL_READ_PATTERN);
        edges->type = form.keep_weights ? SL_FP64 : SL_BOOL;
        status = read_blocks(r, p, scan_edges, &form);
    }
    if (status != SL_OK)
        return status;
    return reader_set_size(r, r->options->base);
}
