/*
 * Validation of a search by the operations of la/, in the memory of the context's engine. The rules
 * are those of sl_validate_search (validate.c).
 *
 *   1. The values of parents and levels are in range and agree at the source (this file).
 *   2. The parents form a tree: a search in the tree from the source reaches every vertex with a
 *      parent; a vertex that it does not reach is on a cycle or below one (validate_tree.c).
 *   3. No edge leads more than one level further: one product over (min, first) computes the least
 *      level with an edge to each vertex; this plus one is an upper bound of its level (this file).
 */
#include <inttypes.h>

#include "bfs/validation.h"

/* The same for an element of the parents, which may be no vertex. */
static int64_t signed_id(const sl_validation *c, int64_t parent)
{
    return parent < 0 ? parent : (int64_t)sl_validation_id(c, (uint64_t)parent);
}

/* ---- entries ----------------------------------------------------------------------- */

static sl_status check_source(sl_validation *c, const sl_vector *v, const char *what, int64_t right)
{
    const bool parents = v == c->parent;
    const uint64_t source = sl_validation_id(c, c->source);
    int64_t value;
    sl_status status = sl_validation_value(&value, v, c->source);
    if (status == SL_OK && value == SL_UNREACHED)
        sl_check_fail(c->result, "the source %" PRIu64 " has no %s; it must be %" PRId64, source,
                      what, parents ? (int64_t)source : right);
    else if (status == SL_OK && value != right)
        sl_check_fail(c->result, "the source %" PRIu64 " has %s %" PRId64 ", not %" PRId64, source,
                      what, parents ? signed_id(c, value) : value,
                      parents ? (int64_t)source : right);
    return status;
}

static sl_status check_range(sl_validation *c, const sl_vector *v, const char *what)
{
    bool found;
    uint64_t index;
    int64_t value;
    sl_status status;
    TRY(sl_validation_find(c, &found, &index, &value, v, SL_VALUELT_INT64, 0));
    if (!found)
        TRY(sl_validation_find(c, &found, &index, &value, v, SL_VALUEGE_INT64, (int64_t)c->n));
    if (found)
        sl_check_fail(c->result, "vertex %" PRIu64 " has %s %" PRId64 "; allowed are 0 to %" PRIu64,
                      sl_validation_id(c, index), what, value, c->n - 1);
out:
    return status;
}

/* Parents and levels have entries at the same vertices. */
static sl_status check_same_entries(sl_validation *c)
{
    bool found;
    uint64_t index;
    sl_status status;
    TRY(sl_validation_find_outside(c, &found, &index, c->parent, c->level));
    if (found) {
        sl_check_fail(c->result, "vertex %" PRIu64 " has a parent, but no level",
                      sl_validation_id(c, index));
        goto out;
    }
    TRY(sl_validation_find_outside(c, &found, &index, c->level, c->parent));
    if (found)
        sl_check_fail(c->result, "vertex %" PRIu64 " has a level, but no parent",
                      sl_validation_id(c, index));
out:
    return status;
}

sl_status sl_validation_check_entries(sl_validation *c)
{
    sl_status status = SL_OK;
    if (c->parent)
        TRY(check_source(c, c->parent, "parent", (int64_t)c->source));
    if (c->level && !sl_validation_failed(c))
        TRY(check_source(c, c->level, "level", 0));
    if (c->parent && !sl_validation_failed(c))
        TRY(check_range(c, c->parent, "parent"));
    if (c->level && !sl_validation_failed(c))
        TRY(check_range(c, c->level, "level"));
    if (c->parent && c->level && !sl_validation_failed(c))
        TRY(check_same_entries(c));
out:
    return status;
}

/* ---- the edges ------------------------------------------------------------------------ */

/* bound(v) = 1 + the least level of a vertex with an edge to v, over vertices below max_depth. */
static sl_status compute_bounds(sl_validation *c, sl_vector **bound)
{
    sl_vector *from = NULL;
    sl_status status;
    TRY(sl_validation_vector(c, bound, SL_INT64));
    TRY(sl_validation_vector(c, &from, SL_INT64));
    const int64_t last = c->max_depth >= 0 ? c->max_depth : INT64_MAX;
    TRY(sl_vector_select(from, NULL, NULL, SL_VALUELT_INT64, c->depth, sl_scalar_int64(last),
                         NULL));
    TRY(sl_vxm(*bound, NULL, NULL, SL_MIN_FIRST_INT64, from, c->A, NULL));
    TRY(sl_vector_apply_second(*bound, NULL, NULL, SL_PLUS_INT64, *bound, sl_scalar_int64(1),
                               NULL));
out:
    sl_vector_free(from);
    return status;
}

/* Fails for the first vertex with a level above its bound, or (with levels only) below it; `op`
 * compares the difference with 0. */
static sl_status check_bounds(sl_validation *c, const sl_vector *bound, sl_index_op op)
{
    sl_vector *over = NULL;
    bool found;
    uint64_t v;
    int64_t difference, level;
    sl_status status;
    TRY(sl_validation_vector(c, &over, SL_INT64));
    TRY(sl_vector_ewise_mult(over, NULL, NULL, SL_MINUS_INT64, c->depth, bound, NULL));
    TRY(sl_vector_remove(over, c->source));
    TRY(sl_validation_find(c, &found, &v, &difference, over, op, 0));
    if (!found)
        goto out;
    TRY(sl_validation_value(&level, c->depth, v));
    sl_check_fail(c->result,
                  "vertex %" PRIu64 " has level %" PRId64
                  ", but the least level of a vertex with an edge to it is %" PRId64,
                  sl_validation_id(c, v), level, level - difference - 1);
out:
    sl_vector_free(over);
    return status;
}

static sl_status check_edges(sl_validation *c)
{
    sl_vector *bound = NULL;
    bool found;
    uint64_t v;
    int64_t value;
    sl_status status;
    TRY(compute_bounds(c, &bound));
    TRY(sl_validation_find_outside(c, &found, &v, bound, c->depth));
    if (found) {
        sl_check_fail(c->result,
                      "vertex %" PRIu64
                      " was not reached, but there is an edge to it from a vertex "
                      "that was",
                      sl_validation_id(c, v));
        goto out;
    }
    TRY(check_bounds(c, bound, SL_VALUEGT_INT64));
    if (sl_validation_failed(c))
        goto out;
    if (!c->parent) {
        /* Without a tree, the edge from the previous level is still to be checked. */
        TRY(sl_vector_set(bound, c->source, sl_scalar_int64(0)));
        TRY(sl_validation_find_outside(c, &found, &v, c->depth, bound));
        if (found)
            sl_check_fail(c->result, "vertex %" PRIu64 " has a level, but no edge leads to it",
                          sl_validation_id(c, v));
        else
            TRY(check_bounds(c, bound, SL_VALUELT_INT64));
    }
    if (!sl_validation_failed(c) && c->max_depth >= 0) {
        TRY(sl_validation_find(c, &found, &v, &value, c->depth, SL_VALUEGT_INT64, c->max_depth));
        if (found)
            sl_check_fail(c->result,
                          "vertex %" PRIu64 " has level %" PRId64
                          ", beyond the maximum depth %" PRId64,
                          sl_validation_id(c, v), value, c->max_depth);
    }
out:
    sl_vector_free(bound);
    return status;
}

/* ---- the validation ---------------------------------------------------------------- */

/* Stores the number of reached vertices and the depth of a valid search. */
static sl_status store_size(const sl_validation *c)
{
    sl_scalar deepest;
    sl_status status;
    TRY(sl_vector_nvals(&c->result->reached, c->depth));
    TRY(sl_vector_reduce(&deepest, NULL, SL_MAX_MONOID_INT64, c->depth));
    c->result->depth = deepest.as.int64_;
out:
    return status;
}

static sl_status as_int64(const sl_validation *c, sl_vector **copy, const sl_vector *v)
{
    sl_status status = sl_validation_vector(c, copy, SL_INT64);
    return status == SL_OK ? sl_vector_apply(*copy, NULL, NULL, SL_IDENTITY_INT64, v, NULL)
                           : status;
}

static sl_status check_arguments(const sl_matrix *A, uint64_t source, const sl_vector *parent,
                                 const sl_vector *level)
{
    sl_status status = sl_require_square("validate_search_in_place", A);
    if (status != SL_OK || (!parent && !level))
        return status != SL_OK
                   ? status
                   : sl_fail(sl_matrix_context(A), SL_INVALID,
                             "validate_search_in_place: parent and level are both NULL");
    const sl_vector *given[] = {parent, level};
    for (int k = 0; k < 2; k++) {
        if (!given[k])
            continue;
        if (sl_vector_context(given[k]) != sl_matrix_context(A))
            return sl_fail(sl_matrix_context(A), SL_MISMATCH,
                           "validate_search_in_place: the matrix and a vector belong to different "
                           "contexts");
        if (sl_vector_size(given[k]) != sl_matrix_nrows(A))
            return sl_fail(sl_matrix_context(A), SL_MISMATCH,
                           "validate_search_in_place: a vector has %" PRIu64
                           " elements; the graph has %" PRIu64 " vertices",
                           sl_vector_size(given[k]), sl_matrix_nrows(A));
    }
    return sl_require_vertices("validate_search_in_place", "source", A, &source, 1);
}

sl_status sl_validate_search_in_place(sl_check_result *result, const sl_matrix *A, uint64_t source,
                                      const sl_vector *parent, const sl_vector *level,
                                      int64_t max_depth)
{
    sl_status status = result ? check_arguments(A, source, parent, level)
                              : sl_fail(sl_matrix_context(A), SL_INVALID,
                                        "validate_search_in_place: result is NULL");
    status = AGREE(A, status, "validate_search_in_place",
                   "source %llu\nparent %d\nlevel %d\nmax_depth %lld\n", (unsigned long long)source,
                   parent != NULL, level != NULL, (long long)max_depth);
    if (result)
        *result = (sl_check_result){0};
    if (status != SL_OK)
        return status;
    sl_validation c = {.ctx = sl_matrix_context(A),
                       .result = result,
                       .A = A,
                       .n = sl_matrix_nrows(A),
                       .source = source,
                       .max_depth = max_depth};
    if (parent)
        TRY(as_int64(&c, &c.parent, parent));
    if (level)
        TRY(as_int64(&c, &c.level, level));
    TRY(sl_validation_check_entries(&c));
    if (!sl_validation_failed(&c) && parent)
        TRY(sl_validation_check_tree(&c));
    else if (!sl_validation_failed(&c))
        TRY(sl_vector_dup(&c.depth, c.level));
    if (!sl_validation_failed(&c))
        TRY(check_edges(&c));
    if (!sl_validation_failed(&c))
        TRY(store_size(&c));
    result->valid = !sl_validation_failed(&c);
out:
    sl_matrix_free(c.tree);
    sl_vector_free(c.depth);
    sl_vector_free(c.level);
    sl_vector_free(c.parent);
    if (status != SL_OK)
        *result = (sl_check_result){0};
    return status;
}
