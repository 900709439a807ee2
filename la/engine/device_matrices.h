/*
 * Exchanges of blocks of matrices between the devices of a grid, for products of matrices. The grid
 * engine calls the CUDA engine through this table.
 */
#ifndef SEMLA_DEVICE_MATRICES_H
#define SEMLA_DEVICE_MATRICES_H

#include <semla/device_grid.h>
#include <semla/distribution.h>

/* For sl_device_block_exchange.to and .from. */
#define SL_ALL_MEMBERS UINT32_MAX

/* Where local indices begin[k] to begin[k + 1] - 1 are elsewhere: they are first[k], first[k] + 1, ... .
 */
typedef struct {
    uint32_t count;
    const uint64_t *begin; /* [count + 1] */
    const uint64_t *first; /* [count] */
} sl_device_numbers;

/*
 * One exchange along a line. Every process of the line sends columns of its block: either to every
 * other process, and gets the parts of all, its own too, which are joined to one matrix; or to one
 * process, and gets the part of one.
 */
typedef struct {
    sl_grid_line line;
    const sl_object *mine; /* this process's block, which the engine can send */
    uint64_t begin, end;   /* columns begin to end - 1 of it are sent */
    bool values;           /* else the pattern alone is sent, and every value of the result is 1 */
    uint32_t to, from; /* members of the line, which may be this process; or both SL_ALL_MEMBERS */
    /* If there are several parts: [members], where the columns of each part begin in the result (NULL: at
     * 0), and [members], its rows in the result (NULL: the same). Columns of a later part are greater, if
     * rows are the same. */
    const uint64_t *shift;
    const sl_device_numbers *rows;
} sl_device_block_exchange;

/* Columns that are collected from all rows of a matrix; every process of a line has some of the rows. */
typedef struct {
    sl_grid_line line;
    sl_object *mine; /* this process's block; it moves to the engine's store */
    const uint64_t
        *column; /* [members + 1]: member m collects columns column[m] to column[m + 1] - 1 of it */
    const uint64_t *row; /* [members]: the first row of each member's block in the result */
} sl_device_columns;

/* Rows that are collected from all columns of a matrix; every process of a line has some of the columns. */
typedef struct {
    sl_grid_line line;
    const sl_object *mine; /* this process's block, which the engine can send */
    const uint64_t *row; /* [members + 1]: member m collects rows row[m] to row[m + 1] - 1 of it */
    sl_local_blocks columns; /* of the block: which columns of the whole matrix they are */
} sl_device_rows;

/* Exchanges that begin together, at most: one for each factor of a product. */
enum { SL_BLOCK_EXCHANGES = 2 };

typedef struct sl_device_matrices {
    /* Whether a block, which is in the engine's store, is there in a form that can be sent. Not
     * collective. */
    bool (*can_send)(const sl_object *block);
    /* The bytes that factors may take in the device's memory without harm to the result. Not collective. */
    uint64_t (*room)(void);
    /*
     * Begins exchanges, with new matrices of the context `ctx` as results: the blocks travel
     * while the device does other work. Arrays of `x` stay in place until the exchanges end.
     * `status` is this process's so far; if a process failed, all fail. Collective over all
     * processes, which exchange along the same lines. A failure may be this process's own; it then
     * takes part in the following exchanges with that status. *moving is NULL if the processes
     * agreed on a failure.
     */
    sl_status (*begin)(void **moving, sl_context *ctx, const sl_device_grid *grid,
                       const sl_device_block_exchange *x, unsigned count, sl_status status);
    /*
     * Ends exchanges before others begin, and fills results[k], a new matrix, with the result of exchange k, unless
     * `status` is a failure. Every process that has begun the exchanges ends them; `moving` may be NULL. Returns
     * `status` or a failure of this process.
     */
    sl_status (*end)(void *moving, sl_object *const *results, sl_status status);
    /* Replaces the values of an int64 matrix by the indices that `numbers` gives its rows, or its columns.
     * Not collective. */
    sl_status (*number)(sl_object *matrix, bool of_rows, const sl_device_numbers *numbers);
    /*
     * Fills `result`, a new matrix, with the pattern of the columns that this process collects, in pieces: beside
     * the result it takes little memory. `status` is this process's so far. Collective over all processes; they agree
     * on the status.
     */
    sl_status (*collect)(sl_object *result, const sl_device_grid *grid, const sl_device_columns *x,
                         sl_status status);
    /*
     * Fills `result`, a new matrix of the block's type, with the rows that this process collects and their values, in
     * pieces: beside the result it takes little memory. Columns of a row are in no order. `status` is this process's so
     * far. Collective over all processes; they agree on the status.
     */
    sl_status (*collect_rows)(sl_object *result, const sl_device_grid *grid,
                              const sl_device_rows *x, sl_status status);
} sl_device_matrices;

#endif
