/* Subcommands on a grid of MPI ranks: `mpirun -n N semla COMMAND`, with or without --grid RxC. */
#ifndef SEMLA_CLI_GRID_H
#define SEMLA_CLI_GRID_H

#include <cjson/cJSON.h>
#include <semla/bfs.h>

#include "cli/options.h"

/*
 * Must be the first call in main (grid_begin.c). If mpirun has started several processes, or the
 * arguments contain --grid, starts MPI, makes a grid the default, exits on all ranks if they have
 * different arguments, and silences all ranks but rank 0, so that messages and results are printed
 * once. With --grid none each process works alone.
 */
void grid_begin(int argc, char **argv);

/* From now on this process says, when a signal of the launcher ends it, which ranks of its host have ended
 * before (grid_ended.c). Collective; before ranks are silenced. */
struct sl_mpi_module;
void grid_say_what_ended(const struct sl_mpi_module *mpi);

/*
 * Creates the context of --engine with the limit of --max-memory: on the grid if --grid was given,
 * else as context_open. EXIT_DONE, or EXIT_FAILED with a message printed.
 */
int grid_context_open(sl_context **ctx, const common_options *o);

/*
 * Agrees on the exit status of a step that each rank did alone: EXIT_DONE on all ranks, or a
 * failure on all, with a message from rank 0. Collective.
 */
int grid_exit(sl_context *ctx, int exit_status);

/*
 * Advances `grid` to the next shape with as many elements as there are ranks: "1x4", "2x2", "4x1".
 * False after the last one. Start with 0 rows.
 */
bool grid_next(grid_options *grid);

/* The MPI library. */
typedef struct {
    const char *library; /* its name and version; "" if absent */
    const char *absence; /* why there are no grids; NULL if there are */
} grid_mpi;
grid_mpi grid_describe_mpi(void);

/*
 * The bytes that searches sent over the grid, by phase and codec, and the time split into exchanges
 * and kernels. `seconds` is the duration of the searches; kernel time is what exchanges leave of
 * it. Printed as lines "name: value", or added as members to a JSON object. Nothing if the context
 * is not a grid.
 */
void grid_print_traffic(const sl_context *ctx, double seconds);
void grid_json_traffic(cJSON *root, const sl_context *ctx, double seconds);

#endif
