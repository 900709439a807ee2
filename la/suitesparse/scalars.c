/*
 * GrB_Scalar objects for the GraphBLAS functions that need them. The context keeps them between
 * calls, because creating one costs as much as a small operation.
 */
#include "suitesparse/grb_engine.h"

enum { MAX_SCALARS = 2 }; /* per call */

/* The scalars of a context. */
typedef struct {
    GrB_Scalar of[MAX_SCALARS][SL_TYPE_COUNT]; /* NULL until needed */
    GrB_Scalar other[MAX_SCALARS];             /* of the last user-defined type */
} scalar_cache;

GrB_Info sl_grb_scalar(GrB_Scalar *scalar, sl_context *ctx, int number, sl_scalar value)
{
    if (!ctx->host)
        ctx->host = sl_calloc(1, sizeof(scalar_cache));
    if (!ctx->host)
        return GrB_OUT_OF_MEMORY;
    scalar_cache *all = ctx->host;
    const bool other = sl_type_is_user_defined(value.type);
    GrB_Scalar *cached = other ? &all->other[number] : &all->of[number][value.type];
    if (other)
        GrB_Scalar_free(cached);
    GrB_Info info = *cached ? GrB_SUCCESS : GrB_Scalar_new(cached, sl_grb_type(value.type));
    if (info != GrB_SUCCESS)
        return info;
#define SET(NAME, member) info = GrB_Scalar_setElement_##NAME(*cached, value.as.member)
    SL_GRB_SWITCH(value.type, SET)
#undef SET
    if (info != GrB_SUCCESS)
        GrB_Scalar_free(cached); /* a failed call may leave it invalid */
    *scalar = *cached;
    return info;
}

void sl_grb_free_other_scalars(sl_context *ctx)
{
    scalar_cache *all = ctx->host;
    for (int number = 0; all && number < MAX_SCALARS; number++)
        GrB_Scalar_free(&all->other[number]);
}

void sl_grb_free_scalars(sl_context *ctx)
{
    scalar_cache *all = ctx->host;
    sl_grb_free_other_scalars(ctx);
    for (int number = 0; all && number < MAX_SCALARS; number++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            GrB_Scalar_free(&all->of[number][type]);
    sl_free(all);
    ctx->host = NULL;
}
