/*
 * The start of the command under mpirun. The ranks compare their builds of semla and then their arguments before
 * they do anything else together. That mpirun has started several processes is known from the environment, so that
 * a command that runs alone does not start MPI.
 */
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"

/* A number that the launcher has put into the environment, by one of its names; -1: none. Open MPI,
 * MPICH and its relatives, MVAPICH. */
static int launched(const char *const names[3])
{
    for (int k = 0; k < 3; k++) {
        const char *text = getenv(names[k]);
        if (text && *text)
            return atoi(text);
    }
    return -1;
}

static int launched_processes(void)
{
    return launched(
        (const char *const[]){"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"});
}

static int launched_rank(void)
{
    return launched(
        (const char *const[]){"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"});
}

static bool launched_first(void)
{
    return launched_rank() <= 0;
}

/* What the arguments say about a grid. */
typedef struct {
    bool given; /* --grid is there */
    bool none;  /* with the value "none" */
} grid_request;

static grid_request find_request(int argc, char **argv)
{
    grid_request r = {0};
    const size_t length = strlen("--grid");
    for (int k = 1; k < argc; k++) {
        if (strncmp(argv[k], "--grid", length) != 0)
            continue;
        const char *value = argv[k][length] == '=' ? argv[k] + length + 1 : argv[k + 1];
        r = (grid_request){.given = true, .none = value && strcmp(value, "none") == 0};
    }
    return r;
}

/* Ends this process with a message that only the first process prints. */
static _Noreturn void refuse(bool first, const char *message)
{
    if (first) {
        failed("%s", message);
        messages_end(EXIT_USAGE);
    }
    exit(EXIT_USAGE);
}

#ifdef SEMLA_HAS_MPI

#include <semla/mpi_module.h>

static const sl_mpi_module *mpi;

/* Ends all ranks: this one must exit, and the others would wait for it forever. */
static void abort_all(void)
{
    mpi->abort(EXIT_FAILED);
}

/* The arguments, each with its final 0, one after another; in new memory. */
static char *join(int argc, char **argv, int *size)
{
    size_t bytes = 0;
    for (int k = 1; k < argc; k++)
        bytes += strlen(argv[k]) + 1;
    char *all = malloc(bytes + 1), *at = all;
    if (!all || bytes > INT_MAX)
        out_of_memory();
    for (int k = 1; k < argc; k++)
        at = stpcpy(at, argv[k]) + 1;
    *size = (int)bytes;
    return all;
}

/* Describes the first argument that differs; false if all are the same. */
static bool find_difference(char *message, size_t room, int rank, int argc, char **argv,
                            const char *first, int first_size)
{
    const char *end = first + first_size;
    for (int k = 1; k < argc || first < end; k++) {
        const char *mine = k < argc ? argv[k] : NULL, *theirs = first < end ? first : NULL;
        if (!mine || !theirs || strcmp(mine, theirs) != 0) {
            snprintf(message, room,
                     "argument %d is %s%.80s%s on rank %d, but %s%.80s%s on rank 0; start all "
                     "ranks with the same command and options (--grid none: each works alone)",
                     k, mine ? "'" : "", mine ? mine : "missing", mine ? "'" : "", rank,
                     theirs ? "'" : "", theirs ? theirs : "missing", theirs ? "'" : "");
            return true;
        }
        first += strlen(first) + 1;
    }
    return false;
}

/* Exits on all ranks if their arguments differ. */
static void compare_arguments(int argc, char **argv, int rank)
{
    char message[512] = "";
    int size, first_size, differing = INT_MAX;
    char *mine = join(argc, argv, &size);
    first_size = size;
    mpi->broadcast(&first_size, sizeof first_size, 0);
    char *first = malloc((size_t)first_size + 1);
    if (!first)
        out_of_memory();
    if (rank == 0)
        memcpy(first, mine, (size_t)size);
    mpi->broadcast(first, first_size, 0);
    if (find_difference(message, sizeof message, rank, argc, argv, first, first_size))
        differing = rank;
    free(first);
    free(mine);
    differing = mpi->least(differing);
    if (differing == INT_MAX)
        return;
    mpi->broadcast(message, sizeof message, differing);
    refuse(rank == 0, message);
}

/* Ends this process, which has no MPI to tell the others. Where all ranks have the same fault, the launcher ends
 * the others when the first has ended, so that one message suffices. */
static _Noreturn void refuse_alone(const char *message)
{
    enum { PATIENCE = 2000 }; /* milliseconds */
    if (launched_first())
        refuse(true, message);
    poll(NULL, 0, PATIENCE);
    failed("rank %d: %s", launched_rank(), message);
    exit(EXIT_USAGE);
}

/* Ends this process if there is no MPI. */
static void load_mpi(void)
{
    const char *reason;
    char message[PATH_MAX + 512];
    mpi = sl_mpi_load(&reason);
    if (!mpi) {
        snprintf(message, sizeof message,
                 "a grid needs MPI: %s (--grid none: each process works alone)", reason);
        refuse_alone(message);
    }
    if (strcmp(mpi->build, sl_build_id) != 0) {
        snprintf(message, sizeof message,
                 "this command is of build %s, but the libsemla that it has loaded of build %s: "
                 "compare PATH and LD_LIBRARY_PATH",
                 sl_build_id, mpi->build);
        refuse_alone(message);
    }
}

void grid_begin(int argc, char **argv)
{
    const grid_request request = find_request(argc, argv);
    const int processes = launched_processes();
    int rank = 0, ranks = 1;
    if (request.none || (!request.given && processes <= 1))
        return;
    load_mpi();
    if (!mpi->start())
        exit(failed("cannot start MPI"));
    messages_before_abort(abort_all);
    mpi->place(&rank, &ranks);
    if (ranks == 1 && processes > 1)
        refuse(launched_first(),
               "mpirun has started several processes that do not find each other: "
               "use the mpirun of the MPI library that 'semla engines' names");
    const char *difference = mpi->find_other_build();
    if (difference)
        refuse(rank == 0, difference);
    compare_arguments(argc, argv, rank);
    options_default_to_grid(ranks > 1);
    grid_say_what_ended(mpi);
    if (rank == 0)
        progress_use_launcher();
    else if (!output_silence())
        exit(EXIT_FAILED);
}

#else

void grid_begin(int argc, char **argv)
{
    if (launched_processes() > 1 && !find_request(argc, argv).none)
        refuse(launched_first(), "mpirun has started several processes, and this semla was built "
                                 "without MPI (--grid none: each process works alone)");
}

#endif
