/*
 * The two sides of a graph by one search from the least vertex of every component at once. An edge
 * of an undirected graph joins vertices of one level or of consecutive levels; so the sides are the
 * odd and the even levels, unless an edge lies within a level: that edge and the paths from its
 * ends up the tree to their first common vertex are an odd cycle. Cost: that of sl_components and
 * one search.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/* The search trees of all components; int64 vectors, and a bool one; owned. */
typedef struct {
    const sl_matrix *A;
    sl_vector *parent, *level, *side;
} forest;

/* One search from the least vertex of every component. */
static sl_status search_all(forest *f)
{
    sl_descriptor at_roots = sl_descriptor_get(SL_STRUCTURE);
    sl_vector *component = NULL, *roots = NULL, *q = NULL, *index = NULL;
    sl_status status;
    TRY(sl_components(&component, f->A));
    TRY(sl_vector_indices(&index, f->A));
    TRY(sl_vector_new(&roots, sl_matrix_context(f->A), SL_BOOL, sl_matrix_nrows(f->A)));
    TRY(sl_vector_ewise_mult(roots, NULL, NULL, SL_EQ_INT64, component, index, NULL));
    TRY(sl_vector_new(&q, sl_matrix_context(f->A), SL_INT64, sl_matrix_nrows(f->A)));
    TRY(sl_vector_apply(q, roots, NULL, SL_IDENTITY_INT64, index, NULL));
    TRY(sl_vector_dup(&f->parent, q));
    TRY(sl_vector_new(&f->level, sl_matrix_context(f->A), SL_INT64, sl_matrix_nrows(f->A)));
    TRY(sl_vector_assign_scalar(f->level, q, NULL, sl_scalar_int64(0), SL_ALL, 0, at_roots));
    sl_closure_options options = {.level = f->level};
    TRY(sl_closure(f->parent, q, f->A, SL_MIN_SECONDI_INT64, &options));
out:
    sl_vector_free(component);
    sl_vector_free(roots);
    sl_vector_free(q);
    sl_vector_free(index);
    return status;
}

/* side = (level is odd), computed as level != level / 2 * 2 */
static sl_status compute_sides(forest *f)
{
    sl_vector *even = NULL;
    sl_status status;
    const sl_scalar two = sl_scalar_int64(2);
    TRY(sl_vector_new(&even, sl_matrix_context(f->A), SL_INT64, sl_matrix_nrows(f->A)));
    TRY(sl_vector_apply_second(even, NULL, NULL, SL_DIV_INT64, f->level, two, NULL));
    TRY(sl_vector_apply_second(even, NULL, NULL, SL_TIMES_INT64, even, two, NULL));
    TRY(sl_vector_new(&f->side, sl_matrix_context(f->A), SL_BOOL, sl_matrix_nrows(f->A)));
    TRY(sl_vector_ewise_mult(f->side, NULL, NULL, SL_NE_INT64, f->level, even, NULL));
out:
    sl_vector_free(even);
    return status;
}

/* hit(v) = the least neighbour of v on the same side, for the vertices v of one side. */
static sl_status find_inner_edges(sl_vector *hit, const forest *f, bool side)
{
    sl_vector *members = NULL;
    sl_status status;
    TRY(sl_vector_new(&members, sl_matrix_context(f->A), SL_BOOL, sl_matrix_nrows(f->A)));
    TRY(sl_vector_select(members, NULL, NULL, SL_VALUEEQ_BOOL, f->side, sl_scalar_bool(side),
                         NULL));
    TRY(sl_vxm(hit, members, NULL, SL_MIN_SECONDI_INT64, members, f->A,
               sl_descriptor_get(SL_STRUCTURE)));
out:
    sl_vector_free(members);
    return status;
}

/* The edge within a side of least level, for a short cycle; SL_NO_VALUE if there is none. */
static sl_status find_inner_edge(uint64_t edge[2], const forest *f)
{
    sl_vector *hit = NULL, *level = NULL;
    uint64_t hits;
    sl_scalar other;
    sl_status status;
    TRY(sl_vector_new(&hit, sl_matrix_context(f->A), SL_INT64, sl_matrix_nrows(f->A)));
    TRY(find_inner_edges(hit, f, false));
    TRY(find_inner_edges(hit, f, true));
    TRY(sl_vector_nvals(&hits, hit));
    if (hits == 0) {
        status = SL_NO_VALUE;
        goto out;
    }
    TRY(sl_vector_new(&level, sl_matrix_context(f->A), SL_INT64, sl_matrix_nrows(f->A)));
    TRY(sl_vector_ewise_mult(level, NULL, NULL, SL_FIRST_INT64, f->level, hit, NULL));
    TRY(sl_first_of_extreme(&edge[0], level, SL_MIN_MONOID_INT64));
    TRY(sl_vector_get(&other, hit, edge[0]));
    edge[1] = (uint64_t)other.as.int64_;
out:
    sl_vector_free(hit);
    sl_vector_free(level);
    return status;
}

/* Replaces both vertices by their parents. */
static sl_status to_parents(sl_scalar *u, sl_scalar *v, const forest *f)
{
    sl_status status = sl_vector_get(u, f->parent, (uint64_t)u->as.int64_);
    return status == SL_OK ? sl_vector_get(v, f->parent, (uint64_t)v->as.int64_) : status;
}

/* The cycle of an edge within a level: the paths from its two ends up the tree, which have the same
 * length, to their first common vertex. One path fills the cycle from its front, the other from its
 * back. */
static sl_status make_cycle(sl_vector **cycle, const forest *f, const uint64_t edge[2])
{
    const sl_scalar first = sl_scalar_int64((int64_t)edge[0]);
    const sl_scalar last = sl_scalar_int64((int64_t)edge[1]);
    sl_scalar u = first, v = last;
    uint64_t height = 0;
    sl_status status;
    for (; u.as.int64_ != v.as.int64_; height++)
        TRY(to_parents(&u, &v, f));
    TRY(sl_vector_new(cycle, sl_matrix_context(f->A), SL_INT64, 2 * height + 1));
    TRY(sl_vector_set(*cycle, height, u));
    u = first;
    v = last;
    for (uint64_t k = 0; k < height; k++) {
        TRY(sl_vector_set(*cycle, k, u));
        TRY(sl_vector_set(*cycle, 2 * height - k, v));
        TRY(to_parents(&u, &v, f));
    }
out:
    return status;
}

sl_status sl_bipartite(bool *bipartite, sl_vector **side, sl_vector **cycle, const sl_matrix *A)
{
    if (side)
        *side = NULL;
    if (cycle)
        *cycle = NULL;
    forest f = {.A = A};
    sl_vector *odd = NULL;
    uint64_t edge[2];
    sl_status status;
    status = sl_require_output("bipartite", A, bipartite, "bipartite");
    TRY(AGREE(A, status, "bipartite", "side %d\ncycle %d\n", side != NULL, cycle != NULL));
    TRY(sl_require_symmetric("bipartite", A));
    TRY(search_all(&f));
    TRY(compute_sides(&f));
    status = find_inner_edge(edge, &f);
    *bipartite = status == SL_NO_VALUE;
    if (status == SL_OK && cycle)
        status = make_cycle(&odd, &f, edge);
    if (status == SL_NO_VALUE)
        status = SL_OK;
out:
    sl_vector_free(f.parent);
    sl_vector_free(f.level);
    if (status == SL_OK && !*bipartite) {
        sl_vector_free(f.side);
        f.side = NULL;
    }
    sl_return_vector(side, f.side, status);
    sl_return_vector(cycle, odd, status);
    return status;
}
