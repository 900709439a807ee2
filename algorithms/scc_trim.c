/* Steps of the algorithm for strongly connected components that its parts share. */
#include "algorithms/edge_tools.h"
#include "algorithms/scc_parts.h"

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

sl_status sl_scc_keep_within(sl_scc_state *s, const sl_vector *f)
{
    sl_matrix *kept = NULL;
    sl_status status = sl_edges_where(&kept, s->edges, f, SL_EQ_INT64);
    if (status != SL_OK)
        return status;
    sl_matrix_free(s->edges);
    s->edges = kept;
    return SL_OK;
}

sl_status sl_scc_trim(sl_scc_state *s)
{
    const sl_descriptor within = sl_descriptor_get(SL_STRUCTURE | SL_REPLACE);
    sl_context *ctx = sl_vector_context(s->alive);
    const uint64_t n = sl_vector_size(s->alive);
    sl_vector *leaving = NULL, *entered = NULL;
    uint64_t before, left;
    sl_status status;
    TRY(sl_vector_new(&leaving, ctx, SL_BOOL, n));
    TRY(sl_vector_new(&entered, ctx, SL_BOOL, n));
    TRY(sl_vector_nvals(&left, s->alive));
    do {
        before = left;
        TRY(sl_mxv(leaving, s->alive, NULL, SL_ANY_PAIR_BOOL, s->edges, s->alive, within));
        TRY(sl_vector_apply(s->alive, leaving, NULL, SL_IDENTITY_INT64, s->alive, within));
        TRY(sl_vxm(entered, NULL, NULL, SL_ANY_PAIR_BOOL, leaving, s->edges, NULL));
        TRY(sl_vector_apply(s->alive, entered, NULL, SL_IDENTITY_INT64, s->alive, within));
        TRY(sl_vector_nvals(&left, s->alive));
    } while (left > 0 && before - left > before / 16);
    s->progress.done = n - left;
out:
    sl_vector_free(leaving);
    sl_vector_free(entered);
    return status;
}
