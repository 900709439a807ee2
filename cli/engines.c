/* semla engines: lists the engines of this build. */
#include <stdio.h>

#include "cli/grid_ranks.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/shown_copy.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    return 0;
}

static const struct argp argp = {
    .parser = parse,
    .help_filter = help_filter,
    .doc = "Lists the engines of this build, and whether each is available on this machine.\v"
           "The option --engine and the environment variable SEMLA_ENGINE take the name of an "
           "available engine. SEMLA_ENGINE also forbids fallbacks to other engines.\n\n"
           "Examples:\n"
           "  semla engines\n"
           "  semla engines --json",
    .children = (const struct argp_child[]){{&common_argp_without_engine, 0, NULL, 0}, {0}},
};

/* sl_engine_describe lists the engines of one process; the grid engine is added here. */
static const char grid_description[] =
    "a grid of MPI ranks, each with one of these engines (--grid)";

static void print_json(void)
{
    cJSON *root = json_object(NULL, NULL);
    cJSON *engines = json_array(root, "engines");
    sl_engine_info info;
    for (size_t i = 0; sl_engine_describe(i, &info) == SL_OK; i++) {
        cJSON *engine = json_object(engines, NULL);
        json_text(engine, "name", info.name);
        json_text(engine, "version", info.version);
        json_bool(engine, "present", info.present);
        if (!info.present)
            json_text(engine, "unavailable_reason", info.unavailable_reason);
        json_text(engine, "description", info.description);
    }
    const grid_mpi mpi = grid_describe_mpi();
    cJSON *grid = json_object(engines, NULL);
    json_text(grid, "name", "grid");
    json_text(grid, "version", mpi.library);
    json_bool(grid, "present", !mpi.absence);
    if (mpi.absence)
        json_text(grid, "unavailable_reason", mpi.absence);
    json_text(grid, "description", grid_description);
    json_print(root);
}

static void print_line(const char *name, const char *version, const char *description,
                       const char *unavailable_reason)
{
    printf("%-12s %-8s %-16s %s", name, unavailable_reason ? "absent" : "present", shown(version),
           description);
    if (unavailable_reason)
        printf(" (not available: %s)", shown(unavailable_reason));
    putchar('\n');
}

int run_engines(int argc, char **argv)
{
    common_options o = {.command = "semla engines"};
    int exit_status = options_parse(&argp, argc, argv, &o, &o);
    if (exit_status != EXIT_DONE)
        return exit_status;
    if (o.json) {
        print_json();
        return EXIT_DONE;
    }
    sl_engine_info info;
    for (size_t i = 0; sl_engine_describe(i, &info) == SL_OK; i++)
        print_line(info.name, info.version, info.description,
                   info.present ? NULL : info.unavailable_reason);
    const grid_mpi mpi = grid_describe_mpi();
    print_line("grid", mpi.library, grid_description, mpi.absence);
    return EXIT_DONE;
}
