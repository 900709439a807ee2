/*
 * Closures of rows that each have one thread: a breadth-first search with a queue, for graphs of many
 * levels, whose frontiers are too small to be divided and have little in common. O(edges) time for each
 * row; 8 bytes for each vertex and thread, and 4 more if parents are wanted.
 */
#include "openmp/ends.h"
#include "openmp/frontier_closures.h"

enum { ASK_AFTER = 1 << 12 /* vertices between two questions for cancellation */ };

/* One thread's state. */
typedef struct {
    const sl_closures_call *call;
    uint32_t *level;   /* [n + 1] SL_LEVEL_UNREACHED between searches; level[n] is 0 */
    uint32_t *parent;  /* [n + 1], or NULL */
    uint32_t *queue;   /* [n] the reached vertices in order */
    uint64_t reached;  /* vertices in the queue */
    uint64_t sources;  /* of them those of the frontier */
    sl_status *status; /* of all threads */
} worker;

/* Whether all threads end. */
static bool ends(const worker *w)
{
    return sl_openmp_ends(w->call->ctx, w->status, "closures");
}

static void begin(worker *w, uint64_t row)
{
    const sl_closures_call *c = w->call;
    w->reached = 0;
    for (uint64_t e = c->q.start[row]; e < c->q.start[row + 1]; e++) {
        const uint64_t own = c->q.index[e], v = c->new_id ? c->new_id[own] : own;
        if (v >= c->n)
            continue;
        w->level[v] = 0;
        if (w->parent)
            w->parent[v] = (uint32_t)own;
        w->queue[w->reached++] = (uint32_t)v;
    }
    w->sources = w->reached;
}

static inline __attribute__((always_inline)) void follow(worker *w, const bool parents)
{
    const sl_closures_call *c = w->call;
    uint32_t *level = w->level, *queue = w->queue;
    uint64_t tail = w->reached;
    for (uint64_t head = 0; head < tail; head++) {
        const uint32_t u = queue[head], next = level[u] + 1;
        if (next > c->most || (head % ASK_AFTER == 0 && ends(w)))
            break;
        for (uint64_t e = c->start[u]; e < c->start[u + 1]; e++) {
            const uint32_t v = c->index[e];
            if (level[v] != SL_LEVEL_UNREACHED)
                continue;
            level[v] = next;
            if (parents)
                w->parent[v] = sl_closures_old_id(c, u);
            queue[tail++] = v;
        }
    }
    w->reached = tail;
}

/* Replaces the parents by the least or the greatest ones: rows have the caller's order. */
static void choose_parents(worker *w)
{
    const sl_closures_call *c = w->call;
    const bool least = c->choice == SL_MONOID_MIN;
    for (uint64_t k = w->sources; k < w->reached && !(k % ASK_AFTER == 0 && ends(w)); k++) {
        const uint32_t v = w->queue[k], before = w->level[v] - 1;
        const uint64_t begin = c->in_start[v], end = c->in_start[v + 1];
        uint64_t e = least ? begin : end - 1;
        while (w->level[c->in_index[e]] != before)
            e = least ? e + 1 : e - 1;
        w->parent[v] = sl_closures_old_id(c, c->in_index[e]);
    }
}

static void search(worker *w, uint64_t row)
{
    begin(w, row);
    if (!w->parent)
        follow(w, false);
    else
        follow(w, true);
    if (w->parent && w->call->choice != SL_MONOID_ANY)
        choose_parents(w);
}

/* Makes the levels ready for the next search. */
static void forget(worker *w)
{
    for (uint64_t k = 0; k < w->reached; k++)
        w->level[w->queue[k]] = SL_LEVEL_UNREACHED;
}

/* Searches from `count` rows, one for each worker, and adds what they find to the results. */
static sl_status search_rows(const sl_closures_call *c, sl_closures_results *results, worker *w,
                             uint64_t first, uint64_t count)
{
    sl_closures_found found = {.first = first,
                               .count = count,
                               .level = w->level,
                               .wide = true,
                               .parent = w->parent,
                               .by_vertex = 1,
                               .by_row = c->n + 1};
#pragma omp parallel for num_threads(c->threads) schedule(static, 1) if (count > 1)
    for (uint64_t k = 0; k < count; k++)
        search(&w[k], first + k);
    if (*w->status != SL_OK)
        return *w->status;
    for (uint64_t k = 0; k < count; k++)
        found.reached += w[k].reached;
    const sl_status status = sl_openmp_closures_add(results, c, &found);
#pragma omp parallel for num_threads(c->threads) schedule(static, 1) if (count > 1)
    for (uint64_t k = 0; k < count; k++)
        forget(&w[k]);
    return status;
}

static void initialise(const sl_closures_call *c, worker *w, uint64_t workers)
{
#pragma omp parallel for num_threads(c->threads) schedule(static, 1) if (workers > 1)
    for (uint64_t k = 0; k < workers; k++) {
        for (uint64_t v = 0; v < c->n; v++)
            w[k].level[v] = SL_LEVEL_UNREACHED;
        w[k].level[c->n] = 0;
    }
}

sl_status sl_openmp_closures_singly(sl_closures_call *c, sl_closures_results *results,
                                    uint64_t first)
{
    const uint64_t rows = c->q.nrows, left = rows - first, threads = (uint64_t)c->threads;
    uint64_t workers = left < threads ? left : threads;
    workers = workers < SL_CLOSURE_ROWS ? workers : SL_CLOSURE_ROWS;
    sl_status interrupted = SL_OK, status = SL_OK;
    if (c->choice != SL_MONOID_ANY)
        status = sl_openmp_closures_need_in_edges(c);
    if (status != SL_OK)
        return status;
    const uint64_t words = c->n + 1;
    uint32_t *level = sl_malloc(workers * words * sizeof *level);
    uint32_t *parent = c->parents ? sl_malloc(workers * words * sizeof *parent) : NULL;
    uint32_t *queue = sl_malloc(workers * words * sizeof *queue);
    worker w[SL_CLOSURE_ROWS];
    if (!level || !queue || (c->parents && !parent))
        status = sl_fail(c->ctx, SL_NO_MEMORY, "closures: out of memory");
    for (uint64_t k = 0; status == SL_OK && k < workers; k++)
        w[k] = (worker){.call = c,
                        .level = level + k * words,
                        .parent = parent ? parent + k * words : NULL,
                        .queue = queue + k * words,
                        .status = &interrupted};
    if (status == SL_OK)
        initialise(c, w, workers);
    for (uint64_t row = first; status == SL_OK && row < rows; row += workers)
        status = search_rows(c, results, w, row, rows - row < workers ? rows - row : workers);
    sl_free(level);
    sl_free(parent);
    sl_free(queue);
    return status;
}
