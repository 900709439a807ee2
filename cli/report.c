/* The report of a command as text and as JSON. */
#include "cli/report.h"

#include <inttypes.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/json.h"
#include "cli/shown.h"

enum { LABEL = 13, SHOWN = 20 }; /* width of the labels; elements of a list in the text */

struct fact {
    char *label; /* owned; NULL: in JSON only */
    const char *name;
    enum { COUNT, VERTEX, NUMBER, BOOL, SECONDS, TEXT, LIST, VERTICES, RANKING } kind;
    uint64_t count; /* or the elements of a list */
    double number;
    bool truth;
    char *text;
    uint64_t *list;
    ranked *rows;
};

/* A copy of `size` bytes. */
static void *copy(const void *from, size_t size)
{
    void *to = sl_malloc(size + 1);
    if (!to)
        out_of_memory();
    if (size > 0)
        memcpy(to, from, size);
    return to;
}

static fact *append(report *r, const char *label, const char *name)
{
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 16;
        fact *facts = sl_realloc(r->facts, room * sizeof *facts);
        if (!facts)
            out_of_memory();
        r->facts = facts;
        r->room = room;
    }
    fact *f = &r->facts[r->count++];
    *f = (fact){.label = label ? copy(label, strlen(label) + 1) : NULL, .name = name};
    return f;
}

void report_count(report *r, const char *label, const char *name, uint64_t value)
{
    fact *f = append(r, label, name);
    f->kind = COUNT;
    f->count = value;
}

void report_vertex(report *r, const char *label, const char *name, uint64_t vertex)
{
    fact *f = append(r, label, name);
    f->kind = VERTEX;
    f->count = vertex;
}

void report_number(report *r, const char *label, const char *name, double value)
{
    fact *f = append(r, label, name);
    f->kind = NUMBER;
    f->number = value;
}

void report_bool(report *r, const char *label, const char *name, bool value)
{
    fact *f = append(r, label, name);
    f->kind = BOOL;
    f->truth = value;
}

void report_seconds(report *r, const char *label, const char *name, double value)
{
    fact *f = append(r, label, name);
    f->kind = SECONDS;
    f->number = value;
}

void report_text(report *r, const char *label, const char *name, const char *value)
{
    fact *f = append(r, label, name);
    f->kind = TEXT;
    f->text = copy(value, strlen(value) + 1);
}

void report_list(report *r, const char *label, const char *name, const uint64_t *values,
                 size_t count)
{
    fact *f = append(r, label, name);
    f->kind = LIST;
    f->count = count;
    f->list = copy(values, count * sizeof *values);
}

void report_vertices(report *r, const char *label, const char *name, const uint64_t *vertices,
                     size_t count)
{
    report_list(r, label, name, vertices, count);
    r->facts[r->count - 1].kind = VERTICES;
}

void report_ranking(report *r, const char *title, const char *name, const ranked *rows,
                    size_t count)
{
    fact *f = append(r, title, name);
    f->kind = RANKING;
    f->count = count;
    f->rows = copy(rows, count * sizeof *rows);
}

void report_free(report *r)
{
    for (size_t k = 0; k < r->count; k++) {
        sl_free(r->facts[k].label);
        sl_free(r->facts[k].text);
        sl_free(r->facts[k].list);
        sl_free(r->facts[k].rows);
    }
    sl_free(r->facts);
    *r = (report){0};
}

/* ---- text --------------------------------------------------------------- */

static void print_list(const fact *f, const vertex_names *names)
{
    for (uint64_t k = 0; k < f->count && k < SHOWN; k++) {
        fputs(k ? " " : "", stdout);
        if (f->kind == VERTICES)
            print_word(stdout, SHOWN_NAME(names, f->list[k]));
        else
            printf("%" PRIu64, f->list[k]);
    }
    if (f->count > SHOWN)
        printf(" ... (%s in all)", text_of_count(f->count).text);
}

static void print_fact(const fact *f, const vertex_names *names)
{
    printf("%-*s ", LABEL - 1, f->label);
    switch (f->kind) {
    case COUNT:
        fputs(text_of_count(f->count).text, stdout);
        break;
    case VERTEX:
        fputs(SHOWN_NAME(names, f->count), stdout);
        break;
    case NUMBER:
        printf("%.6g", f->number);
        break;
    case BOOL:
        fputs(f->truth ? "yes" : "no", stdout);
        break;
    case SECONDS:
        fputs(text_of_seconds(f->number).text, stdout);
        break;
    case TEXT:
        put_shown(stdout, f->text);
        break;
    default:
        print_list(f, names);
    }
    putchar('\n');
}

static void print_ranking(const fact *f, const vertex_names *names)
{
    printf("\n%12s  %s\n", "vertex", f->label);
    for (uint64_t k = 0; k < f->count; k++)
        printf("%12s  %.6g\n", SHOWN_NAME(names, f->rows[k].vertex), f->rows[k].value);
}

void report_print(const report *r)
{
    for (size_t k = 0; k < r->count; k++)
        if (r->facts[k].label && r->facts[k].kind != RANKING)
            print_fact(&r->facts[k], r->names);
    for (size_t k = 0; k < r->count; k++)
        if (r->facts[k].kind == RANKING && r->facts[k].count > 0)
            print_ranking(&r->facts[k], r->names);
}

/* ---- JSON --------------------------------------------------------------- */

static void json_fact(cJSON *root, const fact *f, const vertex_names *names)
{
    cJSON *list;
    switch (f->kind) {
    case COUNT:
        json_count(root, f->name, f->count);
        break;
    case VERTEX:
        json_vertex(root, f->name, names, f->count);
        break;
    case NUMBER:
    case SECONDS:
        json_number(root, f->name, f->number);
        break;
    case BOOL:
        json_bool(root, f->name, f->truth);
        break;
    case TEXT:
        json_text(root, f->name, f->text);
        break;
    case LIST:
        list = json_array(root, f->name);
        for (uint64_t k = 0; k < f->count; k++)
            json_count(list, NULL, f->list[k]);
        break;
    case VERTICES:
        list = json_array(root, f->name);
        for (uint64_t k = 0; k < f->count; k++)
            json_vertex(list, NULL, names, f->list[k]);
        break;
    case RANKING:
        list = json_array(root, f->name);
        for (uint64_t k = 0; k < f->count; k++) {
            cJSON *row = json_object(list, NULL);
            json_vertex(row, "vertex", names, f->rows[k].vertex);
            json_number(row, "value", f->rows[k].value);
        }
    }
}

void report_print_json(const report *r)
{
    cJSON *root = json_object(NULL, NULL);
    for (size_t k = 0; k < r->count; k++)
        if (r->facts[k].name)
            json_fact(root, &r->facts[k], r->names);
    json_print(root);
}
