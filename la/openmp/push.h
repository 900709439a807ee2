/*
 * What the kernels of a push share: claiming vertices, and the buffer of a thread. Private to the
 * OpenMP engine.
 */
#ifndef SEMLA_OPENMP_PUSH_H
#define SEMLA_OPENMP_PUSH_H

#include <string.h>

#include "openmp/search.h"

enum { BUFFER = 512 };

/* Vertices reached by one thread that are not yet in the queue. */
typedef struct {
    uint32_t *queue; /* the queue, or its part for the next frontier, */
    uint64_t *tail;  /* and how many vertices all threads have written to it (atomic) */
    uint64_t count;
    uint64_t edges; /* sum of the degrees of the vertices that this thread has written */
    uint32_t vertex[BUFFER];
} push_buffer;

/* Makes u the parent unless the present one is preferred; true for the first candidate. */
#define COMPETE(T)                                                                                 \
    static inline bool compete_##T(T *parent, T u, sl_monoid_code choice)                          \
    {                                                                                              \
        T old = __atomic_load_n(parent, __ATOMIC_RELAXED);                                         \
        while (old == NO_PARENT || (choice == SL_MONOID_MIN ? u < old : u > old))                  \
            if (__atomic_compare_exchange_n(parent, &old, u, true, __ATOMIC_RELAXED,               \
                                            __ATOMIC_RELAXED))                                     \
                return old == NO_PARENT;                                                           \
        return false;                                                                              \
    }
COMPETE(int32_t)
COMPETE(int64_t)
#undef COMPETE

/* Claims v for the parent u; true for the first of this level that reaches it. If candidates are
 * compared (min or max), the visited bit is set after the level, so that all candidates of the
 * level, and only these, are compared. */
static inline bool claim(const search *g, uint64_t v, uint64_t u, const bool shared, const bool any)
{
    uint64_t bit = (uint64_t)1 << (v % 64);
    uint64_t *word = &g->visited[v / 64];
    if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit)
        return false;
    if (any) {
        if (!shared)
            *word |= bit;
        else if (__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit)
            return false;
        set_parent(g, v, u);
        return true;
    }
    const uint64_t at = old_id(g, v), mine = old_id(g, u);
    return g->out.parent.int32
               ? compete_int32_t((int32_t *)g->out.parent.values + at, (int32_t)mine, g->out.choice)
               : compete_int64_t((int64_t *)g->out.parent.values + at, (int64_t)mine,
                                 g->out.choice);
}

/*
 * Writes the levels of vertices reached, and prefetches their rows for the next level. Returns the
 * sum of their degrees. It is a pass of its own, because here loads are independent of each other.
 */
static inline uint64_t settle(const search *g, const uint32_t *list, uint64_t count)
{
    uint64_t edges = 0;
    if (g->only_level)
        return 0;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t v = list[k], begin = g->graph.start[v], end = g->graph.start[v + 1];
        set_level(g, v);
        if (begin < end) {
            __builtin_prefetch(g->graph.index + begin);
            __builtin_prefetch(g->graph.index + end - 1);
        }
        edges += end - begin;
    }
    return edges;
}

static inline void flush(const search *g, push_buffer *f)
{
    uint64_t at = __atomic_fetch_add(f->tail, f->count, __ATOMIC_RELAXED);
    memcpy(f->queue + at, f->vertex, f->count * sizeof *f->vertex);
    f->edges += settle(g, f->vertex, f->count);
    f->count = 0;
}

/* Pushes the edges `from` to `to` - 1 of u. */
static inline void push_row(const search *g, uint64_t u, uint64_t from, uint64_t to, push_buffer *f,
                            const bool any)
{
    for (uint64_t e = from; e < to; e++) {
        uint64_t v = g->graph.index[e];
        if (!claim(g, v, u, true, any))
            continue;
        if (f->count == BUFFER)
            flush(g, f);
        f->vertex[f->count++] = (uint32_t)v;
    }
}

#endif
