/* The names of vertices: labels, ids or indices. */
#include "cli/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_messages.h"
#include "cli/options.h"
#include "cli/suggest.h"

static uint64_t id_of(const vertex_names *names, uint64_t vertex)
{
    return names->ids && vertex < names->vertices ? names->ids[vertex] : vertex;
}

const char *vertex_name(const vertex_names *names, uint64_t vertex, name_space *space)
{
    if (names->labels && vertex < names->vertices)
        return names->labels->text + names->labels->start[vertex];
    snprintf(space->text, sizeof space->text, "%" PRIu64, id_of(names, vertex));
    return space->text;
}

bool names_are_indices(const vertex_names *names)
{
    const uint64_t n = names->vertices;
    return !names->labels && (n == 0 || id_of(names, n - 1) < UINT64_C(1) << 60);
}

void json_vertex(cJSON *parent, const char *name, const vertex_names *names, uint64_t vertex)
{
    if (names->labels && vertex < names->vertices && names->labels_are_ids)
        json_integer(parent, name, strtoll(NAME_OF(names, vertex), NULL, 10));
    else if (names->labels && vertex < names->vertices)
        json_text(parent, name, NAME_OF(names, vertex));
    else
        json_count(parent, name, id_of(names, vertex));
}

/* "; did you mean 'LABEL'?" */
static suggestion suggest_label(const sl_labels *labels, const char *name)
{
    const char **all = sl_malloc((labels->count + 1) * sizeof *all);
    if (!all)
        return (suggestion){""};
    for (uint64_t v = 0; v < labels->count; v++)
        all[v] = labels->text + labels->start[v];
    const suggestion nearest = suggest(name, "", all, labels->count);
    sl_free(all);
    return nearest;
}

static int find_label(uint64_t *vertex, const vertex_names *names, const char *name,
                      const char *what)
{
    if (sl_labels_find(vertex, names->labels, name) == SL_OK)
        return EXIT_DONE;
    return failed("%s '%s' is not a vertex: the label does not occur in the file%s", what, name,
                  suggest_label(names->labels, name).text);
}

/* The vertex of an id of which the spelling may differ, such as -007. */
static int find_signed_id(uint64_t *vertex, const vertex_names *names, const char *name,
                          const char *what)
{
    char *end, text[24];
    errno = 0;
    const long long id = strtoll(name, &end, 10);
    snprintf(text, sizeof text, "%lld", id);
    if (end != name && *end == '\0' && errno == 0 &&
        sl_labels_find(vertex, names->labels, text) == SL_OK)
        return EXIT_DONE;
    return failed("%s '%s' is not a vertex: the id does not occur in the file", what, name);
}

int find_vertex(uint64_t *vertex, const vertex_names *names, const char *name, const char *what)
{
    const uint64_t vertices = names->vertices;
    uint64_t id = 0, low = 0, high = vertices; /* the first id from `id` on is in [low, high] */
    if (names->labels && names->labels_are_ids)
        return find_signed_id(vertex, names, name, what);
    if (names->labels)
        return find_label(vertex, names, name, what);
    if (!parse_count(&id, name))
        return failed("%s '%s' is not a vertex: ids are whole numbers from 0", what, name);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (id_of(names, middle) < id)
            low = middle + 1;
        else
            high = middle;
    }
    *vertex = low;
    if (low < vertices && id_of(names, low) == id)
        return EXIT_DONE;
    if (names->ids)
        return failed("%s %" PRIu64 " is not a vertex: the id does not occur in the file", what,
                      id);
    if (vertices == 0)
        return failed("%s %" PRIu64 " is out of range: the graph has no vertices", what, id);
    return failed("%s %" PRIu64 " is out of range: the graph has the vertices 0 to %" PRIu64, what,
                  id, vertices - 1);
}

/* ---- words of lines ---------------------------------------------------------- */

void print_word(FILE *stream, const char *label)
{
    if (*label != '\0' && !strpbrk(label, " \t\r\n\v\f\"#%")) {
        fputs(label, stream);
        return;
    }
    putc('"', stream);
    for (; *label; label++) {
        if (*label == '"')
            putc('"', stream);
        putc(*label, stream);
    }
    putc('"', stream);
}

/* Reads a word in quotes, of which *text is at the first character inside. */
static char *quoted_word(char **text)
{
    char *from = *text, *to = from, *word = from;
    while (*from && (from[0] != '"' || from[1] == '"')) {
        from += *from == '"';
        *to++ = *from++;
    }
    if (*from != '"')
        return NULL;
    *text = from + 1;
    *to = '\0';
    return word;
}

char *next_word(char **text)
{
    char *word = *text + strspn(*text, " \t\r\n");
    if (*word == '\0')
        return NULL;
    if (*word == '"') {
        *text = word + 1;
        return quoted_word(text);
    }
    const size_t length = strcspn(word, " \t\r\n");
    *text = word + length + (word[length] != '\0');
    word[length] = '\0';
    return word;
}

/* ---- options ------------------------------------------------------------------ */

void name_list_append(name_list *list, const char *name)
{
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 8;
        const char **at = sl_realloc(list->at, capacity * sizeof *at);
        if (!at)
            out_of_memory();
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count++] = name;
}

void name_list_free(name_list *list)
{
    sl_free(list->at);
    *list = (name_list){0};
}
