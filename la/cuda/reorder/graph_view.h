/*
 * cuda_graph: a graph as the traversal kernels read it. It is either a view of the matrix's own
 * rows or the reordered copy that reorder_build.c makes. Included by C and CUDA sources.
 *
 * Reordered copy of a graph with hubs. Vertices are numbered by falling degree; vertices of equal
 * degree keep the caller's order; vertices without edges get no new id. The hubs are therefore a
 * short prefix of every bitmap, and the vertices with more than k neighbours are a prefix too.
 * Neighbours are ascending, so the first neighbour is the one of highest degree, which a search
 * most likely has visited.
 *
 *     new id v      0    1    2    3                                n-1
 *     degree     [ 900  612   40   40  ...  3    3    2    1    1    1 ]
 *     slot[0][v] [  *    *    *    *   ...  *    *    *    *    *    * ]   slot_count[0] = n
 *     slot[1][v] [  *    *    *    *   ...  *    *    * ]                  slot_count[1]
 *     slot[2][v] [  *    *    *    *   ...  *    * ]                       slot_count[2]
 *     slot[3][v] [  *    *    *    *   ... ]                               slot_count[3]
 *
 * slot[k][v] is the k-th neighbour of v: the interleaved adjacency (ELL) of Kolganov, "The fastest
 * and energy-efficient breadth-first search algorithm on a single node", 2018, section 3.2, without
 * its padding (jagged diagonals). The arrays start and index have all rows in compressed form;
 * vertices v < slot_count[ELL_SLOTS] have neighbours beyond the slots there.
 *
 * Ids.
 *
 *     old_id[v]   the caller's id of vertex v
 *     new_id[u]   for the caller's vertex u one of
 *       v                                        u is vertex v
 *       CUDA_NO_VERTEX                           u has no edges
 *       CUDA_IN_TREE | r                         u was pruned, and is a neighbour of
 *                                                vertex r, the root of its tree
 *       CUDA_IN_TREE | CUDA_DEEP_IN_TREE | r     u was pruned, and is further from r
 *
 * The flags occur only where tree_parent is not NULL; all v are then below 2^30.
 *
 * Graph with short rows (grids, road networks). It keeps the caller's ids (old_id is NULL) and has
 * the first four neighbours of each vertex in one record of 16 bytes:
 *
 *     ell4[v], v < n     { a, b, c, d }                  at most 4 neighbours; CUDA_NO_VERTEX
 *                                                        where there is none
 *                        { a, b, c, ELL4_OVERFLOW | k }  more: the row goes on in ell4[k]
 *     ell4[k], k >= n    the same encoding; there are overflow_rows of them
 */
#ifndef SEMLA_CUDA_GRAPH_VIEW_H
#define SEMLA_CUDA_GRAPH_VIEW_H

#include "cuda/data/order_kernels.h"
#include "cuda/reorder/reorder_tuning.h"

#define CUDA_IN_TREE      ((uint32_t)1 << 31)
#define CUDA_DEEP_IN_TREE ((uint32_t)1 << 30)
#define ELL4_OVERFLOW     ((uint32_t)1 << 31)

/* Pointers are borrowed and refer to device memory, except host_index: pinned memory of the host.
 */
typedef struct {
    uint32_t n;     /* vertices that the kernels traverse */
    uint32_t old_n; /* vertices of the caller's matrix */
    uint64_t edges; /* entries of the rows below */

    const uint32_t *old_id; /* n; NULL: ids are the caller's */
    const uint32_t *new_id; /* old_n; NULL likewise */

    /* Of a pruned vertex (prune.c) the next vertex towards the root of its tree, in caller's ids;
     * CUDA_NO_VERTEX for other vertices; old_n elements. NULL: nothing is pruned. */
    const uint32_t *tree_parent;
    uint32_t tree_vertices; /* pruned vertices */

    /*
     * The numbered vertices: the caller's vertices that have a new_id, pruned ones included, in the
     * caller's order (numbered_vertices.c). The pass that writes the results of a search reads them
     * sequentially. NULL without new ids.
     *   numbered         per 32 of the caller's ids: x has the bits of the numbered vertices, y is
     *                    the number of numbered vertices before these 32
     *   numbered_new_id  per numbered vertex: its new_id
     *   numbered_first   per numbered vertex, in caller's ids: its first neighbour, or its
     *                    tree_parent if it is pruned
     */
    const uint2 *numbered;
    const uint32_t *numbered_new_id, *numbered_first;

    /* Out-edges: n + 1 offsets into index, of 64 bits if `wide`, otherwise of 32. Columns are
     * ascending within a row. */
    bool wide;
    const void *start;
    const uint32_t *index;

    /* The columns of a reordered graph with wide offsets may be in three segments: column e is
     * index[e] for e < host_begin, host_index[e] for host_begin <= e < host_end, and tail_index[e]
     * from host_end on. host_begin is UINT64_MAX if all columns are in index. */
    uint64_t host_begin, host_end;
    const uint32_t *host_index, *tail_index;

    /* In-edges: the same arrays if the pattern is symmetric. in_index NULL: there are none, and no
     * level may pull. */
    const void *in_start;
    const uint32_t *in_index;

    const uint32_t *slot[ELL_SLOTS]; /* slot[0] NULL: there are no slots */
    uint32_t slot_count[ELL_SLOTS + 1];
    const uint32_t
        *word_degree; /* degrees of vertices 0, 32, 64, ...: one per bitmap word; or NULL */

    const uint4 *ell4; /* NULL: there are no records */
    uint32_t overflow_rows;
} cuda_graph;

#endif
