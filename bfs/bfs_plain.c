/*
 * Breadth-first search as a GraphBLAS user writes it: masked products and
 * assignments in a loop. (Kepner and Gilbert, "Graph Algorithms in the Language
 * of Linear Algebra", SIAM 2011; with the select-parent semiring of LAGraph.)
 */
#include "bfs_arguments.h"

sl_status sl_bfs_plain(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                       bool deterministic)
{
    sl_status status = sl_bfs_check_arguments(parent, level, A, source);
    if (status != SL_OK)
        return status;
    sl_semiring select = deterministic ? SL_MIN_SECONDI_INT64 : SL_ANY_SECONDI_INT64;
    sl_descriptor missing = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    sl_descriptor there = sl_descriptor_get(SL_STRUCTURE);
    sl_vector *pi = NULL, *depth = NULL, *q = NULL;
    TRY(sl_vector_with_entry(&pi, A, SL_INT64, source, (int64_t)source));
    TRY(sl_vector_with_entry(&q, A, SL_INT64, source, (int64_t)source));
    TRY(sl_vector_with_entry(&depth, A, SL_INT64, source, 0));

    uint64_t found = 1;
    for (int64_t d = 1;; d++) {
        TRY(sl_vxm(q, pi, NULL, select, q, A, missing));
        TRY(sl_vector_nvals(&found, q));
        if (found == 0)
            break;
        TRY(sl_vector_assign(pi, q, NULL, q, SL_ALL, 0, there));
        TRY(sl_vector_assign_scalar(depth, q, NULL, sl_scalar_int64(d), SL_ALL, 0, there));
    }
out:
    sl_vector_free(q);
    sl_return_vector(parent, pi, status);
    sl_return_vector(level, depth, status);
    return status;
}
