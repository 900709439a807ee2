/* semla generate: generates a graph from a model and writes it to a file. */
#include <string.h>

#include "cli/command_output.h"
#include "cli/graph.h"
#include "cli/grid_ranks.h"
#include "cli/json.h"

enum { KEY_FORMAT = 0x300 };

typedef struct {
    common_options common;
    graph_options graph;
    sl_file_format format;
    const char *output;
    bool force;
} generate_options;

static error_t parse(int key, char *argument, struct argp_state *state)
{
    generate_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->graph;
        state->child_inputs[1] = &o->common;
        return 0;
    case KEY_FORMAT:
        return option_format(&o->format, "format", argument);
    case 'o':
        o->output = argument;
        return 0;
    case 'f':
        o->force = true;
        return 0;
    case ARGP_KEY_END:
        if (!o->output)
            return usage_error(
                "--output is missing; give the file to write, or - for standard output");
        if (strcmp(o->output, "-") == 0 && o->common.json)
            return usage_error(
                "--output - and --json cannot be combined: both write to standard output");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "Output:", 3},
            {"output", 'o', "FILE", 0,
             "The file to write (required), compressed if it ends in .gz or .zst; - is standard "
             "output",
             0},
            {"format", KEY_FORMAT, "NAME", 0,
             "The format: auto (default: by the name of the file, else edges), " FORMAT_NAMES, 0},
            FORCE_OPTION,
            {0}},
    .parser = parse,
    .help_filter = help_filter,
    .args_doc = "MODEL",
    .doc =
        "Generates a graph from a model and writes it to a file, in any format.\v" MODEL_HELP "\n\n"
        "Each undirected edge is written in both directions, unless --directed is given. On "
        "failure no file is written.\n\n"
        "Examples:\n"
        "  semla generate kronecker:scale=16,seed=7 -o kron16.mtx\n"
        "  semla generate road:1000x1000 -o roads.txt.gz\n"
        "  semla generate grid:200x200 -o mesh.graph\n"
        "  semla generate path:5 --directed -o -",
    .children =
        (const struct argp_child[]){{&model_argp, 0, NULL, 0}, {&common_argp, 0, NULL, 0}, {0}},
};

static void report(const graph *g, const generate_options *o, double write_seconds)
{
    if (strcmp(o->output, "-") == 0)
        return;
    if (!o->common.json) {
        printf("%s: %s vertices, %s entries; generated in %s, written in %s\n", shown(o->output),
               text_of_count(g->nrows).text, text_of_count(g->entries).text,
               text_of_seconds(g->seconds).text, text_of_seconds(write_seconds).text);
        return;
    }
    cJSON *root = json_object(NULL, NULL);
    json_text(root, "model", g->name);
    json_text(root, "file", o->output);
    json_count(root, "vertices", g->nrows);
    json_count(root, "entries", g->entries);
    json_number(root, "generate_seconds", g->seconds);
    json_number(root, "write_seconds", write_seconds);
    json_print(root);
}

int run_generate(int argc, char **argv)
{
    generate_options o = {.common = {.command = "semla generate"}};
    int exit_status = options_parse(&argp, argc, argv, &o.common, &o);
    if (exit_status != EXIT_DONE)
        return exit_status;
    sl_context *ctx;
    graph g = {0};
    if (grid_context_open(&ctx, &o.common) != EXIT_DONE)
        return EXIT_FAILED;
    exit_status = grid_exit(ctx, output_check(o.output, NULL, o.force));
    if (exit_status == EXIT_DONE)
        exit_status = graph_load(&g, ctx, &o.graph, &o.common);
    if (exit_status == EXIT_DONE) {
        progress_writing(&o.common, o.output);
        double start = seconds_now();
        const sl_write_options options = {.format = o.format, .no_overwrite = !o.force};
        sl_status status = sl_matrix_write_with(g.A, o.output, &options);
        progress_end();
        if (status == SL_OK)
            report(&g, &o, seconds_now() - start);
        else
            exit_status = output_failed(ctx, status, o.output);
    }
    graph_free(&g);
    sl_context_free(ctx);
    return exit_status;
}
