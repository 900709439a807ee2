/*
 * Tiles: the columns of rows (sum_rows.h) in a form in which sums of a vector's values gather from shared
 * memory. Included by C and CUDA sources.
 *
 * The columns, in their order, are divided into tiles of tile_columns columns each, whose values fit in
 * shared memory. The columns of a row that lie in one tile are a segment. In graphs with hubs most
 * columns are in long segments: 93 % of Kronecker 22 in segments of two and more (cache blocking,
 * Nishtala and others, "When cache blocking of sparse matrix vector multiply works and why", 2007).
 *
 * A segment of SUM_MIN_SEGMENT columns and more is divided into chunks of at most SUM_CHUNK columns:
 * chunk i of k has the columns i, i + k, i + 2 k, ... of the segment, so that lanes which sum chunks
 * of one dense row read neighbouring values, in different banks of shared memory. The
 * chunks of a tile are sorted by falling length, and each 32 of them make a slice, of which a warp
 * sums each chunk with one lane (sliced ELL, Monakov and others, HiPEAC 2010). A slice is as wide as
 * its longest chunk; shorter ones are padded with the column tile_columns, whose value is 0.
 *
 *     step k of slice s        32 words, one per lane: the columns 2 k and 2 k + 1 of its chunk, 16 bits each
 *     slice_end[s]             steps of the slices 0 to s
 *     partial[32 s + lane]     the sum of that chunk
 *
 * The list of a row has the columns of its short segments, v < n, and its chunks, n + 32 s + lane,
 * where n is the number of columns. The sum of a row is that of its list over the values of the columns
 * followed by the partial sums. Rows from `rows` on have all their columns in slots, and no list.
 */
#ifndef SEMLA_CUDA_SUM_TILES_H
#define SEMLA_CUDA_SUM_TILES_H

#include "product_tuning.h"
#include "sum_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays are in device memory. */
typedef struct {
    uint32_t tile_columns, tiles;
    uint32_t rows;               /* with lists */
    uint32_t slices;             /* 0: there are no tiles, and lists are the rows themselves */
    const uint32_t *tile_slice;  /* tiles + 1: the first slice of each tile, and the end */
    const uint32_t *slice_end;   /* slices */
    const uint32_t *column;      /* 32 words per step */
    unsigned blocks;             /* of the launch */
    const uint32_t *block_slice; /* blocks + 1: slices of each block, of about equal work */
    const uint32_t *list_start;  /* rows + 1 */
    const uint32_t *list;
} cuda_sum_tiles_view;

/* partial[k] = the sums of all chunks; `values` has the n values of the columns in their order.
 * fp64 if `fp64`, otherwise fp32. */
cudaError_t sl_cuda_sum_chunks(const cuda_sum_tiles_view *tiles, bool fp64, const void *values,
                               uint32_t n, void *partial, cudaStream_t stream);

/*
 * The construction (make_tiles.c). Arrays are scratch in device memory; members are set by the steps
 * that the functions below do, in this order.
 */
typedef struct {
    cuda_sum_rows of;
    uint32_t tile_columns, tiles, rows;
    uint64_t entries; /* columns of these rows */

    uint32_t *heads; /* bit e: column e is the first of a segment */
    uint64_t words, *word_ends;

    uint64_t segments;
    uint64_t *begin; /* segments: first column */
    uint64_t *item_ends,
        *chunk_ends; /* segments: list entries, and chunks, of this and earlier ones */

    uint64_t chunks;
    uint64_t *key;          /* chunks: tile << 40 | (SUM_CHUNK - columns) << 32 | number */
    uint64_t *chunk_begin;  /* chunks, by number: first column */
    uint32_t *chunk_stride; /* chunks, by number: columns from one of its columns to the next */
    uint32_t *place;        /* chunks, by number: 32 slice + lane */

    uint32_t *tile_first; /* tiles + 1: the first key of each tile, and their number */
    uint32_t *tile_slice; /* as in the view; on the host while it is computed */
    uint32_t slices;
    uint64_t *width_ends; /* slices: steps */
} cuda_tile_build;

cudaError_t sl_cuda_tiles_mark(const cuda_tile_build *b, unsigned multiprocessors,
                               cudaStream_t stream); /* heads */
cudaError_t sl_cuda_tiles_begins(const cuda_tile_build *b, unsigned multiprocessors,
                                 cudaStream_t stream); /* begin */
cudaError_t sl_cuda_tiles_measure(const cuda_tile_build *b, unsigned multiprocessors,
                                  cudaStream_t stream); /* counts, not yet sums, in *_ends */
cudaError_t sl_cuda_tiles_keys(const cuda_tile_build *b, unsigned multiprocessors,
                               cudaStream_t stream); /* key, unsorted, and chunk_begin */
cudaError_t sl_cuda_tiles_firsts(const cuda_tile_build *b, unsigned multiprocessors,
                                 cudaStream_t stream); /* tile_first */
cudaError_t sl_cuda_tiles_widths(const cuda_tile_build *b, unsigned multiprocessors,
                                 cudaStream_t stream); /* widths, not yet sums, in width_ends */
/* column, and place */
cudaError_t sl_cuda_tiles_columns(const cuda_tile_build *b, uint32_t *column,
                                  unsigned multiprocessors, cudaStream_t stream);
cudaError_t sl_cuda_tiles_lists(const cuda_tile_build *b, uint32_t *list_start, uint32_t *list,
                                unsigned multiprocessors, cudaStream_t stream);
cudaError_t sl_cuda_tiles_divide(const cuda_sum_tiles_view *tiles, uint32_t *block_slice,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
