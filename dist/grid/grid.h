/*
 * The ranks of a grid: communicators, agreement on errors, and the local part of a distribution.
 *
 * Agreement: a rank that fails must not leave the others waiting in an exchange. So the ranks agree
 * on their status before every exchange: if one fails, all fail, with the status and the message of
 * the failing rank of least number.
 */
#ifndef SEMLA_DIST_GRID_H
#define SEMLA_DIST_GRID_H

#include <mpi.h>

#include <semla/distribution.h>
#include <semla/engine.h>

#include "dist/exchange/traffic.h"

extern const sl_engine sl_engine_grid; /* engine.c */
extern const sl_store sl_store_grid;   /* blocks.c */

/* The sum of a rank in a reduction: whether the rank has entries, and whether it has failed. */
typedef struct {
    bool any, failed;
    sl_scalar sum;
} sl_grid_sum;

/* What agreement.c keeps. */
typedef struct {
    MPI_Datatype type;    /* the values of one agreement */
    MPI_Op combine;       /* combines the values of two ranks */
    uint64_t count;       /* agreements that the ranks have had so far */
    char last_error[512]; /* the last failure agreed on, with the number of its rank */
    bool told; /* this rank failed because another rank did, which has the message; until the next
                  agreement */
} sl_grid_agreement;

/* Scratch of exchange/messages.c. */
typedef struct {
    uint64_t *lengths;     /* 4 for each member of the longest row or column */
    MPI_Request *requests; /* 2 for each member */
    MPI_Status *statuses;  /* 2 for each member */
    uint8_t *inbox;        /* short messages are received here; kept, as large on every rank */
    uint64_t inbox_bytes;
} sl_grid_messages;

/* The ranks' devices, as their engines know them. */
typedef struct {
    sl_device_group group;
    sl_device_grid grid;
    /* The same processes as a grid of one row, ordered by the block of a vector that they own: `grid`, or `as_row` if
     * the grid has several rows. */
    const sl_device_grid *row;
    sl_device_grid as_row;
    void *grid_state, *row_state; /* private to the engine of the devices */
} sl_grid_devices;

/* The choice of searches (search/). */
typedef struct {
    const sl_device_searches *devices; /* NULL: a rank has no suitable engine */
    const char *transport; /* static: which exchanged the sets of the last search; NULL: none yet */
    char note[160];        /* for the trace: which search was chosen, and why */
} sl_grid_searches;

/* The state of a grid's context (ctx->grid), on this rank. */
typedef struct sl_grid {
    sl_context *ctx;   /* the context of the grid */
    sl_context *local; /* the local context, which has the blocks; owned */
    MPI_Comm all;      /* a duplicate of the caller's; rank i C + j is P(i,j) */
    MPI_Comm row;      /* grid row i, ordered by j */
    MPI_Comm column;   /* grid column j, ordered by i */
    MPI_Comm blocks;   /* all ranks, ordered by the block of a vector that they own: j R + i */
    int rank, size;
    int rows, cols; /* R and C */
    int on_host;    /* ranks on this one's host */
    int i, j;       /* this rank is P(i,j) */
    sl_grid_agreement agreement;
    sl_grid_messages messages;
    sl_grid_sum *sums;  /* scratch of reductions: one for each rank */
    sl_traffic traffic; /* received so far */
    sl_grid_devices devices;
    sl_grid_searches search;

    /* Operations that exchange data between devices: devices.h. */
    const sl_engine *device_engine;   /* the engine of this rank's device; NULL: a rank has none */
    unsigned switches;                /* words of SEMLA_DIST, as read for the running operation */
    bool by_devices;                  /* the running operation does so; the same on every rank */
    sl_device_traffic device_traffic; /* received, and not in `traffic` yet */
} sl_grid;

/* The grid of a context; NULL if it has none. */
static inline sl_grid *sl_grid_of(const sl_context *ctx)
{
    return ctx->grid;
}

/*
 * Duplicates the communicator; initialises MPI if it is not. Tells each engine the number of this
 * process on its host, so that every process uses another device: call it before the local context
 * is created. On failure nothing is left to free. Collective; the ranks agree on the status.
 */
sl_status sl_grid_open(sl_grid *grid, MPI_Comm comm);
/* Creates the communicators of rows and columns, for rows x cols ranks; 0 and 0: the default shape, with `by_devices`
 * the default shape for ranks with GPUs. Messages go to grid->ctx. Collective; the ranks agree. */
sl_status sl_grid_arrange(sl_grid *grid, int rows, int cols, bool by_devices);
void sl_grid_close(sl_grid *grid);

/*
 * Agreement: SL_OK on every rank if no rank fails; else the status of the failing rank of least
 * number on every rank, and its message with its number in the context. A status that is not a
 * failure (SL_NO_VALUE) is returned as it is. Collective.
 */
sl_status sl_grid_agree(sl_grid *grid, sl_status status);

/* The same; on success *least and *most become the minimum and the maximum over the ranks. */
sl_status sl_grid_agree_range(sl_grid *grid, sl_status status, uint64_t *least, uint64_t *most);
/* The same for the maximum alone. */
sl_status sl_grid_agree_most(sl_grid *grid, sl_status status, uint64_t *most);
/* The same; on success *sum becomes the sum over the ranks. */
sl_status sl_grid_agree_sum(sl_grid *grid, sl_status status, uint64_t *sum);

/*
 * The same; also fails with SL_MISMATCH if a text differs between ranks: the name of a function and
 * a newline, then a line "NAME VALUE\n" for each of its arguments, where "#VALUE" is a hash that
 * messages do not print. The message names the first rank whose text differs from rank 0's, and the
 * argument. sl_grid_agree_on formats the text as printf does.
 */
sl_status sl_grid_agree_text(sl_grid *grid, sl_status status, const char *text);
sl_status sl_grid_agree_on(sl_grid *grid, sl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a call, whose text is made only if the hashes of the ranks differ (arguments.h).
 * call->outcome.figures becomes what they are over all ranks, and *devices true if it is on a rank. */
sl_status sl_grid_agree_call(sl_grid *grid, sl_status status, sl_call *call, bool *devices);
/* Creates the type and the operation of grid->agreement, without which the ranks cannot agree. Not collective. */
sl_status sl_grid_open_agreement(sl_grid *grid);

/* Converts a failed MPI call to SL_ENGINE_FAULT, with the message of MPI; `what` names the call. */
sl_status sl_grid_check(sl_grid *grid, const char *what, int code);

/* Copies the message of the local context's last failure to the grid's context; returns `status`.
 */
sl_status sl_grid_local_failed(sl_grid *grid, sl_status status);

/* Runs a call in the local context and returns from the function if it fails. */
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

/* The distribution of a dimension of `size` indices over the grid. */
static inline sl_distribution sl_grid_distribution(const sl_grid *grid, uint64_t size)
{
    return sl_distribution_make(size, (uint32_t)grid->rows, (uint32_t)grid->cols);
}

/* The blocks of this rank: of a vector, of a matrix's rows, of a matrix's columns. */
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
