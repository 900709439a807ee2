/* What the generators share: the arrays of edges, and loops in blocks. */
#include <inttypes.h>

#include <semla/process.h>

#include "io/generate/generate.h"

/* Systems promise more memory than they have, and end programs that use it: larger lists are refused
 * before they are allocated. */
static sl_status check_memory(sl_context *ctx, uint64_t count)
{
    const uint64_t needed = 2 * sizeof(uint64_t) * count, present = sl_host_bytes_for_each(ctx);
    if (needed <= present)
        return SL_OK;
    return sl_fail(ctx, SL_NO_MEMORY,
                   "generate: no memory for %" PRIu64 " edges: their list needs %" PRIu64
                   " bytes, and %" PRIu64 " bytes are present%s",
                   count, needed, present,
                   sl_context_processes(ctx) > 1 ? " for each rank of the host" : "");
}

sl_status generator_alloc_edges(sl_edges *edges, sl_context *ctx, uint64_t vertices, uint64_t count,
                                edge_range *range)
{
    if (vertices > GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID, "generate: %" PRIu64 " vertices are above the limit 2^60",
                       vertices);
    if (count > GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID, "generate: %" PRIu64 " edges are above the limit 2^60",
                       count);

    uint64_t end;
    sl_context_local_range(ctx, count, &range->first, &end);
    range->count = end - range->first;
    const sl_status status = check_memory(ctx, range->count);
    if (status != SL_OK)
        return status;
    size_t bytes = (range->count ? range->count : 1) * sizeof(uint64_t);
    *edges =
        (sl_edges){.nrows = vertices, .ncols = vertices, .count = range->count, .type = SL_BOOL};
    edges->row = sl_malloc(bytes);
    edges->col = sl_malloc(bytes);
    if (!edges->row || !edges->col) {
        sl_edges_free(edges);
        return sl_fail(ctx, SL_NO_MEMORY, "generate: no memory for %" PRIu64 " edges",
                       range->count);
    }
    return SL_OK;
}

bool edge_blocks_next(edge_blocks *b)
{
    enum { DEFAULT_SIZE = 1 << 22 };
    const uint64_t size = b->size ? b->size : DEFAULT_SIZE;
    if (b->end == 0)
        b->progress = (sl_progress){"generate", b->before, b->total ? b->total : b->count};
    sl_progress_begin(b->ctx, &b->progress);
    b->begin = b->end;
    b->progress.done = b->before + b->begin;
    const bool more = b->begin < b->count;
    if (more)
        b->status = sl_interrupted(b->ctx, "generate");
    if (!more || b->status != SL_OK) {
        sl_progress_end(b->ctx, &b->progress);
        return false;
    }
    b->end = b->count - b->begin < size ? b->count : b->begin + size;
    return true;
}
