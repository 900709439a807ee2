/* Private to the Graph500 benchmark: the state of a run, shared by its files. */
#ifndef SEMLA_BFS_GRAPH500_H
#define SEMLA_BFS_GRAPH500_H

#include <time.h>

#include "bfs/check_tools.h"
#include "bfs/graph_tools.h"

/* One run of the benchmark. Arrays and objects are owned, except options and report. */
typedef struct {
    sl_context *ctx;
    const sl_graph500_options *options;
    sl_graph500_report *report;
    sl_matrix *A;
    sl_csr csr;          /* A as arrays, if trees are validated on arrays; otherwise empty */
    sl_generator model;  /* the graph */
    bool generated;      /* an engine generates the edges itself; the host has no edges */
    bool in_place;       /* trees are validated by sl_validate_search_in_place */
    uint64_t *endpoints; /* for each vertex the number of ends of this process's input edges; a
                            self-loop has two */
    sl_vector *endpoint_vector; /* the same of all processes as a vector, int64; NULL if trees are
                                   validated on arrays */
    uint64_t *roots;            /* `drawn` vertices */
    sl_progress progress;       /* searches and shortest paths done */
    unsigned drawn;             /* number of roots */
    double *quantities; /* QUANTITIES arrays of `drawn` elements, see sl_benchmark_quantity */
} sl_benchmark;

/* The measurements of each root: of kernel 2 seconds, input edges and edges per second; of kernel 3
 * seconds and edges per second. */
typedef enum { SECONDS, EDGES, TEPS, PATH_SECONDS, PATH_TEPS, QUANTITIES } quantity;

/* The array of one quantity. */
static inline double *sl_benchmark_quantity(const sl_benchmark *b, quantity which)
{
    return b->quantities + (size_t)which * b->drawn;
}

/* Wall clock, in seconds. */
static inline double sl_benchmark_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * Counts the ends of input edges at the vertices of a tree (*endpoints) and, unless validation is
 * skipped, validates the tree and counts the verdict in the report. A tree that is not valid is no
 * error.
 */
sl_status sl_benchmark_validate(sl_benchmark *b, uint64_t root, const sl_vector *tree,
                                uint64_t *endpoints);

/* Validates the distances (fp64) and parents (int64) of kernel 3 and counts the verdict in the
 * report. A result that is not valid is no error. */
sl_status sl_benchmark_validate_paths(sl_benchmark *b, uint64_t root, const sl_vector *distance,
                                      const sl_vector *tree);

/* Kernel 3 for root number i: measures it and, unless validation is skipped, validates the result.
 */
sl_status sl_benchmark_paths(sl_benchmark *b, unsigned i);

#endif
