/* What the grid engine prepares of a matrix, for searches, shortest paths and products, and keeps until it is written.
 * For dist/. */
#ifndef SEMLA_DIST_PREPARED_H
#define SEMLA_DIST_PREPARED_H

#include "dist/search/local_graph.h"
#include "dist/search/search_choice.h"

/* The rank's graph for its processor, in degree order or not, and its part for its GPU, for searches
 * in one dimension or in two (device_search.h). Built at first use; owned by the
 * matrix. Collective; the ranks agree. SL_UNSUPPORTED: the graph is too large for this search. */
sl_status sl_prepared_local_graph(sl_local_graph **graph, sl_matrix *A, sl_grid *grid,
                                  bool degree_order);
sl_status sl_prepared_part(void **part, sl_matrix *A, sl_grid *grid, sl_search_kind kind);

/* The part if it was made, else NULL; the same on all ranks. Not collective. */
void *sl_kept_part(sl_matrix *A, sl_search_kind kind);

/* *count: how many products there have been for which a part would have been of use (part_products.h), 0 at first.
 * Collective; the ranks agree. */
sl_status sl_count_products(unsigned **count, sl_matrix *A, sl_grid *grid);

/* The rows of this rank's vertices (whole_rows.h). */
typedef struct {
    sl_matrix *matrix; /* NULL: they have not been made, */
    bool refused;      /* and will not be */
} sl_whole_rows;

/* Both are empty at first. Collective; the ranks agree. */
sl_status sl_prepared_whole_rows(sl_whole_rows **rows, sl_matrix *A, sl_grid *grid);

/* The block of the transpose that products read (aligned.h), NULL at first. Collective; the ranks agree. */
sl_status sl_prepared_transposed(sl_matrix ***block, sl_matrix *A, sl_grid *grid);

/* The engine's forget_prepared: frees what the matrix keeps for the grid; and its describe_prepared. */
void sl_grid_forget_prepared(void *kept);
void sl_grid_describe_prepared(sl_placement *placement, const void *kept);

#endif
