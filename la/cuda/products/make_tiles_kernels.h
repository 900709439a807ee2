/* The construction of tiles (sum_tiles.h; make_tiles.c). Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_MAKE_TILES_KERNELS_H
#define SEMLA_CUDA_MAKE_TILES_KERNELS_H

#include "sum_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Arrays are scratch in device memory, unless they are of the view that is made. Members are set by the
 * steps that the functions below do, in this order.
 */
typedef struct {
    cuda_sum_rows of;
    uint32_t tile_columns, tiles, rows;
    uint32_t block_chunks, staged;
    uint64_t entries; /* columns of these rows */

    uint32_t *heads; /* bit e: column e is the first of a segment */
    uint64_t words, *word_ends;

    uint64_t segments;
    uint64_t *begin;      /* segments: first column */
    uint64_t *chunk_ends; /* segments: chunks of this and earlier ones */

    uint64_t chunks;
    uint64_t *key;         /* chunks: tile, shortness, number */
    uint64_t *chunk_begin; /* chunks, by number: first column */
    uint16_t *chunk_shape; /* chunks, by number: columns, and 256 times their distance */
    uint32_t *tile_first;  /* tiles + 1: the first key of each tile, and their number */
    uint32_t *tile_slice;  /* of the view; on the host while it is computed */
    uint32_t slices;
    uint64_t *width_ends; /* slices: steps */

    uint32_t row_blocks;
    uint32_t *row_chunk, *row_block; /* of the view */
    uint64_t *block_key;             /* chunks: row block, whether staged, element of `key` */
    uint32_t *source;                /* of the view */
    uint16_t *slot;                  /* of the view */
} cuda_tile_build;

/* Where the parts of the keys begin: 255 less the steps of a chunk; its tile; its row block, twice that and 1 if
 * it is not staged. The first 32 bits are a number. */
enum { KEY_SHORTNESS = 32, KEY_TILE = 40, KEY_BLOCK = 32 };

cudaError_t sl_cuda_tiles_mark(const cuda_tile_build *b, unsigned multiprocessors,
                               cudaStream_t stream); /* heads */
cudaError_t sl_cuda_tiles_begins(const cuda_tile_build *b, unsigned multiprocessors,
                                 cudaStream_t stream); /* begin */
cudaError_t sl_cuda_tiles_measure(const cuda_tile_build *b, unsigned multiprocessors,
                                  cudaStream_t stream); /* counts, not yet sums, in chunk_ends */
cudaError_t sl_cuda_tiles_keys(const cuda_tile_build *b, unsigned multiprocessors,
                               cudaStream_t stream); /* key, unsorted, and chunk_* */
cudaError_t sl_cuda_tiles_firsts(const cuda_tile_build *b, unsigned multiprocessors,
                                 cudaStream_t stream); /* tile_first */
cudaError_t sl_cuda_tiles_widths(const cuda_tile_build *b, unsigned multiprocessors,
                                 cudaStream_t stream); /* widths, not yet sums, in width_ends */
/* column, and ends, which was 0 */
cudaError_t sl_cuda_tiles_columns(const cuda_tile_build *b, uint32_t *column, uint32_t *ends,
                                  unsigned multiprocessors, cudaStream_t stream);
cudaError_t sl_cuda_tiles_rows(const cuda_tile_build *b, unsigned multiprocessors,
                               cudaStream_t stream); /* row_chunk, row_block */
cudaError_t sl_cuda_tiles_block_keys(const cuda_tile_build *b, unsigned multiprocessors,
                                     cudaStream_t stream); /* block_key, unsorted */
cudaError_t sl_cuda_tiles_sources(const cuda_tile_build *b, unsigned multiprocessors,
                                  cudaStream_t stream); /* source, slot */
cudaError_t sl_cuda_tiles_divide(const cuda_sum_tiles_view *tiles, uint32_t *block_slice,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
