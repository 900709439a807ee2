/*
 * Breadth-first searches from several vertices at once: row s of each matrix belongs to the search
 * from sources[s]. The closure of a matrix of frontiers (sl_closures), of which row s has one entry, at
 * sources[s].
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

#include "algorithms/frontiers.h"

sl_status sl_multi_source_bfs(sl_matrix **parent, sl_matrix **level, const sl_matrix *A,
                              const uint64_t *sources, uint64_t count,
                              const sl_multi_source_options *options)
{
    static const sl_multi_source_options defaults;
    const sl_multi_source_options *o = options ? options : &defaults;
    if (parent)
        *parent = NULL;
    if (level)
        *level = NULL;
    sl_matrix *pi = NULL, *depth = NULL, *q = NULL;
    sl_status status;
    status = sl_require_square("multi_source_bfs", A);
    if (status == SL_OK && !parent && !level)
        status = sl_fail(sl_matrix_context(A), SL_INVALID,
                         "multi_source_bfs: parent and level are both NULL");
    if (status == SL_OK)
        status = sl_require_vertices("multi_source_bfs", "source", A, sources, count);
    TRY(AGREE(A, status, "multi_source_bfs",
              "parent %d\nlevel %d\nsources #%llx\ncount %llu\ndeterministic %d\nmax_depth %lld\n",
              parent != NULL, level != NULL, sl_list_hash(sl_matrix_context(A), sources, count),
              (unsigned long long)count, o->deterministic,
              o->bounded ? (long long)o->max_depth : -1));

    const sl_semiring semiring = !parent            ? SL_ANY_PAIR_BOOL
                                 : o->deterministic ? SL_MIN_SECONDI_INT64
                                                    : SL_ANY_SECONDI_INT64;
    TRY(sl_frontiers_of(&q, "multi_source_bfs", A, sources, 0, count));
    if (parent)
        TRY(sl_matrix_new(&pi, sl_matrix_context(A), SL_INT64, count, sl_matrix_nrows(A)));
    if (level)
        TRY(sl_matrix_new(&depth, sl_matrix_context(A), SL_INT64, count, sl_matrix_nrows(A)));
    const sl_closures_options closures = {
        .bounded = o->bounded, .max_iterations = o->max_depth, .level = depth};
    TRY(sl_closures(pi, q, A, semiring, &closures));
out:
    sl_matrix_free(q);
    sl_return_matrix(parent, pi, status);
    sl_return_matrix(level, depth, status);
    return status;
}
