/*
 * Searches with many levels and small frontiers, on the fastest engine that is present:
 *
 *     bench_small_frontier [--repeat N] [MODEL...]     grid:SIDE | road:SIDE
 *
 * Runs sl_bfs for parents from a corner of the square, from a quarter of the diagonal, and from the
 * middle. Prints the number of levels, the median of N searches (default 9), and the time per
 * level. The matrix is prepared by sl_matrix_optimize before the first search, which is a warm-up.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/bfs.h>

#include "common.h"

enum { MAX_REPEATS = 256 };

static sl_matrix *make(sl_context *ctx, const char *model)
{
    sl_generator g;
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    sl_matrix *A;
    bench_generator(&g, model);
    MUST(ctx, sl_matrix_generate(&A, ctx, &g, &undirected));
    return A;
}

static double search(sl_context *ctx, const sl_matrix *A, uint64_t root, sl_iteration_log *log)
{
    const sl_bfs_options options = {.log = log};
    sl_vector *parent;
    const double started = bench_now();
    MUST(ctx, sl_bfs(&parent, NULL, A, root, &options));
    const double seconds = bench_now() - started;
    sl_vector_free(parent);
    return seconds;
}

static void measure(sl_context *ctx, const sl_matrix *A, const char *from, uint64_t root,
                    int repeat)
{
    double times[MAX_REPEATS];
    sl_iteration_log log = {0};
    search(ctx, A, root, &log);
    for (int k = 0; k < repeat; k++)
        times[k] = search(ctx, A, root, NULL);
    const double median = bench_median(times, repeat);
    printf("  from %-12s %6zu levels, %9.3f ms, %7.2f us a level\n", from, log.count, 1e3 * median,
           1e6 * median / (double)log.count);
    fflush(stdout);
    sl_iteration_log_clear(&log);
}

int main(int argc, char **argv)
{
    static char *defaults[] = {"grid:2048", "grid:4096", "road:4900"};
    int repeat = 9, at = 1;
    sl_context *ctx;
    bench_must(NULL, sl_context_create(&ctx, SL_ENGINE_AUTO), "a context");
    if (argc > 2 && strcmp(argv[1], "--repeat") == 0) {
        repeat = atoi(argv[2]) > 0 && atoi(argv[2]) < MAX_REPEATS ? atoi(argv[2]) : repeat;
        at = 3;
    }
    char **models = at < argc ? argv + at : defaults;
    const int count = at < argc ? argc - at : (int)(sizeof defaults / sizeof *defaults);
    for (int k = 0; k < count; k++) {
        sl_matrix *A = make(ctx, models[k]);
        const uint64_t n = sl_matrix_nrows(A);
        uint64_t side = 1;
        while (side * side < n)
            side++;
        const double started = bench_now();
        MUST(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
        printf("%s on %s: %" PRIu64 " vertices, prepared in %.3f s\n", models[k],
               sl_context_engine(ctx, 0), n, bench_now() - started);
        search(ctx, A, 0, NULL);
        measure(ctx, A, "a corner", 0, repeat);
        measure(ctx, A, "a quarter in", side / 4 * (side + 1), repeat);
        measure(ctx, A, "the middle", side / 2 * (side + 1), repeat);
        sl_matrix_free(A);
    }
    sl_context_free(ctx);
    return 0;
}
