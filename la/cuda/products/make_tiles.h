/* Private to the CUDA engine: tiles of rows (sum_tiles.h) and their memory. */
#ifndef SEMLA_CUDA_MAKE_TILES_H
#define SEMLA_CUDA_MAKE_TILES_H

#include "cuda/operations/vector_result.h"
#include "cuda/products/sum_tiles.h"
#include "cuda/runtime/traversal_switches.h"

/* Owns the arrays of its view. */
struct cuda_sum_tiles;
void sl_cuda_free_sum_tiles(struct cuda_sum_tiles *tiles);            /* NULL is allowed */
uint64_t sl_cuda_sum_tiles_bytes(const struct cuda_sum_tiles *tiles); /* on the device */

/*
 * Makes the tiles of rows whose columns are in device memory. They have no chunks if they do not pay, unless
 * `on` asks for them, or if there is too little memory for them or for products over them, before which the caller
 * releases so many bytes. Scratch: 0.6 bytes per column, and 34 for each chunk, or for fewer at once if there
 * is no memory for all, or if `on` asks for pieces.
 */
sl_status sl_cuda_make_tiles(sl_call *call, struct cuda_sum_tiles **tiles,
                             const cuda_sum_rows *rows, uint64_t released, const cuda_switches *on);

const cuda_sum_tiles_view *sl_cuda_sum_tiles_view(const struct cuda_sum_tiles *tiles);

#endif
