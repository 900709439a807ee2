/*
 * Degree order (Kolganov, "The fastest and energy-efficient breadth-first search algorithm on a
 * single node", 2018, sections 2.1, 2.2 and 3.1). Vertices without edges are left out; the others
 * follow falling degree, vertices of equal degree the caller's order; neighbours are sorted
 * likewise. So the first neighbour of a vertex is the one most likely visited, and the frontier
 * bits of hubs, which most tests read, are in a few cache lines. O(entries) time.
 */
#include <omp.h>

#include "openmp/reorder.h"

/* ---- order ---------------------------------------------------------------------------- */

static uint64_t length(const sl_csr *rows, uint64_t v)
{
    return rows->start[v + 1] - rows->start[v];
}

/* The length of row v after pruning. */
static uint64_t degree_of(const sl_csr *rows, const uint32_t *degree_left, uint64_t v)
{
    return degree_left ? degree_left[v] : length(rows, v);
}

/* A vertex without edges is left out. One with in-edges alone follows all that have out-edges. */
static bool is_left_out(const sl_csr *rows, const sl_csr *in_rows, const uint32_t *degree_left,
                        uint64_t v)
{
    return degree_of(rows, degree_left, v) == 0 && (degree_left || length(in_rows, v) == 0);
}

/* Counting sort: at[d] is the new id of the next vertex of degree d. Returns the number of ids. */
static uint64_t fill_order(sl_openmp_graph *order, const sl_csr *rows, const sl_csr *in_rows,
                           const uint32_t *degree_left, uint64_t *at, uint64_t degrees)
{
    for (uint64_t v = 0; v < rows->nrows; v++)
        at[degree_of(rows, degree_left, v)] += !is_left_out(rows, in_rows, degree_left, v);
    uint64_t count = 0;
    for (uint64_t d = degrees; d-- > 0;) {
        uint64_t here = at[d];
        at[d] = count;
        count += here;
    }
    for (uint64_t v = 0; v < rows->nrows; v++) {
        order->new_id[v] = (uint32_t)count;
        if (is_left_out(rows, in_rows, degree_left, v))
            continue;
        uint64_t k = at[degree_of(rows, degree_left, v)]++;
        order->new_id[v] = (uint32_t)k;
        order->old_id[k] = (uint32_t)v;
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

sl_status sl_openmp_order_by_degree(sl_openmp_graph *order, sl_context *ctx, const sl_csr *rows,
                                    const sl_csr *in_rows, const uint32_t *degree_left)
{
    uint64_t n = rows->nrows, degrees = longest(rows) + 1;
    uint64_t *at = sl_calloc(degrees, sizeof *at);
    order->old_id = sl_malloc(n * sizeof *order->old_id);
    order->new_id = sl_malloc(n * sizeof *order->new_id);
    sl_status status = SL_OK;
    if (at && order->old_id && order->new_id)
        order->count = fill_order(order, rows, in_rows, degree_left, at, degrees);
    else
        status = sl_fail(ctx, SL_NO_MEMORY,
                         "matrix_optimize: out of memory for an order of %zu vertices", (size_t)n);
    sl_free(at);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------- */

static void fill_row(sl_openmp_graph *made, const sl_csr *rows, const sl_openmp_graph *order,
                     uint64_t k, uint32_t *other)
{
    const uint64_t v = order->old_id[k];
    uint32_t *ids = made->index + made->start[k];
    uint64_t count = 0;
    for (uint64_t e = rows->start[v]; e < rows->start[v + 1]; e++) {
        const uint32_t id = order->new_id[rows->index[e]];
        if (id != order->count)
            ids[count++] = id;
    }
    sl_sort_ids(ids, count, order->count, other);
    made->ell[k] = count ? ids[0] : (uint32_t)order->count;
}

static void sum_degrees(sl_openmp_graph *made, const sl_csr *rows, const sl_openmp_graph *order,
                        const uint32_t *degree_left)
{
    made->start[0] = 0;
    for (uint64_t k = 0; k < order->count; k++)
        made->start[k + 1] = made->start[k] + degree_of(rows, degree_left, order->old_id[k]);
}

/* Fills all rows. Each page is first written by the thread that fills it, so that it is near it. */
static void fill_rows(sl_openmp_graph *made, const sl_csr *rows, const sl_openmp_graph *order,
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
        made->ell[k] = (uint32_t)n;
    made->ell_only = longer;
}

/* ---- the graph ------------------------------------------------------------------------ */

sl_status sl_openmp_rows_by_degree(sl_openmp_graph *made, sl_context *ctx, const sl_csr *rows,
                                   const sl_openmp_graph *order, const uint32_t *degree_left)
{
    uint64_t n = order->count, count = 0, room = longest(rows);
    int threads = sl_context_threads(ctx);
    uint32_t *others = sl_malloc((uint64_t)threads * room * sizeof *others);
    made->start = sl_malloc((n + 1) * sizeof *made->start);
    if (made->start) {
        sum_degrees(made, rows, order, degree_left);
        count = made->start[n];
        made->index = sl_malloc(count * sizeof *made->index);
    }
    made->ell = sl_malloc(search_words(n) * 64 * sizeof *made->ell);
    sl_status status = SL_OK;
    if (others && made->index && made->ell)
        fill_rows(made, rows, order, others, room, threads);
    else
        status = sl_fail(ctx, SL_NO_MEMORY,
                         "matrix_optimize: out of memory for %zu entries in degree order",
                         (size_t)count);
    sl_free(others);
    return status;
}
