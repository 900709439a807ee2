/*
 * How the threads of OpenMP wait. GCC's OpenMP lets a thread test for work 300,000 times (10 ms and
 * more) before it sleeps, clang's for 200 ms. If other programs use the processors, it thus keeps
 * the thread that it waits for from running: searches on two threads then took 10 times as long as
 * on one. A process may have both, as SuiteSparse:GraphBLAS comes with GCC's on many systems.
 */
#include "cli/threads.h"

#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

void threads_bound_waiting(char **argv)
{
    const char *tests_before_sleep = "1000", *milliseconds = "1"; /* 1,000 tests: about 40 us */
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME") ||
        omp_get_max_threads() == 1)
        return;
    if (setenv("KMP_BLOCKTIME", milliseconds, 1) == 0 &&
        setenv("GOMP_SPINCOUNT", tests_before_sleep, 1) == 0)
        execv("/proc/self/exe", argv);
    /* Without /proc threads wait as OpenMP decides. */
}
