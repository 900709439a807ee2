/* The ranks of bench_dist and the distributed Kronecker graph that it searches. */
#ifndef SEMLA_BENCH_DIST_GRAPH_H
#define SEMLA_BENCH_DIST_GRAPH_H

#include <semla/dist.h>

#include "dist/search/processor_search.h"

/* This rank and the number of ranks; set by main. */
extern int rank, size;

/* If the status is an error, prints `what` with the context's message and aborts all ranks. */
void must(sl_context *ctx, sl_status status, const char *what);
#define MUST(ctx, call) must(ctx, call, #call)

/* printf on rank 0 only. */
void rank0_printf(const char *format, ...);

/* Waits for the devices that compute a result: reduces it. Collective on a grid. */
void wait_for(sl_context *ctx, const sl_vector *result);

/* Creates this rank's part of a Kronecker graph. Every rank generates all edges and keeps those of
 * its blocks; a few ranks at a time do this, to save memory. Collective. */
void make_local_graph(sl_local_graph *b, sl_grid *grid, unsigned scale, bool degree_order);

/* The degree of vertex v. Collective. */
uint64_t degree_of(const sl_local_graph *b, uint64_t v);

#endif
