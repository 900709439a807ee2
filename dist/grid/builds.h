/* Compares the builds of semla that the ranks of a grid run. */
#ifndef SEMLA_DIST_BUILDS_H
#define SEMLA_DIST_BUILDS_H

#include <mpi.h>

/*
 * Compares the version and the build of this rank's semla with rank 0's. *difference receives, on all ranks, a text
 * that names the first rank that differs (static, until the next call), or NULL if all are the same. Call it before
 * anything else is exchanged on a communicator, since other builds may exchange other things. Returns what MPI
 * returned. Collective.
 */
int sl_compare_builds(MPI_Comm comm, const char **difference);

/* The text of the last call of sl_compare_builds, or NULL. */
const char *sl_builds_difference(void);

#endif
