/* Models of graphs that the ranks' engines make by themselves. For dist/ alone. */
#ifndef SEMLA_DIST_GENERATE_H
#define SEMLA_DIST_GENERATE_H

#include <semla/engine.h>
#include <semla/edge_generator.h>

/* Why these operations are not the grid's, or NULL if they are. */
const char *sl_grid_declines_tuples(const sl_call *call);
sl_status sl_grid_generate(sl_call *call);
sl_status sl_grid_edge_degrees(sl_call *call);
sl_status sl_grid_check_tree(sl_call *call);

#endif
