/*
 * Validation of shortest paths with real lengths by the operations of la/, in the memory of the
 * context's engine.
 *
 *   1. The parents form a tree of edges of the graph, rooted at the source (validate_tree.c), and
 *      distances and parents have entries at the same vertices.
 *   2. No edge leads to a vertex at less than its distance, or from a vertex with a distance to one
 *      without: one product over min_plus computes the least distance over the edges to each vertex.
 *   3. The same product over the tree edges gives the distance of each vertex but the source.
 *
 * By 3 there is a path of each distance, by 2 none is shorter. O(depth of the tree) products.
 */
#include <inttypes.h>

#include "bfs/validation.h"

/* *least: for each vertex the minimum of distance(u) + length over the edges (u, v) of `edges`. */
static sl_status least_over(const sl_validation *c, sl_vector **least, const sl_vector *distance,
                            const sl_matrix *edges)
{
    sl_status status;
    TRY(sl_validation_vector(c, least, SL_FP64));
    TRY(sl_vxm(*least, NULL, NULL, SL_MIN_PLUS_FP64, distance, edges, NULL));
out:
    return status;
}

/* The first vertex but the source for which `op` compares distance - least with 0. */
static sl_status find_difference(const sl_validation *c, bool *found, uint64_t *index,
                                 const sl_vector *distance, const sl_vector *least, sl_index_op op)
{
    sl_vector *over = NULL;
    uint64_t count;
    sl_status status;
    *found = false;
    TRY(sl_validation_vector(c, &over, SL_FP64));
    TRY(sl_vector_ewise_mult(over, NULL, NULL, SL_MINUS_FP64, distance, least, NULL));
    TRY(sl_vector_remove(over, c->source));
    TRY(sl_vector_select(over, NULL, NULL, op, over, sl_scalar_fp64(0), NULL));
    TRY(sl_vector_nvals(&count, over));
    *found = count > 0;
    if (*found)
        TRY(sl_first_index(index, over));
out:
    sl_vector_free(over);
    return status;
}

static sl_status check_same_entries(sl_validation *c, const sl_vector *distance)
{
    bool found;
    uint64_t v;
    sl_status status;
    TRY(sl_validation_find_outside(c, &found, &v, c->parent, distance));
    if (found) {
        sl_check_fail(c->result, "vertex %" PRIu64 " has a parent but no distance",
                      sl_validation_id(c, v));
        goto out;
    }
    TRY(sl_validation_find_outside(c, &found, &v, distance, c->parent));
    if (found)
        sl_check_fail(c->result, "vertex %" PRIu64 " has a distance but no parent",
                      sl_validation_id(c, v));
out:
    return status;
}

static sl_status check_source(sl_validation *c, const sl_vector *distance)
{
    sl_scalar zero;
    const sl_status status = sl_vector_get(&zero, distance, c->source);
    if (status == SL_OK && zero.as.fp64_ != 0)
        sl_check_fail(c->result, "the source %" PRIu64 " has a distance other than 0",
                      sl_validation_id(c, c->source));
    return status;
}

static sl_status check_edges(sl_validation *c, const sl_vector *distance)
{
    sl_vector *least = NULL;
    bool found;
    uint64_t v;
    sl_status status;
    TRY(least_over(c, &least, distance, c->A));
    TRY(sl_validation_find_outside(c, &found, &v, least, distance));
    if (found) {
        sl_check_fail(c->result,
                      "vertex %" PRIu64
                      " has no distance, but there is an edge to it from a vertex "
                      "that has one",
                      sl_validation_id(c, v));
        goto out;
    }
    TRY(find_difference(c, &found, &v, distance, least, SL_VALUEGT_FP64));
    if (found)
        sl_check_fail(c->result, "an edge gives a shorter path to %" PRIu64 " than its distance",
                      sl_validation_id(c, v));
out:
    sl_vector_free(least);
    return status;
}

static sl_status check_tree_lengths(sl_validation *c, const sl_vector *distance)
{
    sl_matrix *lengths = NULL;
    sl_vector *least = NULL;
    bool found;
    uint64_t v;
    sl_status status;
    TRY(sl_matrix_new(&lengths, c->ctx, SL_FP64, c->n, c->n));
    TRY(sl_matrix_apply(lengths, c->tree, NULL, SL_IDENTITY_FP64, c->A,
                        sl_descriptor_get(SL_STRUCTURE)));
    TRY(least_over(c, &least, distance, lengths));
    TRY(find_difference(c, &found, &v, distance, least, SL_VALUENE_FP64));
    if (found)
        sl_check_fail(c->result,
                      "the path over the parent of vertex %" PRIu64 " does not have its distance",
                      sl_validation_id(c, v));
out:
    sl_matrix_free(lengths);
    sl_vector_free(least);
    return status;
}

sl_status sl_validate_paths_in_place(sl_check_result *result, const sl_matrix *A, uint64_t source,
                                     const sl_vector *distance, const sl_vector *parent)
{
    *result = (sl_check_result){0};
    sl_validation c = {.ctx = sl_matrix_context(A),
                       .result = result,
                       .A = A,
                       .n = sl_matrix_nrows(A),
                       .source = source,
                       .max_depth = -1};
    sl_status status;
    TRY(sl_vector_dup(&c.parent, parent));
    TRY(sl_validation_check_entries(&c));
    if (!sl_validation_failed(&c))
        TRY(check_same_entries(&c, distance));
    if (!sl_validation_failed(&c))
        TRY(check_source(&c, distance));
    if (!sl_validation_failed(&c))
        TRY(check_edges(&c, distance));
    if (!sl_validation_failed(&c))
        TRY(sl_validation_check_tree(&c));
    if (!sl_validation_failed(&c))
        TRY(check_tree_lengths(&c, distance));
    result->valid = !sl_validation_failed(&c);
out:
    sl_matrix_free(c.tree);
    sl_vector_free(c.depth);
    sl_vector_free(c.parent);
    if (status != SL_OK)
        *result = (sl_check_result){0};
    return status;
}
