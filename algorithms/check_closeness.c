/*
 * Closeness by a search with a queue per source, and the check by comparison with it. Distances to a
 * vertex come from a search along reversed edges.
 */
#include <inttypes.h>
#include <math.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

enum { NOT_ASKED = -1 }; /* `others` of a vertex whose exact closeness is not computed */

/* Arrays of a computation. */
typedef struct {
    sl_graph_view reversed; /* the graph with reversed edges; its arrays are owned */
    uint64_t *start, *index;
    int64_t *level;                      /* of a search */
    double *others, *reached, *distance; /* for each vertex: sources other than it, sources that
                                            reach it, and the sum of the distances from these */
} scratch;

static bool allocate(scratch *s, const sl_graph_view *graph)
{
    const uint64_t n = graph->vertices;
    s->start = sl_calloc(n + 2, sizeof *s->start);
    s->index = sl_malloc((graph->start[n] + 1) * sizeof *s->index);
    s->level = sl_malloc((n + 1) * sizeof *s->level);
    s->others = sl_calloc(n + 1, sizeof *s->others);
    s->reached = sl_calloc(n + 1, sizeof *s->reached);
    s->distance = sl_calloc(n + 1, sizeof *s->distance);
    return s->start && s->index && s->level && s->others && s->reached && s->distance;
}

static void free_scratch(scratch *s)
{
    sl_free(s->start);
    sl_free(s->index);
    sl_free(s->level);
    sl_free(s->others);
    sl_free(s->reached);
    sl_free(s->distance);
}

static void reverse_edges(scratch *s, const sl_graph_view *graph)
{
    const uint64_t n = graph->vertices;
    for (uint64_t e = 0; e < graph->start[n]; e++)
        s->start[graph->index[e] + 2]++;
    for (uint64_t v = 2; v <= n; v++)
        s->start[v] += s->start[v - 1];
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            s->index[s->start[graph->index[e] + 1]++] = u;
    s->reversed = (sl_graph_view){.vertices = n, .start = s->start, .index = s->index};
}

/* Computes what the exact closeness of a vertex needs. */
static sl_status search_to(scratch *s, uint64_t v)
{
    const sl_status status = sl_queue_search(s->level, NULL, &s->reversed, v);
    s->others[v] = (double)s->reversed.vertices - 1;
    s->reached[v] = s->distance[v] = 0;
    for (uint64_t u = 0; status == SL_OK && u < s->reversed.vertices; u++)
        if (s->level[u] > 0) {
            s->reached[v]++;
            s->distance[v] += (double)s->level[u];
        }
    return status;
}

/* Adds the distances from a source to what estimates need. */
static sl_status search_from(scratch *s, const sl_graph_view *graph, uint64_t source)
{
    const sl_status status = sl_queue_search(s->level, NULL, graph, source);
    for (uint64_t v = 0; status == SL_OK && v < graph->vertices; v++) {
        s->others[v] += v != source;
        if (s->level[v] > 0) {
            s->reached[v]++;
            s->distance[v] += (double)s->level[v];
        }
    }
    return status;
}

sl_status sl_plain_closeness(double *closeness, const sl_graph_view *graph, const uint64_t *sources,
                             uint64_t count, const sl_closeness_options *options)
{
    if (!closeness || !graph || !graph->start)
        return SL_INVALID;
    const bool exact = sources && !(options && options->estimate);
    scratch s = {0};
    sl_status status = allocate(&s, graph) ? SL_OK : SL_NO_MEMORY;
    if (status == SL_OK)
        reverse_edges(&s, graph);
    for (uint64_t v = 0; status == SL_OK && exact && v < graph->vertices; v++)
        s.others[v] = NOT_ASKED;
    sl_progress progress = {.operation = "check", .total = sources ? count : graph->vertices};
    sl_progress_begin(graph->ctx, &progress);
    for (uint64_t k = 0; status == SL_OK && k < progress.total; progress.done = ++k) {
        const uint64_t source = sources ? sources[k] : k;
        if (source >= graph->vertices)
            status = SL_OUT_OF_RANGE;
        else
            status = exact ? search_to(&s, source) : search_from(&s, graph, source);
        if (status == SL_OK)
            status = sl_interrupted(graph->ctx, "check");
    }
    sl_progress_end(graph->ctx, &progress);
    for (uint64_t v = 0; status == SL_OK && v < graph->vertices; v++)
        closeness[v] = s.others[v] == NOT_ASKED ? INFINITY
                       : s.distance[v] > 0
                           ? s.reached[v] * s.reached[v] / (s.others[v] * s.distance[v])
                           : 0;
    free_scratch(&s);
    return status;
}

sl_status sl_check_closeness(sl_check_result *result, const sl_graph_view *graph,
                             const uint64_t *sources, uint64_t count,
                             const sl_closeness_options *options, const double *closeness)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !closeness)
        return SL_INVALID;
    double *right = sl_malloc((graph->vertices + 1) * sizeof *right);
    status = right ? sl_plain_closeness(right, graph, sources, count, options) : SL_NO_MEMORY;
    result->valid = status == SL_OK;
    for (uint64_t v = 0; result->valid && v < graph->vertices; v++) {
        const bool is_near = isinf(right[v]) ? closeness[v] == right[v]
                                             : fabs(closeness[v] - right[v]) <= 1e-9 * right[v];
        if (!is_near)
            result->valid = sl_check_fail(
                result, "vertex %" PRIu64 " has closeness %.17g, but %.17g is right%s",
                sl_view_id(graph, v), closeness[v], right[v],
                isinf(right[v]) || isinf(closeness[v]) ? " (inf: no entry)" : "");
    }
    sl_free(right);
    return status;
}
