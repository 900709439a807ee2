/*
 * Products of matrices on a grid of MPI ranks, on a Kronecker graph:
 *
 *     mpiexec -n 4 bench_dist_mxm [--scale 14] [--grid 2x2] [--runs 5] [--engine host|cuda] [--case NAME]
 *
 * Prints the time of C = A A on the grid and in one process, their ratio, and the bytes that all ranks receive for an
 * entry of A. Under a mask without entries nothing is multiplied: the time on the grid is the time of the exchange.
 * Times are of the slowest rank in the fastest run. The products must have as many entries and the same sum.
 */
#include <semla/io.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist_graph.h"

typedef struct {
    const char *name;
    sl_semiring semiring;
    enum { NO_MASK, GRAPH_AS_MASK, EMPTY_MASK } mask;
    bool weighted;
} product_case;

typedef struct {
    double seconds, sum;
    uint64_t nvals;
} outcome;

static double now(bool all)
{
    if (all)
        MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static uint64_t received(const sl_context *ctx)
{
    sl_grid_traffic t;
    uint64_t bytes = 0;
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++)
        bytes += t.bytes;
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

/* The graph, with values 1 to 8 if `weighted`. */
static sl_matrix *make(sl_context *ctx, unsigned scale, bool weighted)
{
    sl_matrix *A;
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = scale, .seed = 1};
    MUST(ctx,
         sl_matrix_generate(&A, ctx, &model,
                            &(sl_read_options){.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS}));
    if (!weighted)
        return A;
    sl_matrix *weights;
    const uint64_t n = sl_matrix_nrows(A);
    MUST(ctx, sl_matrix_new(&weights, ctx, SL_FP64, n, n));
    MUST(ctx, sl_matrix_apply_index(weights, NULL, NULL, SL_ROWINDEX_INT64, A, sl_scalar_int64(1),
                                    NULL));
    MUST(ctx, sl_matrix_apply_second(weights, NULL, NULL, SL_MIN_FP64, weights, sl_scalar_fp64(8),
                                     NULL));
    sl_matrix_free(A);
    return weights;
}

static outcome run(sl_context *ctx, const sl_matrix *A, const product_case *q, int runs, bool all)
{
    outcome best = {.seconds = INFINITY};
    sl_matrix *C, *empty;
    sl_scalar sum;
    const uint64_t n = sl_matrix_nrows(A);
    MUST(ctx, sl_matrix_new(&empty, ctx, SL_BOOL, n, n));
    const sl_matrix *const masks[] = {NULL, A, empty};
    MUST(ctx, sl_matrix_new(&C, ctx, q->semiring->result, n, n));
    for (int k = -1; k < runs; k++) { /* the first is a warm-up */
        const double began = now(all);
        MUST(ctx, sl_mxm(C, masks[q->mask], NULL, q->semiring, A, A,
                         sl_descriptor_get(SL_REPLACE | SL_STRUCTURE)));
        MUST(ctx, sl_matrix_nvals(&best.nvals, C)); /* waits for a device */
        const double seconds = now(all) - began;
        if (k >= 0 && seconds < best.seconds)
            best.seconds = seconds;
    }
    MUST(ctx, sl_matrix_reduce(&sum, NULL, sl_monoid_get(SL_MONOID_PLUS, q->semiring->result), C));
    best.sum = sl_scalar_cast(sum, SL_FP64).as.fp64_;
    sl_matrix_free(C);
    sl_matrix_free(empty);
    return best;
}

static void compare(sl_context *ctx, sl_engine_choice engine, unsigned scale, const product_case *q,
                    int runs)
{
    sl_matrix *A = make(ctx, scale, q->weighted);
    uint64_t entries;
    MUST(ctx, sl_matrix_nvals(&entries, A));
    MUST(ctx, sl_grid_reset_traffic(ctx));
    const outcome grid = run(ctx, A, q, runs, true);
    const uint64_t bytes = received(ctx) / (uint64_t)(runs + 1);
    sl_matrix_free(A);
    if (rank == 0) { /* the other ranks wait */
        sl_context *one;
        MUST(NULL, sl_context_create(&one, engine));
        MUST(one, sl_context_set_threads(one, 1));
        A = make(one, scale, q->weighted);
        const outcome alone = run(one, A, q, runs, false);
        printf("%-19s grid %10.3f ms, one process %10.3f ms: %5.2f times as fast; %6.2f bytes "
               "received for an entry\n",
               q->name, 1e3 * grid.seconds, 1e3 * alone.seconds, alone.seconds / grid.seconds,
               (double)bytes / (double)entries);
        fflush(stdout);
        if (grid.nvals != alone.nvals || fabs(grid.sum - alone.sum) > 1e-6 * fabs(alone.sum)) {
            fprintf(stderr,
                    "bench_dist_mxm: %s: %" PRIu64 " entries and the sum %g, not %" PRIu64
                    " and %g\n",
                    q->name, grid.nvals, grid.sum, alone.nvals, alone.sum);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        sl_matrix_free(A);
        sl_context_free(one);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rows = 0, cols = 0, runs = 3;
    unsigned scale = 8;
    const char *only = "";
    sl_engine_choice engine = SL_ENGINE_SUITESPARSE;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 1; k + 1 < argc; k += 2) {
        if (strcmp(argv[k], "--scale") == 0)
            scale = (unsigned)atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--runs") == 0)
            runs = atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--case") == 0)
            only = argv[k + 1];
        else if (strcmp(argv[k], "--engine") == 0)
            engine = strcmp(argv[k + 1], "cuda") == 0 ? SL_ENGINE_CUDA : SL_ENGINE_SUITESPARSE;
        else if (strcmp(argv[k], "--grid") != 0 || sscanf(argv[k + 1], "%dx%d", &rows, &cols) != 2)
            argc = 0;
    }
    if (argc % 2 == 0 || runs < 1) {
        fprintf(stderr, "usage: bench_dist_mxm [--scale S] [--grid RxC] [--runs N] [--engine "
                        "host|cuda] [--case NAME]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const product_case cases[] = {
        {.name = "plus_times", .semiring = SL_PLUS_TIMES_FP64, .weighted = true},
        {.name = "plus_pair", .semiring = SL_PLUS_PAIR_INT64},
        {.name = "plus_pair, masked", .semiring = SL_PLUS_PAIR_INT64, .mask = GRAPH_AS_MASK},
        {.name = "min_secondi", .semiring = SL_MIN_SECONDI_INT64},
        {.name = "empty mask, values",
         .semiring = SL_PLUS_TIMES_FP64,
         .mask = EMPTY_MASK,
         .weighted = true},
        {.name = "empty mask, pattern", .semiring = SL_PLUS_PAIR_INT64, .mask = EMPTY_MASK},
    };
    sl_context *ctx;
    sl_grid_info info;
    MUST(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, engine));
    MUST(ctx, sl_context_set_threads(ctx, 1));
    MUST(ctx, sl_grid_describe(&info, ctx));
    rank0_printf("grid %d x %d, A A of kronecker:%u\n", info.rows, info.cols, scale);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (strncmp(cases[k].name, only, strlen(only)) == 0)
            compare(ctx, engine, scale, &cases[k], runs);
    sl_context_free(ctx);
    MPI_Finalize();
    return 0;
}
