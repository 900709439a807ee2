/*
 * Predecessors of a closure that relaxes. An edge (u, v) is tight if pi(u) (x) A(u, v) = pi(v). Among
 * tight edges from better values a vertex takes the least predecessor, which an engine finds, or
 * operations on matrices: products with the diagonal matrix of pi, and comparisons. Tight edges
 * between equal values, which may form cycles, are searched level by level from the vertices that
 * have a predecessor, if others remain.
 */
#include "traverse.h"

#include <inttypes.h>

/* Matrices of one value per edge whose ends both have a value: of the rows, and of the columns. All
 * owned. */
typedef struct {
    sl_context *ctx;
    uint64_t nrows, ncols;
    sl_type type;
    sl_matrix *D_from, *D_to;         /* the diagonal matrices of the values; D_to may be D_from */
    sl_matrix *from, *to, *through;   /* of the row u, of the column v, from(u) (x) A(u, v) */
    sl_matrix *tight, *flat, *better; /* bool, true: through = to; also from = to; from better */
    sl_semiring any_first, any_second;
} edges;

static void free_edges(edges *e)
{
    sl_matrix *const matrices[] = {
        e->D_from,  e->from,  e->to,   e->D_to == e->D_from ? NULL : e->D_to,
        e->through, e->tight, e->flat, e->better};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        sl_matrix_free(matrices[k]);
    sl_semiring_free(e->any_first);
    sl_semiring_free(e->any_second);
}

/* *C: the entries at which x op y is true, for a comparison. */
static sl_status compare(sl_matrix **C, const edges *e, const sl_matrix *mask, sl_binary_code op,
                         const sl_matrix *x, const sl_matrix *y)
{
    if (!*C)
        SL_TRY(sl_matrix_new(C, e->ctx, SL_BOOL, e->nrows, e->ncols));
    SL_TRY(sl_matrix_ewise_mult(*C, mask, NULL, sl_binary_op_get(op, e->type), x, y,
                                sl_descriptor_get(SL_REPLACE | SL_STRUCTURE)));
    return sl_matrix_select(*C, NULL, NULL, sl_index_op_get(SL_INDEX_VALUEEQ, SL_BOOL), *C,
                            sl_scalar_bool(true), NULL);
}

static sl_status values_at_ends(edges *e, const sl_vector *from, const sl_vector *to,
                                const sl_matrix *A, sl_semiring semiring)
{
    const sl_monoid any = sl_monoid_get(SL_MONOID_ANY, e->type);
    SL_TRY(sl_matrix_diag(&e->D_from, from, 0));
    e->D_to = e->D_from;
    if (to != from) {
        e->D_to = NULL;
        SL_TRY(sl_matrix_diag(&e->D_to, to, 0));
    }
    SL_TRY(sl_matrix_new(&e->through, e->ctx, e->type, e->nrows, e->ncols));
    SL_TRY(sl_matrix_new(&e->from, e->ctx, e->type, e->nrows, e->ncols));
    SL_TRY(sl_matrix_new(&e->to, e->ctx, e->type, e->nrows, e->ncols));
    SL_TRY(sl_semiring_new(&e->any_first, e->ctx, "any_first", any,
                           sl_binary_op_get(SL_BINARY_FIRST, e->type)));
    SL_TRY(sl_semiring_new(&e->any_second, e->ctx, "any_second", any,
                           sl_binary_op_get(SL_BINARY_SECOND, e->type)));
    SL_TRY(sl_mxm(e->through, NULL, NULL, semiring, e->D_from, A, NULL));
    SL_TRY(sl_mxm(e->to, NULL, NULL, e->any_second, e->through, e->D_to, NULL));
    return sl_mxm(e->from, NULL, NULL, e->any_first, e->D_from, e->to, NULL);
}

static sl_status compare_ends(edges *e, sl_binary_op add)
{
    SL_TRY(compare(&e->tight, e, NULL, SL_BINARY_EQ, e->through, e->to));
    SL_TRY(compare(&e->flat, e, e->tight, SL_BINARY_EQ, e->from, e->to));
    /* from is better: from (+) to = from, and they differ */
    SL_TRY(sl_matrix_ewise_mult(e->to, NULL, NULL, add, e->from, e->to, NULL));
    SL_TRY(compare(&e->better, e, e->tight, SL_BINARY_EQ, e->from, e->to));
    return sl_matrix_apply(e->better, e->flat, NULL, SL_IDENTITY_BOOL, e->better,
                           sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT));
}

static sl_status find_edges(edges *e, const sl_vector *from, const sl_vector *to,
                            const sl_matrix *A, sl_semiring semiring)
{
    *e = (edges){.ctx = A->object.ctx,
                 .nrows = A->object.nrows,
                 .ncols = A->object.ncols,
                 .type = semiring->result};
    SL_TRY(values_at_ends(e, from, to, A, semiring));
    return compare_ends(e, semiring->add->op);
}

/* ---- the least predecessors of better values ----------------------------------------------- */

static sl_status by_operations(const sl_call *call)
{
    const sl_vector *from = (const sl_vector *)call->b;
    edges e;
    sl_status status = find_edges(&e, from, (const sl_vector *)call->mask,
                                  (const sl_matrix *)call->a, call->semiring);
    if (status == SL_OK)
        status =
            sl_vxm((sl_vector *)call->out, NULL, NULL, SL_MIN_SECONDI_INT64, from, e.better, NULL);
    free_edges(&e);
    return status;
}

sl_status sl_better_predecessors(sl_call *call)
{
    return sl_dispatch_supports(call) ? sl_dispatch(call) : by_operations(call);
}

/* ---- the closure's predecessors ---------------------------------------------------------------- */

/* The operands. */
typedef struct {
    sl_vector *parent;
    const sl_vector *pi;
    sl_vector *roots; /* the entries that are their own predecessors; owned */
    const sl_matrix *A;
    sl_semiring semiring;
    uint64_t entries; /* of pi */
} choice;

/* Entries of pi that have the value that they had on entry. */
static sl_status find_roots(choice *c, const sl_vector *initial)
{
    const sl_type type = c->semiring->result;
    SL_TRY(sl_vector_new(&c->roots, c->A->object.ctx, SL_BOOL, c->A->object.nrows));
    SL_TRY(sl_vector_ewise_mult(c->roots, NULL, NULL, sl_binary_op_get(SL_BINARY_EQ, type), c->pi,
                                initial, NULL));
    return sl_vector_select(c->roots, NULL, NULL, sl_index_op_get(SL_INDEX_VALUEEQ, SL_BOOL),
                            c->roots, sl_scalar_bool(true), NULL);
}

/* parent: the roots, each with its own index. */
static sl_status begin(const choice *c)
{
    SL_TRY(sl_vector_clear(c->parent));
    return sl_vector_apply_index(c->parent, NULL, NULL, SL_ROWINDEX_INT64, c->roots,
                                 sl_scalar_int64(0), NULL);
}

/* Gives vertices without a predecessor the least of better value. */
static sl_status take_better(const choice *c)
{
    sl_vector *better;
    SL_TRY(sl_vector_new(&better, c->A->object.ctx, SL_INT64, c->A->object.nrows));
    sl_call call = {.op = SL_OP_PREDECESSORS,
                    .ctx = c->A->object.ctx,
                    .out = OF_V(better),
                    .mask = OF_V(c->pi),
                    .a = OF_M(c->A),
                    .b = OF_V(c->pi),
                    .semiring = c->semiring};
    sl_status status = sl_better_predecessors(&call);
    if (status == SL_OK)
        status = sl_vector_assign(c->parent, c->parent, NULL, better, SL_ALL, 0,
                                  sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT));
    sl_vector_free(better);
    return status;
}

/* Gives vertices without a predecessor one over the edges of `along`, level by level. */
static sl_status search(const choice *c, const sl_matrix *along)
{
    const sl_semiring min_secondi =
        sl_semiring_get(SL_SEMIRING_MIN_SECONDI, c->parent->object.type);
    sl_vector *frontier;
    uint64_t count;
    SL_TRY(sl_matrix_nvals(&count, along));
    if (count == 0)
        return SL_OK;
    SL_TRY(sl_vector_dup(&frontier, c->parent));
    sl_status status = sl_closure(c->parent, frontier, along, min_secondi, NULL);
    sl_vector_free(frontier);
    return status;
}

/* Searches from the vertices that have a predecessor. */
static sl_status search_flat_edges(const choice *c, uint64_t *chosen)
{
    edges e;
    sl_status status = find_edges(&e, c->pi, c->pi, c->A, c->semiring);
    if (status == SL_OK)
        status = search(c, e.flat);
    if (status == SL_OK)
        status = sl_vector_nvals(chosen, c->parent);
    if (status == SL_OK && *chosen < c->entries) {
        status = begin(c);
        if (status == SL_OK)
            status = search(c, e.tight);
        if (status == SL_OK)
            status = sl_vector_nvals(chosen, c->parent);
    }
    free_edges(&e);
    return status;
}

static sl_status choose(choice *c, const sl_vector *initial)
{
    uint64_t chosen;
    SL_TRY(find_roots(c, initial));
    SL_TRY(begin(c));
    SL_TRY(take_better(c));
    SL_TRY(sl_vector_nvals(&c->entries, c->pi));
    SL_TRY(sl_vector_nvals(&chosen, c->parent));
    if (chosen < c->entries)
        SL_TRY(search_flat_edges(c, &chosen));
    return chosen == c->entries
               ? SL_OK
               : SL_REFUSE(c->A->object.ctx, SL_OUT_OF_RANGE,
                           "closure: the values differ too much in size for %s: %" PRIu64
                           " entries have no predecessor",
                           sl_type_name(c->semiring->result), c->entries - chosen);
}

sl_status sl_find_predecessors(sl_vector *parent, const sl_vector *pi, const sl_vector *initial,
                               const sl_matrix *A, sl_semiring semiring)
{
    choice c = {.parent = parent, .pi = pi, .A = A, .semiring = semiring};
    const sl_status status = choose(&c, initial);
    sl_vector_free(c.roots);
    return status;
}
