/* How the threads of OpenMP wait. */
#ifndef SEMLA_CLI_THREADS_H
#define SEMLA_CLI_THREADS_H

/*
 * Bounds the time that a thread waits actively, unless OMP_WAIT_POLICY, GOMP_SPINCOUNT or
 * KMP_BLOCKTIME is set. Must be called before all other functions of main: it starts the program anew, because OpenMP
 * reads its environment when it is loaded.
 */
void threads_bound_waiting(char **argv);

#endif
