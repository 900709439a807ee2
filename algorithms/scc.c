/*
 * Strongly connected components by the steps of MultiStep (Slota, Rajamanickam, Madduri, "BFS and
 * Coloring-based Parallel Algorithms for Strongly Connected Components and Related Problems", IPDPS
 * 2014). The graph of an undirected graph has the components that sl_components finds. Otherwise:
 *   1. Forward and backward searches from a vertex of great in- and out-degree find its component,
 *      usually the giant one. No other component contains both vertices that only one of the
 *      searches reaches and others, so the edges between these sets are removed.
 *   2. Vertices without incoming or outgoing edges are components of their own: trimmed.
 *   3. The rest is divided by colours, scc_colour.c.
 * Vectors have an entry per vertex; edges that can no longer matter are removed from a copy of the
 * pattern. Cost: two searches, then O(edges of the rest) per round.
 */
#include "algorithms/edge_tools.h"
#include "algorithms/scc_parts.h"

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/* *pivot is a vertex for which the lesser of in-degree and out-degree is greatest; SL_NO_VALUE if no
 * vertex has edges in both directions. */
static sl_status choose_pivot(uint64_t *pivot, const sl_matrix *A, const sl_matrix *At)
{
    sl_vector *degree = NULL, *in_degree = NULL;
    uint64_t candidates;
    sl_status status;
    TRY(sl_degrees(&degree, A));
    TRY(sl_degrees(&in_degree, At));
    TRY(sl_vector_ewise_mult(degree, NULL, NULL, SL_MIN_INT64, degree, in_degree, NULL));
    TRY(sl_vector_nvals(&candidates, degree));
    status =
        candidates == 0 ? SL_NO_VALUE : sl_first_of_extreme(pivot, degree, SL_MAX_MONOID_INT64);
out:
    sl_vector_free(degree);
    sl_vector_free(in_degree);
    return status;
}

/* *reached is the pattern of what a search from the pivot reaches; new, owned by the caller. */
static sl_status search(sl_vector **reached, const sl_matrix *A, uint64_t pivot)
{
    const sl_closure_options from_pivot = {.from_source = true, .source = pivot};
    sl_status status = sl_vector_new(reached, sl_matrix_context(A), SL_BOOL, sl_matrix_nrows(A));
    return status == SL_OK ? sl_closure(*reached, NULL, A, SL_ANY_PAIR_BOOL, &from_pivot) : status;
}

/*
 * Settles the component of the pivot: the vertices of both searches. The other vertices become
 * `alive`, and the edges between those that different searches reach are removed.
 */
static sl_status settle_pivot(sl_scc_state *s, const sl_matrix *A, const sl_matrix *At,
                              uint64_t pivot)
{
    const sl_descriptor structure = sl_descriptor_get(SL_STRUCTURE);
    const sl_descriptor others = sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT | SL_REPLACE);
    sl_context *ctx = sl_matrix_context(A);
    sl_vector *forward = NULL, *backward = NULL, *side = NULL;
    uint64_t least;
    sl_status status;
    TRY(search(&forward, A, pivot));
    TRY(search(&backward, At, pivot));
    TRY(sl_vector_new(&side, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_assign_scalar(side, NULL, NULL, sl_scalar_int64(0), SL_ALL, 0, NULL));
    TRY(sl_vector_assign_scalar(side, forward, NULL, sl_scalar_int64(1), SL_ALL, 0, structure));
    TRY(sl_vector_assign_scalar(side, backward, NULL, sl_scalar_int64(2), SL_ALL, 0, structure));
    TRY(sl_vector_ewise_mult(forward, NULL, NULL, SL_PAIR_BOOL, forward, backward, NULL));
    TRY(sl_first_index(&least, forward));
    TRY(sl_vector_assign_scalar(s->component, forward, NULL, sl_scalar_int64((int64_t)least),
                                SL_ALL, 0, structure));
    TRY(sl_vector_apply(s->alive, forward, NULL, SL_IDENTITY_INT64, s->alive, others));
    TRY(sl_vector_apply(side, forward, NULL, SL_IDENTITY_INT64, side, others));
    TRY(sl_edges_where(&s->edges, A, side, SL_EQ_INT64));
out:
    sl_vector_free(forward);
    sl_vector_free(backward);
    sl_vector_free(side);
    return status;
}

/* The components of a directed graph. */
static sl_status find_components(sl_scc_state *s, const sl_matrix *A)
{
    const sl_matrix *At;
    sl_matrix *owned = NULL;
    uint64_t pivot;
    sl_status status;
    TRY(sl_vector_indices(&s->component, A));
    TRY(sl_transpose_of(&At, &owned, A));
    status = choose_pivot(&pivot, A, At);
    if (status == SL_NO_VALUE) {
        status = SL_OK;
        goto out;
    }
    if (status != SL_OK)
        goto out;
    TRY(sl_vector_dup(&s->alive, s->component));
    TRY(settle_pivot(s, A, At, pivot));
    sl_matrix_free(owned);
    owned = NULL;
    TRY(sl_scc_colour(s));
out:
    sl_matrix_free(owned);
    return status;
}

/* *count is the number of vertices that are the least of their component. */
static sl_status count_components(uint64_t *count, const sl_vector *component, const sl_matrix *A)
{
    sl_vector *index = NULL, *least = NULL;
    sl_scalar sum;
    sl_status status;
    TRY(sl_vector_indices(&index, A));
    TRY(sl_vector_new(&least, sl_matrix_context(A), SL_BOOL, sl_matrix_nrows(A)));
    TRY(sl_vector_ewise_mult(least, NULL, NULL, SL_EQ_INT64, component, index, NULL));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, least));
    *count = (uint64_t)sum.as.int64_;
out:
    sl_vector_free(index);
    sl_vector_free(least);
    return status;
}

sl_status sl_scc(sl_vector **component, uint64_t *count, const sl_matrix *A)
{
    if (component)
        *component = NULL;
    sl_context *ctx = sl_matrix_context(A);
    sl_scc_state s = {.progress = {.operation = "scc", .total = sl_matrix_nrows(A)}};
    uint64_t components = 0;
    bool symmetric;
    sl_status status = sl_require_output("scc", A, component, "component");
    status = AGREE(A, status, "scc", "count %d\n", count != NULL);
    if (status != SL_OK)
        return status;
    sl_progress_begin(ctx, &s.progress);
    TRY(sl_matrix_is_symmetric(&symmetric, A));
    TRY(symmetric ? sl_components(&s.component, A) : find_components(&s, A));
    if (count)
        TRY(count_components(&components, s.component, A));
out:
    sl_progress_end(ctx, &s.progress);
    sl_vector_free(s.alive);
    sl_matrix_free(s.edges);
    if (status == SL_OK && count)
        *count = components;
    sl_return_vector(component, s.component, status);
    return status;
}
