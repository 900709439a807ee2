/* What the completion of shells offers: options and their values, from the tables of the parsers. */
#include "cli/complete.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/run.h"

static char *copy_of(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        out_of_memory();
    return copy;
}

/* ---- values ------------------------------------------------------------------ */

/* Appends a word to a list of words separated by blanks. */
static void add_word(char **list, const char *word)
{
    const size_t length = *list ? strlen(*list) : 0;
    char *longer = realloc(*list, length + strlen(word) + 2);
    if (!longer)
        out_of_memory();
    sprintf(longer + length, "%s%s", length ? " " : "", word);
    *list = longer;
}

static char *format_words(void)
{
    char *list = NULL;
    sl_format_info info;
    add_word(&list, "auto");
    for (size_t k = 0; sl_format_describe(k, &info) == SL_OK; k++)
        add_word(&list, info.name);
    return list;
}

static char *engine_words(void)
{
    const char *names[MOST_ENGINES];
    char *list = NULL;
    const int count = option_engines(names);
    for (int k = 0; k < count; k++)
        add_word(&list, names[k]);
    return list;
}

static char *rule_words(void)
{
    char *list = NULL;
    for (int k = 0; k < DUPLICATE_RULES; k++)
        add_word(&list, duplicate_rules[k]);
    return list;
}

/* The values of an option: those that its metavariable lists ("any|all"), rules for duplicates, or
 * names of engines or formats. */
static char *values_of(const char *name, const char *value_name)
{
    if (strchr(value_name, '|')) {
        char *list = copy_of(value_name);
        for (char *mark = list; (mark = strchr(mark, '|'));)
            *mark = ' ';
        return list;
    }
    if (strcmp(value_name, "RULE") == 0)
        return rule_words();
    if (strcmp(value_name, "NAME") != 0)
        return NULL;
    return strcmp(name, "engine") == 0 ? engine_words() : format_words();
}

/* ---- options ------------------------------------------------------------------ */

static void add_option(offered_options *all, const char *name, int letter, const char *value_name,
                       const char *help)
{
    if (all->count == all->room) {
        all->room = 2 * all->room + 32;
        all->at = sl_realloc(all->at, all->room * sizeof *all->at);
        if (!all->at)
            out_of_memory();
    }
    all->at[all->count++] = (offered_option){
        .name = copy_of(name),
        .help = copy_of(help ? help : ""),
        .letter = letter,
        .value_name = value_name ? copy_of(value_name) : NULL,
        .values = value_name ? values_of(name, value_name) : NULL,
        .file = value_name && strcmp(value_name, "FILE") == 0,
        .repeated = value_name && strcmp(value_name, "VERTEX") == 0,
    };
}

/* Options of single algorithms are hidden in the table of `semla run`. */
static void offer(const struct argp_option *option, void *state)
{
    if (option->flags & OPTION_HIDDEN)
        return;
    const int letter =
        option->key > 0 && option->key < 128 && isalnum(option->key) ? option->key : 0;
    const bool optional = option->flags & OPTION_ARG_OPTIONAL;
    add_option(state, option->name, letter, optional ? NULL : option->arg, option->doc);
}

static void offer_all(const struct argp *argp, void *state)
{
    option_table_visit(argp, offer, state);
}

offered_options options_of_command(const subcommand *c)
{
    offered_options all = {0};
    options_visit(c, offer_all, &all);
    return all;
}

offered_options options_of_algorithm(const sl_algorithm *algorithm)
{
    offered_options all = {0};
    for (int k = 0; algorithm->arguments[k].name; k++) {
        const sl_argument *a = &algorithm->arguments[k];
        if (a->flags & SL_ARGUMENT_GRAPH) /* an option of files */
            continue;
        const run_name name = run_option_name(a->name, a->kind);
        add_option(&all, name.text, run_option_letter(name.text), run_option_value(a->kind),
                   a->help);
    }
    for (int k = 0; algorithm->results[k].name; k++)
        if (algorithm->results[k].flags & SL_RESULT_FILE)
            add_option(&all, run_option_name(algorithm->results[k].name, SL_KIND_VECTOR).text, 0,
                       "FILE", algorithm->results[k].help);
    return all;
}

void offered_free(offered_options *options)
{
    for (size_t k = 0; k < options->count; k++) {
        free(options->at[k].name);
        free(options->at[k].help);
        free(options->at[k].value_name);
        free(options->at[k].values);
    }
    sl_free(options->at);
    *options = (offered_options){0};
}

/* ---- arguments ------------------------------------------------------------------ */

static void find_argument(const struct argp *argp, void *state)
{
    static const struct {
        const char *beginning;
        argument_kind kind;
    } kinds[] = {
        {"GRAPH", GRAPHS}, {"MODEL", MODELS_ALONE}, {"ALGORITHM", ALGORITHMS}, {"bash", SHELLS}};
    argument_kind *found = state;
    for (size_t k = 0; argp->args_doc && k < sizeof kinds / sizeof *kinds; k++)
        if (strncmp(argp->args_doc, kinds[k].beginning, strlen(kinds[k].beginning)) == 0)
            *found = kinds[k].kind;
}

argument_kind argument_of_command(const subcommand *c)
{
    argument_kind kind = NO_ARGUMENT;
    options_visit(c, find_argument, &kind);
    return kind;
}
