/*
 * Tight edges of a fixpoint, by operations on matrices: products with the diagonal matrices of the values
 * give each edge the values of its ends, and comparisons select edges. The operation `predecessors` for
 * chains without an engine that has it.
 */
#include "la/traversal/tight_edges.h"

/* Matrices of one value per edge whose ends both have a value: of the rows, and of the columns. All
 * owned. */
typedef struct {
    sl_context *ctx;
    sl_tight_kind kind;
    uint64_t nrows, ncols;
    sl_type type;
    sl_matrix *D_from, *D_to;         /* the diagonal matrices of the values; D_to may be D_from */
    sl_matrix *columns;               /* the entries of A in the columns of `to`; NULL: A itself */
    sl_matrix *from, *to, *through;   /* of the row u, of the column v, from(u) (x) A(u, v) */
    sl_matrix *tight, *flat, *better; /* bool, true: through = to; also from = to; from better */
    sl_semiring any_first, any_second, first_of_A;
} edges;

static void free_edges(edges *e)
{
    sl_matrix *const matrices[] = {e->D_from,  e->D_to == e->D_from ? NULL : e->D_to,
                                   e->from,    e->to,
                                   e->through, e->columns,
                                   e->tight,   e->flat,
                                   e->better};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        sl_matrix_free(matrices[k]);
    sl_semiring_free(e->any_first);
    sl_semiring_free(e->any_second);
    sl_semiring_free(e->first_of_A);
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

/* A new semiring over `any` that copies one operand. */
static sl_status copying(sl_semiring *semiring, sl_context *ctx, const char *name,
                         sl_binary_code which, sl_type type)
{
    return sl_semiring_new(semiring, ctx, name, sl_monoid_get(SL_MONOID_ANY, type),
                           sl_binary_op_get(which, type));
}

static sl_status diagonals(edges *e, const sl_vector *from, const sl_vector *to)
{
    SL_TRY(sl_matrix_diag(&e->D_from, from, 0));
    e->D_to = e->D_from;
    if (to == from)
        return SL_OK;
    e->D_to = NULL;
    return sl_matrix_diag(&e->D_to, to, 0);
}

/* The entries of A in the columns of `to`, which are few where edges from equal values are sought: the
 * operations that follow are over these entries only. */
static sl_status choose_columns(edges *e, const sl_matrix *A)
{
    if (e->kind != SL_TIGHT_FLAT && e->kind != SL_TIGHT_BETTER_OR_EQUAL)
        return SL_OK;
    SL_TRY(copying(&e->first_of_A, e->ctx, "any_first", SL_BINARY_FIRST, A->object.type));
    SL_TRY(sl_matrix_new(&e->columns, e->ctx, A->object.type, e->nrows, e->ncols));
    return sl_mxm(e->columns, NULL, NULL, e->first_of_A, A, e->D_to, NULL);
}

static sl_status values_at_ends(edges *e, const sl_matrix *A, sl_semiring semiring)
{
    SL_TRY(sl_matrix_new(&e->through, e->ctx, e->type, e->nrows, e->ncols));
    SL_TRY(sl_matrix_new(&e->to, e->ctx, e->type, e->nrows, e->ncols));
    SL_TRY(copying(&e->any_second, e->ctx, "any_second", SL_BINARY_SECOND, e->type));
    SL_TRY(sl_mxm(e->through, NULL, NULL, semiring, e->D_from, A, NULL));
    SL_TRY(sl_mxm(e->to, NULL, NULL, e->any_second, e->through, e->D_to, NULL));
    if (e->kind == SL_TIGHT)
        return SL_OK;
    SL_TRY(sl_matrix_new(&e->from, e->ctx, e->type, e->nrows, e->ncols));
    SL_TRY(copying(&e->any_first, e->ctx, "any_first", SL_BINARY_FIRST, e->type));
    return sl_mxm(e->from, NULL, NULL, e->any_first, e->D_from, e->to, NULL);
}

/* Edges from values that are better or equal: from (+) to = from. */
static sl_status compare_better(edges *e, sl_binary_op add)
{
    SL_TRY(sl_matrix_ewise_mult(e->to, NULL, NULL, add, e->from, e->to, NULL));
    SL_TRY(compare(&e->better, e, e->tight, SL_BINARY_EQ, e->from, e->to));
    if (e->kind == SL_TIGHT_BETTER_OR_EQUAL)
        return SL_OK;
    return sl_matrix_apply(e->better, e->flat, NULL, SL_IDENTITY_BOOL, e->better,
                           sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT));
}

static sl_status compare_ends(edges *e, sl_binary_op add)
{
    SL_TRY(compare(&e->tight, e, NULL, SL_BINARY_EQ, e->through, e->to));
    if (e->kind == SL_TIGHT_FLAT || e->kind == SL_TIGHT_BETTER)
        SL_TRY(compare(&e->flat, e, e->tight, SL_BINARY_EQ, e->from, e->to));
    return e->kind == SL_TIGHT || e->kind == SL_TIGHT_FLAT ? SL_OK : compare_better(e, add);
}

sl_status sl_find_tight_edges(sl_matrix **found, sl_tight_kind kind, const sl_vector *from,
                              const sl_vector *to, const sl_matrix *A, sl_semiring semiring)
{
    edges e = {.ctx = A->object.ctx,
               .kind = kind,
               .nrows = A->object.nrows,
               .ncols = A->object.ncols,
               .type = semiring->result};
    sl_matrix **const of_kind = kind == SL_TIGHT        ? &e.tight
                                : kind == SL_TIGHT_FLAT ? &e.flat
                                                        : &e.better;
    sl_status status = diagonals(&e, from, to);
    if (status == SL_OK)
        status = choose_columns(&e, A);
    if (status == SL_OK)
        status = values_at_ends(&e, e.columns ? e.columns : A, semiring);
    if (status == SL_OK)
        status = compare_ends(&e, semiring->add->op);
    if (status == SL_OK) {
        *found = *of_kind;
        *of_kind = NULL;
    }
    free_edges(&e);
    return status;
}

/* ---- the operation `predecessors` --------------------------------------------------------------- */

static sl_status by_operations(const sl_call *call)
{
    const sl_vector *from = (const sl_vector *)call->b;
    sl_matrix *found = NULL;
    sl_status status = sl_find_tight_edges(
        &found, call->settings.equal_too ? SL_TIGHT_BETTER_OR_EQUAL : SL_TIGHT_BETTER, from,
        (const sl_vector *)call->mask, (const sl_matrix *)call->a, call->operators.semiring);
    if (status == SL_OK)
        status =
            sl_vxm((sl_vector *)call->out, NULL, NULL, SL_MIN_SECONDI_INT64, from, found, NULL);
    sl_matrix_free(found);
    return status;
}

sl_status sl_better_predecessors(sl_call *call)
{
    return sl_dispatch_supports(call) ? sl_dispatch(call) : by_operations(call);
}
