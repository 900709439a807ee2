/* Private to sssp: what distances say of the edges. */
#ifndef SEMLA_BFS_SSSP_H
#define SEMLA_BFS_SSSP_H

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/*
 * The tree over the edges (u, v) with distance(u) + length = distance(v), by a
 * search from the source. Edges' lengths are of the distances' type.
 */
sl_status sl_sssp_tree(sl_vector **parent, const sl_matrix *lengths, const sl_vector *distance,
                       uint64_t source);

/*
 * A vertex of a cycle of negative length, as far as tentative distances show
 * one; else SL_NO_VALUE. If one is reached, it shows once the distances have
 * been lowered around it, often long before as many steps as there are vertices
 * (Cherkassky and Goldberg, "Negative-cycle detection algorithms", 1999).
 */
sl_status sl_sssp_find_cycle(uint64_t *vertex, const sl_matrix *lengths, const sl_vector *distance);

#endif
