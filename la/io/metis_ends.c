/* What is wrong where the two ends of an edge do not name each other. */
#include "metis.h"

ends_fault unanswered(const named_edges *edges, open_edges open, uint64_t vertex)
{
    return (ends_fault){
        .fault = ENDS_UNANSWERED, .vertex = vertex, .neighbour = edges->col[open.next]};
}

ends_fault unanswering(const named_edges *edges, open_edges open, uint64_t vertex,
                       uint64_t neighbour, int64_t weight)
{
    const uint64_t k = open.next;
    if (k == open.end || edges->col[k] > vertex)
        return (ends_fault){.fault = ENDS_UNANSWERED, .vertex = vertex, .neighbour = neighbour};
    if (edges->col[k] < vertex) /* whose turn is over */
        return unanswered(edges, open, neighbour);
    return (ends_fault){ENDS_WEIGHTS, vertex, neighbour, weight, edges->weight[k]};
}
