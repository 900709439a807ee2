/*
 * gather and scatter by an index vector. gather: each rank sends its indices to the owners of the
 * entries, which answer with those that exist. scatter: each rank sends its indices and values to
 * the owners of the positions, which combine equal indices by a local scatter. sort and the gather of
 * a matrix run on grids of one process only, by the local engine.
 */
#include "dist/grid_operations.h"

#include "dist/grid/user_operators.h"
#include "dist/operations/rank_tuples.h"

/* ---- the index vector ------------------------------------------------------------ */

/* Reports index number k of a list, the first that is out of range. */
static sl_status report(const sl_tuples *list, sl_grid *grid, const sl_call *call, uint64_t k)
{
    const sl_local_blocks own = sl_grid_own(grid, call->b->nrows);
    uint64_t index, position;
    SL_TRY_LOCAL(grid, list->memory->copy(grid->local, &index, list->rows + k, sizeof index));
    SL_TRY_LOCAL(grid, list->memory->copy(grid->local, &position, list->cols + k, sizeof position));
    return sl_fail_index(call, sl_global_index(&own, position), index);
}

/* This rank's part of the index vector: tuples with the indices as rows and their positions, local
 * ones, as cols. SL_OUT_OF_RANGE if an index is out of range. Not collective. */
static sl_status read_indices(sl_tuples *list, sl_grid *grid, const sl_call *call)
{
    const sl_tuple_memory *memory = list->memory;
    sl_tuples entries;
    uint64_t outside;
    SL_TRY(sl_tuples_in(&entries, grid, memory, sl_grid_block(call->b), true));
    *list = (sl_tuples){.type = SL_BOOL, .count = entries.count, .memory = memory};
    sl_status status =
        sl_tuples_array((void **)&list->rows, grid, memory, entries.count * sizeof *list->rows);
    if (status == SL_OK)
        status =
            memory->indices(grid->local, list->rows, &outside, &entries, sl_call_index_bound(call));
    list->cols = entries.rows;
    entries.rows = NULL;
    sl_tuples_free(&entries);
    SL_TRY_LOCAL(grid, status);
    return outside < list->count ? report(list, grid, call, outside) : SL_OK;
}

/* Sends each tuple to the owner of the entry of a vector that its row is, where the row becomes a local index. */
static sl_status send_to_owners(sl_tuples *received, sl_grid *grid, const sl_tuples *sent,
                                uint64_t size, sl_status status)
{
    const sl_object vector = {.nrows = size, .ncols = 1};
    const sl_owner_rule rule = sl_owner_rule_of(grid, &vector, SL_TO_VECTOR, 0);
    return sl_tuples_send(received, grid, sent, &rule, true, status);
}

/* A vector with the local indices that are the rows of the tuples; it takes them over. */
static sl_status take_indices(sl_vector **indices, sl_grid *grid, sl_tuples *t)
{
    SL_TRY_LOCAL(grid, t->memory->make_vector(indices, grid->local, SL_UINT64, t->count,
                                              (void **)&t->rows, NULL));
    return SL_OK;
}

/* ---- gather ---------------------------------------------------------------------- */

/* The entries of u's block that were requested, with the positions of the requests as rows. Not
 * collective. */
static sl_status answer(sl_tuples *answers, sl_grid *grid, const sl_call *call, sl_tuples *requests)
{
    sl_vector *part = NULL, *indices = NULL;
    sl_status status = take_indices(&indices, grid, requests);
    if (status == SL_OK) {
        status = sl_vector_new(&part, grid->local, call->a->type, requests->count);
        status = status < 0 ? sl_grid_local_failed(grid, status) : status;
    }
    sl_call gather = {.op = SL_OP_GATHER,
                      .ctx = grid->local,
                      .out = sl_object_of_vector(part),
                      .a = sl_grid_block(call->a),
                      .b = sl_object_of_vector(indices)};
    if (status == SL_OK)
        status = sl_local_run(grid, &gather);
    if (status == SL_OK)
        status = sl_tuples_in(answers, grid, requests->memory, gather.out, true);
    if (status == SL_OK) {
        status =
            requests->memory->look_up(grid->local, answers->rows, answers->count, requests->cols);
        status = status < 0 ? sl_grid_local_failed(grid, status) : status;
    }
    sl_vector_free(part);
    sl_vector_free(indices);
    return status;
}

/* Exchanges requests and answers; *received has this rank's part of the result, with local indices.
 */
static sl_status request(sl_tuples *received, sl_grid *grid, const sl_call *call)
{
    const sl_tuple_memory *memory = sl_grid_tuple_memory(grid, call);
    const sl_local_blocks own = sl_grid_own(grid, call->b->nrows);
    sl_tuples requests = {.memory = memory}, asked;
    sl_tuples answers = {.type = call->a->type, .memory = memory};
    sl_status status = read_indices(&requests, grid, call);
    if (status == SL_OK) {
        status = memory->to_global(grid->local, requests.cols, requests.count, &own);
        status = status < 0 ? sl_grid_local_failed(grid, status) : status;
    }
    status = send_to_owners(&asked, grid, &requests, call->a->nrows, status);
    sl_tuples_free(&requests);
    if (status == SL_OK)
        status = answer(&answers, grid, call, &asked);
    sl_tuples_free(&asked);
    status = send_to_owners(received, grid, &answers, call->b->nrows, status);
    sl_tuples_free(&answers);
    return status;
}

sl_status sl_grid_gather(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_object shape = {
        .ctx = call->ctx, .type = call->a->type, .nrows = call->b->nrows, .ncols = 1};
    sl_object *T = NULL;
    sl_tuples received;
    SL_TRY(request(&received, grid, call));
    sl_status status = sl_grid_block_new(&T, grid, &shape);
    if (status == SL_OK)
        status = sl_tuples_build(grid, T, &received, NULL);
    if (status == SL_OK)
        status = sl_grid_block_write(call, T);
    sl_tuples_free(&received);
    sl_grid_block_free(T);
    return status;
}

/* ---- scatter --------------------------------------------------------------------- */

/* Gives each index its value: cols become 1, or 0 where u has none. Not collective. */
static sl_status add_values(sl_tuples *list, sl_grid *grid, const sl_call *call)
{
    sl_tuples u;
    list->type = call->a->type;
    SL_TRY(
        sl_tuples_array(&list->values, grid, list->memory, list->count * sl_type_size(list->type)));
    SL_TRY(sl_tuples_in(&u, grid, list->memory, sl_grid_block(call->a), true));
    const sl_status status = list->memory->attach(grid->local, list, &u);
    sl_tuples_free(&u);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}

/* Makes vectors of the received indices, which become local ones, and of their values. */
static sl_status make_operands(sl_vector **indices, sl_vector **values, sl_grid *grid,
                               const sl_call *call, sl_tuples *received)
{
    SL_TRY(take_indices(indices, grid, received));
    SL_TRY_LOCAL(grid,
                 received->memory->make_vector(values, grid->local, received->type, received->count,
                                               &received->values, received->cols));
    return SL_OK;
}

/* Runs the scatter of the received values into this rank's block. */
static sl_status scatter_block(sl_grid *grid, const sl_call *call, sl_tuples *received)
{
    sl_vector *indices = NULL, *values = NULL;
    sl_status status = make_operands(&indices, &values, grid, call, received);
    if (status == SL_OK) {
        sl_call local = sl_local_call(call);
        local.a = sl_object_of_vector(values);
        local.b = sl_object_of_vector(indices);
        status = sl_local_run(grid, &local);
    }
    sl_vector_free(indices);
    sl_vector_free(values);
    return status;
}

sl_status sl_grid_scatter(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_tuples sent = {.memory = sl_grid_tuple_memory(grid, call)}, received;
    sl_status status = read_indices(&sent, grid, call);
    if (status == SL_OK)
        status = add_values(&sent, grid, call);
    status = send_to_owners(&received, grid, &sent, call->out->nrows, status);
    sl_tuples_free(&sent);
    SL_TRY(status);
    status = scatter_block(grid, call, &received);
    sl_tuples_free(&received);
    return status;
}

/* ---- grids of one process --------------------------------------------------------- */

sl_status sl_grid_on_one_process(sl_call *call)
{
    sl_call local = sl_local_call(call);
    return sl_local_run(sl_grid_of(call->ctx), &local);
}
