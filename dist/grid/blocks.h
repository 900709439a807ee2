/*
 * The local block of a distributed object: a matrix or a vector of the rank's local context. It is
 * the handle of the object in the store `grid`. The shape of a block follows from the distribution
 * of the object's dimensions, so nothing else is stored.
 */
#ifndef SEMLA_DIST_BLOCKS_H
#define SEMLA_DIST_BLOCKS_H

#include "dist/grid/grid.h"

static inline sl_object *sl_grid_block(const sl_object *object)
{
    return object ? object->held[SL_SLOT_GRID] : NULL;
}

/* Frees a block, which may be a matrix, a vector or NULL. */
void sl_grid_block_free(sl_object *block);

/* Makes `block` the block of an object, and frees the previous one. */
void sl_grid_block_replace(sl_object *object, sl_object *block);

/* New empty blocks of this rank, owned by the caller: for an object of the type and shape of
 * `like`, or for a matrix of the shape nrows x ncols. Not collective. */
sl_status sl_grid_block_new(sl_object **block, sl_grid *grid, const sl_object *like);
sl_status sl_grid_block_new_matrix(sl_matrix **A, sl_grid *grid, sl_type type, uint64_t nrows,
                                   uint64_t ncols);

/* Translates a call into one on the blocks in the local context, with the local operators. */
sl_call sl_local_call(const sl_call *call);

/* Runs a call in the local context and records a failure in the grid's context. It is the whole
 * operation if no operand is on another rank. Not collective. */
sl_status sl_local_run(sl_grid *grid, sl_call *local);

/* The entries of an object of a grid, for operations that run. Collective; the ranks agree. */
sl_status sl_grid_count_entries(uint64_t *entries, const sl_object *object);

/*
 * Completes an operation: out<mask> = out accum t on the blocks, with the mask, accumulator and
 * flags of the call. t is a block for an object of out's shape. Not collective.
 */
sl_status sl_grid_block_write(const sl_call *call, sl_object *t);

#endif
