/*
 * The matrices that closures of several frontiers return. The first rows decide their form: arrays of
 * all places (bitmap) if searches reach more than half of all vertices, else compressed rows. Searches
 * have their results in the order of the graph's vertices; a thread takes a tile of vertices in the
 * caller's order, and writes it for all rows, so that what it reads stays in its cache.
 */
#include <string.h>

#include "openmp/closures_tiles.h"

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

static sl_status no_memory(const sl_closures_results *r)
{
    return sl_fail(r->ctx, SL_NO_MEMORY, "closures: out of memory");
}

/* ---- bitmap -------------------------------------------------------------------------------- */

/* to[k] = value k of row j of the group. */
#define STORE_ROW(T)                                                                               \
    static void store_row_##T(void *to, const sl_closures_group *g, unsigned j, uint64_t count)    \
    {                                                                                              \
        T *values = to;                                                                            \
        if (g->wide)                                                                               \
            for (uint64_t k = 0; k < count; k++)                                                   \
                values[k] = (T)g->of.value[k * SL_CLOSURE_GROUP + j];                              \
        else                                                                                       \
            for (uint64_t k = 0; k < count; k++)                                                   \
                values[k] = (T)g->of.narrow[k * SL_CLOSURE_GROUP + j];                             \
    }
STORE_ROW(bool)
STORE_ROW(int32_t)
STORE_ROW(int64_t)
#undef STORE_ROW

static void store_row(void *to, size_t size, const sl_closures_group *g, unsigned j, uint64_t count)
{
    if (size == sizeof(int64_t))
        store_row_int64_t(to, g, j, count);
    else if (size == sizeof(int32_t))
        store_row_int32_t(to, g, j, count);
    else
        store_row_bool(to, g, j, count);
}

static void write_places(const sl_closures_results *r, output *o, const sl_closures_tile *t)
{
    const uint64_t rows = t->found->count;
    sl_closures_group g;
    if (!o->object)
        return;
    for (uint64_t s = 0; s < rows; s++) {
        const uint64_t place = (t->found->first + s) * r->n + t->first;
        int8_t *present = o->present + place;
        if (s % SL_CLOSURE_GROUP == 0)
            sl_closures_read_group(&g, t, s, o == &r->pi);
        for (uint64_t k = 0; k < t->count; k++)
            present[k] = t->reached[k] >> s & 1;
        store_row(o->values + place * o->size, o->size, &g, s % SL_CLOSURE_GROUP, t->count);
    }
}

/* ---- compressed rows ----------------------------------------------------------------------- */

static void write_entries(const sl_closures_results *r, output *o, const sl_closures_tile *t,
                          const uint64_t *to)
{
    sl_closures_group g;
    if (!o->object)
        return;
    for (uint64_t s = 0; s < t->found->count; s++) {
        uint64_t *index = o->index + to[s], kept = 0;
        int64_t row[SL_CLOSURE_TILE];
        if (s % SL_CLOSURE_GROUP == 0)
            sl_closures_read_group(&g, t, s, o == &r->pi);
        store_row_int64_t(row, &g, s % SL_CLOSURE_GROUP, t->count);
        for (uint64_t k = 0; k < t->count; k++)
            if (t->reached[k] >> s & 1) {
                index[kept] = t->first + k;
                row[kept++] = row[k];
            }
        char *values = o->values + to[s] * o->size;
        for (uint64_t k = 0; k < kept; k++)
            if (o->size == sizeof(int64_t))
                ((int64_t *)values)[k] = row[k];
            else if (o->size == sizeof(int32_t))
                ((int32_t *)values)[k] = (int32_t)row[k];
            else
                ((bool *)values)[k] = row[k];
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

static sl_status choose_form(sl_closures_results *r, const sl_closures_call *c,
                             const sl_closures_found *found)
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
        sl_openmp_touch(o->present, r->rows * r->n, c->threads);
        sl_openmp_touch(o->values, r->rows * r->n * o->size, c->threads);
    }
    return SL_OK;
}

static sl_status add_rows(sl_closures_results *r, const sl_closures_call *c,
                          const sl_closures_found *found, const sl_closures_left_out *list,
                          uint64_t listed)
{
    const uint64_t tiles = (r->n + SL_CLOSURE_TILE - 1) / SL_CLOSURE_TILE;
    uint64_t *to = NULL;
    if (!r->dense && !(to = sl_calloc(tiles * SL_CLOSURE_ROWS + 1, sizeof *to)))
        return no_memory(r);
    if (!r->dense) {
#pragma omp parallel for num_threads(c->threads) schedule(static)
        for (uint64_t k = 0; k < tiles; k++) {
            sl_closures_tile t;
            sl_closures_open_tile(&t, c, found, k, list, listed);
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
#pragma omp parallel for num_threads(c->threads) schedule(static)
    for (uint64_t k = 0; k < tiles; k++) {
        sl_closures_tile t;
        sl_closures_open_tile(&t, c, found, k, list, listed);
        if (r->dense) {
            write_places(r, &r->pi, &t);
            write_places(r, &r->level, &t);
        } else {
            write_entries(r, &r->pi, &t, to + k * SL_CLOSURE_ROWS);
            write_entries(r, &r->level, &t, to + k * SL_CLOSURE_ROWS);
        }
    }
    for (uint64_t k = 0; r->dense && k < listed; k++)
        r->nvals += (uint64_t)__builtin_popcountll(list[k].rows);
    r->nvals += r->dense ? found->reached : 0;
    sl_free(to);
    return SL_OK;
}

sl_status sl_openmp_closures_add(sl_closures_results *r, const sl_closures_call *c,
                                 const sl_closures_found *found)
{
    sl_closures_left_out *list;
    uint64_t listed;
    sl_status status = r->begun ? SL_OK : choose_form(r, c, found);
    if (status == SL_OK && sl_closures_list_left_out(&list, &listed, c, found) != SL_OK)
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
