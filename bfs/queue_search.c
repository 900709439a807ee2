/*
 * Breadth-first search with a queue, one thread, O(vertices + edges): the reference for all other
 * searches. The queue is an array of all vertices in the order in which they are reached.
 */
#include <semla/bfs.h>

sl_status sl_queue_search(int64_t *level, int64_t *parent, const sl_graph_view *graph,
                          uint64_t source)
{
    if (!level || !graph || (graph->vertices > 0 && !graph->start))
        return SL_INVALID;
    const uint64_t n = graph->vertices;
    if (source >= n)
        return SL_OUT_OF_RANGE;
    uint64_t *queue = sl_malloc(n * sizeof(uint64_t));
    if (!queue)
        return SL_NO_MEMORY;

    for (uint64_t v = 0; v < n; v++)
        level[v] = SL_UNREACHED;
    for (uint64_t v = 0; parent && v < n; v++)
        parent[v] = SL_UNREACHED;
    level[source] = 0;
    if (parent)
        parent[source] = (int64_t)source;
    queue[0] = source;

    for (uint64_t head = 0, tail = 1; head < tail; head++) {
        const uint64_t u = queue[head];
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++) {
            const uint64_t v = graph->index[e];
            if (level[v] == SL_UNREACHED) {
                level[v] = level[u] + 1;
                if (parent)
                    parent[v] = (int64_t)u;
                queue[tail++] = v;
            } else if (parent && level[v] == level[u] + 1 && (int64_t)u < parent[v]) {
                parent[v] = (int64_t)u;
            }
        }
    }
    sl_free(queue);
    return SL_OK;
}
