/* Describes the MPI library. */
#include <semla/dist.h>

#include <string.h>

#include "dist/grid/builds.h"

sl_status sl_mpi_describe(sl_mpi_info *info)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (!info)
        return SL_INVALID;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    const char *difference = sl_builds_difference();
    *info =
        (sl_mpi_info){.present = !difference, .library = text, .unavailable_reason = difference};
    return SL_OK;
}
