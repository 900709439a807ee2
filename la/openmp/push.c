/*
 * Push (top-down level): follows the rows of the frontier. Small frontiers are processed by one
 * thread, so that the cost of a level in a graph of large diameter is its edges alone. In larger
 * ones vertices are divided among threads, and the edges of each hub among all threads.
 *
 * The kernels use a copy of the state, so that its pointers stay in registers; the compiler must
 * assume that stores change what `s` points to.
 */
#include "openmp/push.h"

/* Push by one thread. Moves the end of the queue; returns the degrees of the vertices reached. */
static inline uint64_t push_serial(search *s, uint64_t head, uint64_t tail, const bool any)
{
    const search g = *s;
    uint64_t at = tail;
    for (uint64_t k = head; k < tail; k++) {
        uint64_t u = g.queue[k];
        for (uint64_t e = g.graph.start[u], end = g.graph.start[u + 1]; e < end; e++) {
            uint64_t v = g.graph.index[e];
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
        for (uint64_t e = g.graph.start[u], end = g.graph.start[u + 1]; e < end; e++) {
            uint32_t v = g.graph.index[e];
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

static inline uint64_t push_shared(search *s, uint64_t head, uint64_t tail, const bool any)
{
    const search all = *s;
    uint64_t nhubs = 0, edges = 0;
#pragma omp parallel num_threads(all.threads) reduction(+ : edges)
    {
        const search g = all;
        push_buffer f;
        f.queue = g.queue;
        f.tail = &s->tail;
        f.count = f.edges = 0;
#pragma omp for schedule(dynamic, 64)
        for (uint64_t k = head; k < tail; k++) {
            uint64_t u = g.queue[k];
            if (degree(&g, u) > HUB_EDGES)
                g.hubs[__atomic_fetch_add(&nhubs, 1, __ATOMIC_RELAXED)] = (uint32_t)u;
            else
                push_row(&g, u, g.graph.start[u], g.graph.start[u + 1], &f, any);
        }
        /* The end of the loop is a barrier: all hubs are known. */
        for (uint64_t h = 0; h < nhubs; h++) {
            uint64_t u = g.hubs[h], first = g.graph.start[u], last = g.graph.start[u + 1];
            uint64_t pieces = (last - first + HUB_EDGES - 1) / HUB_EDGES;
#pragma omp for schedule(dynamic, 1) nowait
            for (uint64_t p = 0; p < pieces; p++) {
                uint64_t from = first + p * HUB_EDGES, to = from + HUB_EDGES;
                push_row(&g, u, from, to < last ? to : last, &f, any);
            }
        }
        flush(&g, &f);
        edges += f.edges;
    }
    return edges;
}

/* Pushes on one thread, and measures its pace for levels that the threads might share. */
static uint64_t push_timed(search *s, uint64_t head, uint64_t tail)
{
    if (!sl_openmp_may_share_level(s))
        return push_alone(s, head, tail);
    const uint64_t work = level_work(s);
    const double started = sl_seconds();
    const uint64_t edges = push_alone(s, head, tail);
    s->pace.alone.seconds += sl_seconds() - started;
    s->pace.alone.work += work;
    s->pace.alone.levels++;
    return edges;
}

static bool is_small(const search *s)
{
    return s->threads == 1 || level_work(s) <= SL_SERIAL_EDGES;
}

void sl_openmp_push(search *s, sl_iteration *step)
{
    uint64_t head = s->head, tail = s->tail;
    bool any = s->out.choice == SL_MONOID_ANY;
    step->edges = s->plan.push_edges;
    uint64_t edges;
    if (!any && is_small(s))
        edges = push_serial(s, head, tail, false);
    else if (is_small(s))
        edges = push_timed(s, head, tail);
    else
        edges = any ? push_shared(s, head, tail, true) : push_shared(s, head, tail, false);
    if (!any)
        for (uint64_t k = tail; k < s->tail; k++)
            bit_set(s->visited, s->queue[k]);
    s->head = tail;
    s->plan.frontier = s->tail - tail;
    s->plan.push_edges = edges;
}
