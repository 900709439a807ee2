/* Failures of MPI and of the local context become failures of the grid's context. */
#include "dist/grid/grid.h"

sl_status sl_grid_check(sl_grid *grid, const char *what, int code)
{
    if (code == MPI_SUCCESS)
        return SL_OK;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    return sl_fail(grid->ctx, SL_ENGINE_FAULT, "%s: %.*s", what, length, text);
}

sl_status sl_grid_local_failed(sl_grid *grid, sl_status status)
{
    return sl_fail(grid->ctx, status, "%s", sl_context_message(grid->local));
}
