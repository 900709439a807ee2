/* semla bfs: options and entry point of one breadth-first search. */
#include <string.h>

#include "cli/bfs_search.h"
#include "cli/command_output.h"

enum {
    KEY_DIRECTION = 0x300,
    KEY_UNTIL,
    KEY_DETERMINISTIC,
    KEY_PLAIN,
    KEY_PRUNE,
    KEY_VALIDATE,
    KEY_REPEAT
};

static error_t check(const bfs_options *o)
{
    if (o->plain && (o->search.direction == SL_PULL || o->search.bounded || o->targets.count > 0))
        return usage_error(
            "--plain cannot be combined with --direction pull, --max-depth or --target");
    if (o->search.until != SL_UNTIL_ANY && o->targets.count == 0)
        return usage_error("--until needs at least one --target");
    if (o->output && strcmp(o->output, "-") == 0 && o->common.json)
        return usage_error(
            "--output - and --json cannot be combined: both write to standard output");
    error_t error = o->source ? option_vertex(&o->graph, "source", o->source) : 0;
    return error ? error : option_vertices(&o->graph, "target", &o->targets);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    static const char *const until_words[] = {"any", "all"};
    bfs_options *o = state->input;
    error_t error;
    int index = 0;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->graph;
        state->child_inputs[1] = &o->common;
        return 0;
    case 'S':
        o->source = argument;
        return 0;
    case KEY_DIRECTION:
        return option_direction(&o->search.direction, argument);
    case 'd':
        o->search.bounded = true;
        return option_count(&o->search.max_depth, "max-depth", argument);
    case 't':
        name_list_append(&o->targets, argument);
        return 0;
    case KEY_UNTIL:
        error = option_word(&index, "until", argument, until_words, 2);
        if (!error)
            o->search.until = index == 0 ? SL_UNTIL_ANY : SL_UNTIL_ALL;
        return error;
    case KEY_DETERMINISTIC:
        o->search.deterministic = true;
        return 0;
    case KEY_PLAIN:
        o->plain = true;
        return 0;
    case KEY_PRUNE:
        o->prune = true;
        return 0;
    case KEY_VALIDATE:
        o->validate = true;
        return 0;
    case KEY_REPEAT:
        return option_repeat(&o->repeat, argument);
    case 'o':
        o->output = argument;
        return 0;
    case ARGP_KEY_END:
        return check(o);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The search:", 2},
    {"source", 'S', "VERTEX", 0,
     "The vertex to start from (default: the first vertex of greatest out-degree)", 0},
    {"direction", KEY_DIRECTION, "auto|push|pull", 0,
     "push (top-down), pull (bottom-up), or auto (default): chosen for each level", 0},
    {"max-depth", 'd', "N", 0, "Stop after N levels", 0},
    {"target", 't', "VERTEX", 0, "Stop after the level that reaches this vertex; may be repeated",
     0},
    {"until", KEY_UNTIL, "any|all", 0, "Stop when any target is reached (default), or all are", 0},
    {"deterministic", KEY_DETERMINISTIC, NULL, 0,
     "Choose the smallest possible parent, so that every engine returns the same tree", 0},
    {"plain", KEY_PLAIN, NULL, 0,
     "Search with a loop of vxm and assign instead of sl_bfs; push only", 0},
    {"prune", KEY_PRUNE, NULL, 0,
     "Remove the trees outside the 2-core before the search and attach them afterwards; the table "
     "of levels counts the 2-core only; grids do not prune",
     0},
    {"validate", KEY_VALIDATE, NULL, 0, "Validate the tree by the rules of Graph500", 0},
    REPEAT_OPTION(KEY_REPEAT),
    {NULL, 0, NULL, 0, "Output:", 3},
    {"output", 'o', "FILE", 0,
     "Write a line 'vertex parent level' for each vertex reached; - writes to standard output, "
     "without the summary",
     0},
    {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .help_filter = help_filter,
    .args_doc = "GRAPH",
    .doc = "Runs a breadth-first search from one vertex, as masked products over the "
           "any_secondi semiring.\v" GRAPH_HELP "\n\n"
           "Examples:\n"
           "  semla bfs karate.mtx --validate\n"
           "  semla bfs kronecker:scale=20,seed=1 --direction push\n"
           "  semla bfs wiki-Vote.txt.gz --renumber --source 30 --target 8 --json\n"
           "  semla bfs road:2000x2000 --deterministic --output tree.txt\n"
           "  semla bfs kronecker:scale=18 --repeat 20\n"
           "  mpirun -n 6 semla bfs kronecker:scale=18 --grid 2x3 --validate",
    .children =
        (const struct argp_child[]){{&graph_argp, 0, NULL, 0}, {&common_argp, 0, NULL, 0}, {0}},
};

int run_bfs(int argc, char **argv)
{
    bfs_options o = {.common = {.command = "semla bfs"}, .repeat = 1};
    search_result r = {0};
    int exit_status = options_parse(&argp, argc, argv, &o.common, &o);
    if (exit_status == EXIT_DONE)
        exit_status = search_run(&r, &o);
    if (exit_status == EXIT_DONE && o.output) {
        progress_writing(&o.common, o.output);
        exit_status =
            tree_write(&r.t, r.ctx, &r.g.names, r.source, r.g.name, o.output, o.graph.force);
        progress_end();
    }
    if (exit_status == EXIT_DONE) {
        if (o.common.json)
            search_print_json(&r, &o);
        else if (!o.output || strcmp(o.output, "-") != 0)
            search_print(&r, &o);
        if (o.validate && !r.verdict.valid)
            exit_status = failed("the tree is not valid: %s", r.verdict.reason);
    }
    search_free(&r);
    name_list_free(&o.targets);
    return exit_status;
}
