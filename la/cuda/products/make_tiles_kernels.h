/* The construction of tiles (sum_tiles.h; make_tiles.c). Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_MAKE_TILES_KERNELS_H
#define SEMLA_CUDA_MAKE_TILES_KERNELS_H

#include "cuda/products/sum_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A chunk of a piece of tiles. */
struct cuda_chunk {
    uint64_t begin;             /* the first column */
    uint32_t number;            /* row by row, of all chunks */
    uint16_t columns, distance; /* the number of columns, and how far they are apart */
};

/*
 * Arrays are scratch in device memory, unless they are of the view that is made. Members are set by the
 * steps that the functions below do, in this order. A piece is a range of tiles, then one of row blocks.
 */
typedef struct {
    cuda_sum_rows of;
    uint32_t tile_columns, tiles, rows;
    uint32_t block_chunks, staged;
    uint64_t entries;  /* columns of these rows */
    uint64_t released; /* bytes that are free after the construction */

    uint32_t *heads; /* bit e: column e is the first of a segment */
    uint64_t words;
    uint64_t *word_ends;   /* words: chunks of the segments that begin in this and earlier words */
    uint32_t *tile_chunks; /* TILE_LENGTHS for each tile: chunks of 1, 2, ... steps */
    uint64_t chunks;

    uint32_t *tile_first; /* tiles + 1: the chunks of earlier tiles */
    uint32_t *tile_slice; /* of the view */
    uint32_t slices;
    uint64_t *width_ends; /* slices: steps */

    uint32_t row_blocks;
    uint32_t *row_chunk, *row_block; /* of the view */
    uint32_t *block_first;           /* row_blocks + 1: the first chunk */
    uint32_t *source;                /* of the view; before that, by number: element of `partial` */
    uint16_t *slot;                  /* of the view */
    void *value;                     /* of the view, or NULL */

    uint64_t piece_chunks; /* at most */
    uint32_t first, last;  /* the piece: tiles or row blocks first ... last - 1 */
    uint64_t *key;         /* chunks of the piece */
    /* of a piece of tiles: */
    uint64_t *piece_ends;     /* words: the part of word_ends that belongs to the piece */
    struct cuda_chunk *chunk; /* row by row */
} cuda_tile_build;

/* The steps of the longest chunk. */
enum { TILE_LENGTHS = (SUM_CHUNK + 1) / 2 };

/* Keys of chunks of tiles: their number in the piece, TILE_LENGTHS less their steps, their tile in
 * the piece. Keys of chunks of row blocks: their slot, their element of `partial`, twice their row
 * block in the piece and 1 if they are not staged. */
enum {
    KEY_SHORTNESS = 32,
    KEY_TILE = 40,
    KEY_PARTIAL = 16,
    KEY_BLOCK = 48,
    KEY_MAX_BLOCKS = 1 << 15
};

cudaError_t sl_cuda_tiles_mark(const cuda_tile_build *b); /* heads */
/* Counts, not yet sums, in word_ends; tile_chunks, which was 0. */
cudaError_t sl_cuda_tiles_count(const cuda_tile_build *b);
cudaError_t
sl_cuda_tiles_widths(const cuda_tile_build *b);           /* widths, not yet sums, in width_ends */
cudaError_t sl_cuda_tiles_rows(const cuda_tile_build *b); /* row_chunk, row_block, block_first */

/* For each piece of tiles: counts, not yet sums, in piece_ends. */
cudaError_t sl_cuda_tiles_count_piece(const cuda_tile_build *b);
cudaError_t sl_cuda_tiles_keys(const cuda_tile_build *b); /* key, unsorted, and chunk */
/* The columns of the piece and the values of their entries, bits of `ends`, which was 0 at first, and `source` by
 * number. */
cudaError_t sl_cuda_tiles_columns(const cuda_tile_build *b, uint32_t *column, uint32_t *ends);

/* For each piece of row blocks, which has `count` chunks. */
cudaError_t sl_cuda_tiles_block_keys(const cuda_tile_build *b, uint64_t count); /* key, unsorted */
cudaError_t sl_cuda_tiles_sources(const cuda_tile_build *b, uint64_t count);    /* source, slot */

/* to[k][r - listed] = the value of column k of row r, for the rows whose columns are all in slots. */
cudaError_t sl_cuda_slot_values(void *const to[ELL_SLOTS], const cuda_sum_rows *rows);

cudaError_t sl_cuda_tiles_divide(const cuda_sum_tiles_view *tiles, uint32_t *block_slice);

#ifdef __cplusplus
}
#endif
#endif
