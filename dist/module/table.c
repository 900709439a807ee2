/* The table that the module libsemla_mpi.so exports, and what the command needs of MPI. */
#include <semla/mpi_module.h>

#include <stdlib.h>
#include <unistd.h>

#include <mpi.h>

#include "dist/grid/builds.h"

static bool is_started(void)
{
    int started = 0;
    MPI_Initialized(&started);
    return started;
}

static void finish(void)
{
    MPI_Finalize();
}

static bool start(void)
{
    return MPI_Init(NULL, NULL) == MPI_SUCCESS && atexit(finish) == 0;
}

static void place(int *rank, int *ranks)
{
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
}

static const char *find_other_build(void)
{
    const char *difference = NULL;
    sl_compare_builds(MPI_COMM_WORLD, &difference);
    return difference;
}

static void broadcast(void *data, int bytes, int root)
{
    MPI_Bcast(data, bytes, MPI_BYTE, root, MPI_COMM_WORLD);
}

static int least(int value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return value;
}

static void abort_all(int exit_status)
{
    MPI_Abort(MPI_COMM_WORLD, exit_status);
}

static int host_processes(sl_mpi_process **processes)
{
    MPI_Comm host;
    sl_mpi_process own = {.process = (long)getpid()};
    int count = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, own.rank, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &count);
    *processes = calloc((size_t)count, sizeof **processes);
    const int possible = least(*processes != NULL);
    if (possible)
        MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, *processes, (int)sizeof own, MPI_BYTE, host);
    MPI_Comm_free(&host);
    return possible ? count : 0;
}

const sl_mpi_module sl_mpi_module_table = {
    .version = SEMLA_VERSION,
    .build = sl_build_id,
    .mpi_describe = sl_mpi_describe,
    .context_create = sl_grid_context_create,
    .context_create_world = sl_grid_context_create_world,
    .describe = sl_grid_describe,
    .matrix_owner = sl_grid_matrix_owner,
    .vector_owner = sl_grid_vector_owner,
    .vector_range = sl_grid_vector_range,
    .gather_matrix = sl_grid_gather_matrix,
    .gather_vector = sl_grid_gather_vector,
    .get_traffic = sl_grid_get_traffic,
    .reset_traffic = sl_grid_reset_traffic,
    .is_started = is_started,
    .start = start,
    .finish = finish,
    .place = place,
    .find_other_build = find_other_build,
    .broadcast = broadcast,
    .least = least,
    .abort = abort_all,
    .host_processes = host_processes,
};
