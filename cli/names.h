/*
 * The names of vertices, by which the command calls them in options, messages and results: labels
 * for CSV files, ids with --renumber, indices otherwise. Ids of which one is negative are labels, too.
 */
#ifndef SEMLA_CLI_NAMES_H
#define SEMLA_CLI_NAMES_H

#include <stdio.h>
#include <string.h>

#include <semla/io.h>

#include "cli/json.h"
#include "cli/shown_copy.h"

/* The arrays belong to the graph. */
typedef struct {
    uint64_t vertices;
    const uint64_t *ids;     /* the id of each vertex, ascending; NULL: its index */
    const sl_labels *labels; /* NULL: there are none */
    bool labels_are_ids;     /* the labels are ids of an edge list */
} vertex_names;

/* True if all names can be indices of a vector or of an edge list: they are below 2^60. */
bool names_are_indices(const vertex_names *names);

/* The name of a vertex: its label, or its id as text in *space. A number that is no vertex, of
 * results that are not valid, remains. */
typedef struct {
    char text[24];
} name_space;
const char *vertex_name(const vertex_names *names, uint64_t vertex, name_space *space);
/* The name, valid until the end of the block. */
#define NAME_OF(names, vertex) vertex_name(names, vertex, &(name_space){""})

/* The name for people (shown.h), valid for as long. */
#define SHOWN_NAME(names, vertex) shown(NAME_OF(names, vertex))

/* Adds a vertex to JSON: a label of a CSV file as a text, an id as a number. */
void json_vertex(cJSON *parent, const char *name, const vertex_names *names, uint64_t vertex);

/* The vertex of a name, as an exit status; if there is none, prints a message that starts with
 * `what` ("source", "target"). */
int find_vertex(uint64_t *vertex, const vertex_names *names, const char *name, const char *what);

/* A label as a word of a line of text: in quotes, which are doubled inside, if it contains a quote,
 * a blank, or a sign that begins a comment. */
void print_word(FILE *stream, const char *label);

/* Reads the word that print_word has written, in place: *text moves behind it. NULL: there is none,
 * or the closing quote is missing. */
char *next_word(char **text);

/* The first line of a text without the mark of UTF-8. */
static inline char *skip_utf8_mark(char *line)
{
    return strncmp(line, "\xef\xbb\xbf", 3) == 0 ? line + 3 : line;
}

/* The names of vertices in options, as they were given. Start with {0}; free with name_list_free. */
typedef struct {
    const char **at;
    size_t count, capacity;
} name_list;
void name_list_append(name_list *list, const char *name);
void name_list_free(name_list *list);

#endif
