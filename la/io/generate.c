/* Models of graphs: the choice of one, and room for its edges. */
#include <inttypes.h>

#include "generate.h"
#include "work.h"

sl_status sl_generate_room(sl_edges *edges, sl_context *ctx, uint64_t vertices, uint64_t count,
                           tuple_part *part)
{
    if (vertices > GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID, "generate: %" PRIu64 " vertices, the limit is 2^60",
                       vertices);
    if (count > GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID, "generate: %" PRIu64 " edges, the limit is 2^60", count);

    uint64_t end;
    sl_context_local_range(ctx, count, &part->first, &end);
    part->count = end - part->first;
    size_t bytes = (part->count ? part->count : 1) * sizeof(uint64_t);
    *edges =
        (sl_edges){.nrows = vertices, .ncols = vertices, .count = part->count, .type = SL_BOOL};
    edges->row = sl_malloc(bytes);
    edges->col = sl_malloc(bytes);
    if (!edges->row || !edges->col) {
        sl_edges_free(edges);
        return sl_fail(ctx, SL_NO_MEMORY, "generate: no memory for %" PRIu64 " edges", part->count);
    }
    return SL_OK;
}

static sl_status generate(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    if (edges)
        *edges = (sl_edges){0};
    if (!edges || !ctx || !model)
        return sl_fail(ctx, SL_INVALID, "generate: %s is NULL",
                       !edges ? "edges" : (!ctx ? "ctx" : "model"));
    switch (model->model) {
    case SL_MODEL_KRONECKER:
    case SL_MODEL_UNIFORM:
        return sl_generate_random(edges, ctx, model);
    case SL_MODEL_GRID:
        return sl_generate_grid(edges, ctx, model);
    case SL_MODEL_PATH:
        return sl_generate_path(edges, ctx, model);
    case SL_MODEL_STAR:
        return sl_generate_star(edges, ctx, model);
    case SL_MODEL_COMPLETE:
        return sl_generate_complete(edges, ctx, model);
    case SL_MODEL_ROAD:
        return sl_generate_road(edges, ctx, model);
    }
    return sl_fail(ctx, SL_INVALID, "generate: %d is not a model", (int)model->model);
}

/*
 * Makes the edges of a model: *edges is a pattern, mirror SL_MIRROR_NONE, with
 * arrays to be freed by sl_edges_free; zeroed on failure. See sl_generator for
 * what each model reads and io.h for errors.
 */
sl_status sl_generate(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    io_work before = io_begin(ctx);
    sl_status status = sl_agree(ctx, generate(edges, ctx, model));
    if (status != SL_OK && edges)
        sl_edges_free(edges);
    io_end(before);
    return status;
}
