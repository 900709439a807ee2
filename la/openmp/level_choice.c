/* The state of a search between two levels: counts, the direction of the next level, bounds. */
#include "openmp/search.h"

/*
 * The cost of a pull in degree order, per edge and per unvisited vertex, in edges of a push. It is
 * less than the plan expects: the plan assumes that neighbours are visited with equal probability,
 * but in degree order those most likely visited are first. Measured.
 */
static const double reordered_edge = 0.3, reordered_vertex = 0.5;

sl_level_counts sl_openmp_level_counts(const search *s)
{
    return (sl_level_counts){.vertices = (double)s->graph.n,
                             .edges = (double)s->graph.edges,
                             .frontier = (double)s->plan.frontier,
                             .frontier_edges = (double)s->plan.push_edges,
                             .unvisited = (double)s->plan.unvisited,
                             .unvisited_edges = (double)s->plan.unvisited_edges,
                             .last_frontier = (double)s->prev_frontier,
                             .last_edges = (double)s->prev_edges,
                             .pulling = s->in_bits};
}

bool sl_openmp_pulls(const search *s, const sl_level_counts *counts)
{
    sl_direction_policy policy = sl_plan_policy;
    if (s->graph.degree_order)
        policy = (sl_direction_policy){.edge = s->model.weight * reordered_edge,
                                       .vertex = s->model.weight * reordered_vertex};
    policy.alpha = s->model.alpha;
    policy.beta = s->model.beta;
    return sl_next_level_pulls(counts, &policy);
}

sl_direction sl_openmp_direction(const run *r, const search *s)
{
    const sl_level_counts counts = sl_openmp_level_counts(s);
    if (r->options->direction != SL_AUTO)
        return r->options->direction;
    return sl_openmp_pulls(s, &counts) ? SL_PULL : SL_PUSH;
}

void sl_openmp_count_visited(search *s)
{
    sl_plan *p = &s->plan;
    p->unvisited -= p->frontier;
    p->unvisited_edges -= p->push_edges < p->unvisited_edges ? p->push_edges : p->unvisited_edges;
}

bool sl_openmp_is_bounded(const run *r, int64_t level)
{
    return r->options->bounded && (uint64_t)level > r->options->max_iterations;
}
