/* The options of `semla run`: which there are, and which a workflow takes. */
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "run.h"

enum {
    KEY_LIST = 0x300,
    KEY_HOPS,
    KEY_DETERMINISTIC,
    KEY_PARENTS,
    KEY_SEARCHES,
    KEY_DAMPING,
    KEY_TOLERANCE,
    KEY_ITERATIONS,
    KEY_SAMPLES,
    KEY_SEED,
    KEY_BATCH,
    KEY_NORMALISED,
    KEY_TOP,
    KEY_CHECK
};

static const workflow *const lists[] = {value_workflows, search_workflows};

static int print_list(void)
{
    puts("Workflows, as in 'semla run NAME GRAPH':\n");
    for (int l = 0; l < 2; l++)
        for (const workflow *w = lists[l]; w->name; w++)
            printf("  %-13s %s\n", w->name, w->summary);
    return EXIT_DONE;
}

static error_t find_workflow(const workflow **found, const char *name)
{
    char names[256] = "";
    size_t used = 0;
    for (int l = 0; l < 2; l++)
        for (const workflow *w = lists[l]; w->name; w++) {
            if (strcmp(w->name, name) == 0) {
                *found = w;
                return 0;
            }
            if (used < sizeof names)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         used ? ", " : "", w->name);
        }
    return usage_error("there is no workflow '%s' (workflows: %s)", name, names);
}

/* The names of the options that only some workflows take, by their bit. */
static const char *const option_names[] = {
    "source",    "source",   "target",
    "max-depth", "hops",     "deterministic",
    "parents",   "searches", "damping, --tolerance or --iterations",
    "samples",   "batch",    "normalised",
    "top",       "out"};

static error_t check_options(const run_options *o)
{
    const workflow *w = o->workflow;
    for (unsigned k = TAKES_TARGET, bit = 2; k <= TAKES_OUT; k <<= 1, bit++)
        if (o->given & k && !(w->takes & k))
            return usage_error("the workflow '%s' takes no --%s", w->name, option_names[bit]);
    if (o->sources.count > 0 && !(w->takes & (TAKES_SOURCE | TAKES_SOURCES)))
        return usage_error("the workflow '%s' takes no --source", w->name);
    if (o->sources.count > 1 && !(w->takes & TAKES_SOURCES))
        return usage_error("the workflow '%s' takes one --source", w->name);
    if (w->takes & NEEDS_ENDS && (o->sources.count == 0 || !(o->given & TAKES_TARGET)))
        return usage_error("the workflow '%s' needs a --source and a --target", w->name);
    if (o->given & TAKES_SAMPLES && o->sources.count > 0)
        return usage_error("--samples draws sources, and there is a --source");
    if (o->given & TAKES_SAMPLES && o->samples == 0)
        return usage_error("--samples takes a number from 1, and --seed is about these");
    if (o->given & TAKES_SEARCHES && o->searches == 0)
        return usage_error("--searches takes a number from 1");
    if (o->out && o->parents && strcmp(o->out, o->parents) == 0)
        return usage_error("--out and --parents both name '%s'", o->out);
    if (o->out && strcmp(o->out, "-") == 0 && o->common.json)
        return usage_error("--out - and --json cannot both go to standard output");
    return 0;
}

static error_t take_count(run_options *o, unsigned bit, uint64_t *value, const char *option,
                          const char *text)
{
    o->given |= bit;
    return option_count(value, option, text);
}

static error_t take_number(run_options *o, double *value, const char *option, const char *text)
{
    o->given |= TAKES_WALK;
    return option_number(value, option, text);
}

static error_t parse_walk(run_options *o, int key, char *argument)
{
    error_t error;
    switch (key) {
    case KEY_DAMPING:
        error = take_number(o, &o->damping, "damping", argument);
        if (!error && o->damping >= 1)
            return usage_error("--damping takes a number below 1, not '%s'", argument);
        return error;
    case KEY_TOLERANCE:
        return take_number(o, &o->tolerance, "tolerance", argument);
    case KEY_ITERATIONS:
        error = take_count(o, TAKES_WALK, &o->iterations, "iterations", argument);
        if (!error && o->iterations == 0)
            return usage_error("--iterations takes a number from 1");
        return error;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_output(run_options *o, int key, char *argument)
{
    switch (key) {
    case 'o':
        o->given |= TAKES_OUT;
        o->out = argument;
        return 0;
    case KEY_PARENTS:
        o->given |= TAKES_PARENTS;
        o->parents = argument;
        return 0;
    case KEY_TOP:
        return take_count(o, TAKES_TOP, &o->top, "top", argument);
    case KEY_CHECK:
        o->check = true;
        return 0;
    default:
        return parse_walk(o, key, argument);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    run_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->graph;
        state->child_inputs[1] = &o->common;
        return 0;
    case ARGP_KEY_ARG: /* the first is the workflow, the next the graph */
        return o->workflow ? ARGP_ERR_UNKNOWN : find_workflow(&o->workflow, argument);
    case KEY_LIST:
        exit(print_list());
    case 'S':
        return option_vertex(&o->sources, "source", argument);
    case 't':
        return take_count(o, TAKES_TARGET, &o->target, "target", argument);
    case 'd':
        return take_count(o, TAKES_DEPTH, &o->depth, "max-depth", argument);
    case KEY_HOPS:
        return take_count(o, TAKES_HOPS, &o->hops, "hops", argument);
    case KEY_SEARCHES:
        return take_count(o, TAKES_SEARCHES, &o->searches, "searches", argument);
    case KEY_SAMPLES:
        return take_count(o, TAKES_SAMPLES, &o->samples, "samples", argument);
    case KEY_SEED:
        return take_count(o, TAKES_SAMPLES, &o->seed, "seed", argument);
    case KEY_BATCH:
        return take_count(o, TAKES_BATCH, &o->batch, "batch", argument);
    case KEY_DETERMINISTIC:
        o->given |= TAKES_DETERMINISTIC;
        o->deterministic = true;
        return 0;
    case KEY_NORMALISED:
        o->given |= TAKES_NORMALISED;
        o->normalised = true;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return usage_error("a workflow is missing: 'semla run --list' shows them");
    case ARGP_KEY_END:
        return check_options(o);
    default:
        return parse_output(o, key, argument);
    }
}

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The workflow:", 2},
    {"list", KEY_LIST, NULL, 0, "List the workflows", 0},
    {"source", 'S', "VERTEX", 0,
     "Where to start, or what counts; several for multi-source, khop, pagerank and betweenness", 0},
    {"target", 't', "VERTEX", 0, "st: where the path shall lead", 0},
    {"max-depth", 'd', "N", 0, "multi-source: go no further than N levels", 0},
    {"deterministic", KEY_DETERMINISTIC, NULL, 0, "multi-source: the least parents", 0},
    {"hops", KEY_HOPS, "N", 0, "khop: within N edges (default 2)", 0},
    {"searches", KEY_SEARCHES, "N", 0, "diameter: at most N searches (default 16)", 0},
    {"damping", KEY_DAMPING, "F", 0, "pagerank: the chance to follow an edge (default 0.85)", 0},
    {"tolerance", KEY_TOLERANCE, "F", 0,
     "pagerank: end when all ranks change by no more in sum (default 1e-6)", 0},
    {"iterations", KEY_ITERATIONS, "N", 0, "pagerank: at most N (default 100)", 0},
    {"samples", KEY_SAMPLES, "N", 0, "betweenness: from N random sources (default: all)", 0},
    {"seed", KEY_SEED, "N", 0, "betweenness: of the random sources (default 0)", 0},
    {"batch", KEY_BATCH, "N", 0, "betweenness: sources at a time", 0},
    {"normalised", KEY_NORMALISED, NULL, 0, "betweenness: as a share of all pairs", 0},
    {NULL, 0, NULL, 0, "Output:", 3},
    {"out", 'o', "FILE", 0,
     "Write the result: .mtx, .npy, or a line 'vertex value' each; also .gz and .zst; - is "
     "standard "
     "output, then the summary is left out",
     0},
    {"parents", KEY_PARENTS, "FILE", 0, "sssp, multi-source: write the parents too", 0},
    {"top", KEY_TOP, "N", 0, "Show the N vertices of greatest value (default 10)", 0},
    {"check", KEY_CHECK, NULL, 0, "Check the result by plain loops that share nothing with it", 0},
    {0}};

const struct argp run_argp = {
    .options = options,
    .parser = parse,
    .help_filter = help_filter,
    .args_doc = "WORKFLOW GRAPH",
    .doc =
        "Runs a workflow on a graph: components, sssp, pagerank, betweenness, triangles, "
        "multi-source, khop, st, diameter or bipartite.\v" GRAPH_HELP "\n\n"
        "triangles, diameter and bipartite are about undirected graphs: --symmetric makes one.\n\n"
        "Examples:\n"
        "  semla run components kronecker:scale=18 --check\n"
        "  semla run sssp roads.gr --source 17 --out distances.npy --parents tree.txt\n"
        "  semla run pagerank web.txt.gz --renumber --top 20 --tolerance 1e-9\n"
        "  semla run betweenness road:300x300 --samples 64 --seed 1 --normalised\n"
        "  semla run triangles wiki-Vote.txt --renumber --symmetric --json\n"
        "  semla run st grid:500x500 --source 0 --target 249999",
    .children =
        (const struct argp_child[]){{&graph_argp, 0, NULL, 0}, {&common_argp, 0, NULL, 0}, {0}},
};
