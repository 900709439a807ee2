/*
 * Shortest-path problems of the 9th DIMACS Implementation Challenge (2006), .gr:
 *
 *     c a comment
 *     p sp VERTICES ARCS
 *     a FROM TO WEIGHT
 *
 * Vertices are numbered from 1; weights are whole numbers from 0.
 */
#include <inttypes.h>

#include "reader.h"
#include "scan.h"
#include "text.h"
#include "writer.h"

enum { SHORTEST_ARC = 8 }; /* bytes of a line: "a 1 2 3" and its end */

/* ---- reading ------------------------------------------------------------ */

/* A line's first word, which has to be this letter. */
static inline sl_status scan_letter(const source *s, const char **p, char letter, const char *what)
{
    if (__builtin_expect(**p != letter, false))
        return source_expected(s, *p, what);
    ++*p;
    return scan_blank(s, p, "a blank");
}

/* "p sp VERTICES ARCS" */
static sl_status scan_problem(reader *r, const char **p, uint64_t *arcs)
{
    const source *s = &r->source;
    const uint64_t most = UINT64_C(1) << READER_GREATEST_LOG;
    sl_status status = scan_letter(s, p, 'p', "the line 'p sp VERTICES ARCS'");
    if (status != SL_OK)
        return status;
    if ((*p)[0] != 's' || (*p)[1] != 'p' || skip_blanks(*p + 2) == *p + 2)
        return source_fail(s, *p, SL_UNSUPPORTED,
                           "a DIMACS problem that is not 'sp', shortest paths");
    *p = skip_blanks(*p + 2);
    status = scan_count(s, p, "a number of vertices", most, &r->edges.nrows);
    r->edges.ncols = r->edges.nrows;
    if (status == SL_OK)
        status = scan_count(s, p, "a number of arcs", most, arcs);
    return status == SL_OK ? scan_end_of_line(s, p) : status;
}

/* "a FROM TO WEIGHT" */
static inline sl_status scan_arc(reader *r, const char **p, bool keep_weight)
{
    const source *s = &r->source;
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

/* What the problem line and the options tell of the arcs. */
typedef struct {
    uint64_t declared;
    bool keep_weights;
} arc_form;

static sl_status too_many(const source *s, const char *at, uint64_t declared)
{
    return source_fail(s, at, SL_SYNTAX, "more than the %" PRIu64 " arcs declared", declared);
}

static sl_status scan_arcs(reader *r, const char *p, const void *format)
{
    const arc_form *form = format;
    const source *s = &r->source;
    while (block_line(s, &p, "cc")) {
        sl_status status = SL_OK;
        if (__builtin_expect(r->before + r->edges.count >= form->declared, false))
            return too_many(s, p, form->declared);
        if (r->edges.count == r->room) { /* at first what the file can hold */
            uint64_t room = s->packed ? 1024 : reader_bytes(r) / SHORTEST_ARC + 1;
            status =
                reader_grow(r, form->declared < room ? form->declared : room, form->keep_weights);
        }
        if (status == SL_OK)
            status = scan_arc(r, &p, form->keep_weights);
        if (status != SL_OK)
            return status;
    }
    return SL_OK;
}

sl_status read_dimacs(reader *r)
{
    source *s = &r->source;
    arc_form form = {.keep_weights = !(r->options->flags & SL_READ_PATTERN)};
    const char *p = s->begin;
    sl_status status = source_line(s, &p, "cc");
    if (status == SL_OK)
        status = scan_problem(r, &p, &form.declared);
    if (status != SL_OK)
        return status;
    r->edges.type = form.keep_weights ? SL_INT64 : SL_BOOL;
    status = read_blocks(r, p, scan_arcs, &form);
    if (status == SL_OK && r->total > form.declared)
        return too_many(s, s->end, form.declared);
    if (status == SL_OK && r->total < form.declared)
        return source_fail(s, s->end, SL_SYNTAX,
                           "the file ends after %" PRIu64 " of %" PRIu64 " arcs", r->total,
                           form.declared);
    return status;
}

/* ---- writing ------------------------------------------------------------ */

sl_status fits_dimacs(const writer *w)
{
    const sl_edges *e = w->edges;
    sl_status status = fits_square(w, "DIMACS");
    int64_t whole;
    for (uint64_t k = 0; e->values && k < e->count && status == SL_OK; k++)
        if (!whole_value(&whole, tuple_value(w, k), 0) ||
            (whole > 0 && e->mirror == SL_MIRROR_NEGATED))
            status = fits_not(w, k, "DIMACS weights are whole numbers from 0");
    return status;
}

/* Where there are no weights, every arc has the weight 1. */
static char *put_arc(char *out, const writer *w, uint64_t i, uint64_t j, const sl_scalar *value)
{
    int64_t weight = 1;
    if (value)
        whole_value(&weight, *value, 0);
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
        sink_print(&w->sink, "p sp %" PRIu64 " %" PRIu64 "\n", w->edges->nrows, w->entries);
    write_tuples(w, put_arc);
    return SL_OK;
}
