/* Encoding and decoding of vertex sets on the device: see codecs.h. */
#include "codecs.h"

/* ---- work space -------------------------------------------------------------------------- */

void sl_cuda_codec_workspace_free(cuda_codec_workspace *c)
{
    sl_cuda_arena_release(&c->arena);
    sl_cuda_free(c->failed);
    *c = (cuda_codec_workspace){0};
}

/* Places an array of cuda_array in the workspace. */
#define TAKE_ARRAYS(c, ctx, arrays)                                                                \
    sl_cuda_arena_arrays(ctx, &(c)->arena, arrays, sizeof(arrays) / sizeof *(arrays))

#define TRY(what, call) CUDA_TRY(sl_cuda_status(ctx, what, call))

static uint64_t tiles_of(uint64_t limit)
{
    return (limit + 32 * IDS_TILE - 1) / (32 * IDS_TILE);
}

/* Numbers to be replaced by their exclusive prefix sums, with CUB's scratch. */
typedef struct {
    unsigned long long *numbers;
    void *cub;
    size_t cub_bytes;
} sums;

static sl_status measure_sums(sl_context *ctx, sums *s, uint64_t count)
{
    return sl_cuda_status(ctx, "scratch of a scan",
                          sl_cuda_exclusive_sum(NULL, &s->cub_bytes, NULL, count, cuda_stream()));
}

static sl_status sum(sl_context *ctx, sums *s, uint64_t count)
{
    return sl_cuda_status(
        ctx, "scan",
        sl_cuda_exclusive_sum(s->cub, &s->cub_bytes, s->numbers, count, cuda_stream()));
}

/* ---- heads --------------------------------------------------------------------------------- */

unsigned sl_cuda_head_length(uint64_t count)
{
    unsigned length = 2;
    for (; count > 127; count >>= 7)
        length++;
    return length;
}

/* The codec, then the count in groups of seven bits, low ones first, with continuation bits. */
static uint64_t head_of(const cuda_message *m)
{
    uint64_t head = (uint64_t)m->codec, count = m->count;
    unsigned shift = 8;
    for (; count > 127; count >>= 7, shift += 8)
        head |= ((count & 127) | 128) << shift;
    return head | count << shift;
}

/* ---- ids of bits --------------------------------------------------------------------------- */

/* Lists the ids of a bitmap, at most m->count. With `checked`, bits beyond the limit or another
 * number of bits than m->count set the workspace's failed flag. */
static sl_status list_bits(cuda_codec_workspace *c, sl_context *ctx, uint32_t *list,
                           const uint32_t *bits, const cuda_message *m, sums *s, bool checked)
{
    const uint64_t tiles = tiles_of(m->limit);
    unsigned *failed = checked ? c->failed : NULL;
    TRY("kernel count_ids",
        sl_cuda_count_ids(s->numbers, bits, m->limit, failed, cuda_processors(), cuda_stream()));
    CUDA_TRY(sum(ctx, s, tiles + 1));
    if (checked)
        TRY("kernel check_count",
            sl_cuda_check_count(s->numbers + tiles, m->count, failed, cuda_stream()));
    if (!list)
        return SL_OK;
    return sl_cuda_status(ctx, "kernel write_ids",
                          sl_cuda_write_ids(list, bits, m->limit, s->numbers, m->count,
                                            cuda_processors(), cuda_stream()));
}

static sl_status list_bits_alone(cuda_codec_workspace *c, sl_context *ctx, uint32_t *list,
                                 const uint32_t *bits, const cuda_message *m, bool checked)
{
    const uint64_t count = tiles_of(m->limit) + 1;
    sums s = {0};
    CUDA_TRY(measure_sums(ctx, &s, count));
    const cuda_array arrays[] = {{&s.numbers, count * sizeof *s.numbers}, {&s.cub, s.cub_bytes}};
    CUDA_TRY(TAKE_ARRAYS(c, ctx, arrays));
    return list_bits(c, ctx, list, bits, m, &s, checked);
}

/* ---- writing -------------------------------------------------------------------------------- */

static sl_status write_bitmap(cuda_codec_workspace *c, sl_context *ctx, uint8_t *out,
                              cuda_message *m, const uint32_t *bits)
{
    m->bytes = (m->limit + 7) / 8;
    return sl_cuda_copy(ctx, out, bits, m->bytes);
}

static sl_status write_list(cuda_codec_workspace *c, sl_context *ctx, uint8_t *out, cuda_message *m,
                            const uint32_t *bits)
{
    m->bytes = m->count * sizeof(uint32_t);
    return list_bits_alone(c, ctx, (uint32_t *)out, bits, m, false);
}

/* Scratch: the ids, the lengths of their groups and where each group begins. */
static sl_status write_vlq(cuda_codec_workspace *c, sl_context *ctx, uint8_t *out, cuda_message *m,
                           const uint32_t *bits)
{
    const uint64_t groups = sl_cuda_vlq_groups(m->count), tiles = tiles_of(m->limit);
    sums ids = {0}, lengths = {0};
    uint32_t *list = NULL;
    CUDA_TRY(measure_sums(ctx, &ids, tiles + 1));
    CUDA_TRY(measure_sums(ctx, &lengths, groups + 1));
    const cuda_array arrays[] = {{&list, m->count * sizeof *list},
                                 {&ids.numbers, (tiles + 1) * sizeof *ids.numbers},
                                 {&ids.cub, ids.cub_bytes},
                                 {&lengths.numbers, (groups + 1) * sizeof *lengths.numbers},
                                 {&lengths.cub, lengths.cub_bytes}};
    CUDA_TRY(TAKE_ARRAYS(c, ctx, arrays));
    CUDA_TRY(list_bits(c, ctx, list, bits, m, &ids, false));
    TRY("kernel vlq_lengths",
        sl_cuda_vlq_lengths(lengths.numbers, list, m->count, cuda_processors(), cuda_stream()));
    CUDA_TRY(sum(ctx, &lengths, groups + 1));
    TRY("kernel vlq_write",
        sl_cuda_vlq_write(out, lengths.numbers, list, m->count, cuda_processors(), cuda_stream()));
    return sl_cuda_fetch(ctx, "kernel vlq_write", &m->bytes, lengths.numbers + groups,
                         sizeof m->bytes);
}

sl_status sl_cuda_encode(cuda_codec_workspace *c, sl_context *ctx, uint8_t *slot, cuda_message *m,
                         const uint32_t *bits)
{
    static sl_status (*const write[SL_GROUP_CODECS])(
        cuda_codec_workspace *, sl_context *, uint8_t *, cuda_message *, const uint32_t *) = {
        [SL_GROUP_BITMAP] = write_bitmap, [SL_GROUP_LIST] = write_list, [SL_GROUP_VLQ] = write_vlq};
    const unsigned length = sl_cuda_head_length(m->count);
    m->bytes = 0;
    TRY("kernel put_head",
        sl_cuda_put_head(slot + SLOT_HEAD - length, head_of(m), length, cuda_stream()));
    if (m->count == 0 && m->codec != SL_GROUP_BITMAP)
        return SL_OK;
    return write[m->codec](c, ctx, slot + SLOT_HEAD, m, bits);
}

/* ---- reading ------------------------------------------------------------------------------- */

static sl_status fail(cuda_codec_workspace *c, sl_context *ctx)
{
    return sl_cuda_status(ctx, "cudaMemsetAsync",
                          cudaMemsetAsync(c->failed, 1, sizeof *c->failed, cuda_stream()));
}

static sl_status read_bitmap(cuda_codec_workspace *c, sl_context *ctx, const cuda_decode_target *to,
                             const cuda_payload *payload, const cuda_message *m)
{
    const uint32_t *bits = (const uint32_t *)payload->in;
    if (m->bytes != (m->limit + 7) / 8)
        return fail(c, ctx);
    if (m->limit == 0)
        return SL_OK;
    CUDA_TRY(list_bits_alone(c, ctx, to->list, bits, m, true));
    if (to->list)
        return SL_OK;
    return sl_cuda_status(
        ctx, "kernel merge_bits",
        sl_cuda_merge_bits(to->bits, bits, m->limit, cuda_processors(), cuda_stream()));
}

static sl_status read_list(cuda_codec_workspace *c, sl_context *ctx, const cuda_decode_target *to,
                           const cuda_payload *payload, const cuda_message *m)
{
    if (m->bytes != m->count * sizeof(uint32_t))
        return fail(c, ctx);
    if (m->count == 0)
        return SL_OK;
    return sl_cuda_status(ctx, "kernel read_list",
                          sl_cuda_read_list(to, payload, cuda_processors(), cuda_stream()));
}

static sl_status read_vlq(cuda_codec_workspace *c, sl_context *ctx, const cuda_decode_target *to,
                          const cuda_payload *payload, const cuda_message *m)
{
    const uint64_t groups = sl_cuda_vlq_groups(m->count), tiles = sl_cuda_vlq_tiles(m->bytes);
    cuda_vlq_path *path = NULL;
    cuda_vlq_entry *entry = NULL;
    uint32_t *start = NULL;
    sums before = {0};
    if (m->bytes < m->count || m->bytes > 5 * m->count || m->bytes > UINT32_MAX)
        return fail(c, ctx);
    if (m->count == 0)
        return SL_OK;
    CUDA_TRY(measure_sums(ctx, &before, groups + 1));
    const cuda_array arrays[] = {{&path, tiles * VLQ_GROUP_MOST * sizeof *path},
                                 {&entry, tiles * sizeof *entry},
                                 {&start, groups * sizeof *start},
                                 {&before.numbers, (groups + 1) * sizeof *before.numbers},
                                 {&before.cub, before.cub_bytes}};
    CUDA_TRY(TAKE_ARRAYS(c, ctx, arrays));
    TRY("kernel vlq_paths", sl_cuda_vlq_paths(path, payload, cuda_stream()));
    TRY("kernel vlq_entries", sl_cuda_vlq_entries(entry, path, payload, cuda_stream()));
    TRY("kernel vlq_starts", sl_cuda_vlq_starts(start, entry, payload, cuda_stream()));
    TRY("kernel vlq_sums",
        sl_cuda_vlq_group_sums(before.numbers, start, payload, cuda_processors(), cuda_stream()));
    CUDA_TRY(sum(ctx, &before, groups + 1));
    return sl_cuda_status(
        ctx, "kernel vlq_read",
        sl_cuda_vlq_read(to, before.numbers, start, payload, cuda_processors(), cuda_stream()));
}

sl_status sl_cuda_decode_begin(cuda_codec_workspace *c, sl_context *ctx)
{
    if (!c->failed)
        CUDA_TRY(sl_cuda_alloc(ctx, (void **)&c->failed, sizeof *c->failed));
    return sl_cuda_zero(ctx, c->failed, sizeof *c->failed);
}

sl_status sl_cuda_decode(cuda_codec_workspace *c, sl_context *ctx, const cuda_decode_target *to,
                         const uint8_t *slot, const cuda_message *m)
{
    static sl_status (*const read[SL_GROUP_CODECS])(cuda_codec_workspace *, sl_context *,
                                                    const cuda_decode_target *,
                                                    const cuda_payload *, const cuda_message *) = {
        [SL_GROUP_BITMAP] = read_bitmap, [SL_GROUP_LIST] = read_list, [SL_GROUP_VLQ] = read_vlq};
    const unsigned length = sl_cuda_head_length(m->count);
    const cuda_payload payload = {.in = slot + SLOT_HEAD,
                                  .bytes = m->bytes,
                                  .count = m->count,
                                  .limit = m->limit,
                                  .failed = c->failed};
    if ((unsigned)m->codec >= SL_GROUP_CODECS || m->count > m->limit)
        return fail(c, ctx);
    TRY("kernel check_head", sl_cuda_check_head(slot + SLOT_HEAD - length, head_of(m), length,
                                                c->failed, cuda_stream()));
    return read[m->codec](c, ctx, to, &payload, m);
}

sl_status sl_cuda_decode_end(cuda_codec_workspace *c, sl_context *ctx)
{
    unsigned failed = 0;
    CUDA_TRY(sl_cuda_fetch(ctx, "reading of messages", &failed, c->failed, sizeof failed));
    return failed ? sl_fail(ctx, SL_ENGINE_FAULT,
                            "cuda: a message of another process is invalid: its head, size or ids "
                            "are wrong")
                  : SL_OK;
}
