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
    sl_matrix *lengths; /* the same pattern, int32 values 1 to 255 */
    sl_csr rows;        /* arrays of `lengths` */
    sl_graph_view view; /* of `rows` */
    uint64_t sources[WORKFLOW_SOURCES];
} workflow_graph;

/*
 * Makes a graph. Prints an error and exits on failure.
 *
 * g      out: freed by workflow_graph_free
 * model  as for bench_generator, or lattice:SIDE: a SIDE x SIDE grid of which each edge exists with
 *        a probability of 0.65
 *
 * Lengths are the same in both directions of an edge. The sources are random vertices of the
 * largest component.
 */
void workflow_graph_make(workflow_graph *g, sl_context *ctx, const char *model);
void workflow_graph_free(workflow_graph *g);

#endif
