/*
 * Exchanges of blocks of matrices between the devices of a grid, for products of matrices. The grid
 * engine calls the CUDA engine through this table.
 */
#ifndef SEMLA_DEVICE_MATRICES_H
#define SEMLA_DEVICE_MATRICES_H

#include <semla/device_grid.h>

/* For sl_device_block_exchange.to and .from. */
#define SL_ALL_MEMBERS UINT32_MAX

/*
 * One exchange along a line. Every process of the line sends columns of its block: either to every
 * other process, and gets the parts of all, its own too, side by side in one matrix; or to one
 * process, and gets the part of one.
 */
typedef struct {
    sl_grid_line line;
    const sl_object *mine; /* this process's block, which the engine can send */
    uint64_t begin, end;   /* columns begin to end - 1 of it are sent */
    bool values;           /* else the pattern alone is sent, and every value of the result is 1 */
    uint32_t to, from; /* members of the line, which may be this process; or both SL_ALL_MEMBERS */
    const uint64_t
        *shift; /* [members]: where the columns of each part begin in the result; not read
                              if there is one part, which begins at 0 */
} sl_device_block_exchange;

/* Which indices of the whole object the rows or the columns of a matrix are: local indices begin[k]
 * to begin[k + 1] - 1 are first[k], first[k] + 1, ... . */
typedef struct {
    uint32_t count;
    const uint64_t *begin; /* [count + 1] */
    const uint64_t *first; /* [count] */
} sl_device_numbers;

typedef struct sl_device_matrices {
    /* Whether a block, which is in the engine's store, is there in a form that can be sent. Not
     * collective. */
    bool (*can_send)(const sl_object *block);
    /*
     * Fills `result`, a new matrix of the local context with the rows of the parts. `status` is this
     * process's so far; if a process failed, all fail. Collective over all processes, which exchange along the same kind of line. A
     * failure may be this process's own; it then takes part in the following exchanges with that
     * status.
     */
    sl_status (*exchange)(sl_object *result, const sl_device_grid *grid,
                          const sl_device_block_exchange *x, sl_status status);
    /* Replaces the values of an int64 matrix by the indices of the rows, or of the columns, in the
     * whole object. Not collective. */
    sl_status (*number)(sl_object *matrix, bool of_rows, const sl_device_numbers *numbers);
} sl_device_matrices;

#endif
