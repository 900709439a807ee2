/* The options of `semla run`: their values, which are read when the algorithm is known, and checks. */
#include <stdlib.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/file_names.h"
#include "cli/run_table.h"

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
            strcmp(option, run_name_of(algorithm->results[k].name).text) == 0) {
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
                               run_name_of(o->algorithm->results[k].name).text, o->out);
    if (o->out && strcmp(o->out, "-") == 0 && o->common.json)
        return usage_error("--out - and --json cannot both go to standard output");
    if (o->out)
        error = check_file(o, run_main_result(o->algorithm), "out", o->out);
    for (int k = 0; !error && k < SL_MAX_RESULTS && o->algorithm->results[k].name; k++)
        error = check_file(o, k, run_name_of(o->algorithm->results[k].name).text, o->paths[k]);
    return error;
}

static error_t check_options(run_options *o)
{
    error_t error = 0;
    const char *name, *text;
    o->graph.reads_values = o->algorithm->reads_values;
    for (int k = 0; !error && (name = run_table_given(k, &text)); k++)
        error = read_option(o, name, text);
    for (int k = 0; !error && o->algorithm->arguments[k].name; k++)
        error = check_argument(o, k);
    return error ? error : check_output(o);
}

/* ---- the parser --------------------------------------------------------- */

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
        return run_table_keep(key, argument);
    }
}

static const char doc[] =
    "Runs an algorithm on a graph. 'semla run ALGORITHM --help' says on a screen what one "
    "algorithm does "
    "and takes.\v" GRAPH_HELP "\n\n"
    "triangles, local-clustering, core-numbers, ktruss, pseudo-diameter, bipartite and "
    "independent-set need an undirected graph: --symmetric makes one.\n\n"
    "Examples:\n"
    "  semla run components kronecker:scale=18 --check\n"
    "  semla run sssp roads.gr --source 17 --out distances.npy --parents tree.txt\n"
    "  semla run pagerank web.txt.gz --renumber --top 20 --tolerance 1e-9\n"
    "  semla run betweenness road:300x300 --samples 64 --seed 1 --normalised\n"
    "  semla run triangles wiki-Vote.txt --renumber --symmetric --json\n"
    "  semla run st-connected grid:500x500 --source 0 --target 249999";

/* Prints the help of the algorithm that the command line names; false if there is none. */
static bool print_help(const common_options *common)
{
    const run_options *o =
        (const run_options *)((const char *)common - offsetof(run_options, common));
    if (o->named)
        run_print_help(o->named);
    return o->named;
}

/* The first argument that is an algorithm; --help is read before argp reads the arguments. */
static const sl_algorithm *find_named(int argc, char **argv)
{
    const sl_algorithm *found = NULL;
    for (int k = 1; k < argc && !found; k++)
        found = sl_algorithm_find(argv[k]);
    return found;
}

int run_options_parse(run_options *o, int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&graph_argp, 0, "", GROUP_GRAPH}, {&common_argp, 0, "", GROUP_COMMON}, {0}};
    const struct argp_option *table = run_table_make(argc);
    const struct argp argp = {.options = table,
                              .parser = parse,
                              .help_filter = help_filter,
                              .args_doc = "ALGORITHM GRAPH",
                              .doc = doc,
                              .children = children};
    o->common.print_help = print_help;
    o->named = find_named(argc, argv);
    const int exit_status = options_parse(&argp, argc, argv, &o->common, o);
    run_table_free();
    return exit_status;
}

void run_options_free(run_options *o)
{
    for (int k = 0; k < SL_MAX_ARGUMENTS; k++)
        name_list_free(&o->arguments[k].vertices);
}
