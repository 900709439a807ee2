/*
 * The check of shortest paths by certificate. If no edge (u, v) has distance(u) + length <
 * distance(v), no path is shorter than the distances. If tight edges, those with equality, lead
 * from the source to v, there is a path of that length. O(edges).
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bfs/check_tools.h"

/* The result that is checked. */
typedef struct {
    sl_graph_view graph;
    const sl_csr *rows; /* the same graph with the lengths */
    uint64_t source;
    const int64_t *whole;  /* the distances if they are integers, otherwise NULL */
    const double *real;    /* the distances if they are not */
    const int64_t *parent; /* or NULL */
    sl_check_result *result;
} paths;

/* The ids by which messages name a vertex, and an element of `parent`. */
static uint64_t id_of(const paths *c, uint64_t vertex)
{
    return sl_view_id(&c->graph, vertex);
}

static int64_t parent_id(const paths *c, int64_t parent)
{
    return sl_view_signed_id(&c->graph, parent);
}

static bool is_reached(const paths *c, uint64_t v)
{
    return c->real ? !(c->real[v] == INFINITY) : c->whole[v] != INT64_MAX;
}

static sl_scalar length_of(const paths *c, uint64_t edge)
{
    const sl_type type = c->real ? SL_FP64 : SL_INT64;
    if (!c->rows->values || c->rows->type == SL_BOOL)
        return sl_scalar_cast(sl_scalar_int64(1), type);
    const char *values = c->rows->values;
    const sl_scalar length =
        sl_scalar_load(c->rows->type, values + edge * sl_type_size(c->rows->type));
    if (length.type == SL_UINT64 && length.as.uint64_ > INT64_MAX)
        return sl_scalar_int64(INT64_MAX); /* longer than every distance */
    return sl_scalar_cast(length, type);
}

/* Compares distance(u) + length with distance(v): -1, 0 or 1 if it is less, equal or greater. */
static int compare(const paths *c, uint64_t u, uint64_t edge, uint64_t v)
{
    const sl_scalar length = length_of(c, edge);
    if (c->real) {
        const double sum = c->real[u] + length.as.fp64_;
        return sum == c->real[v] ? 0 : sum > c->real[v] ? 1 : -1; /* NaN: -1 */
    }
    int64_t sum;
    if (__builtin_add_overflow(c->whole[u], length.as.int64_, &sum))
        sum = c->whole[u] < 0 ? INT64_MIN : INT64_MAX;
    return (sum > c->whole[v]) - (sum < c->whole[v]);
}

static bool edges_hold(const paths *c)
{
    const sl_graph_view *g = &c->graph;
    for (uint64_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->start[u]; is_reached(c, u) && e < g->start[u + 1]; e++) {
            const uint64_t v = g->index[e];
            if (!is_reached(c, v))
                return sl_check_fail(c->result,
                                     "vertex %" PRIu64
                                     " has no distance, but there is an edge to it from %" PRIu64,
                                     id_of(c, v), id_of(c, u));
            if (compare(c, u, e, v) < 0)
                return sl_check_fail(c->result,
                                     "the edge from %" PRIu64 " to %" PRIu64
                                     " gives a shorter path to %" PRIu64 " than its distance",
                                     id_of(c, u), id_of(c, v), id_of(c, v));
        }
    return true;
}

static bool parent_holds(const paths *c, uint64_t v)
{
    const int64_t p = c->parent[v];
    uint64_t edge;
    if (is_reached(c, v) != (p != SL_UNREACHED))
        return sl_check_fail(c->result, "vertex %" PRIu64 " has a %s but no %s", id_of(c, v),
                             is_reached(c, v) ? "distance" : "parent",
                             is_reached(c, v) ? "parent" : "distance");
    if (p == SL_UNREACHED)
        return true;
    if (p < 0 || (uint64_t)p >= c->graph.vertices || !is_reached(c, (uint64_t)p))
        return sl_check_fail(c->result, "vertex %" PRIu64 " has parent %" PRId64, id_of(c, v),
                             parent_id(c, p));
    if (v == c->source)
        return p == (int64_t)v ||
               sl_check_fail(c->result, "the source %" PRIu64 " has parent %" PRId64, id_of(c, v),
                             parent_id(c, p));
    if (!sl_has_edge(&c->graph, (uint64_t)p, v, &edge))
        return sl_check_fail(
            c->result, "vertex %" PRIu64 " has parent %" PRId64 ", but there is no edge from it",
            id_of(c, v), parent_id(c, p));
    if (compare(c, (uint64_t)p, edge, v) != 0)
        return sl_check_fail(c->result,
                             "vertex %" PRIu64 " has parent %" PRId64
                             ", but the path over that edge is longer than its distance",
                             id_of(c, v), parent_id(c, p));
    return true;
}

/* Marks the vertices that can be reached from the source by tight edges, or by edges of the tree.
 */
static void mark_reachable(const paths *c, uint64_t *stack, bool *marked)
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

static bool all_marked(const paths *c, const bool *marked)
{
    for (uint64_t v = 0; v < c->graph.vertices; v++)
        if (is_reached(c, v) && !marked[v])
            return sl_check_fail(c->result,
                                 "no path of %s edges from the source to vertex %" PRIu64,
                                 c->parent ? "tree" : "tight", id_of(c, v));
    return true;
}

static bool paths_hold(const paths *c, uint64_t *stack, bool *marked)
{
    if (c->real ? c->real[c->source] != 0 : c->whole[c->source] != 0)
        return sl_check_fail(c->result, "the source %" PRIu64 " has a distance other than 0",
                             id_of(c, c->source));
    if (!edges_hold(c))
        return false;
    for (uint64_t v = 0; c->parent && v < c->graph.vertices; v++)
        if (!parent_holds(c, v))
            return false;
    mark_reachable(c, stack, marked);
    return all_marked(c, marked);
}

sl_status sl_check_sssp(sl_check_result *result, const sl_csr *graph, uint64_t source,
                        const void *distance, const int64_t *parent)
{
    const sl_graph_view view = graph ? sl_view_of(graph) : (sl_graph_view){0};
    sl_status status = sl_check_start(result, &view);
    if (status != SL_OK || !distance)
        return SL_INVALID;
    if (source >= view.vertices)
        return SL_OUT_OF_RANGE;
    paths c = {view, graph, source, NULL, NULL, parent, result};
    if (graph->type == SL_FP32 || graph->type == SL_FP64)
        c.real = distance;
    else
        c.whole = distance;
    uint64_t *stack = sl_malloc(view.vertices * sizeof *stack);
    bool *marked = sl_calloc(view.vertices, sizeof *marked);
    if (stack && marked)
        result->valid = paths_hold(&c, stack, marked);
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
    const sl_type type = sl_vector_type(v);
    sl_status status = SL_OK;
    if (!distance || !v)
        status =
            sl_fail(ctx, SL_INVALID, "distance_array: %s is NULL", distance ? "v" : "distance");
    else if (type != SL_INT64 && type != SL_FP64)
        status = sl_fail(ctx, SL_MISMATCH,
                         "distance_array: the vector has the type %s; it must be int64 or fp64",
                         sl_type_name(type));
    status = sl_agree_arguments(ctx, status, "distance_array", "v %llu of type %d\n",
                                (unsigned long long)sl_vector_size(v), (int)type);
    if (status != SL_OK)
        return status;
    const sl_scalar none = type == SL_FP64 ? sl_scalar_fp64(INFINITY) : sl_scalar_int64(INT64_MAX);
    const uint64_t size = sl_vector_size(v);
    sl_arrays all = {0};
    char *filled = sl_malloc((size + 1) * 8);
    status =
        sl_agree(ctx, filled ? SL_OK
                             : sl_fail(ctx, SL_NO_MEMORY,
                                       "distance_array: no memory for %" PRIu64 " elements", size));
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
