/*
 * Parents are fetched when the search is over (Bisson et al. 2014, section 3; Satish et al.,
 * SC 2012). Of what a push found the owner knows the grid column that did, and asks it; what
 * a pull found somewhere else nobody but the finder knows of, and that tells the owner. A
 * vertex that has one in-edge has been found by that: its owner knows the other end.
 */
#include "search_state.h"

#include <string.h>

static inline void name_source(const search *s, uint64_t target)
{
    s->via[target] = sl_blocks_number(s->g, s->via[target]);
}

void search_name_sources(const search *s, uint32_t m, const sl_ids *ids)
{
    const uint64_t first = m * s->g->stride;
    for (uint64_t k = 0; ids->list && k < ids->count; k++)
        name_source(s, first + ids->list[k]);
    for (uint64_t w = 0; !ids->list && w < s->g->words; w++)
        for (uint64_t left = ids->bits[w]; left; left &= left - 1)
            name_source(s, first + 64 * w + (uint64_t)__builtin_ctzll(left));
}

/* True if v's parent has to be known from the column that found it. */
static inline bool to_fetch(const search *s, const uint64_t *single, uint64_t v)
{
    return s->finder[v] != NO_FINDER && !sl_bit_test(single, v);
}

/* This rank's vertices by the column that found them: those of column c are list[start[c]]
 * to list[start[c + 1] - 1], ascending. */
static void sort_by_finder(const search *s, uint32_t *list, uint64_t *start)
{
    const uint64_t *single = block_bits(s, s->g->single, s->j);
    memset(start, 0, (s->cols + 1) * sizeof *start);
    for (uint64_t v = 0; v < s->g->linked; v++)
        if (to_fetch(s, single, v))
            start[s->finder[v] + 1]++;
    for (uint32_t c = 0; c < s->cols; c++)
        start[c + 1] += start[c];
    for (uint64_t v = 0; v < s->g->linked; v++)
        if (to_fetch(s, single, v))
            list[start[s->finder[v]]++] = (uint32_t)v;
    memmove(start + 1, start, s->cols * sizeof *start);
    start[0] = 0;
}

/* Asks `to` for the parents that it found, and answers `from`. */
static void ask(search *s, uint32_t to, uint32_t from, uint32_t *mine, uint64_t count)
{
    const uint64_t stride = s->g->stride, own = s->j * stride;
    sl_ids wish = {.limit = stride, .count = count, .list = mine, .sorted = true};
    sl_ids asked = {.limit = stride, .list = s->list, .sorted = true};
    sl_arrival arrival;
    if (!sl_exchange_swap(&s->asked, (int)to, &wish, NULL, (int)from, &arrival))
        return;
    asked.count = sl_exchange_list(&s->asked, &arrival, s->list);
    search_name_sources(s, from, &asked);
    sl_exchange_swap_values(&s->asked, (int)from, &asked, s->via + from * stride, (int)to,
                            s->values, count);
    for (uint64_t k = 0; k < count; k++)
        s->via[own + mine[k]] = s->values[k];
}

/* Tells `to` what pulls found here in its block, and is told by `from`. */
static void tell(search *s, uint32_t to, uint32_t from)
{
    const uint64_t stride = s->g->stride, own = s->j * stride;
    const uint64_t *claimed = block_bits(s, s->claims, to);
    const uint64_t *single = block_bits(s, s->g->single, to);
    for (uint64_t w = 0; w < s->g->words; w++)
        s->missing[w] = claimed[w] & ~single[w];
    sl_ids claims = {.limit = stride, .bits = s->missing};
    sl_arrival arrival;
    claims.count = sl_bits_count(claims.bits, s->g->words);
    search_name_sources(s, to, &claims);
    if (!sl_exchange_swap(&s->told, (int)to, &claims, s->via + to * stride, (int)from, &arrival))
        return;
    uint64_t count = sl_exchange_list(&s->told, &arrival, s->list);
    sl_exchange_values(&s->told, &arrival, s->values);
    for (uint64_t k = 0; k < count; k++) {
        s->finder[s->list[k]] = from;
        s->via[own + s->list[k]] = s->values[k];
    }
}

/* In a circle: first with the neighbours, then with those two away, ... (Mitsuishi et al.
 * 2016, section 5.3), so that no rank is everyone's at once. */
static void fetch(search *s)
{
    uint32_t *list = s->found; /* the search is over; it has room for all */
    uint64_t *start = s->found_in;
    sort_by_finder(s, list, start);
    for (uint32_t step = 1; step < s->cols; step++) {
        uint32_t to = (s->j + step) % s->cols, from = (s->j + s->cols - step) % s->cols;
        ask(s, to, from, list + start[to], start[to + 1] - start[to]);
    }
    for (uint32_t step = 1; step < s->cols; step++)
        tell(s, (s->j + step) % s->cols, (s->j + s->cols - step) % s->cols);
}

void search_fetch_parents(search *s)
{
    if (s->defers && s->cols > 1)
        fetch(s);
    if (s->status != SL_OK)
        return;
    const uint64_t own = s->j * s->g->stride;
    const uint64_t *single = block_bits(s, s->g->single, s->j);
    const uint32_t *offset = sl_blocks_own_offsets(s->g);
    const sl_integers parent = s->task->parent;
#pragma omp parallel for num_threads(s->task->threads) if (s->g->linked > SERIAL_EDGES)
    for (uint64_t v = 0; v < s->g->linked; v++) {
        const uint32_t finder = s->finder[v], via = s->via[own + v];
        if (sl_bit_test(s->task->reached, offset[v]))
            sl_put_integer(
                parent, offset[v],
                sl_bit_test(single, v)
                    ? (int64_t)s->g->neighbour[v]
                    : (int64_t)sl_blocks_vertex(
                          s->g, finder, finder == s->j ? sl_blocks_number(s->g, via) : via));
    }
}
