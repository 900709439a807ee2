/* The report of a command: a list of named facts, printed as text or as JSON. */
#ifndef SEMLA_CLI_REPORT_H
#define SEMLA_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/names.h"

typedef struct fact fact;

/* Initialise with {0}; report_free frees it. */
typedef struct {
    fact *facts;
    size_t count, room;
    const vertex_names *names; /* of the vertices in the facts; set by the caller; must live until
                                  the report is printed */
} report;

/*
 * Appends a fact. `name` is its member in JSON (NULL: not in JSON), a static string; `label` is its
 * name in the text (NULL: not in the text) and is copied, as lists and texts are.
 */
void report_count(report *r, const char *label, const char *name, uint64_t value);
void report_vertex(report *r, const char *label, const char *name, uint64_t vertex);
void report_number(report *r, const char *label, const char *name, double value);
void report_bool(report *r, const char *label, const char *name, bool value);
void report_seconds(report *r, const char *label, const char *name, double value);
void report_text(report *r, const char *label, const char *name, const char *value);
void report_list(report *r, const char *label, const char *name, const uint64_t *values,
                 size_t count);

void report_vertices(report *r, const char *label, const char *name, const uint64_t *vertices,
                     size_t count);

/* A table of vertices with values; in JSON an array of objects. */
typedef struct {
    uint64_t vertex;
    double value;
} ranked;
void report_ranking(report *r, const char *title, const char *name, const ranked *rows,
                    size_t count);

/* Print to stdout. In the text, tables come last. */
void report_print(const report *r);
void report_print_json(const report *r);
void report_free(report *r);

#endif
