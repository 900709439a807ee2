/*
 * Elementwise operations, apply, select and transpose on the blocks. An operator that reads indices
 * needs global ones, which a block does not have. The block of a vector has consecutive indices, so
 * built-in operators get another thunk. Otherwise its entries are extracted, computed with their
 * global indices, and stored in a new block.
 */
#include "dist/grid_operations.h"

#include "dist/operations/aligned.h"

/* ---- operators that read indices ------------------------------------------------------ */

/* Replaces the values of the tuples by the results of the operator, or keeps the tuples for which the
 * operator of select is true. */
static sl_status apply(sl_tuples *t, sl_grid *grid, const sl_call *call)
{
    const sl_object *out = call->out;
    const sl_index_rule rule = {.index = call->operators.index,
                                .binary = call->operators.binary,
                                .thunk = call->scalar,
                                .rows = sl_tuples_rows(grid, out),
                                .cols = sl_grid_columns(grid, out->ncols)};
    const sl_type type =
        call->operators.index ? call->operators.index->result : call->operators.binary->result;
    const sl_tuple_memory *memory = sl_tuples_memory(t);
    void *values;
    SL_TRY(sl_tuples_array(&values, grid, memory, t->count * sl_type_size(type)));
    sl_status status = memory->evaluate(grid->local, values, t, &rule);
    if (status < 0) {
        sl_grid_local_failed(grid, status);
    } else if (call->op == SL_OP_SELECT) {
        status = sl_tuples_keep(t, grid, values);
    } else {
        void *before = t->values;
        t->values = values;
        t->type = type;
        values = before;
    }
    memory->release(values);
    return status;
}

/* A new block of the output's shape with the entries of `source`: their values are the operator's
 * results, or entries are selected by it. Not collective. */
static sl_status map_indices(sl_object **made, const sl_call *call, const sl_object *source)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    const bool user = call->operators.index && call->operators.index->user;
    sl_object like = *call->out;
    sl_tuples t;
    *made = NULL;
    SL_TRY(sl_tuples_in(&t, grid, user ? &sl_host_tuple_memory : sl_grid_tuple_memory(grid, call),
                        source, user || call->op == SL_OP_SELECT));
    sl_status status = apply(&t, grid, call);
    like.type = t.type;
    if (status == SL_OK)
        status = sl_grid_block_new(made, grid, &like);
    if (status == SL_OK)
        status = sl_tuples_build(grid, *made, &t, NULL);
    sl_tuples_free(&t);
    if (status != SL_OK) {
        sl_grid_block_free(*made);
        *made = NULL;
    }
    return status;
}

/* ---- vectors -------------------------------------------------------------------------- */

/* x + y, or the limit nearest to it. */
static int64_t limited_sum(int64_t x, int64_t y)
{
    int64_t sum;
    return __builtin_add_overflow(x, y, &sum) ? (x < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/* The thunk with which a built-in operator does for local indices of a vector's block, which begins at
 * `first`, what it does for global ones. ROWINDEX wraps. */
static int64_t local_thunk(sl_index_code code, int64_t thunk, int64_t first)
{
    switch (code) {
    case SL_INDEX_ROWINDEX:
    case SL_INDEX_DIAGINDEX:
        return (int64_t)((uint64_t)thunk + (uint64_t)first);
    case SL_INDEX_ROWLE:
    case SL_INDEX_ROWGT:
        return limited_sum(thunk, -first);
    case SL_INDEX_TRIL:
    case SL_INDEX_TRIU:
    case SL_INDEX_DIAG:
    case SL_INDEX_OFFDIAG:
        return limited_sum(thunk, first);
    default: /* of the column, which is 0 */
        return thunk;
    }
}

/* Whether the call is on a vector and its operator is one of these. */
static bool shifts_indices(const sl_call *call)
{
    return call->operators.index && !call->operators.index->user && !call->a->is_matrix;
}

/* The local call with the thunk for the block. */
static sl_status map_vector(const sl_call *call, sl_call *local)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    const sl_local_blocks own = sl_grid_own(grid, call->a->nrows);
    const int64_t first = sl_local_blocks_length(&own) ? (int64_t)sl_global_index(&own, 0) : 0;
    const int64_t thunk = sl_scalar_cast(call->scalar, SL_INT64).as.int64_;
    local->scalar = sl_scalar_int64(local_thunk(call->operators.index->code, thunk, first));
    return sl_local_run(grid, local);
}

/* ---- elementwise, with a positional operator -------------------------------------------- */

/* A new block with a op b on the union or the intersection of the patterns. */
static sl_status combine(sl_object **made, const sl_call *call, const sl_aligned *aligned,
                         sl_operation op, sl_binary_op binary)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_object like = *call->out;
    like.type = binary->result;
    SL_TRY(sl_grid_block_new(made, grid, &like));
    sl_call local = {.op = op,
                     .ctx = grid->local,
                     .out = *made,
                     .operators.binary = binary,
                     .a = aligned->local.a,
                     .b = aligned->local.b};
    return sl_local_run(grid, &local);
}

/* Union: indices if both operands have an entry, else the value of the one that has. */
static sl_status add_indices(sl_object *sums, const sl_call *call, const sl_object *both)
{
    sl_object *indices;
    SL_TRY(map_indices(&indices, call, both));
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_call local = {.op = SL_OP_ASSIGN,
                     .ctx = grid->local,
                     .out = sums,
                     .mask = indices,
                     .a = indices,
                     .rows.count = sums->nrows,
                     .cols.count = sums->ncols,
                     .flags = SL_STRUCTURE};
    sl_status status = sl_local_run(grid, &local);
    sl_grid_block_free(indices);
    return status;
}

static sl_status elementwise_indices(const sl_call *call, const sl_aligned *aligned)
{
    sl_object *pattern = NULL, *result = NULL;
    bool add = call->op == SL_OP_EWISE_ADD, intersect = call->op == SL_OP_EWISE_MULT;
    sl_status status =
        combine(&pattern, call, aligned, add || intersect ? SL_OP_EWISE_MULT : SL_OP_EWISE_ADD,
                SL_PAIR_INT64);
    if (status == SL_OK && add) {
        status = combine(&result, call, aligned, SL_OP_EWISE_ADD,
                         sl_binary_op_get(SL_BINARY_FIRST, call->operators.binary->result));
        if (status == SL_OK)
            status = add_indices(result, call, pattern);
    } else if (status == SL_OK) {
        status = map_indices(&result, call, pattern);
    }
    if (status == SL_OK)
        status = sl_grid_block_write(call, result);
    sl_grid_block_free(pattern);
    sl_grid_block_free(result);
    return status;
}

/* ---- the operations -------------------------------------------------------------------- */

static bool reads_indices(const sl_call *call)
{
    if (call->operators.binary)
        return call->operators.binary->positional;
    return call->operators.index &&
           (call->operators.index->positional || call->operators.index->user);
}

bool sl_grid_maps_in_place(const sl_call *call)
{
    return !sl_is_aligned_by_exchange(call) && (!reads_indices(call) || shifts_indices(call));
}

sl_status sl_grid_map(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_aligned aligned;
    sl_object *mapped = NULL;
    SL_TRY(sl_aligned_open(&aligned, call));
    sl_status status;
    if (!reads_indices(call)) {
        status = sl_local_run(grid, &aligned.local);
    } else if (shifts_indices(call)) {
        status = map_vector(call, &aligned.local);
    } else if (call->b) {
        status = elementwise_indices(call, &aligned);
    } else {
        status = map_indices(&mapped, call, aligned.local.a);
        if (status == SL_OK)
            status = sl_grid_block_write(call, mapped);
        sl_grid_block_free(mapped);
    }
    sl_aligned_close(&aligned);
    return status;
}

/* ---- transpose -------------------------------------------------------------------------- */

sl_status sl_grid_transpose(sl_call *call)
{
    if (call->flags & SL_TRANSPOSE_A)
        return sl_grid_block_write(call, sl_grid_block(call->a));
    sl_matrix *transposed;
    SL_TRY(sl_grid_block_transposed(&transposed, call, call->a));
    sl_status status = sl_grid_block_write(call, sl_object_of_matrix(transposed));
    sl_matrix_free(transposed);
    return status;
}
