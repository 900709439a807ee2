/*
 * Pull on a graph in degree order, by words of 64 vertices. The first neighbours of all 64, which
 * are consecutive in memory (ell), are tested together; vertices still missing search the rest of
 * their rows. Each word has one writer, so no atomics are needed.
 */
#include "openmp/search.h"

enum { WORDS_AT_ONCE = 64 };

/* Words with fewer missing vertices test them one by one. */
enum { FEW = 24 };

typedef struct {
    uint64_t count, edges, examined;
} sums;

/* Searches the in-edges of v from number `from` on; adds the edges examined. */
static inline bool search_row(const search *s, uint64_t v, unsigned from, uint64_t *examined)
{
    const uint64_t first = s->graph.in_start[v] + from, end = s->graph.in_start[v + 1];
    for (uint64_t e = first; e < end; e++) {
        uint32_t u = s->graph.in_index[e];
        if (bit_test(s->frontier, u)) {
            *examined += e - first + 1;
            set_parent(s, v, u);
            return true;
        }
    }
    *examined += end > first ? end - first : 0;
    return false;
}

/* The bits of the missing vertices that have their first neighbour in the frontier. */
static inline uint64_t test_first_neighbours(const search *s, uint64_t base, uint64_t missing)
{
    const uint32_t *first = s->graph.in_ell + base;
    uint64_t hits = 0;
    if (__builtin_popcountll(missing) < FEW) {
        for (uint64_t bits = missing; bits; bits &= bits - 1) {
            unsigned k = (unsigned)__builtin_ctzll(bits);
            hits |= (uint64_t)bit_test(s->frontier, first[k]) << k;
        }
        return hits;
    }
    for (unsigned k = 0; k < 64; k++)
        hits |= (uint64_t)bit_test(s->frontier, first[k]) << k;
    return hits & missing;
}

/* The out-edges of some vertices of a word. In degree order most words have vertices of one degree.
 */
static inline uint64_t edges_of(const search *s, uint64_t base, uint64_t bits)
{
    uint64_t last = base + 64 < s->graph.n ? base + 63 : s->graph.n - 1, most = degree(s, base),
             sum = 0;
    if (most == degree(s, last))
        return most * (uint64_t)__builtin_popcountll(bits);
    for (; bits; bits &= bits - 1)
        sum += degree(s, base + (uint64_t)__builtin_ctzll(bits));
    return sum;
}

/* Tests the first neighbours and sets parents; returns the bits of the vertices reached. */
static inline uint64_t pull_first_neighbours(const search *s, uint64_t base, uint64_t missing)
{
    const uint64_t hits = test_first_neighbours(s, base, missing);
    for (uint64_t bits = s->out.new_parent ? hits : 0; bits; bits &= bits - 1) {
        uint64_t v = base + (uint64_t)__builtin_ctzll(bits);
        s->out.new_parent[v] = s->graph.old_id[s->graph.in_ell[v]];
    }
    return hits;
}

static inline uint64_t pull_word(const search *s, uint64_t w, uint64_t missing, sums *t)
{
    const uint64_t base = 64 * w;
    uint64_t hits = 0;
    if (s->graph.in_ell) {
        hits = pull_first_neighbours(s, base, missing);
        t->examined += (uint64_t)__builtin_popcountll(missing);
    }
    if (!s->graph.in_ell || base < s->graph.in_ell_only)
        for (uint64_t bits = missing & ~hits; bits; bits &= bits - 1) {
            uint64_t k = (uint64_t)__builtin_ctzll(bits);
            if (search_row(s, base + k, s->graph.in_ell != NULL, &t->examined))
                hits |= (uint64_t)1 << k;
        }
    if (s->out.new_level)
        for (uint64_t bits = hits; bits; bits &= bits - 1)
            set_level(s, base + (uint64_t)__builtin_ctzll(bits));
    t->count += (uint64_t)__builtin_popcountll(hits);
    t->edges += hits ? edges_of(s, base, hits) : 0;
    return hits;
}

void sl_openmp_pull_degree_order(search *s, sl_iteration *step)
{
    uint64_t count = 0, edges = 0, examined = 0;
    bool shared = s->threads > 1 && s->pull_work > SL_SERIAL_EDGES;
#pragma omp parallel num_threads(s->threads) reduction(+ : count, edges, examined) if (shared)
    {
        const search g = *s;
        sums t = {0};
#pragma omp for schedule(dynamic, WORDS_AT_ONCE) nowait
        for (uint64_t w = 0; w < g.graph.words; w++) {
            uint64_t missing = ~g.visited[w];
            if (w == g.graph.words - 1)
                missing &= ((uint64_t)1 << (g.graph.n % 64)) - 1;
            g.next_frontier[w] = missing ? pull_word(&g, w, missing, &t) : 0;
            g.visited[w] |= g.next_frontier[w];
        }
        count += t.count;
        edges += t.edges;
        examined += t.examined;
    }
    uint64_t *swap = s->frontier;
    s->frontier = s->next_frontier;
    s->next_frontier = swap;
    step->edges = examined;
    s->plan.frontier = count;
    s->plan.push_edges = edges;
}
