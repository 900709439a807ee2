/*
 * The module libsemla_mpi.so: dist/ and all that calls MPI. libsemla.so loads it when MPI is first
 * needed, so that it does not need MPI itself. The module exports this table, as
 * sl_mpi_module_table.
 */
#ifndef SEMLA_MPI_MODULE_H
#define SEMLA_MPI_MODULE_H

#include <semla/build_id.h>
#include <semla/dist.h>
#include <semla/for_module.h>
#include <semla/world.h>

/* A process of this host, and its rank in MPI_COMM_WORLD. */
typedef struct {
    int rank;
    long process; /* as getpid returns it there */
} sl_mpi_process;

typedef struct sl_mpi_module {
    /* Must equal libsemla's. It compares them before it reads anything else: they stay first. */
    const char *version;
    const char *build; /* sl_build_id */

    /* The functions of dist.h and world.h. */
    __typeof__(&sl_mpi_describe) mpi_describe;
    __typeof__(&sl_grid_context_create) context_create;
    __typeof__(&sl_grid_context_create_world) context_create_world;
    __typeof__(&sl_grid_describe) describe;
    __typeof__(&sl_grid_matrix_owner) matrix_owner;
    __typeof__(&sl_grid_vector_owner) vector_owner;
    __typeof__(&sl_grid_vector_range) vector_range;
    __typeof__(&sl_grid_gather_matrix) gather_matrix;
    __typeof__(&sl_grid_gather_vector) gather_vector;
    __typeof__(&sl_grid_get_traffic) get_traffic;
    __typeof__(&sl_grid_reset_traffic) reset_traffic;

    /* For the command, which does not link MPI. Ranks are numbered as in MPI_COMM_WORLD. */
    bool (*is_started)(void);
    bool (*start)(void); /* starts MPI, and finalises it when the process ends; false: it fails */
    void (*finish)(void);
    void (*place)(int *rank, int *ranks);
    /* Compares the builds of all ranks, before they exchange anything else. NULL: they are the same;
     * otherwise a text on all ranks that names one that differs (static). Collective. */
    const char *(*find_other_build)(void);
    void (*broadcast)(void *data, int bytes, int root);
    int (*least)(int value); /* over all ranks */
    void (*abort)(int exit_status);
    /* The processes of this host by rank, in new memory from malloc, and their number; 0 if there is no
     * memory. Collective. */
    int (*host_processes)(sl_mpi_process **processes);
} sl_mpi_module;

SL_FOR_MODULE extern const sl_mpi_module sl_mpi_module_table; /* in the module only */

/* The table of the module, which the first call loads. NULL: it cannot be loaded, and *reason says
 * why (static; reason may be NULL). Any thread may call it. In libsemla.so only. */
SL_FOR_MODULE const sl_mpi_module *sl_mpi_load(const char **reason);

/* The table if the module is loaded, else NULL: then there is no context on a grid. */
const sl_mpi_module *sl_mpi_loaded(void);

#endif
