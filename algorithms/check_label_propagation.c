/* Label propagation by plain loops: the labels of the neighbours of each vertex are sorted, and the
 * longest run of equal labels is the most frequent one. The check compares with it.
 * O(iterations x edges x log(degree)). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

/* The neighbours of each vertex at both ends of its edges, and room for labels; owned. */
typedef struct {
    uint64_t *start; /* [vertices + 1], and one more while it is made */
    uint64_t *end;   /* [2 x edges] */
    int64_t *labels; /* [2 x edges], and one for each vertex: the next labels */
} neighbours;

static void free_neighbours(neighbours *g)
{
    sl_free(g->start);
    sl_free(g->end);
    sl_free(g->labels);
}

static sl_status make_neighbours(neighbours *g, const sl_graph_view *graph)
{
    const uint64_t n = graph->vertices, edges = graph->start[n];
    g->start = sl_calloc(n + 2, sizeof *g->start);
    g->end = sl_malloc((2 * edges + 1) * sizeof *g->end);
    g->labels = sl_malloc((2 * edges + n + 1) * sizeof *g->labels);
    if (!g->start || !g->end || !g->labels)
        return SL_NO_MEMORY;
    uint64_t *after = g->start + 1; /* behind the neighbours of each vertex that are stored */
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++) {
            g->start[u + 2]++;
            g->start[graph->index[e] + 2]++;
        }
    for (uint64_t k = 2; k < n + 2; k++)
        g->start[k] += g->start[k - 1];
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++) {
            g->end[after[u]++] = graph->index[e];
            g->end[after[graph->index[e]]++] = u;
        }
    return SL_OK;
}

static int by_value(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return a < b ? -1 : a > b;
}

/* The least of the most frequent of `count` labels, which are sorted. */
static int64_t most_frequent(int64_t *labels, uint64_t count)
{
    uint64_t best = 0, most = 0;
    qsort(labels, count, sizeof *labels, by_value);
    for (uint64_t first = 0, k = 1; k <= count; k++)
        if (k == count || labels[k] != labels[first]) {
            if (k - first > most) {
                most = k - first;
                best = first;
            }
            first = k;
        }
    return labels[best];
}

sl_status sl_plain_label_propagation(int64_t *label, const sl_graph_view *graph,
                                     uint64_t max_iterations)
{
    if (!label || !graph || !graph->start)
        return SL_INVALID;
    const uint64_t n = graph->vertices;
    neighbours g = {0};
    sl_status status = make_neighbours(&g, graph);
    bool changed = true;
    for (uint64_t v = 0; v < n; v++)
        label[v] = (int64_t)v;
    sl_progress progress = {.operation = "check", .total = max_iterations};
    sl_progress_begin(graph->ctx, &progress);
    for (uint64_t k = 0; status == SL_OK && changed && k < max_iterations; progress.done = ++k) {
        int64_t *next = g.labels + 2 * graph->start[n];
        for (uint64_t v = 0; v < n; v++) {
            const uint64_t first = g.start[v], count = g.start[v + 1] - first;
            for (uint64_t e = 0; e < count; e++)
                g.labels[first + e] = label[g.end[first + e]];
            next[v] = count ? most_frequent(g.labels + first, count) : label[v];
        }
        changed = n > 0 && memcmp(label, next, n * sizeof *label) != 0;
        if (changed)
            memcpy(label, next, n * sizeof *label);
        status = sl_interrupted(graph->ctx, "check");
    }
    sl_progress_end(graph->ctx, &progress);
    free_neighbours(&g);
    return status;
}

sl_status sl_check_label_propagation(sl_check_result *result, const sl_graph_view *graph,
                                     const int64_t *label, uint64_t iterations)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !label)
        return SL_INVALID;
    int64_t *expected = sl_malloc((graph->vertices + 1) * sizeof *expected);
    status = expected ? sl_plain_label_propagation(expected, graph, iterations) : SL_NO_MEMORY;
    result->valid = status == SL_OK;
    for (uint64_t v = 0; result->valid && v < graph->vertices; v++)
        if (label[v] != expected[v])
            result->valid = sl_check_fail(
                result, "vertex %" PRIu64 " has the label %" PRId64 ", but %" PRId64 " is right",
                sl_view_id(graph, v), sl_view_signed_id(graph, label[v]),
                sl_view_signed_id(graph, expected[v]));
    sl_free(expected);
    return status;
}
