/* The graphs of bench_workflows. */
#ifndef SEMLA_BENCH_WORKFLOW_GRAPHS_H
#define SEMLA_BENCH_WORKFLOW_GRAPHS_H

#include <semla/checks.h>

#include "common.h"

enum { WORKFLOW_SOURCES = 16 };

/* A graph with and without lengths, prepared for traversals, and the sources of its searches. */
typedef struct {
    sl_context *ctx;
    sl_matrix *A;       /* pattern */
    sl_matrix *lengths; /* the same pattern with lengths */
    sl_csr rows;        /* arrays of `lengths` */
    sl_graph_view view; /* of `rows` */
    uint64_t sources[WORKFLOW_SOURCES];
} workflow_graph;

/*
 * Makes a graph. Prints an error and exits on failure.
 *
 * g      out: freed by workflow_graph_free
 * model  as for bench_generator, or one of
 *        lattice:SIDE  a SIDE x SIDE grid of which each edge exists with a probability of 0.65
 *        file:PATH     a file of any format that the library reads, as an undirected graph
 *        edges:PATH    the same, read as an edge list whatever the name is
 *
 * Lengths are the values of a file that has values, else 1 to 255 from a hash; they are the same in
 * both directions of an edge. The sources are random vertices of the largest component.
 */
void workflow_graph_make(workflow_graph *g, sl_context *ctx, const char *model);
void workflow_graph_free(workflow_graph *g);

#endif
