/* The argument GRAPH of a subcommand, a file or a model, and the options that say how it is read. */
#ifndef SEMLA_CLI_GRAPH_OPTIONS_H
#define SEMLA_CLI_GRAPH_OPTIONS_H

#include "cli/model.h"
#include "cli/names.h"
#include "cli/options.h"

/* The command line that describes the graph. */
typedef struct {
    const char *name; /* the argument GRAPH */
    bool is_model;
    sl_generator model;   /* if is_model */
    sl_read_options read; /* options for reading, and for building the matrix */
    enum { MIRROR_DEFAULT, MIRROR_YES, MIRROR_NO } mirror; /* --symmetric, --directed */
    const char *ids_path;      /* --ids: the file to which the names of the vertices go, or NULL */
    bool reads_values;         /* set by a subcommand that needs weights, if there are any */
    bool force;                /* overwrite existing files: those of the subcommand, too */
    const char *file_option;   /* the last option given that applies to files only, or NULL */
    const char *csv_option;    /* the last one given that applies to CSV files only, or NULL */
    const char *matrix_option; /* the last one given that applies to building a matrix, or NULL */
} graph_options;

/* Argp children with a graph_options as input: the argument GRAPH and its options. The second
 * accepts models only and has no options of files. */
extern const struct argp graph_argp;
extern const struct argp model_argp;

/* Parses the value of an option that takes the name of a file format, or auto. */
error_t option_format(sl_file_format *format, const char *option, const char *text);
#define FORMAT_NAMES "mtx, edges, gr, metis, g500, g500p, semla or csv"

/* True if the vertices of the graph are named by labels: it is a CSV file. */
bool graph_is_labelled(const graph_options *o);

/* Checks the value of an option that names a vertex: any text if the graph has labels, otherwise an
 * id. Returns 0 or a usage_error. To be called when the whole command line has been read. */
error_t option_vertex(const graph_options *o, const char *option, const char *text);
error_t option_vertices(const graph_options *o, const char *option, const name_list *list);

/* The values of --duplicates. */
enum { DUPLICATE_RULES = 6 };
extern const char *const duplicate_rules[DUPLICATE_RULES];

/* Part of the help of each subcommand that takes a GRAPH. */
#define GRAPH_HELP                                                                                 \
    "GRAPH is a file (Matrix Market, edge list, CSV with a header, DIMACS, METIS, Graph500 "       \
    "tuples; also .gz and "                                                                        \
    ".zst) or a model. Options and results number the vertices from 0, whatever the format, "      \
    "unless --renumber is given; those of CSV files have the labels of the file.\n\n" MODEL_HELP

#endif
