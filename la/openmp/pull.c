/*
 * Pull (bottom-up level): each missing vertex, by words of the visited bitmap, searches its
 * in-edges for a vertex of the frontier. In-edges ascend in the caller's order, so the first hit is
 * the least parent, and from the other end the greatest. Each word has one writer, so no atomics
 * are needed.
 */
#include "openmp/search.h"

/* The words of 64 vertices that a thread takes at once. */
enum { WORDS_AT_ONCE = 64 };

/* The first in-neighbour of v in the frontier, or the last one; adds the edges examined. */
static inline bool first_parent(const search *s, uint64_t v, uint64_t *parent, uint64_t *examined)
{
    for (uint64_t e = s->graph.in_start[v]; e < s->graph.in_start[v + 1]; e++) {
        uint64_t u = s->graph.in_index[e];
        if (bit_test(s->frontier, u)) {
            *examined += e - s->graph.in_start[v] + 1;
            *parent = u;
            return true;
        }
    }
    *examined += s->graph.in_start[v + 1] - s->graph.in_start[v];
    return false;
}

static inline bool last_parent(const search *s, uint64_t v, uint64_t *parent, uint64_t *examined)
{
    for (uint64_t e = s->graph.in_start[v + 1]; e > s->graph.in_start[v]; e--) {
        uint64_t u = s->graph.in_index[e - 1];
        if (bit_test(s->frontier, u)) {
            *examined += s->graph.in_start[v + 1] - e + 1;
            *parent = u;
            return true;
        }
    }
    *examined += s->graph.in_start[v + 1] - s->graph.in_start[v];
    return false;
}

void sl_openmp_pull(search *s, sl_iteration *step)
{
    uint64_t count = 0, edges = 0, examined = 0;
    bool shared = s->threads > 1 && s->pull_work > SL_SERIAL_EDGES;
#pragma omp parallel for num_threads(s->threads) schedule(dynamic, WORDS_AT_ONCE)                  \
    reduction(+ : count, edges, examined) if (shared)
    for (uint64_t w = 0; w < s->graph.words; w++) {
        uint64_t missing = ~s->visited[w], hits = 0;
        if (w == s->graph.words - 1)
            missing &= ((uint64_t)1 << (s->graph.n % 64)) - 1;
        for (; missing; missing &= missing - 1) {
            uint64_t bit = (uint64_t)__builtin_ctzll(missing), v = 64 * w + bit, u = 0;
            if (s->out.choice == SL_MONOID_MAX ? !last_parent(s, v, &u, &examined)
                                               : !first_parent(s, v, &u, &examined))
                continue;
            hits |= (uint64_t)1 << bit;
            set_parent(s, v, u);
            set_level(s, v);
            edges += degree(s, v);
        }
        s->next_frontier[w] = hits;
        s->visited[w] |= hits;
        count += (uint64_t)__builtin_popcountll(hits);
    }
    uint64_t *swap = s->frontier;
    s->frontier = s->next_frontier;
    s->next_frontier = swap;
    step->edges = examined;
    s->plan.frontier = count;
    s->plan.push_edges = edges;
}
