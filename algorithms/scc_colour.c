/*
 * Strongly connected components by colours, in rounds. In a round every vertex has a label, a
 * permutation of the vertices that differs from round to round. The closure over min_first gives
 * each vertex the least label among the vertices that reach it, and on the transposed edges the
 * least label among those that it reaches. If both are the label of p, the vertex is in the
 * component of p. Two vertices of one component have both labels in common, so all edges between
 * vertices that differ in one of them are removed (Coppersmith, Fleischer, Hendrickson, Pinar, "A
 * Divide-and-Conquer Algorithm for Identifying Strongly Connected Components", RC23744, 2005, with
 * all pivots at once; the colours of Orzan, "On Distributed Verification and Verified Distribution",
 * 2004). Vertices that have lost their incoming or outgoing edges are trimmed.
 *
 * A round divides the sets of vertices about as quicksort does: O(log vertices) rounds are expected.
 *
 * A label travels one edge per iteration of the closure, too slowly for long paths. If the closure
 * does not end within some iterations, each vertex takes the least label of a chain of predecessors,
 * by doubling the length of the chains: O(log vertices) gathers.
 */
#include "algorithms/scc_parts.h"

#include <semla/graph_tools.h>

enum { FIRST_ITERATIONS = 32 };

/* ---- labels ------------------------------------------------------------- */

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A number without a common divisor with n, different from round to round; its products with
 * numbers below n are in the range of int64. */
static int64_t multiplier(uint64_t n, uint64_t round)
{
    const uint64_t most = INT64_MAX / n < n ? INT64_MAX / n : n;
    uint64_t a = (round + 1) * 0x9e3779b97f4a7c15u % most;
    while (greatest_divisor(a, n) != 1)
        a = a + 1 < most ? a + 1 : 1;
    return (int64_t)a;
}

/* label = multiplier * alive mod n, a permutation of the vertices. */
static sl_status make_labels(sl_vector *label, const sl_vector *alive, uint64_t round)
{
    const uint64_t n = sl_vector_size(alive);
    const sl_scalar size = sl_scalar_int64((int64_t)n);
    sl_vector *multiple = NULL;
    sl_status status;
    TRY(sl_vector_new(&multiple, sl_vector_context(alive), SL_INT64, n));
    TRY(sl_vector_apply_second(label, NULL, NULL, SL_TIMES_INT64, alive,
                               sl_scalar_int64(multiplier(n, round)), NULL));
    TRY(sl_vector_apply_second(multiple, NULL, NULL, SL_DIV_INT64, label, size, NULL));
    TRY(sl_vector_apply_second(multiple, NULL, NULL, SL_TIMES_INT64, multiple, size, NULL));
    TRY(sl_vector_ewise_mult(label, NULL, NULL, SL_MINUS_INT64, label, multiple, NULL));
out:
    sl_vector_free(multiple);
    return status;
}

/* ---- colours ------------------------------------------------------------ */

/* The least label of the chain of predecessors of each vertex, among which a vertex has the one that
 * `choice` prefers. */
static sl_status follow_chains(sl_vector *label, const sl_vector *alive, const sl_matrix *edges,
                               sl_semiring choice)
{
    sl_vector *before = NULL, *seen = NULL;
    uint64_t left;
    sl_status status;
    TRY(sl_vector_nvals(&left, alive));
    TRY(sl_vector_dup(&before, alive)); /* without a predecessor: itself */
    TRY(sl_vxm(before, NULL, SL_SECOND_INT64, choice, alive, edges, NULL));
    TRY(sl_vector_new(&seen, sl_vector_context(alive), SL_INT64, sl_vector_size(alive)));
    for (uint64_t length = 1; length < left; length *= 2) {
        TRY(sl_vector_gather(seen, NULL, NULL, label, before, NULL));
        TRY(sl_vector_ewise_mult(label, NULL, NULL, SL_MIN_INT64, label, seen, NULL));
        TRY(sl_vector_gather(before, NULL, NULL, before, before, NULL));
    }
out:
    sl_vector_free(before);
    sl_vector_free(seen);
    return status;
}

/* Replaces each label by the least label of the vertices that lead to this vertex. */
static sl_status spread(sl_vector *label, const sl_vector *alive, const sl_matrix *edges)
{
    sl_closure_options options = {.bounded = true, .max_iterations = FIRST_ITERATIONS};
    bool more = true, greatest = false;
    sl_status status = SL_OK;
    for (; status == SL_OK && more; options.max_iterations *= 2) {
        sl_iteration_log log = {0};
        options.log = &log;
        status = sl_closure(label, label, edges, SL_MIN_FIRST_INT64, &options);
        more = log.count >= options.max_iterations;
        sl_iteration_log_clear(&log);
        if (status == SL_OK && more)
            status = follow_chains(label, alive, edges,
                                   greatest ? SL_MAX_SECONDI_INT64 : SL_MIN_SECONDI_INT64);
        greatest = !greatest;
    }
    return status;
}

/* The labels of the round, spread along the edges and against them. */
static sl_status spread_both(sl_vector *forward, sl_vector *backward, const sl_scc_state *s,
                             uint64_t round)
{
    const uint64_t n = sl_vector_size(s->alive);
    sl_matrix *transposed = NULL;
    sl_status status;
    TRY(make_labels(forward, s->alive, round));
    TRY(sl_vector_assign(backward, NULL, NULL, forward, SL_ALL, 0, NULL));
    TRY(spread(forward, s->alive, s->edges));
    TRY(sl_matrix_new(&transposed, sl_matrix_context(s->edges), SL_BOOL, n, n));
    TRY(sl_transpose(transposed, NULL, NULL, s->edges, NULL));
    TRY(spread(backward, s->alive, transposed));
out:
    sl_matrix_free(transposed);
    return status;
}

/* ---- rounds ------------------------------------------------------------- */

/* Settles the vertices whose two labels are equal: those of one label are a component. */
static sl_status settle(sl_scc_state *s, const sl_vector *forward, const sl_vector *backward)
{
    const sl_descriptor within = sl_descriptor_get(SL_REPLACE);
    const sl_descriptor others = sl_descriptor_get(SL_COMPLEMENT | SL_REPLACE);
    sl_context *ctx = sl_vector_context(forward);
    const uint64_t n = sl_vector_size(forward);
    sl_vector *same = NULL, *label = NULL, *least = NULL;
    sl_status status;
    TRY(sl_vector_new(&same, ctx, SL_BOOL, n));
    TRY(sl_vector_ewise_mult(same, NULL, NULL, SL_EQ_INT64, forward, backward, NULL));
    TRY(sl_vector_new(&label, ctx, SL_INT64, n));
    TRY(sl_vector_apply(label, same, NULL, SL_IDENTITY_INT64, forward, within));
    TRY(sl_vector_new(&least, ctx, SL_INT64, n));
    TRY(sl_vector_scatter(least, NULL, NULL, SL_MIN_MONOID_INT64, s->component, label, NULL));
    TRY(sl_vector_gather(s->component, same, NULL, least, label, NULL));
    TRY(sl_vector_apply(s->alive, same, NULL, SL_IDENTITY_INT64, s->alive, others));
out:
    sl_vector_free(same);
    sl_vector_free(label);
    sl_vector_free(least);
    return status;
}

/* Removes the edges whose ends differ in the label, and the edges of settled vertices. */
static sl_status keep_within(sl_scc_state *s, sl_vector *label)
{
    const sl_descriptor within = sl_descriptor_get(SL_STRUCTURE | SL_REPLACE);
    sl_status status = sl_vector_apply(label, s->alive, NULL, SL_IDENTITY_INT64, label, within);
    return status == SL_OK ? sl_scc_keep_within(s, label) : status;
}

sl_status sl_scc_colour(sl_scc_state *s)
{
    sl_context *ctx = sl_vector_context(s->alive);
    const uint64_t n = sl_vector_size(s->alive);
    sl_vector *forward = NULL, *backward = NULL;
    uint64_t left;
    sl_status status;
    TRY(sl_vector_new(&forward, ctx, SL_INT64, n));
    TRY(sl_vector_new(&backward, ctx, SL_INT64, n));
    TRY(sl_scc_trim(s));
    TRY(sl_vector_nvals(&left, s->alive));
    for (uint64_t round = 0; left > 0; round++) {
        TRY(spread_both(forward, backward, s, round));
        TRY(settle(s, forward, backward));
        TRY(keep_within(s, forward));
        TRY(keep_within(s, backward));
        TRY(sl_scc_trim(s));
        TRY(sl_vector_nvals(&left, s->alive));
    }
out:
    sl_vector_free(forward);
    sl_vector_free(backward);
    return status;
}
