/*
 * Tiles: the columns of rows (sum_rows.h) in a form in which sums of a vector's values read memory in order
 * and gather from shared memory only. Included by C and CUDA sources.
 *
 * The columns, in their order, are divided into tiles of tile_columns columns each, whose values fit in
 * shared memory. The columns of a row that lie in one tile are a segment. In graphs with hubs most
 * columns are in long segments: 93 % of Kronecker 22 in segments of two and more (cache blocking,
 * Nishtala and others, "When cache blocking of sparse matrix vector multiply works and why", 2007). Short
 * segments, whose sums pass through memory as longer ones do, are bins of values on their way to rows
 * (propagation blocking, Beamer, Asanovic and Patterson, IPDPS 2017).
 *
 * A segment is divided into chunks of at most SUM_CHUNK columns:
 * chunk i of k has the columns i, i + k, i + 2 k, ... of the segment, so that lanes which sum chunks
 * of one dense row read neighbouring values, in different banks of shared memory. Chunks are numbered
 * row by row. The chunks of a tile are sorted by falling length, and each 32 of them make a slice, of which
 * a warp sums each chunk with one lane (sliced ELL, Monakov and others, HiPEAC 2010). A slice is as wide
 * as its longest chunk; shorter ones are padded with the column tile_columns, whose value is 0.
 *
 *     step k of slice s        32 words, one per lane: the columns 2 k and 2 k + 1 of its chunk, 16 bits each;
 *                              and where the entries have values, two values for each word
 *     slice_end[s]             steps of the slices 0 to s
 *     ends                     bit k: step k is the last of its slice
 *     partial[32 s + lane]     the sum of that chunk
 *
 * Rows are divided into row blocks: the first chunks of a block's rows are among block_chunks chunks, by number.
 * Chunks of one row block that have the same tile and length are neighbours in slices. So a block of threads reads
 * the sums of a row block in the order of the slices, in which neighbours are read together, and brings them into the
 * order of the rows in shared memory:
 *
 *     row_block[b]             the first row of row block b
 *     row_chunk[r]             the first chunk of row r
 *     source[k]                element k of the row blocks, one after the other, is partial[source[k]]
 *     slot[k]                  the number of its chunk, less that of the first one of the row block
 *
 * If a row block has more than `staged` chunks, the chunks of its last row come last, and have no
 * slots. Rows from `rows` on have all their columns in slots (sum_rows.h), and no chunks.
 */
#ifndef SEMLA_CUDA_SUM_TILES_H
#define SEMLA_CUDA_SUM_TILES_H

#include "cuda/products/product_tuning.h"
#include "cuda/products/sum_rows.h"
#include "cuda/products/summing.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays are in device memory. */
typedef struct {
    uint32_t tile_columns, tiles;
    uint32_t rows;   /* rows with chunks */
    uint32_t chunks; /* 0: there are no tiles */
    uint32_t slices;
    const uint32_t *tile_slice; /* tiles + 1: the first slice of each tile, and the end */
    const uint32_t *slice_end;  /* slices */
    const uint32_t *ends;
    const uint32_t *column;      /* 32 words per step */
    const void *value;           /* 64 values per step; NULL: all are 1 */
    unsigned blocks;             /* blocks of the launch */
    const uint32_t *block_slice; /* blocks + 1: slices of each block, of about equal work */

    uint32_t row_blocks, staged;
    const uint32_t *row_block; /* row_blocks + 1 */
    const uint32_t *row_chunk; /* rows + 1 */
    const uint32_t *source;    /* chunks */
    const uint16_t *slot;      /* chunks */
} cuda_sum_tiles_view;

/* partial[k] = the sums of all chunks, 32 per slice; `values` has the n values of the columns in their order. */
cudaError_t sl_cuda_sum_chunks(const cuda_sum_tiles_view *tiles, const cuda_sum_operators *by,
                               const void *values, uint32_t n, void *partial);

#ifdef __cplusplus
}
#endif
#endif
