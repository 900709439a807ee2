/* reduce, reduce_pair and reduce_rows: sums of all entries, of terms of two vectors, and of rows or
 * columns. */
#include "dist/grid_operations.h"

#include <string.h>

#include "dist/grid/user_operators.h"
#include "dist/operations/expand_fold.h"

/* The sum of this rank's entries. own->sum is where a sum of a user-defined type is written. */
static sl_status sum_piece(sl_grid_sum *own, sl_grid *grid, const sl_call *call)
{
    if (call->op == SL_OP_REDUCE_PAIR) {
        sl_call pair = {.op = SL_OP_REDUCE_PAIR,
                        .ctx = grid->local,
                        .a = sl_grid_block(call->a),
                        .b = sl_grid_block(call->b),
                        .operators.unary = sl_local_unary(call->operators.unary),
                        .operators.binary = sl_local_binary(call->operators.binary),
                        .operators.monoid = sl_local_monoid(call->operators.monoid),
                        .scalar = own->sum};
        SL_TRY(sl_local_run(grid, &pair));
        *own = (sl_grid_sum){.any = pair.count > 0, .sum = pair.scalar};
        return SL_OK;
    }
    sl_call count = {.op = SL_OP_NVALS, .ctx = grid->local, .a = sl_grid_block(call->a)};
    sl_call sum = {.op = SL_OP_REDUCE,
                   .ctx = grid->local,
                   .a = sl_grid_block(call->a),
                   .operators.monoid = sl_local_monoid(call->operators.monoid),
                   .scalar = own->sum};
    SL_TRY(sl_local_run(grid, &count));
    SL_TRY(sl_local_run(grid, &sum));
    *own = (sl_grid_sum){.any = count.count > 0, .sum = sum.scalar};
    return SL_OK;
}

/* *sum = sum of the values of the ranks that have one. `z` is room for one value. */
static void add_values(void *sum, void *z, sl_monoid monoid, const bool *any, const char *values,
                       int ranks)
{
    const size_t size = sl_type_size(monoid->type);
    bool begun = false;
    memcpy(sum, monoid->identity.as.other, size);
    for (int rank = 0; rank < ranks; rank++) {
        const void *value = values + (size_t)rank * size;
        if (!any[rank])
            continue;
        if (begun)
            monoid->op->eval(z, sum, value);
        memcpy(sum, begun ? z : value, size);
        begun = true;
    }
}

/* Reduces values of a user-defined type. */
static sl_status reduce_bytes(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    const size_t size = sl_type_size(call->operators.monoid->type), ranks = (size_t)grid->size;
    char *mine = sl_malloc(2 * size);
    void *any = NULL, *values = NULL;
    sl_grid_sum own = {.sum = sl_scalar_other(call->operators.monoid->type, mine)};
    sl_status status = mine ? sum_piece(&own, grid, call)
                            : sl_fail(grid->ctx, SL_NO_MEMORY, "reduce: out of memory");
    status = sl_gather(call->ctx, status, &any, NULL, &own.any, sizeof own.any);
    if (status == SL_OK)
        status = sl_gather(call->ctx, SL_OK, &values, NULL, mine, size);
    call->outcome.agreed = true;
    if (status == SL_OK)
        add_values(call->scalar.as.other, mine + size, call->operators.monoid, any, values,
                   (int)ranks);
    sl_free(mine);
    sl_free(any);
    sl_free(values);
    return status;
}

/* The sums say whether a rank has failed, too, so that the ranks need not agree if none has. */
sl_status sl_grid_reduce(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_monoid monoid = call->operators.monoid;
    sl_grid_sum own = {0}, *all = grid->sums;
    if (sl_type_is_user_defined(monoid->type))
        return reduce_bytes(call);
    const sl_status status = sum_piece(&own, grid, call);
    bool failed = false;
    own.failed = status != SL_OK;
    SL_TRY(sl_grid_check(
        grid, "MPI_Allgather",
        MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, grid->all)));
    for (int rank = 0; rank < grid->size; rank++)
        failed |= all[rank].failed;
    call->outcome.agreed = true;
    if (failed)
        return sl_grid_agree(grid, status);
    bool begun = false;
    call->scalar = monoid->identity;
    for (int rank = 0; rank < grid->size; rank++) {
        sl_scalar sum = all[rank].sum;
        if (!all[rank].any)
            continue;
        if (begun)
            monoid->op->eval(&sum.as, &call->scalar.as, &all[rank].sum.as);
        call->scalar = sum;
        begun = true;
    }
    return SL_OK;
}

/* The sums of this rank's entries in each row or column. */
static sl_status sum_lines(sl_vector **partial, sl_grid *grid, const sl_call *call,
                           const sl_local_blocks *side)
{
    SL_TRY_LOCAL(grid, sl_vector_new(partial, grid->local, call->operators.monoid->type,
                                     sl_local_blocks_length(side)));
    sl_call local = {.op = SL_OP_REDUCE_ROWS,
                     .ctx = grid->local,
                     .out = sl_object_of_vector(*partial),
                     .a = sl_grid_block(call->a),
                     .operators.monoid = sl_local_monoid(call->operators.monoid),
                     .flags = call->flags & SL_TRANSPOSE_A};
    return sl_local_run(grid, &local);
}

sl_status sl_grid_reduce_rows(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    bool rows = !(call->flags & SL_TRANSPOSE_A);
    sl_local_blocks side = sl_grid_side(grid, rows, rows ? call->a->nrows : call->a->ncols);
    sl_vector *partial = NULL, *sums = NULL;
    sl_status status = sum_lines(&partial, grid, call, &side);
    const sl_fold fold = {.line = sl_grid_along(rows),
                          .blocks = &side,
                          .sum = sl_local_monoid(call->operators.monoid)};
    status = sl_vector_fold(&sums, grid, &fold, &partial, status);
    if (status == SL_OK)
        status = sl_grid_block_write(call, sl_object_of_vector(sums));
    sl_vector_free(partial);
    sl_vector_free(sums);
    return status;
}
