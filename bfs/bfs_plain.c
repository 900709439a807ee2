/*
 * Breadth-first search as a loop of masked products and assignments (Kepner and Gilbert, "Graph
 * Algorithms in the Language of Linear Algebra", SIAM 2011, with the semiring of LAGraph that
 * selects parents): the reference for sl_bfs. q is the frontier; the pattern of pi is the visited
 * set.
 */
#include <semla/bfs.h>

#include "bfs/bfs_arguments.h"

sl_status sl_bfs_plain(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                       bool deterministic)
{
    sl_status status = sl_bfs_check_arguments(parent, level, A, source);
    status = AGREE(A, status, "bfs_plain", "parent %d\nlevel %d\nsource %llu\ndeterministic %d\n",
                   parent != NULL, level != NULL, (unsigned long long)source, deterministic);
    if (status != SL_OK)
        return status;
    sl_semiring select = deterministic ? SL_MIN_SECONDI_INT64 : SL_ANY_SECONDI_INT64;
    sl_descriptor unvisited = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    sl_descriptor frontier = sl_descriptor_get(SL_STRUCTURE);
    sl_vector *pi = NULL, *depth = NULL, *q = NULL;
    TRY(sl_vector_with_entry(&pi, A, SL_INT64, source, (int64_t)source));
    TRY(sl_vector_with_entry(&q, A, SL_INT64, source, (int64_t)source));
    TRY(sl_vector_with_entry(&depth, A, SL_INT64, source, 0));

    uint64_t count;
    for (int64_t d = 1;; d++) {
        TRY(sl_vxm(q, pi, NULL, select, q, A, unvisited));
        TRY(sl_vector_nvals(&count, q));
        if (count == 0)
            break;
        TRY(sl_vector_assign(pi, q, NULL, q, SL_ALL, 0, frontier));
        TRY(sl_vector_assign_scalar(depth, q, NULL, sl_scalar_int64(d), SL_ALL, 0, frontier));
    }
out:
    sl_vector_free(q);
    sl_return_vector(parent, pi, status);
    sl_return_vector(level, depth, status);
    return status;
}
