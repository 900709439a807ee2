/*
 * One iteration: the engine's own advance, or plain operations that settle (two operations) or
 * relax (five). In all functions pi is the vector of visited entries, q the frontier, and delta the
 * output frontier, which is the entries of pi that the iteration adds or improves.
 */
#include "la/traversal/traverse.h"

#include <inttypes.h>

bool sl_semiring_settles(sl_semiring semiring)
{
    return semiring->add->any || !semiring->multiply->reads_x;
}

bool sl_semiring_pulls(sl_semiring semiring)
{
    sl_binary_op multiply = semiring->multiply;
    /* A pull computes A' u instead of u' A, which exchanges these two index operators. */
    if (multiply->code == SL_BINARY_FIRSTI || multiply->code == SL_BINARY_SECONDJ)
        return false;
    return sl_semiring_settles(semiring) && !multiply->reads_x && !multiply->reads_y;
}

sl_status sl_check_traversal(sl_call *call, sl_direction direction)
{
    const sl_traversal *t = call->traversal;
    const char *name = sl_operation_name(call->op);
    sl_context *ctx = call->ctx;
    if ((int)direction < SL_AUTO || direction > SL_PULL)
        return SL_REFUSE(ctx, SL_INVALID, "%s: invalid direction %d", name, (int)direction);
    if (!call->operators.semiring->add->idempotent)
        return SL_REFUSE(ctx, SL_UNSUPPORTED, "%s: %s has no closure: its monoid is not idempotent",
                         name, call->operators.semiring->name);
    if (direction == SL_PULL && !sl_semiring_pulls(call->operators.semiring))
        return SL_REFUSE(ctx, SL_UNSUPPORTED, "%s: %s cannot pull: it reads values", name,
                         call->operators.semiring->name);
    uint64_t n = call->a->nrows;
    if (call->operators.semiring->result_is_index && call->operators.semiring->result == SL_INT32 &&
        n > (uint64_t)INT32_MAX + 1)
        return SL_REFUSE(ctx, SL_OUT_OF_RANGE,
                         "%s: %s has no numbers for more than 2^31 vertices, and there are "
                         "%" PRIu64,
                         name, call->operators.semiring->name, n);
    SL_TRY(sl_check_length(call, "the matrix's number of columns", call->a->ncols, n));
    SL_TRY(sl_check_length(call, "pi's size", t->pi->nrows, n));
    SL_TRY(sl_check_length(call, "q's size", t->q->nrows, n));
    if (t->delta)
        SL_TRY(sl_check_length(call, "delta's size", t->delta->nrows, n));
    const sl_object *results[] = {t->pi, t->delta, call->op == SL_OP_CLOSURE ? t->q : NULL};
    for (size_t k = 0; k < 3; k++)
        if (results[k] && results[k]->type != call->operators.semiring->result)
            return SL_REFUSE(ctx, SL_MISMATCH, "%s: the result of %s is %s, not %s", name,
                             call->operators.semiring->name,
                             sl_type_name(call->operators.semiring->result),
                             sl_type_name(results[k]->type));
    return SL_OK;
}

/* delta<!pi, replace> = q' A ; pi<delta> = delta */
static sl_status settle(sl_vector *delta, sl_vector *pi, const sl_vector *q, sl_matrix *A,
                        sl_semiring semiring, sl_direction direction)
{
    sl_descriptor unvisited = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    if (direction == SL_PULL) {
        sl_matrix *At;
        SL_TRY(sl_matrix_transpose_pattern(&At, A, true));
        SL_TRY(sl_mxv(delta, pi, NULL, semiring, At, q, unvisited));
    } else {
        SL_TRY(sl_vxm(delta, pi, NULL, semiring, q, A, unvisited));
    }
    return sl_vector_assign(pi, delta, NULL, delta, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE));
}

static sl_status keep_improved(sl_vector *combined, sl_vector *unchanged, sl_vector *delta,
                               sl_vector *pi, sl_vector *t, sl_monoid add)
{
    const sl_type type = pi->object.type;
    SL_TRY(sl_vector_ewise_mult(combined, NULL, NULL, add->op, pi, t, NULL));
    SL_TRY(sl_vector_ewise_mult(unchanged, NULL, NULL, sl_binary_op_get(SL_BINARY_EQ, type),
                                combined, pi, NULL));
    SL_TRY(sl_vector_apply(delta, unchanged, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, type), t,
                           sl_descriptor_get(SL_REPLACE | SL_COMPLEMENT)));
    return sl_vector_assign(pi, NULL, add->op, delta, SL_ALL, 0, NULL); /* in place */
}

sl_status sl_keep_improved(sl_vector *delta, sl_vector *pi, sl_vector *t, sl_monoid add)
{
    sl_context *ctx = pi->object.ctx;
    sl_vector *combined = NULL, *unchanged = NULL;
    sl_status status = sl_vector_new(&combined, ctx, pi->object.type, pi->object.nrows);
    if (status == SL_OK)
        status = sl_vector_new(&unchanged, ctx, SL_BOOL, pi->object.nrows);
    if (status == SL_OK)
        status = keep_improved(combined, unchanged, delta, pi, t, add);
    sl_vector_free(combined);
    sl_vector_free(unchanged);
    return status;
}

/* t = q' A ; delta and pi from t. */
static sl_status relax(sl_vector *delta, sl_vector *pi, const sl_vector *q, const sl_matrix *A,
                       sl_semiring semiring)
{
    sl_vector *t = NULL;
    SL_TRY(sl_vector_new(&t, A->object.ctx, semiring->result, A->object.nrows));
    sl_status status = sl_vxm(t, NULL, NULL, semiring, q, A, NULL);
    if (status == SL_OK)
        status = sl_keep_improved(delta, pi, t, semiring->add);
    sl_vector_free(t);
    return status;
}

sl_status sl_advance_checked(sl_call *call)
{
    if (sl_dispatch_supports(call))
        return sl_dispatch(call);
    const sl_traversal *t = call->traversal;
    sl_vector *delta = (sl_vector *)t->delta, *pi = (sl_vector *)t->pi;
    const sl_vector *q = (const sl_vector *)t->q;
    return sl_semiring_settles(call->operators.semiring)
               ? settle(delta, pi, q, t->A, call->operators.semiring, t->direction)
               : relax(delta, pi, q, t->A, call->operators.semiring);
}

/* Replaces SL_AUTO by the direction of the plan; push if the semiring cannot pull. */
static sl_status resolve(sl_direction *direction, const sl_vector *pi, const sl_vector *q,
                         const sl_matrix *A, sl_semiring semiring)
{
    sl_plan plan;
    if (*direction != SL_AUTO)
        return SL_OK;
    *direction = SL_PUSH;
    if (!sl_semiring_pulls(semiring))
        return SL_OK;
    SL_TRY(sl_plan_iteration(&plan, pi, q, A));
    *direction = plan.direction;
    return SL_OK;
}

/* Fills in *iteration for an iteration of plain operations. A push examines all edges of the
 * frontier; for a pull SuiteSparse does not report the number, so the edges of unvisited vertices
 * are an upper bound. */
static sl_status describe(sl_iteration *iteration, const sl_vector *pi, const sl_vector *q,
                          const sl_matrix *A, sl_direction direction)
{
    sl_plan plan = {0};
    if (direction == SL_PULL)
        SL_TRY(sl_plan_iteration(&plan, pi, q, A));
    else
        SL_TRY(sl_frontier_counts(&plan, q, A));
    *iteration =
        (sl_iteration){.direction = direction,
                       .edges_exact = direction == SL_PUSH,
                       .frontier = plan.frontier,
                       .edges = direction == SL_PUSH ? plan.push_edges : plan.unvisited_edges};
    return SL_OK;
}

sl_status sl_advance(sl_vector *delta, sl_vector *pi, const sl_vector *q, const sl_matrix *A,
                     sl_semiring semiring, sl_direction direction, sl_iteration *iteration)
{
    sl_traversal traversal = {.pi = OF_V(pi),
                              .q = OF_V(q),
                              .delta = OF_V(delta),
                              .A = (sl_matrix *)A,
                              .direction = direction,
                              .iteration = iteration};
    sl_call call = {
        .op = SL_OP_ADVANCE, .a = OF_M(A), .operators.semiring = semiring, .traversal = &traversal};
    SL_CHECK_CALL(&call, delta, pi, q, A, semiring);
    const sl_object *others[] = {traversal.pi, traversal.q, traversal.delta};
    for (size_t k = 0; k < 3; k++)
        if (others[k]->ctx != call.ctx)
            return SL_REFUSE(call.ctx, SL_MISMATCH,
                             "advance: the objects belong to different contexts");
    SL_TRY(sl_check_traversal(&call, direction));
    SL_TRY(sl_agree_arguments(call.ctx, SL_OK, "advance",
                              "semiring %s\ndirection %d\niteration %d\n", semiring->name,
                              (int)direction, iteration != NULL));
    if (sl_dispatch_supports(&call))
        return sl_dispatch(&call);

    double started = sl_seconds();
    SL_TRY(resolve(&traversal.direction, pi, q, A, semiring));
    if (iteration)
        SL_TRY(describe(iteration, pi, q, A, traversal.direction));
    SL_TRY(sl_advance_checked(&call));
    if (iteration)
        iteration->seconds = sl_seconds() - started;
    return SL_OK;
}
