/*
 * Overhead of semla per operation: every operation of <semla/operations.h>, on objects with few
 * entries and with many, compared with the same call of a GraphBLAS program with objects of its own
 * in the same process.
 *
 *     bench_overhead [OPTION...] [WORD]
 *
 *     --entries N   entries of the larger matrices; default 1000000
 *     --samples N   samples of each operation per round
 *     --rounds N    rounds, each with newly created objects at other addresses; default 5
 *     --libc        initialise GraphBLAS with the C library's allocator, before semla does with its
 * own
 *     --cpu         measure processor time instead of wall-clock time, for a machine with other
 * load; use OMP_NUM_THREADS=1
 *     --check       exit with status 1 if an operation misses the target
 *     WORD          only operations with names that contain WORD
 *
 * Samples of both sides alternate. Short operations run with warm caches, long ones with cold
 * caches.
 */
#include "common.h"
#include "overhead_cases.h"

#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SAMPLES = 4000, MOST_CALLS = 1000 };

/* The target: at most 2 us more than SuiteSparse, or 3 % if that is more. */
static const double most_seconds = 2e-6, most_share = 0.03;

/* Seconds per call, of all rounds; `difference` is semla minus direct of adjacent samples. */
typedef struct {
    int count;
    double direct[MOST_SAMPLES], semla[MOST_SAMPLES], difference[MOST_SAMPLES];
} timings;

typedef struct {
    int samples, rounds;
    const char *word;
} plan;

static clockid_t clock_used = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec t;
    clock_gettime(clock_used, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Keeps large freed blocks in the process; otherwise the next allocation, of either side, would pay
 * for new pages. */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
}

/* Evicts the caches; otherwise the state of the caches would depend on the operation that ran
 * before. */
static void evict_caches(void)
{
    static char other[64 << 20];
    for (size_t k = 0; k < sizeof other; k += 64)
        other[k]++;
}

/* Seconds per call of one side. Deferred work is completed after the clock has stopped. */
static double sample(void (*run)(bench_world *), bench_world *w, int calls)
{
    if (calls == 1)
        evict_caches();
    double started = now();
    for (int k = 0; k < calls; k++)
        run(w);
    double seconds = (now() - started) / calls;
    bench_settle(w);
    return seconds;
}

/* Number of calls per sample, so that a sample takes about one millisecond. */
static int choose_calls(const bench_case *c, bench_world *w)
{
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        sample(c->semla, w, 2);
        least = fmin(least, sample(c->direct, w, 2));
    }
    return (int)fmax(1, fmin(MOST_CALLS, 1e-3 / least));
}

static void measure(timings *t, const bench_case *c, bench_world *w, int samples)
{
    int calls = choose_calls(c, w);
    for (int k = 0; k < samples; k++) {
        int at = t->count++;
        t->direct[at] = sample(c->direct, w, calls);
        t->semla[at] = sample(c->semla, w, calls);
        t->difference[at] = t->semla[at] - t->direct[at];
    }
}

/* Prints a line; returns false if the operation misses the target. */
static bool print(const char *name, timings *t)
{
    double direct = bench_median(t->direct, t->count), semla = bench_median(t->semla, t->count);
    double more = bench_median(t->difference, t->count);
    bool within = more <= most_seconds || more <= most_share * direct;
    printf("  %-24s %12.3f %12.3f %12.3f %8.3f  %s\n", name, 1e6 * direct, 1e6 * semla, 1e6 * more,
           1 + more / direct, within ? "ok" : "MISSED");
    return within;
}

static bool wanted(const bench_case *c, const plan *p)
{
    return !p->word || strstr(c->name, p->word);
}

/* Prints a table; returns the number of operations that miss the target. */
static int compare(sl_context *ctx, uint64_t n, uint64_t degree, const plan *p)
{
    size_t count = 0;
    int missed = 0;
    while (bench_cases[count].name)
        count++;
    timings *t = calloc(count, sizeof *t);
    if (!t)
        abort();
    for (int round = 0; round < p->rounds; round++) {
        bench_world *w = bench_world_make(ctx, n, degree, round % 2);
        for (size_t k = 0; k < count; k++)
            if (wanted(&bench_cases[k], p))
                measure(&t[k], &bench_cases[k], w, p->samples);
        bench_world_free(w);
    }
    printf("%" PRIu64 " entries, %d rounds of %d samples\n", n * degree, p->rounds, p->samples);
    printf("  %-24s %12s %12s %12s %8s\n", "operation", "direct us", "semla us", "more us",
           "ratio");
    for (size_t k = 0; k < count; k++)
        if (wanted(&bench_cases[k], p))
            missed += !print(bench_cases[k].name, &t[k]);
    free(t);
    return missed;
}

static int usage(void)
{
    fprintf(stderr,
            "bench_overhead [--entries N] [--samples N] [--rounds N] [--libc] [--cpu] "
            "[--check] [WORD]\n256 entries and more; at most %d samples in all\n",
            MOST_SAMPLES);
    return 2;
}

int main(int argc, char **argv)
{
    plan few = {.samples = 41, .rounds = 5}, many = {.samples = 11, .rounds = 5};
    uint64_t entries = 1000000;
    bool check = false;
    keep_memory();
    for (int k = 1; k < argc; k++) {
        bool more = k + 1 < argc;
        if (strcmp(argv[k], "--libc") == 0)
            GrB_init(GrB_NONBLOCKING);
        else if (strcmp(argv[k], "--cpu") == 0)
            clock_used = CLOCK_PROCESS_CPUTIME_ID;
        else if (strcmp(argv[k], "--check") == 0)
            check = true;
        else if (more && strcmp(argv[k], "--samples") == 0)
            few.samples = many.samples = atoi(argv[++k]);
        else if (more && strcmp(argv[k], "--rounds") == 0)
            few.rounds = many.rounds = atoi(argv[++k]);
        else if (more && strcmp(argv[k], "--entries") == 0)
            entries = strtoull(argv[++k], NULL, 10);
        else if (argv[k][0] == '-')
            return usage();
        else
            few.word = many.word = argv[k];
    }
    if (few.samples < 1 || few.rounds < 1 || few.samples > MOST_SAMPLES / few.rounds ||
        entries < 256)
        return usage();
    sl_context *ctx;
    if (sl_context_create(&ctx, SL_ENGINE_AUTO) != SL_OK)
        return 2;
    int missed = compare(ctx, 8, 1, &few) + compare(ctx, entries / 8, 8, &many);
    printf("%d of the operations miss the target: at most 2 us more, or 3 %%\n", missed);
    sl_context_free(ctx);
    return check && missed > 0;
}
