/*
 * Tiles of vertices of the results of closures. Frontiers may contain vertices that the graph leaves out,
 * as they have no edges. They are kept in a list, a word for each with a bit for each row, and merged with
 * the vertices of a tile.
 */
#include <stdlib.h>

#include "openmp/closures_tiles.h"

/* ---- vertices without numbers ------------------------------------------------------------- */

static int by_vertex(const void *a, const void *b)
{
    const uint64_t x = ((const sl_closures_left_out *)a)->vertex,
                   y = ((const sl_closures_left_out *)b)->vertex;
    return (x > y) - (x < y);
}

sl_status sl_closures_list_left_out(sl_closures_left_out **list, uint64_t *count,
                                    const sl_closures_call *c, const sl_closures_found *found)
{
    const sl_csr *q = &c->q;
    uint64_t all = 0, kept = 0;
    *list = NULL;
    *count = 0;
    for (uint64_t e = q->start[found->first]; e < q->start[found->first + found->count]; e++)
        all += c->new_id && c->new_id[q->index[e]] >= c->n;
    if (all == 0)
        return SL_OK;
    sl_closures_left_out *made = sl_malloc(all * sizeof *made);
    if (!made)
        return SL_NO_MEMORY;
    for (uint64_t s = 0; s < found->count; s++)
        for (uint64_t e = q->start[found->first + s]; e < q->start[found->first + s + 1]; e++)
            if (c->new_id[q->index[e]] >= c->n)
                made[kept++] = (sl_closures_left_out){q->index[e], (uint64_t)1 << s};
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

static void add_left_out(sl_closures_tile *t, const sl_closures_left_out *list, uint64_t count)
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

void sl_closures_open_tile(sl_closures_tile *t, const sl_closures_call *c,
                           const sl_closures_found *found, uint64_t number,
                           const sl_closures_left_out *list, uint64_t list_count)
{
    const uint64_t n = c->A->object.nrows, first = number * SL_CLOSURE_TILE;
    t->call = c;
    t->found = found;
    t->first = first;
    t->count = n - first < SL_CLOSURE_TILE ? n - first : SL_CLOSURE_TILE;
    for (uint64_t k = 0; k < t->count; k++) {
        const uint64_t id = c->new_id ? c->new_id[first + k] : first + k;
        t->id[k] = (uint32_t)(id < c->n ? id : c->n);
        t->reached[k] = id < c->n ? reached_of(found, id) : 0;
    }
    if (list)
        add_left_out(t, list, list_count);
}

/* ---- values --------------------------------------------------------------------------------- */

typedef uint16_t lanes16 __attribute__((vector_size(SL_CLOSURE_GROUP * sizeof(uint16_t))));
typedef uint32_t lanes32 __attribute__((vector_size(SL_CLOSURE_GROUP / 2 * sizeof(uint32_t))));

static inline void copy_reached16(uint16_t *to, const uint16_t *from, unsigned reached)
{
    static const lanes16 bit = {1, 2, 4, 8, 16, 32, 64, 128};
    const lanes16 mask = (lanes16)((((lanes16){0} + (uint16_t)reached) & bit) == bit);
    *(lanes16 *)to = *(const lanes16 *)from & mask;
}

static inline void copy_reached32(uint32_t *to, const uint32_t *from, unsigned reached)
{
    static const lanes32 bit = {1, 2, 4, 8};
    for (unsigned half = 0; half < 2; half++) {
        const uint32_t bits = reached >> 4 * half & 15;
        const lanes32 mask = (lanes32)((((lanes32){0} + bits) & bit) == bit);
        ((lanes32 *)to)[half] = ((const lanes32 *)from)[half] & mask;
    }
}

/* Values of rows s to s + SL_CLOSURE_GROUP - 1 from arrays in which the searches of a vertex are side by side, with
 * room for whole groups. */
static void read_side_by_side(sl_closures_group *g, const sl_closures_tile *t, const void *from,
                              bool wide, uint64_t s)
{
    const uint64_t stride = t->found->by_vertex;
    g->wide = wide;
    for (uint64_t k = 0; k < t->count; k++) {
        const uint64_t at = t->id[k] * stride + s;
        const unsigned reached = t->reached[k] >> s & 0xff;
        if (wide)
            copy_reached32(g->of.value + k * SL_CLOSURE_GROUP, (const uint32_t *)from + at,
                           reached);
        else
            copy_reached16(g->of.narrow + k * SL_CLOSURE_GROUP, (const uint16_t *)from + at,
                           reached);
    }
}

/* The same from arrays of 32 bits in which the vertices of a search are side by side. */
static void read_by_row(sl_closures_group *g, const sl_closures_tile *t, const uint32_t *from,
                        uint64_t s)
{
    const sl_closures_found *f = t->found;
    g->wide = true;
    for (unsigned j = 0; j < SL_CLOSURE_GROUP && s + j < f->count; j++)
        for (uint64_t k = 0; k < t->count; k++)
            g->of.value[k * SL_CLOSURE_GROUP + j] =
                t->reached[k] >> (s + j) & 1 ? from[t->id[k] + (s + j) * f->by_row] : 0;
}

static void read_truth(sl_closures_group *g, const sl_closures_tile *t, uint64_t s)
{
    g->wide = false;
    for (uint64_t k = 0; k < t->count; k++)
        for (unsigned j = 0; j < SL_CLOSURE_GROUP; j++)
            g->of.narrow[k * SL_CLOSURE_GROUP + j] = t->reached[k] >> (s + j) & 1;
}

/* Vertices that the graph leaves out are their own parents. */
static void add_own_parents(sl_closures_group *g, const sl_closures_tile *t, uint64_t s)
{
    for (uint64_t k = 0; k < t->count; k++)
        for (unsigned j = 0;
             t->id[k] == t->call->n && j < SL_CLOSURE_GROUP && s + j < t->found->count; j++)
            g->of.value[k * SL_CLOSURE_GROUP + j] = (uint32_t)(t->first + k);
}

void sl_closures_read_group(sl_closures_group *g, const sl_closures_tile *t, uint64_t s,
                            bool parents)
{
    const sl_closures_found *f = t->found;
    if (parents && !f->parent)
        read_truth(g, t, s);
    else if (f->by_row == 1)
        read_side_by_side(g, t, parents ? f->parent : f->level, parents || f->wide, s);
    else
        read_by_row(g, t, parents ? f->parent : f->level, s);
    if (parents && f->parent && t->call->new_id)
        add_own_parents(g, t, s);
}
