/* Subcommands over a grid of MPI ranks: semla COMMAND --grid RxC under mpirun. */
#ifndef SEMLA_CLI_GRID_H
#define SEMLA_CLI_GRID_H

#include <cjson/cJSON.h>
#include <semla/bfs.h>

#include "options.h"

/* Reads "2x3", or "auto"; a usage error that says what --grid takes. */
error_t grid_parse(grid_options *grid, const char *text);

/*
 * First thing in main: where the arguments ask for a grid, starts MPI and silences all
 * ranks but the first, so that messages and results are printed once.
 */
void grid_begin(int argc, char **argv);

/* Makes the context: over the grid, if one was asked for, with the engine on each rank, or
 * as context_open. */
int grid_context_open(sl_context **ctx, const grid_options *grid, sl_engine_choice engine);

/* What all ranks make of what each could do alone: EXIT_DONE, or EXIT_FAILED with a message
 * from the first rank. */
int grid_exit(sl_context *ctx, int exit_status);

/* "1x4", then "2x2", ... : the next grid that the ranks make; false after the last. */
bool grid_next(grid_options *grid);

/* How a grid is called, and by which MPI; NULL: this semla was built without. */
const char *grid_library(void);

/* What searches that took so many seconds have sent over the grid, and how long this rank was in
 * exchanges and in kernels, which is all else: lines of "name: value", or members of an object.
 * Nothing in a context of one process. */
void grid_print_traffic(const sl_context *ctx, double seconds);
void grid_json_traffic(cJSON *root, const sl_context *ctx, double seconds);

#endif
