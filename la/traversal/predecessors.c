/*
 * Predecessors of a closure that relaxes. An edge (u, v) is tight if pi(u) (x) A(u, v) = pi(v). Among
 * tight edges from better values a vertex takes the least predecessor (the operation `predecessors`).
 * Tight edges between equal values, flat ones, may form cycles: they are searched level by level from the
 * vertices that have a predecessor, if others remain. The first levels are passes of the operation, the
 * others a search in the matrix of the flat edges.
 */
#include "la/traversal/tight_edges.h"

#include <inttypes.h>

/*
 * Passes before matrices are made. Few edges of a graph are flat (lengths of 0), so that a search over them has few
 * levels. A pass examines every edge once, or only the edges of the columns without a predecessor. The matrices take
 * a product over all edges, whose blocks a grid exchanges, and about ten operations. A long path of flat edges has as
 * many levels as edges: a search in their matrix does not examine all edges in each level.
 */
enum { FLAT_PASSES = 4 };

/* The operands. */
typedef struct {
    sl_vector *parent;
    const sl_vector *pi;
    /* The only entry that is its own predecessor. NULL: there may be several, the roots. */
    const uint64_t *source;
    sl_vector *roots; /* owned; NULL if there is a source */
    const sl_matrix *A;
    sl_semiring semiring;
    uint64_t entries, missing; /* of pi: all, those without a predecessor */
} choice;

/* Entries of pi that have the value that they had on entry. */
static sl_status find_roots(choice *c, const sl_vector *initial)
{
    const sl_type type = c->semiring->result;
    if (c->source)
        return SL_OK;
    SL_TRY(sl_vector_new(&c->roots, c->A->object.ctx, SL_BOOL, c->A->object.nrows));
    SL_TRY(sl_vector_ewise_mult(c->roots, NULL, NULL, sl_binary_op_get(SL_BINARY_EQ, type), c->pi,
                                initial, NULL));
    return sl_vector_select(c->roots, NULL, NULL, sl_index_op_get(SL_INDEX_VALUEEQ, SL_BOOL),
                            c->roots, sl_scalar_bool(true), NULL);
}

static sl_status set_source(const choice *c)
{
    return sl_vector_set(c->parent, *c->source, sl_scalar_int64((int64_t)*c->source));
}

/* parent: the roots, each with its own index. */
static sl_status begin(const choice *c)
{
    SL_TRY(sl_vector_clear(c->parent));
    if (c->source)
        return set_source(c);
    return sl_vector_apply_index(c->parent, NULL, NULL, SL_ROWINDEX_INT64, c->roots,
                                 sl_scalar_int64(0), NULL);
}

static sl_status count_missing(choice *c)
{
    uint64_t chosen;
    SL_TRY(sl_vector_nvals(&chosen, c->parent));
    c->missing = c->entries - chosen;
    return SL_OK;
}

/* ---- by the operation `predecessors` ------------------------------------------------------------ */

static sl_call predecessors_of(const choice *c, sl_vector *found, const sl_vector *from,
                               const sl_vector *to, bool equal_too)
{
    return (sl_call){.op = SL_OP_PREDECESSORS,
                     .ctx = c->A->object.ctx,
                     .out = OF_V(found),
                     .mask = OF_V(to),
                     .a = OF_M(c->A),
                     .b = OF_V(from),
                     .operators.semiring = c->semiring,
                     .settings.equal_too = equal_too};
}

/* Gives vertices of `to` without a predecessor the least one in `from`. `found`, which is empty, receives
 * the least ones. */
static sl_status take(choice *c, sl_vector *found, const sl_vector *from, const sl_vector *to,
                      bool equal_too)
{
    sl_call call = predecessors_of(c, found, from, to, equal_too);
    SL_TRY(sl_better_predecessors(&call));
    SL_TRY(sl_vector_assign(c->parent, c->parent, NULL, found, SL_ALL, 0,
                            sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
    return count_missing(c);
}

/* part: the entries of pi where `where` has entries, or, with SL_COMPLEMENT, where it has none. */
static sl_status restrict_pi(sl_vector *part, const choice *c, const sl_vector *where,
                             unsigned complement)
{
    return sl_vector_apply(part, where, NULL,
                           sl_unary_op_get(SL_UNARY_IDENTITY, c->semiring->result), c->pi,
                           sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | complement));
}

/* One level of the search over flat edges, of which the first is from all vertices that have a predecessor,
 * each other from those that the level before has `found`. */
static sl_status take_flat(choice *c, sl_vector *from, sl_vector *to, sl_vector *found, bool first)
{
    SL_TRY(restrict_pi(from, c, first ? c->parent : found, 0));
    SL_TRY(restrict_pi(to, c, c->parent, SL_COMPLEMENT));
    SL_TRY(sl_vector_clear(found));
    return take(c, found, from, to, true);
}

/* The first levels of the search over flat edges. *ended: a level has found none. */
static sl_status pass_flat_edges(choice *c, bool *ended)
{
    sl_vector *from = NULL, *to = NULL, *found = NULL;
    sl_context *ctx = c->A->object.ctx;
    const uint64_t n = c->A->object.nrows;
    SL_TRY(sl_vector_new(&found, ctx, SL_INT64, n));
    const sl_call call = predecessors_of(c, found, c->pi, c->pi, true);
    /* Without an engine that has the operation, each pass would make matrices. */
    const int passes = sl_dispatch_supports(&call) ? FLAT_PASSES : 0;
    sl_status status = sl_vector_new(&from, ctx, c->semiring->result, n);
    if (status == SL_OK)
        status = sl_vector_new(&to, ctx, c->semiring->result, n);
    for (int pass = 0; status == SL_OK && c->missing > 0 && !*ended && pass < passes; pass++) {
        const uint64_t before = c->missing;
        status = take_flat(c, from, to, found, pass == 0);
        *ended = c->missing == before;
    }
    sl_vector_free(from);
    sl_vector_free(to);
    sl_vector_free(found);
    return status;
}

/* ---- by matrices of edges ----------------------------------------------------------------------- */

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
    sl_status status = sl_plain_closure(c->parent, frontier, along, min_secondi, NULL);
    sl_vector_free(frontier);
    return status;
}

/* Searches over the tight edges of a kind that lead to entries of `to`, from the vertices that have a
 * predecessor. */
static sl_status search_edges(choice *c, sl_tight_kind kind, const sl_vector *to)
{
    sl_matrix *along;
    SL_TRY(sl_find_tight_edges(&along, kind, c->pi, to, c->A, c->semiring));
    sl_status status = search(c, along);
    sl_matrix_free(along);
    return status == SL_OK ? count_missing(c) : status;
}

static sl_status search_flat_edges(choice *c)
{
    sl_vector *to;
    SL_TRY(sl_vector_new(&to, c->A->object.ctx, c->semiring->result, c->A->object.nrows));
    sl_status status = restrict_pi(to, c, c->parent, SL_COMPLEMENT);
    if (status == SL_OK)
        status = search_edges(c, SL_TIGHT_FLAT, to);
    sl_vector_free(to);
    return status;
}

/* ---- the closure's predecessors ----------------------------------------------------------------- */

/* From a source, nothing but its own entry has to be added to what the operation finds, which may
 * be predecessors over flat edges, too. */
static sl_status take_better_from_source(choice *c)
{
    sl_call call = predecessors_of(c, c->parent, c->pi, c->pi, false);
    call.rows = (sl_index_list){.items = c->source, .count = 1};
    SL_TRY(sl_vector_clear(c->parent));
    SL_TRY(sl_better_predecessors(&call));
    SL_TRY(set_source(c));
    return count_missing(c);
}

static sl_status take_better(choice *c)
{
    sl_vector *found;
    if (c->source && c->parent->object.type == SL_INT64)
        return take_better_from_source(c);
    SL_TRY(begin(c));
    SL_TRY(sl_vector_new(&found, c->A->object.ctx, SL_INT64, c->A->object.nrows));
    const sl_status status = take(c, found, c->pi, c->pi, false);
    sl_vector_free(found);
    return status;
}

static sl_status choose(choice *c, const sl_vector *initial)
{
    bool ended = false;
    SL_TRY(sl_vector_nvals(&c->entries, c->pi));
    SL_TRY(find_roots(c, initial));
    SL_TRY(take_better(c));
    if (c->missing > 0)
        SL_TRY(pass_flat_edges(c, &ended));
    if (c->missing > 0 && !ended)
        SL_TRY(search_flat_edges(c));
    if (c->missing > 0) {
        SL_TRY(begin(c));
        SL_TRY(search_edges(c, SL_TIGHT, c->pi));
    }
    return c->missing == 0
               ? SL_OK
               : SL_REFUSE(c->A->object.ctx, SL_OUT_OF_RANGE,
                           "closure: the values differ too much in size for %s: %" PRIu64
                           " entries have no predecessor",
                           sl_type_name(c->semiring->result), c->missing);
}

sl_status sl_find_predecessors(sl_vector *parent, const sl_vector *pi, const sl_vector *initial,
                               const uint64_t *source, const sl_matrix *A, sl_semiring semiring)
{
    choice c = {.parent = parent, .pi = pi, .source = source, .A = A, .semiring = semiring};
    const sl_status status = choose(&c, initial);
    sl_vector_free(c.roots);
    return status;
}
