/* The construction of tiles (sum_tiles.h). O(entries) time and scratch. */
#include "cuda/products/make_tiles.h"

#include "cuda/data/object_kernels.h"
#include "cuda/products/tile_pieces.h"
#include "cuda/reorder/reordered_graph.h"
#include "cuda/runtime/sorting.h"

/* Owns the arrays of the view. */
struct cuda_sum_tiles {
    cuda_sum_tiles_view view;
    uint32_t *tile_slice, *slice_end, *ends, *column, *block_slice, *row_block, *row_chunk, *source;
    uint16_t *slot;
    void *value;
    uint64_t bytes; /* of the arrays above */
};

const cuda_sum_tiles_view *sl_cuda_sum_tiles_view(const struct cuda_sum_tiles *tiles)
{
    return &tiles->view;
}

uint64_t sl_cuda_sum_tiles_bytes(const struct cuda_sum_tiles *tiles)
{
    return tiles->bytes;
}

static void free_arrays(struct cuda_sum_tiles *tiles)
{
    sl_cuda_free(tiles->tile_slice);
    sl_cuda_free(tiles->slice_end);
    sl_cuda_free(tiles->ends);
    sl_cuda_free(tiles->column);
    sl_cuda_free(tiles->block_slice);
    sl_cuda_free(tiles->row_block);
    sl_cuda_free(tiles->row_chunk);
    sl_cuda_free(tiles->source);
    sl_cuda_free(tiles->slot);
    sl_cuda_free(tiles->value);
    *tiles = (struct cuda_sum_tiles){.bytes = 0};
}

void sl_cuda_free_sum_tiles(struct cuda_sum_tiles *tiles)
{
    if (tiles)
        free_arrays(tiles);
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
    const uint64_t lengths = (uint64_t)b->tiles * TILE_LENGTHS * sizeof *b->tile_chunks;
    b->words = cuda_words(b->entries);
    CUDA_TRY(sl_cuda_scratch_take(s, &b->heads, b->words * sizeof *b->heads));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->word_ends, b->words * sizeof *b->word_ends));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->tile_chunks, lengths));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, b->tile_chunks, lengths));
    CUDA_TRY(cuda_launched(s, "kernel mark_segments", sl_cuda_tiles_mark(b)));
    CUDA_TRY(cuda_launched(s, "kernel count_chunks", sl_cuda_tiles_count(b)));
    return sum_counts(s, b->word_ends, b->words, &b->chunks);
}

static void free_counts(cuda_tile_counts *h)
{
    sl_free(h->first);
    sl_free(h->slice);
    sl_free(h->block);
}

/* Counts the chunks and slices of tiles, from tile_chunks. */
static sl_status number_slices(cuda_scratch *s, cuda_tile_build *b, cuda_tile_counts *h)
{
    sl_context *ctx = s->call->ctx;
    const uint64_t lengths = (uint64_t)b->tiles * TILE_LENGTHS;
    uint32_t *count = sl_malloc(lengths * sizeof *count);
    h->first = sl_calloc((uint64_t)b->tiles + 1, sizeof *h->first);
    h->slice = sl_calloc((uint64_t)b->tiles + 1, sizeof *h->slice);
    sl_status status = count && h->first && h->slice ? SL_OK : cuda_no_host_memory(ctx);
    if (status == SL_OK)
        status = sl_cuda_download(ctx, count, b->tile_chunks, lengths * sizeof *count);
    if (status == SL_OK)
        status = sl_cuda_wait(ctx, "kernel count_chunks");
    for (uint32_t t = 0; status == SL_OK && t < b->tiles; t++) {
        uint32_t chunks = 0;
        for (int k = 0; k < TILE_LENGTHS; k++)
            chunks += count[(uint64_t)t * TILE_LENGTHS + k];
        h->first[t + 1] = h->first[t] + chunks;
        h->slice[t + 1] = h->slice[t] + (chunks + 31) / 32;
    }
    b->slices = status == SL_OK ? h->slice[b->tiles] : 0;
    sl_free(count);
    return status;
}

/* Copies the counts of tiles to the device, and finds how many steps the slices have. */
static sl_status measure_slices(cuda_scratch *s, cuda_tile_build *b, const cuda_tile_counts *h,
                                struct cuda_sum_tiles *made, uint64_t *steps)
{
    sl_context *ctx = s->call->ctx;
    const uint64_t bytes = ((uint64_t)b->tiles + 1) * sizeof(uint32_t);
    CUDA_TRY(sl_cuda_scratch_take(s, &b->tile_first, bytes));
    CUDA_TRY(keep(s, made, &made->tile_slice, bytes));
    b->tile_slice = made->tile_slice;
    CUDA_TRY(sl_cuda_upload(ctx, b->tile_first, h->first, bytes));
    CUDA_TRY(sl_cuda_upload(ctx, b->tile_slice, h->slice, bytes));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->width_ends, b->slices * sizeof *b->width_ends));
    CUDA_TRY(cuda_launched(s, "kernel slice_widths", sl_cuda_tiles_widths(b)));
    return sum_counts(s, b->width_ends, b->slices, steps); /* waits for the uploads */
}

static sl_status divide_rows(cuda_scratch *s, cuda_tile_build *b, cuda_tile_counts *h,
                             struct cuda_sum_tiles *made)
{
    sl_context *ctx = s->call->ctx;
    const uint64_t bytes = ((uint64_t)b->row_blocks + 1) * sizeof(uint32_t);
    CUDA_TRY(keep(s, made, &made->row_chunk, ((uint64_t)b->rows + 1) * sizeof *made->row_chunk));
    CUDA_TRY(keep(s, made, &made->row_block, bytes));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->block_first, bytes));
    b->row_chunk = made->row_chunk;
    b->row_block = made->row_block;
    CUDA_TRY(cuda_launched(s, "kernel row_chunks", sl_cuda_tiles_rows(b)));
    h->block = sl_malloc(bytes);
    if (!h->block)
        return cuda_no_host_memory(ctx);
    CUDA_TRY(sl_cuda_download(ctx, h->block, b->block_first, bytes));
    return sl_cuda_wait(ctx, "kernel row_chunks");
}

static sl_status keep_columns(cuda_scratch *s, cuda_tile_build *b, struct cuda_sum_tiles *made,
                              uint64_t steps)
{
    const uint64_t words = steps / 32 + 2; /* the kernel reads two at once */
    CUDA_TRY(keep(s, made, &made->column, steps * 32 * sizeof *made->column));
    CUDA_TRY(keep(s, made, &made->slice_end, b->slices * sizeof *made->slice_end));
    CUDA_TRY(keep(s, made, &made->ends, words * sizeof *made->ends));
    CUDA_TRY(keep(s, made, &made->source, b->chunks * sizeof *made->source));
    CUDA_TRY(keep(s, made, &made->slot, b->chunks * sizeof *made->slot));
    if (b->of.value_size)
        CUDA_TRY(keep(s, made, &made->value, steps * 64 * b->of.value_size));
    b->value = made->value;
    b->source = made->source;
    b->slot = made->slot;
    CUDA_TRY(sl_cuda_zero(s->call->ctx, made->ends, words * sizeof *made->ends));
    return cuda_launched(s, "kernel to_32_bits",
                         sl_cuda_to_32_bits(made->slice_end, b->width_ends, b->slices));
}

static sl_status divide(cuda_scratch *s, struct cuda_sum_tiles *made)
{
    CUDA_TRY(
        keep(s, made, &made->block_slice, (made->view.blocks + 1) * sizeof *made->block_slice));
    CUDA_TRY(cuda_launched(s, "kernel divide_slices",
                           sl_cuda_tiles_divide(&made->view, made->block_slice)));
    made->view.block_slice = made->block_slice;
    return SL_OK;
}

/* ---- the choice ------------------------------------------------------------------------- */

/* Whether numbers of chunks, slices and steps fit in 32 bits. */
static bool tiles_are_possible(const cuda_tile_build *b)
{
    return b->chunks + 32 * ((uint64_t)b->tiles + 1) < UINT32_MAX && b->entries / 32 < UINT32_MAX;
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

static sl_status make(cuda_scratch *s, cuda_tile_build *b, cuda_tile_counts *h,
                      struct cuda_sum_tiles *made, const cuda_switches *on)
{
    uint64_t steps;
    CUDA_TRY(number_slices(s, b, h));
    CUDA_TRY(measure_slices(s, b, h, made, &steps));
    CUDA_TRY(divide_rows(s, b, h, made));
    sl_cuda_choose_tile_pieces(b, h, steps, on->pieces);
    if (b->piece_chunks == 0)
        return SL_OK;
    CUDA_TRY(keep_columns(s, b, made, steps));
    CUDA_TRY(sl_cuda_fill_tile_pieces(s, b, h, made->column, made->ends));
    made->view = (cuda_sum_tiles_view){.tile_columns = b->tile_columns,
                                       .tiles = b->tiles,
                                       .rows = b->rows,
                                       .chunks = (uint32_t)b->chunks,
                                       .slices = b->slices,
                                       .tile_slice = made->tile_slice,
                                       .slice_end = made->slice_end,
                                       .ends = made->ends,
                                       .column = made->column,
                                       .value = made->value,
                                       .blocks = cuda_processors(),
                                       .row_blocks = b->row_blocks,
                                       .staged = b->staged,
                                       .row_block = made->row_block,
                                       .row_chunk = made->row_chunk,
                                       .source = made->source,
                                       .slot = made->slot};
    return divide(s, made);
}

static sl_status build(cuda_scratch *s, cuda_tile_build *b, cuda_tile_counts *h,
                       struct cuda_sum_tiles *made, const cuda_switches *on)
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
    b->row_blocks = (uint32_t)(b->chunks / b->block_chunks + 1);
    if (!tiles_are_possible(b) || !(on->all_tiles || tiles_pay(b)))
        return SL_OK;
    return make(s, b, h, made, on);
}

sl_status sl_cuda_make_tiles(sl_call *call, struct cuda_sum_tiles **tiles,
                             const cuda_sum_rows *rows, uint64_t released, const cuda_switches *on)
{
    cuda_scratch s = {.call = call};
    cuda_tile_build b = {.of = *rows, .released = released};
    cuda_tile_counts h = {.first = NULL};
    struct cuda_sum_tiles *made = sl_calloc(1, sizeof *made);
    if (!made)
        return cuda_no_host_memory(call->ctx);
    const sl_status status = build(&s, &b, &h, made, on);
    sl_cuda_scratch_release(&s);
    free_counts(&h);
    if (status == SL_OK && made->view.chunks == 0)
        free_arrays(made);
    if (status == SL_OK)
        *tiles = made;
    else
        sl_cuda_free_sum_tiles(made);
    return status;
}
