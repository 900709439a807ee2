/*
 * Closures of several frontiers over semirings of searches, one search after another: each rank keeps
 * the frontiers at the vertices that it owns, and the entries that the searches reach there, which are
 * sent to the owners of the results at the end. O(searches x edges) time, as products of matrices take,
 * but the edges stay where they are.
 */
#include "closures.h"

#include "advance.h"
#include "operations.h"
#include "tuples.h"

#include <string.h>

/* Entries of a result at this rank's vertices: rows are the searches, cols the vertices. */
typedef struct {
    sl_tuples tuples;
    uint64_t room;
} entries;

typedef struct {
    sl_grid *grid;
    const sl_call *call;
    uint64_t searches, vertices;
    sl_local_blocks own; /* the vertices of this rank */
    uint64_t *begin;     /* [searches + 1]: the entries of `vertex` of each frontier; owned */
    uint64_t *vertex;    /* local indices; owned */
    sl_object pi, q;     /* of one search; owned */
    sl_vector level;     /* of one search, if the call asks for levels; owned */
    entries values, levels;
} sources;

static sl_status no_memory(const sources *s)
{
    return sl_fail(s->grid->ctx, SL_NO_MEMORY, "closures: out of memory");
}

/* ---- frontiers ----------------------------------------------------------------------------------- */

/* Sends the entries of the frontiers to the owners of their vertices. Collective. */
static sl_status send_frontiers(sl_tuples *received, const sources *s)
{
    const sl_distribution p = sl_grid_distribution(s->grid, s->vertices);
    sl_tuples sent = {.type = SL_BOOL};
    uint32_t *to = NULL;
    sl_status status = sl_tuples_of_pattern(&sent, s->grid, sl_grid_block(s->call->b));
    if (status == SL_OK) {
        sl_tuples_to_global(&sent, s->grid, s->call->b);
        to = sl_malloc((sent.count + 1) * sizeof *to);
        status = to ? SL_OK : no_memory(s);
    }
    for (uint64_t k = 0; status == SL_OK && k < sent.count; k++)
        to[k] = sl_distribution_owner(&p, sent.cols[k]);
    status = sl_tuples_route(received, s->grid, s->grid->all, &sent, to, status);
    sl_tuples_free(&sent);
    sl_free(to);
    return status;
}

/* Sorts the entries by their search. */
static sl_status sort_frontiers(sources *s, const sl_tuples *t)
{
    s->begin = sl_calloc(s->searches + 2, sizeof *s->begin);
    s->vertex = sl_malloc((t->count + 1) * sizeof *s->vertex);
    if (!s->begin || !s->vertex)
        return no_memory(s);
    uint64_t *at = s->begin + 1; /* while entries are put, the end of the search before */
    for (uint64_t k = 0; k < t->count; k++)
        at[t->rows[k] + 1]++;
    for (uint64_t search = 0; search < s->searches; search++)
        at[search + 1] += at[search];
    for (uint64_t k = 0; k < t->count; k++)
        s->vertex[at[t->rows[k]]++] = sl_local_index(&s->own, t->cols[k]);
    return SL_OK;
}

/* A local vector with the frontier of a search: each vertex with its global index, or with 1. */
static sl_status make_frontier(sl_vector **v, const sources *s, uint64_t search)
{
    const uint64_t first = s->begin[search], count = s->begin[search + 1] - first;
    const sl_semiring semiring = s->call->semiring;
    int64_t *index = NULL;
    sl_vector *made = NULL;
    SL_TRY_LOCAL(s->grid, sl_vector_new(v, s->grid->local, semiring->result,
                                        sl_local_blocks_length(&s->own)));
    if (!semiring->result_is_index) {
        SL_TRY_LOCAL(s->grid, sl_vector_build(*v, s->vertex + first, NULL, count, NULL));
        return SL_OK;
    }
    index = sl_malloc((count + 1) * sizeof *index);
    sl_status status = index ? SL_OK : SL_NO_MEMORY;
    for (uint64_t k = 0; index && k < count; k++)
        index[k] = (int64_t)sl_global_index(&s->own, s->vertex[first + k]);
    if (status == SL_OK)
        status = sl_vector_new(&made, s->grid->local, SL_INT64, sl_local_blocks_length(&s->own));
    if (status == SL_OK)
        status = sl_vector_build(made, s->vertex + first, index, count, NULL);
    if (status == SL_OK)
        status = sl_vector_apply(*v, NULL, NULL,
                                 sl_unary_op_get(SL_UNARY_IDENTITY, semiring->result), made, NULL);
    sl_vector_free(made);
    sl_free(index);
    return status == SL_OK ? SL_OK : index ? sl_grid_local_failed(s->grid, status) : no_memory(s);
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
    const sl_type type = s->call->semiring->result;
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
                    .semiring = s->call->semiring,
                    .traversal = &traversal};
    return sl_grid_closure(&call);
}

/* ---- results ------------------------------------------------------------------------------------- */

static sl_status reserve(entries *e, const sources *s, uint64_t more)
{
    sl_tuples *t = &e->tuples;
    const uint64_t needed = t->count + more, room = needed > 2 * e->room ? needed : 2 * e->room;
    if (needed <= e->room)
        return SL_OK;
    void *rows = sl_realloc(t->rows, room * sizeof *t->rows);
    t->rows = rows ? rows : t->rows;
    void *cols = sl_realloc(t->cols, room * sizeof *t->cols);
    t->cols = cols ? cols : t->cols;
    void *values = sl_realloc(t->values, room * sl_type_size(t->type));
    t->values = values ? values : t->values;
    e->room = rows && cols && values ? room : e->room;
    return e->room == room ? SL_OK : no_memory(s);
}

/* Appends the entries of a vector as those of a search. Not collective. */
static sl_status append(entries *e, const sources *s, uint64_t search, const sl_object *v)
{
    sl_tuples t;
    SL_TRY(sl_tuples_of(&t, s->grid, sl_grid_block(v)));
    const size_t size = sl_type_size(t.type);
    sl_status status = reserve(e, s, t.count);
    if (status == SL_OK && t.count > 0) {
        sl_tuples *to = &e->tuples;
        sl_indices_to_global(t.rows, t.count, &s->own);
        for (uint64_t k = 0; k < t.count; k++)
            to->rows[to->count + k] = search;
        memcpy(to->cols + to->count, t.rows, t.count * sizeof *t.rows);
        memcpy((char *)to->values + to->count * size, t.values, t.count * size);
        to->count += t.count;
    }
    sl_tuples_free(&t);
    return status;
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

static sl_status run(sources *s)
{
    sl_tuples received = {0};
    SL_TRY(send_frontiers(&received, s));
    sl_status status = sort_frontiers(s, &received);
    sl_tuples_free(&received);
    for (uint64_t search = 0; search < s->searches; search++) {
        if (status == SL_OK)
            status = open_search(s, search);
        SL_TRY(sl_grid_agree(s->grid, status));
        status = run_search(s); /* a failure may be that of this rank alone */
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
                 .values.tuples.type = call->semiring->result,
                 .levels.tuples.type = call->second_out ? call->second_out->type : SL_INT64};
    const sl_status status = run(&s);
    close_search(&s);
    sl_tuples_free(&s.values.tuples);
    sl_tuples_free(&s.levels.tuples);
    sl_free(s.begin);
    sl_free(s.vertex);
    return status;
}
