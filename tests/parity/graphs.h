/* A graph on the host, and the same prepared on an engine that is tested against it. */
#ifndef SEMLA_TESTS_PARITY_GRAPHS_H
#define SEMLA_TESTS_PARITY_GRAPHS_H

#include <semla/bfs.h>

#include "support.h"

typedef struct {
    const char *name;
    sl_matrix *on_host, *tested;
    sl_csr rows;
} graph;

/* Of these edges, read with SL_READ_SYMMETRIC or 0; prepared with these sl_optimize_flags. */
graph graph_of_edges(sl_context *host, sl_context *engine, const char *name, const sl_edges *edges,
                     unsigned flags, unsigned purpose);
graph graph_of_model(sl_context *host, sl_context *engine, const char *name,
                     const sl_generator *model, unsigned flags, unsigned purpose);
void free_graph(graph *g);

/* The vector as an array, to be freed with sl_free; NULL of NULL. Frees the vector. */
int64_t *array_of(sl_vector *v);

/* What the validator says of a search's arrays, of which one may be NULL. */
sl_check_result verdict_on(const graph *g, uint64_t source, const int64_t *parents,
                      const int64_t *levels, int64_t depth);

#endif
