/* Transposes edges: keys of segments of rows are written, sorted and unpacked (renumber_rows.h). */
#include "cuda/search/part/transpose_edges.h"

#include "cuda/operations/generator.h"
#include "cuda/reorder/column_storage.h"
#include "cuda/reorder/renumber_rows.h"
#include "cuda/reorder/reorder_kernels.h"

static sl_status fill(void *data, cuda_keys_of_rows to, uint32_t first, uint32_t last,
                      uint64_t count)
{
    const cuda_transposition *o = data;
    CUDA_TRY(sl_cuda_zero(o->ctx, o->counters, sizeof *o->counters));
    return sl_cuda_status(
        o->ctx, "kernel transpose_keys",
        sl_cuda_part_transpose_keys(to.keys, o->counters, count, &o->source, first, last, o->bits));
}

sl_status sl_cuda_put_edges(void *transposition, uint64_t at, cuda_keys_of_rows sorted,
                            uint64_t count, unsigned bits)
{
    const cuda_transposition *o = transposition;
    if (o->columns)
        return sl_cuda_put_columns(o->ctx, o->columns, at, sorted.keys, count, bits);
    return sl_cuda_status(o->ctx, "kernel unpack_edges",
                          sl_cuda_unpack_edges(o->index + at, sorted.keys, count, bits));
}

uint64_t sl_cuda_transpose_segment(uint64_t edges, uint64_t longest)
{
    const uint64_t free_bytes = sl_cuda_free_bytes(),
                   left = free_bytes > GENERATE_FREE_BYTES ? free_bytes - GENERATE_FREE_BYTES : 0,
                   quarter = edges * 2 * sizeof(uint32_t) / 4;
    uint64_t keys = cuda_keys_within(left < quarter ? left : quarter);
    keys = keys > GENERATE_MIN_KEYS ? keys : GENERATE_MIN_KEYS;
    keys = keys < GENERATE_MAX_KEYS ? keys : GENERATE_MAX_KEYS;
    keys = keys < edges ? keys : edges;
    return keys > longest ? keys : longest;
}

sl_status sl_cuda_transpose_edges(cuda_transposition *o, uint32_t columns, const uint64_t *start,
                                  uint64_t longest)
{
    CUDA_TRY(sl_cuda_alloc(o->ctx, (void **)&o->counters, sizeof *o->counters));
    sl_status status = sl_cuda_wait(o->ctx, "transposition of edges"); /* frees take effect */
    const cuda_renumbering r = {.ctx = o->ctx,
                                .rows = columns,
                                .start = start,
                                .capacity = sl_cuda_transpose_segment(o->source.entries, longest),
                                .bits = o->bits,
                                .callback_data = o,
                                .fill = fill,
                                .put = sl_cuda_put_edges};
    if (status == SL_OK)
        status = sl_cuda_renumber(&r);
    sl_cuda_free(o->counters);
    return status;
}
