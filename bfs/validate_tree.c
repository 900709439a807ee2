/*
 * The part of a validation in the engine's memory that concerns parents: they form a tree of edges
 * of the graph, rooted at the source. The tree is a matrix with an entry (parent, child) for every
 * vertex; a breadth-first search in it computes the depths. O(depth) products.
 */
#include <inttypes.h>

#include "bfs/validation.h"

/* c->tree has an entry (parent, child) for every vertex but the source. Parents are in range. */
static sl_status make_tree(sl_validation *c)
{
    uint64_t count, kept = 0;
    uint64_t *child = NULL, *parent = NULL;
    sl_status status;
    TRY(sl_matrix_new(&c->tree, c->ctx, SL_BOOL, c->n, c->n));
    TRY(sl_vector_nvals(&count, c->parent));
    child = sl_malloc((count + 1) * sizeof *child);
    parent = sl_malloc((count + 1) * sizeof *parent);
    status = child && parent
                 ? SL_OK
                 : sl_fail(c->ctx, SL_NO_MEMORY,
                           "validate_search_in_place: no memory for a tree of %" PRIu64 " vertices",
                           count);
    status = sl_agree(c->ctx, status);
    if (status != SL_OK)
        goto out;
    TRY(sl_vector_extract_tuples(child, parent, &count, c->parent));
    for (uint64_t k = 0; k < count; k++)
        if (child[k] != c->source) {
            child[kept] = child[k];
            parent[kept++] = parent[k];
        }
    TRY(sl_matrix_build(c->tree, parent, child, NULL, kept, NULL));
out:
    sl_free(parent);
    sl_free(child);
    return status;
}

/* Searches the tree from the source. c->depth receives the depths; *reached is their number. */
static sl_status search_tree(sl_validation *c, uint64_t *reached)
{
    sl_vector *q = NULL;
    sl_descriptor unvisited = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    sl_descriptor frontier = sl_descriptor_get(SL_STRUCTURE);
    uint64_t count;
    sl_status status;
    TRY(sl_vector_with_entry(&c->depth, c->A, SL_INT64, c->source, 0));
    TRY(sl_vector_with_entry(&q, c->A, SL_BOOL, c->source, 1));
    *reached = 1;
    for (int64_t d = 1;; d++) {
        TRY(sl_vxm(q, c->depth, NULL, SL_ANY_PAIR_BOOL, q, c->tree, unvisited));
        TRY(sl_vector_nvals(&count, q));
        if (count == 0)
            break;
        *reached += count;
        TRY(sl_vector_assign_scalar(c->depth, q, NULL, sl_scalar_int64(d), SL_ALL, 0, frontier));
    }
out:
    sl_vector_free(q);
    return status;
}

/* Fails with the reason why the search did not reach a vertex that has a parent. */
static sl_status fail_unreached(sl_validation *c)
{
    bool found;
    uint64_t v;
    int64_t p, above;
    sl_status status;
    TRY(sl_validation_find_outside(c, &found, &v, c->parent, c->depth));
    TRY(sl_validation_value(&p, c->parent, v));
    TRY(sl_validation_value(&above, c->parent, (uint64_t)p));
    if (above == SL_UNREACHED)
        sl_check_fail(c->result, "vertex %" PRIu64 " has parent %" PRId64 ", which was not reached",
                      sl_validation_id(c, v), (int64_t)sl_validation_id(c, (uint64_t)p));
    else if (p == (int64_t)v)
        sl_check_fail(c->result, "vertex %" PRIu64 " is its own parent, but is not the source",
                      sl_validation_id(c, v));
    else
        sl_check_fail(c->result,
                      "the parents of vertex %" PRIu64 " lead into a cycle, not to the source",
                      sl_validation_id(c, v));
out:
    return status;
}

/* Every tree edge is an edge of the graph. */
static sl_status check_tree_edges(sl_validation *c)
{
    sl_matrix *extra = NULL; /* edges of the tree that are no edges of the graph */
    uint64_t edge[2], count;
    sl_status status;
    TRY(sl_matrix_new(&extra, c->ctx, SL_BOOL, c->n, c->n));
    TRY(sl_matrix_apply(extra, c->A, NULL, SL_ONE_BOOL, c->tree,
                        sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
    TRY(sl_matrix_nvals(&count, extra));
    if (count == 0)
        goto out;
    TRY(sl_first_entry(edge, extra));
    const uint64_t parent = sl_validation_id(c, edge[0]), child = sl_validation_id(c, edge[1]);
    sl_check_fail(c->result,
                  "vertex %" PRIu64 " has parent %" PRIu64 ", but there is no edge from %" PRIu64
                  " to %" PRIu64,
                  child, parent, parent, child);
out:
    sl_matrix_free(extra);
    return status;
}

/* The levels equal the depths in the tree. */
static sl_status check_levels_match(sl_validation *c)
{
    sl_vector *differ = NULL;
    bool found;
    uint64_t v;
    int64_t value, depth, level;
    sl_status status;
    TRY(sl_validation_vector(c, &differ, SL_INT64));
    TRY(sl_vector_ewise_mult(differ, NULL, NULL, SL_MINUS_INT64, c->level, c->depth, NULL));
    TRY(sl_validation_find(c, &found, &v, &value, differ, SL_VALUENE_INT64, 0));
    if (!found)
        goto out;
    TRY(sl_validation_value(&level, c->level, v));
    TRY(sl_validation_value(&depth, c->depth, v));
    sl_check_fail(c->result,
                  "vertex %" PRIu64 " has level %" PRId64
                  ", but its parents lead to the source in %" PRId64 " steps",
                  sl_validation_id(c, v), level, depth);
out:
    sl_vector_free(differ);
    return status;
}

sl_status sl_validation_check_tree(sl_validation *c)
{
    uint64_t in_tree, with_parent;
    sl_status status;
    TRY(make_tree(c));
    TRY(search_tree(c, &in_tree));
    TRY(sl_vector_nvals(&with_parent, c->parent));
    if (in_tree != with_parent)
        TRY(fail_unreached(c));
    if (!sl_validation_failed(c))
        TRY(check_tree_edges(c));
    if (!sl_validation_failed(c) && c->level)
        TRY(check_levels_match(c));
out:
    return status;
}
