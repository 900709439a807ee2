/*
 * The options of `semla run`. The options of algorithms are made from the registry: they are all
 * known to the parser, and their values are read at the end of the command line, when the
 * algorithm is known. The help has a group of options for each algorithm.
 */
#include <stdlib.h>
#include <string.h>

#include "file_names.h"
#include "output.h"
#include "run.h"

enum {
    KEY_LIST = 0x300,
    KEY_TOP,
    KEY_CHECK,
    KEY_REPEAT,
    KEY_OPTION = 0x1000, /* and the number of the option in `names` */
    GROUP = 10,          /* of the first algorithm's options in the help */
    GROUP_OUTPUT = 90,
    GROUP_COMMON = 100
};

/* ---- names -------------------------------------------------------------- */

static run_name with_dashes(const char *name)
{
    run_name dashed;
    snprintf(dashed.text, sizeof dashed.text, "%s", name);
    for (char *c = dashed.text; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return dashed;
}

run_name run_algorithm_name(const sl_algorithm *algorithm)
{
    return with_dashes(algorithm->name);
}

run_name run_option_name(const char *name, sl_kind kind)
{
    run_name option = with_dashes(name);
    if (kind == SL_KIND_VERTICES)
        option.text[strlen(option.text) - 1] = '\0';
    return option;
}

const char *run_option_value(sl_kind kind)
{
    switch (kind) {
    case SL_KIND_FLAG:
        return NULL;
    case SL_KIND_COUNT:
        return "N";
    case SL_KIND_NUMBER:
        return "F";
    case SL_KIND_VERTEX:
    case SL_KIND_VERTICES:
        return "VERTEX";
    default:
        return "FILE";
    }
}

/* ---- the parser's table ------------------------------------------------- */

/* An option as it was given; its value is read when the algorithm is known. */
typedef struct {
    int option; /* in `names` */
    const char *text;
} given_option;

typedef struct {
    char text[400];
} line_text;

/* Allocated by make_table for as many algorithms as are registered, and freed by free_table. */
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

char run_option_letter(const char *option)
{
    static const struct {
        char letter;
        const char *option;
    } letters[] = {{'S', "source"}, {'t', "target"}, {'d', "max-depth"}};
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        if (strcmp(letters[k].option, option) == 0)
            return letters[k].letter;
    return 0;
}

/* The parser's entry of an option, once for all algorithms that have it; not shown in the help. */
static void add_option(run_name name, sl_kind kind)
{
    for (int k = 0; k < option_count_all; k++)
        if (strcmp(names[k].text, name.text) == 0)
            return;
    names[option_count_all] = name;
    const int key = strcmp(name.text, "source") == 0      ? 'S'
                    : strcmp(name.text, "target") == 0    ? 't'
                    : strcmp(name.text, "max-depth") == 0 ? 'd'
                                                          : KEY_OPTION + option_count_all;
    add_line((struct argp_option){names[option_count_all].text, key, run_option_value(kind),
                                  OPTION_HIDDEN, NULL, 0});
    option_count_all++;
}

/* A line of the help: "--damping=F   probability ... (default 0.85)". */
static void add_help(run_name name, sl_kind kind, const char *help, const char *initial, int group)
{
    char *shown = lines[table_size].text, *text = shown + 80;
    const char *value = run_option_value(kind);
    const char letter = run_option_letter(name.text), prefix[] = {'-', letter, ',', ' ', '\0'};
    snprintf(shown, 80, "%s--%s%s%s", letter ? prefix : "    ", name.text, value ? "=" : "",
             value ? value : "");
    snprintf(text, sizeof lines[0] - 80, "%s%s%s%s", help,
             kind == SL_KIND_VERTICES ? "; the option can be repeated" : "",
             initial ? "; default: " : "", initial ? initial : "");
    add_line((struct argp_option){shown, 0, NULL, OPTION_DOC, text, group});
}

static void add_algorithm(const sl_algorithm *algorithm, int group)
{
    snprintf(lines[table_size].text, sizeof lines[0], "%s, %s:", run_algorithm_name(algorithm).text,
             algorithm->summary);
    add_line((struct argp_option){NULL, 0, NULL, 0, lines[table_size].text, group});
    for (int k = 0; algorithm->arguments[k].name; k++) {
        const sl_argument *a = &algorithm->arguments[k];
        const bool hub = a->flags & SL_ARGUMENT_HUB;
        add_help(run_option_name(a->name, a->kind), a->kind, a->help,
                 hub ? "a vertex of greatest out-degree" : a->initial, group);
    }
    for (int k = 0; algorithm->results[k].name; k++)
        if (algorithm->results[k].flags & SL_RESULT_FILE) {
            char help[200];
            snprintf(help, sizeof help, "write to a file: %s", algorithm->results[k].help);
            add_help(with_dashes(algorithm->results[k].name), SL_KIND_VECTOR, help, NULL, group);
        }
}

static void add_options(const sl_algorithm *algorithm)
{
    for (int k = 0; algorithm->arguments[k].name; k++)
        add_option(run_option_name(algorithm->arguments[k].name, algorithm->arguments[k].kind),
                   algorithm->arguments[k].kind);
    for (int k = 0; algorithm->results[k].name; k++)
        if (algorithm->results[k].flags & SL_RESULT_FILE)
            add_option(with_dashes(algorithm->results[k].name), SL_KIND_VECTOR);
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

static void free_table(void)
{
    sl_free(names);
    sl_free(table);
    sl_free(lines);
    sl_free(given_options);
    option_count_all = table_size = given_count = 0;
}

/* The table for a command line of `argc` arguments; its help shows the options of `only`, or of all
 * algorithms if that is NULL. */
static void make_table(const sl_algorithm *only, int argc)
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
        if (!only || only == algorithm)
            add_algorithm(algorithm, GROUP + (int)k);
    }
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
        add_line(fixed[k]);
}

/* ---- values ------------------------------------------------------------- */

/* Reads the value of an argument of the algorithm. */
static error_t read_argument(run_argument *to, const sl_argument *argument, const graph_options *g,
                             const char *option, const char *text)
{
    error_t error = 0;
    to->given = true;
    to->value.given = true;
    switch (argument->kind) {
    case SL_KIND_FLAG:
        to->value.flag = true;
        return 0;
    case SL_KIND_COUNT:
        error = option_count(&to->value.count, option, text);
        if (!error && to->value.count < argument->minimum)
            return usage_error("--%s takes a number from %llu, not '%s'", option,
                               (unsigned long long)argument->minimum, text);
        return error;
    case SL_KIND_NUMBER:
        error = option_number(&to->value.number, option, text);
        if (!error && argument->below > 0 && to->value.number >= argument->below)
            return usage_error("--%s takes a number below %g, not '%s'", option, argument->below,
                               text);
        return error;
    case SL_KIND_VERTEX:
    case SL_KIND_VERTICES:
        name_list_append(&to->vertices, text);
        return option_vertex(g, option, text);
    default:
        to->path = text;
        return 0;
    }
}

static error_t read_option(run_options *o, const char *option, const char *text)
{
    const sl_algorithm *algorithm = o->algorithm;
    for (int k = 0; algorithm->arguments[k].name; k++) {
        const sl_argument *a = &algorithm->arguments[k];
        if (strcmp(option, run_option_name(a->name, a->kind).text) == 0)
            return read_argument(&o->arguments[k], a, &o->graph, option, text);
    }
    for (int k = 0; algorithm->results[k].name; k++)
        if (algorithm->results[k].flags & SL_RESULT_FILE &&
            strcmp(option, with_dashes(algorithm->results[k].name).text) == 0) {
            o->paths[k] = text;
            return 0;
        }
    return usage_error("the algorithm '%s' takes no --%s", run_algorithm_name(algorithm).text,
                       option);
}

/* The position of an argument of that name; there is one. */
static int find_argument(const sl_algorithm *algorithm, const char *name)
{
    int k = 0;
    while (strcmp(algorithm->arguments[k].name, name) != 0)
        k++;
    return k;
}

static error_t check_argument(const run_options *o, int k)
{
    const sl_argument *a = &o->algorithm->arguments[k];
    const run_name option = run_option_name(a->name, a->kind);
    const run_name algorithm = run_algorithm_name(o->algorithm);
    if (!o->arguments[k].given)
        return a->flags & SL_ARGUMENT_REQUIRED
                   ? usage_error("the algorithm '%s' needs --%s", algorithm.text, option.text)
                   : 0;
    if (a->kind == SL_KIND_VERTEX && o->arguments[k].vertices.count > 1)
        return usage_error("the algorithm '%s' takes one --%s", algorithm.text, option.text);
    const char *other = a->excludes ? a->excludes : a->needs;
    if (!other)
        return 0;
    const int position = find_argument(o->algorithm, other);
    const run_name other_option = run_option_name(other, o->algorithm->arguments[position].kind);
    if (a->excludes && o->arguments[position].given)
        return usage_error("--%s and --%s cannot both be given", option.text, other_option.text);
    if (a->needs && !o->arguments[position].given)
        return usage_error("--%s needs --%s", option.text, other_option.text);
    return 0;
}

/* Refuses to write a matrix to a .npy file, before the graph is read. */
static error_t check_matrix_file(const run_options *o, int result, const char *option,
                                 const char *path)
{
    if (!path || !run_is_matrix(o->algorithm->results[result].kind) || !is_numpy_file(path))
        return 0;
    return usage_error("--%s: '%s': the result '%s' of '%s' is a matrix, and .npy files hold "
                       "vectors; write .mtx or text",
                       option, path, o->algorithm->results[result].name,
                       run_algorithm_name(o->algorithm).text);
}

/* Refuses names of compressed files for vectors with labels or in CSV. */
static error_t check_labelled_file(const run_options *o, int result, const char *option,
                                   const char *path)
{
    if (!path || run_is_matrix(o->algorithm->results[result].kind) || is_plain_text(path) ||
        !(is_csv_file(path) || (graph_is_labelled(&o->graph) && is_text_vector(path))))
        return 0;
    return usage_error("--%s: '%s': vectors with labels, and those in .csv and .tsv files, are not "
                       "compressed",
                       option, path);
}

static error_t check_file(const run_options *o, int result, const char *option, const char *path)
{
    error_t error = check_matrix_file(o, result, option, path);
    return error ? error : check_labelled_file(o, result, option, path);
}

static error_t check_output(const run_options *o)
{
    error_t error = 0;
    bool has_ranking = false;
    for (int k = 0; o->algorithm->results[k].name; k++)
        has_ranking = has_ranking || o->algorithm->results[k].kind == SL_KIND_RANKING;
    const run_name name = run_algorithm_name(o->algorithm);
    if (o->has_top && !has_ranking)
        return usage_error("the algorithm '%s' takes no --top", name.text);
    if (o->out && run_main_result(o->algorithm) < 0)
        return usage_error("the algorithm '%s' takes no --out", name.text);
    for (int k = 0; k < SL_MAX_RESULTS; k++)
        if (o->out && o->paths[k] && strcmp(o->out, o->paths[k]) == 0)
            return usage_error("--out and --%s both name '%s'",
                               with_dashes(o->algorithm->results[k].name).text, o->out);
    if (o->out && strcmp(o->out, "-") == 0 && o->common.json)
        return usage_error("--out - and --json cannot both go to standard output");
    if (o->out)
        error = check_file(o, run_main_result(o->algorithm), "out", o->out);
    for (int k = 0; !error && k < SL_MAX_RESULTS && o->algorithm->results[k].name; k++)
        error = check_file(o, k, with_dashes(o->algorithm->results[k].name).text, o->paths[k]);
    return error;
}

static error_t check_options(run_options *o)
{
    error_t error = 0;
    for (int k = 0; !error && k < given_count; k++)
        error = read_option(o, names[given_options[k].option].text, given_options[k].text);
    for (int k = 0; !error && o->algorithm->arguments[k].name; k++)
        error = check_argument(o, k);
    return error ? error : check_output(o);
}

/* ---- the parser --------------------------------------------------------- */

suggestion run_suggest_algorithm(const char *name, const char *prefix)
{
    const sl_algorithm *algorithm;
    size_t count = 0;
    while (sl_algorithm_at(count))
        count++;
    run_name *all = sl_malloc((count + 1) * sizeof *all);
    const char **words = sl_malloc((count + 1) * sizeof *words);
    if (!all || !words)
        out_of_memory();
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++) {
        all[k] = run_algorithm_name(algorithm);
        words[k] = all[k].text;
    }
    const suggestion found = suggest(name, prefix, words, count);
    sl_free(all);
    sl_free(words);
    return found;
}

static error_t find_algorithm(const sl_algorithm **found, const char *name)
{
    char all[400] = "";
    size_t used = 0;
    const sl_algorithm *algorithm;
    *found = sl_algorithm_find(name);
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)) && used < sizeof all; k++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "",
                                 run_algorithm_name(algorithm).text);
    return *found ? 0
                  : usage_error("there is no algorithm '%s' (algorithms: %s)%s", name, all,
                                run_suggest_algorithm(name, "").text);
}

/* Keeps an option of an algorithm; its key is that of the table. */
static error_t keep_option(int key, const char *text)
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

static error_t parse(int key, char *argument, struct argp_state *state)
{
    run_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->graph;
        state->child_inputs[1] = &o->common;
        return 0;
    case ARGP_KEY_ARG: /* the first is the algorithm, the next the graph */
        return o->algorithm ? ARGP_ERR_UNKNOWN : find_algorithm(&o->algorithm, argument);
    case 'o':
        o->out = argument;
        return 0;
    case KEY_TOP:
        o->has_top = true;
        return option_count(&o->top, "top", argument);
    case KEY_REPEAT:
        return option_repeat(&o->repeat, argument);
    case KEY_CHECK:
        o->check = true;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return usage_error("an algorithm is missing: 'semla run --list' shows them");
    case ARGP_KEY_END:
        return check_options(o);
    default:
        return keep_option(key, argument);
    }
}

static const char doc[] =
    "Runs an algorithm on a graph. 'semla run ALGORITHM --help' shows the options of one "
    "algorithm.\v" GRAPH_HELP "\n\n"
    "triangles, local-clustering, core-numbers, ktruss, pseudo-diameter, bipartite and "
    "independent-set need an undirected graph: --symmetric makes one.\n\n"
    "Examples:\n"
    "  semla run components kronecker:scale=18 --check\n"
    "  semla run sssp roads.gr --source 17 --out distances.npy --parents tree.txt\n"
    "  semla run pagerank web.txt.gz --renumber --top 20 --tolerance 1e-9\n"
    "  semla run betweenness road:300x300 --samples 64 --seed 1 --normalised\n"
    "  semla run triangles wiki-Vote.txt --renumber --symmetric --json\n"
    "  semla run st-connected grid:500x500 --source 0 --target 249999";

int run_options_parse(run_options *o, int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&graph_argp, 0, NULL, 0}, {&common_argp, 0, "", GROUP_COMMON}, {0}};
    make_table(argc > 1 ? sl_algorithm_find(argv[1]) : NULL, argc);
    const struct argp argp = {.options = table,
                              .parser = parse,
                              .help_filter = help_filter,
                              .args_doc = "ALGORITHM GRAPH",
                              .doc = doc,
                              .children = children};
    const int exit_status = options_parse(&argp, argc, argv, &o->common, o);
    free_table();
    return exit_status;
}

void run_options_free(run_options *o)
{
    for (int k = 0; k < SL_MAX_ARGUMENTS; k++)
        name_list_free(&o->arguments[k].vertices);
}
