/* Subcommands over a grid of MPI ranks: semla COMMAND --grid RxC under mpirun. */
#ifndef SEMLA_CLI_GRID_H
#define SEMLA_CLI_GRID_H

#include <cjson/cJSON.h>
#include <semla/bfs.h>

#include "options.h"

typedef struct {
    bool given;
    int rows, cols; /* 0x0: as near to a square as the ranks allow */
} grid_options;

/* An argp child for grid_options: --grid. */
extern const struct argp grid_argp;

/*
 * First thing in main: where the arguments ask for a grid, starts MPI and silences all
 * ranks but the first, so that messages and results are printed once.
 */
void grid_begin(int argc, char **argv);

/* Makes the context: over the grid, if one was asked for, with the engine on each rank, or
 * as context_open. */
int grid_context_open(sl_context **ctx, const grid_options *grid, sl_engine_choice engine);

/* sl_search_array, of a vector on a grid too: every rank gets all of it. Collective. */
sl_status grid_search_array(int64_t **array, const sl_vector *v);

/* What searches have sent over the grid: lines of "name: value", or members of an object.
 * Nothing in a context of one process. */
void grid_print_traffic(const sl_context *ctx);
void grid_json_traffic(cJSON *root, const sl_context *ctx);

#endif
