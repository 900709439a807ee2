/* PageRank by power iteration in plain loops, and the check of ranks by one such iteration. */
#include <inttypes.h>
#include <math.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

static const sl_pagerank_options defaults;

static double damping_of(const sl_pagerank_options *o)
{
    return o->damping > 0 ? o->damping : 0.85;
}

/* next = one iteration from `rank`. Returns the sum of |next - rank|. */
static double iterate(double *next, const double *rank, const sl_graph_view *graph,
                      const double *jump, double damping)
{
    const uint64_t n = graph->vertices;
    double dangling = 0, change = 0; /* dangling: the rank of vertices without outgoing edges */
    for (uint64_t v = 0; v < n; v++) {
        next[v] = 0;
        if (graph->start[v] == graph->start[v + 1])
            dangling += rank[v];
    }
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            next[graph->index[e]] += rank[u] / (double)(graph->start[u + 1] - graph->start[u]);
    for (uint64_t v = 0; v < n; v++) {
        const double probability = jump ? jump[v] : 1.0 / (double)n;
        next[v] = damping * next[v] + (1 - damping + damping * dangling) * probability;
        change += fabs(next[v] - rank[v]);
    }
    return change;
}

sl_status sl_plain_pagerank(double *rank, const sl_graph_view *graph, const double *jump,
                            const sl_pagerank_options *options, sl_pagerank_result *info)
{
    const sl_pagerank_options *o = options ? options : &defaults;
    if (!rank || !graph || !graph->start)
        return SL_INVALID;
    const uint64_t n = graph->vertices, most = o->max_iterations ? o->max_iterations : 100;
    double *next = sl_malloc((n + 1) * sizeof *next);
    if (!next)
        return SL_NO_MEMORY;
    for (uint64_t v = 0; v < n; v++)
        rank[v] = jump ? jump[v] : 1.0 / (double)n;
    sl_pagerank_result r = {.residual = INFINITY};
    while (r.iterations < most && !r.converged) {
        r.residual = iterate(next, rank, graph, jump, damping_of(o));
        r.converged = r.residual <= (o->tolerance > 0 ? o->tolerance : 1e-6);
        r.iterations++;
        for (uint64_t v = 0; v < n; v++)
            rank[v] = next[v];
    }
    if (info)
        *info = r;
    sl_free(next);
    return SL_OK;
}

sl_status sl_check_pagerank(sl_check_result *result, const sl_graph_view *graph, const double *rank,
                            const double *jump, const sl_pagerank_options *options,
                            double tolerance)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !rank)
        return SL_INVALID;
    double *next = sl_malloc((graph->vertices + 1) * sizeof *next);
    if (!next)
        return SL_NO_MEMORY;
    const double change =
        iterate(next, rank, graph, jump, damping_of(options ? options : &defaults));
    result->valid = change <= tolerance; /* false if the change is NaN */
    if (!result->valid)
        sl_check_fail(result,
                      "one more iteration changes the ranks by %g in sum; the tolerance is %g",
                      change, tolerance);
    sl_free(next);
    return SL_OK;
}
