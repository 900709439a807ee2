/*
 * assign: the entries of the input are sent to the owners of the positions that they are assigned
 * to, and assigned there by a local call with each rank's part of the index lists.
 */
#include "dist/grid_operations.h"

#include "dist/grid/user_operators.h"
#include "dist/operations/index_lists.h"

/* One assignment on this rank. */
typedef struct {
    sl_grid *grid;
    const sl_call *call;
    const sl_tuple_memory *memory;
    sl_selection rows, cols;
    sl_object *input; /* received entries, by position in the selections, in the local context */
    sl_object *mask;  /* of an assignment to a row or a column: received entries of the mask */
} assignment;

static assignment assignment_of(const sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    return (assignment){.grid = grid, .call = call, .memory = sl_grid_tuple_memory(grid, call)};
}

static void close_assignment(assignment *a)
{
    sl_selection_free(&a->rows);
    sl_selection_free(&a->cols);
    sl_grid_block_free(a->input);
    sl_grid_block_free(a->mask);
}

static sl_status select_indices(assignment *a)
{
    const sl_object *out = a->call->out;
    sl_local_blocks rows =
        out->is_matrix ? sl_grid_rows(a->grid, out->nrows) : sl_grid_own(a->grid, out->nrows);
    SL_TRY(sl_selection_find(&a->rows, a->grid, &a->call->rows, &rows, a->memory));
    if (!out->is_matrix)
        return SL_OK;
    sl_local_blocks cols = sl_grid_columns(a->grid, out->ncols);
    return sl_selection_find(&a->cols, a->grid, &a->call->cols, &cols, a->memory);
}

/* ---- whole objects ----------------------------------------------------------------- */

/* Sends tuples whose indices are positions in the lists, or global indices where a list is NULL, to
 * the owners of the places. */
static sl_status send_to_places(sl_tuples *received, const assignment *a, const sl_tuples *sent,
                                sl_owner_rule *rule, const sl_index_list *row_list,
                                const sl_index_list *col_list, sl_status status)
{
    uint64_t *rows = NULL, *cols = NULL;
    if (status == SL_OK && row_list)
        status = sl_list_places(&rule->row_places, &rows, a->grid, a->memory, row_list);
    if (status == SL_OK && col_list)
        status = sl_list_places(&rule->col_places, &cols, a->grid, a->memory, col_list);
    status = sl_tuples_send(received, a->grid, sent, rule, false, status);
    a->memory->release(rows);
    a->memory->release(cols);
    return status;
}

static sl_status prepare_input(sl_tuples *sent, const assignment *a)
{
    const sl_call *call = a->call;
    SL_TRY(sl_tuples_in(sent, a->grid, a->memory, sl_grid_block(call->a), true));
    SL_TRY(sl_tuples_to_global(sent, a->grid, call->a));
    if (call->a->is_matrix && (call->flags & SL_TRANSPOSE_A))
        sl_tuples_transpose(sent);
    return SL_OK;
}

/* Makes the input of the local call; positions become positions in the selections. */
static sl_status make_input(assignment *a, sl_tuples *received)
{
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    SL_TRY(sl_selection_to_local(&a->rows, a->grid, a->memory, received->rows, received->count));
    if (received->cols) {
        SL_TRY(
            sl_selection_to_local(&a->cols, a->grid, a->memory, received->cols, received->count));
        SL_TRY_LOCAL(a->grid, sl_matrix_new(&A, a->grid->local, received->type, a->rows.count,
                                            a->cols.count));
    } else {
        SL_TRY_LOCAL(a->grid, sl_vector_new(&v, a->grid->local, received->type, a->rows.count));
    }
    a->input = A ? sl_object_of_matrix(A) : sl_object_of_vector(v);
    return sl_tuples_build(a->grid, a->input, received, NULL);
}

/* Receives the entries for this rank. */
static sl_status receive_input(assignment *a)
{
    sl_tuples sent = {.type = a->call->a->type, .memory = a->memory}, received;
    sl_owner_rule rule = sl_owner_rule_of(a->grid, a->call->out, SL_TO_MATRIX, 0);
    sl_status status = select_indices(a);
    if (status == SL_OK)
        status = prepare_input(&sent, a);
    status = send_to_places(&received, a, &sent, &rule, &a->call->rows, &a->call->cols, status);
    sl_tuples_free(&sent);
    if (status == SL_OK)
        status = make_input(a, &received);
    sl_tuples_free(&received);
    return status;
}

/* Runs the local call on this rank's part of the lists. */
static sl_status assign_block(assignment *a)
{
    sl_call local = sl_local_call(a->call);
    local.flags &= SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE;
    local.a = a->input;
    local.rows = sl_selection_list(&a->rows);
    local.cols = local.out->is_matrix ? sl_selection_list(&a->cols) : (sl_index_list){.count = 1};
    return sl_local_run(a->grid, &local);
}

/* Every entry is at its owner already. */
bool sl_grid_assigns_in_place(const sl_call *call)
{
    const bool transposed =
        call->op == SL_OP_ASSIGN && call->a->is_matrix && (call->flags & SL_TRANSPOSE_A);
    return !call->rows.items && !call->cols.items && !transposed;
}

sl_status sl_grid_assign(sl_call *call)
{
    assignment a = assignment_of(call);
    if (sl_grid_assigns_in_place(call))
        return sl_grid_block_write(call, sl_grid_block(call->a));
    sl_status status = receive_input(&a);
    if (status == SL_OK)
        status = assign_block(&a);
    close_assignment(&a);
    return status;
}

sl_status sl_grid_assign_scalar(sl_call *call)
{
    assignment a = assignment_of(call);
    if (sl_grid_assigns_in_place(call)) {
        sl_call local = sl_local_call(call);
        local.rows.count = local.out->nrows;
        local.cols.count = local.out->ncols;
        return sl_local_run(a.grid, &local);
    }
    sl_status status = select_indices(&a);
    if (status == SL_OK)
        status = assign_block(&a);
    close_assignment(&a);
    return status;
}

/* ---- a row or a column ---------------------------------------------------------------- */

/* Sends the entries of a vector to the owners of their positions in the row or column. Entries of
 * the input are positions in `list`, entries of the mask are indices (list is NULL). */
static sl_status send_to_line(sl_tuples *received, const assignment *a, const sl_object *vector,
                              const sl_index_list *list, sl_status status)
{
    const sl_call *call = a->call;
    const bool is_row = call->op == SL_OP_ASSIGN_ROW;
    sl_owner_rule rule = sl_owner_rule_of(a->grid, call->out, is_row ? SL_TO_ROW : SL_TO_COLUMN,
                                          is_row ? call->row : call->col);
    sl_tuples sent = {.type = vector->type, .memory = a->memory};
    if (status == SL_OK)
        status = sl_tuples_in(&sent, a->grid, a->memory, sl_grid_block(vector), true);
    if (status == SL_OK)
        status = sl_tuples_to_global(&sent, a->grid, vector);
    status = send_to_places(received, a, &sent, &rule, list, NULL, status);
    sl_tuples_free(&sent);
    return status;
}

static sl_status vector_of(sl_object **made, sl_grid *grid, const sl_tuples *t, uint64_t size)
{
    sl_vector *v;
    SL_TRY_LOCAL(grid, sl_vector_new(&v, grid->local, t->type, size));
    *made = sl_object_of_vector(v);
    return sl_tuples_build(grid, *made, t, NULL);
}

/* Builds this rank's part: the selection of the list, the input, and the mask. */
static sl_status open_line(assignment *a, sl_tuples *input, sl_tuples *mask,
                           const sl_local_blocks *along, const sl_index_list *list)
{
    SL_TRY(sl_selection_find(&a->rows, a->grid, list, along, a->memory));
    SL_TRY(sl_selection_to_local(&a->rows, a->grid, a->memory, input->rows, input->count));
    SL_TRY(vector_of(&a->input, a->grid, input, a->rows.count));
    if (!a->call->mask)
        return SL_OK;
    SL_TRY_LOCAL(a->grid, a->memory->to_local(a->grid->local, mask->rows, mask->count, along));
    return vector_of(&a->mask, a->grid, mask, sl_local_blocks_length(along));
}

static sl_status assign_line(assignment *a, sl_tuples *input, sl_tuples *mask)
{
    const sl_call *call = a->call;
    bool is_row = call->op == SL_OP_ASSIGN_ROW;
    sl_local_blocks rows = sl_grid_rows(a->grid, call->out->nrows),
                    cols = sl_grid_columns(a->grid, call->out->ncols);
    if (is_row ? !sl_local_blocks_contain(&rows, call->row)
               : !sl_local_blocks_contain(&cols, call->col))
        return SL_OK;
    SL_TRY(open_line(a, input, mask, is_row ? &cols : &rows,
                     is_row ? &a->call->cols : &a->call->rows));
    sl_call local = {.op = call->op,
                     .ctx = a->grid->local,
                     .out = sl_grid_block(call->out),
                     .mask = a->mask,
                     .accum = sl_local_binary(call->accum),
                     .a = a->input,
                     .flags = call->flags & (SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE)};
    if (is_row) {
        local.row = sl_local_index(&rows, call->row);
        local.cols = sl_selection_list(&a->rows);
    } else {
        local.col = sl_local_index(&cols, call->col);
        local.rows = sl_selection_list(&a->rows);
    }
    return sl_local_run(a->grid, &local);
}

sl_status sl_grid_assign_line(sl_call *call)
{
    assignment a = assignment_of(call);
    sl_tuples input = {0}, mask = {0};
    bool is_row = call->op == SL_OP_ASSIGN_ROW;
    sl_status status = send_to_line(&input, &a, call->a, is_row ? &call->cols : &call->rows, SL_OK);
    if (call->mask)
        status = send_to_line(&mask, &a, call->mask, NULL, status);
    if (status == SL_OK)
        status = assign_line(&a, &input, &mask);
    sl_tuples_free(&input);
    sl_tuples_free(&mask);
    close_assignment(&a);
    return status;
}
