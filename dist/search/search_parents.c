/*
 * Parents are fetched at the end of a search (Bisson et al. 2014, section 3; Satish et al., SC
 * 2012).
 *   - Of a vertex reached by a push, the owner knows the grid column and requests the parent there.
 *   - Of a vertex reached by a pull, only the rank that reached it knows; it reports the parent.
 *   - The parent of a vertex with a single in-edge is the source of that edge, known to its owner.
 * Each rank receives at most one parent for each of its own vertices.
 */
#include "dist/search/search_state.h"

#include <string.h>

static inline void translate_source(const search *s, uint64_t target)
{
    s->parents.source[target] = sl_local_graph_column_offset(s->g, s->parents.source[target]);
}

void search_translate_sources(const search *s, uint32_t m, const sl_ids *ids)
{
    const uint64_t first = m * s->g->stride;
    for (uint64_t k = 0; ids->list && k < ids->count; k++)
        translate_source(s, first + ids->list[k]);
    for (uint64_t w = 0; !ids->list && w < s->g->words; w++)
        for (uint64_t left = ids->bits[w]; left; left &= left - 1)
            translate_source(s, first + 64 * w + (uint64_t)__builtin_ctzll(left));
}

/* True if the parent of v is fetched from the column that reached it. */
static inline bool is_fetched(const search *s, const uint64_t *single_in_edge, uint64_t v)
{
    return s->parents.column[v] != NO_COLUMN && !sl_bit_test(single_in_edge, v);
}

/* Sorts this rank's vertices by the column that reached them: those of column c, ascending, are
 * list[start[c]] to list[start[c + 1] - 1]. */
static void sort_by_column(const search *s, uint32_t *list, uint64_t *start)
{
    const uint64_t *single_in_edge = block_bits(s, s->g->single_in_edge, s->place.j);
    memset(start, 0, (s->place.cols + 1) * sizeof *start);
    for (uint64_t v = 0; v < s->g->own_with_edges; v++)
        if (is_fetched(s, single_in_edge, v))
            start[s->parents.column[v] + 1]++;
    for (uint32_t c = 0; c < s->place.cols; c++)
        start[c + 1] += start[c];
    for (uint64_t v = 0; v < s->g->own_with_edges; v++)
        if (is_fetched(s, single_in_edge, v))
            list[start[s->parents.column[v]]++] = (uint32_t)v;
    memmove(start + 1, start, s->place.cols * sizeof *start);
    start[0] = 0;
}

/* Requests from column `to` the parents of the vertices that it reached; answers column `from`. */
static void request_parents(search *s, uint32_t to, uint32_t from, uint32_t *mine, uint64_t count)
{
    const uint64_t stride = s->g->stride, own = s->place.j * stride;
    sl_ids wish = {.limit = stride, .count = count, .list = mine, .sorted = true};
    sl_ids requests = {.limit = stride, .list = s->list, .sorted = true};
    sl_message arrival;
    if (!sl_exchange_swap(&s->messages.requests, (int)to, &wish, NULL, (int)from, &arrival))
        return;
    requests.count = sl_exchange_list(&s->messages.requests, &arrival, s->list);
    search_translate_sources(s, from, &requests);
    sl_exchange_swap_values(&s->messages.requests, (int)from, &requests,
                            s->parents.source + from * stride, (int)to, s->values, count);
    for (uint64_t k = 0; k < count; k++)
        s->parents.source[own + mine[k]] = s->values[k];
}

/* Reports to column `to` the parents that pulls found here in its block; receives from `from`. */
static void report_parents(search *s, uint32_t to, uint32_t from)
{
    const uint64_t stride = s->g->stride, own = s->place.j * stride;
    const uint64_t *claimed = block_bits(s, s->bits.pulled, to);
    const uint64_t *single_in_edge = block_bits(s, s->g->single_in_edge, to);
    for (uint64_t w = 0; w < s->g->words; w++)
        s->bits.missing[w] = claimed[w] & ~single_in_edge[w];
    sl_ids pulled = {.limit = stride, .bits = s->bits.missing};
    sl_message arrival;
    pulled.count = sl_bits_count(pulled.bits, s->g->words);
    search_translate_sources(s, to, &pulled);
    if (!sl_exchange_swap(&s->messages.reports, (int)to, &pulled, s->parents.source + to * stride,
                          (int)from, &arrival))
        return;
    uint64_t count = sl_exchange_list(&s->messages.reports, &arrival, s->list);
    sl_exchange_values(&s->messages.reports, &arrival, s->values);
    for (uint64_t k = 0; k < count; k++) {
        s->parents.column[s->list[k]] = from;
        s->parents.source[own + s->list[k]] = s->values[k];
    }
}

/* Exchanges in a ring: first with the neighbours, then with the ranks two away, and so on
 * (Mitsuishi et al. 2016, section 5.3), so that no rank is the peer of several at once. */
static void fetch(search *s)
{
    uint32_t *list = s->push_lists; /* free after the last level; has room for all vertices */
    uint64_t *start = s->push_counts;
    sort_by_column(s, list, start);
    for (uint32_t step = 1; step < s->place.cols; step++) {
        uint32_t to = (s->place.j + step) % s->place.cols,
                 from = (s->place.j + s->place.cols - step) % s->place.cols;
        request_parents(s, to, from, list + start[to], start[to + 1] - start[to]);
    }
    for (uint32_t step = 1; step < s->place.cols; step++)
        report_parents(s, (s->place.j + step) % s->place.cols,
                       (s->place.j + s->place.cols - step) % s->place.cols);
}

void search_fetch_parents(search *s)
{
    if (s->defers_parents && s->place.cols > 1)
        fetch(s);
    if (s->status != SL_OK)
        return;
    const uint64_t own = s->place.j * s->g->stride;
    const uint64_t *single_in_edge = block_bits(s, s->g->single_in_edge, s->place.j);
    const uint32_t *offset = sl_local_graph_own_offsets(s->g);
    const sl_integers parent = s->task->parent;
#pragma omp parallel for num_threads(s->task->threads) if (s->g->own_with_edges > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < s->g->own_with_edges; v++) {
        const uint32_t parent_column = s->parents.column[v],
                       parent_source = s->parents.source[own + v];
        if (sl_bit_test(s->task->reached, offset[v]))
            sl_integers_set(parent, offset[v],
                            sl_bit_test(single_in_edge, v)
                                ? (int64_t)s->g->single_parent[v]
                                : (int64_t)sl_local_graph_vertex(
                                      s->g, parent_column,
                                      parent_column == s->place.j
                                          ? sl_local_graph_column_offset(s->g, parent_source)
                                          : parent_source));
    }
}
