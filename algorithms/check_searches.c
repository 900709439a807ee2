/* Checks of the algorithms that are made of searches, by searches with a queue. */
#include <inttypes.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

sl_status sl_check_multi_source(sl_check_result *result, const sl_graph_view *graph,
                                const uint64_t *sources, uint64_t count, const int64_t *parent,
                                const int64_t *level, int64_t max_depth)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || (count > 0 && !sources) || (!parent && !level))
        return SL_INVALID;
    const uint64_t n = graph->vertices;
    result->valid = true;
    sl_progress progress = {.operation = "check", .total = count};
    sl_progress_begin(graph->ctx, &progress);
    for (uint64_t s = 0; result->valid && s < count; progress.done = ++s) {
        sl_check_result row;
        status = sl_validate_search(&row, graph, sources[s], parent ? parent + s * n : NULL,
                                    level ? level + s * n : NULL, max_depth);
        if (status == SL_OK && !row.valid)
            sl_check_fail(result, "row %" PRIu64 ": %s", s, row.reason);
        if (status == SL_OK)
            status = sl_interrupted(graph->ctx, "check");
        result->valid = status == SL_OK && row.valid;
    }
    sl_progress_end(graph->ctx, &progress);
    return status;
}

/* The levels of a search from all sources together. */
static sl_status search_all(int64_t *level, const sl_graph_view *graph, const uint64_t *sources,
                            uint64_t count)
{
    const uint64_t n = graph->vertices;
    uint64_t *queue = sl_malloc((n + 1) * sizeof *queue), tail = 0;
    if (!queue)
        return SL_NO_MEMORY;
    for (uint64_t v = 0; v < n; v++)
        level[v] = SL_UNREACHED;
    for (uint64_t s = 0; s < count; s++) {
        if (sources[s] >= n) {
            sl_free(queue);
            return SL_OUT_OF_RANGE;
        }
        if (level[sources[s]] == SL_UNREACHED)
            queue[tail++] = sources[s];
        level[sources[s]] = 0;
    }
    for (uint64_t head = 0; head < tail; head++) {
        const uint64_t u = queue[head];
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            if (level[graph->index[e]] == SL_UNREACHED) {
                level[graph->index[e]] = level[u] + 1;
                queue[tail++] = graph->index[e];
            }
    }
    sl_free(queue);
    return SL_OK;
}

sl_status sl_check_khop(sl_check_result *result, const sl_graph_view *graph,
                        const uint64_t *sources, uint64_t count, uint64_t hops,
                        const int64_t *level)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || (count > 0 && !sources) || !level)
        return SL_INVALID;
    int64_t *expected = sl_malloc((graph->vertices + 1) * sizeof *expected);
    if (!expected)
        return SL_NO_MEMORY;
    status = search_all(expected, graph, sources, count);
    result->valid = status == SL_OK;
    for (uint64_t v = 0; result->valid && v < graph->vertices; v++) {
        if (expected[v] != SL_UNREACHED && (uint64_t)expected[v] > hops)
            expected[v] = SL_UNREACHED;
        if (level[v] != expected[v])
            result->valid =
                sl_check_fail(result, "vertex %" PRIu64 " has level %" PRId64 ", not %" PRId64,
                              sl_view_id(graph, v), level[v], expected[v]);
    }
    sl_free(expected);
    return status;
}

/* ---- one path ----------------------------------------------------------- */

static bool path_holds(sl_check_result *result, const sl_graph_view *graph, uint64_t s, uint64_t t,
                       uint64_t distance, const int64_t *path)
{
    if (path[0] != (int64_t)s || path[distance] != (int64_t)t)
        return sl_check_fail(result, "the path leads from %" PRId64 " to %" PRId64,
                             sl_view_signed_id(graph, path[0]),
                             sl_view_signed_id(graph, path[distance]));
    for (uint64_t k = 0; k <= distance; k++)
        if (path[k] < 0 || (uint64_t)path[k] >= graph->vertices)
            return sl_check_fail(result, "%" PRId64 " on the path is not a vertex", path[k]);
    for (uint64_t k = 0; k < distance; k++)
        if (!sl_has_edge(graph, (uint64_t)path[k], (uint64_t)path[k + 1], NULL))
            return sl_check_fail(
                result,
                "the path has an edge from %" PRId64 " to %" PRId64 " that the graph has not",
                sl_view_signed_id(graph, path[k]), sl_view_signed_id(graph, path[k + 1]));
    return true;
}

sl_status sl_check_st_connected(sl_check_result *result, const sl_graph_view *graph, uint64_t s,
                                uint64_t t, bool connected, uint64_t distance, const int64_t *path)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK)
        return status;
    if (t >= graph->vertices)
        return SL_OUT_OF_RANGE;
    int64_t *level = sl_malloc((graph->vertices + 1) * sizeof *level);
    status = level ? sl_queue_search(level, NULL, graph, s) : SL_NO_MEMORY;
    if (status == SL_OK) {
        const bool exists = level[t] != SL_UNREACHED;
        if (connected != exists)
            sl_check_fail(result, "there is %s path from %" PRIu64 " to %" PRIu64,
                          exists ? "a" : "no", sl_view_id(graph, s), sl_view_id(graph, t));
        else if (exists && distance != (uint64_t)level[t])
            sl_check_fail(result,
                          "the distance is %" PRIu64 ", but a shortest path has %" PRId64 " edges",
                          distance, level[t]);
        else
            result->valid = !exists || !path || path_holds(result, graph, s, t, distance, path);
    }
    sl_free(level);
    return status;
}

/* ---- diameter ----------------------------------------------------------- */

/* Lowers upper[v] to the upper bound of the eccentricity of v by a search from `source`. */
static sl_status lower_bounds(int64_t *upper, int64_t *level, const sl_graph_view *graph,
                              uint64_t source)
{
    sl_status status = sl_queue_search(level, NULL, graph, source);
    int64_t eccentricity = 0;
    for (uint64_t v = 0; status == SL_OK && v < graph->vertices; v++)
        eccentricity = level[v] > eccentricity ? level[v] : eccentricity;
    for (uint64_t v = 0; status == SL_OK && v < graph->vertices; v++)
        if (level[v] != SL_UNREACHED && level[v] + eccentricity < upper[v])
            upper[v] = level[v] + eccentricity;
    return status;
}

static bool is_undirected(sl_check_result *result, const sl_graph_view *graph)
{
    for (uint64_t u = 0; u < graph->vertices; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            if (!sl_has_edge(graph, graph->index[e], u, NULL))
                return sl_check_fail(result,
                                     "the edge from %" PRIu64 " to %" PRIu64 " has no mirror edge",
                                     sl_view_id(graph, u), sl_view_id(graph, graph->index[e]));
    return true;
}

static bool bounds_hold(sl_check_result *result, const sl_graph_view *graph, const sl_diameter *d,
                        const int64_t *upper, const int64_t *from_end)
{
    const int64_t distance = from_end[d->ends[1]];
    if (distance == SL_UNREACHED || (uint64_t)distance != d->lower)
        return sl_check_fail(
            result,
            "the ends %" PRIu64 " and %" PRIu64 " have the distance %" PRId64 ", not %" PRIu64,
            sl_view_id(graph, d->ends[0]), sl_view_id(graph, d->ends[1]), distance, d->lower);
    if (d->lower > d->upper)
        return sl_check_fail(result, "the lower bound %" PRIu64 " is above the upper one, %" PRIu64,
                             d->lower, d->upper);
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (from_end[v] != SL_UNREACHED && (uint64_t)upper[v] > d->upper)
            return sl_check_fail(
                result,
                "the upper bound %" PRIu64
                " does not follow from the searches: they bound the eccentricity of vertex %" PRIu64
                " by %" PRId64,
                d->upper, sl_view_id(graph, v), upper[v]);
    return true;
}

sl_status sl_check_diameter(sl_check_result *result, const sl_graph_view *graph,
                            const sl_diameter *diameter, const uint64_t *searched)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !diameter || !searched)
        return SL_INVALID;
    const uint64_t n = graph->vertices;
    if (diameter->ends[0] >= n || diameter->ends[1] >= n)
        return SL_OUT_OF_RANGE;
    if (!is_undirected(result, graph))
        return SL_OK;
    int64_t *upper = sl_malloc(n * sizeof *upper), *level = sl_malloc(n * sizeof *level);
    status = upper && level ? SL_OK : SL_NO_MEMORY;
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        upper[v] = INT64_MAX;
    sl_progress progress = {.operation = "check", .total = diameter->searches};
    sl_progress_begin(graph->ctx, &progress);
    for (uint64_t k = 0; status == SL_OK && k < diameter->searches; progress.done = ++k) {
        status = lower_bounds(upper, level, graph, searched[k]);
        if (status == SL_OK)
            status = sl_interrupted(graph->ctx, "check");
    }
    sl_progress_end(graph->ctx, &progress);
    if (status == SL_OK)
        status = sl_queue_search(level, NULL, graph, diameter->ends[0]);
    if (status == SL_OK)
        result->valid = bounds_hold(result, graph, diameter, upper, level);
    sl_free(upper);
    sl_free(level);
    return status;
}
