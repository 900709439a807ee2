/*
 * The gain of each technique of searches, on the GPU or on the host:
 *
 *     bench_techniques [--roots N] kronecker:SCALE|grid:SIDE|road:SIDE [WORD...]
 *     bench_techniques --levels kronecker:SCALE|grid:SIDE|road:SIDE
 *     bench_techniques --host [--roots N] kronecker:SCALE|grid:SIDE|road:SIDE [WORD...]
 *
 * Runs sl_bfs for parents from the same random roots, with all techniques and then with each WORD
 * of SEMLA_TRAVERSAL (by default all of them, one at a time). Prints the mean and the median time
 * of a search, the mean time of its levels from the log of a second run, the time of the first
 * search after the preparation, and the levels of three searches. With --levels, one root is
 * searched to depth 0, 1, 2, ..., so that a profiler's counts for a level are the difference of two
 * successive launches. With --host, all words alternate at each root, so that other load of the
 * machine affects all alike; there the word "pruned" prepares a matrix with SL_PRUNED. Without a
 * GPU, and without --host, it prints that and ends.
 */
#define _POSIX_C_SOURCE 200112L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/bfs.h>

#include "common.h"

enum { MAX_ROOTS = 256 };

/* Seconds of a search; `reached` and `log` may be NULL. */
static double search(sl_context *ctx, const sl_matrix *A, uint64_t root, uint64_t *reached,
                     sl_iteration_log *log)
{
    const sl_bfs_options options = {.log = log};
    sl_vector *parent;
    const double started = bench_now();
    MUST(ctx, sl_bfs(&parent, NULL, A, root, &options));
    const double seconds = bench_now() - started;
    if (reached)
        MUST(ctx, sl_vector_nvals(reached, parent));
    sl_vector_free(parent);
    return seconds;
}

/* Chooses random roots in components with more than a hundredth of the vertices. */
static void choose_roots(sl_context *ctx, const sl_matrix *A, uint64_t *root, int roots)
{
    uint64_t x = 1, reached, n = sl_matrix_nrows(A);
    for (int found = 0, tries = 0; found < roots; tries++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        root[found] = (x >> 33) % n;
        search(ctx, A, root[found], &reached, NULL);
        found += reached > n / 100 || tries > 100 * roots;
    }
}

static double time_of_levels(sl_context *ctx, const sl_matrix *A, uint64_t root)
{
    sl_iteration_log log = {0};
    double seconds = 0;
    search(ctx, A, root, NULL, &log);
    for (size_t k = 0; k < log.count; k++)
        seconds += log.iterations[k].seconds;
    sl_iteration_log_clear(&log);
    return seconds;
}

static void measure(sl_context *ctx, const sl_matrix *A, const uint64_t *root, int roots,
                    const char *words)
{
    double times[MAX_ROOTS], sum = 0, levels = 0;
    setenv("SEMLA_TRAVERSAL", words, 1);
    search(ctx, A, root[0], NULL, NULL);
    for (int k = 0; k < roots; k++)
        sum += times[k] = search(ctx, A, root[k], NULL, NULL);
    for (int k = 0; k < roots; k++)
        levels += time_of_levels(ctx, A, root[k]);
    printf("  %-24s mean %8.1f us, median %8.1f us, levels alone %8.1f us\n",
           *words ? words : "all", 1e6 * sum / roots, 1e6 * bench_median(times, roots),
           1e6 * levels / roots);
    fflush(stdout);
}

/* ---- on the host ----------------------------------------------------------------- */

typedef struct {
    const char *words;
    sl_matrix *own; /* a matrix prepared with these words; NULL: the common one */
    double times[MAX_ROOTS];
} configuration;

static bool needs_own_matrix(const char *words)
{
    return strstr(words, "pruned") != NULL;
}

static void set_words(const configuration *t)
{
    setenv("SEMLA_TRAVERSAL", strcmp(t->words, "pruned") == 0 ? "" : t->words, 1);
}

static void prepare_configuration(sl_context *ctx, configuration *t, const char *words,
                                  const sl_matrix *A)
{
    t->words = words;
    if (!needs_own_matrix(words))
        return;
    MUST(ctx, sl_matrix_dup(&t->own, A));
    MUST(ctx, sl_matrix_promise_symmetric(t->own));
    set_words(t);
    MUST(ctx,
         sl_matrix_optimize(t->own, SL_FOR_TRAVERSAL | (strstr(words, "pruned") ? SL_PRUNED : 0)));
}

static void measure_alternating(sl_context *ctx, const sl_matrix *A, const uint64_t *root,
                                int roots, char **words, int count)
{
    configuration *configurations = calloc((size_t)count + 1, sizeof *configurations);
    if (!configurations)
        exit(1);
    for (int k = 0; k <= count; k++)
        prepare_configuration(ctx, &configurations[k], k == 0 ? "" : words[k - 1], A);
    for (int r = -1; r < roots; r++)
        for (int k = 0; k <= count; k++) {
            set_words(&configurations[k]);
            const double seconds = search(ctx, configurations[k].own ? configurations[k].own : A,
                                          root[r < 0 ? 0 : r], NULL, NULL);
            configurations[k].times[r < 0 ? 0 : r] = seconds;
        }
    for (int k = 0; k <= count; k++) {
        const double median = bench_median(configurations[k].times, roots); /* sorts the times */
        printf("  %-24s least %10.1f us, a quarter below %10.1f us, median %10.1f us\n",
               k ? configurations[k].words : "all", 1e6 * configurations[k].times[0],
               1e6 * configurations[k].times[roots / 4], 1e6 * median);
        sl_matrix_free(configurations[k].own);
    }
    free(configurations);
}

/* ---- levels ---------------------------------------------------------------------- */

static void print_levels(sl_context *ctx, const sl_matrix *A, uint64_t root)
{
    sl_iteration_log log = {0};
    search(ctx, A, root, NULL, &log);
    for (size_t k = 0; k < log.count && k < 12; k++)
        printf("  level %2zu %s: frontier %10" PRIu64 ", edges examined %11" PRIu64 ", %7.1f us\n",
               k + 1, sl_direction_name(log.iterations[k].direction), log.iterations[k].frontier,
               log.iterations[k].edges, 1e6 * log.iterations[k].seconds);
    sl_iteration_log_clear(&log);
}

static void search_to_each_depth(sl_context *ctx, const sl_matrix *A, uint64_t root)
{
    sl_iteration_log log = {0};
    search(ctx, A, root, NULL, &log);
    for (uint64_t k = 0; k <= log.count; k++) {
        const sl_bfs_options options = {.bounded = true, .max_depth = k};
        sl_vector *parent;
        MUST(ctx, sl_bfs(&parent, NULL, A, root, &options));
        sl_vector_free(parent);
    }
    sl_iteration_log_clear(&log);
    print_levels(ctx, A, root);
}

int main(int argc, char **argv)
{
    static char *on_gpu[] = {"nohubs", "noell", "noreorder", "kolganov", "nopersistent"};
    static char *on_host[] = {"noell", "noreorder", "kolganov", "pruned"};
    uint64_t root[MAX_ROOTS];
    sl_context *ctx;
    int roots = 64, at = 1;
    bool levels_only = false;
    const bool host = argc > 1 && strcmp(argv[1], "--host") == 0;
    argc -= host;
    argv += host;
    if (sl_context_create(&ctx, host ? SL_ENGINE_OPENMP : SL_ENGINE_CUDA) != SL_OK) {
        printf("skipped: no GPU\n");
        return 0;
    }
    if (argc > 2 && strcmp(argv[1], "--roots") == 0) {
        roots = atoi(argv[2]) < MAX_ROOTS ? atoi(argv[2]) : MAX_ROOTS;
        at = 3;
    }
    if (argc > 1 && strcmp(argv[1], "--levels") == 0) {
        levels_only = true;
        roots = 1;
        at = 2;
    }
    if (at >= argc)
        return 2;
    sl_matrix *A = bench_graph(ctx, argv[at]);
    const double started = bench_now();
    MUST(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    const double prepared = bench_now();
    printf("%s: prepared in %.3f s", argv[at++], prepared - started);
    printf(", first search %.1f us\n", 1e6 * search(ctx, A, 0, NULL, NULL));
    choose_roots(ctx, A, root, roots);
    if (levels_only) {
        search_to_each_depth(ctx, A, root[0]);
        sl_matrix_free(A);
        sl_context_free(ctx);
        return 0;
    }
    const bool given = at < argc;
    char **words = given ? argv + at : host ? on_host : on_gpu;
    const int count = given  ? argc - at
                      : host ? (int)(sizeof on_host / sizeof *on_host)
                             : (int)(sizeof on_gpu / sizeof *on_gpu);
    if (host)
        measure_alternating(ctx, A, root, roots, words, count);
    else
        measure(ctx, A, root, roots, "");
    for (int k = 0; !host && k < count; k++)
        measure(ctx, A, root, roots, words[k]);
    unsetenv("SEMLA_TRAVERSAL");
    for (int k = 0; k < 3 && k < roots; k++) {
        printf("  from %" PRIu64 ":\n", root[k]);
        print_levels(ctx, A, root[k]);
    }
    sl_matrix_free(A);
    sl_context_free(ctx);
    return 0;
}
