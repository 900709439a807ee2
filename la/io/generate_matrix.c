/* Matrices of models: made by an engine where one can, else of tuples on the host. */
#include "generate.h"
#include "work.h"

static bool is_random(const sl_generator *model)
{
    return model->model == SL_MODEL_KRONECKER || model->model == SL_MODEL_UNIFORM;
}

/* What an engine would be asked for; false if there is none to ask. */
static bool by_engine(sl_tuple_source *source, sl_context *ctx, const sl_generator *model,
                      unsigned flags, sl_status *status)
{
    if (!is_random(model))
        return false;
    *status = sl_generator_source(source, ctx, model, flags);
    return *status == SL_OK && sl_tuples_offered(ctx, source);
}

bool sl_generates(sl_context *ctx, const sl_generator *model)
{
    sl_tuple_source source;
    sl_status status;
    return ctx && model && by_engine(&source, ctx, model, SL_READ_SYMMETRIC, &status);
}

static sl_status matrix_on_host(sl_matrix **A, sl_context *ctx, const sl_generator *model,
                                const sl_read_options *options)
{
    sl_edges edges;
    sl_status status = sl_generate(&edges, ctx, model);
    if (status == SL_OK)
        status = sl_matrix_from_edges(A, ctx, &edges, options);
    sl_edges_free(&edges);
    return status;
}

sl_status sl_matrix_generate(sl_matrix **A, sl_context *ctx, const sl_generator *model,
                             const sl_read_options *options)
{
    static const sl_read_options defaults;
    sl_tuple_source source;
    sl_status status = SL_OK;
    if (A)
        *A = NULL;
    if (!A || !ctx || !model)
        return sl_fail(ctx, SL_INVALID, "generate: %s is NULL",
                       !A ? "A" : (!ctx ? "ctx" : "model"));
    if (!options)
        options = &defaults;
    /* Of tuples without values duplicates differ in nothing. */
    bool plain = options->duplicates != SL_DUPLICATES_ERROR &&
                 !(options->flags & SL_READ_TRANSPOSED && !(options->flags & SL_READ_SYMMETRIC));
    if (plain && by_engine(&source, ctx, model, options->flags, &status))
        return sl_tuples_matrix(A, ctx, &source);
    return status == SL_OK ? matrix_on_host(A, ctx, model, options) : status;
}

static sl_status source_of_engine(sl_tuple_source *source, sl_context *ctx,
                                  const sl_generator *model)
{
    sl_status status = SL_OK;
    if (by_engine(source, ctx, model, SL_READ_SYMMETRIC, &status) || status != SL_OK)
        return status;
    return sl_fail(ctx, SL_UNSUPPORTED, "generate: no engine makes the tuples by itself");
}

sl_status sl_generator_ends(sl_vector **ends, sl_vector **joined, sl_context *ctx,
                            const sl_generator *model)
{
    sl_tuple_source source;
    if (ends)
        *ends = NULL;
    if (joined)
        *joined = NULL;
    if (!ends || !joined || !ctx || !model)
        return sl_fail(ctx, SL_INVALID, "generator_ends: argument is NULL");
    sl_status status = source_of_engine(&source, ctx, model);
    return status == SL_OK ? sl_tuples_ends(ends, joined, ctx, &source) : status;
}

sl_status sl_generator_check_tree(sl_tree_check *check, const sl_vector *parent,
                                  const sl_generator *model, uint64_t root)
{
    sl_context *ctx = sl_vector_context(parent);
    sl_tuple_source source;
    if (!check || !parent || !model)
        return sl_fail(ctx, SL_INVALID, "generator_check_tree: argument is NULL");
    *check = (sl_tree_check){0};
    sl_status status = source_of_engine(&source, ctx, model);
    if (status != SL_OK)
        return status;
    const sl_type type = sl_vector_type(parent);
    if (sl_vector_size(parent) != source.vertices || (type != SL_INT64 && type != SL_INT32))
        return sl_fail(ctx, SL_MISMATCH,
                       "generator_check_tree: parents are int64 or int32, one per vertex");
    if (root >= source.vertices)
        return sl_fail(ctx, SL_OUT_OF_RANGE, "generator_check_tree: there is no vertex %llu",
                       (unsigned long long)root);
    return sl_tuples_check_tree(check, parent, &source, root);
}
