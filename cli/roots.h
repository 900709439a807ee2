/* Random vertices from which a command searches. */
#ifndef SEMLA_CLI_ROOTS_H
#define SEMLA_CLI_ROOTS_H

#include <semla/bfs.h>

#include "cli/options.h"

/* Appends `count` distinct random vertices with out-edges, or all of them if there are fewer. */
void roots_add_random(vertex_list *roots, const sl_graph_view *view, uint64_t count, uint64_t seed);

#endif
