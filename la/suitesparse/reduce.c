/* Reduction of all entries to a scalar, and of each row to a vector entry. */
#include "suitesparse/grb_engine.h"

#include <string.h>

/* *sum = *sum added up `count` times, at least once: O(log(count)) operations. `room` is for two values. */
static void repeat(void *sum, void *room, sl_monoid monoid, uint64_t count)
{
    const size_t size = sl_type_size(monoid->type);
    char *power = room, *next = power + size;
    memcpy(power, sum, size);
    for (count--; count > 0; count /= 2) {
        if (count % 2) {
            monoid->op->eval(next, sum, power);
            memcpy(sum, next, size);
        }
        if (count > 1) {
            monoid->op->eval(next, power, power);
            memcpy(power, next, size);
        }
    }
}

/*
 * A detour around an error of SuiteSparse before 9.3: a full iso matrix may have more entries than an
 * int64 can count. SuiteSparse takes INT64_MAX for their number, and sums as many values.
 */
static sl_status reduce_uncounted(sl_call *call)
{
    const sl_object *a = call->a;
    void *room = sl_malloc(2 * sl_type_size(call->operators.monoid->type));
    call->scalar.type = call->operators.monoid->type;
    GrB_Info info =
        room ? sl_grb_iso_value(&call->scalar, a, call->operators.monoid->type) : GrB_OUT_OF_MEMORY;
    if (info == GrB_SUCCESS) {
        void *sum = sl_grb_room(&call->scalar);
        repeat(sum, room, call->operators.monoid, a->ncols);
        repeat(sum, room, call->operators.monoid, a->nrows);
    }
    sl_free(room);
    return sl_grb_status(call->ctx, "reduce", info);
}

/* The reduction of no entries is the identity. It is not left to SuiteSparse 7.4, which may return
 * a removed value for a bitmap without entries. */
sl_status sl_grb_reduce(sl_call *call)
{
    sl_status status = sl_grb_nvals(call);
    if (status != SL_OK)
        return status;
    if (call->count == 0) {
        if (sl_type_is_user_defined(call->operators.monoid->type))
            memcpy(call->scalar.as.other, call->operators.monoid->identity.as.other,
                   sl_type_size(call->operators.monoid->type));
        else
            call->scalar = call->operators.monoid->identity;
        return SL_OK;
    }
    if (call->count >= INT64_MAX)
        return reduce_uncounted(call);
    GrB_Monoid monoid = sl_grb_monoid(call->operators.monoid);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, 0);
    GrB_Info info = GrB_INVALID_VALUE;
    call->scalar.type = call->operators.monoid->type;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_reduce_##NAME(sl_grb_room(&call->scalar), NULL, monoid,                      \
                                    sl_grb_matrix(call->a), desc)
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_reduce_##NAME(sl_grb_room(&call->scalar), NULL, monoid,                      \
                                    sl_grb_vector(call->a), desc)
    if (call->a->is_matrix)
        SL_GRB_SWITCH(call->operators.monoid->type, MATRIX)
    else
        SL_GRB_SWITCH(call->operators.monoid->type, VECTOR)
#undef MATRIX
#undef VECTOR
    return sl_grb_status(call->ctx, "reduce", info);
}

/* A matrix without columns has an empty result; SuiteSparse 7.4 returns entries for its rows. */
sl_status sl_grb_reduce_rows(sl_call *call)
{
    GrB_Info info = call->a->nrows == 0 || call->a->ncols == 0
                        ? sl_grb_write_empty(call, call->operators.monoid->type)
                        : GrB_Matrix_reduce_Monoid(
                              sl_grb_vector(call->out), sl_grb_vector(call->mask),
                              sl_grb_binary(call->accum), sl_grb_monoid(call->operators.monoid),
                              sl_grb_matrix(call->a), sl_grb_descriptor(call->ctx, call->flags));
    return sl_grb_status(call->ctx, "reduce_rows", info);
}

/* ---- pairs -------------------------------------------------------------------------------- */

/* A new vector in the host's store. */
static sl_status new_terms(sl_vector **made, const sl_call *call, sl_type type)
{
    const sl_status status = sl_vector_new(made, call->ctx, type, call->a->nrows);
    return status == SL_OK ? sl_object_migrate(sl_object_of_vector(*made), &sl_store_host) : status;
}

/* Replaces the terms by the unary operator's results, which may have another type. */
static sl_status apply_unary(sl_vector **terms, const sl_call *call)
{
    sl_vector *results = NULL;
    if (!call->operators.unary)
        return SL_OK;
    sl_status status = new_terms(&results, call, call->operators.unary->result);
    sl_call apply = {.op = SL_OP_APPLY,
                     .ctx = call->ctx,
                     .out = results ? sl_object_of_vector(results) : NULL,
                     .a = sl_object_of_vector(*terms),
                     .operators.unary = call->operators.unary};
    if (status == SL_OK)
        status = sl_grb_apply(&apply);
    sl_vector_free(*terms);
    *terms = results;
    return status;
}

sl_status sl_grb_reduce_pair(sl_call *call)
{
    sl_vector *terms = NULL;
    sl_status status = new_terms(&terms, call, call->operators.binary->result);
    sl_call multiply = {.op = SL_OP_EWISE_MULT,
                        .ctx = call->ctx,
                        .out = terms ? sl_object_of_vector(terms) : NULL,
                        .a = call->a,
                        .b = call->b,
                        .operators.binary = call->operators.binary};
    if (status == SL_OK)
        status = sl_grb_ewise_mult(&multiply);
    if (status == SL_OK)
        status = apply_unary(&terms, call);
    sl_call sum = {.op = SL_OP_REDUCE,
                   .ctx = call->ctx,
                   .a = terms ? sl_object_of_vector(terms) : NULL,
                   .operators.monoid = call->operators.monoid,
                   .scalar = call->scalar};
    if (status == SL_OK)
        status = sl_grb_reduce(&sum);
    call->scalar = sum.scalar;
    call->count = sum.count;
    sl_vector_free(terms);
    return status;
}
