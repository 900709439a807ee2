/*
 * Small levels on all threads. A search of large diameter has thousands of levels of a few thousand
 * vertices, each of which takes one thread some ten microseconds: as long as it takes to start
 * threads. So one parallel region runs consecutive levels, with one barrier at the end of each.
 * Every thread decides by the same counts whether the next level is shared, so that no thread waits
 * for a decision.
 *
 * On a busy machine a barrier takes as long as the threads that are not running. Levels on one
 * thread and levels shared by threads therefore alternate, and threads are tried less often the
 * longer they are slower.
 */
#include "openmp/push.h"

enum {
    LEAST = 1 << 9,       /* vertices and edges of a level that threads share */
    FEWEST_ALONE = 8,     /* levels on one thread, which measure its pace */
    MOST_ALONE = 1 << 12, /* the same, while threads are slower */
    LESS_OFTEN = 4,       /* the factor by which they grow */
    CHECKED = 16,         /* levels shared before their pace is compared */
    MOST_SHARED = 1 << 10 /* before the pace of one thread is measured again */
};

/* Seconds by which levels may be slower until then: about as long as it takes to wake threads. */
static const double tolerated = 100e-6;

/* What threads add up in a level. */
typedef struct {
    _Alignas(64) uint64_t found; /* vertices of the next frontier */
    uint64_t edges;              /* their degrees */
    bool stop;                   /* the region ends with this level */
} level_sums;

/* The sums of level k are sums[k % 3]. The sums of level k + 1 are cleared during level k, when all
 * threads have read the sums of level k - 2, which were there. Thread 0 alone uses the rest. */
typedef struct {
    level_sums sums[3];
    search_pace pace;
    double last; /* seconds: the last level ended */
    sl_status status;
} region;

bool sl_openmp_may_share_level(const search *s)
{
    return level_work(s) >= LEAST && level_work(s) <= SL_SERIAL_EDGES;
}

bool sl_openmp_shares_levels(const run *r)
{
    const search *s = &r->s;
    const unsigned needed = s->pace.needed ? s->pace.needed : FEWEST_ALONE;
    return s->threads > 1 && s->out.choice == SL_MONOID_ANY && !r->options->targets &&
           sl_openmp_may_share_level(s) && s->pace.alone.levels >= needed;
}

/* Adds a level to the times. True if one thread is to run the next levels: because it is faster, or
 * because its pace is to be measured again. */
static bool leaves_to_one(search_pace *p, uint64_t work, double seconds)
{
    const level_times *alone = &p->alone;
    level_times *shared = &p->shared;
    shared->levels++;
    shared->work += work;
    shared->seconds += seconds;
    const double expected = alone->seconds / (double)alone->work * (double)shared->work;
    if (shared->levels < CHECKED && shared->seconds <= expected + tolerated)
        return false;
    const bool slower = shared->seconds > expected;
    p->stretch += shared->levels;
    *shared = (level_times){0};
    if (!slower && p->stretch < MOST_SHARED)
        return false;
    p->needed = !slower                               ? FEWEST_ALONE
                : p->needed < MOST_ALONE / LESS_OFTEN ? LESS_OFTEN * p->needed
                                                      : MOST_ALONE;
    p->stretch = 0;
    p->alone = (level_times){0};
    return true;
}

/* Thread 0 at the end of its part of a level: writes the log, and decides whether the region ends
 * for other reasons than the size of the next level. */
static bool ends(region *all, const run *r, const search *g)
{
    const double now = sl_seconds();
    const sl_iteration step = {.direction = SL_PUSH,
                               .edges_exact = true,
                               .frontier = g->plan.frontier,
                               .edges = g->plan.push_edges,
                               .seconds = now - all->last};
    all->last = now;
    all->status = sl_log_iteration(r->call->ctx, r->options->log, &step);
    r->progress->done = g->graph.n - g->plan.unvisited;
    if (all->status == SL_OK)
        all->status = sl_interrupted(r->call->ctx, "closure");
    return leaves_to_one(&all->pace, level_work(g), step.seconds) || all->status != SL_OK;
}

/* Pushes this thread's part of the frontier. */
static void push_part(const search *g, level_sums *sums, push_buffer *f)
{
    const uint64_t thread = (uint64_t)omp_get_thread_num(), count = g->tail - g->head;
    const uint64_t threads = (uint64_t)omp_get_num_threads();
    const uint64_t begin = g->head + count * thread / threads;
    const uint64_t end = g->head + count * (thread + 1) / threads;
    f->queue = g->queue + g->tail;
    f->tail = &sums->found;
    f->edges = 0;
    for (uint64_t k = begin; k < end; k++) {
        const uint64_t u = g->queue[k];
        push_row(g, u, g->graph.start[u], g->graph.start[u + 1], f, true);
    }
    if (f->count > 0)
        flush(g, f);
    if (f->edges > 0)
        __atomic_fetch_add(&sums->edges, f->edges, __ATOMIC_RELAXED);
}

/* Goes on to the frontier that a level has found. */
static void advance(search *g, const level_sums *sums)
{
    g->prev_frontier = g->plan.frontier;
    g->prev_edges = g->plan.push_edges;
    g->plan.frontier = sums->found;
    g->plan.push_edges = sums->edges;
    g->head = g->tail;
    g->tail += sums->found;
    sl_openmp_count_visited(g);
}

/* The levels, by one of the threads, with a state of its own. */
static void run_levels(region *all, const run *r, search *g)
{
    push_buffer f;
    f.count = 0;
    for (;; g->level_number++) {
        level_sums *sums = &all->sums[g->level_number % 3];
        push_part(g, sums, &f);
        if (omp_get_thread_num() == 0) {
            all->sums[(g->level_number + 1) % 3] = (level_sums){0};
            sums->stop = ends(all, r, g);
        }
#pragma omp barrier
        advance(g, sums);
        if (sums->stop || sl_openmp_is_bounded(r, g->level_number + 1) ||
            !sl_openmp_may_share_level(g) || sl_openmp_direction(r, g) != SL_PUSH)
            return;
    }
}

sl_status sl_openmp_push_levels(run *r)
{
    search *s = &r->s;
    region all = {.pace = s->pace, .last = sl_seconds()};
    search after = *s;
    if (all.pace.needed == 0)
        all.pace.needed = FEWEST_ALONE;
#pragma omp parallel num_threads(s->threads)
    {
        search g = *s;
        run_levels(&all, r, &g);
        if (omp_get_thread_num() == 0)
            after = g;
    }
    *s = after;
    s->pace = all.pace;
    return all.status;
}
