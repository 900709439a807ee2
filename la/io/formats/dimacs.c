/*
 * Reader and writer of shortest-path problems of the 9th DIMACS Implementation Challenge (2006),
 * .gr:
 *
 *     c a comment
 *     p sp VERTICES ARCS
 *     a FROM TO WEIGHT
 *
 * Vertices are numbered from 1; weights are integers from 0.
 */
#include <inttypes.h>

#include <ctype.h>

#include "io/files/put_number.h"
#include "io/files/scan.h"
#include "io/formats/reader.h"
#include "io/formats/writer.h"

enum { SHORTEST_ARC = 8 }; /* minimum bytes per line: "a 1 2 3" and the newline */

/* ---- reading ------------------------------------------------------------ */

/* Scans the first word of a line, which must be `letter`. */
static inline sl_status scan_letter(const input *s, const char **p, char letter, const char *what)
{
    if (__builtin_expect(**p != letter, false))
        return input_expected(s, *p, what);
    ++*p;
    return scan_blank(s, p, "a blank");
}

/* Scans "p sp VERTICES ARCS". */
static sl_status scan_problem(reader *r, const char **p, uint64_t *arcs)
{
    const input *s = &r->input;
    const uint64_t most = UINT64_C(1) << MAX_DIMENSION_LOG;
    sl_status status = scan_letter(s, p, 'p', "the line 'p sp VERTICES ARCS'");
    if (status != SL_OK)
        return status;
    if ((*p)[0] != 's' || (*p)[1] != 'p' || skip_blanks(*p + 2) == *p + 2)
        return input_fail(s, *p, SL_UNSUPPORTED,
                          "DIMACS problem type is not supported; must be 'sp' (shortest paths)");
    *p = skip_blanks(*p + 2);
    status = scan_count(s, p, "a number of vertices", most, &r->edges.nrows);
    r->edges.ncols = r->edges.nrows;
    if (status == SL_OK)
        status = scan_count(s, p, "a number of arcs", most, arcs);
    return status == SL_OK ? scan_end_of_line(s, p) : status;
}

/* Scans "a FROM TO WEIGHT". */
static inline sl_status scan_arc(reader *r, const char **p, bool keep_weight)
{
    const input *s = &r->input;
    sl_edges *e = &r->edges;
    int64_t weight = 0;
    sl_status status = scan_letter(s, p, 'a', "a line 'a FROM TO WEIGHT'");
    if (status == SL_OK)
        status = scan_vertex(s, p, "a vertex", e->nrows, &e->row[e->count]);
    if (status == SL_OK)
        status = scan_vertex(s, p, "a second vertex", e->nrows, &e->col[e->count]);
    if (status == SL_OK)
        status = scan_weight(s, p, "a weight", 0, &weight);
    if (status != SL_OK)
        return status;
    if (keep_weight)
        ((int64_t *)e->values)[e->count] = weight;
    e->count++;
    return scan_end_of_line(s, p);
}

/* Properties of the arcs: the declared number, and whether to store the weights. */
typedef struct {
    uint64_t declared;
    bool keep_weights;
} arc_form;

static sl_status too_many_entries(const input *s, const char *at, uint64_t declared)
{
    return input_fail(s, at, SL_SYNTAX, "more than the %" PRIu64 " declared arcs", declared);
}

static sl_status scan_arcs(reader *r, const char *p, const void *format)
{
    const arc_form *form = format;
    const input *s = &r->input;
    while (block_line(s, &p, "cc")) {
        sl_status status = SL_OK;
        if (__builtin_expect(r->preceding + r->edges.count >= form->declared, false))
            return too_many_entries(s, p, form->declared);
        if (r->edges.count == r->capacity) { /* at first an upper bound from the size of the file */
            uint64_t capacity = s->compressed ? 1024 : reader_bytes(r) / SHORTEST_ARC + 1;
            status = reader_grow(r, form->declared < capacity ? form->declared : capacity,
                                 form->keep_weights);
        }
        if (status == SL_OK)
            status = scan_arc(r, &p, form->keep_weights);
        if (status != SL_OK)
            return status;
    }
    return SL_OK;
}

bool has_dimacs_line(const char *begin, const char *end)
{
    return end - begin > 1 && (*begin == 'c' || *begin == 'p') && isspace((unsigned char)begin[1]);
}

sl_status read_dimacs(reader *r)
{
    input *s = &r->input;
    arc_form form = {.keep_weights = !(r->options->flags & SL_READ_PATTERN)};
    const char *p = s->begin;
    sl_status status = input_line(s, &p, "cc");
    if (status == SL_OK)
        status = scan_problem(r, &p, &form.declared);
    if (status != SL_OK)
        return status;
    r->edges.type = form.keep_weights ? SL_INT64 : SL_BOOL;
    status = read_blocks(r, p, scan_arcs, &form);
    if (status == SL_OK && r->total > form.declared)
        return too_many_entries(s, s->end, form.declared);
    if (status == SL_OK && r->total < form.declared)
        return input_fail(s, s->end, SL_SYNTAX,
                          "the file ends after %" PRIu64 " of %" PRIu64 " arcs", r->total,
                          form.declared);
    return status;
}

/* ---- writing ------------------------------------------------------------ */

sl_status check_dimacs(const writer *w)
{
    const sl_edges *e = w->edges;
    sl_status status = check_square(w, "DIMACS");
    int64_t whole;
    for (uint64_t k = 0; e->values && k < e->count && status == SL_OK; k++)
        if (!integer_value(&whole, tuple_value(w, k), 0) ||
            (whole > 0 && e->mirror == SL_MIRROR_NEGATED))
            status = unsupported_value(w, k, "DIMACS weights are integers from 0 to 2^63 - 1");
    return status;
}

/* A pattern is written with weight 1 for every arc. */
static char *put_arc(char *out, const writer *w, uint64_t i, uint64_t j, const sl_scalar *value)
{
    int64_t weight = 1;
    if (value)
        integer_value(&weight, *value, 0);
    *out++ = 'a';
    *out++ = ' ';
    out = put_index(out, i + 1);
    *out++ = ' ';
    out = put_index(out, j + 1);
    *out++ = ' ';
    out = put_index(out, (uint64_t)weight);
    *out++ = '\n';
    return out;
}

sl_status write_dimacs(writer *w)
{
    if (w->first)
        output_print(&w->output, "p sp %" PRIu64 " %" PRIu64 "\n", w->edges->nrows, w->entries);
    write_tuples(w, put_arc);
    return SL_OK;
}
