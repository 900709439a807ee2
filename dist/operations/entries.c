/* Counts, tuples and single entries of objects, and gathering an object on one rank. */
#include <semla/dist.h>

#include "dist/grid_operations.h"
#include "dist/operations/rank_tuples.h"

#include <string.h>

/* Of this rank's block. The agreement after NVALS adds up the counts. */
sl_status sl_grid_nvals(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_call local = {.op = SL_OP_NVALS, .ctx = grid->local, .a = sl_grid_block(call->a)};
    sl_status status = sl_local_run(grid, &local);
    call->count = local.count;
    return status;
}

sl_status sl_grid_is_pattern(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_call local = {.op = SL_OP_IS_PATTERN, .ctx = grid->local, .a = sl_grid_block(call->a)};
    const sl_status status = sl_local_run(grid, &local);
    uint64_t has_values = status != SL_OK || !local.scalar.as.bool_;
    call->outcome.agreed = true;
    SL_TRY(sl_grid_agree_most(grid, status, &has_values));
    call->scalar = sl_scalar_bool(!has_values);
    return SL_OK;
}

/* Extracts the entries of this rank with global indices. Not collective. */
sl_status sl_grid_tuples(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_call local = sl_local_call(call);
    SL_TRY(sl_local_run(grid, &local));
    sl_tuples t = {.type = call->a->type,
                   .count = call->count,
                   .rows = call->tuples.rows,
                   .cols = call->tuples.cols};
    return sl_tuples_to_global(&t, grid, call->a);
}

/* take, give and copy_out: on a grid of one rank the block is the whole object. */
sl_status sl_grid_arrays(sl_call *call)
{
    sl_call local = sl_local_call(call);
    return sl_local_run(sl_grid_of(call->ctx), &local);
}

/* ---- one entry --------------------------------------------------------------------- */

/* Returns the owner of the position (row, col) of a call; on that rank, row and column of the local
 * call become indices of the block. */
static int find_entry(sl_grid *grid, const sl_object *object, sl_call *local)
{
    sl_distribution rows = sl_grid_distribution(grid, object->nrows),
                    cols = sl_grid_distribution(grid, object->ncols);
    int owner = object->is_matrix
                    ? sl_distribution_owner_of_entry(&rows, &cols, local->row, local->col)
                    : (int)sl_distribution_owner(&rows, local->row);
    if (owner != grid->rank)
        return owner;
    const sl_local_blocks own_rows = sl_tuples_rows(grid, object),
                          own_cols = sl_grid_columns(grid, object->ncols);
    local->row = sl_local_index(&own_rows, local->row);
    if (object->is_matrix)
        local->col = sl_local_index(&own_cols, local->col);
    return owner;
}

sl_status sl_grid_set_or_remove(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_call local = sl_local_call(call);
    return find_entry(grid, call->out, &local) == grid->rank ? sl_local_run(grid, &local) : SL_OK;
}

/* The value of a user-defined type, in pieces of 1 GiB, since MPI's counts have 31 bits. */
static sl_status broadcast_value(sl_grid *grid, const sl_call *call, int owner)
{
    const uint64_t size = sl_type_size(call->a->type), most = 1 << 30;
    char *value = call->scalar.as.other;
    for (uint64_t at = 0; at < size; at += most)
        SL_TRY(sl_grid_check(grid, "MPI_Bcast",
                             MPI_Bcast(value + at, (int)(size - at < most ? size - at : most),
                                       MPI_BYTE, owner, grid->all)));
    return SL_OK;
}

sl_status sl_grid_get(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_call local = sl_local_call(call);
    struct {
        sl_status status;
        sl_scalar value;
    } answer = {.status = SL_OK};
    int owner = find_entry(grid, call->a, &local);
    if (owner == grid->rank) {
        answer.status = sl_local_run(grid, &local);
        answer.value = local.scalar;
    }
    SL_TRY(sl_grid_check(grid, "MPI_Bcast",
                         MPI_Bcast(&answer, (int)sizeof answer, MPI_BYTE, owner, grid->all)));
    if (!sl_type_is_user_defined(call->a->type))
        call->scalar = answer.value;
    else if (answer.status == SL_OK)
        return broadcast_value(grid, call, owner);
    return answer.status;
}

/* ---- gathering on one rank ------------------------------------------------------------ */

static sl_status gather(sl_arrays *arrays, sl_grid *grid, const sl_object *object, int root)
{
    sl_tuples sent = {.type = object->type}, received;
    sl_status status = SL_OK;
    if (sl_grid_block(object)) {
        status = sl_tuples_of(&sent, grid, sl_grid_block(object));
        if (status == SL_OK)
            status = sl_tuples_to_global(&sent, grid, object);
    } else {
        status = sl_tuples_allocate(&sent, grid, object->type, 0, object->is_matrix, true);
    }
    uint32_t *to = sl_malloc((sent.count + 1) * sizeof *to);
    if (status == SL_OK && !to)
        status = sl_fail(grid->ctx, SL_NO_MEMORY, "gather: out of memory");
    for (uint64_t k = 0; to && k < sent.count; k++)
        to[k] = (uint32_t)root;
    status = sl_tuples_route(&received, grid, grid->all, &sent, to, status);
    sl_tuples_free(&sent);
    sl_free(to);
    if (status == SL_OK && grid->rank == root) {
        status = sl_tuples_sort(arrays, grid, object, &received);
        if (status == SL_OK && sl_arrays_expand(grid->local, arrays) != SL_OK)
            status = sl_grid_local_failed(grid, SL_NO_MEMORY);
    }
    sl_tuples_free(&received);
    status = sl_grid_agree(grid, status);
    if (status != SL_OK)
        sl_arrays_free(arrays);
    return status;
}

static sl_status check_and_gather(sl_arrays *arrays, const sl_object *object, int root)
{
    sl_context *ctx = object ? object->ctx : NULL;
    sl_grid *grid = ctx ? sl_grid_of(ctx) : NULL;
    if (arrays)
        *arrays = (sl_arrays){0};
    if (!grid)
        return sl_fail(ctx, SL_INVALID, "grid_gather: the object's context has no grid");
    sl_status status = SL_OK;
    if (!arrays)
        status = sl_fail(ctx, SL_INVALID, "grid_gather: arrays is NULL");
    else if (root < 0 || root >= grid->size)
        status = sl_fail(ctx, SL_INVALID, "grid_gather: root %d is not a rank of the grid", root);
    SL_TRY(sl_grid_agree_on(grid, status, "grid_gather\nroot %d\n", root));
    sl_context *before = sl_context_charge(ctx);
    status = gather(arrays, grid, object, root);
    sl_context_charge(before);
    return status;
}

sl_status sl_grid_gather_matrix(sl_arrays *arrays, const sl_matrix *A, int root)
{
    return check_and_gather(arrays, A ? sl_object_of_matrix(A) : NULL, root);
}

sl_status sl_grid_gather_vector(sl_arrays *arrays, const sl_vector *v, int root)
{
    return check_and_gather(arrays, v ? sl_object_of_vector(v) : NULL, root);
}
