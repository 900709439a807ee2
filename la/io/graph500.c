/*
 * Tuples as the Graph500 reference code (v2.1.4, generator/graph_generator.h)
 * keeps them in files, little-endian and without any head. Plain: two int64, from
 * and to. Packed, its `struct packed_edge`, 12 bytes:
 *
 *     uint32  v0_low     the low 32 bits of from
 *     uint32  v1_low     the low 32 bits of to
 *     uint32  high       bits 0-15: from's bits 32-47, bits 16-31: to's
 *
 * Vertices are numbered from 0; both kinds are signed, and no vertex is negative.
 */
#include <endian.h>
#include <inttypes.h>

#include "reader.h"
#include "writer.h"

/* ---- reading ------------------------------------------------------------ */

static inline uint64_t load64(const char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return le64toh(x);
}

static inline uint64_t load32(const char *p)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return le32toh(x);
}

/* Sign-extends 48 bits. */
static inline uint64_t extended(uint64_t id)
{
    return (id ^ UINT64_C(1) << 47) - (UINT64_C(1) << 47);
}

static inline void load_plain(const char *p, uint64_t *from, uint64_t *to)
{
    *from = load64(p);
    *to = load64(p + 8);
}

static inline void load_packed(const char *p, uint64_t *from, uint64_t *to)
{
    uint64_t high = load32(p + 8);
    *from = extended(load32(p) | (high & 0xffff) << 32);
    *to = extended(load32(p + 4) | high >> 16 << 32);
}

static sl_status no_vertex(const reader *r, const char *p, uint64_t from, uint64_t to)
{
    const uint64_t limit = UINT64_C(1) << READER_GREATEST_LOG;
    uint64_t wrong = from < limit ? to : from;
    if ((int64_t)wrong < 0)
        return source_fail(&r->source, p, SL_OUT_OF_RANGE, "a tuple with vertex %" PRId64,
                           (int64_t)wrong);
    return source_fail(&r->source, p, SL_OUT_OF_RANGE,
                       "a tuple with vertex %" PRIu64 ": there can be 2^60 vertices", wrong);
}

typedef void (*tuple_load)(const char *p, uint64_t *from, uint64_t *to);

static inline sl_status scan_tuples(reader *r, const char *p, tuple_load load)
{
    const source *s = &r->source;
    sl_edges *e = &r->edges;
    const uint64_t limit = UINT64_C(1) << READER_GREATEST_LOG;
    const uint64_t needed = e->count + (uint64_t)(s->end - p) / s->record;
    const uint64_t room = s->packed ? 0 : reader_bytes(r) / s->record;
    if (needed > r->room && reader_grow(r, room > needed ? room : needed, false) != SL_OK)
        return SL_NO_MEMORY;
    for (; p < s->end; p += s->record) {
        uint64_t from, to;
        load(p, &from, &to);
        if (__builtin_expect((from | to) >= limit, false))
            return no_vertex(r, p, from, to);
        e->row[e->count] = from;
        e->col[e->count] = to;
        e->count++;
        uint64_t larger = from > to ? from : to;
        r->greatest = larger > r->greatest ? larger : r->greatest;
    }
    return SL_OK;
}

static sl_status scan_plain(reader *r, const char *p, const void *format)
{
    return scan_tuples(r, p, load_plain);
}

static sl_status scan_packed(reader *r, const char *p, const void *format)
{
    return scan_tuples(r, p, load_packed);
}

static sl_status read_tuples(reader *r, block_scanner *scan)
{
    const source *s = &r->source;
    r->edges.type = SL_BOOL;
    sl_status status = read_blocks(r, s->begin, scan, NULL);
    if (status == SL_OK && source_rest(s) > 0)
        return source_fail(s, s->end, SL_SYNTAX, "the file ends within a tuple of %zu bytes",
                           s->record);
    return status == SL_OK ? reader_number(r, 0) : status;
}

sl_status read_graph500(reader *r)
{
    return read_tuples(r, scan_plain);
}

sl_status read_graph500_packed(reader *r)
{
    return read_tuples(r, scan_packed);
}

/* ---- writing ------------------------------------------------------------ */

sl_status fits_graph500(const writer *w)
{
    sl_status status = fits_square(w, "Graph500");
    if (status == SL_OK && w->valued)
        return sl_fail(w->ctx, SL_UNSUPPORTED,
                       "%s: Graph500 files hold no values: write the pattern alone", w->path);
    return status;
}

sl_status fits_graph500_packed(const writer *w)
{
    const sl_edges *e = w->edges;
    sl_status status = fits_graph500(w);
    if (status != SL_OK || e->nrows <= UINT64_C(1) << 47)
        return status;
    for (uint64_t k = 0; k < e->count; k++)
        if ((e->row[k] | e->col[k]) >> 47)
            return sl_fail(w->ctx, SL_UNSUPPORTED,
                           "%s: entry (%" PRIu64 ", %" PRIu64
                           "), 0-based: packed Graph500 tuples hold vertices below 2^47",
                           w->path, e->row[k], e->col[k]);
    return SL_OK;
}

static char *put32(char *out, uint64_t x)
{
    uint32_t word = htole32((uint32_t)x);
    memcpy(out, &word, sizeof word);
    return out + sizeof word;
}

static char *put_plain(char *out, const writer *w, uint64_t i, uint64_t j, const sl_scalar *value)
{
    return put32(put32(put32(put32(out, i), i >> 32), j), j >> 32);
}

static char *put_packed(char *out, const writer *w, uint64_t i, uint64_t j, const sl_scalar *value)
{
    return put32(put32(put32(out, i), j), i >> 32 | j >> 32 << 16);
}

sl_status write_graph500(writer *w)
{
    write_tuples(w, put_plain);
    return SL_OK;
}

sl_status write_graph500_packed(writer *w)
{
    write_tuples(w, put_packed);
    return SL_OK;
}
