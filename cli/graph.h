/* The graph that a subcommand works on: a file, or a model. */
#ifndef SEMLA_CLI_GRAPH_H
#define SEMLA_CLI_GRAPH_H

#include <semla/bfs.h>

#include "model.h"
#include "options.h"

typedef struct {
    const char *name; /* the argument as it was given */
    bool is_model;
    sl_generator model;
    sl_read_options read;
    enum { MIRROR_UNSAID, MIRROR_YES, MIRROR_NO } mirror; /* --symmetric, --directed */
    const char *file_option;   /* the last option given that only files have */
    const char *matrix_option; /* ... that tells how to make a matrix of the edges */
} graph_options;

/* An argp child for graph_options: the argument GRAPH and all that says how to
 * read it. The second takes models alone and has no options of files. */
extern const struct argp graph_argp;
extern const struct argp model_argp;

/* The value of an option that takes a format's name, or auto. */
error_t option_format(sl_file_format *format, const char *option, const char *text);
#define FORMAT_NAMES "mtx, edges, gr, metis, g500, g500p or semla"

/* For the docs of subcommands that take a GRAPH. */
#define GRAPH_HELP                                                                                 \
    "GRAPH is a file (Matrix Market, edge list, DIMACS, METIS, Graph500 tuples; also .gz and "     \
    ".zst) or a model. Vertices are numbered from 0, in every format, unless --renumber is "        \
    "given.\n\n" MODEL_HELP

typedef struct {
    const char *name;
    sl_matrix *A;
    uint64_t *ids; /* the file's id of each vertex, rising; NULL: its index */
    uint64_t nrows, ncols, entries;
    double seconds; /* reading or generating, and building */
} graph;

/*
 * Reads or generates the tuples, to be freed with sl_edges_free. All functions
 * here return an exit status, with the message printed unless it is EXIT_DONE.
 */
int graph_edges(sl_edges *edges, sl_context *ctx, const graph_options *o,
                const common_options *common);

/* The matrix of these tuples by the options. */
int graph_matrix(sl_matrix **A, sl_context *ctx, const sl_edges *edges, const graph_options *o);

/* Both, for graph_free to free. */
int graph_load(graph *g, sl_context *ctx, const graph_options *o, const common_options *common);
void graph_free(graph *g);

/*
 * The rows of a matrix as plain arrays, on every rank of a grid: for what holds results against
 * plain loops. To be freed with sl_free, array by array. Collective.
 */
sl_status graph_rows(sl_csr *rows, const sl_matrix *A);

/* Refuses a graph that no search can run on: not square, or without vertices. */
int graph_check_searchable(const char *name, uint64_t nrows, uint64_t ncols);

/* The id to print for an index. */
uint64_t graph_id(const uint64_t *ids, uint64_t index);

/* The index of the vertex that a user names, `what` ("source", "target") in the
 * message where there is none. */
int graph_index(uint64_t *index, const uint64_t *ids, uint64_t vertices, uint64_t id,
                const char *what);

/* ---- degrees ------------------------------------------------------------ */

/* A graph's degrees, nrows (out) or ncols (in) elements from sl_malloc: the
 * product A plus.pair 1, so that values do not matter. */
sl_status graph_degrees(int64_t **degrees, const sl_matrix *A, bool in);

/* The vertex of greatest degree, the first of them; count > 0. */
uint64_t greatest_degree(const int64_t *degrees, uint64_t count);

#endif
