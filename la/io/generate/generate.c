/* Generates the edges of a graph model: selects the generator. */
#include <inttypes.h>

#include <semla/process.h>

#include "io/files/scope.h"
#include "io/generate/generate.h"

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
