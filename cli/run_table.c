/*
 * The table of options of `semla run` for argp. The options of algorithms are made from the registry:
 * they are all known to the parser, which keeps them until the algorithm is known. The help has a
 * group of options for each algorithm.
 */
#include "cli/run_table.h"

#include <string.h>

/* An option as it was given; its value is read when the algorithm is known. */
typedef struct {
    int option; /* in `names` */
    const char *text;
} given_option;

typedef struct {
    char text[400];
} line_text;

/* Allocated by run_table_make for as many algorithms as are registered, freed by run_table_free. */
static run_name *names; /* of the options of all algorithms, without repetition */
static int option_count_all;
static struct argp_option *table;
static line_text *lines; /* the texts of `table` */
static int table_size;
static given_option *given_options; /* at most one for each argument of the command line */
static int given_count;

static void add_line(struct argp_option line)
{
    table[table_size++] = line;
}

/* The parser's entry of an option, once for all algorithms that have it; not shown in the help. */
static void add_option(run_name name, sl_kind kind)
{
    for (int k = 0; k < option_count_all; k++)
        if (strcmp(names[k].text, name.text) == 0)
            return;
    names[option_count_all] = name;
    const char letter = run_option_letter(name.text);
    const int key = letter ? letter : KEY_OPTION + option_count_all;
    add_line((struct argp_option){names[option_count_all].text, key, run_option_value(kind),
                                  OPTION_HIDDEN, NULL, 0});
    option_count_all++;
}

void run_help_text(char *text, size_t room, const sl_argument *a)
{
    const char *initial =
        a->flags & SL_ARGUMENT_HUB ? "a vertex of greatest out-degree" : a->initial;
    snprintf(text, room, "%s%s%s%s%s", a->help, a->flags & SL_ARGUMENT_REQUIRED ? "; required" : "",
             a->kind == SL_KIND_VERTICES ? "; the option can be repeated" : "",
             initial ? "; default: " : "", initial ? initial : "");
}

/* A line of the help: "--damping=F   probability ...; default: 0.85". */
static void add_help(run_name name, sl_kind kind, const char *help, int group)
{
    char *shown = lines[table_size].text, *text = shown + 80;
    const char *value = run_option_value(kind);
    const char letter = run_option_letter(name.text), prefix[] = {'-', letter, ',', ' ', '\0'};
    snprintf(shown, 80, "%s--%s%s%s", letter ? prefix : "    ", name.text, value ? "=" : "",
             value ? value : "");
    snprintf(text, sizeof lines[0] - 80, "%s", help);
    add_line((struct argp_option){shown, 0, NULL, OPTION_DOC, text, group});
}

static void add_algorithm(const sl_algorithm *algorithm, int group)
{
    snprintf(lines[table_size].text, sizeof lines[0], "%s, %s:", run_algorithm_name(algorithm).text,
             algorithm->summary);
    add_line((struct argp_option){NULL, 0, NULL, 0, lines[table_size].text, group});
    for (int k = 0; algorithm->arguments[k].name; k++) {
        const sl_argument *a = &algorithm->arguments[k];
        char help[300];
        run_help_text(help, sizeof help, a);
        add_help(run_option_name(a->name, a->kind), a->kind, help, group);
    }
    for (int k = 0; algorithm->results[k].name; k++)
        if (algorithm->results[k].flags & SL_RESULT_FILE) {
            char help[200];
            snprintf(help, sizeof help, "write to a file: %s", algorithm->results[k].help);
            add_help(run_name_of(algorithm->results[k].name), SL_KIND_VECTOR, help, group);
        }
}

static void add_options(const sl_algorithm *algorithm)
{
    for (int k = 0; algorithm->arguments[k].name; k++)
        if (!(algorithm->arguments[k].flags & SL_ARGUMENT_GRAPH)) /* else an option of files */
            add_option(run_option_name(algorithm->arguments[k].name, algorithm->arguments[k].kind),
                       algorithm->arguments[k].kind);
    for (int k = 0; algorithm->results[k].name; k++)
        if (algorithm->results[k].flags & SL_RESULT_FILE)
            add_option(run_name_of(algorithm->results[k].name), SL_KIND_VECTOR);
}

/* The number of arguments and results of all algorithms: at least the number of their options. */
static size_t count_options(void)
{
    const sl_algorithm *algorithm;
    size_t count = 0;
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++) {
        for (int a = 0; algorithm->arguments[a].name; a++)
            count++;
        for (int r = 0; algorithm->results[r].name; r++)
            count++;
    }
    return count;
}

static void alloc_table(size_t fixed, int argc)
{
    const size_t options = count_options();
    size_t algorithms = 0;
    while (sl_algorithm_at(algorithms))
        algorithms++;
    const size_t most = 2 * options + algorithms + fixed + 1; /* a hidden entry and a line of help
                                                                 for each option; the end */
    names = sl_calloc(options, sizeof *names);
    table = sl_calloc(most, sizeof *table);
    lines = sl_calloc(most, sizeof *lines);
    given_options = sl_calloc((size_t)argc + 1, sizeof *given_options);
    if (!names || !table || !lines || !given_options)
        out_of_memory();
}

void run_table_free(void)
{
    sl_free(names);
    sl_free(table);
    sl_free(lines);
    sl_free(given_options);
    option_count_all = table_size = given_count = 0;
}

const struct argp_option *run_table_make(int argc)
{
    static const struct argp_option fixed[] = {
        {NULL, 0, NULL, 0, "Output:", GROUP_OUTPUT},
        {"list", KEY_LIST, NULL, 0, "List the algorithms; with --json with their options", 0},
        {"out", 'o', "FILE", 0,
         "Write the result: a vector as .mtx, .npy, or text with a line 'vertex value' for each "
         "vertex; a matrix as .mtx or another matrix format, or text with a line 'row column "
         "value' "
         "for each entry; also .gz and .zst; - is standard output, then the report is not printed",
         0},
        {"top", KEY_TOP, "N", 0, "Show the N vertices of greatest value; default: 10", 0},
        {"check", KEY_CHECK, NULL, 0,
         "Check the result by plain loops that share no code with the algorithm", 0},
        REPEAT_OPTION(KEY_REPEAT)};
    const sl_algorithm *algorithm;
    alloc_table(sizeof fixed / sizeof *fixed, argc);
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++) {
        add_options(algorithm);
        add_algorithm(algorithm, GROUP + (int)k);
    }
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
        add_line(fixed[k]);
    return table;
}

error_t run_table_keep(int key, const char *text)
{
    for (int k = 0; k < table_size; k++)
        if (table[k].key == key && table[k].flags & OPTION_HIDDEN)
            for (int n = 0; n < option_count_all; n++)
                if (strcmp(names[n].text, table[k].name) == 0) {
                    given_options[given_count++] = (given_option){n, text};
                    return 0;
                }
    return ARGP_ERR_UNKNOWN;
}

const char *run_table_given(int position, const char **text)
{
    if (position >= given_count)
        return NULL;
    *text = given_options[position].text;
    return names[given_options[position].option].text;
}
