/* The search with which the preparation of a part for GPUs ends. For dist/search. */
#ifndef SEMLA_DIST_WARM_UP_H
#define SEMLA_DIST_WARM_UP_H

#include "dist/grid/grid.h"
#include "dist/search/search_choice.h"

/* Searches once and drops the result; it does not count as traffic. kind: SL_BY_GROUP or SL_BY_GRID.
 * Collective; all ranks return one status. */
sl_status sl_warm_up_part(void *part, sl_matrix *A, sl_grid *grid, sl_search_kind kind);

#endif
