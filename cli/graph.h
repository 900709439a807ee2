/* The graph that a subcommand works on, in memory. */
#ifndef SEMLA_CLI_GRAPH_H
#define SEMLA_CLI_GRAPH_H

#include <semla/bfs.h>

#include "cli/graph_options.h"
#include "cli/names.h"
#include "cli/vertex_ids.h"

/* A graph in memory. */
typedef struct {
    const char *name;
    sl_matrix *A;
    uint64_t *ids;      /* with --renumber: the id in the file of each vertex; else NULL */
    sl_labels labels;   /* of a CSV file, or ids of which one is negative; else zeroed */
    vertex_names names; /* refers to the two; the struct must not move */
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

/* The names of the vertices of edges that were read with these options. They refer to `edges`. */
vertex_names names_of_edges(const sl_edges *edges, const graph_options *o);

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
