/* The operands of a product over `any`, and its search before the level: the visited ids, the frontier, and the counts
 * by which a direction is chosen, in one pass over the bitmaps. */
#include <string.h>

#include <semla/flags.h>

#include "openmp/any_product.h"

sl_status sl_openmp_any_open(any_operand *o, const sl_object *object, bool as_arrays)
{
    o->is_list = !as_arrays && sl_openmp_is_list(object);
    const sl_status status =
        o->is_list ? sl_openmp_copy_list(&o->list, object) : sl_openmp_open(&o->arrays, object);
    o->object = status == SL_OK ? object : NULL;
    return status;
}

sl_status sl_openmp_any_close(any_operand *o)
{
    const sl_object *object = o->object;
    o->object = NULL;
    sl_arrays_free(&o->list);
    return object && !o->is_list ? sl_openmp_close(&o->arrays, object) : SL_OK;
}

/* The bits of a word's ids at whose indices a flag is set. */
static uint64_t flagged_ids(const search *s, const sl_bitmap *flags, uint64_t w)
{
    const uint64_t first = 64 * w, ids = s->graph.old_id ? s->graph.n : flags->size;
    const uint64_t count = ids - first < 64 ? ids - first : 64;
    uint64_t bits = 0;
    if (first >= ids)
        return 0;
    if (!s->graph.old_id)
        sl_pack_flags(&bits, flags->present + first, count);
    for (uint64_t k = 0; s->graph.old_id && k < count; k++)
        bits |= (uint64_t)flags->present[s->graph.old_id[first + k]] << k;
    return bits;
}

/* Sets bits to `flip` (0, or all ones), and exchanges them for the entries of a list. */
static void set_listed_bits(uint64_t *bits, const search *s, const any_operand *list, uint64_t flip)
{
    memset(bits, (int)(flip & 0xff), s->graph.words * sizeof *bits);
    for (uint64_t k = 0; list && k < list->list.nvals; k++) {
        const uint64_t id = new_id(s, list->list.rows[k]);
        if (id < s->graph.n)
            bits[id / 64] ^= (uint64_t)1 << id % 64;
    }
}

/* A list becomes the queue. Vertices without edges have no id. */
static void enqueue_list(search *s, const any_operand *list)
{
    for (uint64_t k = 0; k < list->list.nvals; k++) {
        const uint64_t id = new_id(s, list->list.rows[k]);
        s->queue[s->tail] = (uint32_t)id;
        s->tail += id < s->graph.n;
    }
}

/* Of the ids from 64 w on: the numbers that are no ids of results. */
static uint64_t outside(uint64_t ids, uint64_t w)
{
    return 64 * w >= ids ? ~(uint64_t)0 : ids - 64 * w >= 64 ? 0 : ~(uint64_t)0 << (ids - 64 * w);
}

void sl_openmp_any_begin(any_product *p)
{
    search *s = &p->s;
    const any_operand *u = &p->vector, *mask = p->call->mask == p->u ? &p->vector : &p->mask;
    const bool by_arrays = p->call->mask && !mask->is_list, in_bits = !u->is_list;
    const uint64_t flip = p->call->mask && !(p->call->flags & SL_COMPLEMENT) ? ~(uint64_t)0 : 0;
    const uint64_t ids = s->graph.old_id ? s->graph.n : p->call->out->nrows, words = s->graph.words;
    const bool shared = words > SL_SERIAL_EDGES / 64;
    uint64_t frontier_rows = 0, products = 0, rows = 0, edges = 0;
    if (!by_arrays)
        set_listed_bits(s->visited, s, p->call->mask ? mask : NULL, flip);
    if (!in_bits)
        enqueue_list(s, u);
#pragma omp parallel for num_threads(s->threads) reduction(+ : frontier_rows, products, rows, edges) if (shared)
    for (uint64_t w = 0; w < words; w++) {
        if (by_arrays)
            s->visited[w] = flagged_ids(s, &mask->arrays, w) ^ flip;
        s->visited[w] |= outside(ids, w);
        const uint64_t open = ~s->visited[w];
        if (s->graph.in_start)
            any_count_rows(&rows, &edges, s->graph.in_start, 64 * w, open);
        else
            rows += (uint64_t)__builtin_popcountll(open);
        if (in_bits)
            s->frontier[w] = flagged_ids(s, &u->arrays, w);
        if (p->counts_later)
            any_count_rows(&frontier_rows, &products, s->graph.start, 64 * w, s->frontier[w]);
    }
    s->in_bits = in_bits;
    s->plan.frontier = in_bits ? u->arrays.nvals : u->list.nvals;
    s->plan.push_edges = p->counts_later ? products : p->products;
    s->plan.unvisited = rows;
    s->plan.unvisited_edges = edges;
}
