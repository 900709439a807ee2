/*
 * Closures of several frontiers over semirings of searches, one search after another: each rank keeps
 * the frontiers at the vertices that it owns, and the entries that the searches reach there. At the end
 * it sends these entries to the owners of the results. Frontiers and entries are in the memory of
 * the devices, if ranks have blocks there. O(searches x edges) time, as products of matrices take,
 * but the edges stay where they are.
 */
#include "dist/closures/closures.h"

#include "dist/closures/advance.h"
#include "dist/grid_operations.h"
#include "dist/operations/rank_tuples.h"

/* Entries of a result at this rank's vertices: rows are the searches, cols the vertices. */
typedef struct {
    sl_tuples tuples;
    uint64_t room;
} entries;

typedef struct {
    sl_grid *grid;
    sl_call *call;
    const sl_tuple_memory *memory;
    uint64_t searches, vertices;
    sl_local_blocks own; /* the vertices of this rank */
    sl_matrix
        *frontiers;  /* the frontiers at these vertices, a row each, in the local context; owned */
    sl_object pi, q; /* of one search; owned */
    sl_vector level; /* of one search, if the call asks for levels; owned */
    entries values, levels;
} sources;

/* ---- frontiers ----------------------------------------------------------------------------------- */

/* Sends the entries of the frontiers to the owners of their vertices: rows are the vertices, local
 * ones on arrival, cols the searches. Collective. */
static sl_status send_frontiers(sl_tuples *received, const sources *s)
{
    const sl_object vertices = {.nrows = s->vertices, .ncols = 1};
    const sl_owner_rule rule = sl_owner_rule_of(s->grid, &vertices, SL_TO_VECTOR, 0);
    sl_tuples sent = {.type = SL_INT64, .memory = s->memory};
    sl_status status = sl_tuples_in(&sent, s->grid, s->memory, sl_grid_block(s->call->b), false);
    if (status == SL_OK)
        status = sl_tuples_to_global(&sent, s->grid, s->call->b);
    sl_tuples_transpose(&sent);
    status = sl_tuples_send(received, s->grid, &sent, &rule, true, status);
    sl_tuples_free(&sent);
    return status;
}

/* Gives the tuples of the frontiers their vertices' indices as values. */
static sl_status add_indices(sl_tuples *t, const sources *s)
{
    const uint64_t bytes = t->count * sizeof *t->rows;
    t->type = SL_INT64;
    SL_TRY(sl_tuples_array(&t->values, s->grid, s->memory, bytes));
    SL_TRY_LOCAL(s->grid, s->memory->copy(s->grid->local, t->values, t->rows, bytes));
    SL_TRY_LOCAL(s->grid, s->memory->to_global(s->grid->local, t->values, t->count, &s->own));
    return SL_OK;
}

/* Makes the matrix of the frontiers: each vertex with its index, or with 1. */
static sl_status make_frontiers(sources *s, sl_tuples *t)
{
    const bool indices = s->call->operators.semiring->result_is_index;
    if (indices)
        SL_TRY(add_indices(t, s));
    sl_tuples_transpose(t);
    SL_TRY_LOCAL(s->grid, sl_matrix_new(&s->frontiers, s->grid->local, indices ? SL_INT64 : SL_BOOL,
                                        s->searches, sl_local_blocks_length(&s->own)));
    return sl_tuples_build(s->grid, sl_object_of_matrix(s->frontiers), t, NULL);
}

/* A local vector with the frontier of a search, in the type of the semiring's result. */
static sl_status make_frontier(sl_vector **v, const sources *s, uint64_t search)
{
    SL_TRY_LOCAL(s->grid, sl_vector_new(v, s->grid->local, s->call->operators.semiring->result,
                                        sl_local_blocks_length(&s->own)));
    SL_TRY_LOCAL(s->grid, sl_matrix_extract_column(*v, NULL, NULL, s->frontiers, SL_ALL, 0, search,
                                                   sl_descriptor_get(SL_TRANSPOSE_A)));
    return SL_OK;
}

/* ---- searches ------------------------------------------------------------------------------------ */

static void close_search(sources *s)
{
    sl_grid_vector_free(&s->pi);
    sl_grid_vector_free(&s->q);
    sl_grid_vector_free(&s->level.object);
}

/* The vectors of a search. Not collective. */
static sl_status open_search(sources *s, uint64_t search)
{
    const sl_object like = {.ctx = s->grid->ctx, .nrows = s->vertices};
    const sl_type type = s->call->operators.semiring->result;
    sl_vector *frontier = NULL, *copy = NULL;
    const sl_status status = make_frontier(&frontier, s, search);
    if (frontier)
        sl_grid_vector_make(&s->q, &like, type, frontier);
    SL_TRY(status);
    SL_TRY_LOCAL(s->grid, sl_vector_dup(&copy, frontier));
    SL_TRY(sl_grid_vector_make(&s->pi, &like, type, copy));
    if (!s->call->second_out)
        return SL_OK;
    SL_TRY(sl_grid_vector_make(&s->level.object, &like, s->call->second_out->type, NULL));
    SL_TRY_LOCAL(s->grid, sl_vector_assign_scalar(sl_block_vector(&s->level.object), frontier, NULL,
                                                  sl_scalar_int64(0), SL_ALL, 0,
                                                  sl_descriptor_get(SL_STRUCTURE)));
    return SL_OK;
}

static sl_status run_search(sources *s)
{
    const sl_closure_options options = {.bounded = s->call->count != UINT64_MAX,
                                        .max_iterations = s->call->count,
                                        .level = s->call->second_out ? &s->level : NULL};
    sl_traversal traversal = {.pi = &s->pi,
                              .q = &s->q,
                              .A = (sl_matrix *)s->call->a,
                              .direction = SL_AUTO,
                              .options = &options};
    sl_call call = {.op = SL_OP_CLOSURE,
                    .ctx = s->grid->ctx,
                    .a = s->call->a,
                    .operators.semiring = s->call->operators.semiring,
                    .traversal = &traversal};
    const sl_status status = sl_grid_closure(&call);
    s->call->outcome.note = call.outcome.note;
    s->call->outcome.fell_back = s->call->outcome.fell_back || call.outcome.fell_back;
    return status;
}

/* ---- results ------------------------------------------------------------------------------------- */

/* Replaces an array by a larger one. */
static sl_status grow(void *array_pointer, const sources *s, uint64_t used, uint64_t bytes)
{
    void **array = array_pointer, *larger;
    SL_TRY(sl_tuples_array(&larger, s->grid, s->memory, bytes));
    const sl_status status = used ? s->memory->copy(s->grid->local, larger, *array, used) : SL_OK;
    s->memory->release(*array);
    *array = larger;
    return status < 0 ? sl_grid_local_failed(s->grid, status) : status;
}

static sl_status reserve(entries *e, const sources *s, uint64_t more)
{
    sl_tuples *t = &e->tuples;
    const uint64_t needed = t->count + more, room = needed > 2 * e->room ? needed : 2 * e->room;
    const uint64_t word = sizeof(uint64_t), size = sl_type_size(t->type);
    if (needed <= e->room)
        return SL_OK;
    SL_TRY(grow(&t->rows, s, t->count * word, room * word));
    SL_TRY(grow(&t->cols, s, t->count * word, room * word));
    SL_TRY(grow(&t->values, s, t->count * size, room * size));
    e->room = room;
    return SL_OK;
}

/* Appends the entries of a vector as entries of a search. Not collective. */
static sl_status append(entries *e, const sources *s, uint64_t search, const sl_object *v)
{
    sl_object *block = sl_grid_block(v);
    sl_tuples *to = &e->tuples;
    uint64_t more;
    SL_TRY_LOCAL(s->grid, sl_vector_nvals(&more, (const sl_vector *)block));
    if (more == 0)
        return SL_OK;
    SL_TRY(reserve(e, s, more));
    sl_tuples added = {.type = to->type,
                       .count = more,
                       .rows = to->cols + to->count,
                       .values = (char *)to->values + to->count * sl_type_size(to->type),
                       .memory = s->memory};
    SL_TRY_LOCAL(s->grid, s->memory->read(&added, block));
    SL_TRY_LOCAL(s->grid, s->memory->to_global(s->grid->local, added.rows, more, &s->own));
    SL_TRY_LOCAL(s->grid, s->memory->fill(s->grid->local, to->rows + to->count, more, search));
    to->count += more;
    return SL_OK;
}

/* Sends the entries to their owners in the result, which may be NULL. Collective. */
static sl_status write_result(sl_object *result, entries *e, const sources *s, sl_status status)
{
    sl_tuples received;
    if (!result)
        return status;
    if (status == SL_OK)
        status = reserve(e, s, 1); /* arrays, though there may be no entries */
    SL_TRY(sl_tuples_to_owners(&received, s->grid, &e->tuples, s->searches, s->vertices, status));
    status = sl_tuples_build(s->grid, sl_grid_block(result), &received, NULL);
    sl_tuples_free(&received);
    return status;
}

/* ---- the operation ------------------------------------------------------------------------------- */

static sl_status run_sources(sources *s)
{
    sl_tuples received = {0};
    SL_TRY(send_frontiers(&received, s));
    sl_status status = make_frontiers(s, &received);
    sl_tuples_free(&received);
    for (uint64_t search = 0; search < s->searches; search++) {
        if (status == SL_OK)
            status = open_search(s, search);
        SL_TRY(sl_grid_agree(s->grid, status));
        status = run_search(s); /* a failure may concern this rank alone */
        if (status == SL_OK && s->call->out)
            status = append(&s->values, s, search, &s->pi);
        if (status == SL_OK && s->call->second_out)
            status = append(&s->levels, s, search, &s->level.object);
        close_search(s);
    }
    status = write_result(s->call->out, &s->values, s, status);
    return write_result(s->call->second_out, &s->levels, s, status);
}

sl_status sl_grid_closures(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sources s = {.grid = grid,
                 .call = call,
                 .searches = call->b->nrows,
                 .vertices = call->a->nrows,
                 .own = sl_grid_own(grid, call->a->nrows),
                 .memory = sl_grid_tuple_memory(grid, call),
                 .values.tuples.type = call->operators.semiring->result,
                 .levels.tuples.type = call->second_out ? call->second_out->type : SL_INT64};
    s.values.tuples.memory = s.levels.tuples.memory = s.memory;
    const sl_status status = run_sources(&s);
    close_search(&s);
    sl_tuples_free(&s.values.tuples);
    sl_tuples_free(&s.levels.tuples);
    sl_matrix_free(s.frontiers);
    return status;
}
