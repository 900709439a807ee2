/*
 * Strongly connected components by Tarjan's depth-first search ("Depth-First Search and Linear Graph
 * Algorithms", SIAM Journal on Computing 1, 1972) with a stack in place of recursion, and the check
 * by comparison with it. O(edges).
 */
#include <inttypes.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

/* The depth-first search. Arrays of the number of vertices; owned. */
typedef struct {
    const sl_graph_view *graph;
    int64_t *component;  /* of vertices whose component is complete; otherwise -1 */
    uint64_t *low;       /* 0: not visited; else the least visiting number, from 1, that is known to
                            be reachable within the component */
    uint64_t *next_edge; /* the next edge to follow */
    uint64_t *path;      /* the vertices from the root of the search to the current one */
    uint64_t *open;      /* visited vertices whose component is not complete, in order of visits */
    uint64_t visited, path_length, opened;
} dfs;

static void visit(dfs *d, uint64_t v)
{
    d->low[v] = ++d->visited;
    d->next_edge[v] = d->graph->start[v];
    d->path[d->path_length++] = v;
    d->open[d->opened++] = v;
}

/* The open vertices from v on are a component: v's. */
static void close_component(dfs *d, uint64_t v)
{
    uint64_t first = d->opened, least = v;
    do {
        const uint64_t u = d->open[--first];
        least = u < least ? u : least;
    } while (d->open[first] != v);
    for (uint64_t k = first; k < d->opened; k++)
        d->component[d->open[k]] = (int64_t)least;
    d->opened = first;
}

/* Follows all edges of the vertices on the path, whose last vertex is v. `number` keeps the visiting
 * numbers: low[v] still has v's own if no vertex before v can be reached. */
static void follow(dfs *d, uint64_t *number)
{
    while (d->path_length > 0) {
        const uint64_t v = d->path[d->path_length - 1];
        if (d->next_edge[v] < d->graph->start[v + 1]) {
            const uint64_t w = d->graph->index[d->next_edge[v]++];
            if (d->low[w] == 0) {
                visit(d, w);
                number[w] = d->low[w];
            } else if (d->component[w] < 0 && number[w] < d->low[v]) {
                d->low[v] = number[w];
            }
            continue;
        }
        d->path_length--;
        if (d->low[v] == number[v])
            close_component(d, v);
        else if (d->path_length > 0) {
            const uint64_t parent = d->path[d->path_length - 1];
            d->low[parent] = d->low[v] < d->low[parent] ? d->low[v] : d->low[parent];
        }
    }
}

sl_status sl_plain_scc(int64_t *component, const sl_graph_view *graph)
{
    if (!component || !graph || !graph->start)
        return SL_INVALID;
    const uint64_t n = graph->vertices;
    uint64_t *work = sl_calloc(5 * n + 1, sizeof *work);
    if (!work)
        return SL_NO_MEMORY;
    uint64_t *number = work + 4 * n;
    dfs d = {.graph = graph,
             .component = component,
             .low = work,
             .next_edge = work + n,
             .path = work + 2 * n,
             .open = work + 3 * n};
    for (uint64_t v = 0; v < n; v++)
        component[v] = -1;
    for (uint64_t root = 0; root < n; root++)
        if (d.low[root] == 0) {
            visit(&d, root);
            number[root] = d.low[root];
            follow(&d, number);
        }
    sl_free(work);
    return SL_OK;
}

static void compare(sl_check_result *result, const sl_graph_view *graph, const int64_t *component,
                    const int64_t *expected, uint64_t count)
{
    uint64_t components = 0;
    result->valid = true;
    for (uint64_t v = 0; result->valid && v < graph->vertices; v++) {
        components += expected[v] == (int64_t)v;
        if (component[v] != expected[v])
            result->valid =
                sl_check_fail(result,
                              "vertex %" PRIu64 " has component %" PRId64
                              ", but the least vertex of its component is %" PRId64,
                              sl_view_id(graph, v), sl_view_signed_id(graph, component[v]),
                              sl_view_signed_id(graph, expected[v]));
    }
    if (result->valid && components != count)
        result->valid = sl_check_fail(
            result, "the number of components is %" PRIu64 ", not %" PRIu64, components, count);
}

sl_status sl_check_scc(sl_check_result *result, const sl_graph_view *graph,
                       const int64_t *component, uint64_t count)
{
    sl_status status = sl_check_start(result, graph);
    if (status != SL_OK || !component)
        return SL_INVALID;
    int64_t *expected = sl_malloc((graph->vertices + 1) * sizeof *expected);
    status = expected ? sl_plain_scc(expected, graph) : SL_NO_MEMORY;
    if (status == SL_OK)
        compare(result, graph, component, expected, count);
    sl_free(expected);
    return status;
}
