/*
 * Cluster order: an order of the vertices of graphs of short rows (grids, roads) in which
 * neighbours are near (Kolganov 2018, section 2.3). Clusters of 256 vertices are grown breadth
 * first, each from the border of those before. O(entries) time.
 */
#include "openmp/reorder.h"

enum {
    CLUSTER = 256,        /* vertices of a cluster: their rows and results are on a few pages */
    FEWEST = 1 << 16,     /* smaller graphs fit the cache */
    MOST_PER_VERTEX = 8,  /* entries of a row on average, */
    MOST_OF_A_VERTEX = 64 /* and at most: with hubs the levels are few and large */
};

static const uint32_t unseen = UINT32_MAX, waiting = UINT32_MAX - 1;

bool sl_openmp_has_short_rows(const sl_csr *rows)
{
    uint64_t n = rows->nrows;
    if (rows->start[n] > MOST_PER_VERTEX * n)
        return false;
    for (uint64_t v = 0; v < n; v++)
        if (rows->start[v + 1] - rows->start[v] > MOST_OF_A_VERTEX)
            return false;
    return true;
}

/* Grows one cluster from a vertex, with new ids from `first` on; neighbours outside of it are
 * queued in `border`. Returns the next new id. */
static uint64_t grow(sl_openmp_graph *o, const sl_csr *rows, uint64_t first, uint32_t from,
                     uint32_t *border, uint64_t *border_tail)
{
    uint64_t next = first;
    o->old_id[next] = from;
    o->new_id[from] = (uint32_t)next++;
    for (uint64_t k = first; k < next; k++) {
        uint64_t u = o->old_id[k];
        for (uint64_t e = rows->start[u]; e < rows->start[u + 1]; e++) {
            uint64_t v = rows->index[e];
            if (o->new_id[v] < waiting)
                continue;
            if (next - first < CLUSTER) {
                o->old_id[next] = (uint32_t)v;
                o->new_id[v] = (uint32_t)next++;
            } else if (o->new_id[v] == unseen) {
                o->new_id[v] = waiting;
                border[(*border_tail)++] = (uint32_t)v;
            }
        }
    }
    return next;
}

sl_status sl_openmp_order_by_clusters(sl_openmp_graph *order, sl_context *ctx, const sl_csr *rows)
{
    uint64_t n = rows->nrows;
    if (n != rows->ncols || n < FEWEST || n >= waiting || !sl_openmp_has_short_rows(rows))
        return SL_OK;
    sl_openmp_graph o = {.old_id = sl_malloc(n * sizeof *o.old_id),
                         .new_id = sl_malloc(n * sizeof *o.new_id)};
    uint32_t *border = sl_malloc(n * sizeof *border);
    if (!o.old_id || !o.new_id || !border) {
        sl_openmp_graph_free(&o);
        sl_free(border);
        return sl_fail(ctx, SL_NO_MEMORY,
                       "matrix_optimize: out of memory for an order of %zu vertices", (size_t)n);
    }
    for (uint64_t v = 0; v < n; v++)
        o.new_id[v] = unseen;
    uint64_t next = 0, head = 0, tail = 0;
    for (uint32_t start = 0; start < n; start++) {
        if (o.new_id[start] < waiting)
            continue;
        next = grow(&o, rows, next, start, border, &tail);
        for (; head < tail; head++)
            if (o.new_id[border[head]] == waiting)
                next = grow(&o, rows, next, border[head], border, &tail);
    }
    sl_free(border);
    *order = o;
    return SL_OK;
}
