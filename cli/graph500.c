/* semla graph500: runs the Graph500 benchmark and prints its report with the names of the
 * specification. */
#include <inttypes.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"
#include "cli/json.h"

#include <semla/bfs.h>

enum {
    KEY_DIRECTION = 0x300,
    KEY_DETERMINISTIC,
    KEY_PRUNE,
    KEY_NO_VALIDATE,
    KEY_IN_PLACE,
    KEY_ENERGY,
    KEY_BITS,
    KEY_SSSP
};

enum { ENERGY_SECONDS = 10 }; /* the default of --energy */

typedef struct {
    common_options common;
    sl_graph500_options run;
    bool has_scale;
} graph500_options;

static error_t parse_range(unsigned *value, const char *option, const char *text, unsigned min,
                           unsigned max)
{
    uint64_t number;
    if (!parse_count(&number, text) || number < min || number > max)
        return usage_error("--%s takes a whole number from %u to %u, not '%s'", option, min, max,
                           text);
    *value = (unsigned)number;
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    graph500_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->common;
        return 0;
    case 's':
        o->has_scale = true;
        return parse_range(&o->run.scale, "scale", argument, 1, 40);
    case 'e':
        return option_number(&o->run.edge_factor, "edgefactor", argument);
    case 'r':
        return parse_range(&o->run.roots, "roots", argument, 1, 1000000);
    case 'S':
        return option_count(&o->run.seed, "seed", argument);
    case KEY_DIRECTION:
        return option_direction(&o->run.direction, argument);
    case KEY_DETERMINISTIC:
        o->run.deterministic = true;
        return 0;
    case KEY_BITS:
        if (strcmp(argument, "32") != 0 && strcmp(argument, "64") != 0)
            return usage_error("--parent-bits takes 32 or 64, not '%s'", argument);
        o->run.int64 = *argument == '6';
        return 0;
    case KEY_SSSP:
        o->run.sssp = true;
        return 0;
    case KEY_PRUNE:
        o->run.prune = true;
        return 0;
    case KEY_NO_VALIDATE:
        o->run.skip_validation = true;
        return 0;
    case KEY_IN_PLACE:
        o->run.validate_in_place = true;
        return 0;
    case KEY_ENERGY:
        o->run.energy_seconds = ENERGY_SECONDS;
        return argument ? option_number(&o->run.energy_seconds, "energy", argument) : 0;
    case ARGP_KEY_END:
        return o->has_scale ? 0
                            : usage_error("--scale is missing; the graph gets 2^SCALE vertices");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The benchmark:", 1},
            {"scale", 's', "N", 0, "2^N vertices (required)", 0},
            {"edgefactor", 'e', "F", 0, "Edges per vertex (default 16)", 0},
            {"roots", 'r', "N", 0, "The number of searches (default 64)", 0},
            {"seed", 'S', "N", 0, "Seed of the generator and of the choice of roots (default 0)",
             0},
            {"sssp", KEY_SSSP, NULL, 0,
             "Kernel 3 too: shortest paths from the same roots, with random weights of the edges",
             0},
            {"direction", KEY_DIRECTION, "auto|push|pull", 0,
             "push (top-down), pull (bottom-up), or auto (default): chosen for each level", 0},
            {"deterministic", KEY_DETERMINISTIC, NULL, 0, "Choose the smallest possible parent", 0},
            {"parent-bits", KEY_BITS, "32|64", 0,
             "The size of the parents: 32 (default, up to scale 31) or 64", 0},
            {"prune", KEY_PRUNE, NULL, 0,
             "Remove the trees outside the 2-core before the searches and attach them afterwards; "
             "grids do not prune",
             0},
            {"no-validate", KEY_NO_VALIDATE, NULL, 0, "Do not validate the results", 0},
            {"validate-in-place", KEY_IN_PLACE, NULL, 0,
             "Validate with operations of the engine on the matrix, instead of on host arrays, or "
             "on "
             "a GPU against edges that are generated again",
             0},
            {"energy", KEY_ENERGY, "SECONDS", OPTION_ARG_OPTIONAL,
             "Measure the energy of the device during searches of this duration (default 10)", 0},
            {0}},
    .parser = parse,
    .help_filter = help_filter,
    .doc = "Runs the Graph500 benchmark: generates a Kronecker graph, builds its matrix (kernel "
           "1), runs searches from random vertices (kernel 2), with --sssp computes the shortest "
           "paths from the same vertices (kernel 3), and validates every result.\v"
           "The report uses the names of the Graph500 specification. Times are in seconds, TEPS in "
           "edges per second, energy in joules, power in watts. Energy is that of the device only; "
           "the Green Graph500 list counts the whole machine. The exit status is 1 if a result is "
           "invalid.\n\n"
           "With --sssp each generated edge has a weight that is uniform in [0, 1), the same in "
           "both directions; of several edges between two vertices the least weight counts. The "
           "names of the statistics of kernel 3 begin with sssp_; those "
           "of kernel 2 have no prefix.\n\n"
           "Examples:\n"
           "  semla graph500 --scale 20\n"
           "  semla graph500 --scale 16 --roots 8 --seed 3 --json\n"
           "  semla graph500 --scale 18 --sssp\n"
           "  mpirun -n 4 semla graph500 --scale 20 --grid 2x2",
    .children = (const struct argp_child[]){{&common_argp, 0, NULL, 0}, {0}},
};

/* ---- the report --------------------------------------------------------- */

/* The names of the statistics of one quantity in the specification. `quantity` is the suffix of the
 * quartiles; the names of mean and standard deviation are complete. */
typedef struct {
    const char *quantity, *mean, *stddev;
} names;

static const names time_names = {"time", "mean_time", "stddev_time"};
static const names edge_names = {"nedge", "mean_nedge", "stddev_nedge"};
static const names teps_names = {"TEPS", "harmonic_mean_TEPS", "harmonic_stddev_TEPS"};

static const char paths_prefix[] = "sssp_"; /* of the names of kernel 3; kernel 2 has none */

enum { STATISTICS = 7 };

/* Fills in the names and the values of one quantity, in the order of the specification. */
static void list_statistics(char text[STATISTICS][40], double value[STATISTICS], const char *prefix,
                            const names *n, const sl_statistics *s)
{
    static const char *const order[] = {"min", "firstquartile", "median", "thirdquartile", "max"};
    const double ordered[] = {s->min, s->first_quartile, s->median, s->third_quartile, s->max};
    for (int i = 0; i < 5; i++) {
        snprintf(text[i], 40, "%s%s_%s", prefix, order[i], n->quantity);
        value[i] = ordered[i];
    }
    snprintf(text[5], 40, "%s%s", prefix, n->mean);
    snprintf(text[6], 40, "%s%s", prefix, n->stddev);
    value[5] = s->mean;
    value[6] = s->stddev;
}

static void print_statistics(const char *prefix, const names *n, const sl_statistics *s)
{
    char text[STATISTICS][40];
    double value[STATISTICS];
    list_statistics(text, value, prefix, n, s);
    for (int i = 0; i < STATISTICS; i++)
        printf("%s:%*s %.10g\n", text[i], 26 - (int)strlen(text[i]), "", value[i]);
}

static void json_statistics(cJSON *root, const char *prefix, const names *n, const sl_statistics *s)
{
    char text[STATISTICS][40];
    double value[STATISTICS];
    list_statistics(text, value, prefix, n, s);
    for (int i = 0; i < STATISTICS; i++)
        json_number(root, text[i], value[i]);
}

/* The time of kernels 2 and 3 together. */
static double kernel_seconds(const sl_graph500_report *r)
{
    return r->seconds.mean * r->roots + r->sssp.seconds.mean * r->sssp.roots;
}

/* True if a validated result has a fault. */
static bool is_invalid(const sl_graph500_report *r)
{
    return r->valid < r->roots || r->sssp.valid < r->sssp.roots;
}

static void print_report(const sl_graph500_report *r, const graph500_options *o,
                         const sl_context *ctx)
{
    printf("engine:                     %s\n", sl_context_engine(ctx, 0));
    printf("SCALE:                      %u\n", r->scale);
    printf("edgefactor:                 %g\n", r->edge_factor);
    printf("NBFS:                       %u\n", r->roots);
    if (o->run.sssp)
        printf("NSSSP:                      %u\n", r->sssp.roots);
    printf("vertices:                   %" PRIu64 "\n", r->vertices);
    printf("input_edges:                %" PRIu64 "\n", r->input_edges);
    printf("generation_time:            %.10g\n", r->generation_seconds);
    printf("construction_time:          %.10g\n", r->construction_seconds);
    printf("preparation_time:           %.10g\n", r->preparation_seconds);
    printf("parent_bits:                %u\n", r->parent_bits);
    if (o->run.prune)
        printf("pruned_vertices:            %" PRIu64 "\n", r->placement.pruned);
    if (r->placement.device_bytes > 0) {
        printf("device_bytes:               %" PRIu64 "\n", r->placement.device_bytes);
        printf("pinned_host_bytes:          %" PRIu64 "\n", r->placement.host_bytes);
    }
    print_statistics("", &time_names, &r->seconds);
    printf("first_time:                 %.10g\n", r->first_seconds);
    print_statistics("", &edge_names, &r->edges);
    print_statistics("", &teps_names, &r->teps);
    if (o->run.sssp) {
        print_statistics(paths_prefix, &time_names, &r->sssp.seconds);
        print_statistics(paths_prefix, &teps_names, &r->sssp.teps);
    }
    grid_print_traffic(ctx, kernel_seconds(r));
    if (r->energy_seconds > 0) {
        printf("energy_time:                %.10g\n", r->energy_seconds);
        printf("energy:                     %.10g\n", r->joules);
        printf("power:                      %.10g\n", r->watts);
        printf("MTEPS_per_watt:             %.10g\n", r->mteps_per_watt);
    }
    if (o->run.skip_validation) {
        puts("validation:                 none");
        return;
    }
    printf("validation_time:            %.10g\n", r->validation_seconds);
    printf("valid_trees:                %u of %u\n", r->valid, r->roots);
    if (o->run.sssp) {
        printf("sssp_validation_time:       %.10g\n", r->sssp.validation_seconds);
        printf("sssp_valid_trees:           %u of %u\n", r->sssp.valid, r->sssp.roots);
    }
}

static void print_report_json(const sl_graph500_report *r, const graph500_options *o,
                              const sl_context *ctx)
{
    cJSON *root = json_object(NULL, NULL);
    json_text(root, "engine", sl_context_engine(ctx, 0));
    grid_json_traffic(root, ctx, kernel_seconds(r));
    json_count(root, "SCALE", r->scale);
    json_number(root, "edgefactor", r->edge_factor);
    json_count(root, "NBFS", r->roots);
    json_count(root, "seed", o->run.seed);
    json_count(root, "vertices", r->vertices);
    json_count(root, "input_edges", r->input_edges);
    json_number(root, "generation_time", r->generation_seconds);
    json_number(root, "construction_time", r->construction_seconds);
    json_number(root, "preparation_time", r->preparation_seconds);
    json_count(root, "parent_bits", r->parent_bits);
    json_count(root, "pruned_vertices", r->placement.pruned);
    json_count(root, "device_bytes", r->placement.device_bytes);
    json_count(root, "pinned_host_bytes", r->placement.host_bytes);
    json_statistics(root, "", &time_names, &r->seconds);
    json_number(root, "first_time", r->first_seconds);
    json_statistics(root, "", &edge_names, &r->edges);
    json_statistics(root, "", &teps_names, &r->teps);
    if (o->run.sssp) {
        json_count(root, "NSSSP", r->sssp.roots);
        json_statistics(root, paths_prefix, &time_names, &r->sssp.seconds);
        json_statistics(root, paths_prefix, &teps_names, &r->sssp.teps);
    }
    if (r->energy_seconds > 0) {
        json_number(root, "energy_time", r->energy_seconds);
        json_number(root, "energy", r->joules);
        json_number(root, "power", r->watts);
        json_number(root, "MTEPS_per_watt", r->mteps_per_watt);
    }
    json_bool(root, "validated", !o->run.skip_validation);
    if (!o->run.skip_validation) {
        json_number(root, "validation_time", r->validation_seconds);
        json_count(root, "valid_trees", r->valid);
        if (o->run.sssp) {
            json_number(root, "sssp_validation_time", r->sssp.validation_seconds);
            json_count(root, "sssp_valid_trees", r->sssp.valid);
        }
        if (is_invalid(r)) {
            json_count(root, "failed_root", r->failed_root);
            json_text(root, "reason", r->failure.reason);
        }
    }
    json_print(root);
}

static void show_root(void *data, unsigned done, unsigned of)
{
    const graph500_options *o = data;
    const unsigned searches = o->run.sssp ? of / 2 : of;
    const bool sssp = done > searches;
    const unsigned number = sssp ? done - searches : done;
    progress(&o->common, "%s %u of %u", sssp ? "shortest paths" : "search", number, searches);
    progress_part(number, searches);
}

int run_graph500(int argc, char **argv)
{
    graph500_options o = {.common = {.command = "semla graph500"}};
    int exit_status = options_parse(&argp, argc, argv, &o.common, &o);
    if (exit_status != EXIT_DONE)
        return exit_status;
    sl_context *ctx;
    if (grid_context_open(&ctx, &o.common) != EXIT_DONE)
        return EXIT_FAILED;
    o.run.progress = show_root;
    o.run.progress_data = &o;
    sl_graph500_report report;
    progress(&o.common, "generating the graph and building its matrix");
    sl_status status = sl_graph500(&report, ctx, &o.run);
    progress_end();
    show_placement(&o.common, &report.placement);
    if (status != SL_OK) {
        exit_status = failed_status(ctx, status);
    } else {
        (o.common.json ? print_report_json : print_report)(&report, &o, ctx);
        if (!o.run.skip_validation && is_invalid(&report))
            exit_status =
                failed("the %s from root %" PRIu64 " %s not valid: %s",
                       report.valid < report.roots ? "tree" : "shortest paths", report.failed_root,
                       report.valid < report.roots ? "is" : "are", report.failure.reason);
    }
    sl_context_free(ctx);
    return exit_status;
}
