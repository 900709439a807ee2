/* The options of `semla report`, and the command line as text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page.h"

enum { KEY_DIRECTION = 0x300, KEY_ROOTS, KEY_SEED, KEY_SECONDS, KEY_AGAINST, KEY_TRACE };
enum { DEFAULT_ROOTS = 16, MOST_ROOTS = 10000 };
static const double default_seconds = 10;

static error_t parse_roots(uint64_t *roots, const char *text)
{
    if (parse_count(roots, text) && *roots >= 1 && *roots <= MOST_ROOTS)
        return 0;
    return usage_error("--roots takes a whole number from 1 to %d, not '%s'", (int)MOST_ROOTS,
                       text);
}

static error_t check(const page_options *o)
{
    if (strcmp(o->output, "-") == 0 && o->common.json)
        return usage_error("--output - and --json both write to standard output; give one of them");
    if (o->trace && strcmp(o->trace, o->output) == 0)
        return usage_error("--output and --chrome-trace name the same file, '%s'", o->trace);
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    page_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->graph;
        state->child_inputs[1] = &o->common;
        return 0;
    case 'o':
        o->output = argument;
        return 0;
    case 'S':
        o->source = argument;
        return 0;
    case KEY_DIRECTION:
        return option_direction(&o->direction, argument);
    case KEY_ROOTS:
        return parse_roots(&o->roots, argument);
    case KEY_SEED:
        return option_count(&o->seed, "seed", argument);
    case KEY_SECONDS:
        return option_number(&o->seconds, "seconds", argument);
    case KEY_AGAINST:
        o->against = argument;
        return 0;
    case KEY_TRACE:
        o->trace = argument;
        return 0;
    case ARGP_KEY_END:
        return check(o);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The page:", 2},
            {"output", 'o', "FILE", 0, "The page (default report.html); - is stdout", 0},
            {"against", KEY_AGAINST, "FILE", 0,
             "Another page of this command, which the new one is compared with", 0},
            {"chrome-trace", KEY_TRACE, "FILE", 0,
             "Also write the operations as a trace that chrome://tracing and Perfetto show", 0},
            {NULL, 0, NULL, 0, "The searches:", 3},
            {"source", 'S', "VERTEX", 0,
             "The vertex of the search that is shown level by level (default: the first vertex of "
             "greatest out-degree)",
             0},
            {"direction", KEY_DIRECTION, "NAME", 0,
             "push (top-down), pull (bottom-up), or auto (default): chosen for each level", 0},
            {"roots", KEY_ROOTS, "N", 0,
             "Searches of each engine: from the source and from random vertices (default 16)", 0},
            {"seed", KEY_SEED, "N", 0, "Seed for the choice of random vertices (default 0)", 0},
            {"seconds", KEY_SECONDS, "S", 0,
             "End the searches of an engine after S seconds, warm-up included; one is always made "
             "(default 10)",
             0},
            {0}},
    .parser = parse,
    .help_filter = help_filter,
    .args_doc = "GRAPH",
    .doc =
        "Measures a graph and breadth-first searches on it, and writes an HTML page with charts: "
        "whether the trees are valid; frontier, edges and time of each level; the speed on each "
        "engine; degrees, entries of the matrix and components; the operations that ran; on a "
        "grid, the traffic of each rank.\v" GRAPH_HELP "\n\n"
        "The page is one file, which loads nothing from a network. It contains its data as JSON, "
        "which --json also prints. With --engine only that engine searches; otherwise all "
        "available ones do. Without a limit of --seconds the page needs a few seconds more than "
        "the searches. The whole graph must fit into the memory of one process, on a grid of "
        "each rank. The exit status is 1 if a tree is not valid; the page is then written, "
        "too.\n\n"
        "Examples:\n"
        "  semla report kronecker:scale=16 -o report.html\n"
        "  semla report roads.mtx --roots 64 --chrome-trace trace.json\n"
        "  semla report kronecker:scale=16 -o after.html --against before.html\n"
        "  mpirun -n 4 semla report kronecker:scale=16 --grid 2x2",
    .children =
        (const struct argp_child[]){{&graph_argp, 0, NULL, 0}, {&common_argp, 0, NULL, 0}, {0}},
};

/* ---- the command line as text ------------------------------------------------ */

/* The arguments, quoted for a shell where necessary. To be freed. */
static char *command_line(int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        out_of_memory();
    fputs("semla", out);
    for (int k = 0; k < argc; k++) {
        bool plain = *argv[k] != '\0';
        for (const char *c = argv[k]; *c; c++)
            plain = plain && (isalnum((unsigned char)*c) || strchr("-_./:=,+@%", *c));
        fputs(plain ? " " : " '", out);
        for (const char *c = argv[k]; *c; c++)
            fputs(*c == '\'' ? "'\\''" : (char[]){*c, '\0'}, out);
        if (!plain)
            putc('\'', out);
    }
    if (fclose(out) != 0)
        out_of_memory();
    return text;
}

int page_parse(page_options *o, int argc, char **argv)
{
    *o = (page_options){.common = {.command = "semla report"},
                        .roots = DEFAULT_ROOTS,
                        .seconds = default_seconds,
                        .output = "report.html",
                        .command_line = command_line(argc, argv)};
    return options_parse(&argp, argc, argv, &o->common, o);
}
