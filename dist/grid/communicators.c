/*
 * Communicators of a grid of MPI ranks and the initialisation of MPI.
 */
#include "dist/grid/grid.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dist/grid/builds.h"
#include "dist/grid/shape.h"

/* ---- initialisation of MPI ------------------------------------------------------------ */

static void finalize(void)
{
    int already = 0;
    MPI_Finalized(&already);
    if (!already)
        MPI_Finalize();
}

static sl_status initialize(sl_grid *grid)
{
    int initialised = 0, finalised = 0, level;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (finalised)
        return sl_fail(grid->ctx, SL_INVALID, "grid_context_create: MPI is already finalised");
    if (initialised)
        return SL_OK;
    SL_TRY(sl_grid_check(grid, "MPI_Init_thread",
                         MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level)));
    return atexit(finalize) == 0 ? SL_OK : sl_fail(grid->ctx, SL_NO_MEMORY, "grid: out of memory");
}

/* ---- communicators ------------------------------------------------------------------ */

static sl_status check_communicator(sl_grid *grid, MPI_Comm comm)
{
    int inter = 0;
    if (comm == MPI_COMM_NULL)
        return sl_fail(grid->ctx, SL_INVALID, "grid_context_create: comm is MPI_COMM_NULL");
    SL_TRY(sl_grid_check(grid, "MPI_Comm_test_inter", MPI_Comm_test_inter(comm, &inter)));
    if (inter)
        return sl_fail(grid->ctx, SL_INVALID,
                       "grid_context_create: comm is an intercommunicator; pass an "
                       "intracommunicator");
    return SL_OK;
}

/* The shape of the grid; 0 rows or columns are derived from the other, or the default shape. */
static sl_status choose_shape(sl_grid *grid, int rows, int cols, bool by_devices)
{
    uint32_t r, c;
    (by_devices ? sl_shape_of_devices : sl_shape_default)((uint32_t)grid->size, &r, &c);
    grid->rows = rows > 0 ? rows : cols > 0 ? grid->size / cols : (int)r;
    grid->cols = cols > 0 ? cols : rows > 0 ? grid->size / rows : (int)c;
    if (rows >= 0 && cols >= 0 && (int64_t)grid->rows * grid->cols == grid->size)
        return SL_OK;
    return sl_fail(grid->ctx, SL_INVALID,
                   "grid_context_create: a grid of %d x %d does not have %d ranks", rows, cols,
                   grid->size);
}

static sl_status split(sl_grid *grid)
{
    grid->i = grid->rank / grid->cols;
    grid->j = grid->rank % grid->cols;
    SL_TRY(sl_grid_check(grid, "MPI_Comm_split",
                         MPI_Comm_split(grid->all, grid->i, grid->j, &grid->row)));
    SL_TRY(sl_grid_check(grid, "MPI_Comm_split",
                         MPI_Comm_split(grid->all, grid->j, grid->i, &grid->column)));
    return sl_grid_check(
        grid, "MPI_Comm_split",
        MPI_Comm_split(grid->all, 0, grid->j * grid->rows + grid->i, &grid->blocks));
}

/* Allocates the scratch of exchanges of messages. */
static sl_status allocate_scratch(sl_grid *grid)
{
    const size_t members = (size_t)(grid->rows > grid->cols ? grid->rows : grid->cols);
    grid->messages.lengths = sl_calloc(4 * members, sizeof *grid->messages.lengths);
    grid->messages.requests = sl_calloc(2 * members, sizeof *grid->messages.requests);
    grid->messages.statuses = sl_calloc(2 * members, sizeof *grid->messages.statuses);
    grid->sums = sl_calloc((size_t)grid->size, sizeof *grid->sums);
    return grid->messages.lengths && grid->messages.requests && grid->messages.statuses &&
                   grid->sums
               ? SL_OK
               : sl_fail(grid->ctx, SL_NO_MEMORY, "grid_context_create: out of memory");
}

/* Counts the ranks on this host, and tells each engine the number of this one among them. */
static sl_status find_host_number(sl_grid *grid)
{
    MPI_Comm host = MPI_COMM_NULL;
    int number = 0, here = 1;
    SL_TRY(sl_grid_check(
        grid, "MPI_Comm_split_type",
        MPI_Comm_split_type(grid->all, MPI_COMM_TYPE_SHARED, grid->rank, MPI_INFO_NULL, &host)));
    MPI_Comm_rank(host, &number);
    MPI_Comm_size(host, &here);
    grid->on_host = here;
    MPI_Comm_free(&host);
    grid->devices.group.one_host = here == grid->size;
    for (const sl_engine *const *engine = sl_engines; *engine; engine++)
        if ((*engine)->devices.searches)
            (*engine)->devices.searches->set_local_rank((unsigned)number);
    return SL_OK;
}

/* Fails on all ranks if one runs another build, which may exchange other things. */
static sl_status compare_builds(sl_grid *grid)
{
    const char *difference = NULL;
    SL_TRY(sl_grid_check(grid, "grid_context_create", sl_compare_builds(grid->all, &difference)));
    return difference ? sl_fail(grid->ctx, SL_UNSUPPORTED, "%s", difference) : SL_OK;
}

sl_status sl_grid_open(sl_grid *grid, MPI_Comm comm)
{
    grid->all = grid->row = grid->column = grid->blocks = MPI_COMM_NULL;
    grid->agreement.type = MPI_DATATYPE_NULL;
    grid->agreement.combine = MPI_OP_NULL;
    SL_TRY(initialize(grid));
    SL_TRY(check_communicator(grid, comm));
    SL_TRY(sl_grid_check(grid, "MPI_Comm_dup", MPI_Comm_dup(comm, &grid->all)));
    MPI_Comm_set_errhandler(grid->all, MPI_ERRORS_RETURN);
    MPI_Comm_rank(grid->all, &grid->rank);
    MPI_Comm_size(grid->all, &grid->size);
    sl_status status = compare_builds(grid);
    if (status == SL_OK)
        status = sl_grid_open_agreement(grid);
    if (status == SL_OK)
        status = sl_grid_agree(grid, find_host_number(grid));
    if (status != SL_OK)
        sl_grid_close(grid);
    return status;
}

sl_status sl_grid_arrange(sl_grid *grid, int rows, int cols, bool by_devices)
{
    sl_status status = choose_shape(grid, rows, cols, by_devices);
    status = sl_grid_agree_on(grid, status, "grid_context_create\nrows %d\ncols %d\n", grid->rows,
                              grid->cols);
    if (status == SL_OK)
        status = sl_grid_agree(grid, split(grid));
    return status == SL_OK ? sl_grid_agree(grid, allocate_scratch(grid)) : status;
}

void sl_grid_close(sl_grid *grid)
{
    MPI_Comm *const communicators[] = {&grid->blocks, &grid->column, &grid->row, &grid->all};
    for (size_t k = 0; k < sizeof communicators / sizeof *communicators; k++)
        if (*communicators[k] != MPI_COMM_NULL)
            MPI_Comm_free(communicators[k]);
    if (grid->agreement.type != MPI_DATATYPE_NULL)
        MPI_Type_free(&grid->agreement.type);
    if (grid->agreement.combine != MPI_OP_NULL)
        MPI_Op_free(&grid->agreement.combine);
    sl_free(grid->messages.lengths);
    sl_free(grid->messages.requests);
    sl_free(grid->messages.statuses);
    sl_free(grid->sums);
    sl_free(grid->messages.inbox);
}
