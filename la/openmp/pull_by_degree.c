/*
 * Pull in the layout by degree, by words of 64 vertices: their first neighbours stand in one
 * stream and are tried together, then each vertex that is still missing tries its others.
 */
#include "search.h"

enum { WORDS_AT_ONCE = 64 };

/* So few of a word's vertices are tried one by one. */
enum { FEW = 24 };

typedef struct {
    uint64_t count, edges, seen;
} sums;

/* Tries v's in-edges from number `from` on; counts what it saw. */
static inline bool try_row(const search *s, uint64_t v, unsigned from, uint64_t *seen)
{
    const uint64_t first = s->in_start[v] + from, end = s->in_start[v + 1];
    for (uint64_t e = first; e < end; e++) {
        uint32_t u = s->in_index[e];
        if (bit_test(s->frontier, u)) {
            *seen += e - first + 1;
            set_parent(s, v, u);
            return true;
        }
    }
    *seen += end > first ? end - first : 0;
    return false;
}

/* Which of a word's missing vertices have their first neighbour in the frontier. */
static inline uint64_t try_first(const search *s, uint64_t base, uint64_t missing)
{
    const uint32_t *first = s->in_first + base;
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

/* The out-edges of a word's vertices. As they stand by degree, most words have but one. */
static inline uint64_t edges_of(const search *s, uint64_t base, uint64_t bits)
{
    uint64_t last = base + 64 < s->n ? base + 63 : s->n - 1, most = degree(s, base), sum = 0;
    if (most == degree(s, last))
        return most * (uint64_t)__builtin_popcountll(bits);
    for (; bits; bits &= bits - 1)
        sum += degree(s, base + (uint64_t)__builtin_ctzll(bits));
    return sum;
}

/* Tries the first neighbours; returns the bits of those found. */
static inline uint64_t pull_first(const search *s, uint64_t base, uint64_t missing)
{
    const uint64_t hits = try_first(s, base, missing);
    for (uint64_t bits = s->via ? hits : 0; bits; bits &= bits - 1) {
        uint64_t v = base + (uint64_t)__builtin_ctzll(bits);
        s->via[v] = s->label[s->in_first[v]];
    }
    return hits;
}

static inline uint64_t pull_word(const search *s, uint64_t w, uint64_t missing, sums *t)
{
    const uint64_t base = 64 * w;
    uint64_t hits = 0;
    if (s->in_first) {
        hits = pull_first(s, base, missing);
        t->seen += (uint64_t)__builtin_popcountll(missing);
    }
    if (!s->in_first || base < s->in_longer)
        for (uint64_t bits = missing & ~hits; bits; bits &= bits - 1) {
            uint64_t k = (uint64_t)__builtin_ctzll(bits);
            if (try_row(s, base + k, s->in_first != NULL, &t->seen))
                hits |= (uint64_t)1 << k;
        }
    if (s->depth)
        for (uint64_t bits = hits; bits; bits &= bits - 1)
            set_level(s, base + (uint64_t)__builtin_ctzll(bits));
    t->count += (uint64_t)__builtin_popcountll(hits);
    t->edges += hits ? edges_of(s, base, hits) : 0;
    return hits;
}

void sl_openmp_pull_by_degree(search *s, sl_iteration *step)
{
    uint64_t count = 0, edges = 0, seen = 0;
    bool shared = s->plan.missing + s->plan.missing_edges > SERIAL_EDGES;
#pragma omp parallel num_threads(s->threads) reduction(+ : count, edges, seen) if (shared)
    {
        const search g = *s;
        sums t = {0};
#pragma omp for schedule(dynamic, WORDS_AT_ONCE) nowait
        for (uint64_t w = 0; w < g.words; w++) {
            uint64_t missing = ~g.visited[w];
            if (w == g.words - 1)
                missing &= ((uint64_t)1 << (g.n % 64)) - 1;
            g.found[w] = missing ? pull_word(&g, w, missing, &t) : 0;
            g.visited[w] |= g.found[w];
        }
        count += t.count;
        edges += t.edges;
        seen += t.seen;
    }
    uint64_t *swap = s->frontier;
    s->frontier = s->found;
    s->found = swap;
    step->edges = seen;
    s->plan.frontier = count;
    s->plan.push_edges = edges;
}
