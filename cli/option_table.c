/* Walks the tables of argp: for unknown options, and for the scripts of completion. */
#include "cli/option_table.h"

#include <stdio.h>
#include <string.h>

#include <semla/la.h>

#include "cli/command_messages.h"
#include "cli/shown.h"
#include "cli/shown_copy.h"
#include "cli/suggest.h"

void option_table_visit(const struct argp *argp, option_visitor *visit, void *state)
{
    const struct argp_option *o = argp->options;
    for (; o && (o->name || o->key || o->doc || o->group); o++)
        if (o->name && !(o->flags & OPTION_DOC))
            visit(o, state);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        option_table_visit(child->argp, visit, state);
}

/* The names of all options, or the option of a name or letter. */
typedef struct {
    const char **names; /* or NULL: they are counted only */
    size_t count;
} option_names;

static void add_name(const struct argp_option *option, void *state)
{
    option_names *all = state;
    if (all->names)
        all->names[all->count] = option->name;
    all->count++;
}

/* An option that is looked for: by the first `length` characters of its name, or by its letter. */
typedef struct {
    const char *name;
    size_t length;
    int letter;
    const struct argp_option *found; /* out: the option of that name, or else the first one */
    bool exact;                      /* out: it has that name */
} option_query;

static void match(const struct argp_option *option, void *state)
{
    option_query *q = state;
    const bool starts = q->name && strncmp(option->name, q->name, q->length) == 0;
    if (!starts && (q->name || option->key != q->letter))
        return;
    const bool exact = starts && option->name[q->length] == '\0';
    if (!q->found || (exact && !q->exact))
        q->found = option;
    q->exact = q->exact || exact;
}

/* Checks the letters of a word such as -qo; *next: the last is an option whose value is the next
 * word. */
static error_t check_letters(const struct argp *argp, const char *letters, bool *next)
{
    *next = false;
    for (; *letters; letters++) {
        option_query q = {.letter = (unsigned char)*letters};
        option_table_visit(argp, match, &q);
        if (!q.found) {
            const size_t length = utf8_length(letters);
            return usage_error("unknown option '-%.*s'", (int)(length > 0 ? length : 1), letters);
        }
        if (q.found->arg) {
            *next = letters[1] == '\0';
            return 0;
        }
    }
    return 0;
}

static error_t unknown(const struct argp *argp, const char *word, size_t length)
{
    option_names all = {0};
    char name[64];
    option_table_visit(argp, add_name, &all);
    all.names = sl_malloc((all.count + 1) * sizeof *all.names);
    if (!all.names)
        out_of_memory();
    all.count = 0;
    option_table_visit(argp, add_name, &all);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), word);
    error_t error = usage_error("unknown option '--%.*s'%s", (int)length, word,
                                suggest(name, "--", all.names, all.count).text);
    sl_free(all.names);
    return error;
}

error_t option_table_check(const struct argp *argp, int argc, char **argv)
{
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        const char *word = argv[k];
        if (word[0] != '-' || word[1] == '\0')
            continue;
        if (word[1] != '-') {
            bool next;
            error_t error = check_letters(argp, word + 1, &next);
            if (error)
                return error;
            k += next;
            continue;
        }
        option_query q = {.name = word + 2, .length = strcspn(word + 2, "=")};
        option_table_visit(argp, match, &q);
        if (!q.found)
            return unknown(argp, q.name, q.length);
        k += q.found->arg && q.name[q.length] != '=';
    }
    return 0;
}
