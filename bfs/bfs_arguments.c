/* The argument checks that sl_bfs and sl_bfs_plain share. */
#include "bfs/bfs_arguments.h"

sl_status sl_bfs_check_arguments(sl_vector **parent, sl_vector **level, const sl_matrix *A,
                                 uint64_t source)
{
    if (parent)
        *parent = NULL;
    if (level)
        *level = NULL;
    sl_status status = sl_require_square("bfs", A);
    if (status == SL_OK && !parent && !level)
        status = sl_fail(sl_matrix_context(A), SL_INVALID, "bfs: parent and level are both NULL");
    return status == SL_OK ? sl_require_vertices("bfs", "source", A, &source, 1) : status;
}
