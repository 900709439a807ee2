/*
 * Vertices of pruned trees (prune.c), for the pass that writes a search's results. Such a vertex is
 * visited if the root of its tree is, and its parent and level follow from the root's. The
 * exception is a search whose source is in the same tree: there the path from the source up to the
 * root is reversed.
 */
#ifndef SEMLA_CUDA_PRUNED_TREES_CUH
#define SEMLA_CUDA_PRUNED_TREES_CUH

#include "cuda/reorder/graph_view.h"

/* The vertex that the kernels traverse for a vertex with this new_id: the root of its tree, or the
 * vertex itself. */
__device__ inline uint32_t root_of(const cuda_graph &g, uint32_t new_id)
{
    return g.tree_parent && new_id != CUDA_NO_VERTEX ? new_id & ~(CUDA_IN_TREE | CUDA_DEEP_IN_TREE)
                                                     : new_id;
}

/* Whether this new_id is that of a pruned vertex. */
__device__ inline bool in_tree(const cuda_graph &g, uint32_t new_id)
{
    return g.tree_parent && new_id != CUDA_NO_VERTEX && new_id & CUDA_IN_TREE;
}

/* The number of edges from v (a caller's id) up to the root of its tree; 0 if v is not pruned. */
__device__ inline uint32_t height_of(const cuda_graph &g, uint32_t v)
{
    uint32_t steps = 0;
    if (g.tree_parent)
        for (v = __ldg(g.tree_parent + v); v != CUDA_NO_VERTEX; v = __ldg(g.tree_parent + v))
            steps++;
    return steps;
}

/* The number of edges between two vertices (caller's ids) of one tree: both paths go up until they
 * meet.
 */
__device__ inline uint32_t tree_distance(const cuda_graph &g, uint32_t u, uint32_t v)
{
    uint32_t height = height_of(g, u), other = height_of(g, v), steps = 0;
    for (; u != v; steps++)
        if (height >= other) {
            u = __ldg(g.tree_parent + u);
            height--;
        } else {
            v = __ldg(g.tree_parent + v);
            other--;
        }
    return steps;
}

#endif
