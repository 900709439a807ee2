/* Loops of plain operations, as users write them, for bench_workflows. */
#ifndef SEMLA_BENCH_WORKFLOW_LOOPS_H
#define SEMLA_BENCH_WORKFLOW_LOOPS_H

#include "workflow_graphs.h"

/* The least vertex of each vertex's component, int64. */
sl_vector *workflow_labels(const workflow_graph *g);
/* The distance of each vertex from the source, in the type of the lengths; no entry: none. */
sl_vector *workflow_distances(const workflow_graph *g, uint64_t source);

#endif
