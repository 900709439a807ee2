/*
 * Dependencies of sources that each have one thread: Brandes's algorithm with a queue, for graphs of
 * many levels, whose frontiers are too small to be divided. A thread takes every threads-th source
 * and has its own state, so that nothing is shared until the sums are added. O(edges) time for each
 * source, 28 bytes for each vertex and thread.
 *
 * A number of shortest paths is an fp64 number until one reaches 2^512; from then on the thread
 * keeps numbers as value x 2^(512 exponent), with 1 <= value < 2^512 once they are complete.
 */
#include <string.h>

#include "openmp/ends.h"
#include "openmp/path_dependencies.h"

enum { ASK_AFTER = 1 << 10 /* vertices between two questions for cancellation */ };
#define UNREACHED UINT32_MAX

/* One thread's state; arrays have an element for each vertex. */
typedef struct {
    const sl_dependency_call *call;
    uint32_t *level;   /* UNREACHED between searches */
    uint32_t *queue;   /* the reached vertices in order */
    double *paths;     /* numbers of paths; later shares: (1 + dependency) / number */
    int32_t *exponent; /* of the numbers of paths; 0 between searches, untouched until needed */
    double *sum;       /* the sum of dependencies over the thread's sources */
    uint64_t reached;
    sl_status *status; /* of all threads */
} worker;

/* Allocates in the calling thread, so that the memory is counted for the context. */
static bool open_worker(worker *w, uint64_t n)
{
    w->level = sl_malloc(n * sizeof *w->level);
    w->queue = sl_malloc(n * sizeof *w->queue);
    w->paths = sl_malloc(n * sizeof *w->paths);
    w->exponent = sl_calloc(n, sizeof *w->exponent);
    w->sum = sl_calloc(n, sizeof *w->sum);
    return w->level && w->queue && w->paths && w->exponent && w->sum;
}

static void close_worker(worker *w)
{
    sl_free(w->level);
    sl_free(w->queue);
    sl_free(w->paths);
    sl_free(w->exponent);
    sl_free(w->sum);
}

/* Whether all threads end. */
static bool ends(worker *w)
{
    return sl_openmp_ends(w->call->ctx, w->status, "dependencies");
}

/* ---- forward ------------------------------------------------------------------------------ */

/* Adds a number of paths, whose exponent is `exponent`, to the number of v. */
static inline void add_paths(worker *w, uint32_t v, double paths, int32_t exponent)
{
    const int32_t more = exponent - w->exponent[v];
    if (more == 0)
        w->paths[v] += paths;
    else if (more == -1)
        w->paths[v] += paths * SL_PATHS_INVERSE_LIMIT;
    else if (more > 0) {
        w->paths[v] = paths + (more == 1 ? w->paths[v] * SL_PATHS_INVERSE_LIMIT : 0);
        w->exponent[v] = exponent;
    }
}

/* Follows the edges of queue[head] and of the vertices after it, while numbers have no exponent.
 * Returns where it ended: at the end of the queue, or at a number that needs an exponent. */
static uint64_t search_without_exponents(worker *w, uint64_t head)
{
    const sl_dependency_call *d = w->call;
    uint64_t tail = w->reached;
    for (; head < tail; head++) {
        const uint32_t u = w->queue[head];
        const uint32_t next = w->level[u] + 1;
        const double paths = w->paths[u];
        if (paths >= SL_PATHS_LIMIT || (head % ASK_AFTER == 0 && ends(w)))
            break;
        for (uint64_t e = d->start[u]; e < d->start[u + 1]; e++) {
            const uint32_t v = d->index[e];
            if (w->level[v] == UNREACHED) {
                w->level[v] = next;
                w->paths[v] = paths;
                w->queue[tail++] = v;
            } else if (w->level[v] == next)
                w->paths[v] += paths;
        }
    }
    w->reached = tail;
    return head;
}

/* The same with exponents. */
static void search_with_exponents(worker *w, uint64_t head)
{
    const sl_dependency_call *d = w->call;
    uint64_t tail = w->reached;
    for (; head < tail; head++) {
        const uint32_t u = w->queue[head];
        const uint32_t next = w->level[u] + 1;
        if (w->paths[u] >= SL_PATHS_LIMIT) {
            w->paths[u] *= SL_PATHS_INVERSE_LIMIT;
            w->exponent[u]++;
        }
        if (head % ASK_AFTER == 0 && ends(w))
            break;
        const double paths = w->paths[u];
        const int32_t exponent = w->exponent[u];
        for (uint64_t e = d->start[u]; e < d->start[u + 1]; e++) {
            const uint32_t v = d->index[e];
            if (w->level[v] == UNREACHED) {
                w->level[v] = next;
                w->paths[v] = paths;
                w->exponent[v] = exponent;
                w->queue[tail++] = v;
            } else if (w->level[v] == next)
                add_paths(w, v, paths, exponent);
        }
    }
    w->reached = tail;
}

/* ---- backward ----------------------------------------------------------------------------- */

/* The sum of the shares of u's successors. */
static double sum_shares(const worker *w, uint32_t u)
{
    const sl_dependency_call *d = w->call;
    const uint32_t next = w->level[u] + 1;
    double shares = 0;
    for (uint64_t e = d->start[u]; e < d->start[u + 1]; e++)
        if (w->level[d->index[e]] == next)
            shares += w->paths[d->index[e]];
    return shares;
}

/* The dependency of the source on u: the sum of its successors' shares, times u's number of paths.
 * Where the successor's exponent is greater by 3, the product is below fp64's least number. */
static double dependency_with_exponents(const worker *w, uint32_t u)
{
    static const double scale[] = {1, SL_PATHS_INVERSE_LIMIT,
                                   SL_PATHS_INVERSE_LIMIT * SL_PATHS_INVERSE_LIMIT};
    const sl_dependency_call *d = w->call;
    const uint32_t next = w->level[u] + 1;
    double dependency = 0;
    for (uint64_t e = d->start[u]; e < d->start[u + 1]; e++) {
        const uint32_t v = d->index[e];
        const int32_t more = w->exponent[v] - w->exponent[u];
        if (w->level[v] == next && more <= 2)
            dependency += w->paths[u] * w->paths[v] * scale[more];
    }
    return dependency;
}

/* From the last vertex reached to the first after the source. */
static void sum_dependencies(worker *w, bool exponents)
{
    for (uint64_t k = w->reached; k-- > 1;) {
        const uint32_t u = w->queue[k];
        if (k % ASK_AFTER == 0 && ends(w))
            return;
        const double dependency =
            exponents ? dependency_with_exponents(w, u) : w->paths[u] * sum_shares(w, u);
        w->sum[u] += dependency;
        w->paths[u] = (1 + dependency) / w->paths[u];
    }
}

/* ---- sources ------------------------------------------------------------------------------ */

static void search_from(worker *w, uint32_t source)
{
    w->level[source] = 0;
    w->paths[source] = 1;
    w->queue[0] = source;
    w->reached = 1;
    const uint64_t head = search_without_exponents(w, 0);
    const bool exponents = head < w->reached;
    if (exponents)
        search_with_exponents(w, head);
    if (!ends(w))
        sum_dependencies(w, exponents);
    for (uint64_t k = 0; k < w->reached; k++) {
        w->level[w->queue[k]] = UNREACHED;
        if (exponents)
            w->exponent[w->queue[k]] = 0;
    }
}

/* The number of threads: so many that their state is bounded. */
static int threads_for(const sl_dependency_call *d, uint64_t sources)
{
    uint64_t threads = (uint64_t)d->threads;
    const uint64_t bytes = (d->n + 1) * 28;
    if (threads > sources)
        threads = sources;
    if (threads > SL_DEPENDENCIES_STATE / bytes)
        threads = SL_DEPENDENCIES_STATE / bytes;
    return threads ? (int)threads : 1;
}

/* Searches from every threads-th source; then all threads add their sums, each to some vertices. */
static void run_worker(worker *w, worker *all, uint64_t first)
{
    const sl_dependency_call *d = w->call;
    const int threads = omp_get_num_threads();
    for (uint64_t v = 0; v < d->n; v++)
        w->level[v] = UNREACHED;
    for (uint64_t k = first + (uint64_t)omp_get_thread_num(); k < d->sources && !ends(w);
         k += (uint64_t)threads)
        search_from(w, d->source[k]);
#pragma omp barrier
#pragma omp for
    for (uint64_t v = 0; v < d->n; v++)
        for (int k = 0; k < threads; k++)
            d->sum[v] += all[k].sum[v];
}

sl_status sl_openmp_single_dependencies(const sl_dependency_call *d, uint64_t first)
{
    const int threads = threads_for(d, d->sources - first);
    sl_status status = SL_OK;
    worker *workers = sl_calloc((size_t)threads, sizeof *workers);
    bool allocated = workers;
    for (int k = 0; allocated && k < threads; k++) {
        workers[k] = (worker){.call = d, .status = &status};
        allocated = open_worker(&workers[k], d->n);
    }
    if (allocated)
#pragma omp parallel num_threads(threads)
        run_worker(&workers[omp_get_thread_num()], workers, first);
    else
        status = sl_fail(d->ctx, SL_NO_MEMORY, "dependencies: out of memory");
    for (int k = 0; workers && k < threads; k++)
        close_worker(&workers[k]);
    sl_free(workers);
    return status;
}
