/* Private to the CUDA engine: the construction of tiles (make_tiles.c) in pieces, which need less
 * memory than all chunks at once. */
#ifndef SEMLA_CUDA_TILE_PIECES_H
#define SEMLA_CUDA_TILE_PIECES_H

#include "cuda/operations/vector_result.h"
#include "cuda/products/make_tiles_kernels.h"

/* On the host. */
typedef struct {
    uint32_t *first, *slice; /* tiles + 1: the chunks, and the slices, of earlier tiles */
    uint32_t *block;         /* row_blocks + 1: the chunks of earlier row blocks */
} cuda_tile_counts;

/* Sets piece_chunks: as many as there is memory for beside tiles of so many steps, all if possible;
 * or a part of 1 / asked, unless that is 0. 0: there is no memory for a piece, or for a product
 * after the construction. */
void sl_cuda_choose_tile_pieces(cuda_tile_build *b, const cuda_tile_counts *h, uint64_t steps,
                                double asked);

/* Fills column, ends, source and slot: the tiles piece by piece, then the row blocks. */
sl_status sl_cuda_fill_tile_pieces(cuda_scratch *s, cuda_tile_build *b, const cuda_tile_counts *h,
                                   uint32_t *column, uint32_t *ends);

#endif
