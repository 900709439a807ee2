/*
 * A round of Boruvka's algorithm (spanning_forest.c):
 *   1. A reduction of rows finds the least weight at each vertex, a scatter with the monoid MIN the
 *      least of each tree, and a gather returns it to the vertices.
 *   2. At the vertices that have an edge of this weight, a product finds the least neighbour by such
 *      an edge, and two scatters find the least pair of ends of each tree. Edges are so ordered by
 *      weight, lesser end and greater end, in which no two are equal; so chosen edges form no cycle
 *      except that two trees may choose the same edge.
 *   3. Trees are joined and flattened by gathers.
 * A tree is named by one of its vertices, its root. A root that is joined to another tree never is a
 * root again, so the edge that it chose is stored at its index.
 */
#include "algorithms/spanning_parts.h"

#include <semla/graph_tools.h>

/* The edges that the trees choose in a round, at their roots; owned. */
typedef struct {
    sl_vector *weight; /* of the weights' type */
    sl_vector *end[2]; /* int64, the lesser first */
} choice;

static void free_choice(choice *c)
{
    sl_vector_free(c->weight);
    sl_vector_free(c->end[0]);
    sl_vector_free(c->end[1]);
}

/* ---- choosing ----------------------------------------------------------- */

/* *of_tree(r) = the least value in the tree of the root r; *least(v) = `value` where it is that. Both
 * are new, owned by the caller; `least` may be NULL. */
static sl_status least_of_trees(sl_vector **of_tree, sl_vector **least, const sl_boruvka *b,
                                const sl_vector *value)
{
    const sl_type type = sl_vector_type(value);
    sl_vector *wanted = NULL, *equal = NULL;
    sl_status status;
    TRY(sl_vector_new(of_tree, b->ctx, type, b->n));
    TRY(sl_vector_scatter(*of_tree, NULL, NULL, sl_monoid_get(SL_MONOID_MIN, type), value, b->tree,
                          NULL));
    if (!least)
        goto out;
    TRY(sl_vector_new(&wanted, b->ctx, type, b->n));
    TRY(sl_vector_gather(wanted, NULL, NULL, *of_tree, b->tree, NULL));
    TRY(sl_vector_new(&equal, b->ctx, SL_BOOL, b->n));
    TRY(sl_vector_ewise_mult(equal, NULL, NULL, sl_binary_op_get(SL_BINARY_EQ, type), value, wanted,
                             NULL));
    TRY(sl_vector_new(least, b->ctx, type, b->n));
    TRY(sl_vector_apply(*least, equal, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, type), value,
                        NULL));
out:
    sl_vector_free(wanted);
    sl_vector_free(equal);
    return status;
}

/* *tight: the edges (u, v) of weight weight(u). New, owned by the caller. */
static sl_status find_tight(sl_matrix **tight, const sl_boruvka *b, const sl_vector *weight)
{
    sl_matrix *diagonal = NULL, *at_start = NULL;
    sl_status status;
    TRY(sl_matrix_diag(&diagonal, weight, 0));
    TRY(sl_matrix_new(&at_start, b->ctx, b->type, b->n, b->n));
    TRY(sl_mxm(at_start, NULL, NULL, sl_semiring_get(SL_SEMIRING_MIN_FIRST, b->type), diagonal,
               b->edges, NULL));
    TRY(sl_matrix_new(tight, b->ctx, SL_BOOL, b->n, b->n));
    TRY(sl_matrix_ewise_mult(*tight, NULL, NULL, sl_binary_op_get(SL_BINARY_EQ, b->type), at_start,
                             b->edges, NULL));
    TRY(sl_matrix_select(*tight, NULL, NULL, SL_VALUEEQ_BOOL, *tight, sl_scalar_bool(true), NULL));
out:
    sl_matrix_free(diagonal);
    sl_matrix_free(at_start);
    return status;
}

/*
 * ends[0](u) and ends[1](u), the lesser first: the least pair of ends of the tight edges of u. It is
 * that of the least neighbour v: if v < u, no pair has a lesser first end; otherwise all pairs begin
 * with u.
 */
static sl_status least_ends(sl_vector *ends[2], const sl_boruvka *b, const sl_vector *weight)
{
    sl_matrix *tight = NULL;
    sl_vector *neighbour = NULL;
    sl_status status;
    TRY(find_tight(&tight, b, weight));
    TRY(sl_vector_new(&neighbour, b->ctx, SL_INT64, b->n));
    TRY(sl_mxv(neighbour, NULL, NULL, SL_MIN_SECONDI_INT64, tight, b->tree, NULL));
    for (int k = 0; k < 2; k++) {
        TRY(sl_vector_new(&ends[k], b->ctx, SL_INT64, b->n));
        TRY(sl_vector_ewise_mult(ends[k], NULL, NULL, k ? SL_MAX_INT64 : SL_MIN_INT64, neighbour,
                                 b->index, NULL));
    }
out:
    sl_matrix_free(tight);
    sl_vector_free(neighbour);
    return status;
}

/* The least edge that leaves each tree. */
static sl_status choose_edges(choice *c, const sl_boruvka *b)
{
    sl_vector *at_vertex = NULL, *weight = NULL, *ends[2] = {NULL, NULL}, *first = NULL;
    sl_status status;
    TRY(sl_vector_new(&at_vertex, b->ctx, b->type, b->n));
    TRY(sl_matrix_reduce_rows(at_vertex, NULL, NULL, sl_monoid_get(SL_MONOID_MIN, b->type),
                              b->edges, NULL));
    TRY(least_of_trees(&c->weight, &weight, b, at_vertex));
    TRY(least_ends(ends, b, weight));
    TRY(least_of_trees(&c->end[0], &first, b, ends[0]));
    TRY(sl_vector_apply(ends[1], first, NULL, SL_IDENTITY_INT64, ends[1],
                        sl_descriptor_get(SL_STRUCTURE | SL_REPLACE)));
    TRY(least_of_trees(&c->end[1], NULL, b, ends[1]));
out:
    sl_vector_free(at_vertex);
    sl_vector_free(weight);
    sl_vector_free(ends[0]);
    sl_vector_free(ends[1]);
    sl_vector_free(first);
    return status;
}

/* ---- joining ------------------------------------------------------------ */

/* next(r) = the root of the tree to which the tree of r is joined; of two trees that chose the same
 * edge the tree with the lesser root stays. *joined: the roots that are no longer roots. */
static sl_status find_next(sl_vector *next, sl_vector *joined, const sl_boruvka *b, const choice *c)
{
    const sl_descriptor structure = sl_descriptor_get(SL_STRUCTURE);
    sl_vector *other = NULL, *root = NULL, *back = NULL;
    sl_status status;
    TRY(sl_vector_new(&other, b->ctx, SL_INT64, b->n));
    TRY(sl_vector_new(&root, b->ctx, SL_INT64, b->n));
    TRY(sl_vector_new(&back, b->ctx, SL_INT64, b->n));
    /* one of the two ends is in the tree itself */
    TRY(sl_vector_gather(other, NULL, NULL, b->tree, c->end[0], NULL));
    TRY(sl_vector_gather(root, NULL, NULL, b->tree, c->end[1], NULL));
    TRY(sl_vector_ewise_mult(other, NULL, NULL, SL_PLUS_INT64, other, root, NULL));
    TRY(sl_vector_ewise_mult(other, NULL, NULL, SL_MINUS_INT64, other, b->index, NULL));
    TRY(sl_vector_assign(next, NULL, NULL, b->tree, SL_ALL, 0, NULL));
    TRY(sl_vector_assign(next, other, NULL, other, SL_ALL, 0, structure));
    /* back(r) = next(next(r)); if that is r, the lesser of both stays: next(r) = min(r, next(r)) */
    TRY(sl_vector_gather(back, NULL, NULL, next, other, NULL));
    TRY(sl_vector_ewise_mult(joined, NULL, NULL, SL_EQ_INT64, back, b->index, NULL));
    TRY(sl_vector_apply(root, joined, NULL, SL_IDENTITY_INT64, other,
                        sl_descriptor_get(SL_REPLACE)));
    TRY(sl_vector_ewise_mult(root, NULL, NULL, SL_MIN_INT64, root, b->index, NULL));
    TRY(sl_vector_assign(next, root, NULL, root, SL_ALL, 0, structure));
    TRY(sl_vector_apply(other, other, NULL, SL_IDENTITY_INT64, next,
                        sl_descriptor_get(SL_STRUCTURE | SL_REPLACE)));
    TRY(sl_vector_ewise_mult(joined, NULL, NULL, SL_NE_INT64, other, b->index, NULL));
out:
    sl_vector_free(other);
    sl_vector_free(root);
    sl_vector_free(back);
    return status;
}

/* tree = the root of each vertex, from the next root of each root. */
static sl_status flatten(sl_boruvka *b, sl_vector *next)
{
    sl_vector *farther = NULL, *changed = NULL;
    sl_scalar any;
    sl_status status;
    TRY(sl_vector_new(&farther, b->ctx, SL_INT64, b->n));
    TRY(sl_vector_new(&changed, b->ctx, SL_BOOL, b->n));
    do {
        TRY(sl_vector_gather(farther, NULL, NULL, next, next, NULL));
        TRY(sl_vector_ewise_mult(changed, NULL, NULL, SL_NE_INT64, farther, next, NULL));
        TRY(sl_vector_reduce(&any, NULL, SL_LOR_MONOID_BOOL, changed));
        TRY(sl_vector_assign(next, NULL, NULL, farther, SL_ALL, 0, NULL));
    } while (any.as.bool_);
    TRY(sl_vector_gather(b->tree, NULL, NULL, next, b->tree, NULL));
out:
    sl_vector_free(farther);
    sl_vector_free(changed);
    return status;
}

/* Stores the edges that the roots of `joined` chose, and joins the trees. */
static sl_status join_trees(sl_boruvka *b, const choice *c)
{
    sl_vector *next = NULL, *joined = NULL;
    sl_status status;
    TRY(sl_vector_new(&next, b->ctx, SL_INT64, b->n));
    TRY(sl_vector_new(&joined, b->ctx, SL_BOOL, b->n));
    TRY(find_next(next, joined, b, c));
    TRY(sl_vector_assign(b->weight, joined, NULL, c->weight, SL_ALL, 0, NULL));
    for (int k = 0; k < 2; k++)
        TRY(sl_vector_assign(b->end[k], joined, NULL, c->end[k], SL_ALL, 0, NULL));
    TRY(flatten(b, next));
out:
    sl_vector_free(next);
    sl_vector_free(joined);
    return status;
}

sl_status sl_boruvka_round(sl_boruvka *b)
{
    choice c = {0};
    sl_status status = choose_edges(&c, b);
    if (status == SL_OK)
        status = join_trees(b, &c);
    free_choice(&c);
    return status;
}
