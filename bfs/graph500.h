/* Private to the Graph500 benchmark: what its parts share. */
#ifndef SEMLA_BFS_GRAPH500_H
#define SEMLA_BFS_GRAPH500_H

#include "check_tools.h"
#include "bfs_arguments.h"

typedef struct {
    sl_context *ctx;
    const sl_graph500_options *options;
    sl_graph500_report *report;
    sl_matrix *A;
    sl_csr csr;            /* A as plain arrays, for the validator on arrays; else empty */
    sl_generator model;    /* the graph */
    bool generated;        /* an engine makes the tuples by itself, and nobody has them */
    bool in_place;         /* trees are judged where they are */
    uint64_t *ends;        /* of this process's tuples at each vertex: both of a self-loop */
    sl_vector *ends_there; /* the same where the matrix is, for the validator there; or NULL */
    uint64_t *roots;       /* report->roots of them, once they are drawn */
    double *quantities;    /* three arrays of report->roots: seconds, edges, edges per second */
} sl_benchmark;

/* Wall clock, in seconds. */
double sl_benchmark_now(void);

/*
 * The ends of tuples in a tree; unless validation is skipped, its verdict too, which is counted
 * in the report. A verdict of not valid is no error.
 */
sl_status sl_benchmark_validate(sl_benchmark *b, uint64_t root, const sl_vector *tree, uint64_t *ends);

#endif
