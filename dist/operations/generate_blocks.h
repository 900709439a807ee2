/* Generated graphs, by the ranks' engines. For dist/ alone. */
#ifndef SEMLA_DIST_GENERATE_H
#define SEMLA_DIST_GENERATE_H

#include <semla/edge_generator.h>
#include <semla/engine.h>

/* The reason why the grid does not support a call of generate, edge_degrees or check_tree, or NULL.
 */
const char *sl_grid_tuples_declined(const sl_call *call);
sl_status sl_grid_generate(sl_call *call);
sl_status sl_grid_edge_degrees(sl_call *call);
sl_status sl_grid_check_tree(sl_call *call);

#endif
