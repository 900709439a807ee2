/* Dependencies on shortest paths: what the kernels share. Private to the OpenMP engine. */
#ifndef SEMLA_OPENMP_DEPENDENCIES_H
#define SEMLA_OPENMP_DEPENDENCIES_H

#include <omp.h>

#include "openmp/prepared_graph.h"

/* Values of numbers of paths are below this limit where they have an exponent. */
#define SL_PATHS_LIMIT         0x1p512
#define SL_PATHS_INVERSE_LIMIT 0x1p-512

/* The state of all sources that are searched from together takes about so many bytes at most; but one
 * source, or a batch of SL_LEAST_BATCH, may take more. */
#define SL_DEPENDENCIES_STATE (UINT64_C(1) << 33)

/* A call. Ids are the graph's. */
typedef struct {
    sl_context *ctx;
    int threads;
    uint64_t n;                       /* vertices of the graph */
    const uint64_t *start, *in_start; /* rows: out-edges; columns: in-edges */
    const uint32_t *index, *in_index; /* of the graph's vertices */
    const uint32_t *old_id, *new_id;  /* NULL: the graph is in the caller's order */
    const uint32_t *source;           /* [sources] that have an edge */
    uint64_t sources;
    double *sum; /* [n] the result */
} sl_dependency_call;

/*
 * Adds the dependencies of sources number `first` to first + count - 1 to sum, count at most
 * SL_BATCH_SOURCES: all threads search from them together. *deep: nothing is added, as a search has
 * too many levels for the kernel. SL_NO_MEMORY, SL_CANCELLED.
 */
enum { SL_BATCH_SOURCES = 16, SL_LEAST_BATCH = 4 };
sl_status sl_openmp_batch_dependencies(const sl_dependency_call *d, uint64_t first, uint64_t count,
                                       bool *deep);

/* Adds the dependencies of the sources from number `first` on to sum: each thread searches from one
 * at a time. SL_NO_MEMORY, SL_CANCELLED. */
sl_status sl_openmp_single_dependencies(const sl_dependency_call *d, uint64_t first);

/* Operation of the engine. */
sl_status sl_openmp_dependencies(sl_call *call);

#endif
