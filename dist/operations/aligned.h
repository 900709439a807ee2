/*
 * Calls whose operands are distributed alike, so that they run on the blocks. Matrices that the
 * call reads transposed are redistributed first; products keep the transposed block with the matrix.
 */
#ifndef SEMLA_DIST_ALIGNED_H
#define SEMLA_DIST_ALIGNED_H

#include "dist/operations/rank_tuples.h"

/* The local call, without the transpose flags, and the blocks that were made for it. */
typedef struct {
    sl_call local;
    sl_matrix *made[2]; /* blocks of a' and b' that were made for this call alone; or NULL */
} sl_aligned;

/* Whether a matrix is redistributed. Not collective. */
bool sl_is_aligned_by_exchange(const sl_call *call);
/* Builds the local call. On failure nothing is left to free. Collective; the ranks agree. */
sl_status sl_aligned_open(sl_aligned *aligned, const sl_call *call);
void sl_aligned_close(sl_aligned *aligned);

/* A new block of the transpose of a matrix, an operand of the call. Collective; the ranks agree. */
sl_status sl_grid_block_transposed(sl_matrix **transposed, const sl_call *call,
                                   const sl_object *matrix);

#endif
