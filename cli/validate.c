/* semla validate: validates a breadth-first tree that is stored in files. */
#include <inttypes.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"
#include "cli/json.h"
#include "cli/tree.h"

enum { KEY_TREE = 0x300, KEY_PARENTS, KEY_LEVELS };

typedef struct {
    common_options common;
    graph_options graph;
    bool bounded;
    uint64_t max_depth;
    const char *source, *tree, *parents, *levels;
} validate_options;

static int reads_stdin(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    validate_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->graph;
        state->child_inputs[1] = &o->common;
        return 0;
    case 'S':
        o->source = argument;
        return 0;
    case 'd':
        o->bounded = true;
        return option_count(&o->max_depth, "max-depth", argument);
    case KEY_TREE:
        o->tree = argument;
        return 0;
    case KEY_PARENTS:
        o->parents = argument;
        return 0;
    case KEY_LEVELS:
        o->levels = argument;
        return 0;
    case ARGP_KEY_END:
        if (!o->source)
            return usage_error("--source is missing; give the vertex that the search started from");
        if (option_vertex(&o->graph, "source", o->source) != 0)
            return EINVAL;
        if (o->max_depth > INT64_MAX)
            return usage_error("--max-depth is too large; at most 2^63 - 1 is possible");
        if (o->tree && (o->parents || o->levels))
            return usage_error("--tree cannot be combined with --parents or --levels");
        return o->tree || o->parents || o->levels
                   ? 0
                   : usage_error(
                         "the tree is missing; give --tree, or --parents or --levels or both");
    case ARGP_KEY_SUCCESS: /* runs after the checks of graph_argp */
        return reads_stdin(o->graph.name) + reads_stdin(o->tree) + reads_stdin(o->parents) +
                           reads_stdin(o->levels) >
                       1
                   ? usage_error("- can be given once: standard input is one file")
                   : 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The tree:", 2},
            {"source", 'S', "VERTEX", 0, "The vertex that the search started from (required)", 0},
            {"tree", KEY_TREE, "FILE", 0,
             "Lines 'vertex parent level', as 'semla bfs --output' writes them", 0},
            {"parents", KEY_PARENTS, "FILE", 0,
             "Instead of --tree: a vector of parents, as text, .mtx or .npy; -1 or no entry means "
             "not "
             "reached",
             0},
            {"levels", KEY_LEVELS, "FILE", 0,
             "A vector of levels, in the same formats; with or without --parents", 0},
            {"max-depth", 'd', "N", 0, "The search was limited to N levels", 0},
            {0}},
    .parser = parse,
    .help_filter = help_filter,
    .args_doc = "GRAPH",
    .doc =
        "Validates a breadth-first tree in files by the five rules of Graph500 and by comparison "
        "with a queue-based search.\v" GRAPH_HELP "\n\n"
        "Examples:\n"
        "  semla bfs roads.mtx --source 17 --output tree.txt\n"
        "  semla validate roads.mtx --source 17 --tree tree.txt\n"
        "  semla validate roads.mtx --source 17 --parents parents.npy --levels levels.npy",
    .children =
        (const struct argp_child[]){{&graph_argp, 0, NULL, 0}, {&common_argp, 0, NULL, 0}, {0}},
};

static void report(const sl_check_result *verdict, const graph *g, uint64_t source,
                   const validate_options *o)
{
    if (!o->common.json) {
        if (verdict->valid)
            printf("valid: %s vertices reached from %s, depth %" PRId64 "\n",
                   text_of_count(verdict->reached).text, shown(o->source), verdict->depth);
        else
            printf("NOT VALID: %s\n", shown(verdict->reason));
        return;
    }
    cJSON *root = json_object(NULL, NULL);
    json_text(root, "graph", g->name);
    if (o->tree)
        json_text(root, "tree", o->tree);
    if (o->parents)
        json_text(root, "parents", o->parents);
    if (o->levels)
        json_text(root, "levels", o->levels);
    json_vertex(root, "source", &g->names, source);
    json_bool(root, "valid", verdict->valid);
    if (verdict->valid) {
        json_count(root, "reached", verdict->reached);
        json_integer(root, "depth", verdict->depth);
    } else {
        json_text(root, "reason", verdict->reason);
    }
    json_print(root);
}

static int validate(const graph *g, sl_context *ctx, const validate_options *o)
{
    tree t = {0};
    uint64_t source;
    int exit_status = graph_check_searchable(g->name, g->nrows, g->ncols);
    if (exit_status == EXIT_DONE)
        exit_status = find_vertex(&source, &g->names, o->source, "source");
    if (exit_status == EXIT_DONE)
        exit_status = o->tree ? grid_exit(ctx, tree_read(&t, &g->names, o->tree))
                              : tree_read_vectors(&t, ctx, &g->names, o->parents, o->levels);
    if (exit_status == EXIT_DONE) {
        sl_check_result verdict;
        progress(&o->common, "validating %s",
                 o->tree      ? o->tree
                 : o->parents ? o->parents
                              : o->levels);
        sl_status status =
            tree_validate(&verdict, &t, g->A, source, o->bounded ? (int64_t)o->max_depth : -1);
        progress_end();
        if (status == SL_OK) {
            report(&verdict, g, source, o);
            exit_status = verdict.valid ? EXIT_DONE : EXIT_FAILED;
        } else {
            exit_status = failed_status(ctx, status);
        }
    }
    tree_free(&t);
    return exit_status;
}

int run_validate(int argc, char **argv)
{
    validate_options o = {.common = {.command = "semla validate"}};
    int exit_status = options_parse(&argp, argc, argv, &o.common, &o);
    if (exit_status != EXIT_DONE)
        return exit_status;
    sl_context *ctx;
    graph g;
    if (grid_context_open(&ctx, &o.common) != EXIT_DONE)
        return EXIT_FAILED;
    exit_status = graph_load(&g, ctx, &o.graph, &o.common);
    if (exit_status == EXIT_DONE)
        exit_status = validate(&g, ctx, &o);
    graph_free(&g);
    sl_context_free(ctx);
    return exit_status;
}
