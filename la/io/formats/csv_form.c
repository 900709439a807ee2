/* The first line of a comma- or tab-separated edge list: its delimiter and its columns. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/files/common.h"
#include "io/files/scan_number.h"
#include "io/formats/csv.h"
#include "io/formats/format.h"

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

/* The character of a field behind p; of doubled quotes, of which the first is at p, the second. */
static const char *next_character(const csv_field *field, const char *p)
{
    return p + 1 + (field->doubled && *p == '"');
}

/* True if the field is `name`; `any_case`: upper and lower case are the same. */
static bool is_named(const csv_field *field, const char *name, bool any_case)
{
    const char *p = field->begin;
    for (; p < field->end && *name; p = next_character(field, p), name++)
        if (any_case ? tolower((unsigned char)*p) != tolower((unsigned char)*name) : *p != *name)
            return false;
    return p == field->end && *name == '\0';
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

/* Names of columns, such as "'from', 'to', 'km'", or without a header their numbers, cut to fit. */
typedef struct {
    char text[SHOWN];
    size_t used;
} column_list;

/* Copies a field without doubled quotes, at most `room` - 1 characters. Returns the whole length. */
static size_t copy_name(char *to, size_t room, const csv_field *field)
{
    size_t length = 0;
    for (const char *p = field->begin; p < field->end; p = next_character(field, p), length++)
        if (length + 1 < room)
            to[length] = *p;
    if (room > 0)
        to[length < room ? length : room - 1] = '\0';
    return length;
}

static void append_column(column_list *list, const csv_form *form, const csv_field *fields, int k)
{
    enum { END = 6 }; /* ", ..." */
    char *to = list->text + list->used;
    const size_t room = sizeof list->text - list->used;
    const char *separator = list->used ? ", " : "";
    size_t length;
    if (room <= END)
        return;
    if (form->header) {
        length = strlen(separator) + 2 + copy_name(NULL, 0, &fields[k]);
        if (length + END < room) {
            to += sprintf(to, "%s'", separator);
            to += copy_name(to, room, &fields[k]);
            strcpy(to, "'");
        }
    } else {
        length = (size_t)snprintf(NULL, 0, "%s%d", separator, k + 1);
        if (length + END < room)
            sprintf(to, "%s%d", separator, k + 1);
    }
    if (length + END >= room) { /* the last of the list */
        strcpy(to, list->used ? ", ..." : "...");
        length = sizeof list->text - END - list->used;
    }
    list->used += length;
}

static column_list list_fields(const csv_form *form, const csv_field *fields)
{
    column_list list = {.used = 0};
    const csv_form named = {.header = true};
    for (int k = 0; k < form->fields; k++)
        append_column(&list, &named, fields, k);
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
                      list_fields(form, fields).text);
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
                              list_fields(form, fields).text, column_names[c], column_names[c]);
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
    const bool blanks = memchr(fields->begin, ' ', (size_t)(fields->end - fields->begin)) ||
                        memchr(fields->begin, '\t', (size_t)(fields->end - fields->begin));
    return input_fail(
        s, line, SL_SYNTAX,
        "the line has one field; expected at least two, separated by commas, tabs or "
        "semicolons%s",
        blanks ? "; edges separated by blanks are read as an edge list (--format edges)" : "");
}

/* ---- columns that are not read --------------------------------------------- */

void sl_unread_columns_free(sl_unread_columns *unread)
{
    if (!unread)
        return;
    sl_free(unread->names);
    sl_free(unread->number);
    *unread = (sl_unread_columns){0};
}

/* Whether the fields of a column, in the first rows, are numbers. */
typedef enum { COLUMN_EMPTY, COLUMN_NUMBERS, COLUMN_TEXTS } column_contents;

/* Looks at the first rows of the current block, which starts at p. The reader reports its errors. */
static void look_at_rows(column_contents *contents, const csv_form *form, const input *s,
                         const char *p)
{
    enum { ROWS = 100 };
    for (int row = 0; row < ROWS && p != s->end; row++, p++)
        for (int k = 0; !csv_at_end(p) && k < form->fields; k++) {
            csv_field field;
            double value;
            number_fault fault;
            if (csv_scan_field(s, &p, form->delimiter, &field) != SL_OK)
                return;
            if (field.begin < field.end && scan_real(field.begin, &value, &fault) != field.end)
                contents[k] = COLUMN_TEXTS;
            else if (field.begin < field.end && contents[k] == COLUMN_EMPTY)
                contents[k] = COLUMN_NUMBERS;
            if (*p == '\n')
                break;
            p++;
        }
}

/* Sets the columns that are not read although the file may have weights. */
static sl_status find_unread(const csv_form *form, const reader *r, const csv_field *fields,
                             const char *rows)
{
    sl_unread_columns *unread = r->options->unread;
    column_contents *contents = sl_calloc((size_t)form->fields, sizeof *contents);
    column_list names = {.used = 0};
    int numbers = 0, number = 0;
    if (contents)
        look_at_rows(contents, form, &r->input, rows);
    for (int k = 0; contents && k < form->fields; k++) {
        if (k == form->position[CSV_SOURCE] || k == form->position[CSV_TARGET])
            continue;
        append_column(&names, form, fields, k);
        if (contents[k] == COLUMN_NUMBERS) {
            numbers++;
            number = k;
        }
    }
    if (contents && names.used > 0) {
        unread->names = sl_malloc(sizeof names.text);
        if (unread->names)
            strcpy(unread->names, names.text);
    }
    if (numbers == 1) {
        const csv_field *field = &fields[number];
        const size_t room = (size_t)(field->end - field->begin) + 1;
        unread->number = sl_malloc(room > SHOWN ? room : SHOWN);
        if (unread->number && form->header)
            copy_name(unread->number, room, field);
        else if (unread->number)
            sprintf(unread->number, "%d", number + 1);
    }
    sl_free(contents);
    const bool enough =
        contents && (names.used == 0 || unread->names) && (numbers != 1 || unread->number);
    return enough ? SL_OK
                  : sl_fail(r->input.ctx, SL_NO_MEMORY, "%s: no memory for the names of columns",
                            r->input.path);
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
    const bool weighted = form->position[CSV_WEIGHT] >= 0 || r->options->flags & SL_READ_PATTERN;
    if (status == SL_OK && r->options->unread && !weighted)
        status = find_unread(form, r, fields, form->header ? csv_after(&r->input, line) : line);
    sl_free(fields);
    return status;
}
