/*
 * GrB_Scalar objects for the GraphBLAS functions that need them. The context keeps them between
 * calls, because creating one costs as much as a small operation.
 */
#include "grb.h"

enum { MOST_AT_ONCE = 2 };

typedef struct {
    GrB_Scalar of[MOST_AT_ONCE][SL_TYPE_COUNT]; /* NULL until needed */
} kept;

GrB_Info sl_grb_scalar(GrB_Scalar *lent, sl_context *ctx, int number, sl_scalar value)
{
    if (!ctx->host)
        ctx->host = sl_calloc(1, sizeof(kept));
    if (!ctx->host)
        return GrB_OUT_OF_MEMORY;
    GrB_Scalar *scalar = &((kept *)ctx->host)->of[number][value.type];
    GrB_Info info = *scalar ? GrB_SUCCESS : GrB_Scalar_new(scalar, sl_grb_type(value.type));
    if (info != GrB_SUCCESS)
        return info;
#define SET(NAME, member) info = GrB_Scalar_setElement_##NAME(*scalar, value.as.member)
    SL_GRB_SWITCH(value.type, SET)
#undef SET
    if (info != GrB_SUCCESS)
        GrB_Scalar_free(scalar); /* which may be broken */
    *lent = *scalar;
    return info;
}

void sl_grb_free_scalars(sl_context *ctx)
{
    kept *all = ctx->host;
    for (int number = 0; all && number < MOST_AT_ONCE; number++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            GrB_Scalar_free(&all->of[number][type]);
    sl_free(all);
    ctx->host = NULL;
}
