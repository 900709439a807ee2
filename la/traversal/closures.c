/*
 * Closures of several frontiers, the rows of a matrix: checks, and the choice between the operation of
 * an engine and products of matrices, on any engine: one masked product and two assignments for each
 * level of all rows (Buluc and Gilbert, "The Combinatorial BLAS", IJHPCA 2011). The pattern of pi is the
 * set of visited entries. O(rows x edges) time at most.
 */
#include "la/traversal/traverse.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- by products -------------------------------------------------------------------------- */

/* Writes the entries of q to the empty matrix pi with the values that a closure begins with. */
static sl_status begin_values(sl_matrix *pi, const sl_matrix *q, sl_semiring semiring)
{
    if (semiring->result_is_index)
        return sl_matrix_apply_index(pi, NULL, NULL, SL_COLINDEX_INT64, q, sl_scalar_int64(0),
                                     NULL);
    if (semiring->multiply->code == SL_BINARY_PAIR && !sl_semiring_is_user_defined(semiring))
        return sl_matrix_assign_scalar(pi, q, NULL, sl_scalar_bool(true), SL_ALL, 0, SL_ALL, 0,
                                       sl_descriptor_get(SL_STRUCTURE));
    return sl_matrix_apply(pi, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, semiring->result), q,
                           NULL);
}

/* Assigns a level to the entries of the frontier. */
static sl_status write_level(sl_matrix *level, const sl_matrix *frontier, uint64_t number)
{
    return level ? sl_matrix_assign_scalar(level, frontier, NULL, sl_scalar_int64((int64_t)number),
                                           SL_ALL, 0, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE))
                 : SL_OK;
}

/* frontier<!pi, replace> = frontier A ; pi<frontier> = frontier, until the frontier is empty. */
static sl_status iterate(sl_matrix *pi, sl_matrix *frontier, const sl_call *call)
{
    const sl_descriptor unvisited = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    const sl_matrix *A = (const sl_matrix *)call->a;
    sl_matrix *level = (sl_matrix *)call->second_out;
    uint64_t entries;
    SL_TRY(write_level(level, frontier, 0));
    for (uint64_t number = 1; number <= call->count; number++) {
        SL_TRY(sl_mxm(frontier, pi, NULL, call->operators.semiring, frontier, A, unvisited));
        SL_TRY(sl_matrix_nvals(&entries, frontier));
        if (entries == 0)
            return SL_OK;
        SL_TRY(sl_matrix_assign(pi, frontier, NULL, frontier, SL_ALL, 0, SL_ALL, 0,
                                sl_descriptor_get(SL_STRUCTURE)));
        SL_TRY(write_level(level, frontier, number));
    }
    return SL_OK;
}

static sl_status closures_by_products(const sl_call *call)
{
    const sl_object *q = call->b;
    sl_matrix *pi = (sl_matrix *)call->out, *owned = NULL, *frontier = NULL;
    sl_status status = SL_OK;
    if (!pi)
        status =
            sl_matrix_new(&owned, call->ctx, call->operators.semiring->result, q->nrows, q->ncols);
    pi = pi ? pi : owned;
    if (status == SL_OK)
        status = begin_values(pi, (const sl_matrix *)q, call->operators.semiring);
    if (status == SL_OK)
        status = sl_matrix_dup(&frontier, pi);
    if (status == SL_OK)
        status = iterate(pi, frontier, call);
    sl_matrix_free(owned);
    sl_matrix_free(frontier);
    return status;
}

/* ---- the public function ------------------------------------------------------------------ */

static sl_status check_shape(const sl_call *call, const char *name, const sl_object *object)
{
    if (!object || (object->nrows == call->b->nrows && object->ncols == call->b->ncols))
        return SL_OK;
    return SL_REFUSE(call->ctx, SL_MISMATCH,
                     "closures: %s is %" PRIu64 " x %" PRIu64
                     "; it must have the shape of q, %" PRIu64 " x %" PRIu64,
                     name, object->nrows, object->ncols, call->b->nrows, call->b->ncols);
}

static sl_status check(const sl_call *call)
{
    const sl_object *pi = call->out, *level = call->second_out, *A = call->a, *q = call->b;
    const sl_semiring semiring = call->operators.semiring;
    if (!pi && !level)
        return SL_REFUSE(call->ctx, SL_INVALID, "closures: pi and level are both NULL");
    if (A->nrows != A->ncols)
        return SL_REFUSE(call->ctx, SL_MISMATCH,
                         "closures: A is %" PRIu64 " x %" PRIu64 "; it must be square", A->nrows,
                         A->ncols);
    SL_TRY(sl_check_length(call, "q's number of columns", q->ncols, A->nrows));
    if (pi == q || level == q || pi == level)
        return SL_REFUSE(call->ctx, SL_INVALID,
                         "closures: pi, level and q must be different matrices");
    SL_TRY(check_shape(call, "pi", pi));
    SL_TRY(check_shape(call, "level", level));
    if (!semiring->add->idempotent)
        return SL_REFUSE(call->ctx, SL_UNSUPPORTED,
                         "closures: %s has no closure: its monoid is not idempotent",
                         semiring->name);
    if (!sl_semiring_settles(semiring))
        return SL_REFUSE(call->ctx, SL_UNSUPPORTED,
                         "closures: %s relaxes, and only semirings that settle are supported; call "
                         "sl_closure for each row",
                         semiring->name);
    if (semiring->result_is_index && semiring->result == SL_INT32 &&
        A->nrows > (uint64_t)INT32_MAX + 1)
        return SL_REFUSE(call->ctx, SL_OUT_OF_RANGE,
                         "closures: %s has no numbers for more than 2^31 vertices, and there are "
                         "%" PRIu64,
                         semiring->name, A->nrows);
    if (pi && pi->type != semiring->result)
        return SL_REFUSE(call->ctx, SL_MISMATCH, "closures: the result of %s is %s, not %s",
                         semiring->name, sl_type_name(semiring->result), sl_type_name(pi->type));
    if (level && level->type != SL_INT64 && level->type != SL_INT32)
        return SL_REFUSE(call->ctx, SL_MISMATCH, "closures: level is %s; it must be int64 or int32",
                         sl_type_name(level->type));
    return SL_OK;
}

static sl_status require_empty(const sl_call *call, const char *name, const sl_object *object)
{
    uint64_t entries = 0;
    if (!object || !sl_object_has_contents(object))
        return SL_OK;
    SL_TRY(sl_matrix_nvals(&entries, (const sl_matrix *)object));
    return entries == 0
               ? SL_OK
               : SL_REFUSE(call->ctx, SL_INVALID,
                           "closures: %s has %" PRIu64 " entries; it must be empty", name, entries);
}

/* Agrees on the options and on SEMLA_TRAVERSAL, whose words are checked here for all engines. */
static sl_status agree(const sl_call *call)
{
    sl_switches switches;
    const sl_status status = sl_switches_read(&switches, call->ctx);
    const char *words = getenv("SEMLA_TRAVERSAL");
    return sl_agree_arguments(
        call->ctx, status, "closures",
        "SEMLA_TRAVERSAL %s\nsemiring %s\npi %d\nlevel %d\nmax_iterations %lld\n",
        words ? words : "", call->operators.semiring->name, call->out != NULL,
        call->second_out != NULL, call->count == UINT64_MAX ? -1 : (long long)call->count);
}

sl_status sl_closures(sl_matrix *pi, const sl_matrix *q, const sl_matrix *A, sl_semiring semiring,
                      const sl_closures_options *options)
{
    static const sl_closures_options defaults;
    const sl_closures_options *o = options ? options : &defaults;
    sl_call call = {.op = SL_OP_CLOSURES,
                    .out = OF_M(pi),
                    .second_out = OF_M(o->level),
                    .a = OF_M(A),
                    .b = OF_M(q),
                    .operators.semiring = semiring,
                    .count = o->bounded ? o->max_iterations : UINT64_MAX};
    SL_CHECK_CALL(&call, q, A, semiring);
    SL_TRY(check(&call));
    SL_TRY(agree(&call));
    SL_TRY(require_empty(&call, "pi", call.out));
    SL_TRY(require_empty(&call, "level", call.second_out));
    if (!pi) /* levels are the same over all semirings that settle */
        call.operators.semiring = SL_ANY_PAIR_BOOL;
    if (sl_semiring_is_search(call.operators.semiring))
        SL_TRY(sl_prepare_search((sl_matrix *)A, o->bounded));
    return sl_dispatch_supports(&call) ? sl_dispatch(&call) : closures_by_products(&call);
}
