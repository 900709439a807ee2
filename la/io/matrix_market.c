/*
 * Matrix Market exchange format (Boisvert, Pozo, Remington, NISTIR 5935, 1996).
 * Comments and blank lines may stand anywhere below the banner.
 */
#include <strings.h>

#include "number.h"
#include "reader.h"

typedef enum { COORDINATE, ARRAY } layout;
typedef enum { PATTERN, INTEGER, REAL } field;
typedef enum { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct {
    reader *r;
    const char *p; /* where the reading stands, in the source's block */
    layout layout;
    field field;
    symmetry symmetry;
    bool keep_values;
    uint64_t entries; /* that the file declares or implies */
} market;

static const char banner[] = "%%MatrixMarket";

bool has_matrix_market_banner(const char *begin, const char *end)
{
    size_t length = sizeof banner - 1;
    return (size_t)(end - begin) > length && strncasecmp(begin, banner, length) == 0;
}

typedef struct {
    const char *word;
    int meaning; /* -1: known, but not supported */
} choice;

/* Reads the banner's next word, one of `choices` (which end in a NULL). */
static sl_status scan_choice(market *m, const char *what, const choice *choices, int *meaning)
{
    const source *s = &m->r->source;
    const char *word = skip_blanks(m->p);
    size_t length = 0;
    while (word[length] != '\n' && skip_blanks(word + length) == word + length)
        length++;
    if (length == 0)
        return source_fail(s, word, SL_SYNTAX, "expected the %s, found the end of the line", what);
    m->p = word + length;
    int shown = length < 40 ? (int)length : 40;
    for (const choice *c = choices; c->word; c++) {
        if (strlen(c->word) != length || strncasecmp(c->word, word, length) != 0)
            continue;
        if (c->meaning < 0)
            return source_fail(s, word, SL_UNSUPPORTED, "Matrix Market %s '%.*s' is not supported",
                               what, shown, word);
        *meaning = c->meaning;
        return SL_OK;
    }
    return source_fail(s, word, SL_SYNTAX, "'%.*s' is no Matrix Market %s", shown, word, what);
}

static sl_status scan_banner(market *m)
{
    static const choice objects[] = {{"matrix", 0}, {"vector", -1}, {NULL, 0}};
    static const choice layouts[] = {{"coordinate", COORDINATE}, {"array", ARRAY}, {NULL, 0}};
    static const choice fields[] = {{"pattern", PATTERN}, {"integer", INTEGER}, {"real", REAL},
                                    {"double", REAL},     {"complex", -1},      {NULL, 0}};
    static const choice symmetries[] = {{"general", GENERAL},
                                        {"symmetric", SYMMETRIC},
                                        {"skew-symmetric", SKEW},
                                        {"hermitian", -1},
                                        {NULL, 0}};
    const source *s = &m->r->source;
    int object = 0, meaning[3] = {0};
    m->p += sizeof banner - 1;
    sl_status status = scan_choice(m, "object", objects, &object);
    if (status == SL_OK)
        status = scan_choice(m, "format", layouts, &meaning[0]);
    if (status == SL_OK)
        status = scan_choice(m, "field", fields, &meaning[1]);
    if (status == SL_OK)
        status = scan_choice(m, "symmetry", symmetries, &meaning[2]);
    if (status != SL_OK)
        return status;
    m->layout = (layout)meaning[0];
    m->field = (field)meaning[1];
    m->symmetry = (symmetry)meaning[2];
    if (m->field == PATTERN && (m->layout == ARRAY || m->symmetry == SKEW))
        return source_fail(s, s->begin, SL_SYNTAX, "a pattern cannot be %s",
                           m->layout == ARRAY ? "an array" : "skew-symmetric");
    m->p = skip_blanks(m->p);
    if (*m->p != '\n')
        return source_expected(s, m->p, "the end of the line after the banner");
    m->p++;
    return SL_OK;
}

/* An unsigned integer up to `most`, and the blanks behind it. */
static inline sl_status scan_count(market *m, const char *what, uint64_t most, uint64_t *value)
{
    bool overflow = false;
    const char *end = scan_digits(m->p, value, &overflow);
    if (__builtin_expect(!end && !overflow, false))
        return source_expected(&m->r->source, m->p, what);
    if (__builtin_expect(overflow || *value > most, false))
        return source_fail(&m->r->source, m->p, SL_OUT_OF_RANGE, "%s above %llu", what,
                           (unsigned long long)most);
    const char *next = skip_blanks(end);
    if (__builtin_expect(next == end && *end != '\n', false))
        return source_expected(&m->r->source, end, "a blank");
    m->p = next;
    return SL_OK;
}

static inline sl_status scan_end_of_line(market *m)
{
    if (__builtin_expect(*m->p != '\n', false))
        return source_expected(&m->r->source, m->p, "the end of the line");
    m->p++;
    return SL_OK;
}

/* The number of entries in an array file; false if it exceeds 64 bits. */
static bool array_entries(const market *m, uint64_t *entries)
{
    const sl_edges *edges = &m->r->edges;
    unsigned __int128 n = edges->nrows, all = n * edges->ncols;
    if (m->symmetry == SYMMETRIC)
        all = n * (n + 1) / 2;
    if (m->symmetry == SKEW)
        all = n > 0 ? n * (n - 1) / 2 : 0;
    *entries = (uint64_t)all;
    return all <= UINT64_MAX;
}

static sl_status scan_size(market *m)
{
    source *s = &m->r->source;
    sl_edges *edges = &m->r->edges;
    const uint64_t most = UINT64_C(1) << READER_GREATEST_LOG;
    sl_status status = source_line(s, &m->p, "%%");
    if (status != SL_OK)
        return status;
    const char *line = m->p;
    if (line == s->end)
        return source_expected(s, line, "the size line");
    status = scan_count(m, "a number of rows", most, &edges->nrows);
    if (status == SL_OK)
        status = scan_count(m, "a number of columns", most, &edges->ncols);
    if (status == SL_OK && m->layout == COORDINATE)
        status = scan_count(m, "a number of entries", most, &m->entries);
    if (status == SL_OK)
        status = scan_end_of_line(m);
    if (status != SL_OK)
        return status;
    if (m->symmetry != GENERAL && edges->nrows != edges->ncols)
        return source_fail(s, line, SL_SYNTAX, "a symmetric matrix of %llu rows, %llu columns",
                           (unsigned long long)edges->nrows, (unsigned long long)edges->ncols);
    if (m->layout == ARRAY && !array_entries(m, &m->entries))
        return source_fail(s, line, SL_OUT_OF_RANGE, "an array of more than 2^64 entries");
    return SL_OK;
}

/* The value at m->p, and the blanks behind it, in place number edges->count. */
static inline sl_status scan_value(market *m)
{
    sl_edges *edges = &m->r->edges;
    const source *s = &m->r->source;
    bool overflow = false;
    const char *end;
    if (m->field == INTEGER) {
        int64_t value = 0;
        end = scan_int64(m->p, &value, &overflow);
        if (m->keep_values)
            ((int64_t *)edges->values)[edges->count] = value;
    } else {
        double value = 0;
        end = scan_real(m->p, &value);
        if (m->keep_values)
            ((double *)edges->values)[edges->count] = value;
    }
    if (overflow)
        return source_fail(s, m->p, SL_OUT_OF_RANGE, "an integer of more than 64 bits");
    if (!end)
        return source_expected(s, m->p, m->field == INTEGER ? "an integer" : "a number");
    m->p = skip_blanks(end);
    if (m->p == end && *end != '\n')
        return source_expected(s, end, "a blank or the end of the line after the value");
    return SL_OK;
}

/* Makes room for one more entry, at first for what the file can hold. */
static inline sl_status reserve(market *m)
{
    reader *r = m->r;
    if (__builtin_expect(r->edges.count < r->room, true))
        return SL_OK;
    uint64_t room = r->source.packed ? 1024 : reader_bytes(r) / (m->layout == ARRAY ? 2 : 4) + 1;
    return reader_grow(r, m->entries < room ? m->entries : room, m->keep_values);
}

static sl_status no_room_for(const market *m, const char *at, const char *what, uint64_t index,
                             uint64_t n)
{
    if (index == 0)
        return source_fail(&m->r->source, at, SL_OUT_OF_RANGE, "%s 0: indices start at 1", what);
    return source_fail(&m->r->source, at, SL_OUT_OF_RANGE, "%s %llu of a matrix with %llu", what,
                       (unsigned long long)index, (unsigned long long)n);
}

/* One line of a coordinate file. */
static inline sl_status scan_entry(market *m)
{
    const source *s = &m->r->source;
    sl_edges *edges = &m->r->edges;
    const char *line = m->p, *second;
    uint64_t i, j;
    sl_status status = scan_count(m, "a row index", UINT64_MAX, &i);
    second = m->p;
    if (status == SL_OK)
        status = scan_count(m, "a column index", UINT64_MAX, &j);
    if (status != SL_OK)
        return status;
    if (__builtin_expect(i - 1 >= edges->nrows, false))
        return no_room_for(m, line, "row", i, edges->nrows);
    if (__builtin_expect(j - 1 >= edges->ncols, false))
        return no_room_for(m, second, "column", j, edges->ncols);
    if (__builtin_expect(m->symmetry != GENERAL && j > i, false))
        return source_fail(s, line, SL_SYNTAX,
                           "an entry above the diagonal; symmetric files hold the lower triangle");
    if (__builtin_expect(m->symmetry == SKEW && j == i, false))
        return source_fail(s, line, SL_SYNTAX, "a diagonal entry in a skew-symmetric matrix");
    edges->row[edges->count] = i - 1;
    edges->col[edges->count] = j - 1;
    if (m->field != PATTERN && (status = scan_value(m)) != SL_OK)
        return status;
    edges->count++;
    return scan_end_of_line(m);
}

static sl_status too_many(const market *m)
{
    return source_fail(&m->r->source, m->p, SL_SYNTAX, "more than the %llu entries declared",
                       (unsigned long long)m->entries);
}

static sl_status scan_coordinates(reader *r, const char *p, const void *format)
{
    market m = *(const market *)format;
    m.r = r;
    m.p = p;
    while (block_line(&r->source, &m.p, "%%")) {
        if (__builtin_expect(r->before + r->edges.count >= m.entries, false))
            return too_many(&m);
        sl_status status = reserve(&m);
        if (status == SL_OK)
            status = scan_entry(&m);
        if (status != SL_OK)
            return status;
    }
    return SL_OK;
}

/* Values of an array file, any number to a line. Where they stand is filled in later. */
static sl_status scan_array(reader *r, const char *p, const void *format)
{
    market m = *(const market *)format;
    m.r = r;
    m.p = p;
    while (block_line(&r->source, &m.p, "%%")) {
        if (r->before + r->edges.count >= m.entries)
            return too_many(&m);
        sl_status status = SL_OK;
        while (*m.p != '\n' && r->before + r->edges.count < m.entries && status == SL_OK) {
            status = reserve(&m);
            if (status == SL_OK)
                status = scan_value(&m);
            r->edges.count += status == SL_OK;
        }
        if (status == SL_OK)
            status = scan_end_of_line(&m);
        if (status != SL_OK)
            return status;
    }
    return SL_OK;
}

/* The first row that an array file holds of a column. */
static inline uint64_t top_of(const market *m, uint64_t column)
{
    return m->symmetry == GENERAL ? 0 : column + (m->symmetry == SKEW);
}

/* Rows and columns of a stretch of an array: entries stand column by column. */
static void place_stretch(const market *m, const stretch *s)
{
    const uint64_t n = m->r->edges.nrows;
    const uint64_t first = m->r->before + s->first;
    uint64_t j = m->symmetry == GENERAL ? first / n : 0, i = first - j * n;
    while (m->symmetry != GENERAL && i >= n - top_of(m, j))
        i -= n - top_of(m, j++);
    i += top_of(m, j);
    for (uint64_t k = 0; k < s->count; k++) {
        s->row[k] = i;
        s->col[k] = j;
        if (++i == n)
            i = top_of(m, ++j);
    }
}

static sl_status read_array(market *m)
{
    reader *r = m->r;
    sl_status status = read_blocks(r, m->p, scan_array, m);
    if (status != SL_OK || r->total != m->entries)
        return status;
    uint64_t count;
    const stretch *stretches = reader_stretches(r, &count);
#pragma omp parallel for schedule(dynamic) num_threads(r->threads) if (count > 1)
    for (uint64_t i = 0; i < count; i++)
        if (stretches[i].count > 0)
            place_stretch(m, &stretches[i]);
    return SL_OK;
}

static sl_status scan_entries(market *m)
{
    const source *s = &m->r->source;
    sl_status status =
        m->layout == ARRAY ? read_array(m) : read_blocks(m->r, m->p, scan_coordinates, m);
    const uint64_t total = m->r->total;
    m->p = s->end;
    if (status == SL_OK && total > m->entries)
        return too_many(m);
    if (status == SL_OK && total < m->entries)
        return source_fail(s, m->p, SL_SYNTAX, "the file ends after %llu of %llu entries",
                           (unsigned long long)total, (unsigned long long)m->entries);
    return status;
}

sl_status read_matrix_market(reader *r)
{
    static const sl_type types[] = {[PATTERN] = SL_BOOL, [INTEGER] = SL_INT64, [REAL] = SL_FP64};
    static const sl_mirror mirrors[] = {
        [GENERAL] = SL_MIRROR_NONE, [SYMMETRIC] = SL_MIRROR_SAME, [SKEW] = SL_MIRROR_NEGATED};
    market m = {.r = r, .p = r->source.begin};
    sl_status status = scan_banner(&m);
    if (status != SL_OK)
        return status;
    m.keep_values = m.field != PATTERN && !(r->options->flags & SL_READ_PATTERN);
    r->edges.type = m.keep_values ? types[m.field] : SL_BOOL;
    r->edges.mirror = mirrors[m.symmetry];
    status = scan_size(&m);
    return status == SL_OK ? scan_entries(&m) : status;
}
