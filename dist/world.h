/* What programs that do not include <mpi.h> may call of grids. */
#ifndef SEMLA_WORLD_H
#define SEMLA_WORLD_H

#include <semla/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The MPI library that grids use. libsemla.so loads the module libsemla_mpi.so, and with it MPI, at
 * the first call of sl_mpi_describe or of a function that creates a grid; libsemla.a contains the module. */
typedef struct {
    bool present;                   /* contexts on grids can be created */
    const char *library;            /* static: name and version, as "Open MPI v4.1.4"; or "" */
    const char *unavailable_reason; /* static: what is missing; NULL if present */
} sl_mpi_info;
/* A process that cannot load the module has no MPI to tell the others, which would wait for it: call MPI_Abort.
 * After sl_grid_context_create has found different builds of semla, unavailable_reason says so on all ranks
 * until it finds equal ones.
 *
 * Describes MPI, and loads the module if that has not been tried; MPI is not initialised. A program
 * may call it before MPI_Init. SL_INVALID: info is NULL. Not collective. */
sl_status sl_mpi_describe(sl_mpi_info *info);

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
