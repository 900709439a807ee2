/*
 * The argument GRAPH: its options, reading or generating it, translation between vertex ids and
 * indices, and degrees.
 */
#include "graph.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "grid.h"
#include "output.h"

/* ---- the options -------------------------------------------------------- */

enum {
    KEY_FORMAT = 0x200,
    KEY_BASE,
    KEY_VERTICES,
    KEY_RENUMBER,
    KEY_IDS,
    KEY_VERIFY,
    KEY_DIRECTED,
    KEY_NO_LOOPS,
    KEY_DUPLICATES,
    KEY_TRANSPOSE,
    KEY_PATTERN
};

/* Prints the message, and the text with the wrong part underlined. */
static error_t show_model_error(const char *text, const model_error *wrong)
{
    usage_error("'%s': %s", text, wrong->message);
    fprintf(stderr, "  %s\n  %*s", text, (int)wrong->offset, "");
    for (size_t i = 0; i == 0 || i < wrong->length; i++)
        fputc('^', stderr);
    fputc('\n', stderr);
    return EINVAL;
}

/* Decides whether the argument is a file or a model. An existing file wins unless the text is a
 * valid model. */
static error_t take_argument(graph_options *o, const char *text, bool model_only)
{
    if (o->name)
        return usage_error("unexpected argument '%s': the graph is '%s'", text, o->name);
    o->name = text;
    model_error wrong;
    model_parse_result result = model_parse(&o->model, text, &wrong);
    bool is_file = (result == MODEL_UNKNOWN || !strchr(text, ':')) && access(text, F_OK) == 0;
    o->is_model = result == MODEL_OK;
    if (model_only && (is_file || result == MODEL_NONE))
        return usage_error("'%s' is not a model; give one such as kronecker:scale=20", text);
    if (o->is_model || is_file || result == MODEL_NONE)
        return 0;
    return show_model_error(text, &wrong);
}

static error_t parse_duplicates(sl_duplicates *duplicates, const char *text)
{
    static const char *const words[] = {"drop", "last", "sum", "min", "max", "error"};
    static const sl_duplicates values[] = {SL_DUPLICATES_DROP, SL_DUPLICATES_LAST,
                                           SL_DUPLICATES_SUM,  SL_DUPLICATES_MIN,
                                           SL_DUPLICATES_MAX,  SL_DUPLICATES_ERROR};
    int index = 0;
    error_t error = option_word(&index, "duplicates", text, words, 6);
    if (!error)
        *duplicates = values[index];
    return error;
}

error_t option_format(sl_file_format *format, const char *option, const char *text)
{
    enum { CAPACITY = 16 };
    const char *words[CAPACITY] = {"auto"};
    sl_file_format values[CAPACITY] = {SL_FORMAT_AUTO};
    sl_format_info info;
    int count = 1, index = 0;
    for (; count < CAPACITY && sl_format_describe((size_t)count - 1, &info) == SL_OK; count++) {
        words[count] = info.name;
        values[count] = info.format;
    }
    error_t error = option_word(&index, option, text, words, count);
    if (!error)
        *format = values[index];
    return error;
}

static error_t parse_base(unsigned *base, const char *text)
{
    static const char *const words[] = {"0", "1"};
    int index = 0;
    error_t error = option_word(&index, "base", text, words, 2);
    if (!error)
        *base = (unsigned)index;
    return error;
}

static error_t option_vertices(uint64_t *vertices, const char *text)
{
    if (parse_count(vertices, text) && *vertices > 0)
        return 0;
    return usage_error("--vertices takes a whole number from 1, not '%s'", text);
}

/* Options for building the matrix, which apply to files and models. */
static error_t parse_entries(int key, char *argument, struct argp_state *state)
{
    graph_options *o = state->input;
    switch (key) {
    case 's':
        o->mirror = MIRROR_YES;
        return 0;
    case KEY_DIRECTED:
        o->mirror = MIRROR_NO;
        return 0;
    case KEY_NO_LOOPS:
        o->matrix_option = "no-loops";
        o->read.flags |= SL_READ_NO_LOOPS;
        return 0;
    case KEY_TRANSPOSE:
        o->matrix_option = "transpose";
        o->read.flags |= SL_READ_TRANSPOSED;
        return 0;
    case KEY_PATTERN:
        o->read.flags |= SL_READ_PATTERN;
        return 0;
    case KEY_DUPLICATES:
        o->matrix_option = "duplicates";
        return parse_duplicates(&o->read.duplicates, argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_model(int key, char *argument, struct argp_state *state)
{
    graph_options *o = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        return take_argument(o, argument, true);
    case ARGP_KEY_END:
        if (!o->name)
            return usage_error("a model is missing; give one such as kronecker:scale=20");
        if (o->mirror != MIRROR_NO)
            o->read.flags |= SL_READ_SYMMETRIC;
        return 0;
    default:
        return parse_entries(key, argument, state);
    }
}

static error_t parse_graph(int key, char *argument, struct argp_state *state)
{
    graph_options *o = state->input;
    switch (key) {
    case KEY_FORMAT:
        o->file_option = "format";
        return option_format(&o->read.format, "format", argument);
    case KEY_BASE:
        o->file_option = "base";
        return parse_base(&o->read.base, argument);
    case KEY_VERTICES:
        o->file_option = "vertices";
        return option_vertices(&o->read.vertices, argument);
    case KEY_RENUMBER:
        o->file_option = "renumber";
        o->read.flags |= SL_READ_RENUMBER;
        return 0;
    case KEY_IDS:
        o->file_option = "ids";
        o->ids_path = argument;
        return 0;
    case 'f':
        o->force = true;
        return 0;
    case KEY_VERIFY:
        o->file_option = "verify";
        o->read.flags |= SL_READ_VERIFY;
        return 0;
    case ARGP_KEY_ARG:
        return take_argument(o, argument, false);
    case ARGP_KEY_END:
        if (!o->name)
            return usage_error(
                "a graph is missing; give a file, or a model such as kronecker:scale=20");
        if (o->is_model && o->file_option)
            return usage_error("--%s applies to files only; '%s' is a model", o->file_option,
                               o->name);
        if (o->read.vertices && o->read.flags & SL_READ_RENUMBER)
            return usage_error(
                "--vertices and --renumber cannot be combined: both define the vertices");
        if (o->ids_path && !(o->read.flags & SL_READ_RENUMBER))
            return usage_error(
                "--ids needs --renumber: without it the id of a vertex is its index");
        if (o->ids_path && strcmp(o->ids_path, "-") == 0)
            return usage_error("--ids takes the name of a file; - is not possible");
        if (o->mirror == MIRROR_YES || (o->is_model && o->mirror != MIRROR_NO))
            o->read.flags |= SL_READ_SYMMETRIC;
        return 0;
    default:
        return parse_entries(key, argument, state);
    }
}

#define ENTRY_OPTIONS                                                                              \
    {"symmetric", 's', NULL, 0, "Add the reverse of each edge (the default for models)", 0},       \
        {"directed", KEY_DIRECTED, NULL, 0, "Keep edges as they are (the default for files)", 0},  \
        {"no-loops", KEY_NO_LOOPS, NULL, 0, "Drop self-loops", 0},                                 \
        {"duplicates",                                                                             \
         KEY_DUPLICATES,                                                                           \
         "HOW",                                                                                    \
         0,                                                                                        \
         "What becomes of repeated edges: drop keeps the first (default), last keeps the last, "   \
         "sum, min and max combine the weights, error rejects the graph",                          \
         0},                                                                                       \
        {"transpose", KEY_TRANSPOSE, NULL, 0, "Reverse every edge", 0},                            \
        {"pattern", KEY_PATTERN, NULL, 0, "Ignore weights", 0},                                    \
    {                                                                                              \
        0                                                                                          \
    }

const struct argp graph_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The graph:", 1},
            {"format", KEY_FORMAT, "NAME", 0,
             "The format of the file: auto (default: recognised by its first line and "
             "name), " FORMAT_NAMES,
             0},
            {"base", KEY_BASE, "0|1", 0,
             "Edge lists: the smallest vertex id of the file (default 0)", 0},
            {"vertices", KEY_VERTICES, "N", 0,
             "Edge lists, Graph500: the number of vertices (default: the greatest id plus 1)", 0},
            {"renumber", KEY_RENUMBER, NULL, 0,
             "Edge lists, Graph500: only ids that occur become vertices; options and results use "
             "the "
             "ids of the file",
             0},
            {"ids", KEY_IDS, "FILE", 0,
             "With --renumber: write the id of each vertex, in the order in which .mtx and .npy "
             "files number the vertices; text, .mtx or .npy",
             0},
            {"verify", KEY_VERIFY, NULL, 0,
             "Files in semla format: check the checksums and the declared symmetry", 0},
            FORCE_OPTION,
            ENTRY_OPTIONS},
    .parser = parse_graph,
};

const struct argp model_argp = {
    .options = (const struct argp_option[]){{NULL, 0, NULL, 0, "The graph:", 1}, ENTRY_OPTIONS},
    .parser = parse_model,
};

/* ---- loading ------------------------------------------------------------ */

static int check_ids_path(sl_context *ctx, const graph_options *o)
{
    return grid_exit(ctx, output_check(o->ids_path, o->name, o->force));
}

static int write_ids(sl_context *ctx, const graph_options *o, const uint64_t *ids,
                     uint64_t vertices)
{
    return o->ids_path ? ids_write(ctx, ids, vertices, o->ids_path) : EXIT_DONE;
}

int graph_edges(sl_edges *edges, sl_context *ctx, const graph_options *o,
                const common_options *common)
{
    if (check_ids_path(ctx, o) != EXIT_DONE)
        return EXIT_FAILED;
    progress(common, "%s %s", o->is_model ? "generating" : "reading", o->name);
    sl_status status = o->is_model ? sl_generate(edges, ctx, &o->model)
                                   : sl_edges_read(edges, ctx, o->name, &o->read);
    progress_end();
    if (status == SL_OK)
        return write_ids(ctx, o, edges->ids, edges->nrows);
    const int exit_status = failed_status(ctx, status);
    return o->is_model && status == SL_INVALID ? EXIT_USAGE : exit_status;
}

int graph_matrix(sl_matrix **A, sl_context *ctx, const sl_edges *edges, const graph_options *o)
{
    sl_status status = sl_matrix_from_edges(A, ctx, edges, &o->read);
    if (status == SL_OK && edges->ids)
        status = sl_matrix_set_ids(*A, edges->ids);
    return status == SL_OK ? EXIT_DONE : failed_status(ctx, status);
}

/* Reads a file directly into a matrix, without an edge list in between. */
static int load_file(graph *g, sl_context *ctx, const graph_options *o,
                     const common_options *common)
{
    if (check_ids_path(ctx, o) != EXIT_DONE)
        return EXIT_FAILED;
    progress(common, "reading %s", o->name);
    sl_status status = sl_matrix_read_with(&g->A, &g->ids, ctx, o->name, &o->read);
    if (status == SL_OK && g->ids)
        status = sl_matrix_set_ids(g->A, g->ids);
    progress_end();
    return status == SL_OK ? write_ids(ctx, o, g->ids, sl_matrix_nrows(g->A))
                           : failed_status(ctx, status);
}

static int load_model(graph *g, sl_context *ctx, const graph_options *o,
                      const common_options *common)
{
    progress(common, "generating %s", o->name);
    sl_status status = sl_matrix_generate(&g->A, ctx, &o->model, &o->read);
    progress_end();
    if (status == SL_OK)
        return EXIT_DONE;
    const int exit_status = failed_status(ctx, status);
    return status == SL_INVALID ? EXIT_USAGE : exit_status;
}

int graph_load(graph *g, sl_context *ctx, const graph_options *o, const common_options *common)
{
    double start = seconds_now();
    *g = (graph){.name = o->name};
    int exit_status = o->is_model ? load_model(g, ctx, o, common) : load_file(g, ctx, o, common);
    if (exit_status == EXIT_DONE) {
        g->nrows = sl_matrix_nrows(g->A);
        g->ncols = sl_matrix_ncols(g->A);
        sl_status status = sl_matrix_nvals(&g->entries, g->A);
        if (status != SL_OK)
            exit_status = failed_status(ctx, status);
    }
    g->seconds = seconds_now() - start;
    return exit_status;
}

void graph_free(graph *g)
{
    sl_matrix_free(g->A);
    sl_free(g->ids);
    *g = (graph){0};
}

/* Converts sorted entries to compressed rows. Takes the column and value arrays of `all`. */
static sl_status compress(sl_csr *rows, sl_arrays *all, const uint64_t *ids)
{
    uint64_t *start = sl_malloc((all->nrows + 1) * sizeof *start);
    if (!start)
        return SL_NO_MEMORY;
    for (uint64_t i = 0, k = 0; i <= all->nrows; i++) {
        while (k < all->nvals && all->rows[k] < i)
            k++;
        start[i] = k;
    }
    *rows = (sl_csr){.nrows = all->nrows,
                     .ncols = all->ncols,
                     .type = all->type,
                     .start = start,
                     .index = all->cols,
                     .values = all->values,
                     .ids = ids};
    all->cols = NULL;
    all->values = NULL;
    return SL_OK;
}

sl_status graph_rows(sl_csr *rows, const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    if (sl_context_processes(ctx) == 1)
        return sl_matrix_copy_csr(rows, A);
    sl_arrays all;
    *rows = (sl_csr){0};
    sl_status status = sl_matrix_copy_whole(&all, A);
    if (status == SL_OK)
        status = sl_agree(ctx, compress(rows, &all, sl_matrix_ids(A)));
    sl_arrays_free(&all);
    return status;
}

int graph_check_searchable(const char *name, uint64_t nrows, uint64_t ncols)
{
    if (nrows != ncols)
        return failed("%s: the matrix is %llu x %llu; a search needs a square matrix", name,
                      (unsigned long long)nrows, (unsigned long long)ncols);
    return nrows ? EXIT_DONE
                 : failed("%s: the graph has no vertices; a search needs a source", name);
}

/* ---- degrees ------------------------------------------------------------ */

sl_status graph_degrees(int64_t **degrees, const sl_matrix *A, bool in)
{
    sl_context *ctx = sl_matrix_context(A);
    uint64_t nrows = sl_matrix_nrows(A), ncols = sl_matrix_ncols(A);
    uint64_t summed = in ? nrows : ncols, kept = in ? ncols : nrows;
    sl_vector *ones = NULL, *sums = NULL;
    *degrees = NULL;
    sl_status status = sl_vector_new(&ones, ctx, SL_INT64, summed);
    if (status == SL_OK)
        status = sl_vector_new(&sums, ctx, SL_INT64, kept);
    if (status == SL_OK)
        status =
            sl_vector_assign_scalar(ones, NULL, NULL, sl_scalar_int64(1), SL_ALL, summed, NULL);
    if (status == SL_OK)
        status = in ? sl_vxm(sums, NULL, NULL, SL_PLUS_PAIR_INT64, ones, A, NULL)
                    : sl_mxv(sums, NULL, NULL, SL_PLUS_PAIR_INT64, A, ones, NULL);
    if (status == SL_OK)
        status = sl_search_array(degrees, sums);
    for (uint64_t i = 0; status == SL_OK && i < kept; i++)
        if ((*degrees)[i] == SL_UNREACHED)
            (*degrees)[i] = 0;
    sl_vector_free(ones);
    sl_vector_free(sums);
    return status;
}

/* True if the format of the file does not store the number of vertices, and no option gives it. */
static bool infers_vertices(const graph_options *o)
{
    sl_file_format format = o->read.format;
    sl_format_info info;
    if (o->is_model || o->read.vertices > 0 || o->read.flags & SL_READ_RENUMBER)
        return false;
    if (format == SL_FORMAT_AUTO)
        format = sl_format_of_name(o->name);
    if (format == SL_FORMAT_AUTO)
        format = SL_FORMAT_EDGE_LIST;
    for (size_t k = 0; sl_format_describe(k, &info) == SL_OK; k++)
        if (info.format == format)
            return !info.sized;
    return false;
}

sl_status graph_warn_sparse(const graph *g, const graph_options *o, const common_options *common)
{
    int64_t *out = NULL, *in = NULL;
    uint64_t without = 0;
    if (common->quiet || !infers_vertices(o))
        return SL_OK;
    sl_status status = graph_degrees(&out, g->A, false);
    for (uint64_t v = 0; status == SL_OK && v < g->nrows; v++)
        without += out[v] == 0;
    if (status == SL_OK && without > g->nrows / 2) {
        status = graph_degrees(&in, g->A, true);
        for (uint64_t v = 0; status == SL_OK && v < g->nrows; v++)
            without -= out[v] == 0 && in[v] > 0;
    }
    if (status == SL_OK && without > g->nrows / 2)
        warn("%s of the %s vertices have no edge: %s numbers its vertices up to %" PRIu64
             "; --renumber counts only those that occur",
             text_of_count(without).text, text_of_count(g->nrows).text, g->name,
             g->nrows - 1 + o->read.base);
    sl_free(out);
    sl_free(in);
    return status;
}

uint64_t greatest_degree(const int64_t *degrees, uint64_t count)
{
    uint64_t greatest = 0;
    for (uint64_t i = 1; i < count; i++)
        if (degrees[i] > degrees[greatest])
            greatest = i;
    return greatest;
}
