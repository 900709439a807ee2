/* The argument GRAPH of a subcommand: a file or a model, the options to read it, and its matrix. */
#ifndef SEMLA_CLI_GRAPH_H
#define SEMLA_CLI_GRAPH_H

#include <semla/bfs.h>

#include "ids.h"
#include "model.h"
#include "options.h"

/* The command line that describes the graph. */
typedef struct {
    const char *name; /* the argument GRAPH */
    bool is_model;
    sl_generator model;   /* if is_model */
    sl_read_options read; /* options for reading, and for building the matrix */
    enum { MIRROR_DEFAULT, MIRROR_YES, MIRROR_NO } mirror; /* --symmetric, --directed */
    const char *ids_path;      /* --ids: the file to which the ids of the vertices go, or NULL */
    bool force;                /* overwrite existing files: those of the subcommand, too */
    const char *file_option;   /* the last option given that applies to files only, or NULL */
    const char *matrix_option; /* the last one given that applies to building a matrix, or NULL */
} graph_options;

/* Argp children with a graph_options as input: the argument GRAPH and its options. The second
 * accepts models only and has no options of files. */
extern const struct argp graph_argp;
extern const struct argp model_argp;

/* Parses the value of an option that takes the name of a file format, or auto. */
error_t option_format(sl_file_format *format, const char *option, const char *text);
#define FORMAT_NAMES "mtx, edges, gr, metis, g500, g500p or semla"

/* Part of the help of each subcommand that takes a GRAPH. */
#define GRAPH_HELP                                                                                 \
    "GRAPH is a file (Matrix Market, edge list, DIMACS, METIS, Graph500 tuples; also .gz and "     \
    ".zst) or a model. Options and results number the vertices from 0, whatever the format, "      \
    "unless --renumber is given.\n\n" MODEL_HELP

/* A graph in memory. */
typedef struct {
    const char *name;
    sl_matrix *A;
    uint64_t *ids; /* with --renumber: the id in the file of each vertex, ascending. NULL otherwise:
                      a vertex's id is its index */
    uint64_t nrows, ncols, entries;
    double seconds; /* time to read or generate the edges and build the matrix */
} graph;

/*
 * Functions that return int return an exit status, with a message printed unless it is EXIT_DONE.
 * They are collective on a grid.
 */

/* Reads or generates the edges. Free them with sl_edges_free. */
int graph_edges(sl_edges *edges, sl_context *ctx, const graph_options *o,
                const common_options *common);

/* Builds the matrix of these edges as the options say. */
int graph_matrix(sl_matrix **A, sl_context *ctx, const sl_edges *edges, const graph_options *o);

/* Reads or generates the graph and builds its matrix. Free with graph_free, also after a failure.
 */
int graph_load(graph *g, sl_context *ctx, const graph_options *o, const common_options *common);
void graph_free(graph *g);

/*
 * Copies the whole matrix as compressed rows, on every rank of a grid. For checks by sequential
 * algorithms. Free each array with sl_free. Collective.
 */
sl_status graph_rows(sl_csr *rows, const sl_matrix *A);

/* Reports a graph that cannot be searched: not square, or without vertices. */
int graph_check_searchable(const char *name, uint64_t nrows, uint64_t ncols);

/*
 * Warns, unless --quiet was given, if the file has fewer ids than vertices because the format does
 * not store the number of vertices: most of them have no edge, and --renumber leaves them out.
 * Collective.
 */
sl_status graph_warn_sparse(const graph *g, const graph_options *o, const common_options *common);

/* ---- degrees ------------------------------------------------------------ */

/* The out-degrees (nrows elements) or in-degrees (ncols) from sl_malloc, as the plus_pair product
 * of A and a vector of ones, which ignores values. Collective. */
sl_status graph_degrees(int64_t **degrees, const sl_matrix *A, bool in);

/* The first vertex of greatest degree. count > 0. */
uint64_t greatest_degree(const int64_t *degrees, uint64_t count);

#endif
