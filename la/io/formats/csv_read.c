/*
 * Reader of comma- and tab-separated edge lists. The ids of vertices are labels: each thread numbers
 * those that it reads (label_table.h), and the final numbers follow when all have been read.
 */
#include "io/files/scan.h"
#include "io/formats/csv.h"
#include "io/formats/label_table.h"

/* Moves *p behind empty lines; false at the end of the block. */
static inline bool csv_line(const input *s, const char **p)
{
    while (*p != s->end && csv_at_end(*p))
        *p += *p[0] == '\r' ? 2 : 1;
    return *p != s->end;
}

/* The label of a field, without doubled quotes. */
static sl_status plain_text(label_table *t, csv_field *field)
{
    const size_t length = (size_t)(field->end - field->begin);
    if (t->scratch_room < length) {
        char *larger = sl_realloc(t->scratch, 2 * length);
        if (!larger)
            return SL_NO_MEMORY;
        t->scratch = larger;
        t->scratch_room = 2 * length;
    }
    char *to = t->scratch;
    for (const char *p = field->begin; p < field->end; p++) {
        *to++ = *p;
        p += *p == '"';
    }
    field->begin = t->scratch;
    field->end = to;
    return SL_OK;
}

static inline uint64_t field_hash(const csv_field *field)
{
    return label_hash(field->begin, (size_t)(field->end - field->begin));
}

static sl_status label_fails(const reader *r, const char *at, sl_status status)
{
    if (status == SL_SYNTAX)
        return input_fail(&r->input, at, SL_SYNTAX, "the label contains a byte 0x00");
    return sl_fail(r->input.ctx, status, "%s: no memory for the labels", r->input.path);
}

/* The number of the label in a field of which the hash is known, unless it has doubled quotes; `what`
 * is "source" or "target". */
static inline sl_status scan_label(const reader *r, csv_field field, uint64_t hash,
                                   const char *what, uint64_t *number)
{
    label_table *t = r->labels;
    const char *at = field.begin;
    sl_status status = SL_OK;
    if (__builtin_expect(field.begin == field.end, false))
        return input_fail(&r->input, at, SL_SYNTAX, "the %s is empty", what);
    if (__builtin_expect(field.doubled, false)) {
        status = plain_text(t, &field);
        if (status == SL_OK)
            hash = field_hash(&field);
    }
    if (status == SL_OK)
        status =
            label_table_number(t, field.begin, (size_t)(field.end - field.begin), hash, number);
    return __builtin_expect(status == SL_OK, true) ? SL_OK : label_fails(r, at, status);
}

static inline sl_status scan_field_weight(const reader *r, const csv_field *field, double *weight)
{
    const char *p = field->begin;
    if (field->begin == field->end)
        return input_fail(&r->input, p, SL_SYNTAX, "the weight is empty");
    sl_status status = scan_fp64(&r->input, &p, "a weight", weight);
    if (status == SL_OK && p != field->end)
        return input_expected(&r->input, p, "the end of the field after the weight");
    return status;
}

/* Scans a line into the fields of the columns. *p is moved behind it. */
static inline sl_status scan_line(const reader *r, const char **p, const csv_form *form,
                                  csv_field chosen[CSV_COLUMNS])
{
    const input *s = &r->input;
    int count = 0;
    for (;; ++*p) {
        csv_field field;
        sl_status status = csv_scan_field(s, p, form->delimiter, &field);
        if (__builtin_expect(status != SL_OK, false))
            return status;
        for (int c = 0; c < CSV_COLUMNS; c++)
            if (count == form->position[c])
                chosen[c] = field;
        count++;
        if (**p == '\n')
            break;
    }
    if (__builtin_expect(count != form->fields, false))
        return input_fail(s, *p, SL_SYNTAX, "the line has %d field%s; the first line has %d", count,
                          count == 1 ? "" : "s", form->fields);
    ++*p;
    return SL_OK;
}

/* Lines are numbered in batches: the slots of all labels of a batch are fetched before the first is
 * searched, then their records, so that the cache misses of a batch overlap. */
enum { BATCH = 32 };
typedef struct {
    csv_field label[2]; /* CSV_SOURCE, CSV_TARGET */
    uint64_t hash[2];
    double weight;
} csv_edge;

/* Appends the edges of a batch to the tuples. */
static sl_status number_batch(reader *r, const csv_edge *batch, int count, bool weighted)
{
    sl_edges *edges = &r->edges;
    for (int k = 0; k < count; k++)
        for (int c = 0; c < CSV_WEIGHT; c++)
            label_table_expect_record(r->labels, batch[k].hash[c]);
    for (int k = 0; k < count; k++) {
        const csv_edge *e = &batch[k];
        uint64_t i = 0, j = 0;
        sl_status status = scan_label(r, e->label[CSV_SOURCE], e->hash[CSV_SOURCE], "source", &i);
        if (status == SL_OK)
            status = scan_label(r, e->label[CSV_TARGET], e->hash[CSV_TARGET], "target", &j);
        if (status == SL_OK && edges->count == r->capacity) {
            /* estimate: a line has at least 4 bytes, typically 12 or more */
            const uint64_t hint = r->input.compressed ? 0 : reader_bytes(r) / 12;
            status = reader_grow(r, hint > 1024 ? hint : 1024, weighted);
        }
        if (__builtin_expect(status != SL_OK, false))
            return status;
        edges->row[edges->count] = i;
        edges->col[edges->count] = j;
        if (weighted)
            ((double *)edges->values)[edges->count] = e->weight;
        edges->count++;
    }
    return SL_OK;
}

/* Scans the line at *p, which is not empty, and fetches the slots of its labels. */
static inline sl_status scan_edge(reader *r, const char **p, const csv_form *form, csv_edge *e)
{
    csv_field chosen[CSV_COLUMNS] = {0};
    sl_status status = scan_line(r, p, form, chosen);
    if (status == SL_OK && form->position[CSV_WEIGHT] >= 0)
        status = scan_field_weight(r, &chosen[CSV_WEIGHT], &e->weight);
    for (int c = 0; status == SL_OK && c < CSV_WEIGHT; c++) {
        e->label[c] = chosen[c];
        e->hash[c] = field_hash(&chosen[c]);
        label_table_expect(r->labels, e->hash[c]);
    }
    return status;
}

static sl_status scan_lines(reader *r, const char *p, const void *format)
{
    const csv_form *form = format;
    const bool weighted = form->position[CSV_WEIGHT] >= 0;
    sl_status status = SL_OK;
    if (!r->labels && !(r->labels = sl_calloc(1, sizeof *r->labels)))
        return label_fails(r, p, SL_NO_MEMORY);
    while (status == SL_OK && csv_line(&r->input, &p)) {
        csv_edge batch[BATCH];
        int count = 0;
        do {
            status = scan_edge(r, &p, form, &batch[count]);
            count += status == SL_OK;
        } while (status == SL_OK && count < BATCH && csv_line(&r->input, &p));
        /* an error of an earlier line replaces that of this one */
        const sl_status earlier = number_batch(r, batch, count, weighted);
        status = earlier == SL_OK ? status : earlier;
    }
    return status;
}

/* Moves *p to the first line that is not empty; at the end of the file *p == s->end. */
static sl_status first_line(input *s, const char **p)
{
    *p = s->begin;
    while (!csv_line(s, p)) {
        sl_status status = input_next(s);
        *p = s->begin;
        if (status != SL_OK || s->begin == s->end)
            return status;
    }
    return SL_OK;
}

sl_status read_csv(reader *r)
{
    input *s = &r->input;
    const char *p;
    csv_form form;
    sl_status status = first_line(s, &p);
    if (status == SL_OK && p == s->end)
        return input_expected(s, p, "a line that names the columns, or an edge");
    if (status == SL_OK)
        status = csv_read_form(&form, r, p);
    if (status != SL_OK)
        return status;
    if (r->options->flags & SL_READ_PATTERN)
        form.position[CSV_WEIGHT] = -1;
    r->edges.type = form.position[CSV_WEIGHT] >= 0 ? SL_FP64 : SL_BOOL;
    if (form.header)
        p = csv_after(s, p);
    status = read_blocks(r, p, scan_lines, &form);
    return status == SL_OK ? number_labels(r) : status;
}
