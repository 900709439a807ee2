/*
 * Betweenness centrality by Brandes's algorithm with a queue ("A Faster Algorithm for Betweenness
 * Centrality", 2001), one search per source, and the check by comparison with it.
 */
#include <inttypes.h>
#include <math.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

/* A number of paths, which may exceed the range of fp64: value x 2^exponent, 0.5 <= value < 1. */
typedef struct {
    double value;
    int64_t exponent;
} path_count;

/* Arrays of a search with an element per vertex. */
typedef struct {
    int64_t *level;
    uint64_t *queue; /* vertices in the order in which they are reached */
    path_count *paths;
    double *dependency;
} scratch;

/* value x 2^exponent, for exponents that do not fit an int too. */
static double scaled(double value, int64_t exponent)
{
    if (exponent == 0)
        return value;
    return ldexp(value, exponent > 4096 ? 4096 : exponent < -4096 ? -4096 : (int)exponent);
}

static path_count sum(path_count a, path_count b)
{
    if (a.exponent < b.exponent)
        a.value = scaled(a.value, a.exponent - b.exponent) + b.value;
    else
        a.value += scaled(b.value, b.exponent - a.exponent);
    a.exponent = a.exponent < b.exponent ? b.exponent : a.exponent;
    const bool carry = a.value >= 1;
    return (path_count){carry ? a.value / 2 : a.value, a.exponent + carry};
}

static double ratio(path_count a, path_count b)
{
    return scaled(a.value / b.value, a.exponent - b.exponent);
}

/* Computes levels and numbers of shortest paths. Returns the number of reached vertices. */
static uint64_t search(scratch *s, const sl_graph_view *graph, uint64_t source)
{
    uint64_t tail = 1;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        s->level[v] = SL_UNREACHED;
        s->dependency[v] = 0;
    }
    s->level[source] = 0;
    s->paths[source] = (path_count){0.5, 1};
    s->queue[0] = source;
    for (uint64_t head = 0; head < tail; head++) {
        const uint64_t u = s->queue[head];
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++) {
            const uint64_t v = graph->index[e];
            if (s->level[v] == SL_UNREACHED) {
                s->level[v] = s->level[u] + 1;
                s->queue[tail++] = v;
                s->paths[v] = s->paths[u];
            } else if (s->level[v] == s->level[u] + 1)
                s->paths[v] = sum(s->paths[v], s->paths[u]);
        }
    }
    return tail;
}

static void add_dependencies(double *centrality, scratch *s, const sl_graph_view *graph,
                             uint64_t source)
{
    for (uint64_t k = search(s, graph, source); k-- > 1;) {
        const uint64_t u = s->queue[k];
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++) {
            const uint64_t v = graph->index[e];
            if (s->level[v] == s->level[u] + 1)
                s->dependency[u] += ratio(s->paths[u], s->paths[v]) * (1 + s->dependency[v]);
        }
        centrality[u] += s->dependency[u];
    }
}

sl_status sl_plain_betweenness(double *centrality, const sl_graph_view *graph,
                               const uint64_t *sources, uint64_t count)
{
    if (!centrality || !graph || !graph->start)
        return SL_INVALID;
    const uint64_t n = graph->vertices;
    for (uint64_t k = 0; sources && k < count; k++)
        if (sources[k] >= n)
            return SL_OUT_OF_RANGE;
    scratch s = {sl_malloc((n + 1) * sizeof(int64_t)), sl_malloc((n + 1) * sizeof(uint64_t)),
                 sl_malloc((n + 1) * sizeof(path_count)), sl_malloc((n + 1) * sizeof(double))};
    const bool allocated = s.level && s.queue && s.paths && s.dependency;
    sl_status status = allocated ? SL_OK : SL_NO_MEMORY;
    sl_progress progress = {.operation = "check", .total = sources ? count : n};
    sl_progress_begin(graph->ctx, &progress);
    for (uint64_t v = 0; allocated && v < n; v++)
        centrality[v] = 0;
    for (uint64_t k = 0; status == SL_OK && k < progress.total; progress.done = ++k) {
        add_dependencies(centrality, &s, graph, sources ? sources[k] : k);
        status = sl_interrupted(graph->ctx, "check");
    }
    sl_progress_end(graph->ctx, &progress);
    sl_free(s.level);
    sl_free(s.queue);
    sl_free(s.paths);
    sl_free(s.dependency);
    return status;
}

/* The factor that normalises the sum of a vertex; `times`: how often it is a source. */
static double scale_of_pairs(const sl_graph_view *graph, uint64_t count, uint64_t times)
{
    return graph->vertices > 2 && count > times
               ? 1 / ((double)(count - times) * (double)(graph->vertices - 2))
               : 1;
}

sl_status sl_check_betweenness(sl_check_result *result, const sl_graph_view *graph,
                               const uint64_t *sources, uint64_t count, double scale,
                               const double *centrality)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !centrality)
        return SL_INVALID;
    double *expected = sl_malloc((graph->vertices + 1) * sizeof *expected);
    uint64_t *times = sl_calloc(graph->vertices + 1, sizeof *times);
    status =
        expected && times ? sl_plain_betweenness(expected, graph, sources, count) : SL_NO_MEMORY;
    result->valid = status == SL_OK;
    for (uint64_t k = 0; result->valid && sources && k < count; k++)
        times[sources[k]]++;
    for (uint64_t v = 0; result->valid && v < graph->vertices; v++) {
        const double factor = scale != 0 ? scale
                              : sources  ? scale_of_pairs(graph, count, times[v])
                                         : scale_of_pairs(graph, graph->vertices, 1);
        const double right = factor * expected[v];
        if (!(fabs(centrality[v] - right) <= 1e-9 * (factor + right)))
            result->valid =
                sl_check_fail(result, "vertex %" PRIu64 " has centrality %.17g, but %.17g is right",
                              sl_view_id(graph, v), centrality[v], right);
    }
    sl_free(expected);
    sl_free(times);
    return status;
}
