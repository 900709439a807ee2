/*
 * Blocks of distributed objects, and the store that has them as handles. Operations on a block are
 * operations of the local context. No arrays are exported from or imported into this store.
 */
#include "dist/grid/blocks.h"

#include "dist/grid/user_operators.h"

void sl_grid_block_free(sl_object *block)
{
    if (block && block->is_matrix)
        sl_matrix_free((sl_matrix *)block);
    else
        sl_vector_free((sl_vector *)block);
}

void sl_grid_block_replace(sl_object *object, sl_object *block)
{
    sl_grid_block_free(object->held[SL_SLOT_GRID]);
    object->held[SL_SLOT_GRID] = block;
}

static sl_status new_vector(sl_vector **v, sl_grid *grid, sl_type type, uint64_t size)
{
    sl_local_blocks own = sl_grid_own(grid, size);
    SL_TRY_LOCAL(grid, sl_vector_new(v, grid->local, type, sl_local_blocks_length(&own)));
    return SL_OK;
}

sl_status sl_grid_block_new_matrix(sl_matrix **A, sl_grid *grid, sl_type type, uint64_t nrows,
                                   uint64_t ncols)
{
    sl_local_blocks rows = sl_grid_rows(grid, nrows), cols = sl_grid_columns(grid, ncols);
    SL_TRY_LOCAL(grid, sl_matrix_new(A, grid->local, type, sl_local_blocks_length(&rows),
                                     sl_local_blocks_length(&cols)));
    return SL_OK;
}

sl_status sl_grid_block_new(sl_object **block, sl_grid *grid, const sl_object *like)
{
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    *block = NULL;
    if (like->is_matrix)
        SL_TRY(sl_grid_block_new_matrix(&A, grid, like->type, like->nrows, like->ncols));
    else
        SL_TRY(new_vector(&v, grid, like->type, like->nrows));
    *block = A ? sl_object_of_matrix(A) : sl_object_of_vector(v);
    return SL_OK;
}

sl_call sl_local_call(const sl_call *call)
{
    sl_call local = *call;
    local.ctx = sl_grid_of(call->ctx)->local;
    local.out = sl_grid_block(call->out);
    local.second_out = sl_grid_block(call->second_out);
    local.mask = sl_grid_block(call->mask);
    local.a = sl_grid_block(call->a);
    local.b = sl_grid_block(call->b);
    local.accum = sl_local_binary(call->accum);
    local.operators.semiring = sl_local_semiring(call->operators.semiring);
    local.operators.monoid = sl_local_monoid(call->operators.monoid);
    local.operators.unary = sl_local_unary(call->operators.unary);
    local.operators.binary = sl_local_binary(call->operators.binary);
    local.operators.index = sl_local_index_op(call->operators.index);
    return local;
}

sl_status sl_local_run(sl_grid *grid, sl_call *local)
{
    sl_status status = sl_dispatch(local);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}

sl_status sl_grid_block_write(const sl_call *call, sl_object *t)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_call local = {.op = SL_OP_ASSIGN,
                     .ctx = grid->local,
                     .out = sl_grid_block(call->out),
                     .mask = sl_grid_block(call->mask),
                     .accum = sl_local_binary(call->accum),
                     .a = t,
                     .rows.count = t->nrows,
                     .cols.count = t->ncols,
                     .flags = call->flags & (SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE)};
    return sl_local_run(grid, &local);
}

/* ---- the store -------------------------------------------------------------------- */

static sl_status create(void **handle, const sl_object *object)
{
    sl_object *block;
    SL_TRY(sl_grid_block_new(&block, sl_grid_of(object->ctx), object));
    *handle = block;
    return SL_OK;
}

static sl_status copy(void **handle, const sl_object *object, void *source)
{
    sl_grid *grid = sl_grid_of(object->ctx);
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    if (object->is_matrix)
        SL_TRY_LOCAL(grid, sl_matrix_dup(&A, source));
    else
        SL_TRY_LOCAL(grid, sl_vector_dup(&v, source));
    *handle = A ? sl_object_of_matrix(A) : sl_object_of_vector(v);
    return SL_OK;
}

static void release(const sl_object *object, void *handle)
{
    sl_grid_block_free(handle);
}

/* The store's contents are never copied to another store: a grid's context has no other. */
static uint64_t bytes(const sl_object *object, void *handle)
{
    return 0;
}

static sl_status no_arrays(sl_csr *csr, const sl_object *object, void *handle)
{
    return sl_fail(object->ctx, SL_UNSUPPORTED,
                   "grid: an object of a grid cannot be copied to another store; use "
                   "sl_grid_gather_matrix or sl_grid_gather_vector");
}

static sl_status no_import(void **handle, const sl_object *object, sl_csr *csr)
{
    return no_arrays(csr, object, NULL);
}

static sl_status prefer(const sl_object *vector, void *handle, sl_form form)
{
    SL_TRY_LOCAL(sl_grid_of(vector->ctx), sl_object_prefer(handle, form));
    return SL_OK;
}

static sl_status set_threads(sl_context *ctx, int threads)
{
    sl_grid *grid = sl_grid_of(ctx);
    SL_TRY_LOCAL(grid, sl_context_set_threads(grid->local, threads));
    return SL_OK;
}

/* The memory of blocks and of messages counts for one account, this rank's. */
static sl_status expose_memory(sl_context *ctx)
{
    sl_grid *grid = sl_grid_of(ctx);
    SL_TRY_LOCAL(grid, sl_context_set_memory_limit(grid->local, 0));
    sl_context_share_account(ctx, grid->local);
    return SL_OK;
}

const sl_store sl_store_grid = {
    .name = "grid",
    .slot = SL_SLOT_GRID,
    .memory = SL_MEMORY_HOST,
    .create = create,
    .copy = copy,
    .release = release,
    .bytes = bytes,
    .export_arrays = no_arrays,
    .import_arrays = no_import,
    .prefer = prefer,
    .set_threads = set_threads,
    .expose_memory = expose_memory,
};

sl_status sl_grid_count_entries(uint64_t *entries, const sl_object *object)
{
    sl_grid *grid = sl_grid_of(object->ctx);
    sl_call local = {.op = SL_OP_NVALS, .ctx = grid->local, .a = sl_grid_block(object)};
    const sl_status status = sl_local_run(grid, &local);
    *entries = local.count;
    return sl_grid_agree_sum(grid, status, entries);
}
