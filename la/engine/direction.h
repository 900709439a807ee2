/*
 * The cost model of push and pull, shared by all engines, on the host and in CUDA kernels.
 *
 * Push examines every edge of the frontier. Pull examines, for each unvisited vertex, its in-edges
 * until one comes from the frontier. If edges are independent of the frontier, that takes 1 / p
 * edges, where p is the frontier's part of all edges, but never more than the edges of the
 * unvisited vertices. Beamer, Asanovic and Patterson ("Direction-Optimizing Breadth-First Search",
 * SC 2012) choose by thresholds on the same counts; Kolganov's thresholds ("The fastest and
 * energy-efficient breadth-first search algorithm on a single node", 2018, figure 3) are an option.
 */
#ifndef SEMLA_DIRECTION_H
#define SEMLA_DIRECTION_H

#include <stdbool.h>

#ifdef __CUDACC__
#define SL_DIRECTION_INLINE __host__ __device__ inline
#else
#define SL_DIRECTION_INLINE static inline
#endif

/* The counts before a level. Doubles, as all formulas are ratios. */
typedef struct {
    double vertices, edges;            /* of the graph */
    double frontier, frontier_edges;   /* frontier_edges: what push examines */
    double unvisited, unvisited_edges; /* unvisited_edges: what pull examines at most */
    double last_frontier, last_edges;  /* of the frontier before: for Kolganov's rule alone */
    bool pulling;                      /* the level before was a pull: likewise */
} sl_level_counts;

/* The costs of an engine's levels, in edges that a push examines, and Kolganov's thresholds. */
typedef struct {
    double row;         /* push: per vertex of the frontier, besides its edges */
    double edge;        /* pull: per edge that it is expected to examine */
    double vertex;      /* pull: per unvisited vertex */
    double bit;         /* pull: per vertex of the graph, for its bit of the visited bitmap */
    double fixed;       /* pull: fixed cost beyond a push's, for instance messages; may be < 0 */
    double alpha, beta; /* Kolganov's; alpha = 0: the costs above decide */
} sl_direction_policy;

/* Edges that a pull of the next level is expected to examine. */
SL_DIRECTION_INLINE double sl_expected_pull_edges(const sl_level_counts *c)
{
    const double hit = c->edges > 0 ? c->frontier_edges / c->edges : 0;
    const double expected = hit > 0 ? c->unvisited / hit : c->unvisited_edges;
    return expected < c->unvisited_edges ? expected : c->unvisited_edges;
}

/*
 * Kolganov's change_state: while frontiers grow, switch from push to pull when the last level had
 * many edges, and not back; while they shrink, pull as long as the frontier has many vertices.
 */
SL_DIRECTION_INLINE bool sl_kolganov_pulls(const sl_level_counts *c,
                                           const sl_direction_policy *policy)
{
    const double factor = c->edges / c->vertices / 2;
    const double remaining = (c->vertices - c->frontier) * factor + c->vertices;
    if (c->frontier > c->last_frontier)
        return c->pulling || c->last_edges >= remaining / policy->alpha;
    return c->frontier >= remaining / (factor * policy->beta);
}

/* Whether the next level pulls. */
SL_DIRECTION_INLINE bool sl_next_level_pulls(const sl_level_counts *c,
                                             const sl_direction_policy *policy)
{
    if (policy->alpha > 0)
        return sl_kolganov_pulls(c, policy);
    const double push = c->frontier_edges + policy->row * c->frontier;
    const double pull = policy->edge * sl_expected_pull_edges(c) + policy->vertex * c->unvisited +
                        policy->bit * c->vertices + policy->fixed;
    return pull < push;
}

#endif
