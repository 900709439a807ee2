/* Generates the edges of a graph model: selects the generator and allocates the arrays. */
#include <inttypes.h>

#include <semla/process.h>

#include "generate.h"
#include "scope.h"

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

sl_status agree_on_model(sl_context *ctx, sl_status status, const char *function,
                         const sl_generator *model, unsigned long long others)
{
    static const sl_generator none;
    const sl_generator *m = model ? model : &none;
    return sl_agree_arguments(
        ctx, status, function,
        "model %d\nseed %llu\nweighted %d\ninteger_weights %d\nleast_weight %.17g\n"
        "greatest_weight %.17g\nscale %u\nedge_factor %.17g\na %.17g\nb %.17g\nc %.17g\n"
        "vertices %llu\nedges %llu\nside %llu %llu %llu\noptions #%llx\n",
        (int)m->model, (unsigned long long)m->seed, m->weighted, m->integer_weights,
        m->least_weight, m->greatest_weight, m->scale, m->edge_factor, m->a, m->b, m->c,
        (unsigned long long)m->vertices, (unsigned long long)m->edges,
        (unsigned long long)m->side[0], (unsigned long long)m->side[1],
        (unsigned long long)m->side[2], others);
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

/* Models with at most one edge between two vertices. */
static sl_status generate_simple(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    switch (model->model) {
    case SL_MODEL_GRID:
        return generate_grid(edges, ctx, model);
    case SL_MODEL_PATH:
        return generate_path(edges, ctx, model);
    case SL_MODEL_STAR:
        return generate_star(edges, ctx, model);
    case SL_MODEL_COMPLETE:
        return generate_complete(edges, ctx, model);
    case SL_MODEL_ROAD:
        return generate_road(edges, ctx, model);
    default:
        break;
    }
    return sl_fail(ctx, SL_INVALID, "generate: unknown model %d", (int)model->model);
}

static sl_status generate(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    sl_edge_weights weights;
    if (model->model == SL_MODEL_KRONECKER || model->model == SL_MODEL_UNIFORM)
        return generate_random(edges, ctx, model);
    sl_status status = model->weighted ? generator_weights(&weights, ctx, model) : SL_OK;
    if (status == SL_OK)
        status = generate_simple(edges, ctx, model);
    return status == SL_OK && model->weighted ? generate_weights(edges, ctx, &weights, BY_ENDPOINTS)
                                              : status;
}

sl_status sl_generate(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    if (edges)
        *edges = (sl_edges){0};
    io_scope scope = io_enter(ctx);
    sl_status status = SL_OK;
    if (!edges || !ctx || !model)
        status = sl_fail(ctx, SL_INVALID, "generate: %s is NULL",
                         !edges ? "edges" : (!ctx ? "ctx" : "model"));
    else
        status = sl_check_process(ctx, "generate");
    status = agree_on_model(ctx, status, "generate", model, 0);
    if (status == SL_OK)
        status = sl_agree(ctx, generate(edges, ctx, model));
    if (status != SL_OK && edges)
        sl_edges_free(edges);
    io_leave(scope);
    return status;
}
