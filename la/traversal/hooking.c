/*
 * Least labels of an undirected graph: the closure over min_first in which every entry of pi is in
 * the frontier. An engine finds the components (the operation `components`), or if none of the chain
 * does, FastSV (Zhang, Azad, Hu, SIAM PP 2020):
 *   1. A breadth-first search from a vertex of greatest degree settles a component, usually the
 *      giant one (Slota, Rajamanickam, Madduri, "BFS and Coloring-based Parallel Algorithms for
 *      Strongly Connected Components and Related Problems", IPDPS 2014). After MOST_LEVELS levels the
 *      vertices that it has reached form one tree.
 *   2. If the component is settled, those that are left are usually small: MOST_ROUNDS iterations of the
 *      closure itself give their vertices the least label.
 *   3. Otherwise, or if labels still improve, the vertices that have edges and are not settled form a
 *      forest of parents. Its trees are hooked onto neighbours of lesser index and flattened, until each
 *      component is a star around its least vertex.
 * Then each star's root receives the least value of its vertices, and each vertex the value of its
 * root.
 *
 * All vectors stay where the engines keep them: the trees are hooked by scatter and flattened by
 * gather. O(edges) per round of FastSV, O(log vertices) rounds in practice.
 */
#include "la/traversal/traverse.h"

/* Returns from the function by way of `out`. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

enum { MOST_LEVELS = 1 << 12, MOST_ROUNDS = 8 };

/* int64 vectors and patterns; owned. All but `parent` have entries for active vertices only. */
typedef struct {
    sl_context *ctx;
    const sl_matrix *A;
    uint64_t n;
    sl_vector *parent; /* of every vertex; the parents of active vertices are written at the end */
    sl_vector *active; /* pattern: vertices with edges that are not settled */
    sl_vector *tree;   /* the parents of active vertices */
    sl_vector *grandparent;
    sl_vector *least;     /* the least grandparent of a neighbour so far */
    sl_vector *next;      /* the next grandparents */
    sl_vector *changed;   /* where `next` differs */
    sl_progress progress; /* rounds */
} forest;

static void free_forest(forest *f)
{
    sl_vector_free(f->parent);
    sl_vector_free(f->active);
    sl_vector_free(f->tree);
    sl_vector_free(f->grandparent);
    sl_vector_free(f->least);
    sl_vector_free(f->next);
    sl_vector_free(f->changed);
}

/* Every vertex is its own parent. */
static sl_status begin_parents(forest *f)
{
    const sl_scalar zero = sl_scalar_int64(0);
    SL_TRY(sl_vector_assign_scalar(f->parent, NULL, NULL, zero, SL_ALL, 0, NULL));
    return sl_vector_apply_index(f->parent, NULL, NULL, SL_ROWINDEX_INT64, f->parent, zero, NULL);
}

/* The least index with the greatest value of `value`, an int64 vector that is not empty, which is
 * overwritten. */
static sl_status index_of_greatest(uint64_t *index, sl_vector *value)
{
    sl_scalar most, first;
    SL_TRY(sl_vector_reduce(&most, NULL, SL_MAX_MONOID_INT64, value));
    SL_TRY(sl_vector_select(value, NULL, NULL, SL_VALUEEQ_INT64, value, most, NULL));
    SL_TRY(sl_vector_apply_index(value, NULL, NULL, SL_ROWINDEX_INT64, value, sl_scalar_int64(0),
                                 NULL));
    SL_TRY(sl_vector_reduce(&first, NULL, SL_MIN_MONOID_INT64, value));
    *index = (uint64_t)first.as.int64_;
    return SL_OK;
}

/* The vertices that a search from a vertex of greatest degree reaches; *complete: all of its
 * component. `degree` is overwritten. */
static sl_status search_from_hub(sl_vector *reached, bool *complete, sl_vector *degree,
                                 const forest *f)
{
    sl_iteration_log log = {0};
    sl_closure_options options = {
        .from_source = true, .bounded = true, .max_iterations = MOST_LEVELS, .log = &log};
    sl_status status = index_of_greatest(&options.source, degree);
    if (status == SL_OK)
        status = sl_plain_closure(reached, NULL, f->A, SL_ANY_PAIR_BOOL, &options);
    *complete = log.count < MOST_LEVELS;
    sl_iteration_log_clear(&log);
    return status;
}

/* Joins the vertices that are reached to one tree, and determines the active vertices. *settled: the tree is a whole
 * component without active vertices. */
static sl_status settle_hub(forest *f, bool *settled)
{
    sl_vector *value = NULL, *reached = NULL;
    sl_scalar least;
    bool complete;
    sl_status status;
    TRY(sl_vector_new(&f->active, f->ctx, SL_BOOL, f->n));
    TRY(sl_vector_new(&reached, f->ctx, SL_BOOL, f->n));
    TRY(sl_vector_new(&value, f->ctx, SL_INT64, f->n));
    TRY(sl_mxv(value, NULL, NULL, SL_PLUS_PAIR_INT64, f->A, f->parent, NULL));
    TRY(sl_vector_apply(f->active, NULL, NULL, SL_ONE_BOOL, value, NULL));
    TRY(search_from_hub(reached, &complete, value, f));
    *settled = complete;
    TRY(sl_vector_apply(value, reached, NULL, SL_IDENTITY_INT64, f->parent,
                        sl_descriptor_get(SL_STRUCTURE | SL_REPLACE)));
    TRY(sl_vector_reduce(&least, NULL, SL_MIN_MONOID_INT64, value));
    TRY(sl_vector_assign_scalar(f->parent, reached, NULL, least, SL_ALL, 0,
                                sl_descriptor_get(SL_STRUCTURE)));
    if (complete)
        TRY(sl_vector_apply(f->active, reached, NULL, SL_IDENTITY_BOOL, f->active,
                            sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT | SL_REPLACE)));
out:
    sl_vector_free(value);
    sl_vector_free(reached);
    return status;
}

/* One round of FastSV. *more is false if no grandparent changed. */
static sl_status hook_and_flatten(forest *f, bool *more)
{
    sl_scalar any;
    /* least = min(least, grandparents of the neighbours) */
    SL_TRY(sl_mxv(f->least, NULL, SL_MIN_INT64, SL_MIN_SECOND_INT64, f->A, f->grandparent, NULL));
    /* tree(tree(v)) = min(itself, least(v)), with the parents before this round */
    SL_TRY(sl_vector_assign(f->next, NULL, NULL, f->tree, SL_ALL, 0, NULL));
    SL_TRY(sl_vector_scatter(f->tree, NULL, SL_MIN_INT64, SL_MIN_MONOID_INT64, f->least, f->next,
                             NULL));
    /* tree = min(tree, least, grandparent) */
    SL_TRY(sl_vector_ewise_add(f->tree, NULL, SL_MIN_INT64, SL_MIN_INT64, f->least, f->grandparent,
                               NULL));
    SL_TRY(sl_vector_gather(f->next, NULL, NULL, f->tree, f->tree, NULL));
    SL_TRY(
        sl_vector_ewise_mult(f->changed, NULL, NULL, SL_NE_INT64, f->next, f->grandparent, NULL));
    SL_TRY(sl_vector_reduce(&any, NULL, SL_LOR_MONOID_BOOL, f->changed));
    *more = any.as.bool_;
    sl_vector *old = f->grandparent;
    f->grandparent = f->next;
    f->next = old;
    return SL_OK;
}

/* Iterates over the labels of active vertices, which form whole components. *done is false if they may
 * still improve; they are then vertices of the same component. */
static sl_status spread_labels(forest *f, bool *done)
{
    sl_iteration_log log = {0};
    const sl_closure_options options = {
        .bounded = true, .max_iterations = MOST_ROUNDS, .log = &log};
    const sl_status status = sl_plain_closure(f->tree, f->tree, f->A, SL_MIN_FIRST_INT64, &options);
    *done = log.count < MOST_ROUNDS;
    sl_iteration_log_clear(&log);
    return status;
}

/* Makes each component a star around its least vertex. */
static sl_status join_trees(forest *f)
{
    uint64_t edges, active;
    bool more = true, settled, done = false;
    SL_TRY(begin_parents(f));
    SL_TRY(sl_matrix_nvals(&edges, f->A));
    if (edges == 0)
        return SL_OK;
    SL_TRY(settle_hub(f, &settled));
    SL_TRY(sl_vector_nvals(&active, f->active));
    if (active == 0)
        return SL_OK;
    SL_TRY(sl_vector_new(&f->tree, f->ctx, SL_INT64, f->n));
    SL_TRY(sl_vector_apply(f->tree, f->active, NULL, SL_IDENTITY_INT64, f->parent,
                           sl_descriptor_get(SL_STRUCTURE)));
    if (settled)
        SL_TRY(spread_labels(f, &done));
    if (done)
        return sl_vector_assign(f->parent, f->tree, NULL, f->tree, SL_ALL, 0,
                                sl_descriptor_get(SL_STRUCTURE));
    SL_TRY(sl_vector_dup(&f->grandparent, f->tree));
    SL_TRY(sl_vector_dup(&f->least, f->tree));
    SL_TRY(sl_vector_dup(&f->next, f->tree));
    SL_TRY(sl_vector_new(&f->changed, f->ctx, SL_BOOL, f->n));
    for (; more; f->progress.done++)
        SL_TRY(hook_and_flatten(f, &more));
    return sl_vector_assign(f->parent, f->tree, NULL, f->tree, SL_ALL, 0,
                            sl_descriptor_get(SL_STRUCTURE));
}

/* parent(v) becomes the least vertex of the component of v. */
static sl_status find_components(forest *f)
{
    sl_call call = {.op = SL_OP_COMPONENTS, .ctx = f->ctx, .out = OF_V(f->parent), .a = OF_M(f->A)};
    const bool supported = sl_dispatch_supports(&call);
    if (!supported)
        sl_progress_begin(f->ctx, &f->progress);
    const sl_status status = supported ? sl_dispatch(&call) : join_trees(f);
    sl_progress_end(f->ctx, &f->progress);
    SL_TRY(status);
    OF_V(f->parent)->index_bound = f->n;
    return SL_OK;
}

/* pi = the least value of pi in the component of each vertex, f->parent. */
static sl_status spread_least(sl_vector *pi, const forest *f, sl_monoid min)
{
    sl_vector *labels;
    SL_TRY(sl_vector_dup(&labels, pi));
    sl_status status = sl_vector_scatter(labels, NULL, min->op, min, pi, f->parent, NULL);
    if (status == SL_OK)
        status = sl_vector_gather(pi, NULL, NULL, labels, f->parent, NULL);
    sl_vector_free(labels);
    return status;
}

sl_status sl_closure_by_hooking(sl_call *call)
{
    sl_vector *pi = (sl_vector *)call->traversal->pi;
    forest f = {.ctx = call->ctx,
                .A = call->traversal->A,
                .n = call->a->nrows,
                .progress.operation = "components"};
    uint64_t count = 0;
    sl_status status = SL_OK;
    if (OF_V(pi)->own_indices && OF_V(pi)->type == SL_INT64)
        TRY(sl_vector_nvals(&count, pi));
    if (count == f.n) { /* the least values are the least vertices */
        f.parent = pi;
        status = find_components(&f);
        f.parent = NULL;
        goto out;
    }
    TRY(sl_vector_new(&f.parent, f.ctx, SL_INT64, f.n));
    TRY(find_components(&f));
    TRY(spread_least(pi, &f, call->operators.semiring->add));
out:
    free_forest(&f);
    return status;
}
