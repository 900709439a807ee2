/* What the grid engine prepares for searches of a matrix and keeps until it is written. For dist/.
 */
#ifndef SEMLA_DIST_PREPARED_H
#define SEMLA_DIST_PREPARED_H

#include "local_graph.h"

/* The rank's graph for its processor, in degree order or not, and its part for its GPU
 * (device_group.h). Built at first use; owned by the matrix. Collective; the ranks agree. */
sl_status sl_prepared_local_graph(sl_local_graph **graph, sl_matrix *A, sl_grid *grid,
                                  bool degree_order);
sl_status sl_prepared_part(void **part, sl_matrix *A, sl_grid *grid);

/* The engine's forget_prepared: frees what the matrix keeps for the grid. */
void sl_grid_forget_prepared(void *kept);

#endif
