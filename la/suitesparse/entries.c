/*
 * build, extraction of tuples, access to single entries, nvals, and the test whether a matrix is a
 * pattern.
 */
#include "suitesparse/grb_engine.h"

#include <string.h>

/* Builds an iso object: GraphBLAS stores the value 1 once for all entries. */
static GrB_Info build_ones(sl_call *call)
{
    GrB_Scalar one = NULL;
    sl_scalar value = sl_scalar_cast(sl_scalar_bool(true), call->out->type);
    GrB_Info info = sl_grb_scalar(&one, call->ctx, 0, value);
    if (info != GrB_SUCCESS)
        return info;
    return call->out->is_matrix
               ? GxB_Matrix_build_Scalar(sl_grb_matrix(call->out), call->tuples.rows,
                                         call->tuples.cols, one, call->count)
               : GxB_Vector_build_Scalar(sl_grb_vector(call->out), call->tuples.rows, one,
                                         call->count);
}

static GrB_Info build_values(sl_call *call)
{
    GrB_BinaryOp dup = sl_grb_binary(call->operators.binary);
    GrB_Info info = GrB_INVALID_VALUE;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_build_##NAME(sl_grb_matrix(call->out), call->tuples.rows, call->tuples.cols, \
                                   call->tuples.values, call->count, dup)
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_build_##NAME(sl_grb_vector(call->out), call->tuples.rows,                    \
                                   call->tuples.values, call->count, dup)
    if (call->out->is_matrix)
        SL_GRB_SWITCH(call->out->type, MATRIX)
    else
        SL_GRB_SWITCH(call->out->type, VECTOR)
#undef MATRIX
#undef VECTOR
    return info;
}

/* True if `dup` combines two ones to 1, so that the result is a pattern. */
static bool keeps_ones(sl_binary_op dup)
{
    if (!dup)
        return true;
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), dup->type), both = {.type = dup->result};
    dup->eval(&both.as, &one.as, &one.as);
    return sl_scalar_equal(both, one);
}

/* Builds from an array of ones that `dup` combines to other values. */
static GrB_Info build_combined_ones(sl_call *call)
{
    size_t size = sl_type_size(call->out->type);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), call->out->type);
    char *values = sl_calloc(call->count, size);
    if (!values)
        return GrB_OUT_OF_MEMORY;
    for (uint64_t k = 0; k < call->count; k++)
        memcpy(values + k * size, &one.as, size);
    call->tuples.values = values;
    GrB_Info info = build_values(call);
    sl_free(values);
    return info;
}

static GrB_Info count_entries(GrB_Index *count, const sl_object *object)
{
    return object->is_matrix ? GrB_Matrix_nvals(count, sl_grb_matrix(object))
                             : GrB_Vector_nvals(count, sl_grb_vector(object));
}

static GrB_Info build_entries(sl_call *call)
{
    if (call->tuples.values)
        return build_values(call);
    return keeps_ones(call->operators.binary) ? build_ones(call) : build_combined_ones(call);
}

/* The output has no entries. It is cleared, as SuiteSparse 7.4 refuses one that has entries it is still to remove. */
sl_status sl_grb_build(sl_call *call)
{
    if (call->count == 0)
        return SL_OK;
    GrB_Index built = 0;
    GrB_Info info = call->out->is_matrix ? GrB_Matrix_clear(sl_grb_matrix(call->out))
                                         : GrB_Vector_clear(sl_grb_vector(call->out));
    if (info == GrB_SUCCESS)
        info = build_entries(call);
    if (info == GrB_SUCCESS && !call->operators.binary)
        info = count_entries(&built, call->out);
    if (info == GrB_INVALID_VALUE ||
        (info == GrB_SUCCESS && !call->operators.binary && built < call->count))
        return sl_fail(
            call->ctx, SL_INVALID,
            "build: two tuples have the same index; give an operator that combines them");
    return sl_grb_status(call->ctx, "build", info);
}

static GrB_Info matrix_tuples(sl_call *call, GrB_Matrix A)
{
    GrB_Index count = call->count;
    GrB_Info info = GrB_Matrix_wait(A, GrB_MATERIALIZE);
    if (info != GrB_SUCCESS)
        return info;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_extractTuples_##NAME(call->tuples.rows, call->tuples.cols,                   \
                                           call->tuples.values, &count, A)
    SL_GRB_SWITCH(call->a->type, MATRIX)
#undef MATRIX
    return info;
}

static GrB_Info vector_tuples(sl_call *call, GrB_Vector v)
{
    GrB_Index count = call->count;
    GrB_Info info = GrB_Vector_wait(v, GrB_MATERIALIZE);
    if (info != GrB_SUCCESS)
        return info;
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_extractTuples_##NAME(call->tuples.rows, call->tuples.values, &count, v)
    SL_GRB_SWITCH(call->a->type, VECTOR)
#undef VECTOR
    return info;
}

/* Extracts tuples in the order of rows, then columns. GraphBLAS extracts them in the order in which
 * they are stored; so a matrix that is stored by column is copied, and the wait sorts rows that a
 * product left unsorted. Arrays that the caller does not request are NULL. */
sl_status sl_grb_tuples(sl_call *call)
{
    GrB_Info info;
    GrB_Matrix by_row = NULL;
    if (call->a->is_matrix) {
        GrB_Matrix A = sl_grb_matrix(call->a);
        info = sl_grb_copy_in_orientation(&by_row, call->a, A, true);
        if (info == GrB_SUCCESS)
            info = matrix_tuples(call, by_row ? by_row : A);
        GrB_Matrix_free(&by_row);
    } else {
        info = vector_tuples(call, sl_grb_vector(call->a));
    }
    return sl_grb_status(call->ctx, "extract_tuples", info);
}

sl_status sl_grb_set(sl_call *call)
{
    GrB_Info info = GrB_INVALID_VALUE;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_setElement_##NAME(sl_grb_matrix(call->out), call->scalar.as.member,          \
                                        call->row, call->col)
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_setElement_##NAME(sl_grb_vector(call->out), call->scalar.as.member, call->row)
    if (call->out->is_matrix)
        SL_GRB_SWITCH(call->scalar.type, MATRIX)
    else
        SL_GRB_SWITCH(call->scalar.type, VECTOR)
#undef MATRIX
#undef VECTOR
    return sl_grb_status(call->ctx, "set", info);
}

sl_status sl_grb_get(sl_call *call)
{
    GrB_Info info = GrB_INVALID_VALUE;
    call->scalar.type = call->a->type;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_extractElement_##NAME(sl_grb_room(&call->scalar), sl_grb_matrix(call->a),    \
                                            call->row, call->col)
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_extractElement_##NAME(sl_grb_room(&call->scalar), sl_grb_vector(call->a),    \
                                            call->row)
    if (call->a->is_matrix)
        SL_GRB_SWITCH(call->a->type, MATRIX)
    else
        SL_GRB_SWITCH(call->a->type, VECTOR)
#undef MATRIX
#undef VECTOR
    return sl_grb_status(call->ctx, "get", info);
}

/* Counting first finishes pending insertions. Without it, SuiteSparse 7.4 aborts if the removal
 * finishes them and the object then has an entry at every position. */
sl_status sl_grb_remove(sl_call *call)
{
    GrB_Index count;
    GrB_Info info = count_entries(&count, call->out);
    if (info == GrB_SUCCESS)
        info = call->out->is_matrix
                   ? GrB_Matrix_removeElement(sl_grb_matrix(call->out), call->row, call->col)
                   : GrB_Vector_removeElement(sl_grb_vector(call->out), call->row);
    return sl_grb_status(call->ctx, "remove", info);
}

sl_status sl_grb_nvals(sl_call *call)
{
    GrB_Index count = 0;
    GrB_Info info = count_entries(&count, call->a);
    call->count = count;
    return sl_grb_status(call->ctx, "nvals", info);
}

sl_status sl_grb_is_pattern(sl_call *call)
{
    bool iso = false;
    GrB_Index count = 0;
    GrB_Matrix A = sl_grb_matrix(call->a);
    GrB_Info info = GrB_Matrix_nvals(&count, A);
    call->scalar = sl_scalar_bool(count == 0);
    if (info == GrB_SUCCESS && count > 0)
        info = GxB_Matrix_iso(&iso, A);
    if (info != GrB_SUCCESS || !iso || sl_type_is_user_defined(call->a->type))
        return sl_grb_status(call->ctx, "is_pattern", info);
    /* All entries have the same value, so their maximum is that value. */
    double value = 0;
    info = GrB_Matrix_reduce_FP64(&value, NULL, GrB_MAX_MONOID_FP64, A,
                                  sl_grb_descriptor(call->ctx, 0));
    call->scalar.as.bool_ = value == 1;
    return sl_grb_status(call->ctx, "is_pattern", info);
}
