/* Reading METIS graph files; metis.h has the format. */
#include <inttypes.h>

#include "metis.h"
#include "reader.h"
#include "scan.h"

typedef struct {
    reader *r;
    const char *p;            /* where the reading stands, in the source's block */
    uint64_t vertices, edges; /* that the file declares */
    uint64_t skipped;         /* numbers in front of a vertex's neighbours: its size and weights */
    bool weighted;            /* edges have weights */
    bool keep_weights;
    uint64_t read;  /* vertices whose lines were read */
    uint64_t *line; /* of each of these, the number of its line */
    uint64_t room;  /* of `line` */
    uint64_t lines; /* up to and with the one that was read last */
} mesh;

static sl_status no_memory(const mesh *m)
{
    return sl_fail(m->r->source.ctx, SL_NO_MEMORY, "%s: no memory for %" PRIu64 " edges",
                   m->r->source.path, m->edges);
}

/* ---- the header --------------------------------------------------------- */

/* Up to three binary digits. */
static sl_status scan_flags(mesh *m, unsigned *flags)
{
    const source *s = &m->r->source;
    const char *word = m->p;
    for (*flags = 0; *m->p == '0' || *m->p == '1'; m->p++)
        *flags = 2 * *flags + (*m->p == '1');
    if (m->p == word || m->p - word > 3 || (skip_blanks(m->p) == m->p && *m->p != '\n'))
        return source_fail(s, word, SL_SYNTAX, "the format has to be three binary digits");
    m->p = skip_blanks(m->p);
    return SL_OK;
}

static sl_status scan_header(mesh *m)
{
    source *s = &m->r->source;
    const uint64_t most = UINT64_C(1) << READER_GREATEST_LOG;
    enum { EDGE_WEIGHTS = 1, VERTEX_WEIGHTS = 2, VERTEX_SIZES = 4, MOST_WEIGHTS = 1 << 20 };
    unsigned flags = 0;
    uint64_t weights = 0;
    const char *count = NULL;
    sl_status status = source_line(s, &m->p, "%%");
    if (status != SL_OK)
        return status;
    if (m->p == s->end)
        return source_expected(s, m->p, "the line 'VERTICES EDGES'");
    status = scan_count(s, &m->p, "a number of vertices", most, &m->vertices);
    if (status == SL_OK)
        status = scan_count(s, &m->p, "a number of edges", most, &m->edges);
    if (status == SL_OK && *m->p != '\n')
        status = scan_flags(m, &flags);
    if (status == SL_OK && *m->p != '\n') {
        count = m->p;
        status = scan_count(s, &m->p, "a number of weights", MOST_WEIGHTS, &weights);
    }
    if (status == SL_OK && weights > 0 && !(flags & VERTEX_WEIGHTS))
        return source_fail(s, count, SL_SYNTAX,
                           "vertices have %" PRIu64 " weights, but the format says none", weights);
    if (status != SL_OK)
        return status;
    if (flags & VERTEX_WEIGHTS && weights == 0)
        weights = 1;
    m->skipped = weights + (flags & VERTEX_SIZES ? 1 : 0);
    m->weighted = flags & EDGE_WEIGHTS;
    m->keep_weights = m->weighted && !(m->r->options->flags & SL_READ_PATTERN);
    m->lines = source_line_number(s, m->p);
    return scan_end_of_line(s, &m->p);
}

/* ---- the lines of vertices ---------------------------------------------- */

/* Moves m->p to the next line that is no comment; an empty one is a vertex's too. */
static sl_status next_line(mesh *m)
{
    source *s = &m->r->source;
    for (;;) {
        if (m->p == s->end) {
            sl_status status = source_next(s);
            m->p = s->begin;
            if (status != SL_OK || s->begin == s->end)
                return status;
        }
        m->lines++;
        m->p = skip_blanks(m->p);
        if (*m->p != '%')
            return SL_OK;
        m->p = (const char *)memchr(m->p, '\n', (size_t)(s->end - m->p)) + 1;
    }
}

/* Keeps the number of the line that a vertex's neighbours stand in. */
static sl_status note_line(mesh *m)
{
    if (m->read == m->room) {
        uint64_t room = m->room ? 2 * m->room : 1024;
        uint64_t *larger = sl_realloc(m->line, room * sizeof *larger);
        if (!larger)
            return no_memory(m);
        m->line = larger;
        m->room = room;
    }
    m->line[m->read++] = m->lines;
    return SL_OK;
}

/* Makes room for one more neighbour, at first for what the file can hold. */
static inline sl_status reserve(mesh *m)
{
    reader *r = m->r;
    if (__builtin_expect(r->edges.count == 2 * m->edges, false))
        return source_fail(&r->source, m->p, SL_SYNTAX,
                           "more neighbours than twice the %" PRIu64 " edges declared", m->edges);
    if (__builtin_expect(r->edges.count < r->room, true))
        return SL_OK;
    uint64_t room = r->source.packed ? 1024 : r->source.size / 2 + 1;
    return reader_grow(r, 2 * m->edges < room ? 2 * m->edges : room, m->keep_weights);
}

static sl_status scan_vertex_line(mesh *m)
{
    const source *s = &m->r->source;
    sl_edges *e = &m->r->edges;
    const uint64_t vertex = m->read;
    int64_t weight = 0;
    sl_status status = note_line(m);
    for (uint64_t k = 0; k < m->skipped && status == SL_OK; k++)
        status = scan_weight(s, &m->p, "a vertex's size or weight", 0, &weight);
    while (status == SL_OK && *m->p != '\n') {
        const char *word = m->p;
        uint64_t neighbour;
        if ((status = reserve(m)) != SL_OK)
            return status;
        status = scan_vertex(s, &m->p, "a neighbour", m->vertices, &neighbour);
        if (status == SL_OK && m->weighted)
            status = scan_weight(s, &m->p, "an edge's weight", 1, &weight);
        if (status == SL_OK && neighbour == vertex)
            return source_fail(s, word, SL_SYNTAX,
                               "vertex %" PRIu64 " is its own neighbour; METIS has no self-loops",
                               vertex + 1);
        if (status != SL_OK)
            return status;
        e->row[e->count] = vertex;
        e->col[e->count] = neighbour;
        if (m->keep_weights)
            ((int64_t *)e->values)[e->count] = weight;
        e->count++;
    }
    return status == SL_OK ? scan_end_of_line(s, &m->p) : status;
}

static sl_status scan_vertices(mesh *m)
{
    source *s = &m->r->source;
    sl_status status = SL_OK;
    while (m->read < m->vertices) {
        if ((status = next_line(m)) != SL_OK)
            return status;
        if (m->p == s->end)
            return source_fail(s, m->p, SL_SYNTAX,
                               "the file ends after %" PRIu64 " of %" PRIu64 " vertices", m->read,
                               m->vertices);
        if ((status = scan_vertex_line(m)) != SL_OK)
            return status;
    }
    if ((status = source_line(s, &m->p, "%%")) != SL_OK)
        return status;
    if (m->p != s->end)
        return source_fail(s, m->p, SL_SYNTAX, "more than the %" PRIu64 " vertices declared",
                           m->vertices);
    if (m->r->edges.count != 2 * m->edges)
        return source_fail(s, m->p, SL_SYNTAX,
                           "%" PRIu64 " neighbours, and not twice the %" PRIu64 " edges declared",
                           m->r->edges.count, m->edges);
    return SL_OK;
}

/* ---- both ways to one --------------------------------------------------- */

static sl_status report(const mesh *m, const lists_fault *found)
{
    const uint64_t v = found->vertex + 1, u = found->neighbour + 1;
    const source *s = &m->r->source;
    const unsigned long long line = m->line[found->vertex];
    if (found->fault == LISTS_TWICE)
        return sl_fail(s->ctx, SL_SYNTAX,
                       "%s:%llu: vertex %" PRIu64 " names its neighbour %" PRIu64 " twice", s->path,
                       line, v, u);
    if (found->fault == LISTS_UNANSWERED)
        return sl_fail(s->ctx, SL_SYNTAX,
                       "%s:%llu: vertex %" PRIu64 " names its neighbour %" PRIu64 ", but %" PRIu64
                       " does not name %" PRIu64 " (line %" PRIu64 ")",
                       s->path, line, v, u, u, v, m->line[found->neighbour]);
    return sl_fail(s->ctx, SL_SYNTAX,
                   "%s:%llu: edge %" PRIu64 " %" PRIu64 " has weight %" PRId64
                   ", but seen from %" PRIu64 " it has %" PRId64 " (line %" PRIu64 ")",
                   s->path, line, v, u, found->weight, u, found->answer, m->line[found->neighbour]);
}

/* Checks that both ends of every edge name each other, and keeps each edge once. */
static sl_status join_ends(mesh *m)
{
    sl_edges *e = &m->r->edges;
    neighbour_lists all = {m->vertices, e->count, e->row, e->col, e->values}, transpose;
    bool enough = lists_like(&transpose, &all) && transpose_lists(&transpose, &all) &&
                  transpose_lists(&all, &transpose); /* now sorted */
    lists_fault found = {.fault = LISTS_RIGHT};
    if (enough)
        found = find_fault(&all, &transpose);
    lists_free(&transpose);
    if (!enough)
        return no_memory(m);
    if (found.fault != LISTS_RIGHT)
        return report(m, &found);
    uint64_t kept = 0;
    for (uint64_t k = 0; k < all.count; k++) {
        if (all.row[k] > all.col[k])
            continue;
        all.row[kept] = all.row[k];
        all.col[kept] = all.col[k];
        if (all.weight)
            all.weight[kept] = all.weight[k];
        kept++;
    }
    e->count = kept;
    e->mirror = SL_MIRROR_SAME;
    return SL_OK;
}

sl_status read_metis(reader *r)
{
    mesh m = {.r = r, .p = r->source.begin};
    r->source.longest = SIZE_MAX / 4; /* a vertex may have any number of neighbours */
    sl_status status = scan_header(&m);
    if (status == SL_OK)
        status = scan_vertices(&m);
    if (status == SL_OK)
        status = join_ends(&m);
    sl_free(m.line);
    r->edges.nrows = r->edges.ncols = m.vertices;
    r->edges.type = m.keep_weights ? SL_INT64 : SL_BOOL;
    return status;
}
