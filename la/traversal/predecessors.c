/*
 * Predecessors of a closure that relaxes, by operations on matrices: the edges (u, v) that are
 * tight, pi(u) (x) A(u, v) = pi(v), are found by products with the diagonal matrix of pi and
 * comparisons. Among edges from better values a vertex takes the least predecessor; edges between
 * equal values, which may form cycles, are searched level by level from the vertices that have one.
 */
#include "traverse.h"

#include <inttypes.h>

/* Matrices of one value per edge whose ends both have an entry of pi. All owned. */
typedef struct {
    sl_context *ctx;
    uint64_t n;
    sl_type type;
    sl_matrix *D;                     /* the diagonal matrix of pi */
    sl_matrix *from, *to, *through;   /* pi(u), pi(v), pi(u) (x) A(u, v) */
    sl_matrix *tight, *flat, *better; /* bool, true: through = to; also from = to; from better */
    sl_semiring any_first, any_second;
    sl_vector *roots; /* the entries that are their own predecessors */
} edges;

/* *C: the entries at which x op y is true, for a comparison. */
static sl_status compare(sl_matrix **C, const edges *e, const sl_matrix *mask, sl_binary_code op,
                         const sl_matrix *x, const sl_matrix *y)
{
    if (!*C)
        SL_TRY(sl_matrix_new(C, e->ctx, SL_BOOL, e->n, e->n));
    SL_TRY(sl_matrix_ewise_mult(*C, mask, NULL, sl_binary_op_get(op, e->type), x, y,
                                sl_descriptor_get(SL_REPLACE | SL_STRUCTURE)));
    return sl_matrix_select(*C, NULL, NULL, sl_index_op_get(SL_INDEX_VALUEEQ, SL_BOOL), *C,
                            sl_scalar_bool(true), NULL);
}

static sl_status values_at_ends(edges *e, const sl_vector *pi, const sl_matrix *A,
                                sl_semiring semiring)
{
    const sl_monoid any = sl_monoid_get(SL_MONOID_ANY, e->type);
    SL_TRY(sl_matrix_diag(&e->D, pi, 0));
    SL_TRY(sl_matrix_new(&e->through, e->ctx, e->type, e->n, e->n));
    SL_TRY(sl_matrix_new(&e->from, e->ctx, e->type, e->n, e->n));
    SL_TRY(sl_matrix_new(&e->to, e->ctx, e->type, e->n, e->n));
    SL_TRY(sl_semiring_new(&e->any_first, e->ctx, "any_first", any,
                           sl_binary_op_get(SL_BINARY_FIRST, e->type)));
    SL_TRY(sl_semiring_new(&e->any_second, e->ctx, "any_second", any,
                           sl_binary_op_get(SL_BINARY_SECOND, e->type)));
    SL_TRY(sl_mxm(e->through, NULL, NULL, semiring, e->D, A, NULL));
    SL_TRY(sl_mxm(e->to, NULL, NULL, e->any_second, e->through, e->D, NULL));
    return sl_mxm(e->from, NULL, NULL, e->any_first, e->D, e->to, NULL);
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

/* Entries of pi that have the value that they had on entry. */
static sl_status find_roots(edges *e, const sl_vector *pi, const sl_vector *initial)
{
    SL_TRY(sl_vector_new(&e->roots, e->ctx, SL_BOOL, e->n));
    SL_TRY(sl_vector_ewise_mult(e->roots, NULL, NULL, sl_binary_op_get(SL_BINARY_EQ, e->type), pi,
                                initial, NULL));
    return sl_vector_select(e->roots, NULL, NULL, sl_index_op_get(SL_INDEX_VALUEEQ, SL_BOOL),
                            e->roots, sl_scalar_bool(true), NULL);
}

/* parent: the roots, each with its own index. */
static sl_status begin(sl_vector *parent, const edges *e)
{
    SL_TRY(sl_vector_clear(parent));
    return sl_vector_apply_index(parent, NULL, NULL, SL_ROWINDEX_INT64, e->roots,
                                 sl_scalar_int64(0), NULL);
}

/* Gives vertices without a predecessor one over the edges of `along`, level by level. */
static sl_status search(sl_vector *parent, const sl_matrix *along, sl_semiring min_secondi)
{
    sl_vector *frontier;
    uint64_t count;
    SL_TRY(sl_matrix_nvals(&count, along));
    if (count == 0)
        return SL_OK;
    SL_TRY(sl_vector_dup(&frontier, parent));
    sl_status status = sl_closure(parent, frontier, along, min_secondi, NULL);
    sl_vector_free(frontier);
    return status;
}

static sl_status choose(sl_vector *parent, const edges *e, const sl_vector *pi)
{
    const sl_semiring min_secondi = sl_semiring_get(SL_SEMIRING_MIN_SECONDI, parent->object.type);
    uint64_t entries, chosen;
    SL_TRY(sl_vector_nvals(&entries, pi));
    SL_TRY(begin(parent, e));
    SL_TRY(sl_vxm(parent, parent, NULL, min_secondi, pi, e->better,
                  sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
    SL_TRY(search(parent, e->flat, min_secondi));
    SL_TRY(sl_vector_nvals(&chosen, parent));
    if (chosen < entries) {
        SL_TRY(begin(parent, e));
        SL_TRY(search(parent, e->tight, min_secondi));
        SL_TRY(sl_vector_nvals(&chosen, parent));
    }
    return chosen == entries
               ? SL_OK
               : SL_REFUSE(e->ctx, SL_OUT_OF_RANGE,
                           "closure: the values differ too much in size for %s: %" PRIu64
                           " entries have no predecessor",
                           sl_type_name(e->type), entries - chosen);
}

sl_status sl_find_predecessors(sl_vector *parent, const sl_vector *pi, const sl_vector *initial,
                               const sl_matrix *A, sl_semiring semiring)
{
    edges e = {.ctx = A->object.ctx, .n = A->object.nrows, .type = semiring->result};
    sl_status status = values_at_ends(&e, pi, A, semiring);
    if (status == SL_OK)
        status = compare_ends(&e, semiring->add->op);
    if (status == SL_OK)
        status = find_roots(&e, pi, initial);
    if (status == SL_OK)
        status = choose(parent, &e, pi);
    sl_matrix *const matrices[] = {e.D, e.from, e.to, e.through, e.tight, e.flat, e.better};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        sl_matrix_free(matrices[k]);
    sl_vector_free(e.roots);
    sl_semiring_free(e.any_first);
    sl_semiring_free(e.any_second);
    return status;
}
