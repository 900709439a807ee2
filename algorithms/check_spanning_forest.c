/*
 * The check of minimum spanning forests by Kruskal's algorithm ("On the Shortest Spanning Subtree of
 * a Graph", Proceedings of the AMS 7, 1956): edges sorted by weight and union-find. All minimum
 * spanning forests have the same weights, so the sorted weights are compared, exactly. Weights are
 * long double, which has all values of int64, uint64 and fp64 on x86-64, AArch64 and POWER.
 * O(edges log edges).
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <semla/check_tools.h>
#include <semla/checks.h>

typedef struct {
    uint64_t low, high; /* low <= high */
    long double weight;
} edge;

typedef struct {
    edge *edges;      /* of the graph, each direction; sorted by ends, then weight */
    edge *tree;       /* of the forest, low < high */
    uint64_t *parent; /* of union-find */
    uint64_t count, tree_count;
} lists;

static long double value_at(sl_type type, const void *values, uint64_t k)
{
    if (!values || type == SL_BOOL)
        return 1;
    const sl_scalar value = sl_scalar_load(type, (const char *)values + k * sl_type_size(type));
    if (type == SL_FP32 || type == SL_FP64)
        return sl_scalar_cast(value, SL_FP64).as.fp64_;
    if (type == SL_UINT64)
        return value.as.uint64_;
    return sl_scalar_cast(value, SL_INT64).as.int64_;
}

static edge make_edge(uint64_t u, uint64_t v, long double weight)
{
    return (edge){u < v ? u : v, u < v ? v : u, weight};
}

static int by_weight(const void *x, const void *y)
{
    const edge *a = x, *b = y;
    return a->weight < b->weight ? -1 : a->weight > b->weight;
}

static int by_ends(const void *x, const void *y)
{
    const edge *a = x, *b = y;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return by_weight(x, y);
}

static void start_sets(lists *l, uint64_t n)
{
    for (uint64_t v = 0; v < n; v++)
        l->parent[v] = v;
}

/* Joins the sets of u and v; false if they are one. */
static bool join(lists *l, uint64_t u, uint64_t v)
{
    uint64_t *parent = l->parent;
    while (parent[u] != u)
        u = parent[u] = parent[parent[u]];
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    parent[u > v ? u : v] = u > v ? v : u;
    return u != v;
}

/* The edges of the forest are edges of the graph with their weights, and form no cycle. */
static bool is_forest(sl_check_result *result, const sl_graph_view *graph, const sl_arrays *forest,
                      lists *l)
{
    uint64_t mirrored = 0;
    start_sets(l, graph->vertices);
    for (uint64_t k = 0; k < forest->nvals; k++) {
        const uint64_t u = forest->rows[k], v = forest->cols[k];
        const long double weight = value_at(forest->type, forest->values, k);
        const edge key = make_edge(u, v, -(long double)INFINITY);
        uint64_t from = 0, to = l->count; /* the first edge with these ends: the lightest */
        while (from < to) {
            const uint64_t middle = from + (to - from) / 2;
            if (by_ends(&l->edges[middle], &key) < 0)
                from = middle + 1;
            else
                to = middle;
        }
        const edge *found = &l->edges[from];
        if (u == v || from == l->count || found->low != key.low || found->high != key.high)
            return sl_check_fail(result, "the graph has no edge between %" PRIu64 " and %" PRIu64,
                                 sl_view_id(graph, u), sl_view_id(graph, v));
        if (found->weight != weight)
            return sl_check_fail(result,
                                 "the edge between %" PRIu64 " and %" PRIu64
                                 " has the weight %Lg in the forest, but %Lg in the graph",
                                 sl_view_id(graph, u), sl_view_id(graph, v), weight, found->weight);
        mirrored += u > v;
        if (u > v)
            continue;
        if (!join(l, u, v))
            return sl_check_fail(result,
                                 "the edge between %" PRIu64 " and %" PRIu64 " closes a cycle",
                                 sl_view_id(graph, u), sl_view_id(graph, v));
        l->tree[l->tree_count++] = make_edge(u, v, weight);
    }
    if (2 * mirrored != forest->nvals)
        return sl_check_fail(result,
                             "the forest is not symmetric: %" PRIu64 " of %" PRIu64
                             " entries are below the diagonal",
                             mirrored, forest->nvals);
    return true;
}

/* Kruskal's algorithm finds the weights of l->tree. */
static bool is_least(sl_check_result *result, uint64_t n, lists *l)
{
    uint64_t chosen = 0;
    qsort(l->edges, l->count, sizeof *l->edges, by_weight);
    qsort(l->tree, l->tree_count, sizeof *l->tree, by_weight);
    start_sets(l, n);
    for (uint64_t k = 0; k < l->count; k++) {
        const edge *e = &l->edges[k];
        if (!join(l, e->low, e->high))
            continue;
        if (chosen < l->tree_count && l->tree[chosen].weight != e->weight)
            return sl_check_fail(result,
                                 "edge %" PRIu64 " of the forest by weight has the weight %Lg, but "
                                 "that of a minimum spanning forest has %Lg",
                                 chosen + 1, l->tree[chosen].weight, e->weight);
        chosen++;
    }
    return chosen == l->tree_count ||
           sl_check_fail(result,
                         "the forest has %" PRIu64 " edges, but a spanning one has %" PRIu64,
                         l->tree_count, chosen);
}

static bool summary_holds(sl_check_result *result, uint64_t n, const lists *l,
                          const sl_forest_summary *s)
{
    long double sum = 0, size = 0;
    for (uint64_t k = 0; k < l->tree_count; k++) {
        sum += l->tree[k].weight;
        size += fabsl(l->tree[k].weight);
    }
    if (s->edges != l->tree_count || s->trees != n - l->tree_count)
        return sl_check_fail(result,
                             "the forest has %" PRIu64 " edges and %" PRIu64 " trees, not %" PRIu64
                             " and %" PRIu64,
                             l->tree_count, n - l->tree_count, s->edges, s->trees);
    if (isfinite(size) ? fabsl(sum - s->weight) > 1e-9L * size
                       : !(sum == s->weight || (isnan(sum) && isnan(s->weight))))
        return sl_check_fail(result, "the sum of the weights is %Lg, not %g", sum, s->weight);
    return true;
}

sl_status sl_check_spanning_forest(sl_check_result *result, const sl_csr *rows,
                                   const sl_arrays *forest, const sl_forest_summary *summary)
{
    if (!rows || !forest || !summary || !rows->start || (forest->nvals > 0 && !forest->rows))
        return SL_INVALID;
    const sl_graph_view graph = sl_view_of(rows);
    const uint64_t n = rows->nrows;
    sl_status status = sl_check_start(result, &graph);
    if (status != SL_OK)
        return status;
    for (uint64_t k = 0; k < forest->nvals; k++)
        if (forest->rows[k] >= n || forest->cols[k] >= n) {
            sl_check_fail(result, "the forest has an entry (%" PRIu64 ", %" PRIu64 ")",
                          forest->rows[k], forest->cols[k]);
            return SL_OK;
        }
    lists l = {.count = rows->start[n]};
    l.edges = sl_malloc((l.count + 1) * sizeof *l.edges);
    l.tree = sl_malloc((forest->nvals + 1) * sizeof *l.tree);
    l.parent = sl_malloc((n + 1) * sizeof *l.parent);
    if (!l.edges || !l.tree || !l.parent)
        status = SL_NO_MEMORY;
    for (uint64_t u = 0; status == SL_OK && u < n; u++)
        for (uint64_t e = rows->start[u]; e < rows->start[u + 1]; e++)
            l.edges[e] = make_edge(u, rows->index[e], value_at(rows->type, rows->values, e));
    if (status == SL_OK) {
        qsort(l.edges, l.count, sizeof *l.edges, by_ends);
        result->valid = is_forest(result, &graph, forest, &l) && is_least(result, n, &l) &&
                        summary_holds(result, n, &l, summary);
    }
    sl_free(l.edges);
    sl_free(l.tree);
    sl_free(l.parent);
    return status;
}
