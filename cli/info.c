/* semla info: prints the size, the value type, the symmetry and the degrees of a graph. */
#include "cli/command_output.h"
#include "cli/graph.h"
#include "cli/grid_ranks.h"
#include "cli/json.h"

typedef struct {
    common_options common;
    graph_options graph;
} info_options;

typedef struct {
    int64_t min, max;
    double mean;
} degree_range;

/* The printed properties of a graph. All but `out` and `in` need a square matrix. */
typedef struct {
    bool square, symmetric, pattern;
    uint64_t loops, isolated;
    degree_range out, in;
} facts;

static error_t parse(int key, char *argument, struct argp_state *state)
{
    info_options *o = state->input;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = &o->graph;
    state->child_inputs[1] = &o->common;
    return 0;
}

static const struct argp argp = {
    .parser = parse,
    .help_filter = help_filter,
    .args_doc = "GRAPH",
    .doc = "Prints the size, the value type, the symmetry, the self-loops and the degrees of a "
           "graph.\v" GRAPH_HELP "\n\n"
           "Examples:\n"
           "  semla info wiki-Vote.txt.gz --renumber\n"
           "  semla info grid:100x100 --json",
    .children =
        (const struct argp_child[]){{&graph_argp, 0, NULL, 0}, {&common_argp, 0, NULL, 0}, {0}},
};

/* ---- computing -------------------------------------------------------- */

static degree_range range_of(const int64_t *degrees, uint64_t count, uint64_t entries)
{
    degree_range range = {0};
    if (count == 0)
        return range;
    range.min = range.max = degrees[0];
    for (uint64_t i = 1; i < count; i++) {
        range.min = degrees[i] < range.min ? degrees[i] : range.min;
        range.max = degrees[i] > range.max ? degrees[i] : range.max;
    }
    range.mean = (double)entries / (double)count;
    return range;
}

static sl_status find_degrees(facts *f, const graph *g)
{
    int64_t *out = NULL, *in = NULL;
    sl_status status = graph_degrees(&out, g->A, false);
    if (status == SL_OK)
        status = graph_degrees(&in, g->A, true);
    if (status == SL_OK) {
        f->out = range_of(out, g->nrows, g->entries);
        f->in = range_of(in, g->ncols, g->entries);
        for (uint64_t i = 0; f->square && i < g->nrows; i++)
            f->isolated += out[i] == 0 && in[i] == 0;
    }
    sl_free(out);
    sl_free(in);
    return status;
}

static sl_status count_loops(uint64_t *loops, const sl_matrix *A)
{
    sl_matrix *diagonal;
    sl_status status = sl_matrix_new(&diagonal, sl_matrix_context(A), sl_matrix_type(A),
                                     sl_matrix_nrows(A), sl_matrix_ncols(A));
    if (status == SL_OK)
        status = sl_matrix_select(diagonal, NULL, NULL, SL_DIAG_BOOL, A, sl_scalar_int64(0), NULL);
    if (status == SL_OK)
        status = sl_matrix_nvals(loops, diagonal);
    sl_matrix_free(diagonal);
    return status;
}

static sl_status find_facts(facts *f, const graph *g)
{
    *f = (facts){.square = g->nrows == g->ncols};
    sl_status status = sl_matrix_is_pattern(&f->pattern, g->A);
    if (status == SL_OK && f->square)
        status = sl_matrix_is_symmetric(&f->symmetric, g->A);
    if (status == SL_OK && f->square)
        status = count_loops(&f->loops, g->A);
    return status == SL_OK ? find_degrees(f, g) : status;
}

/* ---- printing ------------------------------------------------------------ */

static void print_range(const char *name, const degree_range *range)
{
    printf("%-12s min %s, mean %.2f, max %s\n", name, text_of_count((uint64_t)range->min).text,
           range->mean, text_of_count((uint64_t)range->max).text);
}

static void print_facts(const facts *f, const graph *g)
{
    printf("Graph        %s\n", shown(g->name));
    if (f->square)
        printf("Vertices     %s\n", text_of_count(g->nrows).text);
    else
        printf("Shape        %s x %s: rows and columns are different sets\n",
               text_of_count(g->nrows).text, text_of_count(g->ncols).text);
    printf("Entries      %s\n", text_of_count(g->entries).text);
    printf("Values       %s%s\n", f->pattern ? "none (pattern only)" : "",
           f->pattern ? "" : sl_type_name(sl_matrix_type(g->A)));
    if (f->square) {
        printf("Symmetric    %s\n", f->symmetric
                                        ? "yes: an undirected graph, each edge stored in both "
                                          "directions"
                                        : "no: a directed graph");
        printf("Self-loops   %s\n", text_of_count(f->loops).text);
        printf("Isolated     %s vertices have no edge\n", text_of_count(f->isolated).text);
    }
    if (f->symmetric) {
        print_range("Degrees", &f->out);
    } else {
        print_range("Out-degrees", &f->out);
        print_range("In-degrees", &f->in);
    }
    printf("Read in      %s\n", text_of_seconds(g->seconds).text);
}

static void json_range(cJSON *root, const char *name, const degree_range *range)
{
    cJSON *object = json_object(root, name);
    json_integer(object, "min", range->min);
    json_number(object, "mean", range->mean);
    json_integer(object, "max", range->max);
}

static void print_facts_json(const facts *f, const graph *g)
{
    cJSON *root = json_object(NULL, NULL);
    json_text(root, "graph", g->name);
    json_count(root, "rows", g->nrows);
    json_count(root, "columns", g->ncols);
    json_count(root, "entries", g->entries);
    json_text(root, "type", sl_type_name(sl_matrix_type(g->A)));
    json_bool(root, "pattern", f->pattern);
    if (f->square) {
        json_count(root, "vertices", g->nrows);
        json_bool(root, "symmetric", f->symmetric);
        json_count(root, "self_loops", f->loops);
        json_count(root, "isolated", f->isolated);
    }
    json_range(root, "out_degree", &f->out);
    json_range(root, "in_degree", &f->in);
    json_number(root, "read_seconds", g->seconds);
    json_print(root);
}

int run_info(int argc, char **argv)
{
    info_options o = {.common = {.command = "semla info"}};
    int exit_status = options_parse(&argp, argc, argv, &o.common, &o);
    if (exit_status != EXIT_DONE)
        return exit_status;
    sl_context *ctx;
    graph g;
    facts f;
    if (grid_context_open(&ctx, &o.common) != EXIT_DONE)
        return EXIT_FAILED;
    exit_status = graph_load(&g, ctx, &o.graph, &o.common);
    if (exit_status == EXIT_DONE) {
        sl_status status = graph_warn_sparse(&g, &o.graph, &o.common);
        progress(&o.common, "examining %s", g.name);
        if (status == SL_OK)
            status = find_facts(&f, &g);
        progress_end();
        if (status == SL_OK)
            (o.common.json ? print_facts_json : print_facts)(&f, &g);
        else
            exit_status = failed_status(ctx, status);
    }
    graph_free(&g);
    sl_context_free(ctx);
    return exit_status;
}
