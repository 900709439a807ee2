/*
 * Algorithms on a grid of MPI ranks beside one process with one engine, in the same run, on a Kronecker
 * graph:
 *
 *     mpiexec -n 4 bench_dist_algorithms [--scale 17] [--grid 2x2] [--runs 5] [--first 4] [--engine cuda]
 *
 * Prints the times of w = u A over plus_times with a full vector, of PageRank to 1e-6, of connected components, of u A
 * over plus_times and over min_plus with lengths in fp64, and of shortest paths, on the grid and in one process, their
 * ratio, and the bytes that the ranks received, in all and by way of the hosts' memory. The graphs are
 * prepared for traversals. --first limits the rows of the table. Each time is that of the slowest rank in
 * the median of the runs, after a warm-up.
 */
#include <semla/algorithms.h>
#include <semla/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist_graph.h"

enum { MOST_RUNS = 100 };

static uint64_t source; /* of shortest paths */

/* One measurement: the work, on a graph with lengths or without. */
typedef struct {
    const char *name;
    bool weighted;
    double (*seconds)(sl_context *ctx, const sl_matrix *A);
} kernel;

static double now(const sl_context *ctx)
{
    sl_grid_info info;
    if (sl_grid_describe(&info, ctx) == SL_OK)
        MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

/* ---- the work ------------------------------------------------------------------------------- */

static double product_over(sl_context *ctx, const sl_matrix *A, sl_semiring ring)
{
    static const int times = 5;
    sl_vector *u, *w;
    double began = 0;
    MUST(ctx, sl_vector_new(&u, ctx, SL_FP64, sl_matrix_nrows(A)));
    MUST(ctx, sl_vector_new(&w, ctx, SL_FP64, sl_matrix_nrows(A)));
    MUST(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(0.5), SL_ALL, 0, NULL));
    MUST(ctx, sl_vector_apply_index(u, NULL, SL_PLUS_FP64, SL_ROWINDEX_INT64, u, sl_scalar_int64(1),
                                    NULL));
    for (int k = -1; k < times; k++) {
        if (k == 0)
            began = now(ctx);
        MUST(ctx, sl_vxm(w, NULL, NULL, ring, u, A, NULL));
    }
    wait_for(ctx, w);
    const double seconds = (now(ctx) - began) / times;
    sl_vector_free(u);
    sl_vector_free(w);
    return seconds;
}

static double product(sl_context *ctx, const sl_matrix *A)
{
    return product_over(ctx, A, SL_PLUS_TIMES_FP64);
}
static double least_sums(sl_context *ctx, const sl_matrix *A)
{
    return product_over(ctx, A, SL_MIN_PLUS_FP64);
}

static double ranks(sl_context *ctx, const sl_matrix *A)
{
    sl_vector *made;
    const double began = now(ctx);
    MUST(ctx, sl_pagerank(&made, A, NULL, NULL));
    wait_for(ctx, made);
    const double seconds = now(ctx) - began;
    sl_vector_free(made);
    return seconds;
}

static double components(sl_context *ctx, const sl_matrix *A)
{
    sl_vector *component;
    const double began = now(ctx);
    MUST(ctx, sl_components(&component, A));
    wait_for(ctx, component);
    const double seconds = now(ctx) - began;
    sl_vector_free(component);
    return seconds;
}

/* The first vertex from number 1 on that has edges, where shortest paths begin. */
static uint64_t source_in(sl_context *ctx, const sl_matrix *A)
{
    sl_vector *sums;
    sl_scalar sum;
    uint64_t v = 0;
    MUST(ctx, sl_vector_new(&sums, ctx, SL_FP64, sl_matrix_nrows(A)));
    MUST(ctx, sl_matrix_reduce_rows(sums, NULL, NULL, SL_PLUS_MONOID_FP64, A, NULL));
    while (sl_vector_get(&sum, sums, ++v) == SL_NO_VALUE)
        ;
    sl_vector_free(sums);
    return v;
}

static double paths(sl_context *ctx, const sl_matrix *A, bool tree)
{
    sl_vector *distance, *parent = NULL;
    const double began = now(ctx);
    MUST(ctx, sl_sssp(&distance, tree ? &parent : NULL, A, source));
    wait_for(ctx, distance);
    if (tree)
        wait_for(ctx, parent);
    const double seconds = now(ctx) - began;
    sl_vector_free(distance);
    sl_vector_free(parent);
    return seconds;
}
static double lengths(sl_context *ctx, const sl_matrix *A)
{
    return paths(ctx, A, false);
}
static double lengths_and_parents(sl_context *ctx, const sl_matrix *A)
{
    return paths(ctx, A, true);
}

static const kernel kernels[] = {{"vxm plus_times, full vector", false, product},
                                 {"PageRank to 1e-6", false, ranks},
                                 {"components", false, components},
                                 {"vxm plus_times, values", true, product},
                                 {"vxm min_plus, values", true, least_sums},
                                 {"shortest paths", true, lengths},
                                 {"shortest paths, parents", true, lengths_and_parents}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* ---- measurements ------------------------------------------------------------------------------ */

typedef struct {
    double ms, bytes, host_bytes; /* bytes of all ranks, of one run */
} result;

typedef struct {
    int rows, cols, runs;
    int kernels; /* the first of them are measured */
    unsigned scale;
    sl_engine_choice engine;
} setting;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Bytes that all ranks have received since the last reset. */
static void count_bytes(result *r, const sl_context *ctx)
{
    sl_grid_traffic t;
    double sums[2] = {0, 0};
    const char *phase = "";
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++) {
        if (strcmp(t.phase, "counts") == 0)
            continue;
        sums[0] += (double)t.bytes;
        sums[1] += strcmp(t.phase, phase) ? (double)t.host_bytes : 0; /* once for each phase */
        phase = t.phase;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    r->bytes = sums[0];
    r->host_bytes = sums[1];
}

static result measure(sl_context *ctx, const sl_matrix *A, const kernel *what, int runs, bool grid)
{
    double seconds[MOST_RUNS];
    result r = {0};
    what->seconds(ctx, A); /* a warm-up */
    if (grid)
        MUST(ctx, sl_grid_reset_traffic(ctx));
    for (int k = 0; k < runs; k++) {
        seconds[k] = what->seconds(ctx, A);
        if (grid && k == 0)
            count_bytes(&r, ctx);
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, ascending);
    r.ms = 1e3 * seconds[runs / 2];
    return r;
}

/* All measurements on a graph with lengths or without. */
static void measure_graph(result *results, sl_context *ctx, const setting *how, bool weighted,
                          bool grid)
{
    const sl_generator model = {
        .model = SL_MODEL_KRONECKER, .scale = how->scale, .seed = 1, .weighted = weighted};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS,
                                     .duplicates = SL_DUPLICATES_MIN};
    sl_matrix *A;
    MUST(ctx, sl_matrix_generate(&A, ctx, &model, &options));
    MUST(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    if (weighted)
        source = source_in(ctx, A);
    for (int k = 0; k < how->kernels; k++)
        if (kernels[k].weighted == weighted)
            results[k] = measure(ctx, A, &kernels[k], how->runs, grid);
    sl_matrix_free(A);
}

/* On the grid, then on rank 0 alone. */
static void compare(const setting *how, bool weighted)
{
    result on_grid[KERNELS] = {{0}}, alone[KERNELS] = {{0}};
    sl_context *ctx;
    MUST(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, how->rows, how->cols, how->engine));
    measure_graph(on_grid, ctx, how, weighted, true);
    sl_context_free(ctx);
    if (rank == 0) {
        MUST(NULL, sl_context_create(&ctx, how->engine));
        measure_graph(alone, ctx, how, weighted, false);
        sl_context_free(ctx);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < how->kernels; k++)
        if (kernels[k].weighted == weighted)
            rank0_printf("%-28s %9.3f ms %9.3f ms %7.2fx %14.0f %14.0f\n", kernels[k].name,
                         on_grid[k].ms, alone[k].ms, alone[k].ms / on_grid[k].ms, on_grid[k].bytes,
                         on_grid[k].host_bytes);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    setting how = {.runs = 3, .scale = 10, .kernels = KERNELS, .engine = SL_ENGINE_AUTO};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 1; k + 1 < argc; k += 2) {
        if (strcmp(argv[k], "--scale") == 0)
            how.scale = (unsigned)atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--runs") == 0)
            how.runs = atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--first") == 0)
            how.kernels = atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--engine") == 0 && strcmp(argv[k + 1], "cuda") == 0)
            how.engine = SL_ENGINE_CUDA;
        else if (strcmp(argv[k], "--grid") != 0 ||
                 sscanf(argv[k + 1], "%dx%d", &how.rows, &how.cols) != 2)
            argc = 0;
    }
    if (argc % 2 == 0 || how.runs < 1 || how.runs > MOST_RUNS || how.kernels < 1 ||
        how.kernels > KERNELS) {
        fprintf(stderr,
                "usage: bench_dist_algorithms [--scale S] [--grid RxC] [--runs 1..%d] [--first "
                "1..%d] [--engine cuda]\n",
                MOST_RUNS, KERNELS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    rank0_printf("%d ranks, scale %u\n%-28s %12s %12s %8s %14s %14s\n", size, how.scale, "", "grid",
                 "one process", "ratio", "bytes", "by the hosts");
    compare(&how, false);
    if (kernels[how.kernels - 1].weighted)
        compare(&how, true);
    MPI_Finalize();
    return 0;
}
