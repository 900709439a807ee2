/* The first line of a comma- or tab-separated edge list: its delimiter and its columns. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "common.h"
#include "csv.h"
#include "format.h"
#include "scan_number.h"

/* Names by which columns are recognised, in any case; if a line has several of a list, the first of
 * the list counts. */
static const char *const known[CSV_COLUMNS][24] = {
    {"source", "src", "from", "start", "tail", "u", "source_id", "from_id", "from_node",
     "fromnodeid", "node1", "node_1", "id1", "id_1", "vertex1", ":start_id"},
    {"target", "tgt", "dst", "dest", "destination", "to", "end", "head", "v", "target_id", "to_id",
     "to_node", "tonodeid", "node2", "node_2", "id2", "id_2", "vertex2", ":end_id"},
    {"weight", "w", "weights", "value", "cost", "distance", "length", "capacity"}};
static const char *const column_names[CSV_COLUMNS] = {"source", "target", "weight"};

enum { MOST_FIELDS = 4096, SHOWN = 200 };

sl_status csv_scan_quoted(const input *s, const char **p, char delimiter, csv_field *field)
{
    const char *quote = *p, *q = quote + 1;
    *field = (csv_field){.begin = q, .quoted = true};
    for (;; q++) {
        if (*q == '\n')
            return input_fail(s, quote, SL_SYNTAX, "the quoted field does not end on its line");
        if (*q == '"' && q[1] != '"')
            break;
        if (*q == '"') {
            field->doubled = true;
            q++;
        }
    }
    field->end = q++;
    while (csv_is_blank(*q, delimiter))
        q++;
    if (*q == '\r' && q[1] == '\n')
        q++;
    if (*q != delimiter && *q != '\n')
        return input_expected(s, q, "a delimiter or the end of the line after the closing quote");
    *p = q;
    return SL_OK;
}

/* The delimiter: a tab for names that end in .tsv; otherwise the one of comma, tab and semicolon
 * that is most frequent outside of quotes in the first line, the comma if none is. */
static char find_delimiter(const reader *r, const char *line)
{
    static const char delimiters[] = ",\t;";
    int counts[3] = {0};
    bool quoted = false;
    const size_t length = uncompressed_length(r->input.path);
    if (has_suffix(r->input.path, length, ".tsv"))
        return '\t';
    for (const char *p = line; *p != '\n'; p++) {
        quoted ^= *p == '"';
        for (int k = 0; k < 3; k++)
            counts[k] += !quoted && *p == delimiters[k];
    }
    int best = 0;
    for (int k = 1; k < 3; k++)
        best = counts[k] > counts[best] ? k : best;
    return delimiters[best];
}

/* True if the field is `name`; `any_case`: upper and lower case are the same. */
static bool is_named(const csv_field *field, const char *name, bool any_case)
{
    const size_t length = (size_t)(field->end - field->begin);
    return strlen(name) == length && (any_case ? strncasecmp(field->begin, name, length)
                                               : strncmp(field->begin, name, length)) == 0;
}

static bool is_integer(const csv_field *field)
{
    const char *p = field->begin;
    p += p < field->end && *p == '-';
    if (p == field->end)
        return false;
    while (p < field->end && is_digit(*p))
        p++;
    return p == field->end;
}

/* "'from', 'to' and 'km'", cut to fit. */
typedef struct {
    char text[SHOWN];
} field_list;

static field_list list_fields(const csv_field *fields, int count)
{
    field_list list = {""};
    size_t used = 0;
    for (int k = 0; k < count; k++) {
        const int most = (int)(fields[k].end - fields[k].begin);
        const size_t room = sizeof list.text - used;
        const int length =
            snprintf(list.text + used, room, "%s'%.*s'", k ? ", " : "", most, fields[k].begin);
        if ((size_t)length + 6 > room) {
            snprintf(list.text + used, room, ", ...");
            break;
        }
        used += (size_t)length;
    }
    return list;
}

/* The position of the column that the options choose, by its name or its number from 1. */
static sl_status choose_column(csv_form *form, const reader *r, const char *line,
                               const csv_field *fields, int column, const char *wanted)
{
    for (int any_case = 0; any_case < 2; any_case++)
        for (int k = 0; form->header && k < form->fields; k++)
            if (is_named(&fields[k], wanted, any_case)) {
                form->position[column] = k;
                return SL_OK;
            }
    char *end;
    const unsigned long number = is_digit(*wanted) ? strtoul(wanted, &end, 10) : 0;
    if (number > 0 && *end == '\0' && number <= (unsigned long)form->fields) {
        form->position[column] = (int)number - 1;
        return SL_OK;
    }
    return input_fail(&r->input, line, SL_SYNTAX, "there is no column '%s' for the %s; %s %s",
                      wanted, column_names[column],
                      form->header ? "the columns are"
                                   : "without a header columns are numbered; "
                                     "the first line has",
                      list_fields(fields, form->fields).text);
}

static int recognised(const csv_form *form, const csv_field *fields, int column)
{
    for (const char *const *name = known[column]; *name; name++)
        for (int k = 0; k < form->fields; k++)
            if (is_named(&fields[k], *name, true))
                return k;
    return -1;
}

static sl_status find_columns(csv_form *form, const reader *r, const char *line,
                              const csv_field *fields)
{
    const sl_read_options *o = r->options;
    const char *const wanted[CSV_COLUMNS] = {o->source_column, o->target_column, o->weight_column};
    sl_status status = SL_OK;
    for (int c = 0; status == SL_OK && c < CSV_COLUMNS; c++) {
        if (wanted[c])
            status = choose_column(form, r, line, fields, c, wanted[c]);
        else if (form->header)
            form->position[c] = recognised(form, fields, c);
        else
            form->position[c] = c < CSV_WEIGHT ? c : form->fields == CSV_COLUMNS ? c : -1;
    }
    if (status != SL_OK)
        return status;
    for (int c = 0; c < CSV_WEIGHT; c++)
        if (form->position[c] < 0)
            return input_fail(&r->input, line, SL_SYNTAX,
                              "none of the columns %s is known as the %s: choose it by its name or "
                              "number (--%s-column); if the first line is an edge, say so "
                              "(--no-header)",
                              list_fields(fields, form->fields).text, column_names[c],
                              column_names[c]);
    if (form->position[CSV_SOURCE] == form->position[CSV_TARGET])
        return input_fail(&r->input, line, SL_SYNTAX,
                          "column %d is chosen for the source and for the target",
                          form->position[CSV_SOURCE] + 1);
    return SL_OK;
}

/* The fields of the first line. */
static sl_status scan_fields(csv_form *form, const reader *r, const char *line, csv_field *fields)
{
    const input *s = &r->input;
    for (const char *p = line;; p++) {
        if (form->fields == MOST_FIELDS)
            return input_fail(s, p, SL_SYNTAX, "the line has more than %d fields",
                              (int)MOST_FIELDS);
        sl_status status = csv_scan_field(s, &p, form->delimiter, &fields[form->fields]);
        if (status != SL_OK)
            return status;
        form->fields++;
        if (*p == '\n')
            break;
    }
    if (form->fields > 1)
        return SL_OK;
    return input_fail(s, line, SL_SYNTAX,
                      "the line has one field; expected at least two, separated by commas, tabs or "
                      "semicolons");
}

sl_status csv_read_form(csv_form *form, const reader *r, const char *line)
{
    *form = (csv_form){.delimiter = find_delimiter(r, line)};
    csv_field *fields = sl_malloc(MOST_FIELDS * sizeof *fields);
    if (!fields)
        return sl_fail(r->input.ctx, SL_NO_MEMORY, "%s: no memory for the first line",
                       r->input.path);
    sl_status status = scan_fields(form, r, line, fields);
    form->header = !r->options->no_header &&
                   !(status == SL_OK && is_integer(&fields[0]) && is_integer(&fields[1]));
    if (status == SL_OK)
        status = find_columns(form, r, line, fields);
    sl_free(fields);
    return status;
}
