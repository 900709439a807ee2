/* The orders of vertices and the pruning of trees, for prepare.c. */
#ifndef SEMLA_OPENMP_REORDER_H
#define SEMLA_OPENMP_REORDER_H

#include "openmp/prepared_graph.h"

/* True if no row is long: such graphs have no hubs, and searches of them many small levels. */
bool sl_openmp_has_short_rows(const sl_csr *rows);

/*
 * Cluster order: numbers the vertices of a graph of short rows so that neighbours are near, in
 * clusters grown breadth first, one beside another. A level touches the rows of vertices from
 * everywhere; in this order they are on few pages. Leaves old_id and new_id NULL if the graph is
 * small or has long rows. SL_NO_MEMORY.
 */
sl_status sl_openmp_order_by_clusters(sl_openmp_graph *order, sl_context *ctx, const sl_csr *rows);

/* The state of pruning the trees of a symmetric matrix. Arrays are from sl_malloc. */
typedef struct {
    const sl_csr *rows;
    uint32_t *degree_left; /* neighbours that are not pruned; 0 for a pruned vertex */
    uint32_t *tree_parent; /* the parent of a pruned vertex; NOT_PRUNED for others */
    uint32_t *queue;       /* vertices that had one neighbour left, each once */
    uint64_t tail;         /* length of the queue */
} pruning;
#define NOT_PRUNED UINT32_MAX

/* Prunes the trees outside the 2-core. Free the state also after a failure. SL_NO_MEMORY. */
sl_status sl_openmp_prune(pruning *p, sl_context *ctx, const sl_csr *rows);
void sl_openmp_prune_free(pruning *p);

/* Fills graph->trees and the new ids of pruned vertices; the others must have theirs. SL_NO_MEMORY.
 */
sl_status sl_openmp_make_trees(sl_openmp_graph *graph, sl_context *ctx, const pruning *p);

/*
 * Degree order: fills old_id, new_id and count for a matrix and its transpose, which may be the
 * same. degree_left: degrees after pruning, or NULL. Free `order` after a failure. SL_NO_MEMORY.
 */
sl_status sl_openmp_order_by_degree(sl_openmp_graph *order, sl_context *ctx, const sl_csr *rows,
                                    const sl_csr *in_rows, const uint32_t *degree_left);

/* Fills the rows of the matrix or its transpose in that order. Free `graph` after a failure. */
sl_status sl_openmp_rows_by_degree(sl_openmp_graph *graph, sl_context *ctx, const sl_csr *rows,
                                   const sl_openmp_graph *order, const uint32_t *degree_left);

#endif
