/*
 * Local clustering coefficients by looking up every pair of neighbours, and the check by comparison
 * with it.
 */
#include <inttypes.h>
#include <math.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

static const double tolerance = 1e-9; /* relative */

/* Counts the pairs of neighbours of u other than u, in *joined those that an edge joins. */
static uint64_t count_pairs(uint64_t *joined, const sl_graph_view *graph, uint64_t u)
{
    uint64_t pairs = 0;
    *joined = 0;
    for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
        for (uint64_t f = e + 1; graph->index[e] != u && f < graph->start[u + 1]; f++) {
            if (graph->index[f] == u)
                continue;
            pairs++;
            *joined += sl_has_edge(graph, graph->index[e], graph->index[f], NULL);
        }
    return pairs;
}

sl_status sl_plain_local_clustering(double *coefficient, sl_clustering *clustering,
                                    const sl_graph_view *graph)
{
    if (!coefficient || !graph || !graph->start)
        return SL_INVALID;
    double sum = 0, all_pairs = 0;
    uint64_t all_joined = 0;
    sl_status status = SL_OK;
    sl_progress progress = {.operation = "check", .total = graph->vertices};
    sl_progress_begin(graph->ctx, &progress);
    for (uint64_t u = 0; status == SL_OK && u < graph->vertices; progress.done = ++u) {
        uint64_t joined;
        const uint64_t pairs = count_pairs(&joined, graph, u);
        coefficient[u] = pairs > 0 ? (double)joined / (double)pairs : 0;
        sum += coefficient[u];
        all_pairs += (double)pairs;
        all_joined += joined;
        status = sl_interrupted(graph->ctx, "check");
    }
    sl_progress_end(graph->ctx, &progress);
    if (clustering)
        *clustering =
            (sl_clustering){.triangles = all_joined / 3,
                            .mean = graph->vertices > 0 ? sum / (double)graph->vertices : 0,
                            .global = all_pairs > 0 ? (double)all_joined / all_pairs : 0};
    return status;
}

static bool is_near(double value, double right)
{
    return fabs(value - right) <= tolerance * right;
}

/* clustering NULL: it is not checked. */
static bool check_totals(sl_check_result *result, const sl_clustering *clustering,
                         const sl_clustering *right)
{
    if (!clustering)
        return true;
    if (clustering->triangles != right->triangles)
        return sl_check_fail(result,
                             "the number of triangles is %" PRIu64 ", but %" PRIu64 " is right",
                             clustering->triangles, right->triangles);
    if (!is_near(clustering->mean, right->mean))
        return sl_check_fail(result, "the mean coefficient is %.17g, but %.17g is right",
                             clustering->mean, right->mean);
    if (!is_near(clustering->global, right->global))
        return sl_check_fail(result, "the global coefficient is %.17g, but %.17g is right",
                             clustering->global, right->global);
    return true;
}

sl_status sl_check_local_clustering(sl_check_result *result, const sl_graph_view *graph,
                                    const double *coefficient, const sl_clustering *clustering)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !coefficient)
        return SL_INVALID;
    sl_clustering right = {0};
    double *expected = sl_malloc((graph->vertices + 1) * sizeof *expected);
    status = expected ? sl_plain_local_clustering(expected, &right, graph) : SL_NO_MEMORY;
    result->valid = status == SL_OK;
    for (uint64_t v = 0; result->valid && v < graph->vertices; v++)
        if (!is_near(coefficient[v], expected[v]))
            result->valid = sl_check_fail(
                result, "vertex %" PRIu64 " has the coefficient %.17g, but %.17g is right",
                sl_view_id(graph, v), coefficient[v], expected[v]);
    result->valid = result->valid && check_totals(result, clustering, &right);
    sl_free(expected);
    return status;
}
