/* Triangles by intersecting the rows of the two ends of each edge, and the check by comparison with
 * it. */
#include <inttypes.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

/* Counts the triangles u < v < w of the edge (u, v). */
static uint64_t close_edge(int64_t *per_vertex, const sl_graph_view *graph, uint64_t u, uint64_t v)
{
    uint64_t a = graph->start[u], b = graph->start[v], count = 0;
    const uint64_t a_end = graph->start[u + 1], b_end = graph->start[v + 1];
    while (a < a_end && b < b_end) {
        const uint64_t x = graph->index[a], y = graph->index[b];
        if (x == y && x > v) {
            count++;
            if (per_vertex)
                per_vertex[x]++;
        }
        a += x <= y;
        b += y <= x;
    }
    if (per_vertex) {
        per_vertex[u] += (int64_t)count;
        per_vertex[v] += (int64_t)count;
    }
    return count;
}

sl_status sl_plain_triangles(uint64_t *count, int64_t *per_vertex, const sl_graph_view *graph)
{
    if (!count || !graph || !graph->start)
        return SL_INVALID;
    *count = 0;
    for (uint64_t v = 0; per_vertex && v < graph->vertices; v++)
        per_vertex[v] = 0;
    sl_status status = SL_OK;
    sl_progress progress = {.operation = "check", .total = graph->vertices};
    sl_progress_begin(graph->ctx, &progress);
    for (uint64_t u = 0; status == SL_OK && u < graph->vertices; progress.done = ++u) {
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            if (graph->index[e] > u)
                *count += close_edge(per_vertex, graph, u, graph->index[e]);
        status = sl_interrupted(graph->ctx, "check");
    }
    sl_progress_end(graph->ctx, &progress);
    return status;
}

sl_status sl_check_triangles(sl_check_result *result, const sl_graph_view *graph, uint64_t count,
                             const int64_t *per_vertex)
{
    uint64_t right;
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK)
        return status;
    int64_t *expected = sl_malloc((graph->vertices + 1) * sizeof *expected);
    status = expected ? sl_plain_triangles(&right, expected, graph) : SL_NO_MEMORY;
    result->valid = status == SL_OK;
    if (result->valid && count != right)
        result->valid = sl_check_fail(
            result, "the count is %" PRIu64 "; there are %" PRIu64 " triangles", count, right);
    for (uint64_t v = 0; result->valid && per_vertex && v < graph->vertices; v++)
        if (per_vertex[v] != expected[v])
            result->valid =
                sl_check_fail(result, "vertex %" PRIu64 " has %" PRId64 " triangles, not %" PRId64,
                              sl_view_id(graph, v), expected[v], per_vertex[v]);
    sl_free(expected);
    return status;
}
