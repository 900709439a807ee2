/*
 * Compares the builds of semla that the ranks of a grid run. Every version must exchange the same records
 * here, so `record`, the calls of MPI and their order never change.
 */
#include "dist/grid/builds.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <semla/build_id.h>
#include <semla/context.h>

/* The build that a rank runs. */
typedef struct {
    char version[32], build[32];
    char host[64];
    char file[384]; /* the program or library that contains this function */
} record;

static char text[2 * sizeof(record) + 256];
static bool differs;

static record describe_own(void)
{
    record own = {0};
    Dl_info self;
    snprintf(own.version, sizeof own.version, "%s", sl_version());
    snprintf(own.build, sizeof own.build, "%s", sl_build_id);
    if (gethostname(own.host, sizeof own.host - 1) != 0)
        own.host[0] = '\0';
    if (dladdr((void *)&differs, &self) && self.dli_fname)
        snprintf(own.file, sizeof own.file, "%s", self.dli_fname);
    return own;
}

static void compose(const record *first, const record *other, int rank, int others)
{
    char more[64] = "";
    if (others > 0)
        snprintf(more, sizeof more, " (%d more rank%s from rank 0)", others,
                 others == 1 ? " differs" : "s differ");
    snprintf(text, sizeof text,
             "rank %d on %s has semla %s, build %s, in %s, but rank 0 on %s has %s, build %s, in "
             "%s%s; all ranks must run the same build: compare PATH and LD_LIBRARY_PATH",
             rank, other->host, other->version, other->build, other->file, first->host,
             first->version, first->build, first->file, more);
}

int sl_compare_builds(MPI_Comm comm, const char **difference)
{
    const record own = describe_own();
    record first = own, other = own;
    int rank, least, code, count;
    *difference = NULL;
    differs = false;
    MPI_Comm_rank(comm, &rank);
    code = MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, comm);
    if (code != MPI_SUCCESS)
        return code;
    const bool same =
        strcmp(own.version, first.version) == 0 && strcmp(own.build, first.build) == 0;
    least = same ? INT_MAX : rank;
    count = !same;
    code = MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
    if (code == MPI_SUCCESS)
        code = MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, comm);
    if (code != MPI_SUCCESS || least == INT_MAX)
        return code;
    code = MPI_Bcast(&other, (int)sizeof other, MPI_BYTE, least, comm);
    if (code != MPI_SUCCESS)
        return code;
    compose(&first, &other, least, count - 1);
    differs = true;
    *difference = text;
    return code;
}

const char *sl_builds_difference(void)
{
    return differs ? text : NULL;
}
