/* Reading METIS graph files; metis.h has the format. */
#include <inttypes.h>

#include "metis.h"
#include "reader.h"
#include "scan.h"
#include "sort.h"

typedef struct {
    uint64_t line;   /* where its neighbours stand */
    open_edges open; /* in the tuples */
} mesh_vertex;

typedef struct {
    reader *r;
    const char *p;            /* where the reading stands, in the source's block */
    uint64_t vertices, edges; /* that the file declares */
    uint64_t skipped;         /* numbers in front of a vertex's neighbours: its size and weights */
    bool weighted;            /* edges have weights */
    bool keep_weights;
    uint64_t lines;      /* up to and with the one that was read last */
    uint64_t read;       /* vertices whose lines were read */
    uint64_t neighbours; /* in these lines */
    mesh_vertex *vertex; /* those that were read */
    uint64_t vertex_room;
    records list, scratch; /* the neighbours and weights of one vertex */
    uint64_t list_room;
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
    const char *at = m->p;
    for (*flags = 0; *m->p == '0' || *m->p == '1'; m->p++)
        *flags = 2 * *flags + (*m->p == '1');
    if (m->p == at || m->p - at > 3 || (skip_blanks(m->p) == m->p && *m->p != '\n'))
        return source_fail(s, at, SL_SYNTAX, "the format is not up to three binary digits");
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

static sl_status start_vertex(mesh *m)
{
    if (m->read == m->vertex_room) {
        uint64_t room = m->vertex_room ? 2 * m->vertex_room : 1024;
        void *larger = sl_realloc(m->vertex, room * sizeof *m->vertex);
        if (!larger)
            return no_memory(m);
        m->vertex = larger;
        m->vertex_room = room;
    }
    m->vertex[m->read].line = m->lines;
    m->read++;
    return SL_OK;
}

static bool grow_records(records *list, uint64_t room, bool valued)
{
    uint64_t *keys = sl_realloc(list->keys, room * sizeof *keys);
    list->keys = keys ? keys : list->keys;
    if (!valued || !keys)
        return keys;
    word *values = sl_realloc(list->values, room * sizeof *values);
    list->values = values ? values : list->values;
    return values;
}

static sl_status grow_list(mesh *m)
{
    uint64_t room = m->list_room ? 2 * m->list_room : 1024;
    if (!grow_records(&m->list, room, m->keep_weights) ||
        !grow_records(&m->scratch, room, m->keep_weights))
        return no_memory(m);
    m->list_room = room;
    return SL_OK;
}

/* The line's neighbours, with their weights, into the list. */
static sl_status scan_neighbours(mesh *m, uint64_t vertex, uint64_t *count)
{
    const source *s = &m->r->source;
    sl_status status = SL_OK;
    for (*count = 0; *m->p != '\n'; ++*count) {
        const char *at = m->p;
        int64_t weight = 0;
        if (*count == m->list_room && (status = grow_list(m)) != SL_OK)
            return status;
        status = scan_vertex(s, &m->p, "a neighbour", m->vertices, &m->list.keys[*count]);
        if (status == SL_OK && m->weighted)
            status = scan_weight(s, &m->p, "an edge's weight", 1, &weight);
        if (status != SL_OK)
            return status;
        if (m->list.keys[*count] == vertex)
            return source_fail(s, at, SL_SYNTAX,
                               "vertex %" PRIu64 " is its own neighbour; METIS has no self-loops",
                               vertex + 1);
        if (m->neighbours++ == 2 * m->edges)
            return source_fail(s, at, SL_SYNTAX,
                               "more neighbours than twice the %" PRIu64 " edges declared",
                               m->edges);
        if (m->keep_weights)
            m->list.values[*count] = (uint64_t)weight;
    }
    return scan_end_of_line(s, &m->p);
}

/* Sorts the list; most are short, and many files have them in order. */
static void sort_list(mesh *m, uint64_t count)
{
    enum { SHORT = 32 };
    uint64_t *keys = m->list.keys;
    word *values = m->list.values;
    uint64_t k = 1;
    while (k < count && keys[k - 1] <= keys[k])
        k++;
    if (count > SHORT && k < count) {
        const unsigned bits = 64 - (unsigned)__builtin_clzll(m->vertices);
        records sorted = sort_records(m->list, m->scratch, count, bits);
        m->scratch = sorted.keys == m->list.keys ? m->scratch : m->list;
        m->list = sorted;
        return;
    }
    for (; k < count; k++) {
        const uint64_t key = keys[k], value = values ? values[k] : 0;
        uint64_t at = k;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            if (values)
                values[at] = values[at - 1];
        }
        keys[at] = key;
        if (values)
            values[at] = value;
    }
}

static sl_status report(const mesh *m, ends_fault found)
{
    const uint64_t v = found.vertex + 1, u = found.neighbour + 1;
    const source *s = &m->r->source;
    const uint64_t line = m->vertex[found.vertex].line, other = m->vertex[found.neighbour].line;
    if (found.fault == ENDS_UNANSWERED)
        return sl_fail(s->ctx, SL_SYNTAX,
                       "%s:%" PRIu64 ": vertex %" PRIu64 " names its neighbour %" PRIu64
                       ", but %" PRIu64 " does not name %" PRIu64 " (line %" PRIu64 ")",
                       s->path, line, v, u, u, v, other);
    return sl_fail(s->ctx, SL_SYNTAX,
                   "%s:%" PRIu64 ": edge %" PRIu64 " %" PRIu64 " has weight %" PRId64
                   ", but seen from %" PRIu64 " it has %" PRId64 " (line %" PRIu64 ")",
                   s->path, line, v, u, found.weight, u, found.answer, other);
}

/* Makes room for `count` more edges, at first for what the file can hold. */
static sl_status reserve(mesh *m, uint64_t count)
{
    reader *r = m->r;
    const uint64_t needed = r->edges.count + count;
    if (needed <= r->room)
        return SL_OK;
    uint64_t room = r->source.packed ? 1024 : r->source.size / 4 + 1;
    room = m->edges < room ? m->edges : room;
    return reader_grow(r, needed > room ? needed : room, m->keep_weights);
}

/* Keeps the edges to greater vertices, and holds those to lesser ones against theirs. */
static sl_status take_list(mesh *m, uint64_t vertex, uint64_t count)
{
    sl_edges *e = &m->r->edges;
    sl_status status = reserve(m, count);
    const named_edges edges = {e->col, e->values};
    const uint64_t *keys = m->list.keys;
    /* lesser neighbours are anywhere: have them come while the others are waited for */
    for (uint64_t k = 0; k < count && keys[k] < vertex; k++)
        __builtin_prefetch(&m->vertex[keys[k]]);
    for (uint64_t k = 0; k < count && keys[k] < vertex; k++)
        __builtin_prefetch(&e->col[m->vertex[keys[k]].open.next]);
    m->vertex[vertex].open = (open_edges){e->count, e->count};
    for (uint64_t k = 0; k < count && status == SL_OK; k++) {
        const uint64_t neighbour = m->list.keys[k];
        const int64_t weight = m->keep_weights ? (int64_t)m->list.values[k] : 0;
        if (k > 0 && neighbour == m->list.keys[k - 1])
            return sl_fail(m->r->source.ctx, SL_SYNTAX,
                           "%s:%" PRIu64 ": vertex %" PRIu64 " names its neighbour %" PRIu64
                           " twice",
                           m->r->source.path, m->lines, vertex + 1, neighbour + 1);
        if (neighbour > vertex) {
            e->row[e->count] = vertex;
            e->col[e->count] = neighbour;
            if (m->keep_weights)
                ((int64_t *)e->values)[e->count] = weight;
            m->vertex[vertex].open.end = ++e->count;
            continue;
        }
        open_edges *open = &m->vertex[neighbour].open;
        if (__builtin_expect(!answers(&edges, open, vertex, weight), false)) {
            ends_fault found = unanswering(&edges, *open, vertex, neighbour, weight);
            status = report(m, found);
        }
    }
    return status;
}

static sl_status scan_vertex_line(mesh *m)
{
    const uint64_t vertex = m->read;
    uint64_t count = 0;
    int64_t weight;
    sl_status status = start_vertex(m);
    for (uint64_t k = 0; k < m->skipped && status == SL_OK; k++)
        status = scan_weight(&m->r->source, &m->p, "a vertex's size or weight", 0, &weight);
    if (status == SL_OK)
        status = scan_neighbours(m, vertex, &count);
    if (status != SL_OK)
        return status;
    sort_list(m, count);
    return take_list(m, vertex, count);
}

/* After the last line: nobody has been left without an answer. */
static sl_status check_answers(const mesh *m)
{
    const sl_edges *e = &m->r->edges;
    const named_edges edges = {e->col, e->values};
    for (uint64_t v = 0; v < m->vertices; v++) {
        const open_edges open = m->vertex[v].open;
        if (open.next == open.end)
            continue;
        ends_fault found = unanswered(&edges, open, v);
        return report(m, found);
    }
    return SL_OK;
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
    if (m->neighbours != 2 * m->edges)
        return source_fail(s, m->p, SL_SYNTAX,
                           "%" PRIu64 " neighbours, and not twice the %" PRIu64 " edges declared",
                           m->neighbours, m->edges);
    return check_answers(m);
}

sl_status read_metis(reader *r)
{
    mesh m = {.r = r, .p = r->source.begin};
    r->source.longest = SIZE_MAX / 4; /* a vertex may have any number of neighbours */
    sl_status status = scan_header(&m);
    if (status == SL_OK)
        status = scan_vertices(&m);
    sl_free(m.vertex);
    sl_free(m.list.keys);
    sl_free(m.list.values);
    sl_free(m.scratch.keys);
    sl_free(m.scratch.values);
    r->edges.nrows = r->edges.ncols = m.vertices;
    r->edges.type = m.keep_weights ? SL_INT64 : SL_BOOL;
    r->edges.mirror = SL_MIRROR_SAME;
    return status;
}
