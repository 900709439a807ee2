/* semla convert: reads or generates a graph and writes it in another file format. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/graph.h"
#include "cli/grid_ranks.h"
#include "cli/json.h"
#include "cli/labelled.h"

enum { KEY_TO = 0x300, KEY_TO_BASE, KEY_WEIGHTS, KEY_TUPLES };

typedef struct {
    common_options common;
    graph_options graph;
    const char *output;
    sl_write_options write;
    enum { WEIGHTS_UNCHANGED, WEIGHTS_INTEGER, WEIGHTS_REAL } weights;
    bool tuples; /* write the edges without building a matrix */
} convert_options;

/* The written graph, for the report. */
typedef struct {
    sl_format_info format;
    uint64_t rows, columns, entries;
    uint64_t min_vertices; /* the greatest vertex with an edge, plus 1 */
    const char *type;      /* the type of the values; NULL for a pattern */
    double read_seconds, write_seconds;
} result;

/* ---- the options -------------------------------------------------------- */

static error_t parse_word(int *index, const char *option, const char *text, const char *first,
                          const char *second)
{
    const char *words[] = {first, second};
    return option_word(index, option, text, words, 2);
}

static error_t check(const convert_options *o)
{
    if (!o->output)
        return usage_error("the file to write is missing; give a name, or - for standard output");
    if (strcmp(o->output, "-") == 0 && o->common.json)
        return usage_error("- and --json cannot be combined: both write to standard output");
    if (o->tuples && o->graph.matrix_option)
        return usage_error(
            "--%s and --tuples cannot be combined: --tuples writes the edges unchanged",
            o->graph.matrix_option);
    if (o->weights != WEIGHTS_UNCHANGED && o->graph.read.flags & SL_READ_PATTERN)
        return usage_error(
            "--weights and --pattern cannot be combined: --pattern drops the weights");
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    convert_options *o = state->input;
    int index = 0;
    error_t error;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->graph;
        state->child_inputs[1] = &o->common;
        return 0;
    case ARGP_KEY_ARG: /* the second argument is the file; graph_argp takes the first */
        if (!o->graph.name || o->output)
            return ARGP_ERR_UNKNOWN;
        o->output = argument;
        return 0;
    case KEY_TO:
        return option_format(&o->write.format, "to", argument);
    case KEY_TO_BASE:
        error = parse_word(&index, "to-base", argument, "0", "1");
        o->write.base = (unsigned)index;
        return error;
    case KEY_WEIGHTS:
        error = parse_word(&index, "weights", argument, "integer", "real");
        o->weights = index == 0 ? WEIGHTS_INTEGER : WEIGHTS_REAL;
        return error;
    case KEY_TUPLES:
        o->tuples = true;
        return 0;
    case ARGP_KEY_SUCCESS: /* runs after the checks of graph_argp */
        o->write.no_overwrite = !o->graph.force;
        return check(o);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The file to write:", 3},
            {"to", KEY_TO, "NAME", 0,
             "Its format: auto (default: by its name, else edges), " FORMAT_NAMES, 0},
            {"to-base", KEY_TO_BASE, "0|1", 0, "Edge lists: the id of the first vertex (default 0)",
             0},
            {"weights", KEY_WEIGHTS, "integer|real", 0,
             "integer: round the weights to whole numbers; real: write them as fp64. Edges without "
             "weights get the weight 1",
             0},
            {"tuples", KEY_TUPLES, NULL, 0,
             "Write the edges unchanged: in their order, with duplicates and self-loops, and the "
             "undirected edges of a model once. Not for the formats metis and semla",
             0},
            {0}},
    .parser = parse,
    .help_filter = help_filter,
    .args_doc = "GRAPH FILE",
    .doc =
        "Writes a graph to a file in another format.\v" GRAPH_HELP "\n\n"
        "FILE is compressed if its name ends in .gz or .zst; - is standard output. On failure no "
        "file is written. Graphs that a format cannot store are rejected: fractional weights in "
        "gr and metis (use --weights integer), any weights in g500 (use --pattern), self-loops "
        "in metis (use --no-loops), and directed graphs in metis (use --symmetric).\n\n"
        "Examples:\n"
        "  semla convert wing.graph wing.mtx\n"
        "  semla convert web.txt.gz web.semla\n"
        "  semla convert roads.txt.gz roads.gr.zst --weights integer\n"
        "  semla convert kronecker:scale=20 edges.g500 --tuples\n"
        "  semla convert wiki-Vote.txt votes.graph --renumber -s --no-loops",
    .children =
        (const struct argp_child[]){{&graph_argp, 0, NULL, 0}, {&common_argp, 0, NULL, 0}, {0}},
};

/* ---- weights ------------------------------------------------------------ */

static int round_weights(sl_edges *edges, const graph_options *o)
{
    const vertex_names names = names_of_edges(edges, o);
    for (uint64_t k = 0; k < edges->count; k++) {
        double x = round(((double *)edges->values)[k]);
        if (!(x >= -0x1p63 && x < 0x1p63))
            return failed("the edge from %s to %s has the weight %g, which does not fit a 64-bit "
                          "integer",
                          NAME_OF(&names, edges->row[k]), NAME_OF(&names, edges->col[k]), x);
        ((int64_t *)edges->values)[k] = (int64_t)x;
    }
    return EXIT_DONE;
}

static int convert_weights(sl_edges *edges, const convert_options *o)
{
    const bool integer = o->weights == WEIGHTS_INTEGER;
    if (o->weights == WEIGHTS_UNCHANGED || (edges->values && (edges->type != SL_FP64) == integer))
        return EXIT_DONE;
    if (!edges->values) {
        edges->values = sl_malloc((edges->count + 1) * 8);
        if (!edges->values)
            out_of_memory();
        edges->type = SL_INT64;
        for (uint64_t k = 0; k < edges->count; k++)
            ((int64_t *)edges->values)[k] = 1;
    }
    int exit_status = EXIT_DONE;
    if (edges->type == SL_FP64)
        exit_status = round_weights(edges, &o->graph);
    else if (!integer)
        for (uint64_t k = 0; k < edges->count; k++)
            ((double *)edges->values)[k] = edges->type == SL_UINT64
                                               ? (double)((uint64_t *)edges->values)[k]
                                               : (double)((int64_t *)edges->values)[k];
    edges->type = integer ? SL_INT64 : SL_FP64;
    return exit_status;
}

/* ---- converting --------------------------------------------------------- */

static void find_format(sl_format_info *info, const convert_options *o)
{
    sl_file_format format = o->write.format;
    if (format == SL_FORMAT_AUTO)
        format = sl_format_of_name(o->output);
    if (format == SL_FORMAT_AUTO)
        format = SL_FORMAT_EDGE_LIST;
    for (size_t k = 0; sl_format_describe(k, info) == SL_OK && info->format != format;)
        k++;
}

/* The number of vertices that a reader infers from the edges: the greatest vertex with one, plus 1.
 */
static uint64_t inferred_vertices(const sl_edges *edges, bool loops)
{
    uint64_t count = 0;
    for (uint64_t k = 0; k < edges->count; k++) {
        uint64_t greater = edges->row[k] > edges->col[k] ? edges->row[k] : edges->col[k];
        if (greater >= count && (loops || edges->row[k] != edges->col[k]))
            count = greater + 1;
    }
    return count;
}

/* On a grid each rank has a part of the edges. Replaces *sum by the sum and *greatest by the
 * maximum over all ranks. */
static int over_ranks(sl_context *ctx, uint64_t *sum, uint64_t *greatest)
{
    const uint64_t local[] = {*sum, *greatest};
    uint64_t(*all)[2];
    sl_status status = sl_gather(ctx, SL_OK, (void **)&all, NULL, local, sizeof local);
    if (status != SL_OK)
        return failed_status(ctx, status);
    *sum = 0;
    for (uint64_t k = 0; k < sl_context_processes(ctx); k++) {
        *sum += all[k][0];
        *greatest = all[k][1] > *greatest ? all[k][1] : *greatest;
    }
    sl_free(all);
    return EXIT_DONE;
}

static int write_tuples(result *r, sl_context *ctx, sl_edges *edges, const convert_options *o)
{
    if (o->graph.mirror == MIRROR_YES && edges->mirror == SL_MIRROR_NONE)
        edges->mirror = SL_MIRROR_SAME;
    r->entries = edges->count;
    for (uint64_t k = 0; k < edges->count && edges->mirror != SL_MIRROR_NONE; k++)
        r->entries += edges->row[k] != edges->col[k];
    const int exit_status = over_ranks(ctx, &r->entries, &r->min_vertices);
    if (exit_status != EXIT_DONE)
        return exit_status;
    double start = seconds_now();
    sl_status status = sl_edges_write(edges, ctx, o->output, &o->write);
    r->write_seconds = seconds_now() - start;
    return status == SL_OK ? EXIT_DONE : output_failed(ctx, status, o->output);
}

static int write_matrix(result *r, sl_context *ctx, const sl_edges *edges, const convert_options *o)
{
    sl_matrix *A = NULL;
    double start = seconds_now();
    int exit_status = over_ranks(ctx, &r->entries, &r->min_vertices);
    if (exit_status == EXIT_DONE)
        exit_status = graph_matrix(&A, ctx, edges, &o->graph);
    double built = seconds_now();
    r->read_seconds += built - start;
    if (exit_status != EXIT_DONE)
        return exit_status;
    const bool labelled = edges->labels.count > 0 && r->format.format == SL_FORMAT_CSV;
    sl_status status = labelled ? labelled_write_matrix(A, &edges->labels, o->output, &o->write)
                                : sl_matrix_write_with(A, o->output, &o->write);
    if (status == SL_OK)
        status = sl_matrix_nvals(&r->entries, A);
    r->rows = sl_matrix_nrows(A);
    r->columns = sl_matrix_ncols(A);
    r->write_seconds = seconds_now() - built;
    sl_matrix_free(A);
    return status == SL_OK ? EXIT_DONE : output_failed(ctx, status, o->output);
}

/* Makes labels of the ids, which are the names in a CSV file. */
static void label_ids(sl_edges *edges)
{
    enum { LONGEST = 21 };
    char *text = sl_malloc(edges->nrows * LONGEST + 1), *end = text;
    uint64_t *start = sl_malloc((edges->nrows + 1) * sizeof *start);
    if (!text || !start)
        out_of_memory();
    for (uint64_t v = 0; v < edges->nrows; v++) {
        start[v] = (uint64_t)(end - text);
        end += sprintf(end, "%" PRIu64, edges->ids[v]) + 1;
    }
    edges->labels = (sl_labels){edges->nrows, text, start};
}

static int convert(result *r, sl_context *ctx, const convert_options *o)
{
    sl_edges edges = {0};
    double start = seconds_now();
    *r = (result){0};
    int exit_status = grid_exit(ctx, output_check(o->output, NULL, o->graph.force));
    if (exit_status == EXIT_DONE)
        exit_status = graph_edges(&edges, ctx, &o->graph, &o->common);
    if (exit_status == EXIT_DONE)
        exit_status = grid_exit(ctx, convert_weights(&edges, o));
    if (exit_status == EXIT_DONE) {
        find_format(&r->format, o);
        if (r->format.format == SL_FORMAT_CSV && edges.ids)
            label_ids(&edges);
        r->rows = edges.nrows;
        r->columns = edges.ncols;
        r->min_vertices = inferred_vertices(&edges, !(o->graph.read.flags & SL_READ_NO_LOOPS));
        r->type = edges.values ? sl_type_name(edges.type) : NULL;
        r->read_seconds = seconds_now() - start;
        progress_writing(&o->common, o->output);
        exit_status = o->tuples ? write_tuples(r, ctx, &edges, o) : write_matrix(r, ctx, &edges, o);
        progress_end();
    }
    sl_edges_free(&edges);
    return exit_status;
}

/* ---- printing ------------------------------------------------------------ */

static void report(const result *r, const convert_options *o)
{
    const char *values = r->type ? r->type : "no";
    printf("%s: %s, ", shown(o->output), r->format.title);
    if (r->rows == r->columns)
        printf("%s vertices", text_of_count(r->rows).text);
    else
        printf("%s x %s", text_of_count(r->rows).text, text_of_count(r->columns).text);
    printf(", %s %s, %s weights; read in %s, written in %s\n", text_of_count(r->entries).text,
           o->tuples ? "tuples" : "entries", values, text_of_seconds(r->read_seconds).text,
           text_of_seconds(r->write_seconds).text);
    if (!r->format.sized && r->rows == r->columns && r->min_vertices < r->rows)
        printf("The last vertices have no edges, and this format does not store their number: read "
               "it with "
               "--vertices %" PRIu64 "\n",
               r->rows);
}

static void report_json(const result *r, const convert_options *o)
{
    cJSON *root = json_object(NULL, NULL);
    json_text(root, "graph", o->graph.name);
    json_text(root, "file", o->output);
    json_text(root, "format", r->format.name);
    json_count(root, "rows", r->rows);
    json_count(root, "columns", r->columns);
    json_count(root, o->tuples ? "tuples" : "entries", r->entries);
    json_bool(root, "pattern", !r->type);
    if (r->type)
        json_text(root, "type", r->type);
    json_bool(root, "sized", r->format.sized);
    json_number(root, "read_seconds", r->read_seconds);
    json_number(root, "write_seconds", r->write_seconds);
    json_print(root);
}

int run_convert(int argc, char **argv)
{
    convert_options o = {.common = {.command = "semla convert"}};
    int exit_status = options_parse(&argp, argc, argv, &o.common, &o);
    if (exit_status != EXIT_DONE)
        return exit_status;
    sl_context *ctx;
    result r;
    if (grid_context_open(&ctx, &o.common) != EXIT_DONE)
        return EXIT_FAILED;
    exit_status = convert(&r, ctx, &o);
    if (exit_status == EXIT_DONE && strcmp(o.output, "-") != 0)
        (o.common.json ? report_json : report)(&r, &o);
    sl_context_free(ctx);
    return exit_status;
}
