/*
 * Reader and writer of Graph500 tuples in the layout of the reference code (v2.1.4,
 * generator/graph_generator.h), little-endian and without a header. Plain: two int64, from and to.
 * Packed: the 12 bytes of its `struct packed_edge`:
 *
 *     uint32  v0_low     the low 32 bits of from
 *     uint32  v1_low     the low 32 bits of to
 *     uint32  high       bits 0-15: bits 32-47 of from, bits 16-31: bits 32-47 of to
 *
 * Vertices are numbered from 0. Both layouts are signed; negative vertices are errors.
 */
#include <endian.h>
#include <inttypes.h>

#include "io/formats/reader.h"
#include "io/formats/writer.h"

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

static sl_status vertex_out_of_range(const reader *r, const char *p, uint64_t from, uint64_t to,
                                     uint64_t limit)
{
    uint64_t wrong = from < limit ? to : from;
    if ((int64_t)wrong < 0)
        return input_fail(&r->input, p, SL_OUT_OF_RANGE, "vertex %" PRId64 " is negative",
                          (int64_t)wrong);
    return input_fail(&r->input, p, SL_OUT_OF_RANGE,
                      "vertex %" PRIu64 " is above the limit 2^60; --renumber (SL_READ_RENUMBER) "
                      "accepts it",
                      wrong);
}

typedef void (*tuple_load)(const char *p, uint64_t *from, uint64_t *to);

static inline sl_status scan_tuples(reader *r, const char *p, tuple_load load)
{
    const input *s = &r->input;
    sl_edges *e = &r->edges;
    const bool renumbered = r->options->flags & SL_READ_RENUMBER;
    const uint64_t limit = UINT64_C(1) << (renumbered ? 63 : MAX_DIMENSION_LOG);
    const uint64_t needed = e->count + (uint64_t)(s->end - p) / s->record;
    const uint64_t capacity = s->compressed ? 0 : reader_bytes(r) / s->record;
    if (needed > r->capacity &&
        reader_grow(r, capacity > needed ? capacity : needed, false) != SL_OK)
        return SL_NO_MEMORY;
    for (; p < s->end; p += s->record) {
        uint64_t from, to;
        load(p, &from, &to);
        if (__builtin_expect((from | to) >= limit, false))
            return vertex_out_of_range(r, p, from, to, limit);
        e->row[e->count] = from;
        e->col[e->count] = to;
        e->count++;
        uint64_t larger = from > to ? from : to;
        r->max_index = larger > r->max_index ? larger : r->max_index;
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
    const input *s = &r->input;
    r->edges.type = SL_BOOL;
    sl_status status = read_blocks(r, s->begin, scan, NULL);
    if (status == SL_OK && input_remainder(s) > 0)
        return input_fail(s, s->end, SL_SYNTAX, "the file ends within a tuple, which has %zu bytes",
                          s->record);
    return status == SL_OK ? reader_set_size(r, 0) : status;
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

sl_status check_graph500(const writer *w)
{
    sl_status status = check_square(w, "Graph500");
    if (status == SL_OK && w->valued)
        return sl_fail(w->ctx, SL_UNSUPPORTED,
                       "%s: Graph500 files store no values; write the pattern (--pattern)",
                       w->path);
    return status;
}

sl_status check_graph500_packed(const writer *w)
{
    const sl_edges *e = w->edges;
    sl_status status = check_graph500(w);
    if (status != SL_OK || e->nrows <= UINT64_C(1) << 47)
        return status;
    for (uint64_t k = 0; k < e->count; k++)
        if ((e->row[k] | e->col[k]) >> 47)
            return sl_fail(w->ctx, SL_UNSUPPORTED,
                           "%s: %s does not fit: packed Graph500 tuples store vertices below 2^47",
                           w->path, name_entry(w, e->row[k], e->col[k]).text);
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
