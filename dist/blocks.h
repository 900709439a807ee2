/*
 * Objects of a grid's context, as the engine sees them: the handle in the store `grid` is
 * this rank's block, a matrix or a vector of the local context. Its shape is that of the
 * rank's shares of the partition, so that no more need be kept.
 */
#ifndef SEMLA_DIST_PIECES_H
#define SEMLA_DIST_PIECES_H

#include "grid.h"

extern const sl_store sl_store_grid;

static inline sl_object *sl_grid_block(const sl_object *object)
{
    return object ? sl_handle(object, &sl_store_grid) : NULL;
}

/* Frees a block, a matrix or a vector; NULL is allowed. */
void sl_grid_block_free(sl_object *block);

/* Puts another block in the place of an object's. */
void sl_grid_block_replace(sl_object *object, sl_object *block);

/* An empty block, of this rank, of an object like that or of that shape. In the local
 * context, to be freed by the caller; not collective. */
sl_status sl_grid_block_new(sl_object **block, sl_grid *grid, const sl_object *like);
sl_status sl_grid_block_new_matrix(sl_matrix **A, sl_grid *grid, sl_type type, uint64_t nrows,
                                   uint64_t ncols);

/* The call in the local context on the pieces: objects and operators are the local ones. */
sl_call sl_local_call(const sl_call *call);

/* Runs a call of the local context; a failure is recorded in the grid's context. Where no
 * operand is on another rank, this is all that an operation takes. */
sl_status sl_local_run(sl_grid *grid, sl_call *local);

/*
 * Ends an operation: out<mask> = out accum t, on the pieces, with the call's flags, mask and
 * accumulator. t is a block of an object of out's shape.
 */
sl_status sl_grid_block_write(const sl_call *call, sl_object *t);

#endif
