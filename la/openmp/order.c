/* An order of the vertices in which neighbours are near, for graphs without hubs. */
#include "search.h"

enum {
    BLOB = 256,           /* vertices: their rows and results fill a few pages */
    FEWEST = 1 << 16,     /* below, everything is in the cache anyway */
    MOST_PER_VERTEX = 8,  /* edges on average, */
    MOST_OF_A_VERTEX = 64 /* and at most: with hubs the levels are few and wide */
};

static const uint32_t unseen = UINT32_MAX, waiting = UINT32_MAX - 1;

bool sl_openmp_is_narrow(const sl_csr *rows)
{
    uint64_t n = rows->nrows;
    if (rows->start[n] > MOST_PER_VERTEX * n)
        return false;
    for (uint64_t v = 0; v < n; v++)
        if (rows->start[v + 1] - rows->start[v] > MOST_OF_A_VERTEX)
            return false;
    return true;
}

/* Grows one blob from a vertex, numbered from `first` on; neighbours left outside
 * wait at the border. Returns the next free number. */
static uint64_t grow(sl_compact *o, const sl_csr *rows, uint64_t first, uint32_t from,
                     uint32_t *border, uint64_t *border_tail)
{
    uint64_t next = first;
    o->label[next] = from;
    o->place[from] = (uint32_t)next++;
    for (uint64_t k = first; k < next; k++) {
        uint64_t u = o->label[k];
        for (uint64_t e = rows->start[u]; e < rows->start[u + 1]; e++) {
            uint64_t v = rows->index[e];
            if (o->place[v] < waiting)
                continue;
            if (next - first < BLOB) {
                o->label[next] = (uint32_t)v;
                o->place[v] = (uint32_t)next++;
            } else if (o->place[v] == unseen) {
                o->place[v] = waiting;
                border[(*border_tail)++] = (uint32_t)v;
            }
        }
    }
    return next;
}

sl_status sl_openmp_order(sl_compact *order, sl_context *ctx, const sl_csr *rows)
{
    uint64_t n = rows->nrows;
    if (n != rows->ncols || n < FEWEST || n >= waiting || !sl_openmp_is_narrow(rows))
        return SL_OK;
    sl_compact o = {.label = sl_malloc(n * sizeof *o.label),
                    .place = sl_malloc(n * sizeof *o.place)};
    uint32_t *border = sl_malloc(n * sizeof *border);
    if (!o.label || !o.place || !border) {
        sl_compact_free(&o);
        sl_free(border);
        return sl_fail(ctx, SL_NO_MEMORY, "out of memory: an order of %zu vertices", (size_t)n);
    }
    for (uint64_t v = 0; v < n; v++)
        o.place[v] = unseen;
    uint64_t next = 0, head = 0, tail = 0;
    for (uint32_t start = 0; start < n; start++) {
        if (o.place[start] < waiting)
            continue;
        next = grow(&o, rows, next, start, border, &tail);
        for (; head < tail; head++)
            if (o.place[border[head]] == waiting)
                next = grow(&o, rows, next, border[head], border, &tail);
    }
    sl_free(border);
    *order = o;
    return SL_OK;
}
