/*
 * gather and scatter by an index vector. gather: each rank sends its indices to the owners of the
 * entries, which answer with those that exist. scatter: each rank sends its indices and values to
 * the owners of the positions, which combine equal indices by a local scatter. sort and the gather of
 * a matrix run on grids of one process only, by the local engine.
 */
#include "operations.h"

#include "tuples.h"
#include "user_operators.h"

#include <string.h>

static sl_status no_memory(const sl_call *call, uint64_t count)
{
    return sl_fail(call->ctx, SL_NO_MEMORY, "%s: out of memory for %zu indices",
                   sl_operation_name(call->op), (size_t)count);
}

/* ---- the index vector ------------------------------------------------------------ */

/* The value of entry k of tuples of an integer type. */
static uint64_t index_at(const sl_tuples *t, uint64_t k)
{
    const char *at = (const char *)t->values + k * sl_type_size(t->type);
    sl_scalar index = sl_scalar_load(t->type, at);
    return t->type == SL_UINT64 ? index.as.uint64_
                                : (uint64_t)sl_scalar_cast(index, SL_INT64).as.int64_;
}

/* This rank's part of the index vector: tuples with the indices as rows and their positions, local
 * ones, as cols. SL_OUT_OF_RANGE if an index is out of range. Not collective. */
static sl_status read_indices(sl_tuples *list, sl_grid *grid, const sl_call *call)
{
    const uint64_t bound = sl_call_index_bound(call);
    const sl_local_blocks own = sl_grid_own(grid, call->b->nrows);
    sl_tuples entries;
    SL_TRY(sl_tuples_of(&entries, grid, sl_grid_block(call->b)));
    sl_status status = sl_tuples_allocate(list, grid, SL_BOOL, entries.count, true, false);
    for (uint64_t k = 0; k < entries.count && status == SL_OK; k++) {
        list->rows[k] = index_at(&entries, k);
        list->cols[k] = entries.rows[k];
        if (list->rows[k] >= bound)
            status = sl_fail_index(call, sl_global_index(&own, list->cols[k]), list->rows[k]);
    }
    sl_tuples_free(&entries);
    return status;
}

/* Sends each tuple to the owner of the entry number place[k] of a vector of `size` entries. */
static sl_status send_to_owners(sl_tuples *received, sl_grid *grid, const sl_call *call,
                                const sl_tuples *sent, const uint64_t *place, uint64_t size,
                                sl_status status)
{
    const sl_distribution blocks = sl_grid_distribution(grid, size);
    uint32_t *to = sl_malloc((sent->count + 1) * sizeof *to);
    if (!to && status == SL_OK)
        status = no_memory(call, sent->count);
    for (uint64_t k = 0; k < sent->count && status == SL_OK; k++)
        to[k] = sl_distribution_owner(&blocks, place[k]);
    status = sl_tuples_route(received, grid, grid->all, sent, to, status);
    sl_free(to);
    return status;
}

/* ---- gather ---------------------------------------------------------------------- */

/* The entries of u's block that were requested, with the positions of the requests as rows. Not
 * collective. */
static sl_status answer(sl_tuples *answers, sl_grid *grid, const sl_call *call,
                        const sl_tuples *requests)
{
    const sl_local_blocks own = sl_grid_own(grid, call->a->nrows);
    sl_vector *part;
    sl_indices_to_local(requests->rows, requests->count, &own);
    SL_TRY_LOCAL(grid, sl_vector_new(&part, grid->local, call->a->type, requests->count));
    sl_call extract = {.op = SL_OP_EXTRACT,
                       .ctx = grid->local,
                       .out = sl_object_of_vector(part),
                       .a = sl_grid_block(call->a),
                       .rows = requests->rows,
                       .nrows = requests->count,
                       .ncols = 1};
    sl_status status = sl_local_run(grid, &extract);
    if (status == SL_OK)
        status = sl_tuples_of(answers, grid, sl_object_of_vector(part));
    for (uint64_t k = 0; k < answers->count && status == SL_OK; k++)
        answers->rows[k] = requests->cols[answers->rows[k]];
    sl_vector_free(part);
    return status;
}

/* Exchanges requests and answers; *received has this rank's part of the result, with local indices.
 */
static sl_status request(sl_tuples *received, sl_grid *grid, const sl_call *call)
{
    const sl_local_blocks own = sl_grid_own(grid, call->b->nrows);
    sl_tuples requests = {0}, asked, answers = {.type = call->a->type};
    sl_status status = read_indices(&requests, grid, call);
    if (status == SL_OK)
        sl_indices_to_global(requests.cols, requests.count, &own);
    status = send_to_owners(&asked, grid, call, &requests, requests.rows, call->a->nrows, status);
    sl_tuples_free(&requests);
    SL_TRY(status);
    status = answer(&answers, grid, call, &asked);
    sl_tuples_free(&asked);
    status = send_to_owners(received, grid, call, &answers, answers.rows, call->b->nrows, status);
    sl_tuples_free(&answers);
    if (status == SL_OK)
        sl_indices_to_local(received->rows, received->count, &own);
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
    const size_t size = sl_type_size(call->a->type);
    sl_tuples u;
    uint64_t l = 0;
    SL_TRY(sl_tuples_of(&u, grid, sl_grid_block(call->a)));
    list->type = call->a->type;
    list->values = sl_calloc(list->count + 1, size);
    if (!list->values) {
        sl_tuples_free(&u);
        return no_memory(call, list->count);
    }
    for (uint64_t k = 0; k < list->count; k++) {
        while (l < u.count && u.rows[l] < list->cols[k])
            l++;
        const bool has = l < u.count && u.rows[l] == list->cols[k];
        if (has)
            memcpy((char *)list->values + k * size, (char *)u.values + l * size, size);
        list->cols[k] = has;
    }
    sl_tuples_free(&u);
    return SL_OK;
}

/* Makes *v, of the local context, from arrays; on failure they stay the caller's. */
static sl_status take(sl_vector **v, sl_grid *grid, sl_arrays *arrays)
{
    if (arrays->nrows == 0)
        SL_TRY_LOCAL(grid, sl_vector_new(v, grid->local, arrays->type, 0));
    else
        SL_TRY_LOCAL(grid, sl_vector_take(v, grid->local, arrays));
    return SL_OK;
}

/* Makes vectors of the received indices, which become local ones, and of their values. */
static sl_status make_operands(sl_vector **indices, sl_vector **values, sl_grid *grid,
                               const sl_call *call, sl_tuples *received)
{
    const sl_local_blocks own = sl_grid_own(grid, call->out->nrows);
    const uint64_t count = received->count;
    sl_indices_to_local(received->rows, count, &own);
    sl_arrays list = {.format = SL_FORMAT_FULL,
                      .type = SL_UINT64,
                      .nrows = count,
                      .ncols = 1,
                      .nvals = count,
                      .values = received->rows,
                      .trusted = true};
    sl_arrays given = {.format = SL_FORMAT_BITMAP,
                       .type = received->type,
                       .nrows = count,
                       .ncols = 1,
                       .present = sl_malloc(count + 1),
                       .values = received->values,
                       .trusted = true};
    if (!given.present)
        return no_memory(call, count);
    for (uint64_t k = 0; k < count; k++) {
        given.present[k] = (int8_t)received->cols[k];
        given.nvals += received->cols[k];
    }
    sl_status status = take(indices, grid, &list);
    received->rows = list.values;
    if (status == SL_OK)
        status = take(values, grid, &given);
    received->values = given.values;
    sl_free(given.present);
    return status;
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
    sl_tuples sent = {0}, received;
    sl_status status = read_indices(&sent, grid, call);
    if (status == SL_OK)
        status = add_values(&sent, grid, call);
    status = send_to_owners(&received, grid, call, &sent, sent.rows, call->out->nrows, status);
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
