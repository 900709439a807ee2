/*
 * Private to the kernels: vertices of trees that a layout leaves out (prune.c). Their parents and
 * depths follow from the vertex searched that the tree hangs from, its root, unless the search
 * began in the same tree: then the way from there up to the root is turned around.
 */
#ifndef SEMLA_CUDA_TREES_CUH
#define SEMLA_CUDA_TREES_CUH

#include "layout_kernels.h"

/* Where v's root is, by its new_id: a vertex searched is its own. */
__device__ inline uint32_t root_of(const cuda_graph &g, uint32_t new_id)
{
    return g.tree_parent && new_id != CUDA_NO_VERTEX ? new_id & ~(CUDA_IN_TREE | CUDA_DEEP_IN_TREE) : new_id;
}

/* True for the new_id of a vertex that hangs. */
__device__ inline bool hangs(const cuda_graph &g, uint32_t new_id)
{
    return g.tree_parent && new_id != CUDA_NO_VERTEX && new_id & CUDA_IN_TREE;
}

/* Steps from v, in the caller's numbers, up to its root. */
__device__ inline uint32_t height_of(const cuda_graph &g, uint32_t v)
{
    uint32_t steps = 0;
    if (g.tree_parent)
        for (v = __ldg(g.tree_parent + v); v != CUDA_NO_VERTEX; v = __ldg(g.tree_parent + v))
            steps++;
    return steps;
}

/* Steps between two vertices of one tree: from both up to where the ways meet. */
__device__ inline uint32_t steps_between(const cuda_graph &g, uint32_t u, uint32_t v)
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
