/* Private to algorithms/: subsets of the edges of a graph by values at their ends. */
#ifndef SEMLA_ALGORITHMS_EDGE_TOOLS_H
#define SEMLA_ALGORITHMS_EDGE_TOOLS_H

#include <semla/la.h>

/*
 * *edges becomes a bool matrix of the entries (u, v) of A for which compare(f(u), f(v)) holds; u and
 * v must be entries of f. New, owned by the caller, NULL on error.
 *
 * f        int64 vector with an element per vertex
 * compare  SL_EQ_INT64 or SL_NE_INT64
 *
 * Two products with the diagonal matrix of f. O(entries of A) time and memory.
 */
sl_status sl_edges_where(sl_matrix **edges, const sl_matrix *A, const sl_vector *f,
                         sl_binary_op compare);

#endif
