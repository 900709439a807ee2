/*
 * Minimum spanning forests by the rounds of Boruvka ("O jistem problemu minimalnim", 1926; Nesetril,
 * Milkova, Nesetrilova, "Otakar Boruvka on minimum spanning tree problem", Discrete Mathematics 233,
 * 2001). Trees of vertices begin as single vertices. In a round (spanning_round.c) each tree is
 * joined to another one by the least edge that leaves it; then the edges within trees are removed.
 * After the first round the largest tree chooses no edge any more, as the others are joined to it.
 *
 * O(edges) per round and at most log2(vertices) rounds, in which edges become fewer.
 */
#include "algorithms/edge_tools.h"
#include "algorithms/spanning_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/* ---- weights ------------------------------------------------------------ */

/* SL_INVALID, with the first edge in the message, if a weight is NaN. */
static sl_status refuse_nan(const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_value_range range;
    sl_matrix *differs = NULL;
    uint64_t edge[2];
    sl_status status;
    if (sl_matrix_type(A) != SL_FP32 && sl_matrix_type(A) != SL_FP64)
        return SL_OK;
    TRY(sl_matrix_value_range(&range, A));
    if (!isnan(range.sum))
        goto out;
    TRY(sl_matrix_new(&differs, ctx, SL_BOOL, sl_matrix_nrows(A), sl_matrix_ncols(A)));
    TRY(sl_matrix_ewise_mult(differs, NULL, NULL, SL_NE_FP64, A, A, NULL));
    TRY(sl_matrix_select(differs, NULL, NULL, SL_VALUEEQ_BOOL, differs, sl_scalar_bool(true),
                         NULL));
    status = sl_first_entry(edge, differs);
    if (status == SL_NO_VALUE)
        status = SL_OK; /* infinite weights of both signs */
    else if (status == SL_OK)
        status = sl_fail(ctx, SL_INVALID,
                         "spanning_forest: the edge from %" PRIu64 " to %" PRIu64
                         " has the weight NaN; weights must be numbers",
                         sl_matrix_id(A, edge[0]), sl_matrix_id(A, edge[1]));
out:
    sl_matrix_free(differs);
    return status;
}

/* edges(u, v) = the lesser of A(u, v) and A(v, u), without self-loops; 1 if A is bool. */
static sl_status make_edges(sl_boruvka *b)
{
    const sl_binary_op min = sl_binary_op_get(SL_BINARY_MIN, b->type);
    const sl_matrix *weights = b->A;
    sl_matrix *ones = NULL;
    sl_status status;
    TRY(sl_matrix_new(&b->edges, b->ctx, b->type, b->n, b->n));
    if (sl_matrix_type(b->A) == SL_BOOL) {
        TRY(sl_matrix_new(&ones, b->ctx, b->type, b->n, b->n));
        TRY(sl_matrix_apply(ones, NULL, NULL, SL_ONE_INT8, b->A, NULL));
        weights = ones;
    }
    TRY(sl_matrix_ewise_add(b->edges, NULL, NULL, min, weights, weights,
                            sl_descriptor_get(SL_TRANSPOSE_B)));
    TRY(sl_matrix_select(b->edges, NULL, NULL, SL_OFFDIAG_BOOL, b->edges, sl_scalar_int64(0),
                         NULL));
out:
    sl_matrix_free(ones);
    return status;
}

/* ---- rounds ------------------------------------------------------------- */

/* b->hub becomes the root of a tree with the most vertices. */
static sl_status choose_hub(sl_boruvka *b)
{
    sl_vector *one = NULL, *size = NULL;
    sl_status status;
    TRY(sl_vector_filled(&one, b->A, sl_scalar_int64(1)));
    TRY(sl_vector_new(&size, b->ctx, SL_INT64, b->n));
    TRY(sl_vector_scatter(size, NULL, NULL, SL_PLUS_MONOID_INT64, one, b->tree, NULL));
    TRY(sl_first_of_extreme(&b->hub, size, SL_MAX_MONOID_INT64));
    b->has_hub = true;
out:
    sl_vector_free(one);
    sl_vector_free(size);
    return status;
}

/* *outside: the trees of the vertices that are not in the tree of the hub. New, owned by the caller. */
static sl_status leave_hub(sl_vector **outside, const sl_boruvka *b)
{
    sl_scalar root;
    sl_status status;
    TRY(sl_vector_get(&root, b->tree, b->hub));
    TRY(sl_vector_new(outside, b->ctx, SL_INT64, b->n));
    TRY(sl_vector_select(*outside, NULL, NULL, SL_VALUENE_INT64, b->tree, root, NULL));
out:
    return status;
}

/* Removes the edges within trees and the rows of the tree of the hub, which need not choose an edge:
 * the other trees are joined to it. */
static sl_status remove_edges(sl_boruvka *b)
{
    const sl_unary_op identity = sl_unary_op_get(SL_UNARY_IDENTITY, b->type);
    const sl_semiring second = sl_semiring_get(SL_SEMIRING_MIN_SECOND, b->type);
    sl_vector *outside = NULL;
    sl_matrix *diagonal = NULL, *rows = NULL, *kept = NULL;
    sl_status status;
    if (!b->has_hub)
        TRY(choose_hub(b));
    TRY(leave_hub(&outside, b));
    TRY(sl_matrix_diag(&diagonal, outside, 0));
    TRY(sl_matrix_new(&rows, b->ctx, b->type, b->n, b->n));
    TRY(sl_mxm(rows, NULL, NULL, second, diagonal, b->edges, NULL));
    TRY(sl_edges_where(&kept, rows, b->tree, SL_NE_INT64));
    TRY(sl_matrix_apply(b->edges, kept, NULL, identity, rows,
                        sl_descriptor_get(SL_STRUCTURE | SL_REPLACE)));
out:
    sl_vector_free(outside);
    sl_matrix_free(diagonal);
    sl_matrix_free(rows);
    sl_matrix_free(kept);
    return status;
}

static sl_status begin(sl_boruvka *b, const sl_matrix *A)
{
    const sl_type type = sl_matrix_type(A);
    sl_status status;
    b->ctx = sl_matrix_context(A);
    b->n = sl_matrix_nrows(A);
    b->type = type == SL_BOOL ? SL_INT8 : type;
    TRY(make_edges(b));
    TRY(sl_vector_indices(&b->index, A));
    TRY(sl_vector_dup(&b->tree, b->index));
    TRY(sl_vector_new(&b->weight, b->ctx, b->type, b->n));
    TRY(sl_vector_new(&b->end[0], b->ctx, SL_INT64, b->n));
    TRY(sl_vector_new(&b->end[1], b->ctx, SL_INT64, b->n));
out:
    return status;
}

/* All rounds. */
static sl_status grow(sl_boruvka *b)
{
    uint64_t left;
    sl_status status;
    TRY(sl_matrix_nvals(&left, b->edges));
    while (left > 0) {
        TRY(sl_boruvka_round(b));
        TRY(sl_vector_nvals(&b->progress.done, b->weight));
        TRY(remove_edges(b));
        TRY(sl_matrix_nvals(&left, b->edges));
    }
out:
    return status;
}

/* ---- the result --------------------------------------------------------- */

/* *forest: the stored edges in both directions, of A's type. Each process passes its slice. */
static sl_status make_forest(sl_matrix **forest, const sl_boruvka *b)
{
    const sl_type type = sl_matrix_type(b->A);
    sl_arrays end[2] = {{0}}, weight = {0};
    uint64_t *from = NULL, *to = NULL;
    char *values = NULL;
    sl_status status;
    TRY(sl_vector_copy_slice(&end[0], b->end[0]));
    TRY(sl_vector_copy_slice(&end[1], b->end[1]));
    TRY(sl_vector_copy_slice(&weight, b->weight));
    const uint64_t count = weight.nvals, size = sl_type_size(b->type);
    status = sl_arrays_expand(b->ctx, &end[0]);
    if (status == SL_OK)
        status = sl_arrays_expand(b->ctx, &end[1]);
    if (status == SL_OK)
        status = sl_arrays_expand(b->ctx, &weight);
    from = sl_malloc((2 * count + 1) * sizeof *from);
    to = sl_malloc((2 * count + 1) * sizeof *to);
    values = sl_malloc((2 * count + 1) * size);
    if (status == SL_OK && (!from || !to || !values))
        status = sl_fail(b->ctx, SL_NO_MEMORY, "spanning_forest: no memory for the edges");
    TRY(sl_agree(b->ctx, status));
    for (uint64_t k = 0; k < count; k++) {
        from[k] = to[count + k] = ((uint64_t *)end[0].values)[k];
        to[k] = from[count + k] = ((uint64_t *)end[1].values)[k];
    }
    if (count > 0) {
        memcpy(values, weight.values, count * size);
        memcpy(values + count * size, weight.values, count * size);
    }
    TRY(sl_matrix_new(forest, b->ctx, type, b->n, b->n));
    TRY(sl_matrix_build(*forest, from, to, type == SL_BOOL ? NULL : values, 2 * count, NULL));
    TRY(sl_matrix_promise_symmetric(*forest));
out:
    sl_arrays_free(&end[0]);
    sl_arrays_free(&end[1]);
    sl_arrays_free(&weight);
    sl_free(from);
    sl_free(to);
    sl_free(values);
    return status;
}

sl_status sl_spanning_forest(sl_matrix **forest, sl_forest_summary *summary, const sl_matrix *A)
{
    if (forest)
        *forest = NULL;
    sl_context *ctx = sl_matrix_context(A);
    sl_boruvka b = {.A = A,
                    .progress = {.operation = "spanning_forest", .total = sl_matrix_nrows(A)}};
    sl_forest_summary s = {0};
    sl_matrix *made = NULL;
    sl_scalar sum;
    sl_status status = sl_require_output("spanning_forest", A, forest, "forest");
    status = AGREE(A, status, "spanning_forest", "summary %d\n", summary != NULL);
    if (status != SL_OK)
        return status;
    sl_progress_begin(ctx, &b.progress);
    TRY(refuse_nan(A));
    TRY(begin(&b, A));
    TRY(grow(&b));
    TRY(sl_vector_nvals(&s.edges, b.weight));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, b.weight));
    s.trees = b.n - s.edges;
    s.weight = sum.as.fp64_;
    TRY(make_forest(&made, &b));
    if (summary)
        *summary = s;
out:
    sl_progress_end(ctx, &b.progress);
    sl_matrix_free(b.edges);
    sl_vector_free(b.tree);
    sl_vector_free(b.index);
    sl_vector_free(b.weight);
    sl_vector_free(b.end[0]);
    sl_vector_free(b.end[1]);
    sl_return_matrix(forest, made, status);
    return status;
}
