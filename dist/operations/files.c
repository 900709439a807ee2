/* Files that all ranks write, by MPI-IO. */
#include "operations.h"

#include "grid.h"

enum { PIECE = 1 << 30 }; /* bytes that one call takes, as counts are ints */

/* Extent number k of every rank, in as many calls as the longest of them takes. */
static sl_status write_extent(sl_grid *grid, MPI_File file, const sl_file_part *extent)
{
    uint64_t longest = extent->count;
    SL_TRY(sl_grid_agree_most(grid, SL_OK, &longest));
    int code = MPI_SUCCESS;
    for (uint64_t at = 0; at < longest; at += PIECE) {
        const uint64_t left = at < extent->count ? extent->count - at : 0;
        const int now =
            MPI_File_write_at_all(file, (MPI_Offset)(extent->offset + at),
                                  left > 0 ? (const char *)extent->bytes + at : NULL,
                                  (int)(left < PIECE ? left : PIECE), MPI_BYTE, MPI_STATUS_IGNORE);
        code = code == MPI_SUCCESS ? now : code;
    }
    return sl_grid_agree(grid, sl_grid_check(grid, "MPI_File_write_at_all", code));
}

sl_status sl_grid_write(sl_context *ctx, const char *path, const sl_file_part *extents,
                        size_t count)
{
    sl_grid *grid = sl_grid_of(ctx);
    MPI_File file;
    sl_status status = sl_grid_agree(
        grid, sl_grid_check(grid, "MPI_File_open",
                            MPI_File_open(grid->all, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &file)));
    if (status != SL_OK)
        return status; /* to close is collective too, and not every rank has it open */
    for (size_t k = 0; k < count && status == SL_OK; k++)
        status = write_extent(grid, file, &extents[k]);
    const int code = MPI_File_close(&file);
    return sl_grid_agree(grid,
                         status != SL_OK ? status : sl_grid_check(grid, "MPI_File_close", code));
}
