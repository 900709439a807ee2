/* The argument GRAPH of a subcommand and the options that say how it is read. */
#include "cli/graph_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command_output.h"
#include "cli/file_names.h"
#include "cli/shown.h"
#include "cli/shown_copy.h"

enum {
    KEY_FORMAT = 0x200,
    KEY_BASE,
    KEY_VERTICES,
    KEY_RENUMBER,
    KEY_IDS,
    KEY_SOURCE_COLUMN,
    KEY_TARGET_COLUMN,
    KEY_WEIGHT_COLUMN,
    KEY_NO_HEADER,
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
    const size_t offset = shown_length(text, wrong->offset);
    const size_t length = shown_length(text + wrong->offset, wrong->length);
    fprintf(stderr, "  %s\n  %*s", shown(text), (int)offset, "");
    for (size_t i = 0; i == 0 || i < length; i++)
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

const char *const duplicate_rules[DUPLICATE_RULES] = {"drop", "last", "sum", "min", "max", "error"};

static error_t parse_duplicates(sl_duplicates *duplicates, const char *text)
{
    static const sl_duplicates values[] = {SL_DUPLICATES_DROP, SL_DUPLICATES_LAST,
                                           SL_DUPLICATES_SUM,  SL_DUPLICATES_MIN,
                                           SL_DUPLICATES_MAX,  SL_DUPLICATES_ERROR};
    int index = 0;
    error_t error = option_word(&index, "duplicates", text, duplicate_rules, DUPLICATE_RULES);
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

static error_t option_count_of_vertices(uint64_t *vertices, const char *text)
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

bool graph_is_labelled(const graph_options *o)
{
    sl_file_format format = o->read.format;
    if (!o->name || o->is_model)
        return false;
    return (format == SL_FORMAT_AUTO ? sl_format_of_name(o->name) : format) == SL_FORMAT_CSV;
}

error_t option_vertex(const graph_options *o, const char *option, const char *text)
{
    uint64_t id;
    const bool is_signed =
        o->read.flags & SL_READ_RENUMBER && *text == '-' && parse_count(&id, text + 1);
    return is_signed || graph_is_labelled(o) ? 0 : option_count(&id, option, text);
}

error_t option_vertices(const graph_options *o, const char *option, const name_list *list)
{
    error_t error = 0;
    for (size_t k = 0; !error && k < list->count; k++)
        error = option_vertex(o, option, list->at[k]);
    return error;
}

/* Checks the options of files that number or name vertices. */
static error_t check_names(const graph_options *o)
{
    const bool renumbered = o->read.flags & SL_READ_RENUMBER, labelled = graph_is_labelled(o);
    if (o->read.vertices && renumbered)
        return usage_error(
            "--vertices and --renumber cannot be combined: both define the vertices");
    if (o->csv_option && !labelled)
        return usage_error("--%s applies to CSV files only; --format csv says that '%s' is one",
                           o->csv_option, o->name);
    if (labelled && (renumbered || o->read.vertices || o->read.base))
        return usage_error("--%s cannot be combined with a CSV file: its vertices are the labels "
                           "that occur",
                           renumbered         ? "renumber"
                           : o->read.vertices ? "vertices"
                                              : "base");
    if (!o->ids_path)
        return 0;
    if (!renumbered && !labelled)
        return usage_error("--ids needs --renumber or a CSV file: without them the id of a vertex "
                           "is its index");
    if (strcmp(o->ids_path, "-") == 0)
        return usage_error("--ids takes the name of a file; - is not possible");
    if (labelled && !is_plain_text(o->ids_path))
        return usage_error("--ids: '%s': labels are written as text or .csv, not compressed",
                           o->ids_path);
    return 0;
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
        return option_count_of_vertices(&o->read.vertices, argument);
    case KEY_RENUMBER:
        o->file_option = "renumber";
        o->read.flags |= SL_READ_RENUMBER;
        return 0;
    case KEY_IDS:
        o->file_option = "ids";
        o->ids_path = argument;
        return 0;
    case KEY_SOURCE_COLUMN:
        o->csv_option = o->file_option = "source-column";
        o->read.source_column = argument;
        return 0;
    case KEY_TARGET_COLUMN:
        o->csv_option = o->file_option = "target-column";
        o->read.target_column = argument;
        return 0;
    case KEY_WEIGHT_COLUMN:
        o->csv_option = o->file_option = "weight-column";
        o->read.weight_column = argument;
        return 0;
    case KEY_NO_HEADER:
        o->csv_option = o->file_option = "no-header";
        o->read.no_header = true;
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
        if (o->mirror == MIRROR_YES || (o->is_model && o->mirror != MIRROR_NO))
            o->read.flags |= SL_READ_SYMMETRIC;
        return check_names(o);
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
         "RULE",                                                                                   \
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
             "files number the vertices; text, .mtx or .npy. For CSV files: write the label of "
             "each "
             "vertex as text or .csv",
             0},
            {"source-column", KEY_SOURCE_COLUMN, "COLUMN", 0,
             "CSV: the column of the sources, by its name or its number from 1 (default: "
             "recognised "
             "by names such as source, src, from)",
             0},
            {"target-column", KEY_TARGET_COLUMN, "COLUMN", 0,
             "CSV: the column of the targets (default: target, dst, to, ...)", 0},
            {"weight-column", KEY_WEIGHT_COLUMN, "COLUMN", 0,
             "CSV: the column of the weights (default: weight, w, value, cost, ..., or none)", 0},
            {"no-header", KEY_NO_HEADER, NULL, 0,
             "CSV: the first line is an edge, as it always is if it begins with two whole numbers",
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
