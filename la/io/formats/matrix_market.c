/*
 * Reader of the Matrix Market exchange format (Boisvert, Pozo, Remington, NISTIR 5935, 1996), with the
 * object `vector`, which is read as a matrix of one column, and the field `unsigned-integer`, which
 * other programs write.
 * Comments and blank lines may occur anywhere after the banner. Entries are scanned block by block;
 * the rows and columns of an array file are filled in after all values have been read.
 */
#include <strings.h>

#include "io/files/scan.h"
#include "io/formats/reader.h"

typedef enum { MATRIX, VECTOR } object;
typedef enum { COORDINATE, ARRAY } storage;
typedef enum { PATTERN, INTEGER, UNSIGNED, REAL } field;
typedef enum { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct {
    reader *r;
    const char *p; /* position in the block of the input */
    object object;
    storage storage;
    field field;
    symmetry symmetry;
    bool keep_values;
    bool any_triangle; /* entries above the diagonal are allowed */
    uint64_t entries;  /* number of entries that the file declares or implies */
} mm_reader;

static const char banner[] = "%%MatrixMarket";

bool has_matrix_market_banner(const char *begin, const char *end)
{
    size_t length = sizeof banner - 1;
    return (size_t)(end - begin) > length && strncasecmp(begin, banner, length) == 0;
}

typedef struct {
    const char *word;
    int value_code; /* -1: known, but not supported */
} keyword;

/* Scans the next word of the banner, one of `choices` (the last has word NULL). */
static sl_status scan_choice(mm_reader *m, const char *what, const keyword *keywords,
                             int *value_code)
{
    const input *s = &m->r->input;
    const char *word = skip_blanks(m->p);
    size_t length = 0;
    while (word[length] != '\n' && skip_blanks(word + length) == word + length)
        length++;
    if (length == 0)
        return input_fail(s, word, SL_SYNTAX, "expected the %s, found the end of the line", what);
    m->p = word + length;
    int shown = length < 40 ? (int)length : 40;
    for (const keyword *c = keywords; c->word; c++) {
        if (strlen(c->word) != length || strncasecmp(c->word, word, length) != 0)
            continue;
        if (c->value_code < 0)
            return input_fail(s, word, SL_UNSUPPORTED, "Matrix Market %s '%.*s' is not supported",
                              what, shown, word);
        *value_code = c->value_code;
        return SL_OK;
    }
    return input_fail(s, word, SL_SYNTAX, "'%.*s' is not a Matrix Market %s", shown, word, what);
}

static sl_status scan_banner(mm_reader *m)
{
    static const keyword objects[] = {{"matrix", MATRIX}, {"vector", VECTOR}, {NULL, 0}};
    static const keyword storages[] = {{"coordinate", COORDINATE}, {"array", ARRAY}, {NULL, 0}};
    static const keyword fields[] = {{"pattern", PATTERN},
                                     {"integer", INTEGER},
                                     {"unsigned-integer", UNSIGNED},
                                     {"real", REAL},
                                     {"double", REAL},
                                     {"complex", -1},
                                     {NULL, 0}};
    static const keyword symmetries[] = {{"general", GENERAL},
                                         {"symmetric", SYMMETRIC},
                                         {"skew-symmetric", SKEW},
                                         {"hermitian", -1},
                                         {NULL, 0}};
    const input *s = &m->r->input;
    int object_code = 0, value_code[3] = {0};
    m->p += sizeof banner - 1;
    sl_status status = scan_choice(m, "object", objects, &object_code);
    if (status == SL_OK)
        status = scan_choice(m, "format", storages, &value_code[0]);
    if (status == SL_OK)
        status = scan_choice(m, "field", fields, &value_code[1]);
    if (status == SL_OK)
        status = scan_choice(m, "symmetry", symmetries, &value_code[2]);
    if (status != SL_OK)
        return status;
    m->object = (object)object_code;
    m->storage = (storage)value_code[0];
    m->field = (field)value_code[1];
    m->symmetry = (symmetry)value_code[2];
    if (m->field == PATTERN && (m->storage == ARRAY || m->symmetry == SKEW))
        return input_fail(s, s->begin, SL_SYNTAX, "a pattern matrix cannot be %s",
                          m->storage == ARRAY ? "an array" : "skew-symmetric");
    if (m->field == UNSIGNED && m->symmetry == SKEW)
        return input_fail(s, s->begin, SL_SYNTAX,
                          "a matrix of unsigned integers cannot be skew-symmetric");
    if (m->object == VECTOR && m->symmetry != GENERAL)
        return input_fail(s, s->begin, SL_SYNTAX, "a vector must be general");
    m->p = skip_blanks(m->p);
    if (*m->p != '\n')
        return input_expected(s, m->p, "the end of the line after the banner");
    m->p++;
    return SL_OK;
}

/* The number of entries in an array file; false if it exceeds 64 bits. */
static bool array_entries(const mm_reader *m, uint64_t *entries)
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

static sl_status scan_size(mm_reader *m)
{
    input *s = &m->r->input;
    sl_edges *edges = &m->r->edges;
    const uint64_t most = UINT64_C(1) << MAX_DIMENSION_LOG;
    sl_status status = input_line(s, &m->p, "%%");
    if (status != SL_OK)
        return status;
    const char *line = m->p;
    if (line == s->end)
        return input_expected(s, line, "the size line");
    edges->ncols = 1; /* of a vector */
    status = scan_count(&m->r->input, &m->p, "a number of rows", most, &edges->nrows);
    if (status == SL_OK && m->object == MATRIX)
        status = scan_count(&m->r->input, &m->p, "a number of columns", most, &edges->ncols);
    if (status == SL_OK && m->storage == COORDINATE)
        status = scan_count(&m->r->input, &m->p, "a number of entries", most, &m->entries);
    if (status == SL_OK)
        status = scan_end_of_line(&m->r->input, &m->p);
    if (status != SL_OK)
        return status;
    if (m->symmetry != GENERAL && edges->nrows != edges->ncols)
        return input_fail(
            s, line, SL_SYNTAX,
            "a symmetric matrix must be square; this one has %llu rows and %llu columns",
            (unsigned long long)edges->nrows, (unsigned long long)edges->ncols);
    if (m->storage == ARRAY && !array_entries(m, &m->entries))
        return input_fail(s, line, SL_OUT_OF_RANGE, "the array has more than 2^64 entries");
    return SL_OK;
}

/* Fails with the reason why there is no integer at m->p, or none that fits those before it. */
static sl_status integer_fails(const mm_reader *m, bool overflow)
{
    const input *s = &m->r->input;
    const int length = word_length(m->p, 40);
    if (overflow)
        return input_fail(s, m->p, SL_OUT_OF_RANGE,
                          "the value %.*s does not fit in a 64-bit integer", length, m->p);
    if (m->field == UNSIGNED && *m->p == '-')
        return input_fail(s, m->p, SL_OUT_OF_RANGE,
                          "the value %.*s is negative in a file of unsigned integers", length,
                          m->p);
    if (m->r->negative_values && m->r->unsigned_values)
        return input_fail(s, m->p, SL_OUT_OF_RANGE,
                          "the value %.*s: no 64-bit integer type holds negative values and values "
                          "above 2^63 - 1",
                          length, m->p);
    return input_expected(s, m->p, "an integer");
}

/*
 * Scans an integer. Values above 2^63 - 1 are stored as uint64 and then exclude negative values;
 * the type of all values is known at the end of the file.
 */
static inline sl_status scan_integer_value(mm_reader *m, uint64_t *bits)
{
    reader *r = m->r;
    bool negative = false, overflow = false;
    const char *end = scan_integer(m->p, bits, &negative, &overflow);
    if (__builtin_expect(negative && m->field == UNSIGNED, false))
        return integer_fails(m, overflow);
    if (__builtin_expect(end && (negative || *bits > INT64_MAX), false)) {
        r->negative_values |= negative;
        r->unsigned_values |= !negative;
    }
    if (__builtin_expect(!end || (r->negative_values && r->unsigned_values), false))
        return integer_fails(m, overflow);
    m->p = end;
    return SL_OK;
}

/* Scans the value at m->p and stores it as value number edges->count. */
static inline sl_status scan_value(mm_reader *m)
{
    sl_edges *edges = &m->r->edges;
    const input *s = &m->r->input;
    uint64_t bits = 0;
    double real = 0;
    sl_status status =
        m->field == REAL ? scan_fp64(s, &m->p, "a number", &real) : scan_integer_value(m, &bits);
    if (__builtin_expect(status != SL_OK, false))
        return status;
    if (m->keep_values && m->field != REAL)
        ((uint64_t *)edges->values)[edges->count] = bits;
    else if (m->keep_values)
        ((double *)edges->values)[edges->count] = real;
    const char *end = m->p;
    m->p = skip_blanks(end);
    if (m->p == end && *end != '\n')
        return input_expected(s, end, "a blank or the end of the line after the value");
    return SL_OK;
}

/* Makes room for one more entry; the first capacity is an upper bound from the size of the file. */
static inline sl_status reserve(mm_reader *m)
{
    reader *r = m->r;
    if (__builtin_expect(r->edges.count < r->capacity, true))
        return SL_OK;
    uint64_t capacity =
        r->input.compressed ? 1024 : reader_bytes(r) / (m->storage == ARRAY ? 2 : 4) + 1;
    return reader_grow(r, m->entries < capacity ? m->entries : capacity, m->keep_values);
}

static sl_status index_out_of_range(const mm_reader *m, const char *at, const char *what,
                                    uint64_t index, uint64_t n)
{
    if (index == 0)
        return input_fail(&m->r->input, at, SL_OUT_OF_RANGE,
                          "%s 0 is out of range: indices start at 1", what);
    return input_fail(&m->r->input, at, SL_OUT_OF_RANGE,
                      "%s %llu is out of range: the matrix has %llu", what,
                      (unsigned long long)index, (unsigned long long)n);
}

/* Scans a line of a coordinate file. */
static inline sl_status scan_entry(mm_reader *m)
{
    const input *s = &m->r->input;
    sl_edges *edges = &m->r->edges;
    const char *line = m->p, *second;
    uint64_t i, j = 1;
    sl_status status = scan_count(&m->r->input, &m->p, "a row index", UINT64_MAX, &i);
    second = m->p;
    if (status == SL_OK && m->object == MATRIX)
        status = scan_count(&m->r->input, &m->p, "a column index", UINT64_MAX, &j);
    if (status != SL_OK)
        return status;
    if (__builtin_expect(i - 1 >= edges->nrows, false))
        return index_out_of_range(m, line, "row", i, edges->nrows);
    if (__builtin_expect(j - 1 >= edges->ncols, false))
        return index_out_of_range(m, second, "column", j, edges->ncols);
    if (__builtin_expect(j > i && !m->any_triangle, false))
        return input_fail(s, line, SL_SYNTAX,
                          "an entry above the diagonal; symmetric files store the lower triangle%s",
                          m->symmetry == SYMMETRIC
                              ? " (--symmetric, SL_READ_SYMMETRIC reads both triangles)"
                              : "");
    if (__builtin_expect(m->symmetry == SKEW && j == i, false))
        return input_fail(s, line, SL_SYNTAX, "a diagonal entry in a skew-symmetric matrix");
    edges->row[edges->count] = i - 1;
    edges->col[edges->count] = j - 1;
    if (m->field != PATTERN && (status = scan_value(m)) != SL_OK)
        return status;
    edges->count++;
    return scan_end_of_line(&m->r->input, &m->p);
}

static sl_status too_many_entries(const mm_reader *m)
{
    return input_fail(&m->r->input, m->p, SL_SYNTAX, "more than the %llu entries declared",
                      (unsigned long long)m->entries);
}

static sl_status scan_coordinates(reader *r, const char *p, const void *format)
{
    mm_reader m = *(const mm_reader *)format;
    m.r = r;
    m.p = p;
    while (block_line(&r->input, &m.p, "%%")) {
        if (__builtin_expect(r->preceding + r->edges.count >= m.entries, false))
            return too_many_entries(&m);
        sl_status status = reserve(&m);
        if (status == SL_OK)
            status = scan_entry(&m);
        if (status != SL_OK)
            return status;
    }
    return SL_OK;
}

/* Scans the values of an array file, any number per line. Rows and columns are filled in later. */
static sl_status scan_array(reader *r, const char *p, const void *format)
{
    mm_reader m = *(const mm_reader *)format;
    m.r = r;
    m.p = p;
    while (block_line(&r->input, &m.p, "%%")) {
        if (r->preceding + r->edges.count >= m.entries)
            return too_many_entries(&m);
        sl_status status = SL_OK;
        while (*m.p != '\n' && r->preceding + r->edges.count < m.entries && status == SL_OK) {
            status = reserve(&m);
            if (status == SL_OK)
                status = scan_value(&m);
            r->edges.count += status == SL_OK;
        }
        if (status == SL_OK)
            status = scan_end_of_line(&m.r->input, &m.p);
        if (status != SL_OK)
            return status;
    }
    return SL_OK;
}

/* The first row that an array file stores of a column. */
static inline uint64_t first_stored_row(const mm_reader *m, uint64_t column)
{
    return m->symmetry == GENERAL ? 0 : column + (m->symmetry == SKEW);
}

/* Fills in rows and columns of a segment of an array, which is stored column by column. */
static void fill_positions(const mm_reader *m, const segment *s)
{
    const uint64_t n = m->r->edges.nrows;
    const uint64_t first = m->r->preceding + s->first;
    uint64_t j = m->symmetry == GENERAL ? first / n : 0, i = first - j * n;
    while (m->symmetry != GENERAL && i >= n - first_stored_row(m, j))
        i -= n - first_stored_row(m, j++);
    i += first_stored_row(m, j);
    for (uint64_t k = 0; k < s->count; k++) {
        s->row[k] = i;
        s->col[k] = j;
        if (++i == n)
            i = first_stored_row(m, ++j);
    }
}

static sl_status read_array(mm_reader *m)
{
    reader *r = m->r;
    sl_status status = read_blocks(r, m->p, scan_array, m);
    if (status != SL_OK || r->total != m->entries)
        return status;
    uint64_t count;
    const segment *segments = reader_segments(r, &count);
#pragma omp parallel for schedule(dynamic) num_threads(r->threads) if (count > 1)
    for (uint64_t i = 0; i < count; i++)
        if (segments[i].count > 0)
            fill_positions(m, &segments[i]);
    return SL_OK;
}

static sl_status scan_entries(mm_reader *m)
{
    const input *s = &m->r->input;
    sl_status status =
        m->storage == ARRAY ? read_array(m) : read_blocks(m->r, m->p, scan_coordinates, m);
    const uint64_t total = m->r->total;
    m->p = s->end;
    if (status == SL_OK && total > m->entries)
        return too_many_entries(m);
    if (status == SL_OK && total < m->entries)
        return input_fail(s, m->p, SL_SYNTAX, "the file ends after %llu of %llu entries",
                          (unsigned long long)total, (unsigned long long)m->entries);
    return status;
}

sl_status read_matrix_market(reader *r)
{
    static const sl_type types[] = {
        [PATTERN] = SL_BOOL, [INTEGER] = SL_INT64, [UNSIGNED] = SL_UINT64, [REAL] = SL_FP64};
    static const sl_mirror mirrors[] = {
        [GENERAL] = SL_MIRROR_NONE, [SYMMETRIC] = SL_MIRROR_SAME, [SKEW] = SL_MIRROR_NEGATED};
    mm_reader m = {.r = r, .p = r->input.begin};
    sl_status status = scan_banner(&m);
    if (status != SL_OK)
        return status;
    m.keep_values = m.field != PATTERN && !(r->options->flags & SL_READ_PATTERN);
    r->edges.type = m.keep_values ? types[m.field] : SL_BOOL;
    r->edges.mirror = mirrors[m.symmetry];
    m.any_triangle =
        m.symmetry == GENERAL || (m.symmetry == SYMMETRIC && r->options->flags & SL_READ_SYMMETRIC);
    r->negative_values = m.symmetry == SKEW; /* of the mirror entries */
    status = scan_size(&m);
    if (status == SL_OK)
        status = scan_entries(&m);
    if (status == SL_OK && r->negative_values && r->unsigned_values)
        return input_fail(&r->input, m.p, SL_OUT_OF_RANGE,
                          "no 64-bit integer type holds negative values and values above 2^63 - 1, "
                          "and the file has both");
    if (r->unsigned_values && m.keep_values)
        r->edges.type = SL_UINT64;
    return status;
}
