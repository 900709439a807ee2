/* The construction of tiles (sum_tiles.h). O(entries) time and scratch. */
#include "make_tiles.h"

#include "object_kernels.h"
#include "reordered_graph.h"
#include "sorting.h"

/* Owns the arrays of the view. */
struct cuda_sum_tiles {
    cuda_sum_tiles_view view;
    uint32_t *tile_slice, *slice_end, *column, *block_slice, *list_start, *list;
    uint64_t bytes; /* of column and list */
};

const cuda_sum_tiles_view *sl_cuda_sum_tiles_view(const struct cuda_sum_tiles *tiles)
{
    return &tiles->view;
}

uint64_t sl_cuda_sum_tiles_bytes(const struct cuda_sum_tiles *tiles)
{
    return tiles->bytes + ((uint64_t)tiles->view.tiles + tiles->view.slices + tiles->view.rows +
                           tiles->view.blocks) *
                              sizeof(uint32_t);
}

void sl_cuda_free_sum_tiles(struct cuda_sum_tiles *tiles)
{
    if (!tiles)
        return;
    sl_cuda_free(tiles->tile_slice);
    sl_cuda_free(tiles->slice_end);
    sl_cuda_free(tiles->column);
    sl_cuda_free(tiles->block_slice);
    sl_cuda_free(tiles->list_start);
    sl_cuda_free(tiles->list);
    sl_free(tiles);
}

/* ---- steps of the construction -------------------------------------------------------- */

/* Columns whose fp64 values, and one more, fit in a block's shared memory. */
static sl_status tile_columns(sl_context *ctx, uint32_t *columns)
{
    int bytes = 0;
    CUDA_TRY(sl_cuda_status(ctx, "cudaDeviceGetAttribute",
                            cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                                   sl_cuda_device()->number)));
    const uint32_t most = (uint32_t)bytes / sizeof(double) - 1;
    *columns = most < SUM_TILE_COLUMNS ? most / 32 * 32 : SUM_TILE_COLUMNS;
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

/* items: list entries of all rows. */
static sl_status measure_segments(cuda_scratch *s, cuda_tile_build *b, uint64_t *items)
{
    CUDA_TRY(sl_cuda_scratch_take(s, &b->item_ends, b->segments * sizeof *b->item_ends));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->chunk_ends, b->segments * sizeof *b->chunk_ends));
    CUDA_TRY(cuda_launched(s, "kernel measure_segments",
                           sl_cuda_tiles_measure(b, cuda_processors(), cuda_stream())));
    CUDA_TRY(sum_counts(s, b->item_ends, b->segments, items));
    return sum_counts(s, b->chunk_ends, b->segments, &b->chunks);
}

static sl_status sort_chunks(cuda_scratch *s, cuda_tile_build *b)
{
    unsigned bits = 40;
    uint64_t *other, *sorted;
    while (b->tiles >> (bits - 40))
        bits++;
    CUDA_TRY(sl_cuda_scratch_take(s, &b->key, b->chunks * sizeof *b->key));
    CUDA_TRY(sl_cuda_scratch_take(s, &other, b->chunks * sizeof *other));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->chunk_begin, b->chunks * sizeof *b->chunk_begin));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->chunk_stride, b->chunks * sizeof *b->chunk_stride));
    CUDA_TRY(cuda_launched(s, "kernel chunk_keys",
                           sl_cuda_tiles_keys(b, cuda_processors(), cuda_stream())));
    CUDA_TRY(
        sl_cuda_sort_entries(s->call->ctx, &s->arena, b->key, other, b->chunks, 0, bits, &sorted));
    b->key = sorted;
    return SL_OK;
}

/* Sets tile_first, and tile_slice and slices from it. */
static sl_status number_slices(cuda_scratch *s, cuda_tile_build *b, struct cuda_sum_tiles *made)
{
    sl_context *ctx = s->call->ctx;
    const uint64_t bytes = ((uint64_t)b->tiles + 1) * sizeof(uint32_t);
    CUDA_TRY(sl_cuda_scratch_take(s, &b->tile_first, bytes));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&made->tile_slice, bytes));
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
    sl_context *ctx = s->call->ctx;
    const unsigned processors = cuda_processors();
    uint64_t steps;
    CUDA_TRY(sl_cuda_scratch_take(s, &b->place, b->chunks * sizeof *b->place));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->width_ends, b->slices * sizeof *b->width_ends));
    CUDA_TRY(cuda_launched(s, "kernel slice_widths",
                           sl_cuda_tiles_widths(b, processors, cuda_stream())));
    CUDA_TRY(sum_counts(s, b->width_ends, b->slices, &steps));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&made->column, steps * 32 * sizeof *made->column));
    made->bytes += steps * 32 * sizeof *made->column;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&made->slice_end, b->slices * sizeof *made->slice_end));
    CUDA_TRY(cuda_launched(s, "kernel fill_columns",
                           sl_cuda_tiles_columns(b, made->column, processors, cuda_stream())));
    return cuda_launched(
        s, "kernel to_32_bits",
        sl_cuda_to_32_bits(made->slice_end, b->width_ends, b->slices, cuda_stream()));
}

static sl_status fill_lists(cuda_scratch *s, cuda_tile_build *b, struct cuda_sum_tiles *made,
                            uint64_t items)
{
    sl_context *ctx = s->call->ctx;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&made->list, items * sizeof *made->list));
    made->bytes += items * sizeof *made->list;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&made->list_start,
                           ((uint64_t)b->rows + 1) * sizeof *made->list_start));
    return cuda_launched(
        s, "kernel fill_lists",
        sl_cuda_tiles_lists(b, made->list_start, made->list, cuda_processors(), cuda_stream()));
}

static sl_status divide(cuda_scratch *s, struct cuda_sum_tiles *made)
{
    CUDA_TRY(sl_cuda_alloc(s->call->ctx, (void **)&made->block_slice,
                           (made->view.blocks + 1) * sizeof *made->block_slice));
    CUDA_TRY(cuda_launched(s, "kernel divide_slices",
                           sl_cuda_tiles_divide(&made->view, made->block_slice, cuda_stream())));
    made->view.block_slice = made->block_slice;
    return SL_OK;
}

/* ---- the choice ------------------------------------------------------------------------- */

/* Device bytes that the construction takes once the segments are counted, and those of the result. */
static uint64_t bytes_needed(const cuda_tile_build *b)
{
    return b->segments * 8 * sizeof(uint64_t) + b->entries * 3;
}

/* Whether the ids of list entries and the offsets of steps fit in 32 bits, and there are chunks. */
static bool tiles_are_possible(const cuda_tile_build *b)
{
    return b->chunks > 0 &&
           b->of.columns + 32 * ((uint64_t)b->tiles + 1) + b->chunks < UINT32_MAX &&
           b->entries / 32 < UINT32_MAX;
}

/*
 * Whether sums run over tiles. The cost is that of gathers: a listed value comes from the L2 cache,
 * which a column in a chunk replaces by one from shared memory, about six times as fast. Lists that
 * keep most columns (equal degrees, no hubs) gain nothing.
 */
static bool tiles_pay(const cuda_tile_build *b, uint64_t items)
{
    return items <= b->entries / 100 * SUM_LISTED_PERCENT;
}

static sl_status build(cuda_scratch *s, cuda_tile_build *b, struct cuda_sum_tiles *made,
                       bool always)
{
    uint64_t items;
    CUDA_TRY(tile_columns(s->call->ctx, &b->tile_columns));
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
    CUDA_TRY(measure_segments(s, b, &items));
    if (!tiles_are_possible(b) || !(always || tiles_pay(b, items)))
        return SL_OK;
    CUDA_TRY(sort_chunks(s, b));
    CUDA_TRY(number_slices(s, b, made));
    CUDA_TRY(fill_slices(s, b, made));
    CUDA_TRY(fill_lists(s, b, made, items));
    made->view = (cuda_sum_tiles_view){.tile_columns = b->tile_columns,
                                       .tiles = b->tiles,
                                       .rows = b->rows,
                                       .slices = b->slices,
                                       .tile_slice = made->tile_slice,
                                       .slice_end = made->slice_end,
                                       .column = made->column,
                                       .blocks = cuda_processors(),
                                       .list_start = made->list_start,
                                       .list = made->list};
    return divide(s, made);
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
