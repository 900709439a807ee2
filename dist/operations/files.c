/* Writing one file from all ranks, by MPI-IO. */
#include "operations.h"

#include "grid.h"

enum { PIECE = 1 << 30 }; /* bytes written by one call: MPI's counts are ints */

static int write_extent(MPI_File file, const sl_file_part *extent)
{
    int code = MPI_SUCCESS;
    for (uint64_t at = 0; at < extent->count && code == MPI_SUCCESS; at += PIECE) {
        const uint64_t left = extent->count - at;
        code = MPI_File_write_at(file, (MPI_Offset)(extent->offset + at),
                                 (const char *)extent->bytes + at,
                                 (int)(left < PIECE ? left : PIECE), MPI_BYTE, MPI_STATUS_IGNORE);
    }
    return code;
}

/* Each rank opens and closes the file by itself: if only some ranks could open a file that belongs
 * to all, it could not be closed, which is collective. */
static sl_status write_own(sl_grid *grid, const char *path, const sl_file_part *extents,
                           size_t count)
{
    MPI_File file;
    SL_TRY(
        sl_grid_check(grid, "MPI_File_open",
                      MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &file)));
    int code = MPI_SUCCESS;
    for (size_t k = 0; k < count && code == MPI_SUCCESS; k++)
        code = write_extent(file, &extents[k]);
    if (code == MPI_SUCCESS) /* to the disk, before the first rank renames the file */
        code = MPI_File_sync(file);
    const int closed = MPI_File_close(&file);
    SL_TRY(sl_grid_check(grid, "MPI_File_write_at", code));
    return sl_grid_check(grid, "MPI_File_close", closed);
}

sl_status sl_grid_write(sl_context *ctx, const char *path, const sl_file_part *extents,
                        size_t count)
{
    sl_grid *grid = sl_grid_of(ctx);
    return sl_grid_agree(grid, write_own(grid, path, extents, count));
}
