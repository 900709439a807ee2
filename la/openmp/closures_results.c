/*
 * The matrices that closures of several frontiers return. The first rows decide their form: arrays of
 * all places (bitmap) if searches reach more than half of all vertices, else compressed rows. Searches
 * have their results in the order of the graph's vertices; a thread takes a tile of vertices in the
 * caller's order, and writes it for all rows, so that what it reads stays in its cache.
 *
 * Frontiers may contain vertices that the graph leaves out, as they have no edges. They are kept in a
 * list, a word for each with a bit for each row, and merged with the vertices of a tile.
 */
#include <stdlib.h>
#include <string.h>

#include "closures.h"

enum { TILE = 256 };

/* A vertex without a number, in the frontiers of some rows. */
typedef struct {
    uint64_t vertex, rows; /* the caller's id; bit s: it is in row s */
} left_out;

/* One of the two matrices. */
typedef struct {
    sl_object *object;       /* NULL: not wanted */
    size_t size;             /* of a value */
    int8_t *present;         /* bitmap */
    char *values;            /* bitmap, or of the entries */
    uint64_t *start, *index; /* compressed rows */
} output;

struct sl_closures_results {
    sl_context *ctx;
    uint64_t rows, n; /* the shape */
    output pi, level;
    bool begun, dense;    /* the form is chosen, and is a bitmap */
    uint64_t nvals, room; /* entries; compressed rows: elements allocated */
    uint64_t *start;      /* [rows + 1] compressed rows: of both matrices */
};

/* A tile of vertices of the results that are added. */
typedef struct {
    const sl_closures_call *call;
    const sl_closures_found *found;
    uint64_t first, count;
    uint64_t reached[TILE]; /* bit s: by search s */
    uint32_t id[TILE];      /* of the graph */
} tile;

static sl_status no_memory(const sl_closures_results *r)
{
    return sl_fail(r->ctx, SL_NO_MEMORY, "closures: out of memory");
}

/* ---- vertices without numbers ------------------------------------------------------------- */

static int by_vertex(const void *a, const void *b)
{
    const uint64_t x = ((const left_out *)a)->vertex, y = ((const left_out *)b)->vertex;
    return (x > y) - (x < y);
}

/* Lists the vertices of the frontiers that the graph leaves out, in ascending order. *list is NULL if
 * there are none. */
static sl_status list_left_out(left_out **list, uint64_t *count, const sl_closures_call *c,
                               const sl_closures_found *found)
{
    const sl_csr *q = &c->q;
    uint64_t all = 0, kept = 0;
    *list = NULL;
    *count = 0;
    for (uint64_t e = q->start[found->first]; e < q->start[found->first + found->count]; e++)
        all += c->new_id && c->new_id[q->index[e]] >= c->n;
    if (all == 0)
        return SL_OK;
    left_out *made = sl_malloc(all * sizeof *made);
    if (!made)
        return SL_NO_MEMORY;
    for (uint64_t s = 0; s < found->count; s++)
        for (uint64_t e = q->start[found->first + s]; e < q->start[found->first + s + 1]; e++)
            if (c->new_id[q->index[e]] >= c->n)
                made[kept++] = (left_out){q->index[e], (uint64_t)1 << s};
    qsort(made, all, sizeof *made, by_vertex);
    kept = 0;
    for (uint64_t k = 1; k < all; k++)
        if (made[k].vertex == made[kept].vertex)
            made[kept].rows |= made[k].rows;
        else
            made[++kept] = made[k];
    *list = made;
    *count = kept + 1;
    return SL_OK;
}

static void add_left_out(tile *t, const left_out *list, uint64_t count)
{
    uint64_t from = 0, to = count;
    while (from < to) {
        const uint64_t middle = (from + to) / 2;
        if (list[middle].vertex < t->first)
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < count && list[from].vertex < t->first + t->count; from++)
        t->reached[list[from].vertex - t->first] = list[from].rows;
}

/* ---- tiles --------------------------------------------------------------------------------- */

static uint64_t reached_of(const sl_closures_found *f, uint64_t v)
{
    const uint32_t *level = f->level;
    uint64_t reached = 0;
    if (f->seen)
        return f->seen[v];
    for (uint64_t s = 0; s < f->count; s++)
        reached |= (uint64_t)(level[v * f->by_vertex + s * f->by_row] != SL_LEVEL_UNREACHED) << s;
    return reached;
}

static void open_tile(tile *t, const sl_closures_call *c, const sl_closures_found *found,
                      uint64_t number, const left_out *list, uint64_t list_count)
{
    const uint64_t n = c->A->object.nrows, first = number * TILE;
    t->call = c;
    t->found = found;
    t->first = first;
    t->count = n - first < TILE ? n - first : TILE;
    for (uint64_t k = 0; k < t->count; k++) {
        const uint64_t id = c->new_id ? c->new_id[first + k] : first + k;
        t->id[k] = (uint32_t)(id < c->n ? id : c->n);
        t->reached[k] = id < c->n ? reached_of(found, id) : 0;
    }
    if (list)
        add_left_out(t, list, list_count);
}

/* The values of a row of the tile, of vertices that the row's search has not reached 0. */
static inline __attribute__((always_inline)) void levels_of(uint32_t *to, const tile *t, uint64_t s,
                                                            const bool wide)
{
    const sl_closures_found *f = t->found;
    const uint64_t by_vertex = f->by_vertex, offset = s * f->by_row;
    for (uint64_t k = 0; k < t->count; k++) {
        const uint64_t at = t->id[k] * by_vertex + offset;
        const uint32_t level =
            wide ? ((const uint32_t *)f->level)[at] : ((const uint16_t *)f->level)[at];
        to[k] = t->reached[k] >> s & 1 ? level : 0;
    }
}

static void parents_of(uint32_t *to, const tile *t, uint64_t s)
{
    const sl_closures_found *f = t->found;
    const uint64_t n = t->call->n;
    for (uint64_t k = 0; k < t->count; k++) {
        const uint64_t v = t->id[k];
        to[k] = 0;
        if (t->reached[k] >> s & 1)
            to[k] = v == n && t->call->new_id ? (uint32_t)(t->first + k)
                                              : f->parent[v * f->by_vertex + s * f->by_row];
    }
}

static void values_of(uint32_t *to, const output *o, const sl_closures_results *r, const tile *t,
                      uint64_t s)
{
    if (o == &r->pi && t->found->parent)
        parents_of(to, t, s);
    else if (o == &r->pi)
        for (uint64_t k = 0; k < t->count; k++)
            to[k] = t->reached[k] >> s & 1;
    else if (t->found->wide)
        levels_of(to, t, s, true);
    else
        levels_of(to, t, s, false);
}

/* ---- bitmap -------------------------------------------------------------------------------- */

static void store(char *to, size_t size, const uint32_t *values, uint64_t count)
{
    if (size == sizeof(int64_t))
        for (uint64_t k = 0; k < count; k++)
            ((int64_t *)to)[k] = values[k];
    else if (size == sizeof(int32_t))
        memcpy(to, values, count * sizeof *values);
    else
        for (uint64_t k = 0; k < count; k++)
            ((bool *)to)[k] = values[k];
}

static void write_places(const sl_closures_results *r, output *o, const tile *t)
{
    if (!o->object)
        return;
    for (uint64_t s = 0; s < t->found->count; s++) {
        const uint64_t place = (t->found->first + s) * r->n + t->first;
        int8_t *present = o->present + place;
        uint32_t values[TILE];
        values_of(values, o, r, t, s);
        for (uint64_t k = 0; k < t->count; k++)
            present[k] = t->reached[k] >> s & 1;
        store(o->values + place * o->size, o->size, values, t->count);
    }
}

/* ---- compressed rows ----------------------------------------------------------------------- */

static void write_entries(const sl_closures_results *r, output *o, const tile *t,
                          const uint64_t *to)
{
    if (!o->object)
        return;
    for (uint64_t s = 0; s < t->found->count; s++) {
        uint64_t at = to[s], kept = 0;
        uint32_t values[TILE];
        values_of(values, o, r, t, s);
        for (uint64_t k = 0; k < t->count; k++)
            if (t->reached[k] >> s & 1) {
                o->index[at + kept] = t->first + k;
                values[kept++] = values[k];
            }
        store(o->values + at * o->size, o->size, values, kept);
    }
}

static sl_status make_room(sl_closures_results *r)
{
    output *const outputs[] = {&r->pi, &r->level};
    if (r->nvals <= r->room)
        return SL_OK;
    const uint64_t room = r->nvals + r->room / 2;
    for (unsigned k = 0; k < 2; k++) {
        output *o = outputs[k];
        if (!o->object)
            continue;
        uint64_t *index = sl_realloc(o->index, room * sizeof *index);
        o->index = index ? index : o->index;
        char *values = index ? sl_realloc(o->values, room * o->size) : NULL;
        o->values = values ? values : o->values;
        if (!values)
            return no_memory(r);
    }
    r->room = room;
    return SL_OK;
}

/* Counts the entries of each tile and row, then sets `to` to where they begin. */
static void place_rows(sl_closures_results *r, uint64_t *to, uint64_t tiles, uint64_t first,
                       uint64_t count)
{
    uint64_t at = r->nvals;
    for (uint64_t s = 0; s < count; s++) {
        for (uint64_t k = 0; k < tiles; k++) {
            const uint64_t entries = to[k * SL_CLOSURE_ROWS + s];
            to[k * SL_CLOSURE_ROWS + s] = at;
            at += entries;
        }
        r->start[first + s + 1] = at;
    }
    r->nvals = at;
}

/* ---- adding rows ---------------------------------------------------------------------------- */

static sl_status choose_form(sl_closures_results *r, const sl_closures_found *found)
{
    output *const outputs[] = {&r->pi, &r->level};
    r->begun = true;
    r->dense = found->reached > found->count * r->n / 2;
    if (!r->dense) {
        r->start = sl_calloc(r->rows + 1, sizeof *r->start);
        return r->start ? SL_OK : no_memory(r);
    }
    for (unsigned k = 0; k < 2; k++) {
        output *o = outputs[k];
        if (!o->object)
            continue;
        o->present = sl_malloc(r->rows * r->n);
        o->values = sl_malloc(r->rows * r->n * o->size);
        if (!o->present || !o->values)
            return no_memory(r);
    }
    return SL_OK;
}

static sl_status add_rows(sl_closures_results *r, const sl_closures_call *c,
                          const sl_closures_found *found, const left_out *list, uint64_t listed)
{
    const uint64_t tiles = (r->n + TILE - 1) / TILE;
    uint64_t *to = NULL, reached = 0;
    if (!r->dense && !(to = sl_calloc(tiles * SL_CLOSURE_ROWS + 1, sizeof *to)))
        return no_memory(r);
    if (!r->dense) {
#pragma omp parallel for num_threads(c->threads) schedule(static)
        for (uint64_t k = 0; k < tiles; k++) {
            tile t;
            open_tile(&t, c, found, k, list, listed);
            for (uint64_t v = 0; v < t.count; v++)
                for (uint64_t bits = t.reached[v]; bits; bits &= bits - 1)
                    to[k * SL_CLOSURE_ROWS + (unsigned)__builtin_ctzll(bits)]++;
        }
        place_rows(r, to, tiles, found->first, found->count);
        const sl_status status = make_room(r);
        if (status != SL_OK) {
            sl_free(to);
            return status;
        }
    }
#pragma omp parallel for num_threads(c->threads) schedule(static) reduction(+ : reached)
    for (uint64_t k = 0; k < tiles; k++) {
        tile t;
        open_tile(&t, c, found, k, list, listed);
        for (uint64_t v = 0; v < t.count; v++)
            reached += (uint64_t)__builtin_popcountll(t.reached[v]);
        if (r->dense) {
            write_places(r, &r->pi, &t);
            write_places(r, &r->level, &t);
        } else {
            write_entries(r, &r->pi, &t, to + k * SL_CLOSURE_ROWS);
            write_entries(r, &r->level, &t, to + k * SL_CLOSURE_ROWS);
        }
    }
    if (r->dense)
        r->nvals += reached;
    sl_free(to);
    return SL_OK;
}

sl_status sl_openmp_closures_add(sl_closures_results *r, const sl_closures_call *c,
                                 const sl_closures_found *found)
{
    left_out *list;
    uint64_t listed;
    sl_status status = r->begun ? SL_OK : choose_form(r, found);
    if (status == SL_OK && list_left_out(&list, &listed, c, found) != SL_OK)
        return no_memory(r);
    if (status != SL_OK)
        return status;
    status = add_rows(r, c, found, list, listed);
    sl_free(list);
    return status;
}

/* ---- opening and closing --------------------------------------------------------------------- */

sl_status sl_openmp_closures_open(sl_closures_results **results, const sl_call *call)
{
    sl_closures_results *r = *results = sl_calloc(1, sizeof *r);
    if (!r)
        return sl_fail(call->ctx, SL_NO_MEMORY, "closures: out of memory");
    r->ctx = call->ctx;
    r->rows = call->b->nrows;
    r->n = call->b->ncols;
    r->pi.object = call->out;
    r->level.object = call->second_out;
    r->pi.size = call->out ? sl_type_size(call->out->type) : 0;
    r->level.size = call->second_out ? sl_type_size(call->second_out->type) : 0;
    return SL_OK;
}

static sl_status install_bitmap(sl_closures_results *r, output *o)
{
    sl_bitmap arrays = {
        .size = r->rows * r->n, .present = o->present, .values = o->values, .nvals = r->nvals};
    o->present = NULL;
    o->values = NULL;
    return sl_store_host.close(&arrays, o->object, sl_handle(o->object, &sl_store_host));
}

static sl_status install_rows(sl_closures_results *r, output *o, uint64_t *start)
{
    sl_csr rows = {.nrows = r->rows,
                   .ncols = r->n,
                   .type = o->object->type,
                   .start = start,
                   .index = o->index,
                   .values = o->values};
    void *handle, *old = sl_handle(o->object, &sl_store_host);
    o->index = NULL;
    o->values = NULL;
    const sl_status status = sl_store_host.import_arrays(&handle, o->object, &rows);
    if (status == SL_OK) {
        o->object->held[sl_store_host.slot] = handle;
        sl_store_host.release(o->object, old);
    }
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    return status;
}

/* Both matrices have the same row starts; each owns a copy. */
static sl_status install_all_rows(sl_closures_results *r)
{
    uint64_t *start = r->start, *copy = NULL;
    if (r->pi.object && r->level.object) {
        copy = sl_malloc((r->rows + 1) * sizeof *copy);
        if (!copy)
            return no_memory(r);
        memcpy(copy, start, (r->rows + 1) * sizeof *copy);
    }
    r->start = NULL;
    sl_status status = SL_OK;
    if (r->pi.object)
        status = install_rows(r, &r->pi, start);
    if (r->level.object && status == SL_OK)
        status = install_rows(r, &r->level, copy ? copy : start);
    else
        sl_free(copy);
    return status;
}

sl_status sl_openmp_closures_close(sl_closures_results *r)
{
    sl_status status = SL_OK;
    if (!r->begun) /* no row */
        return SL_OK;
    if (!r->dense) {
        if (r->nvals > 0)
            return install_all_rows(r);
        return SL_OK;
    }
    if (r->pi.object)
        status = install_bitmap(r, &r->pi);
    if (r->level.object && status == SL_OK)
        status = install_bitmap(r, &r->level);
    return status;
}

void sl_openmp_closures_free(sl_closures_results *r)
{
    if (!r)
        return;
    sl_free(r->pi.present);
    sl_free(r->pi.values);
    sl_free(r->pi.index);
    sl_free(r->level.present);
    sl_free(r->level.values);
    sl_free(r->level.index);
    sl_free(r->start);
    sl_free(r);
}
