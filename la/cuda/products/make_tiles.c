/* The construction of tiles (sum_tiles.h). O(entries) time and scratch. */
#include "make_tiles.h"

#include "generator.h"
#include "make_tiles_kernels.h"
#include "object_kernels.h"
#include "reordered_graph.h"
#include "sorting.h"

/* Owns the arrays of the view. */
struct cuda_sum_tiles {
    cuda_sum_tiles_view view;
    uint32_t *tile_slice, *slice_end, *ends, *column, *block_slice, *row_block, *row_chunk, *source;
    uint16_t *slot;
    uint64_t bytes; /* of these arrays */
};

const cuda_sum_tiles_view *sl_cuda_sum_tiles_view(const struct cuda_sum_tiles *tiles)
{
    return &tiles->view;
}

uint64_t sl_cuda_sum_tiles_bytes(const struct cuda_sum_tiles *tiles)
{
    return tiles->bytes;
}

void sl_cuda_free_sum_tiles(struct cuda_sum_tiles *tiles)
{
    if (!tiles)
        return;
    sl_cuda_free(tiles->tile_slice);
    sl_cuda_free(tiles->slice_end);
    sl_cuda_free(tiles->ends);
    sl_cuda_free(tiles->column);
    sl_cuda_free(tiles->block_slice);
    sl_cuda_free(tiles->row_block);
    sl_cuda_free(tiles->row_chunk);
    sl_cuda_free(tiles->source);
    sl_cuda_free(tiles->slot);
    sl_free(tiles);
}

/* ---- steps of the construction -------------------------------------------------------- */

/* Device memory of an array of the view. */
static sl_status keep(cuda_scratch *s, struct cuda_sum_tiles *made, void *array, uint64_t bytes)
{
    made->bytes += bytes;
    return sl_cuda_alloc(s->call->ctx, (void **)array, bytes);
}

/* Sizes by the shared memory of a multiprocessor: one block has the fp64 values of a tile's columns and one more
 * there, each of SUM_BLOCKS_PER_SM blocks the fp64 sums of a row block's chunks. */
static sl_status choose_sizes(sl_context *ctx, cuda_tile_build *b)
{
    int bytes = 0;
    CUDA_TRY(sl_cuda_status(ctx, "cudaDeviceGetAttribute",
                            cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                                   sl_cuda_device()->number)));
    const uint32_t most = ((uint32_t)bytes - SUM_STATIC_BYTES) / sizeof(double) - 1;
    b->tile_columns = most < SUM_TILE_COLUMNS ? most / 32 * 32 : SUM_TILE_COLUMNS;
    b->staged = ((uint32_t)bytes / SUM_BLOCKS_PER_SM - SUM_STATIC_BYTES) / sizeof(double) / 32 * 32;
    b->block_chunks = b->staged / 8 * 7;
    return SL_OK;
}

static sl_status sum_counts(cuda_scratch *s, uint64_t *ends, uint64_t count, uint64_t *sum)
{
    *sum = 0;
    if (count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_sum_ends(s->call->ctx, &s->arena, ends, count));
    return sl_cuda_fetch(s->call->ctx, "scan", sum, ends + count - 1, sizeof *sum);
}

static sl_status count_columns(cuda_scratch *s, cuda_tile_build *b)
{
    sl_context *ctx = s->call->ctx;
    const uint64_t *wide = b->of.start;
    const uint32_t *narrow = b->of.start;
    uint32_t entries = 0;
    if (b->of.wide)
        return sl_cuda_fetch(ctx, "rows", &b->entries, wide + b->rows, sizeof b->entries);
    CUDA_TRY(sl_cuda_fetch(ctx, "rows", &entries, narrow + b->rows, sizeof entries));
    b->entries = entries;
    return SL_OK;
}

static sl_status find_segments(cuda_scratch *s, cuda_tile_build *b)
{
    const unsigned processors = cuda_processors();
    cudaStream_t stream = cuda_stream();
    b->words = cuda_words(b->entries);
    CUDA_TRY(sl_cuda_scratch_take(s, &b->heads, b->words * sizeof *b->heads));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->word_ends, b->words * sizeof *b->word_ends));
    CUDA_TRY(cuda_launched(s, "kernel mark_segments", sl_cuda_tiles_mark(b, processors, stream)));
    CUDA_TRY(
        cuda_launched(s, "kernel word_lengths",
                      sl_cuda_word_lengths(b->word_ends, b->heads, b->words, processors, stream)));
    CUDA_TRY(sum_counts(s, b->word_ends, b->words, &b->segments));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->begin, b->segments * sizeof *b->begin));
    return cuda_launched(s, "kernel segment_begins", sl_cuda_tiles_begins(b, processors, stream));
}

static sl_status measure_segments(cuda_scratch *s, cuda_tile_build *b)
{
    CUDA_TRY(sl_cuda_scratch_take(s, &b->chunk_ends, b->segments * sizeof *b->chunk_ends));
    CUDA_TRY(cuda_launched(s, "kernel measure_segments",
                           sl_cuda_tiles_measure(b, cuda_processors(), cuda_stream())));
    return sum_counts(s, b->chunk_ends, b->segments, &b->chunks);
}

/* Sorts keys by their bits from 32 to bits - 1; `other` has as many, and the result may be there. */
static sl_status sort_keys(cuda_scratch *s, uint64_t **keys, uint64_t **other, uint64_t count,
                           unsigned bits)
{
    uint64_t *sorted;
    CUDA_TRY(
        sl_cuda_sort_entries(s->call->ctx, &s->arena, *keys, *other, count, 32, bits, &sorted));
    *other = sorted == *keys ? *other : *keys;
    *keys = sorted;
    return SL_OK;
}

static sl_status sort_chunks(cuda_scratch *s, cuda_tile_build *b, uint64_t **other)
{
    CUDA_TRY(sl_cuda_scratch_take(s, &b->key, b->chunks * sizeof *b->key));
    CUDA_TRY(sl_cuda_scratch_take(s, other, b->chunks * sizeof **other));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->chunk_begin, b->chunks * sizeof *b->chunk_begin));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->chunk_shape, b->chunks * sizeof *b->chunk_shape));
    CUDA_TRY(cuda_launched(s, "kernel chunk_keys",
                           sl_cuda_tiles_keys(b, cuda_processors(), cuda_stream())));
    return sort_keys(s, &b->key, other, b->chunks, KEY_TILE + sl_cuda_bits_for(b->tiles));
}

/* Sets tile_first, and tile_slice and slices from it. */
static sl_status number_slices(cuda_scratch *s, cuda_tile_build *b, struct cuda_sum_tiles *made)
{
    sl_context *ctx = s->call->ctx;
    const uint64_t bytes = ((uint64_t)b->tiles + 1) * sizeof(uint32_t);
    CUDA_TRY(sl_cuda_scratch_take(s, &b->tile_first, bytes));
    CUDA_TRY(keep(s, made, &made->tile_slice, bytes));
    CUDA_TRY(cuda_launched(s, "kernel tile_firsts",
                           sl_cuda_tiles_firsts(b, cuda_processors(), cuda_stream())));
    uint32_t *slice = sl_malloc(bytes);
    if (!slice)
        return cuda_no_host_memory(ctx);
    sl_status status = sl_cuda_download(ctx, slice, b->tile_first, bytes);
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "kernel tile_firsts");
    for (uint32_t t = 0, first = 0, slices = 0; status == SL_OK && t <= b->tiles; t++) {
        slices += (slice[t] - first + 31) / 32;
        first = slice[t];
        b->slices = slice[t] = slices;
    }
    if (status == SL_OK)
        status = sl_cuda_upload(ctx, made->tile_slice, slice, bytes);
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "upload");
    sl_free(slice);
    b->tile_slice = made->tile_slice;
    return status;
}

static sl_status fill_slices(cuda_scratch *s, cuda_tile_build *b, struct cuda_sum_tiles *made)
{
    const unsigned processors = cuda_processors();
    uint64_t steps;
    CUDA_TRY(sl_cuda_scratch_take(s, &b->width_ends, b->slices * sizeof *b->width_ends));
    CUDA_TRY(cuda_launched(s, "kernel slice_widths",
                           sl_cuda_tiles_widths(b, processors, cuda_stream())));
    CUDA_TRY(sum_counts(s, b->width_ends, b->slices, &steps));
    const uint64_t words = steps / 32 + 2; /* the kernel reads two at once */
    CUDA_TRY(keep(s, made, &made->column, steps * 32 * sizeof *made->column));
    CUDA_TRY(keep(s, made, &made->slice_end, b->slices * sizeof *made->slice_end));
    CUDA_TRY(keep(s, made, &made->ends, words * sizeof *made->ends));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, made->ends, words * sizeof *made->ends));
    CUDA_TRY(cuda_launched(
        s, "kernel fill_columns",
        sl_cuda_tiles_columns(b, made->column, made->ends, processors, cuda_stream())));
    return cuda_launched(
        s, "kernel to_32_bits",
        sl_cuda_to_32_bits(made->slice_end, b->width_ends, b->slices, cuda_stream()));
}

static unsigned block_key_bits(const cuda_tile_build *b)
{
    return KEY_BLOCK + 1 + sl_cuda_bits_for(b->row_blocks);
}

static sl_status divide_rows(cuda_scratch *s, cuda_tile_build *b, struct cuda_sum_tiles *made)
{
    CUDA_TRY(keep(s, made, &made->row_chunk, ((uint64_t)b->rows + 1) * sizeof *made->row_chunk));
    CUDA_TRY(
        keep(s, made, &made->row_block, ((uint64_t)b->row_blocks + 1) * sizeof *made->row_block));
    b->row_chunk = made->row_chunk;
    b->row_block = made->row_block;
    return cuda_launched(s, "kernel row_chunks",
                         sl_cuda_tiles_rows(b, cuda_processors(), cuda_stream()));
}

static sl_status find_sources(cuda_scratch *s, cuda_tile_build *b, uint64_t **other,
                              struct cuda_sum_tiles *made)
{
    CUDA_TRY(sl_cuda_scratch_take(s, &b->block_key, b->chunks * sizeof *b->block_key));
    CUDA_TRY(cuda_launched(s, "kernel block_keys",
                           sl_cuda_tiles_block_keys(b, cuda_processors(), cuda_stream())));
    CUDA_TRY(sort_keys(s, &b->block_key, other, b->chunks, block_key_bits(b)));
    CUDA_TRY(keep(s, made, &made->source, b->chunks * sizeof *made->source));
    CUDA_TRY(keep(s, made, &made->slot, b->chunks * sizeof *made->slot));
    b->source = made->source;
    b->slot = made->slot;
    return cuda_launched(s, "kernel sources",
                         sl_cuda_tiles_sources(b, cuda_processors(), cuda_stream()));
}

static sl_status divide(cuda_scratch *s, struct cuda_sum_tiles *made)
{
    CUDA_TRY(
        keep(s, made, &made->block_slice, (made->view.blocks + 1) * sizeof *made->block_slice));
    CUDA_TRY(cuda_launched(s, "kernel divide_slices",
                           sl_cuda_tiles_divide(&made->view, made->block_slice, cuda_stream())));
    made->view.block_slice = made->block_slice;
    return SL_OK;
}

/* ---- the choice ------------------------------------------------------------------------- */

/* Device bytes that the construction takes once the segments are counted, and those of the result. Most segments
 * are one chunk. */
static uint64_t bytes_needed(const cuda_tile_build *b)
{
    return b->segments * 8 * sizeof(uint64_t) + b->entries * 3;
}

/* Whether numbers of chunks, slices and steps fit in 32 bits, and sort keys in 64. */
static bool tiles_are_possible(const cuda_tile_build *b)
{
    return b->chunks + 32 * ((uint64_t)b->tiles + 1) < UINT32_MAX && b->entries / 32 < UINT32_MAX &&
           KEY_TILE + sl_cuda_bits_for(b->tiles) <= 64 && block_key_bits(b) <= 64;
}

/*
 * Whether sums run over tiles: the sum of a chunk costs about as much as a gather from the cache and half as much as
 * one from memory, and the columns in it cost little. Where values come from the cache, chunks of one column each
 * (equal degrees, no hubs) gain nothing.
 */
static bool tiles_pay(const cuda_tile_build *b)
{
    return b->chunks <= b->entries / 100 * SUM_CHUNKS_PERCENT ||
           b->of.columns * sizeof(double) > SUM_CACHED_BYTES;
}

static sl_status make(cuda_scratch *s, cuda_tile_build *b, struct cuda_sum_tiles *made)
{
    uint64_t *other;
    CUDA_TRY(sort_chunks(s, b, &other));
    CUDA_TRY(number_slices(s, b, made));
    CUDA_TRY(fill_slices(s, b, made));
    CUDA_TRY(divide_rows(s, b, made));
    CUDA_TRY(find_sources(s, b, &other, made));
    made->view = (cuda_sum_tiles_view){.tile_columns = b->tile_columns,
                                       .tiles = b->tiles,
                                       .rows = b->rows,
                                       .chunks = (uint32_t)b->chunks,
                                       .slices = b->slices,
                                       .tile_slice = made->tile_slice,
                                       .slice_end = made->slice_end,
                                       .ends = made->ends,
                                       .column = made->column,
                                       .blocks = cuda_processors(),
                                       .row_blocks = b->row_blocks,
                                       .staged = b->staged,
                                       .row_block = made->row_block,
                                       .row_chunk = made->row_chunk,
                                       .source = made->source,
                                       .slot = made->slot};
    return divide(s, made);
}

static sl_status build(cuda_scratch *s, cuda_tile_build *b, struct cuda_sum_tiles *made,
                       bool always)
{
    CUDA_TRY(choose_sizes(s->call->ctx, b));
    b->rows = b->of.listed;
    b->tiles = b->of.columns / b->tile_columns + 1;
    if (b->rows == 0)
        return SL_OK;
    CUDA_TRY(count_columns(s, b));
    if (b->entries > sl_cuda_free_bytes() / 2)
        return SL_OK;
    CUDA_TRY(find_segments(s, b));
    if (bytes_needed(b) > sl_cuda_free_bytes())
        return SL_OK;
    CUDA_TRY(measure_segments(s, b));
    b->row_blocks = (uint32_t)(b->chunks / b->block_chunks + 1);
    if (!tiles_are_possible(b) || !(always || tiles_pay(b)))
        return SL_OK;
    return make(s, b, made);
}

sl_status sl_cuda_make_tiles(sl_call *call, struct cuda_sum_tiles **tiles,
                             const cuda_sum_rows *rows, bool always)
{
    cuda_scratch s = {.call = call};
    cuda_tile_build b = {.of = *rows};
    struct cuda_sum_tiles *made = sl_calloc(1, sizeof *made);
    if (!made)
        return cuda_no_host_memory(call->ctx);
    const sl_status status = build(&s, &b, made, always);
    sl_cuda_scratch_release(&s);
    if (status == SL_OK)
        *tiles = made;
    else
        sl_cuda_free_sum_tiles(made);
    return status;
}
