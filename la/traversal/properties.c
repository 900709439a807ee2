/* Known properties of a matrix: symmetry, transposed pattern, range of values. */
#include "la/traversal/traverse.h"

#include <math.h>

#include <semla/mirrors.h>

/* Writes ones at A's entries, transposed. Values of a user-defined type, which no unary operator of the
 * table reads, are multiplied by `pair`, which reads no values. */
static sl_status write_ones(sl_matrix *At, const sl_matrix *A)
{
    return sl_type_is_user_defined(A->object.type)
               ? sl_matrix_ewise_mult(At, NULL, NULL, SL_PAIR_BOOL, A, A,
                                      sl_descriptor_get(SL_TRANSPOSE_A | SL_TRANSPOSE_B))
               : sl_matrix_apply(At, NULL, NULL, SL_ONE_BOOL, A, sl_descriptor_get(SL_TRANSPOSE_A));
}

/* Creates a bool matrix with the pattern of A's transpose. */
static sl_status transpose_pattern(sl_matrix **At, const sl_matrix *A)
{
    SL_TRY(sl_matrix_new(At, A->object.ctx, SL_BOOL, A->object.ncols, A->object.nrows));
    sl_status status = write_ones(*At, A);
    if (status != SL_OK) {
        sl_matrix_free(*At);
        *At = NULL;
    }
    return status;
}

sl_status sl_find_symmetry(sl_matrix *A, sl_status (*sum)(sl_call *call))
{
    sl_context *ctx = A->object.ctx;
    sl_mirrors mirrors = {.key = 0};
    sl_call call = {.op = SL_OP_SUM_MIRRORS, .ctx = ctx, .a = OF_M(A), .mirrors = &mirrors};
    const bool square = A->object.nrows == A->object.ncols;
    if (A->symmetry != SL_SYMMETRY_UNKNOWN)
        return SL_OK;
    if (square && sl_object_has_contents(&A->object)) {
        SL_TRY(sl_common_key(&mirrors.key, ctx, "is_symmetric"));
        SL_TRY(sum(&call));
    }
    A->symmetry = square && mirrors.sum == 0 ? SL_SYMMETRIC : SL_NOT_SYMMETRIC;
    return SL_OK;
}

sl_status sl_matrix_transpose_pattern(sl_matrix **At, sl_matrix *A, bool make)
{
    *At = NULL;
    if (make)
        SL_TRY(sl_find_symmetry(A, sl_dispatch));
    if (A->symmetry == SL_NOT_SYMMETRIC && !A->transpose && make)
        SL_TRY(transpose_pattern(&A->transpose, A));
    *At = A->symmetry == SL_SYMMETRIC ? A : A->transpose;
    return SL_OK;
}

sl_status sl_matrix_is_symmetric(bool *symmetric, const sl_matrix *A)
{
    sl_context *ctx = A ? A->object.ctx : NULL;
    sl_status status = SL_OK;
    if (!symmetric || !A)
        status = sl_fail(ctx, SL_INVALID, "is_symmetric: %s is NULL", A ? "symmetric" : "A");
    SL_TRY(sl_agree(ctx, status));
    sl_matrix *cached = (sl_matrix *)A;
    SL_TRY(sl_find_symmetry(cached, sl_dispatch));
    *symmetric = cached->symmetry == SL_SYMMETRIC;
    return SL_OK;
}

sl_status sl_matrix_promise_symmetric(sl_matrix *A)
{
    if (!A)
        return SL_INVALID;
    if (A->object.nrows != A->object.ncols)
        return sl_fail(A->object.ctx, SL_MISMATCH, "promise_symmetric: the matrix is not square");
    A->symmetry = SL_SYMMETRIC;
    A->declared_symmetric = true;
    sl_matrix_free(A->transpose);
    A->transpose = NULL;
    return SL_OK;
}

bool sl_matrix_is_declared_symmetric(const sl_matrix *A)
{
    return A && A->declared_symmetric;
}

static sl_status compute_range(sl_value_range *range, const sl_matrix *A)
{
    const sl_type type = A->object.type;
    const bool is_bool = type == SL_BOOL;
    const sl_monoid min = is_bool ? SL_LAND_MONOID_BOOL : sl_monoid_get(SL_MONOID_MIN, type);
    const sl_monoid max = is_bool ? SL_LOR_MONOID_BOOL : sl_monoid_get(SL_MONOID_MAX, type);
    sl_scalar least, greatest, sum;
    uint64_t entries;
    *range = (sl_value_range){.least = INFINITY, .greatest = -INFINITY};
    SL_TRY(sl_matrix_nvals(&entries, A));
    if (entries == 0)
        return SL_OK;
    SL_TRY(sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, A));
    SL_TRY(sl_matrix_reduce(&least, NULL, min, A));
    SL_TRY(sl_matrix_reduce(&greatest, NULL, max, A));
    range->least = sl_scalar_cast(least, SL_FP64).as.fp64_;
    range->greatest = sl_scalar_cast(greatest, SL_FP64).as.fp64_;
    range->sum = sum.as.fp64_;
    return SL_OK;
}

sl_status sl_matrix_value_range(sl_value_range *range, const sl_matrix *A)
{
    sl_context *ctx = A ? A->object.ctx : NULL;
    sl_status status = SL_OK;
    if (!range || !A)
        status = sl_fail(ctx, SL_INVALID, "value_range: %s is NULL", A ? "range" : "A");
    SL_TRY(sl_agree(ctx, status));
    sl_matrix *cached = (sl_matrix *)A;
    if (!cached->range_known)
        SL_TRY(compute_range(&cached->range, A));
    cached->range_known = true;
    *range = cached->range;
    return SL_OK;
}
