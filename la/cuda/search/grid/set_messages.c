/* Encoding and decoding of sets of vertices on the device: see set_messages.h. */
#include "cuda/search/grid/set_messages.h"

void sl_cuda_set_workspace_free(cuda_set_workspace *c)
{
    sl_cuda_arena_release(&c->arena);
    sl_cuda_free(c->failed);
    *c = (cuda_set_workspace){0};
}

#define TRY(what, call) CUDA_TRY(sl_cuda_status(ctx, what, call))

/* Counts the ids of each tile of a bitmap, and sums them up in *before: one number for each tile, and their total. If
 * `failed` is not NULL, bits beyond the limit set it. */
static sl_status sum_tiles(unsigned long long **before, cuda_set_workspace *c, sl_context *ctx,
                           const uint32_t *bits, uint64_t limit, unsigned *failed)
{
    const uint64_t count = (limit + 32 * IDS_TILE - 1) / (32 * IDS_TILE) + 1;
    size_t cub_bytes;
    void *cub;
    TRY("scratch of a scan", sl_cuda_exclusive_sum(NULL, &cub_bytes, NULL, count));
    const cuda_array arrays[] = {{before, count * sizeof **before}, {&cub, cub_bytes}};
    CUDA_TRY(sl_cuda_arena_arrays(ctx, &c->arena, arrays, sizeof arrays / sizeof *arrays));
    TRY("kernel count_ids", sl_cuda_count_ids(*before, bits, limit, failed));
    return sl_cuda_status(ctx, "scan", sl_cuda_exclusive_sum(cub, &cub_bytes, *before, count));
}

/* ---- writing -------------------------------------------------------------------------------- */

sl_status sl_cuda_encode_set(cuda_set_workspace *c, sl_context *ctx, uint8_t *out, cuda_set *set,
                             const uint32_t *bits)
{
    unsigned long long *before;
    if (set->form == SL_GROUP_BITMAP) {
        set->bytes = (set->limit + 7) / 8;
        return sl_cuda_copy(ctx, out, bits, set->bytes);
    }
    set->bytes = set->count * sizeof(uint32_t);
    if (set->count == 0)
        return SL_OK;
    CUDA_TRY(sum_tiles(&before, c, ctx, bits, set->limit, NULL));
    return sl_cuda_status(ctx, "kernel write_ids",
                          sl_cuda_write_ids((uint32_t *)out, bits, set->limit, before, set->count));
}

/* ---- reading ------------------------------------------------------------------------------- */

static sl_status fail(cuda_set_workspace *c, sl_context *ctx)
{
    return sl_cuda_status(ctx, "cudaMemsetAsync",
                          cudaMemsetAsync(c->failed, 1, sizeof *c->failed, cuda_stream()));
}

static sl_status decode_bitmap(cuda_set_workspace *c, sl_context *ctx, uint32_t *bits,
                               const uint32_t *in, const cuda_set *set)
{
    unsigned long long *before;
    const uint64_t tiles = (set->limit + 32 * IDS_TILE - 1) / (32 * IDS_TILE);
    if (set->bytes != (set->limit + 7) / 8)
        return fail(c, ctx);
    if (set->limit == 0)
        return SL_OK;
    CUDA_TRY(sum_tiles(&before, c, ctx, in, set->limit, c->failed));
    TRY("kernel check_count", sl_cuda_check_count(before + tiles, set->count, c->failed));
    return sl_cuda_status(ctx, "kernel merge_bits", sl_cuda_merge_bits(bits, in, set->limit));
}

static sl_status decode_list(cuda_set_workspace *c, sl_context *ctx, uint32_t *bits,
                             const uint32_t *in, const cuda_set *set)
{
    if (set->bytes != set->count * sizeof(uint32_t))
        return fail(c, ctx);
    if (set->count == 0)
        return SL_OK;
    return sl_cuda_status(ctx, "kernel set_listed_bits",
                          sl_cuda_set_listed_bits(bits, in, set->count, set->limit, c->failed));
}

sl_status sl_cuda_decode_begin(cuda_set_workspace *c, sl_context *ctx)
{
    if (!c->failed)
        CUDA_TRY(sl_cuda_alloc(ctx, (void **)&c->failed, sizeof *c->failed));
    return sl_cuda_zero(ctx, c->failed, sizeof *c->failed);
}

sl_status sl_cuda_decode_set(cuda_set_workspace *c, sl_context *ctx, uint32_t *bits,
                             const uint8_t *in, const cuda_set *set)
{
    if ((unsigned)set->form >= SL_GROUP_CODECS || set->count > set->limit)
        return fail(c, ctx);
    return (set->form == SL_GROUP_BITMAP ? decode_bitmap : decode_list)(c, ctx, bits,
                                                                        (const uint32_t *)in, set);
}

sl_status sl_cuda_decode_end(cuda_set_workspace *c, sl_context *ctx)
{
    unsigned failed = 0;
    CUDA_TRY(sl_cuda_fetch(ctx, "reading of messages", &failed, c->failed, sizeof failed));
    return failed
               ? sl_fail(ctx, SL_ENGINE_FAULT,
                         "cuda: a message of another process is invalid: its size or its ids are "
                         "wrong")
               : SL_OK;
}
