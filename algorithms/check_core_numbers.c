/*
 * Core numbers by removing vertices one by one in the order of their degrees, which bucket sort keeps
 * up to date (Batagelj and Zaversnik, "An O(m) Algorithm for Cores Decomposition of Networks", 2003),
 * and the check by comparison with it.
 */
#include <inttypes.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

/* The vertices sorted by degree. */
typedef struct {
    uint64_t *order;    /* the vertices */
    uint64_t *position; /* the place of a vertex in `order` */
    uint64_t *first;    /* for each degree the position of its first vertex; degrees up to n */
} buckets;

static void sort_by_degree(buckets *b, int64_t *degree, const sl_graph_view *graph)
{
    const uint64_t n = graph->vertices;
    for (uint64_t v = 0; v < n; v++) {
        degree[v] = 0;
        for (uint64_t e = graph->start[v]; e < graph->start[v + 1]; e++)
            degree[v] += graph->index[e] != v;
        b->first[degree[v] + 1]++;
    }
    for (uint64_t d = 1; d <= n; d++)
        b->first[d] += b->first[d - 1];
    for (uint64_t v = 0; v < n; v++) {
        b->position[v] = b->first[degree[v]]++;
        b->order[b->position[v]] = v;
    }
    for (uint64_t d = n; d > 0; d--)
        b->first[d] = b->first[d - 1];
    b->first[0] = 0;
}

/* Moves a vertex to the bucket of the next lower degree: it changes places with the first vertex of
 * its bucket, whose place then belongs to that bucket. */
static void lower_degree(buckets *b, int64_t *degree, uint64_t v)
{
    const uint64_t place = b->first[degree[v]]++, from = b->position[v], other = b->order[place];
    b->order[from] = other;
    b->position[other] = from;
    b->order[place] = v;
    b->position[v] = place;
    degree[v]--;
}

sl_status sl_plain_core_numbers(int64_t *core, const sl_graph_view *graph)
{
    if (!core || !graph || !graph->start)
        return SL_INVALID;
    const uint64_t n = graph->vertices;
    buckets b = {sl_malloc((n + 1) * sizeof *b.order), sl_malloc((n + 1) * sizeof *b.position),
                 sl_calloc(n + 2, sizeof *b.first)};
    const bool allocated = b.order && b.position && b.first;
    if (allocated)
        sort_by_degree(&b, core, graph);
    for (uint64_t k = 0; allocated && k < n; k++) {
        const uint64_t v = b.order[k];
        for (uint64_t e = graph->start[v]; e < graph->start[v + 1]; e++)
            if (core[graph->index[e]] > core[v])
                lower_degree(&b, core, graph->index[e]);
    }
    sl_free(b.order);
    sl_free(b.position);
    sl_free(b.first);
    return allocated ? SL_OK : SL_NO_MEMORY;
}

sl_status sl_check_core_numbers(sl_check_result *result, const sl_graph_view *graph,
                                const int64_t *core)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !core)
        return SL_INVALID;
    int64_t *expected = sl_malloc((graph->vertices + 1) * sizeof *expected);
    status = expected ? sl_plain_core_numbers(expected, graph) : SL_NO_MEMORY;
    result->valid = status == SL_OK;
    for (uint64_t v = 0; result->valid && v < graph->vertices; v++)
        if (core[v] != expected[v])
            result->valid = sl_check_fail(
                result, "vertex %" PRIu64 " has core number %" PRId64 ", but %" PRId64 " is right",
                sl_view_id(graph, v), core[v], expected[v]);
    sl_free(expected);
    return status;
}
