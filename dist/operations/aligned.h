/*
 * Calls whose operands lie alike on the grid, once matrices that are read transposed have
 * been sent to where they are read: such a call is done on each rank's pieces.
 */
#ifndef SEMLA_DIST_ALIGNED_H
#define SEMLA_DIST_ALIGNED_H

#include "tuples.h"

/* The local call, without flags to transpose, and the pieces made for it. */
typedef struct {
    sl_call local;
    sl_matrix *made[2]; /* of a and b; NULL: as they are */
} sl_aligned;

/* Collective. On failure nothing is left to free. */
sl_status sl_aligned_open(sl_aligned *aligned, const sl_call *call);
void sl_aligned_close(sl_aligned *aligned);

/* A new block of a matrix's transpose. Collective. */
sl_status sl_grid_block_transposed(sl_matrix **transposed, const sl_object *matrix);

#endif
