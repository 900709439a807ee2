/*
 * Reader of METIS graph files; metis.h describes the format. One thread reads line by line. Upper
 * edges (to greater vertices) are stored as tuples; lower ones are only matched with them.
 */
#include <inttypes.h>

#include "io/files/scan.h"
#include "io/formats/metis.h"
#include "io/formats/reader.h"
#include "io/tuples/sort.h"

typedef struct {
    uint64_t line;        /* line number in the file */
    unmatched_edges open; /* indices into the tuples */
} metis_vertex;

typedef struct {
    reader *r;
    const char *p;            /* position in the block of the input */
    uint64_t vertices, edges; /* declared in the header */
    uint64_t skipped; /* numbers before the neighbours of each vertex: its size and weights */
    bool weighted;    /* edges have weights */
    bool keep_weights;
    uint64_t lines;       /* number of the line that was read last */
    uint64_t read;        /* number of vertices read */
    uint64_t neighbours;  /* number of neighbours read */
    metis_vertex *vertex; /* one element per vertex read */
    uint64_t vertex_capacity;
    records list, scratch; /* neighbours and weights of one vertex */
    uint64_t list_capacity;
} metis_reader;

static sl_status no_memory(const metis_reader *m)
{
    return sl_fail(m->r->input.ctx, SL_NO_MEMORY, "%s: no memory for %" PRIu64 " edges",
                   m->r->input.path, m->edges);
}

/* ---- header ------------------------------------------------------------- */

/* Scans FMT: up to three binary digits. */
static sl_status scan_flags(metis_reader *m, unsigned *flags)
{
    const input *s = &m->r->input;
    const char *at = m->p;
    for (*flags = 0; *m->p == '0' || *m->p == '1'; m->p++)
        *flags = 2 * *flags + (*m->p == '1');
    if (m->p == at || m->p - at > 3 || (skip_blanks(m->p) == m->p && *m->p != '\n'))
        return input_fail(s, at, SL_SYNTAX, "FMT must be up to three binary digits");
    m->p = skip_blanks(m->p);
    return SL_OK;
}

static sl_status scan_header(metis_reader *m)
{
    input *s = &m->r->input;
    const uint64_t most = UINT64_C(1) << MAX_DIMENSION_LOG;
    enum { EDGE_WEIGHTS = 1, VERTEX_WEIGHTS = 2, VERTEX_SIZES = 4, MOST_WEIGHTS = 1 << 20 };
    unsigned flags = 0;
    uint64_t weights = 0;
    const char *count = NULL;
    sl_status status = input_line(s, &m->p, "%%");
    if (status != SL_OK)
        return status;
    if (m->p == s->end)
        return input_expected(s, m->p, "the line 'VERTICES EDGES'");
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
        return input_fail(s, count, SL_SYNTAX,
                          "NCON is %" PRIu64 ", but FMT declares no vertex weights", weights);
    if (status != SL_OK)
        return status;
    if (flags & VERTEX_WEIGHTS && weights == 0)
        weights = 1;
    m->skipped = weights + (flags & VERTEX_SIZES ? 1 : 0);
    m->weighted = flags & EDGE_WEIGHTS;
    m->keep_weights = m->weighted && !(m->r->options->flags & SL_READ_PATTERN);
    m->lines = input_line_number(s, m->p);
    return scan_end_of_line(s, &m->p);
}

/* ---- lines of vertices -------------------------------------------------- */

/* Moves m->p to the next line that is no comment. An empty line belongs to a vertex. */
static sl_status next_line(metis_reader *m)
{
    input *s = &m->r->input;
    for (;;) {
        if (m->p == s->end) {
            sl_status status = input_next(s);
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

static sl_status start_vertex(metis_reader *m)
{
    if (m->read == m->vertex_capacity) {
        uint64_t capacity = m->vertex_capacity ? 2 * m->vertex_capacity : 1024;
        void *larger = sl_realloc(m->vertex, capacity * sizeof *m->vertex);
        if (!larger)
            return no_memory(m);
        m->vertex = larger;
        m->vertex_capacity = capacity;
    }
    m->vertex[m->read].line = m->lines;
    m->read++;
    return SL_OK;
}

static bool grow_records(records *list, uint64_t capacity, bool valued)
{
    uint64_t *keys = sl_realloc(list->keys, capacity * sizeof *keys);
    list->keys = keys ? keys : list->keys;
    if (!valued || !keys)
        return keys;
    word *values = sl_realloc(list->values, capacity * sizeof *values);
    list->values = values ? values : list->values;
    return values;
}

static sl_status grow_list(metis_reader *m)
{
    uint64_t capacity = m->list_capacity ? 2 * m->list_capacity : 1024;
    if (!grow_records(&m->list, capacity, m->keep_weights) ||
        !grow_records(&m->scratch, capacity, m->keep_weights))
        return no_memory(m);
    m->list_capacity = capacity;
    return SL_OK;
}

/* Scans the neighbours of a line and their weights into the list. */
static sl_status scan_neighbours(metis_reader *m, uint64_t vertex, uint64_t *count)
{
    const input *s = &m->r->input;
    sl_status status = SL_OK;
    for (*count = 0; *m->p != '\n'; ++*count) {
        const char *at = m->p;
        int64_t weight = 0;
        if (*count == m->list_capacity && (status = grow_list(m)) != SL_OK)
            return status;
        status = scan_vertex(s, &m->p, "a neighbour", m->vertices, &m->list.keys[*count]);
        if (status == SL_OK && m->weighted)
            status = scan_weight(s, &m->p, "an edge's weight", 1, &weight);
        if (status != SL_OK)
            return status;
        if (m->list.keys[*count] == vertex)
            return input_fail(s, at, SL_SYNTAX,
                              "vertex %" PRIu64 " lists itself; METIS graphs have no self-loops",
                              vertex + 1);
        if (m->neighbours++ == 2 * m->edges)
            return input_fail(s, at, SL_SYNTAX,
                              "more neighbours than twice the %" PRIu64 " declared edges",
                              m->edges);
        if (m->keep_weights)
            m->list.values[*count] = (uint64_t)weight;
    }
    return scan_end_of_line(s, &m->p);
}

/* Sorts the list of neighbours. */
static void sort_list(metis_reader *m, uint64_t count)
{
    const unsigned bits = 64 - (unsigned)__builtin_clzll(m->vertices);
    const records sorted = sort_records(m->list, m->scratch, count, bits);
    if (sorted.keys != m->list.keys) {
        m->scratch = m->list;
        m->list = sorted;
    }
}

static sl_status report_asymmetry(const metis_reader *m, symmetry_error error)
{
    const uint64_t v = error.vertex + 1, u = error.neighbour + 1;
    const input *s = &m->r->input;
    const uint64_t line = m->vertex[error.vertex].line, other = m->vertex[error.neighbour].line;
    if (error.kind == MISSING_MIRROR)
        return sl_fail(s->ctx, SL_SYNTAX,
                       "%s:%" PRIu64 ": vertex %" PRIu64 " lists %" PRIu64 ", but %" PRIu64
                       " does not list %" PRIu64 " (line %" PRIu64 ")",
                       s->path, line, v, u, u, v, other);
    return sl_fail(s->ctx, SL_SYNTAX,
                   "%s:%" PRIu64 ": edge %" PRIu64 " %" PRIu64 " has weight %" PRId64
                   ", but %" PRId64 " in the line of %" PRIu64 " (line %" PRIu64 ")",
                   s->path, line, v, u, error.weight, error.mirror_weight, u, other);
}

/* Makes room for `count` more edges; the first capacity is an upper bound from the file size. */
static sl_status reserve(metis_reader *m, uint64_t count)
{
    reader *r = m->r;
    const uint64_t needed = r->edges.count + count;
    if (needed <= r->capacity)
        return SL_OK;
    uint64_t capacity = r->input.compressed ? 1024 : r->input.size / 4 + 1;
    capacity = m->edges < capacity ? m->edges : capacity;
    return reader_grow(r, needed > capacity ? needed : capacity, m->keep_weights);
}

/* Stores the edges to greater vertices and matches those to lesser ones. */
static sl_status take_list(metis_reader *m, uint64_t vertex, uint64_t count)
{
    sl_edges *e = &m->r->edges;
    sl_status status = reserve(m, count);
    const upper_edges edges = {e->col, e->values};
    const uint64_t *keys = m->list.keys;
    /* prefetch: the edges of lesser neighbours are anywhere in memory */
    for (uint64_t k = 0; k < count && keys[k] < vertex; k++)
        __builtin_prefetch(&m->vertex[keys[k]]);
    for (uint64_t k = 0; k < count && keys[k] < vertex; k++)
        __builtin_prefetch(&e->col[m->vertex[keys[k]].open.next]);
    m->vertex[vertex].open = (unmatched_edges){e->count, e->count};
    for (uint64_t k = 0; k < count && status == SL_OK; k++) {
        const uint64_t neighbour = m->list.keys[k];
        const int64_t weight = m->keep_weights ? (int64_t)m->list.values[k] : 0;
        if (k > 0 && neighbour == m->list.keys[k - 1])
            return sl_fail(m->r->input.ctx, SL_SYNTAX,
                           "%s:%" PRIu64 ": vertex %" PRIu64 " lists %" PRIu64 " twice",
                           m->r->input.path, m->lines, vertex + 1, neighbour + 1);
        if (neighbour > vertex) {
            e->row[e->count] = vertex;
            e->col[e->count] = neighbour;
            if (m->keep_weights)
                ((int64_t *)e->values)[e->count] = weight;
            m->vertex[vertex].open.end = ++e->count;
            continue;
        }
        unmatched_edges *open = &m->vertex[neighbour].open;
        if (__builtin_expect(!match_mirror(&edges, open, vertex, weight), false)) {
            symmetry_error error = mirror_mismatch(&edges, *open, vertex, neighbour, weight);
            status = report_asymmetry(m, error);
        }
    }
    return status;
}

static sl_status scan_vertex_line(metis_reader *m)
{
    const uint64_t vertex = m->read;
    uint64_t count = 0;
    int64_t weight;
    sl_status status = start_vertex(m);
    for (uint64_t k = 0; k < m->skipped && status == SL_OK; k++)
        status = scan_weight(&m->r->input, &m->p, "a vertex's size or weight", 0, &weight);
    if (status == SL_OK)
        status = scan_neighbours(m, vertex, &count);
    if (status != SL_OK)
        return status;
    sort_list(m, count);
    return take_list(m, vertex, count);
}

/* After the last line: all upper edges must be matched. */
static sl_status check_all_matched(const metis_reader *m)
{
    const sl_edges *e = &m->r->edges;
    const upper_edges edges = {e->col, e->values};
    for (uint64_t v = 0; v < m->vertices; v++) {
        const unmatched_edges open = m->vertex[v].open;
        if (open.next == open.end)
            continue;
        symmetry_error error = missing_mirror(&edges, open, v);
        return report_asymmetry(m, error);
    }
    return SL_OK;
}

static sl_status scan_vertices(metis_reader *m)
{
    input *s = &m->r->input;
    sl_status status = SL_OK;
    while (m->read < m->vertices) {
        if ((status = next_line(m)) != SL_OK)
            return status;
        if (m->p == s->end)
            return input_fail(s, m->p, SL_SYNTAX,
                              "the file ends after %" PRIu64 " of %" PRIu64 " vertices", m->read,
                              m->vertices);
        if ((status = scan_vertex_line(m)) != SL_OK)
            return status;
    }
    if ((status = input_line(s, &m->p, "%%")) != SL_OK)
        return status;
    if (m->p != s->end)
        return input_fail(s, m->p, SL_SYNTAX, "more lines than the %" PRIu64 " declared vertices",
                          m->vertices);
    if (m->neighbours != 2 * m->edges)
        return input_fail(s, m->p, SL_SYNTAX,
                          "the file has %" PRIu64 " neighbours; expected twice the %" PRIu64
                          " declared edges",
                          m->neighbours, m->edges);
    return check_all_matched(m);
}

sl_status read_metis(reader *r)
{
    metis_reader m = {.r = r, .p = r->input.begin};
    r->input.max_line = SIZE_MAX / 4; /* the line of a vertex has no maximum length */
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
