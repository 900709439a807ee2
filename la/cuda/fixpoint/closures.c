/*
 * The operation `closures`: up to 64 searches at once (closures_levels.cu), and the matrices that they
 * return, in compressed rows (closures_results.cu). A level is pushed from a list of its vertices if it
 * has few edges and no long row, many such levels in one launch; else it is pulled by all vertices.
 * Parents are chosen after the searches, from the levels.
 *
 * Memory: 32 bytes for each vertex, and 4 or 8 for each vertex and search; a batch has fewer searches
 * where the device has less memory. Results of several batches are arrays that double in length.
 */
#include <math.h>

#include <semla/switches.h>

#include "cuda/fixpoint/closures_kernels.h"
#include "cuda/fixpoint/fixpoint_tuning.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/reorder/reordered_graph.h"

/* The entries of the results, in the scratch. */
typedef struct {
    uint64_t nnz, room; /* in use, allocated */
    uint32_t *index;
    void *levels, *parents; /* or NULL */
} closure_entries;

/* The operation in progress. Device memory belongs to the scratch. */
typedef struct {
    cuda_scratch s;
    closure_params p;
    closure_state state; /* as last fetched */
    uint64_t limit;      /* edges of a level from which on it is pulled */
    bool wants_levels, wants_parents;
    cuda_choice choice;
    uint32_t *long_rows; /* NULL: they are not known */
    uint32_t long_count;
    uint64_t *counts, tiles; /* of the results: [rows of a batch][tiles] */
    uint64_t *start;         /* of the results */
    closure_entries entries;
} cuda_closures;

static sl_status fetch(cuda_closures *c, const char *what)
{
    return sl_cuda_fetch(c->s.call->ctx, what, &c->state, c->p.state, sizeof c->state);
}

/* ---- memory --------------------------------------------------------------------------- */

/* The rows that the kernels read: those of the reordered graph, if it has all of them and is on the
 * device, else the matrix's own. */
static void choose_rows(cuda_closures *c, const sl_matrix *transposed, bool reorder)
{
    const sl_call *call = c->s.call;
    const cuda_matrix *A = cuda_matrix_of(call->a), *At = cuda_matrix_of(&transposed->object);
    const cuda_reordered_graph *reordered = cuda_reordered_of(A);
    closure_params *p = &c->p;
    p->n = p->old_n = call->a->nrows;
    p->out = (closure_rows){A->start, A->index};
    p->in = (closure_rows){At->start, At->index};
    if (reorder && A == At && reordered && reordered->order && !reordered->pinned &&
        !sl_cuda_is_pruned(reordered)) {
        const cuda_graph *g = &reordered->view;
        p->n = g->n;
        p->narrow = !g->wide;
        p->out = p->in = (closure_rows){g->start, g->index};
        p->old_id = g->old_id;
        p->new_id = g->new_id;
    }
}

/* Searches of a batch: at most 64, such that the arrays fit in the free memory. */
static void choose_batch(cuda_closures *c)
{
    closure_params *p = &c->p;
    const uint64_t rows = c->s.call->b->nrows, numbers = c->wants_parents ? 2 : 1,
                   vertex_bytes = 4 * sizeof(closure_word) + 2 * sizeof(uint32_t),
                   left = sl_cuda_free_bytes();
    p->stride = rows < 64 ? (unsigned)rows : 64;
    while (p->stride > 1 &&
           p->old_n * (vertex_bytes + numbers * p->stride * sizeof(uint32_t)) > left / 2)
        p->stride = (p->stride + 1) / 2;
}

static sl_status allocate(cuda_closures *c)
{
    closure_params *p = &c->p;
    cuda_scratch *s = &c->s;
    const uint64_t words = p->n * sizeof *p->seen, numbers = p->n * p->stride * sizeof *p->level;
    CUDA_TRY(sl_cuda_scratch_take(s, &p->seen, words));
    for (int k = 0; k < 2; k++) {
        CUDA_TRY(sl_cuda_scratch_take(s, &p->words[k], words));
        CUDA_TRY(sl_cuda_scratch_take(s, &p->list[k], p->n * sizeof *p->list[k]));
    }
    if (p->new_id)
        CUDA_TRY(sl_cuda_scratch_take(s, &p->own, p->old_n * sizeof *p->own));
    if (c->wants_levels || c->wants_parents)
        CUDA_TRY(sl_cuda_scratch_take(s, &p->level, numbers));
    if (c->wants_parents)
        CUDA_TRY(sl_cuda_scratch_take(s, &p->parent, numbers));
    CUDA_TRY(sl_cuda_scratch_take(s, &c->counts, c->tiles * p->stride * sizeof *c->counts));
    CUDA_TRY(sl_cuda_scratch_take(s, &c->start, (s->call->b->nrows + 1) * sizeof *c->start));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, c->start, (s->call->b->nrows + 1) * sizeof *c->start));
    return sl_cuda_scratch_take(s, &p->state, sizeof *p->state);
}

static sl_status prepare(cuda_closures *c)
{
    const sl_call *call = c->s.call;
    closure_params *p = &c->p;
    const uint64_t entries = cuda_matrix_of(call->a)->nnz;
    sl_matrix *At;
    sl_switches on;
    CUDA_TRY(sl_switches_read(&on, call->ctx));
    CUDA_TRY(sl_matrix_transpose_pattern(&At, (sl_matrix *)call->a, true));
    CUDA_TRY(sl_object_migrate(&At->object, &sl_store_cuda));
    choose_rows(c, At, !sl_switched(on.off, SL_SWITCH_NOREORDER));
    const uint64_t share = entries / PUSHED_SHARE;
    c->limit =
        (uint64_t)fmin(on.weight * (double)(share > LISTED_EDGES ? share : LISTED_EDGES), 0x1p62);
    for (p->group = 4; p->group < 32 && p->group * p->n < entries;)
        p->group *= 2;
    p->long_row = PUSHED_LONG_ROW * p->group;
    c->tiles = (p->old_n + CLOSURE_TILE - 1) / CLOSURE_TILE;
    choose_batch(c);
    return allocate(c);
}

/* ---- the levels of a batch -------------------------------------------------------------- */

/* Finds the long rows, once. */
static sl_status find_long_rows(cuda_closures *c)
{
    uint32_t *count = &c->p.state->size[0].members; /* on the device */
    if (c->long_rows)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&c->s, &c->long_rows, (c->p.n + 1) * sizeof *c->long_rows));
    CUDA_TRY(sl_cuda_zero(c->s.call->ctx, c->p.state, sizeof *c->p.state));
    CUDA_TRY(cuda_launched(&c->s, "kernel list_long_rows",
                           sl_cuda_closures_list_long_rows(&c->p, c->long_rows, count)));
    CUDA_TRY(fetch(c, "kernel list_long_rows"));
    c->long_count = c->state.size[0].members;
    return SL_OK;
}

/* Lists the vertices of a level that was pulled or begun, and fetches its size. */
static sl_status list_level(cuda_closures *c, uint32_t level)
{
    CUDA_TRY(sl_cuda_zero(c->s.call->ctx, c->p.state, sizeof *c->p.state));
    CUDA_TRY(cuda_launched(&c->s, "kernel list_level", sl_cuda_closures_list(&c->p, level)));
    return fetch(c, "kernel list_level");
}

/* Level 0, which is listed. */
static sl_status begin(cuda_closures *c, uint64_t first)
{
    closure_params *p = &c->p;
    sl_context *ctx = c->s.call->ctx;
    const cuda_matrix *q = cuda_matrix_of(c->s.call->b);
    const uint64_t words = p->n * sizeof *p->seen;
    for (int k = 0; k < 2; k++)
        CUDA_TRY(sl_cuda_zero(ctx, p->words[k], words));
    if (p->own)
        CUDA_TRY(sl_cuda_zero(ctx, p->own, p->old_n * sizeof *p->own));
    if (p->level)
        CUDA_TRY(cuda_launched(
            &c->s, "fill of levels",
            cudaMemsetAsync(p->level, 0xff, p->n * p->stride * sizeof *p->level, cuda_stream())));
    CUDA_TRY(cuda_launched(&c->s, "kernel mark_frontiers",
                           sl_cuda_closures_begin(p, q->start, q->index, first)));
    CUDA_TRY(sl_cuda_copy(ctx, p->seen, p->words[0], words));
    return list_level(c, 0);
}

/* Pulls the level after `level`; *listed: its vertices are listed. */
static sl_status pull(cuda_closures *c, uint32_t level, bool *listed)
{
    closure_params *p = &c->p;
    sl_context *ctx = c->s.call->ctx;
    const closure_word live = c->state.size[level % 2].live;
    CUDA_TRY(find_long_rows(c));
    CUDA_TRY(sl_cuda_zero(ctx, p->state, sizeof *p->state));
    CUDA_TRY(cuda_launched(&c->s, "kernel pull_level",
                           sl_cuda_closures_pull(p, level + 1, live, c->long_rows, c->long_count)));
    CUDA_TRY(sl_cuda_zero(ctx, p->words[level % 2], p->n * sizeof *p->seen));
    *listed = false;
    return fetch(c, "kernel pull_level");
}

/* Pushes from `level`, and on; *level is the last level that was found. */
static sl_status push(cuda_closures *c, uint32_t *level, uint32_t last, bool *listed)
{
    closure_params *p = &c->p;
    if (!*listed)
        CUDA_TRY(list_level(c, *level));
    *listed = true;
    CUDA_TRY(cuda_launched(&c->s, "kernel push_levels",
                           sl_cuda_closures_push(p, *level, LISTED_LEVELS, last, c->limit)));
    CUDA_TRY(fetch(c, "kernel push_levels"));
    *level = c->state.level;
    return SL_OK;
}

static sl_status search(cuda_closures *c, uint64_t first)
{
    const uint64_t most = c->s.call->count;
    const uint32_t last = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    bool listed = true;
    CUDA_TRY(begin(c, first));
    for (uint32_t level = 0; c->state.size[level % 2].members > 0 && level < last;) {
        const closure_level *now = &c->state.size[level % 2];
        CUDA_TRY(sl_interrupted(c->s.call->ctx, "closures"));
        if (now->edges <= c->limit && !now->long_rows) {
            CUDA_TRY(push(c, &level, last, &listed));
        } else {
            CUDA_TRY(pull(c, level, &listed));
            level++;
        }
    }
    if (!c->wants_parents)
        return SL_OK;
    CUDA_TRY(sl_interrupted(c->s.call->ctx, "closures"));
    CUDA_TRY(find_long_rows(c));
    return cuda_launched(&c->s, "kernel choose_parents",
                         sl_cuda_closures_parents(&c->p, c->choice, c->long_rows, c->long_count));
}

/* ---- results ------------------------------------------------------------------------------ */

/* Gives an array of the results room for more elements of `size` bytes. */
static sl_status extend(cuda_closures *c, void *pointer_to_pointer, size_t size, uint64_t room)
{
    void **array = pointer_to_pointer, *old = *array;
    if (size == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&c->s, array, room * size));
    if (!old)
        return SL_OK;
    CUDA_TRY(sl_cuda_copy(c->s.call->ctx, *array, old, c->entries.nnz * size));
    sl_cuda_scratch_detach(&c->s, old);
    sl_cuda_free(old);
    return SL_OK;
}

static sl_status make_room(cuda_closures *c, uint64_t added)
{
    closure_entries *all = &c->entries;
    const sl_call *call = c->s.call;
    if (all->room > 0 && all->nnz + added <= all->room)
        return SL_OK;
    const uint64_t wanted = all->nnz + added,
                   room = wanted > 2 * all->room ? wanted : 2 * all->room;
    CUDA_TRY(extend(c, &all->index, sizeof *all->index, room));
    CUDA_TRY(
        extend(c, &all->levels, c->wants_levels ? sl_type_size(call->second_out->type) : 0, room));
    CUDA_TRY(extend(c, &all->parents, c->wants_parents ? sl_type_size(call->out->type) : 0, room));
    all->room = room;
    return SL_OK;
}

static cuda_integers integers_at(void *values, uint64_t at, const sl_object *object)
{
    return values ? (cuda_integers){(char *)values + at * sl_type_size(object->type),
                                    object->type == SL_INT32}
                  : (cuda_integers){0};
}

/* Adds the results of a batch of rows from number `first` on. */
static sl_status add_entries(cuda_closures *c, uint64_t first)
{
    const closure_params *p = &c->p;
    const sl_call *call = c->s.call;
    closure_entries *all = &c->entries;
    uint64_t added;
    CUDA_TRY(
        cuda_launched(&c->s, "kernel count_tiles", sl_cuda_closures_count(p, c->counts, c->tiles)));
    CUDA_TRY(sl_cuda_sum(&c->s, &added, c->counts, c->tiles * p->searches));
    CUDA_TRY(cuda_launched(
        &c->s, "kernel write_starts",
        sl_cuda_closures_starts(c->start + first, all->nnz, c->counts, c->tiles, p->searches)));
    CUDA_TRY(make_room(c, added));
    const cuda_integers levels = integers_at(all->levels, all->nnz, call->second_out),
                        parents = integers_at(all->parents, all->nnz, call->out);
    CUDA_TRY(cuda_launched(
        &c->s, "kernel write_tiles",
        sl_cuda_closures_write(p, c->counts, c->tiles, all->index + all->nnz, levels, parents)));
    all->nnz += added;
    return SL_OK;
}

/* Moves the rows to an object; arrays that another object has taken are copied. */
static sl_status install(cuda_closures *c, sl_object *object, void *values)
{
    sl_call *call = c->s.call, to = *call;
    const cuda_rows rows = {.type = object->type,
                            .nrows = object->nrows,
                            .nnz = c->entries.nnz,
                            .start = c->start,
                            .index = c->entries.index,
                            .values = values};
    to.out = object;
    c->s.call = &to;
    const sl_status status = sl_cuda_replace_rows(&c->s, &rows);
    c->s.call = call;
    return status;
}

static sl_status write_results(cuda_closures *c)
{
    const sl_call *call = c->s.call;
    if (call->out)
        CUDA_TRY(install(c, call->out, c->entries.parents));
    return call->second_out ? install(c, call->second_out, c->entries.levels) : SL_OK;
}

/* ---- the operation ------------------------------------------------------------------------ */

static sl_status closures(cuda_closures *c)
{
    const sl_call *call = c->s.call;
    const uint64_t rows = call->b->nrows;
    if (rows == 0 || call->b->ncols == 0)
        return SL_OK;
    CUDA_TRY(prepare(c));
    for (uint64_t first = 0; first < rows; first += c->p.searches) {
        c->p.searches = rows - first < c->p.stride ? (unsigned)(rows - first) : c->p.stride;
        CUDA_TRY(search(c, first));
        CUDA_TRY(add_entries(c, first));
    }
    return write_results(c);
}

sl_status sl_cuda_closures(sl_call *call)
{
    const sl_monoid_code add = call->operators.semiring->add->code;
    const bool parents = call->out && call->operators.semiring->result_is_index;
    cuda_closures c = {.s = {.call = call},
                       .wants_levels = call->second_out,
                       .wants_parents = parents,
                       .choice = add == SL_MONOID_MIN   ? CUDA_MIN
                                 : add == SL_MONOID_MAX ? CUDA_MAX
                                                        : CUDA_ANY};
    sl_status status = closures(&c);
    sl_cuda_scratch_release(&c.s);
    return status;
}
