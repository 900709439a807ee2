#include "bfs_arguments.h"

#include <inttypes.h>

sl_status sl_bfs_check_arguments(sl_vector **parent, sl_vector **level, const sl_matrix *A,
                          uint64_t source)
{
    if (parent)
        *parent = NULL;
    if (level)
        *level = NULL;
    sl_context *ctx = sl_matrix_context(A);
    if (!A || (!parent && !level))
        return sl_fail(ctx, SL_INVALID, "bfs: argument is NULL");
    uint64_t n = sl_matrix_nrows(A);
    if (n != sl_matrix_ncols(A))
        return sl_fail(ctx, SL_MISMATCH, "bfs: the matrix is %" PRIu64 " x %" PRIu64 ", not square",
                       n, sl_matrix_ncols(A));
    if (source >= n)
        return sl_fail(ctx, SL_OUT_OF_RANGE,
                       "bfs: source %" PRIu64 " is out of range: there are %" PRIu64 " vertices",
                       source, n);
    return SL_OK;
}
