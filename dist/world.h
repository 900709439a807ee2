/* Grids of all ranks of a program, for programs that do not include <mpi.h>. */
#ifndef SEMLA_WORLD_H
#define SEMLA_WORLD_H

#include <semla/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Creates a context on all ranks that mpirun started: sl_grid_context_create (<semla/dist.h>) on MPI_COMM_WORLD, with
 * the same parameters, errors and cost. A program that mpirun did not start is a grid of 1 x 1. Collective.
 */
sl_status sl_grid_context_create_world(sl_context **ctx, int rows, int cols,
                                       sl_engine_choice local);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
