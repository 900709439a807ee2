/* What the grid keeps with a matrix for its searches, until it is written. For dist/ alone. */
#ifndef SEMLA_DIST_PREPARED_H
#define SEMLA_DIST_PREPARED_H

#include "local_graph.h"

/* The rank's part for its processor, by degree or not, or for its device (team.h); made at the
 * first need. Collective, the ranks agree on the result. */
sl_status sl_prepared_local_graph(sl_local_graph **blocks, sl_matrix *A, sl_grid *grid,
                                  bool degree_order);
sl_status sl_prepared_part(void **part, sl_matrix *A, sl_grid *grid);

#endif
