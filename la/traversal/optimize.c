/* Preparation of a matrix for searches and shortest paths. */
#include "la/traversal/traverse.h"

/* Graphs with fewer vertices are prepared by sl_matrix_optimize alone. */
enum { PREPARED_VERTICES = 1 << 14 };

static sl_status optimize(sl_matrix *A, unsigned flags, bool unasked)
{
    sl_matrix *At;
    sl_call call = {.op = SL_OP_OPTIMIZE,
                    .ctx = A->object.ctx,
                    .a = OF_M(A),
                    .settings.optimize_flags = flags,
                    .settings.unasked = unasked};
    if (unasked && !sl_dispatch_supports(&call))
        return SL_OK;
    SL_TRY(sl_matrix_transpose_pattern(&At, A, true));
    return sl_dispatch_supports(&call) ? sl_dispatch(&call) : SL_OK;
}

sl_status sl_prepare_search(sl_matrix *A, bool may_be_short)
{
    const bool first = !A->searched;
    A->searched = true;
    if ((first && may_be_short) || A->optimized || A->object.nrows < PREPARED_VERTICES)
        return SL_OK;
    A->optimized = true;
    const sl_status status = optimize(A, SL_FOR_TRAVERSAL, true);
    return status == SL_NO_MEMORY ? SL_OK : status;
}

sl_status sl_matrix_optimize(const sl_matrix *A, unsigned flags)
{
    const unsigned for_traversal = flags & (SL_FOR_TRAVERSAL | SL_PRUNED),
                   for_paths = flags & SL_FOR_PATHS;
    sl_status status = SL_OK;
    if (!A)
        return SL_INVALID;
    if ((for_traversal | for_paths) != flags || flags == 0 || for_traversal == SL_PRUNED)
        status = sl_fail(A->object.ctx, SL_INVALID, "matrix_optimize: unknown flags 0x%x", flags);
    SL_TRY(sl_agree_arguments(A->object.ctx, status, "matrix_optimize", "flags %u\n", flags));
    sl_matrix *matrix = (sl_matrix *)A;
    if (for_paths) /* first, as a generated matrix may give up its entries for searches */
        SL_TRY(sl_prepare_paths(matrix));
    if (for_traversal) {
        SL_TRY(optimize(matrix, for_traversal, false));
        matrix->optimized = true;
    }
    return SL_OK;
}
