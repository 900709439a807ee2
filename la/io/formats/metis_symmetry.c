/* Describes violations of symmetry for the messages of the METIS reader and writer. */
#include "io/formats/metis.h"

symmetry_error missing_mirror(const upper_edges *edges, unmatched_edges open, uint64_t vertex)
{
    return (symmetry_error){
        .kind = MISSING_MIRROR, .vertex = vertex, .neighbour = edges->col[open.next]};
}

symmetry_error mirror_mismatch(const upper_edges *edges, unmatched_edges open, uint64_t vertex,
                               uint64_t neighbour, int64_t weight)
{
    const uint64_t k = open.next;
    if (k == open.end || edges->col[k] > vertex)
        return (symmetry_error){.kind = MISSING_MIRROR, .vertex = vertex, .neighbour = neighbour};
    if (edges->col[k] <
        vertex) /* rows up to `vertex` have been visited, so this edge is never matched */
        return missing_mirror(edges, open, neighbour);
    return (symmetry_error){WEIGHTS_DIFFER, vertex, neighbour, weight, edges->weight[k]};
}
