/*
 * Push (top-down level): follows the rows of the frontier. Small frontiers are processed by one
 * thread, so that the cost of a level in a graph of large diameter is its edges alone. In larger
 * ones vertices are divided among threads, and the edges of each hub among all threads.
 *
 * The kernels use a copy of the state, so that its pointers stay in registers; the compiler must
 * assume that stores change what `s` points to.
 */
#include <string.h>

#include "search.h"

enum { BUFFER = 512 };

/* Vertices reached by one thread that are not yet in the queue. */
typedef struct {
    uint64_t count;
    uint64_t edges; /* sum of their degrees */
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
    return g->parent.int32
               ? compete_int32_t((int32_t *)g->parent.values + at, (int32_t)mine, g->choice)
               : compete_int64_t((int64_t *)g->parent.values + at, (int64_t)mine, g->choice);
}

/*
 * Writes the levels of vertices reached, and prefetches their rows for the next level. Returns the
 * sum of their degrees. It is a pass of its own, because here loads are independent of each other.
 */
static inline uint64_t settle(const search *g, const uint32_t *list, uint64_t count)
{
    uint64_t edges = 0;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t v = list[k], begin = g->start[v], end = g->start[v + 1];
        set_level(g, v);
        if (begin < end) {
            __builtin_prefetch(g->index + begin);
            __builtin_prefetch(g->index + end - 1);
        }
        edges += end - begin;
    }
    return edges;
}

/* Push by one thread. Moves the end of the queue; returns the degrees of the vertices reached. */
static inline uint64_t push_serial(search *s, uint64_t head, uint64_t tail, const bool any)
{
    const search g = *s;
    uint64_t at = tail;
    for (uint64_t k = head; k < tail; k++) {
        uint64_t u = g.queue[k];
        for (uint64_t e = g.start[u], end = g.start[u + 1]; e < end; e++) {
            uint64_t v = g.index[e];
            if (claim(&g, v, u, false, any))
                g.queue[at++] = (uint32_t)v;
        }
    }
    s->tail = at;
    return settle(&g, g.queue + tail, at - tail);
}

/*
 * The same for any parent, without a branch on the visited bit: each neighbour is written to the
 * queue, and overwritten by the next one if it was visited.
 */
static uint64_t push_branchless(search *s, uint64_t head, uint64_t tail)
{
    const search g = *s;
    uint64_t at = tail;
    for (uint64_t k = head; k < tail; k++) {
        uint32_t u = g.queue[k];
        for (uint64_t e = g.start[u], end = g.start[u + 1]; e < end; e++) {
            uint32_t v = g.index[e];
            uint64_t *word = &g.visited[v / 64], old = *word;
            g.queue[at] = v;
            g.queue_parent[at] = u;
            at += ~(old >> (v % 64)) & 1;
            *word = old | (uint64_t)1 << (v % 64);
        }
    }
    s->tail = at;
    for (uint64_t k = tail; k < at; k++)
        set_parent(&g, g.queue[k], g.queue_parent[k]);
    return settle(&g, g.queue + tail, at - tail);
}

/*
 * Chooses between the two forms. On a road network visited bits are unpredictable and the
 * branchless form is faster; on a lattice the branch is predicted and the other form is faster.
 * Both reach the same vertices, so the first levels of some size alternate, and the faster form is
 * used afterwards.
 */
static uint64_t push_alone(search *s, uint64_t head, uint64_t tail)
{
    enum { TRIALS = 64, VERTICES = 256 };
    bool trying = s->trial.levels < TRIALS && tail - head >= VERTICES;
    bool faster = s->trial.seconds[1] * (double)s->trial.edges[0] <
                  s->trial.seconds[0] * (double)s->trial.edges[1];
    bool branchless = s->queue_parent && (trying ? s->trial.levels % 2 : faster);
    uint64_t looked_at = s->plan.push_edges;
    double started = trying ? sl_seconds() : 0;
    uint64_t edges = branchless ? push_branchless(s, head, tail) : push_serial(s, head, tail, true);
    if (trying) {
        s->trial.seconds[branchless] += sl_seconds() - started;
        s->trial.edges[branchless] += looked_at;
        s->trial.levels++;
    }
    return edges;
}

static void flush(const search *g, uint64_t *tail, push_buffer *f)
{
    uint64_t at = __atomic_fetch_add(tail, f->count, __ATOMIC_RELAXED);
    memcpy(g->queue + at, f->vertex, f->count * sizeof *f->vertex);
    f->edges += settle(g, f->vertex, f->count);
    f->count = 0;
}

static inline void push_row(const search *g, uint64_t *tail, uint64_t u, uint64_t from, uint64_t to,
                            push_buffer *f, const bool any)
{
    for (uint64_t e = from; e < to; e++) {
        uint64_t v = g->index[e];
        if (!claim(g, v, u, true, any))
            continue;
        if (f->count == BUFFER)
            flush(g, tail, f);
        f->vertex[f->count++] = (uint32_t)v;
    }
}

static inline uint64_t push_shared(search *s, uint64_t head, uint64_t tail, const bool any)
{
    const search all = *s;
    uint64_t nhubs = 0, edges = 0;
#pragma omp parallel num_threads(all.threads) reduction(+ : edges)
    {
        const search g = all;
        push_buffer f;
        f.count = f.edges = 0;
#pragma omp for schedule(dynamic, 64)
        for (uint64_t k = head; k < tail; k++) {
            uint64_t u = g.queue[k];
            if (degree(&g, u) > HUB_EDGES)
                g.hubs[__atomic_fetch_add(&nhubs, 1, __ATOMIC_RELAXED)] = (uint32_t)u;
            else
                push_row(&g, &s->tail, u, g.start[u], g.start[u + 1], &f, any);
        }
        /* The end of the loop is a barrier: all hubs are known. */
        for (uint64_t h = 0; h < nhubs; h++) {
            uint64_t u = g.hubs[h], first = g.start[u], last = g.start[u + 1];
            uint64_t pieces = (last - first + HUB_EDGES - 1) / HUB_EDGES;
#pragma omp for schedule(dynamic, 1) nowait
            for (uint64_t p = 0; p < pieces; p++) {
                uint64_t from = first + p * HUB_EDGES, to = from + HUB_EDGES;
                push_row(&g, &s->tail, u, from, to < last ? to : last, &f, any);
            }
        }
        flush(&g, &s->tail, &f);
        edges += f.edges;
    }
    return edges;
}

void sl_openmp_push(search *s, sl_iteration *step)
{
    uint64_t head = s->head, tail = s->tail;
    bool any = s->choice == SL_MONOID_ANY;
    step->edges = s->plan.push_edges;
    uint64_t edges;
    if (s->threads == 1 || s->plan.push_edges + s->plan.frontier <= SL_SERIAL_EDGES)
        edges = any ? push_alone(s, head, tail) : push_serial(s, head, tail, false);
    else
        edges = any ? push_shared(s, head, tail, true) : push_shared(s, head, tail, false);
    if (!any)
        for (uint64_t k = tail; k < s->tail; k++)
            bit_set(s->visited, s->queue[k]);
    s->head = tail;
    s->plan.frontier = s->tail - tail;
    s->plan.push_edges = edges;
}
