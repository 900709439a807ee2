/*
 * What a rank says when the launcher ends it because another rank has ended. The ranks of a host know each
 * other's processes. A launcher that finds a rank dead sends SIGTERM to the others; the first of them that
 * lives writes which processes are gone. Nothing else ends a job: a rank that is slow is not one that has
 * ended. A rank that has called exit says nothing: MPI lets none go before all have, and the launcher may then
 * send SIGTERM because of the first exit status other than 0.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command_messages.h"
#include "cli/command_output.h"
#include "cli/grid_ranks.h"

#ifdef SEMLA_HAS_MPI

#include <semla/mpi_module.h>

/* The ranks of this host, in ascending order. The lines are written by a signal handler, which cannot format
 * them. */
static sl_mpi_process *processes;
static char (*lines)[160];
static int count, own;  /* processes; the number of this one */
static int output = -1; /* stderr, which ranks but 0 close */
static volatile sig_atomic_t exiting;

static bool has_ended(int k)
{
    return kill((pid_t)processes[k].process, 0) != 0 && errno == ESRCH;
}

/* Calls functions that are safe in signal handlers only. */
static void say_what_ended(int number)
{
    int first = -1, ended = 0;
    if (number != SIGTERM || exiting)
        return;
    for (int k = 0; k < count; k++) {
        ended += has_ended(k);
        first = first < 0 && !has_ended(k) ? k : first;
    }
    for (int k = 0; k < count && first == own; k++)
        if (has_ended(k) && write(output, lines[k], strlen(lines[k])) < 0)
            return;
    if (ended > 0 && first != own) /* lives while the first rank looks */
        poll(NULL, 0, 200);
}

static void note_exit(void)
{
    exiting = 1;
}

void grid_say_what_ended(const sl_mpi_module *mpi)
{
    count = mpi->host_processes(&processes);
    lines = calloc((size_t)count + 1, sizeof *lines);
    output = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (!lines || output < 0)
        return;
    for (int k = 0; k < count; k++) {
        if (processes[k].process == getpid())
            own = k;
        if (has_ended(k)) /* containers that do not see each other's processes */
            return;
        snprintf(lines[k], sizeof lines[k], "%s: rank %d (process %ld) has ended; all ranks end\n",
                 messages_command(), processes[k].rank, processes[k].process);
    }
    if (atexit(note_exit) == 0)
        output_before_signal_ends(say_what_ended);
}

#endif
