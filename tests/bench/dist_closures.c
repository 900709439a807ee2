/*
 * Closures on a grid of MPI ranks, beside one process:
 *
 *     mpiexec -n 4 bench_dist_closures [--scale 15] [--side 0] [--grid 2x2] [--runs 3] [--loop 1]
 *
 * On a Kronecker graph, or on a road network of side x side vertices, with lengths from 1 to 255: shortest paths
 * without and with parents, connected components, a search for the least parents and one to a target, levels from 32
 * sources, and dependencies of 4 sources. For each it prints the time on the grid; as multiples of it the time of the
 * closure as a loop of sl_advance, where there is one (--loop 1), and the time of rank 0 alone; and the bytes that
 * all ranks receive. Times are of the slowest rank in the fastest run; ranks have one thread each.
 */
#include <semla/algorithms.h>
#include <semla/bfs.h>
#include <semla/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dist_graph.h"

enum { SOURCES = 32, DEPENDENCIES = 4 };

/* A graph in one context, the grid's or rank 0's, and a vertex of it that has edges. */
typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    uint64_t source;
} graph;

typedef void (*work)(const graph *);

/* ---- what is measured ------------------------------------------------------------------------ */

static void paths(const graph *g)
{
    sl_vector *distance;
    MUST(g->ctx, sl_sssp(&distance, NULL, g->A, g->source));
    sl_vector_free(distance);
}

static void paths_with_parents(const graph *g)
{
    sl_vector *distance, *parent;
    MUST(g->ctx, sl_sssp(&distance, &parent, g->A, g->source));
    sl_vector_free(distance);
    sl_vector_free(parent);
}

/* Shortest paths, or the search for the least parents, one advance at a time. */
static void advance(const graph *g, sl_semiring semiring, int64_t value)
{
    sl_vector *pi, *q;
    uint64_t n = sl_matrix_nrows(g->A), left = 1;
    MUST(g->ctx, sl_vector_new(&pi, g->ctx, SL_INT64, n));
    MUST(g->ctx, sl_vector_set(pi, g->source, sl_scalar_int64(value)));
    MUST(g->ctx, sl_vector_dup(&q, pi));
    while (left > 0) {
        MUST(g->ctx, sl_advance(q, pi, q, g->A, semiring, SL_PUSH, NULL));
        MUST(g->ctx, sl_vector_nvals(&left, q));
    }
    sl_vector_free(pi);
    sl_vector_free(q);
}

static void loop_of_paths(const graph *g)
{
    advance(g, SL_MIN_PLUS_INT64, 0);
}

static void loop_of_search(const graph *g)
{
    advance(g, SL_MIN_SECONDI_INT64, (int64_t)g->source);
}

static void components(const graph *g)
{
    sl_vector *component;
    MUST(g->ctx, sl_components(&component, g->A));
    sl_vector_free(component);
}

static void search(const graph *g, const sl_closure_options *options)
{
    sl_vector *pi;
    MUST(g->ctx, sl_vector_new(&pi, g->ctx, SL_INT64, sl_matrix_nrows(g->A)));
    MUST(g->ctx, sl_closure(pi, NULL, g->A, SL_MIN_SECONDI_INT64, options));
    sl_vector_free(pi);
}

static void least_parents(const graph *g)
{
    search(g, &(sl_closure_options){.from_source = true, .source = g->source});
}

static void to_target(const graph *g)
{
    sl_vector *target;
    const uint64_t n = sl_matrix_nrows(g->A);
    MUST(g->ctx, sl_vector_new(&target, g->ctx, SL_BOOL, n));
    MUST(g->ctx, sl_vector_set(target, n / 3, sl_scalar_bool(true)));
    search(g, &(sl_closure_options){.from_source = true, .source = g->source, .targets = target});
    sl_vector_free(target);
}

static void levels(const graph *g)
{
    uint64_t sources[SOURCES];
    sl_matrix *level;
    for (uint64_t k = 0; k < SOURCES; k++)
        sources[k] = (g->source + k * 977) % sl_matrix_nrows(g->A);
    MUST(g->ctx, sl_multi_source_bfs(NULL, &level, g->A, sources, SOURCES, NULL));
    sl_matrix_free(level);
}

static void dependencies(const graph *g)
{
    uint64_t sources[DEPENDENCIES];
    sl_vector *sum;
    for (uint64_t k = 0; k < DEPENDENCIES; k++)
        sources[k] = (g->source + k * 977) % sl_matrix_nrows(g->A);
    MUST(g->ctx, sl_vector_new(&sum, g->ctx, SL_FP64, sl_matrix_nrows(g->A)));
    MUST(g->ctx, sl_dependencies(sum, g->A, sources, DEPENDENCIES));
    sl_vector_free(sum);
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Milliseconds of the fastest of the runs, after one that warms up. */
static double time_of(work run, const graph *g, int runs, bool alone)
{
    double least = INFINITY;
    for (int k = -1; k < runs; k++) {
        if (!alone)
            MPI_Barrier(MPI_COMM_WORLD);
        const double began = MPI_Wtime();
        run(g);
        if (!alone)
            MPI_Barrier(MPI_COMM_WORLD);
        if (k >= 0)
            least = fmin(least, MPI_Wtime() - began);
    }
    return 1e3 * least;
}

/* The bytes that all ranks together have received. */
static double received(const graph *g)
{
    sl_grid_traffic t;
    double bytes = 0;
    for (size_t k = 0; sl_grid_get_traffic(&t, g->ctx, k) == SL_OK; k++)
        bytes += (double)t.bytes;
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

/* The other ranks sleep while rank 0 works alone. */
static double time_alone(work run, const graph *g, int runs)
{
    MPI_Request request;
    int done = 0;
    const double result = rank == 0 ? time_of(run, g, runs, true) : 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
        const struct timespec pause = {.tv_nsec = 1000000};
        nanosleep(&pause, NULL);
    }
    return result;
}

static void make(graph *g, const sl_generator *model)
{
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS,
                                     .duplicates = SL_DUPLICATES_MIN};
    MUST(g->ctx, sl_matrix_generate(&g->A, g->ctx, model, &options));
    MUST(g->ctx, sl_matrix_optimize(g->A, SL_FOR_TRAVERSAL));
}

/* The least vertex of greatest degree. */
static uint64_t hub_of(const graph *g)
{
    sl_vector *degree;
    sl_scalar most, first;
    MUST(g->ctx, sl_vector_new(&degree, g->ctx, SL_INT64, sl_matrix_nrows(g->A)));
    MUST(g->ctx, sl_vector_assign_scalar(degree, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
    MUST(g->ctx, sl_mxv(degree, NULL, NULL, SL_PLUS_PAIR_INT64, g->A, degree, NULL));
    MUST(g->ctx, sl_vector_reduce(&most, NULL, SL_MAX_MONOID_INT64, degree));
    MUST(g->ctx, sl_vector_select(degree, NULL, NULL, SL_VALUEEQ_INT64, degree, most, NULL));
    MUST(g->ctx, sl_vector_apply_index(degree, NULL, NULL, SL_ROWINDEX_INT64, degree,
                                       sl_scalar_int64(0), NULL));
    MUST(g->ctx, sl_vector_reduce(&first, NULL, SL_MIN_MONOID_INT64, degree));
    sl_vector_free(degree);
    return (uint64_t)first.as.int64_;
}

static void compare(const graph *grid, const graph *one, int runs, bool loops)
{
    static const struct {
        const char *name;
        work run, loop;
    } rows[] = {
        {"shortest paths", paths, loop_of_paths}, {"with parents", paths_with_parents, NULL},
        {"components", components, NULL},         {"least parents", least_parents, loop_of_search},
        {"to a target", to_target, NULL},         {"32 sources", levels, NULL},
        {"dependencies", dependencies, NULL}};
    rank0_printf("%-16s %12s %12s %12s %12s\n", "", "grid", "loop", "one process", "received");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double before = received(grid);
        const double ms = time_of(rows[k].run, grid, runs, false);
        const double bytes = (received(grid) - before) / (runs + 1);
        char loop[16] = "-"; /* not measured */
        if (rows[k].loop && loops)
            snprintf(loop, sizeof loop, "%.2fx", time_of(rows[k].loop, grid, runs, false) / ms);
        const double alone = time_alone(rows[k].run, one, runs);
        rank0_printf("%-16s %9.2f ms %12s %11.2fx %9.2f MB\n", rows[k].name, ms, loop, alone / ms,
                     1e-6 * bytes);
    }
}

int main(int argc, char **argv)
{
    int rows = 0, cols = 0, runs = 3, side = 0, loops = 0;
    unsigned scale = 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 1; k + 1 < argc; k += 2) {
        if (strcmp(argv[k], "--scale") == 0)
            scale = (unsigned)atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--side") == 0)
            side = atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--runs") == 0)
            runs = atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--loop") == 0)
            loops = atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--grid") != 0 || sscanf(argv[k + 1], "%dx%d", &rows, &cols) != 2)
            argc = 0;
    }
    if (argc % 2 == 0 || runs < 1 || side < 0) {
        fprintf(stderr, "usage: bench_dist_closures [--scale S | --side S] [--grid RxC] [--runs N] "
                        "[--loop 1]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const sl_generator model = {.model = side ? SL_MODEL_ROAD : SL_MODEL_KRONECKER,
                                .scale = scale,
                                .side = {(uint64_t)side, (uint64_t)side},
                                .seed = 1,
                                .weighted = true,
                                .integer_weights = true,
                                .least_weight = 1,
                                .greatest_weight = 255};
    graph grid = {0}, one = {0};
    MUST(NULL, sl_grid_context_create(&grid.ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_AUTO));
    MUST(grid.ctx, sl_context_set_threads(grid.ctx, 1));
    make(&grid, &model);
    grid.source = hub_of(&grid);
    if (rank == 0) {
        MUST(NULL, sl_context_create(&one.ctx, SL_ENGINE_AUTO));
        MUST(one.ctx, sl_context_set_threads(one.ctx, 1));
        make(&one, &model);
        one.source = grid.source;
    }
    sl_grid_info info;
    MUST(grid.ctx, sl_grid_describe(&info, grid.ctx));
    rank0_printf("grid %d x %d, %s %u\n", info.rows, info.cols, side ? "side" : "scale",
                 side ? (unsigned)side : scale);
    compare(&grid, &one, runs, loops);
    sl_matrix_free(grid.A);
    sl_context_free(grid.ctx);
    sl_matrix_free(one.A);
    sl_context_free(one.ctx);
    MPI_Finalize();
    return 0;
}
