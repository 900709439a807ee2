/* The errors of GraphBLAS as statuses. */
#include "suitesparse/grb_engine.h"

sl_status sl_grb_status(sl_context *ctx, const char *what, GrB_Info info)
{
    switch (info) {
    case GrB_SUCCESS:
        return SL_OK;
    case GrB_NO_VALUE:
        return SL_NO_VALUE;
    case GrB_OUT_OF_MEMORY:
        return sl_fail(ctx, SL_NO_MEMORY, "%s: SuiteSparse:GraphBLAS is out of memory", what);
    case GrB_DIMENSION_MISMATCH:
    case GrB_DOMAIN_MISMATCH:
        return sl_fail(ctx, SL_MISMATCH, "%s: SuiteSparse:GraphBLAS: shapes or types do not match",
                       what);
    case GrB_INDEX_OUT_OF_BOUNDS:
    case GrB_INVALID_INDEX:
        return sl_fail(ctx, SL_OUT_OF_RANGE, "%s: SuiteSparse:GraphBLAS: index out of range", what);
    case GrB_NULL_POINTER:
    case GrB_INVALID_VALUE:
    case GrB_OUTPUT_NOT_EMPTY:
        return sl_fail(ctx, SL_INVALID, "%s: SuiteSparse:GraphBLAS: invalid argument (%d)", what,
                       (int)info);
    default:
        return sl_fail(ctx, SL_ENGINE_FAULT, "%s: SuiteSparse:GraphBLAS failed (%d)", what,
                       (int)info);
    }
}
