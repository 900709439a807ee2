/* The construction of tiles piece by piece: how large a piece may be, its keys, its part of the result. */
#include "cuda/products/tile_pieces.h"

#include "cuda/operations/generator.h"
#include "cuda/runtime/sorting.h"

/* The end of the piece that begins with item `first` of `items`: it has at most `room` counts, of
 * which ends[k] belong to the items before k, and at most `most` items. */
static uint32_t end_of_piece(const uint32_t *ends, uint32_t first, uint32_t items, uint64_t room,
                             uint32_t most)
{
    uint32_t last = first + 1;
    while (last < items && last - first < most && ends[last + 1] - ends[first] <= room)
        last++;
    return last;
}

/* The chunks of the largest tile or row block, which is not divided. */
static uint64_t largest_item(const cuda_tile_build *b, const cuda_tile_counts *h)
{
    uint64_t most = 0;
    for (uint32_t t = 0; t < b->tiles; t++)
        most = h->first[t + 1] - h->first[t] > most ? h->first[t + 1] - h->first[t] : most;
    for (uint32_t k = 0; k < b->row_blocks; k++)
        most = h->block[k + 1] - h->block[k] > most ? h->block[k + 1] - h->block[k] : most;
    return most;
}

/* Bytes of scratch for each chunk of a piece: its arrays, and what CUB takes for a sort. */
enum { PIECE_BYTES = 34 };

void sl_cuda_choose_tile_pieces(cuda_tile_build *b, const cuda_tile_counts *h, uint64_t steps,
                                double asked)
{
    const uint64_t result = steps * 32 * (sizeof(uint32_t) + 2 * b->of.value_size) + steps / 8 +
                            b->slices * sizeof(uint32_t) +
                            b->chunks * (sizeof(uint32_t) + sizeof(uint16_t));
    const uint64_t product = (32 * (uint64_t)b->slices + b->of.columns) * sizeof(double);
    const uint64_t released = b->released + b->words * (sizeof(uint32_t) + sizeof(uint64_t));
    const uint64_t taken = result + b->words * sizeof *b->piece_ends;
    const uint64_t bytes = sl_cuda_free_bytes(), largest = largest_item(b, h);
    uint64_t least = b->chunks / SUM_PIECES + 1, most = b->chunks;
    least = largest > least ? largest : least;
    b->piece_chunks = 0;
    if (taken + least * PIECE_BYTES > bytes || result + product > bytes + released)
        return;
    if (asked > 0)
        most = (uint64_t)((double)b->chunks / asked);
    else if (taken + most * PIECE_BYTES > bytes)
        most = (bytes - taken) / PIECE_BYTES;
    b->piece_chunks = most > largest ? most : largest;
}

/* Sorts `count` keys by their bits from `from` to bits - 1; `other` has as much room, and the result may be there. */
static sl_status sort_keys(cuda_scratch *s, uint64_t **keys, uint64_t **other, uint64_t count,
                           unsigned from, unsigned bits)
{
    uint64_t *sorted;
    const cuda_sort sort = {
        .keys = *keys, .other = *other, .count = count, .from = from, .bits = bits};
    CUDA_TRY(sl_cuda_sort_entries(s->call->ctx, &s->arena, &sort, &sorted));
    *other = sorted == *keys ? *other : *keys;
    *keys = sorted;
    return SL_OK;
}

static sl_status fill_piece(cuda_scratch *s, cuda_tile_build *b, const cuda_tile_counts *h,
                            uint64_t **other, uint32_t *column, uint32_t *ends)
{
    const uint64_t count = h->first[b->last] - h->first[b->first];
    if (count == 0)
        return SL_OK;
    if (count < b->chunks) {
        CUDA_TRY(cuda_launched(s, "kernel count_piece", sl_cuda_tiles_count_piece(b)));
        CUDA_TRY(sl_cuda_sum_ends(s->call->ctx, &s->arena, b->piece_ends, b->words));
    }
    CUDA_TRY(cuda_launched(s, "kernel chunk_keys", sl_cuda_tiles_keys(b)));
    CUDA_TRY(sort_keys(s, &b->key, other, count, KEY_SHORTNESS,
                       KEY_TILE + sl_cuda_bits_for(b->last - b->first)));
    return cuda_launched(s, "kernel fill_columns", sl_cuda_tiles_columns(b, column, ends));
}

static sl_status place_piece(cuda_scratch *s, cuda_tile_build *b, const cuda_tile_counts *h,
                             uint64_t **other)
{
    const uint64_t count = h->block[b->last] - h->block[b->first];
    if (count == 0)
        return SL_OK;
    CUDA_TRY(cuda_launched(s, "kernel block_keys", sl_cuda_tiles_block_keys(b, count)));
    CUDA_TRY(sort_keys(s, &b->key, other, count, KEY_PARTIAL,
                       KEY_BLOCK + 1 + sl_cuda_bits_for(b->last - b->first)));
    return cuda_launched(s, "kernel sources", sl_cuda_tiles_sources(b, count));
}

sl_status sl_cuda_fill_tile_pieces(cuda_scratch *s, cuda_tile_build *b, const cuda_tile_counts *h,
                                   uint32_t *column, uint32_t *ends)
{
    const uint64_t room = b->piece_chunks;
    uint64_t *other;
    b->piece_ends = b->word_ends;
    if (room < b->chunks)
        CUDA_TRY(sl_cuda_scratch_take(s, &b->piece_ends, b->words * sizeof *b->piece_ends));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->key, room * sizeof *b->key));
    CUDA_TRY(sl_cuda_scratch_take(s, &other, room * sizeof *other));
    CUDA_TRY(sl_cuda_scratch_take(s, &b->chunk, room * sizeof *b->chunk));
    for (b->first = 0; b->first < b->tiles; b->first = b->last) {
        b->last = end_of_piece(h->first, b->first, b->tiles, room, b->tiles);
        CUDA_TRY(fill_piece(s, b, h, &other, column, ends));
    }
    for (b->first = 0; b->first < b->row_blocks; b->first = b->last) {
        b->last = end_of_piece(h->block, b->first, b->row_blocks, room, KEY_MAX_BLOCKS);
        CUDA_TRY(place_piece(s, b, h, &other));
    }
    return SL_OK;
}
