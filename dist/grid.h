/*
 * The ranks of a grid: communicators, and how they agree on what went wrong. For dist/
 * alone.
 */
#ifndef SEMLA_DIST_GRID_H
#define SEMLA_DIST_GRID_H

#include <mpi.h>

#include <semla/distribution.h>
#include <semla/engine.h>

#include "traffic.h"

/* What a context of the grid keeps in ctx->grid. */
typedef struct sl_grid {
    sl_context *ctx;   /* whose grid this is */
    sl_context *local; /* the rank's own, in which the blocks are */
    MPI_Comm all;      /* a duplicate of the caller's; rank i C + j is P(i,j) */
    MPI_Comm row;      /* grid row i, ordered by j */
    MPI_Comm column;   /* grid column j, ordered by i */
    MPI_Comm blocks;   /* all, ordered by the blocks of vertices that they have */
    int rank, size;
    int rows, cols;       /* R and C */
    int i, j;             /* this rank is P(i,j) */
    char last_error[512]; /* the last failure that was agreed on */

    sl_traffic traffic; /* of all group_search so far */

    /* Searches by the devices of all ranks (search/device_group.c); NULL: there are none. */
    const sl_device_group_search *group_search;
    sl_device_group device_group;
    void *group_state;     /* by the device_group's engine */
    const char *transport; /* static: how the last search exchanged data */
} sl_grid;

/* The grid of a context; NULL where it has none. */
static inline sl_grid *sl_grid_of(const sl_context *ctx)
{
    return ctx->grid;
}

/*
 * Duplicates the communicator, and initialises MPI where nobody has. Tells engines the
 * process's number on its host, so that each takes a device of its own: before the local context
 * is made. Collective. On failure nothing is left, and the ranks agree on it.
 */
sl_status sl_grid_open(sl_grid *grid, MPI_Comm comm);
/* Makes rows and columns of it: rows x cols ranks, or with 0 and 0 the default, which is one
 * column if `one_column`. Collective, the ranks agree on the result. The message goes into
 * grid->ctx. */
sl_status sl_grid_arrange(sl_grid *grid, int rows, int cols, bool one_column);
void sl_grid_close(sl_grid *grid);

/*
 * What all ranks say of an operation so far: SL_OK where nobody failed; otherwise the
 * first failing rank's status on every rank, and its message, with the rank's number, in
 * the context. Collective. An answer that is no failure (SL_NO_VALUE) counts as SL_OK.
 */
sl_status sl_grid_agree(sl_grid *grid, sl_status status);

/* The same, and on success *most becomes the greatest of the ranks'. */
sl_status sl_grid_agree_most(sl_grid *grid, sl_status status, uint64_t *most);

/* The same, and a failure too where the ranks' `what` differ: SL_MISMATCH. */
sl_status sl_grid_agree_on(sl_grid *grid, sl_status status, uint64_t what);

/* A failing call of MPI as a status: SL_ENGINE_FAULT, with what MPI says. */
sl_status sl_grid_check(sl_grid *grid, const char *what, int code);

/* Returns `status` after recording the message of the local context's last failure. */
sl_status sl_grid_local_failed(sl_grid *grid, sl_status status);

/* Tries a call in the local context; its failure is the grid context's. */
#define SL_TRY_LOCAL(grid, call)                                                                   \
    do {                                                                                           \
        sl_status local_status_ = (call);                                                          \
        if (local_status_ < 0)                                                                     \
            return sl_grid_local_failed(grid, local_status_);                                      \
    } while (0)

#define SL_TRY(call)                                                                               \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* The partition of a dimension of `size` indices over the grid. */
static inline sl_distribution sl_grid_distribution(const sl_grid *grid, uint64_t size)
{
    return sl_distribution_make(size, (uint32_t)grid->rows, (uint32_t)grid->cols);
}

/* This rank's part of it: of a vector, of a matrix's rows, of its columns. */
static inline sl_local_blocks sl_grid_own(const sl_grid *grid, uint64_t size)
{
    sl_distribution p = sl_grid_distribution(grid, size);
    return sl_local_vector_blocks(&p, (uint32_t)grid->i, (uint32_t)grid->j);
}
static inline sl_local_blocks sl_grid_rows(const sl_grid *grid, uint64_t size)
{
    sl_distribution p = sl_grid_distribution(grid, size);
    return sl_local_row_blocks(&p, (uint32_t)grid->j);
}
static inline sl_local_blocks sl_grid_columns(const sl_grid *grid, uint64_t size)
{
    sl_distribution p = sl_grid_distribution(grid, size);
    return sl_local_column_blocks(&p, (uint32_t)grid->i);
}

#endif
