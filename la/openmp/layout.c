/*
 * The layout by degree (Kolganov, "The fastest and energy-efficient breadth-first search
 * algorithm on a single node", 2018, sections 2.1, 2.2 and 3.1): vertices without edges are
 * dropped, the others stand by falling degree, those of one degree in the caller's order,
 * and the neighbours of each likewise. The first neighbour is so the one most likely
 * reached, and what nearly all steps look at, the bits of hubs, is a few cache lines.
 */
#include <string.h>

#include "search.h"

/* ---- the order ------------------------------------------------------------------------ */

static uint64_t length(const sl_csr *rows, uint64_t v)
{
    return rows->start[v + 1] - rows->start[v];
}

/* The entries that row v will have. */
static uint64_t degree_of(const sl_csr *rows, const uint32_t *left, uint64_t v)
{
    return left ? left[v] : length(rows, v);
}

/* A vertex without out-edges may have in-edges: then it stands behind all that have some. */
static bool is_left_out(const sl_csr *rows, const sl_csr *in_rows, const uint32_t *left, uint64_t v)
{
    return degree_of(rows, left, v) == 0 && (left || length(in_rows, v) == 0);
}

/* Sorts by counting: at[d] is where the vertices of degree d go on. */
static uint64_t fill_order(sl_compact *order, const sl_csr *rows, const sl_csr *in_rows,
                           const uint32_t *left, uint64_t *at, uint64_t degrees)
{
    for (uint64_t v = 0; v < rows->nrows; v++)
        at[degree_of(rows, left, v)] += !is_left_out(rows, in_rows, left, v);
    uint64_t count = 0;
    for (uint64_t d = degrees; d-- > 0;) {
        uint64_t here = at[d];
        at[d] = count;
        count += here;
    }
    for (uint64_t v = 0; v < rows->nrows; v++) {
        order->place[v] = (uint32_t)count;
        if (is_left_out(rows, in_rows, left, v))
            continue;
        uint64_t k = at[degree_of(rows, left, v)]++;
        order->place[v] = (uint32_t)k;
        order->label[k] = (uint32_t)v;
    }
    return count;
}

static uint64_t longest(const sl_csr *rows)
{
    uint64_t most = 0;
    for (uint64_t v = 0; v < rows->nrows; v++)
        most = length(rows, v) > most ? length(rows, v) : most;
    return most;
}

sl_status sl_openmp_order_by_degree(sl_compact *order, sl_context *ctx, const sl_csr *rows,
                                    const sl_csr *in_rows, const uint32_t *left)
{
    uint64_t n = rows->nrows, degrees = longest(rows) + 1;
    uint64_t *at = sl_calloc(degrees, sizeof *at);
    order->label = sl_malloc(n * sizeof *order->label);
    order->place = sl_malloc(n * sizeof *order->place);
    sl_status status = SL_OK;
    if (at && order->label && order->place)
        order->count = fill_order(order, rows, in_rows, left, at, degrees);
    else
        status = sl_fail(ctx, SL_NO_MEMORY, "out of memory: an order of %zu vertices", (size_t)n);
    sl_free(at);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------- */

enum { FEW = 24, DIGIT = 8, DIGITS = 1 << DIGIT };

static void sort_few(uint32_t *ids, uint64_t count)
{
    for (uint64_t k = 1; k < count; k++) {
        uint32_t id = ids[k];
        uint64_t to = k;
        for (; to > 0 && ids[to - 1] > id; to--)
            ids[to] = ids[to - 1];
        ids[to] = id;
    }
}

/* One pass of a radix sort. */
static void sort_digit(uint32_t *to, const uint32_t *from, uint64_t count, unsigned shift)
{
    uint64_t at[DIGITS] = {0}, sum = 0;
    for (uint64_t k = 0; k < count; k++)
        at[from[k] >> shift & (DIGITS - 1)]++;
    for (unsigned d = 0; d < DIGITS; d++) {
        uint64_t here = at[d];
        at[d] = sum;
        sum += here;
    }
    for (uint64_t k = 0; k < count; k++)
        to[at[from[k] >> shift & (DIGITS - 1)]++] = from[k];
}

/* Ascending; ids are below `limit`, `other` has room for as many. */
static void sort_ids(uint32_t *ids, uint64_t count, uint64_t limit, uint32_t *other)
{
    if (count <= FEW) {
        sort_few(ids, count);
        return;
    }
    uint32_t *from = ids, *to = other;
    for (unsigned shift = 0; limit >> shift; shift += DIGIT) {
        sort_digit(to, from, count, shift);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != ids)
        memcpy(ids, from, count * sizeof *ids);
}

static void fill_row(sl_compact *made, const sl_csr *rows, const sl_compact *order, uint64_t k,
                     uint32_t *other)
{
    const uint64_t v = order->label[k];
    uint32_t *ids = made->index + made->start[k];
    uint64_t count = 0;
    for (uint64_t e = rows->start[v]; e < rows->start[v + 1]; e++) {
        const uint32_t id = order->place[rows->index[e]];
        if (id != order->count)
            ids[count++] = id;
    }
    sort_ids(ids, count, order->count, other);
    made->first[k] = count ? ids[0] : (uint32_t)order->count;
}

static void sum_degrees(sl_compact *made, const sl_csr *rows, const sl_compact *order,
                        const uint32_t *left)
{
    made->start[0] = 0;
    for (uint64_t k = 0; k < order->count; k++)
        made->start[k + 1] = made->start[k] + degree_of(rows, left, order->label[k]);
}

/* The pages of the arrays come to lie near the threads that write them first, which are all. */
static void fill_rows(sl_compact *made, const sl_csr *rows, const sl_compact *order,
                      uint32_t *others, uint64_t room, int threads)
{
    uint64_t n = order->count, longer = 0;
#pragma omp parallel num_threads(threads)
    {
        uint32_t *other = others + (uint64_t)omp_get_thread_num() * room;
#pragma omp for schedule(dynamic, 256) reduction(max : longer)
        for (uint64_t k = 0; k < n; k++) {
            fill_row(made, rows, order, k, other);
            if (made->start[k + 1] - made->start[k] > 1 && k >= longer)
                longer = k + 1;
        }
    }
    for (uint64_t k = n; k < search_words(n) * 64; k++)
        made->first[k] = (uint32_t)n;
    made->longer = longer;
}

/* ---- all of it ------------------------------------------------------------------------ */

sl_status sl_openmp_rows_by_degree(sl_compact *made, sl_context *ctx, const sl_csr *rows,
                                   const sl_compact *order, const uint32_t *left)
{
    uint64_t n = order->count, count = 0, room = longest(rows);
    int threads = sl_context_threads(ctx);
    uint32_t *others = sl_malloc((uint64_t)threads * room * sizeof *others);
    made->start = sl_malloc((n + 1) * sizeof *made->start);
    if (made->start) {
        sum_degrees(made, rows, order, left);
        count = made->start[n];
        made->index = sl_malloc(count * sizeof *made->index);
    }
    made->first = sl_malloc(search_words(n) * 64 * sizeof *made->first);
    sl_status status = SL_OK;
    if (others && made->index && made->first)
        fill_rows(made, rows, order, others, room, threads);
    else
        status = sl_fail(ctx, SL_NO_MEMORY, "out of memory: rows of %zu entries by degree",
                         (size_t)count);
    sl_free(others);
    return status;
}
