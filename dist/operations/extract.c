/*
 * extract: each rank extracts the selected entries of its block, and sends them to the owners of
 * their positions in the output.
 */
#include "dist/grid_operations.h"

#include "dist/operations/index_lists.h"

/* One extraction on this rank. */
typedef struct {
    sl_grid *grid;
    const sl_call *call;
    const sl_tuple_memory *memory;
    bool transposed; /* the input is read transposed */
    sl_selection rows, cols;
    sl_object *part; /* the selected entries of the block, in the local context */
} extraction;

static void close_extraction(extraction *e)
{
    sl_selection_free(&e->rows);
    sl_selection_free(&e->cols);
    sl_grid_block_free(e->part);
}

/* ---- vectors and matrices ------------------------------------------------------------- */

static sl_status choose(extraction *e)
{
    const sl_object *a = e->call->a;
    const sl_index_list *rows = &e->call->rows, *cols = &e->call->cols;
    sl_local_blocks blocks =
        a->is_matrix ? sl_grid_rows(e->grid, a->nrows) : sl_grid_own(e->grid, a->nrows);
    SL_TRY(sl_selection_find(&e->rows, e->grid, e->transposed ? cols : rows, &blocks, e->memory));
    if (!a->is_matrix)
        return SL_OK;
    blocks = sl_grid_columns(e->grid, a->ncols);
    return sl_selection_find(&e->cols, e->grid, e->transposed ? rows : cols, &blocks, e->memory);
}

static sl_status extract_part(extraction *e)
{
    const sl_object *block = sl_grid_block(e->call->a);
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    if (block->is_matrix)
        SL_TRY_LOCAL(e->grid,
                     sl_matrix_new(&A, e->grid->local, block->type, e->rows.count, e->cols.count));
    else
        SL_TRY_LOCAL(e->grid, sl_vector_new(&v, e->grid->local, block->type, e->rows.count));
    e->part = A ? sl_object_of_matrix(A) : sl_object_of_vector(v);
    sl_call local = {.op = SL_OP_EXTRACT,
                     .ctx = e->grid->local,
                     .out = e->part,
                     .a = sl_grid_block(e->call->a),
                     .rows = sl_selection_list(&e->rows),
                     .cols = A ? sl_selection_list(&e->cols) : (sl_index_list){.count = 1}};
    return sl_local_run(e->grid, &local);
}

/* Extracts the selected entries; indices are positions in the output. */
static sl_status entries_of_part(sl_tuples *t, extraction *e)
{
    SL_TRY(choose(e));
    SL_TRY(extract_part(e));
    SL_TRY(sl_tuples_in(t, e->grid, e->memory, e->part, true));
    SL_TRY(sl_selection_to_positions(&e->rows, e->grid, e->memory, t->rows, t->count));
    if (t->cols)
        SL_TRY(sl_selection_to_positions(&e->cols, e->grid, e->memory, t->cols, t->count));
    if (e->transposed)
        sl_tuples_transpose(t);
    return SL_OK;
}

/* ---- a column ------------------------------------------------------------------------------ */

/* Extracts entries of A(rows, col), or of a row if A is transposed, as entries of a vector. */
static sl_status entries_of_column(sl_tuples *t, extraction *e)
{
    const sl_call *call = e->call;
    sl_local_blocks rows = sl_grid_rows(e->grid, call->a->nrows),
                    cols = sl_grid_columns(e->grid, call->a->ncols);
    const sl_local_blocks *along = e->transposed ? &cols : &rows,
                          *across = e->transposed ? &rows : &cols;
    if (!sl_local_blocks_contain(across, call->col))
        return sl_tuples_allocate_in(t, e->grid, e->memory, call->a->type, 0, false, true);
    SL_TRY(sl_selection_find(&e->rows, e->grid, &call->rows, along, e->memory));
    sl_vector *v;
    SL_TRY_LOCAL(e->grid, sl_vector_new(&v, e->grid->local, call->a->type, e->rows.count));
    e->part = sl_object_of_vector(v);
    sl_call local = {.op = SL_OP_EXTRACT_COLUMN,
                     .ctx = e->grid->local,
                     .out = e->part,
                     .a = sl_grid_block(call->a),
                     .rows = sl_selection_list(&e->rows),
                     .col = sl_local_index(across, call->col),
                     .flags = call->flags & SL_TRANSPOSE_A};
    SL_TRY(sl_local_run(e->grid, &local));
    SL_TRY(sl_tuples_in(t, e->grid, e->memory, e->part, true));
    return sl_selection_to_positions(&e->rows, e->grid, e->memory, t->rows, t->count);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* Sends the entries to the owners of the output, which assign them. */
static sl_status deliver(const extraction *e, const sl_tuples *sent, sl_status status)
{
    const sl_call *call = e->call;
    sl_object like = *call->out, *block;
    sl_tuples received;
    like.type = call->a->type;
    SL_TRY(sl_tuples_to_owners(&received, e->grid, sent, like.nrows, like.ncols, status));
    status = sl_grid_block_new(&block, e->grid, &like);
    if (status == SL_OK)
        status = sl_tuples_build(e->grid, block, &received, NULL);
    if (status == SL_OK)
        status = sl_grid_block_write(call, block);
    sl_grid_block_free(block);
    sl_tuples_free(&received);
    return status;
}

sl_status sl_grid_extract(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    extraction e = {.grid = grid, .call = call, .memory = sl_grid_tuple_memory(grid, call)};
    e.transposed = call->a->is_matrix && (call->flags & SL_TRANSPOSE_A);
    bool column = call->op == SL_OP_EXTRACT_COLUMN;
    if (!column && !call->rows.items && !call->cols.items && !e.transposed)
        return sl_grid_block_write(call, sl_grid_block(call->a));
    sl_tuples sent = {.type = call->a->type, .memory = e.memory};
    sl_status status = column ? entries_of_column(&sent, &e) : entries_of_part(&sent, &e);
    status = deliver(&e, &sent, status);
    sl_tuples_free(&sent);
    close_extraction(&e);
    return status;
}
