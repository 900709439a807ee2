/* A graph on the host, and the same graph prepared on the engine under test. */
#ifndef SEMLA_TESTS_PARITY_GRAPHS_H
#define SEMLA_TESTS_PARITY_GRAPHS_H

#include <semla/bfs.h>

#include "support.h"

typedef struct {
    const char *name;
    sl_matrix *on_host, *tested;
    sl_csr rows;
} graph;

/* The graph of the edges, read with `flags` (SL_READ_SYMMETRIC or 0), and prepared with `purpose`
 * (flags of sl_matrix_optimize; 0: not prepared). */
graph graph_of_edges(sl_context *host, sl_context *engine, const char *name, const sl_edges *edges,
                     unsigned flags, unsigned purpose);
graph graph_of_model(sl_context *host, sl_context *engine, const char *name,
                     const sl_generator *model, unsigned flags, unsigned purpose);
void free_graph(graph *g);

/* The entries of the vector as an array, which the caller frees with sl_free; NULL for NULL. Frees
 * the vector. */
int64_t *take_array(sl_vector *v);

/* The result of the validator for the parents and levels of a search, one of which may be NULL. */
sl_check_result validate(const graph *g, uint64_t source, const int64_t *parents,
                         const int64_t *levels, int64_t depth);

#endif
