/*
 * Shortest paths by their certificate. If no edge (u, v) leads to v sooner than
 * distance(v), no path does; if tight edges, those that lead there just then, make
 * a way from the source to v, there is a path of that length.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <semla/checks.h>
#include <semla/check_tools.h>

typedef struct {
    sl_graph_view graph;
    const sl_csr *rows;
    uint64_t source;
    const int64_t *whole; /* the distances: one of the two */
    const double *real;
    const int64_t *parent;
    sl_check_result *verdict;
} claim;

static bool is_reached(const claim *c, uint64_t v)
{
    return c->real ? !(c->real[v] == INFINITY) : c->whole[v] != INT64_MAX;
}

static sl_scalar length_of(const claim *c, uint64_t edge)
{
    const sl_type type = c->real ? SL_FP64 : SL_INT64;
    if (!c->rows->values || c->rows->type == SL_BOOL)
        return sl_scalar_cast(sl_scalar_int64(1), type);
    const char *values = c->rows->values;
    return sl_scalar_cast(
        sl_scalar_load(c->rows->type, values + edge * sl_type_size(c->rows->type)), type);
}

/* distance(u) + length against distance(v): below, equal or above 0. */
static int compare(const claim *c, uint64_t u, uint64_t edge, uint64_t v)
{
    const sl_scalar length = length_of(c, edge);
    if (c->real) {
        const double there = c->real[u] + length.as.fp64_;
        return there == c->real[v] ? 0 : there > c->real[v] ? 1 : -1; /* NaN: -1 */
    }
    int64_t there;
    if (__builtin_add_overflow(c->whole[u], length.as.int64_, &there))
        there = c->whole[u] < 0 ? INT64_MIN : INT64_MAX;
    return (there > c->whole[v]) - (there < c->whole[v]);
}

static bool edges_hold(const claim *c)
{
    const sl_graph_view *g = &c->graph;
    for (uint64_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->start[u]; is_reached(c, u) && e < g->start[u + 1]; e++) {
            const uint64_t v = g->index[e];
            if (!is_reached(c, v))
                return sl_check_fail(c->verdict,
                                 "vertex %" PRIu64
                                 " has no distance, but there is an edge to it from %" PRIu64,
                                 v, u);
            if (compare(c, u, e, v) < 0)
                return sl_check_fail(c->verdict,
                                 "the edge from %" PRIu64 " to %" PRIu64
                                 " leads there sooner than its distance",
                                 u, v);
        }
    return true;
}

static bool parent_holds(const claim *c, uint64_t v)
{
    const int64_t p = c->parent[v];
    uint64_t edge;
    if (is_reached(c, v) != (p != SL_UNREACHED))
        return sl_check_fail(c->verdict, "vertex %" PRIu64 " has a %s but no %s", v,
                         is_reached(c, v) ? "distance" : "parent",
                         is_reached(c, v) ? "parent" : "distance");
    if (p == SL_UNREACHED)
        return true;
    if (p < 0 || (uint64_t)p >= c->graph.vertices || !is_reached(c, (uint64_t)p))
        return sl_check_fail(c->verdict, "vertex %" PRIu64 " has parent %" PRId64, v, p);
    if (v == c->source)
        return p == (int64_t)v ||
               sl_check_fail(c->verdict, "the source %" PRIu64 " has parent %" PRId64, v, p);
    if (!sl_has_edge(&c->graph, (uint64_t)p, v, &edge))
        return sl_check_fail(c->verdict,
                         "vertex %" PRIu64 " has parent %" PRId64 ", but there is no edge from it",
                         v, p);
    if (compare(c, (uint64_t)p, edge, v) != 0)
        return sl_check_fail(c->verdict,
                         "vertex %" PRIu64 " has parent %" PRId64
                         ", but the edge from it leads there later",
                         v, p);
    return true;
}

/* Marks all that tight edges, or those of the tree, lead to from the source. */
static void mark_supported(const claim *c, uint64_t *stack, bool *marked)
{
    const sl_graph_view *g = &c->graph;
    uint64_t height = 1;
    stack[0] = c->source;
    marked[c->source] = true;
    while (height > 0) {
        const uint64_t u = stack[--height];
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++) {
            const uint64_t v = g->index[e];
            if (marked[v] || (c->parent ? c->parent[v] != (int64_t)u : compare(c, u, e, v) != 0))
                continue;
            marked[v] = true;
            stack[height++] = v;
        }
    }
}

static bool support_holds(const claim *c, const bool *marked)
{
    for (uint64_t v = 0; v < c->graph.vertices; v++)
        if (is_reached(c, v) && !marked[v])
            return sl_check_fail(c->verdict,
                             "no way of %s edges leads from the source to vertex %" PRIu64,
                             c->parent ? "the tree's" : "tight", v);
    return true;
}

static bool claim_holds(const claim *c, uint64_t *stack, bool *marked)
{
    if (c->real ? c->real[c->source] != 0 : c->whole[c->source] != 0)
        return sl_check_fail(c->verdict, "the source %" PRIu64 " has a distance other than 0",
                         c->source);
    if (!edges_hold(c))
        return false;
    for (uint64_t v = 0; c->parent && v < c->graph.vertices; v++)
        if (!parent_holds(c, v))
            return false;
    mark_supported(c, stack, marked);
    return support_holds(c, marked);
}

sl_status sl_check_sssp(sl_check_result *verdict, const sl_csr *graph, uint64_t source,
                        const void *distance, const int64_t *parent)
{
    const sl_graph_view view = graph ? (sl_graph_view){graph->nrows, graph->start, graph->index}
                                     : (sl_graph_view){0, NULL, NULL};
    sl_status status = sl_check_start(verdict, &view);
    if (status != SL_OK || !distance)
        return SL_INVALID;
    if (source >= view.vertices)
        return SL_OUT_OF_RANGE;
    claim c = {view, graph, source, NULL, NULL, parent, verdict};
    if (graph->type == SL_FP32 || graph->type == SL_FP64)
        c.real = distance;
    else
        c.whole = distance;
    uint64_t *stack = sl_malloc(view.vertices * sizeof *stack);
    bool *marked = sl_calloc(view.vertices, sizeof *marked);
    if (stack && marked)
        verdict->valid = claim_holds(&c, stack, marked);
    else
        status = SL_NO_MEMORY;
    sl_free(stack);
    sl_free(marked);
    return status;
}

sl_status sl_distance_array(void **distance, const sl_vector *v)
{
    if (distance)
        *distance = NULL;
    sl_context *ctx = v ? sl_vector_context(v) : NULL;
    if (!distance || !v)
        return sl_fail(ctx, SL_INVALID, "distance array: argument is NULL");
    const sl_type type = sl_vector_type(v);
    if (type != SL_INT64 && type != SL_FP64)
        return sl_fail(ctx, SL_MISMATCH, "distance array: the vector is of type %s",
                       sl_type_name(type));
    const sl_scalar none = type == SL_FP64 ? sl_scalar_fp64(INFINITY) : sl_scalar_int64(INT64_MAX);
    const uint64_t size = sl_vector_size(v);
    sl_arrays all = {0};
    char *filled = sl_malloc((size + 1) * 8);
    sl_status status = sl_agree(
        ctx, filled ? SL_OK
                    : sl_fail(ctx, SL_NO_MEMORY, "distance array: no memory for %" PRIu64, size));
    if (status == SL_OK)
        status = sl_vector_copy_whole(&all, v);
    if (status == SL_OK) {
        for (uint64_t i = 0; i < size; i++)
            memcpy(filled + 8 * i, &none.as, 8);
        for (uint64_t k = 0; k < all.nvals; k++)
            memcpy(filled + 8 * all.rows[k], (const char *)all.values + 8 * k, 8);
        *distance = filled;
        filled = NULL;
    }
    sl_arrays_free(&all);
    sl_free(filled);
    return status;
}
