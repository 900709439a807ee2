/*
 * The k-truss by removing edges one by one: the supports are counted once by intersecting rows; a queue
 * has the edges of too little support, and each edge that leaves it takes its triangles from the two
 * other edges. The check compares the entries of a truss with it.
 */
#include <inttypes.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

enum { GONE = -1 };

/* Arrays with an element for each element of graph->index. */
typedef struct {
    const sl_graph_view *graph;
    int64_t *support; /* GONE: the edge has been removed */
    uint64_t *tail;   /* the row of each edge */
    uint64_t *queue;  /* edges u < v of too little support, each once */
    uint64_t queued;
    int64_t least; /* the least support of an edge of the truss */
} peeling;

/* The position of the edge (v, u), the mirror edge of e. */
static uint64_t mirror(const peeling *p, uint64_t e)
{
    uint64_t f = e;
    sl_has_edge(p->graph, p->graph->index[e], p->tail[e], &f);
    return f;
}

/* Queues an edge, given by either direction, if its support has just become too small. */
static void lose_triangle(peeling *p, uint64_t e)
{
    const uint64_t f = mirror(p, e);
    p->support[e]--;
    p->support[f]--;
    if (p->support[e] == p->least - 1)
        p->queue[p->queued++] = p->tail[e] < p->graph->index[e] ? e : f;
}

/* Visits the triangles of an edge: counts them, or takes them from the two other edges. */
static int64_t visit_triangles(peeling *p, uint64_t edge, bool take)
{
    const sl_graph_view *g = p->graph;
    const uint64_t u = p->tail[edge], v = g->index[edge];
    int64_t count = 0;
    uint64_t a = g->start[u], b = g->start[v];
    while (a < g->start[u + 1] && b < g->start[v + 1]) {
        const uint64_t x = g->index[a], y = g->index[b];
        if (x == y && x != u && x != v && p->support[a] != GONE && p->support[b] != GONE) {
            count++;
            if (take) {
                lose_triangle(p, a);
                lose_triangle(p, b);
            }
        }
        a += x <= y;
        b += y <= x;
    }
    return count;
}

static sl_status peel(peeling *p)
{
    const sl_graph_view *g = p->graph;
    for (uint64_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++) {
            p->tail[e] = u;
            p->support[e] = g->index[e] == u ? GONE : 0;
        }
    sl_status status = SL_OK;
    sl_progress progress = {.operation = "check", .total = g->start[g->vertices]};
    sl_progress_begin(g->ctx, &progress);
    for (uint64_t e = 0; status == SL_OK && e < progress.total; progress.done = ++e) {
        if (p->support[e] != GONE)
            p->support[e] = visit_triangles(p, e, false);
        if (p->support[e] != GONE && p->support[e] < p->least && p->tail[e] < g->index[e])
            p->queue[p->queued++] = e;
        status = sl_interrupted(g->ctx, "check");
    }
    for (uint64_t k = 0; status == SL_OK && k < p->queued; k++) {
        const uint64_t e = p->queue[k], f = mirror(p, e);
        p->support[e] = p->support[f] = GONE;
        visit_triangles(p, e, true);
        status = sl_interrupted(g->ctx, "check");
    }
    sl_progress_end(g->ctx, &progress);
    return status;
}

sl_status sl_plain_ktruss(int64_t *support, const sl_graph_view *graph, uint64_t k)
{
    if (!support || !graph || !graph->start || k < 3)
        return SL_INVALID;
    const uint64_t edges = graph->start[graph->vertices];
    peeling p = {.graph = graph,
                 .support = support,
                 .tail = sl_malloc((edges + 1) * sizeof *p.tail),
                 .queue = sl_malloc((edges + 1) * sizeof *p.queue),
                 .least = k > INT64_MAX ? INT64_MAX : (int64_t)k - 2};
    const sl_status status = p.tail && p.queue ? peel(&p) : SL_NO_MEMORY;
    sl_free(p.tail);
    sl_free(p.queue);
    return status;
}

/* Compares an entry of a truss with the supports. An edge that the truss has is marked as gone. */
static bool check_entry(sl_check_result *result, const sl_graph_view *graph, int64_t *support,
                        uint64_t u, uint64_t v, int64_t triangles)
{
    uint64_t e;
    if (u >= graph->vertices || v >= graph->vertices || !sl_has_edge(graph, u, v, &e) ||
        support[e] == GONE)
        return sl_check_fail(
            result, "the edge from %" PRIu64 " to %" PRIu64 " does not belong to the truss",
            sl_view_id(graph, u), sl_view_id(graph, v));
    if (support[e] != triangles)
        return sl_check_fail(result,
                             "the edge from %" PRIu64 " to %" PRIu64 " has %" PRId64
                             " triangles in the truss, but %" PRId64 " is right",
                             sl_view_id(graph, u), sl_view_id(graph, v), triangles, support[e]);
    support[e] = GONE;
    return true;
}

/* Fails at the first edge of row u that is not marked as gone: the truss lacks it. */
static bool check_row(sl_check_result *result, const sl_graph_view *graph, const int64_t *support,
                      uint64_t u)
{
    for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
        if (support[e] != GONE)
            return sl_check_fail(result,
                                 "the truss lacks the edge from %" PRIu64 " to %" PRIu64
                                 ", which has %" PRId64 " triangles",
                                 sl_view_id(graph, u), sl_view_id(graph, graph->index[e]),
                                 support[e]);
    return true;
}

sl_status sl_check_ktruss(sl_check_result *result, const sl_graph_view *graph, uint64_t k,
                          const uint64_t *rows, const uint64_t *cols, const int64_t *triangles,
                          uint64_t count)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || (count > 0 && (!rows || !cols || !triangles)))
        return SL_INVALID;
    int64_t *support = sl_malloc((graph->start[graph->vertices] + 1) * sizeof *support);
    status = support ? sl_plain_ktruss(support, graph, k) : SL_NO_MEMORY;
    result->valid = status == SL_OK;
    for (uint64_t t = 0; result->valid && t < count; t++)
        result->valid = check_entry(result, graph, support, rows[t], cols[t], triangles[t]);
    for (uint64_t u = 0; result->valid && u < graph->vertices; u++)
        result->valid = check_row(result, graph, support, u);
    sl_free(support);
    return status;
}
