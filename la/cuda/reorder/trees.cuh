/*
 * Private to the kernels: vertices of trees that a layout leaves out (prune.c). Their parents and
 * depths follow from the vertex searched that the tree hangs from, its root, unless the search
 * began in the same tree: then the way from there up to the root is turned around.
 */
#ifndef SEMLA_CUDA_TREES_CUH
#define SEMLA_CUDA_TREES_CUH

#include "layout_kernels.h"

/* Where v's root is, by its place: a vertex searched is its own. */
__device__ inline uint32_t root_of(const cuda_adjacency &g, uint32_t place)
{
    return g.up && place != CUDA_NOWHERE ? place & ~(CUDA_HANGS | CUDA_FAR) : place;
}

/* True for the place of a vertex that hangs. */
__device__ inline bool hangs(const cuda_adjacency &g, uint32_t place)
{
    return g.up && place != CUDA_NOWHERE && place & CUDA_HANGS;
}

/* Steps from v, in the caller's numbers, up to its root. */
__device__ inline uint32_t height_of(const cuda_adjacency &g, uint32_t v)
{
    uint32_t steps = 0;
    if (g.up)
        for (v = __ldg(g.up + v); v != CUDA_NOWHERE; v = __ldg(g.up + v))
            steps++;
    return steps;
}

/* Steps between two vertices of one tree: from both up to where the ways meet. */
__device__ inline uint32_t steps_between(const cuda_adjacency &g, uint32_t u, uint32_t v)
{
    uint32_t height = height_of(g, u), other = height_of(g, v), steps = 0;
    for (; u != v; steps++)
        if (height >= other) {
            u = __ldg(g.up + u);
            height--;
        } else {
            v = __ldg(g.up + v);
            other--;
        }
    return steps;
}

#endif
