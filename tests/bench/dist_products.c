/*
 * Products of a vector and a matrix on a grid of MPI ranks, on a Kronecker graph:
 *
 *     mpiexec -n 4 bench_dist_products [--scale 17] [--grid 2x2] [--runs 5]
 *
 * Prints two tables. The first has the times of w<mask> = u A for masks that allow nothing,
 * a hundredth, half and all of the vertices, beside the product without a mask: over any_pair for
 * sparse and full u, and over plus_times in fp64 for a full u. The second compares a search written as
 * a loop of sl_vxm and sl_vector_assign_scalar with sl_closure, from the same vertices. Each time is that
 * of the slowest rank in the fastest of the runs; that of a product includes a reduction of its result,
 * which waits for devices. The searches must visit as many vertices.
 */
#include <semla/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist_graph.h"

enum { MOST_RUNS = 100, ROOTS = 4 };

static sl_context *ctx;
static sl_matrix *A;
static uint64_t vertices;

/* The least of the times: other programs delay ranks, which wait for each other. */
static double least(const double *values, int count)
{
    double result = values[0];
    for (int k = 1; k < count; k++)
        result = values[k] < result ? values[k] : result;
    return result;
}

static double now(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

/* A vector with the entries v for which a hash of v is below `share` of its range; rank 0 passes
 * all of them. */
static sl_vector *sample(double share)
{
    sl_vector *v;
    uint64_t count = 0, *index = malloc(vertices * sizeof *index);
    for (uint64_t k = 0; rank == 0 && k < vertices; k++)
        if ((double)((k * UINT64_C(0x9e3779b97f4a7c15)) >> 40) < share * 0x1p24)
            index[count++] = k;
    MUST(ctx, sl_vector_new(&v, ctx, SL_BOOL, vertices));
    MUST(ctx, sl_vector_build(v, index, NULL, count, NULL));
    free(index);
    return v;
}

/* ---- masks ------------------------------------------------------------------------------ */

static double time_product(const sl_vector *u, const sl_vector *mask, sl_descriptor desc,
                           sl_semiring ring, int runs)
{
    double seconds[MOST_RUNS] = {0};
    sl_vector *w;
    MUST(ctx, sl_vector_new(&w, ctx, sl_vector_type(u), vertices));
    for (int k = -1; k < runs; k++) { /* the first is a warm-up */
        const double began = now();
        MUST(ctx, sl_vxm(w, mask, NULL, ring, u, A, desc));
        wait_for(ctx, w);
        if (k >= 0)
            seconds[k] = now() - began;
    }
    sl_vector_free(w);
    return 1e3 * least(seconds, runs);
}

/* One line of the table. */
static void compare_under_masks(const char *name, const sl_vector *u, sl_semiring ring, int runs)
{
    static const double shares[] = {0, 0.01, 0.5, 1};
    const sl_descriptor plain = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE);
    const sl_descriptor complement = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    const double without = time_product(u, NULL, NULL, ring, runs);
    sl_vector *most = sample(0.99);
    rank0_printf("%-9s %7.3f ms", name, without);
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        sl_vector *mask = sample(shares[s]);
        rank0_printf(" %9.2fx", time_product(u, mask, plain, ring, runs) / without);
        sl_vector_free(mask);
    }
    rank0_printf(" %11.2fx\n", time_product(u, most, complement, ring, runs) / without);
    sl_vector_free(most);
}

static void compare_masks(int runs)
{
    static const double entries[] = {0.0001, 0.01, 1};
    char name[16];
    sl_vector *u, *numbers;
    rank0_printf("%-9s %10s %10s %10s %10s %10s %12s\n", "u", "no mask", "0%", "1%", "50%", "100%",
                 "not 99%");
    for (size_t e = 0; e < sizeof entries / sizeof *entries; e++) {
        u = sample(entries[e]);
        snprintf(name, sizeof name, "%.2f%%", 100 * entries[e]);
        compare_under_masks(name, u, SL_ANY_PAIR_BOOL, runs);
        sl_vector_free(u);
    }
    u = sample(1);
    MUST(ctx, sl_vector_new(&numbers, ctx, SL_FP64, vertices));
    MUST(ctx, sl_vector_assign(numbers, NULL, NULL, u, SL_ALL, 0, NULL));
    compare_under_masks("sums", numbers, SL_PLUS_TIMES_FP64, runs);
    sl_vector_free(numbers);
    sl_vector_free(u);
}

/* ---- searches --------------------------------------------------------------------------- */

/* The levels of a search, by products and assignments. */
static uint64_t loop(uint64_t source)
{
    sl_vector *level, *q;
    uint64_t left = 1, visited;
    const sl_descriptor unvisited = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    MUST(ctx, sl_vector_new(&level, ctx, SL_INT64, vertices));
    MUST(ctx, sl_vector_new(&q, ctx, SL_BOOL, vertices));
    MUST(ctx, sl_vector_set(q, source, sl_scalar_bool(true)));
    for (int64_t number = 0; left > 0; number++) {
        MUST(ctx, sl_vector_assign_scalar(level, q, NULL, sl_scalar_int64(number), SL_ALL, 0,
                                          sl_descriptor_get(SL_STRUCTURE)));
        MUST(ctx, sl_vxm(q, level, NULL, SL_ANY_PAIR_BOOL, q, A, unvisited));
        MUST(ctx, sl_vector_nvals(&left, q));
    }
    MUST(ctx, sl_vector_nvals(&visited, level));
    sl_vector_free(level);
    sl_vector_free(q);
    return visited;
}

static uint64_t closure(uint64_t source)
{
    sl_vector *pi, *level;
    uint64_t visited;
    MUST(ctx, sl_vector_new(&pi, ctx, SL_BOOL, vertices));
    MUST(ctx, sl_vector_new(&level, ctx, SL_INT64, vertices));
    const sl_closure_options options = {.from_source = true, .source = source, .level = level};
    MUST(ctx, sl_closure(pi, NULL, A, SL_ANY_PAIR_BOOL, &options));
    MUST(ctx, sl_vector_nvals(&visited, level));
    sl_vector_free(pi);
    sl_vector_free(level);
    return visited;
}

/* The first vertices with edges, far from each other. */
static void choose_roots(uint64_t *roots)
{
    sl_vector *degree;
    uint64_t found = 0;
    sl_scalar x;
    MUST(ctx, sl_vector_new(&degree, ctx, SL_INT64, vertices));
    MUST(ctx, sl_matrix_reduce_rows(degree, NULL, NULL, SL_PLUS_MONOID_INT64, A, NULL));
    for (uint64_t v = 1; found < ROOTS && v < vertices; v++) {
        const uint64_t at = v * UINT64_C(40503) % vertices;
        sl_status status = sl_vector_get(&x, degree, at);
        MUST(ctx, status);
        if (status == SL_OK)
            roots[found++] = at;
    }
    sl_vector_free(degree);
}

static double time_search(uint64_t (*search)(uint64_t), const uint64_t *roots, int runs,
                          uint64_t *visited)
{
    double seconds[MOST_RUNS] = {0}, sum = 0;
    *visited = 0;
    for (int r = 0; r < ROOTS; r++) {
        for (int k = -1; k < runs; k++) {
            const double began = now();
            const uint64_t count = search(roots[r]);
            if (k >= 0)
                seconds[k] = now() - began;
            *visited += k == 0 ? count : 0;
        }
        sum += 1e3 * least(seconds, runs);
    }
    return sum / ROOTS;
}

static void compare_searches(int runs)
{
    uint64_t roots[ROOTS] = {0}, by_loop, by_closure;
    choose_roots(roots);
    MUST(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    const double of_closure = time_search(closure, roots, runs, &by_closure);
    const double of_loop = time_search(loop, roots, runs, &by_loop);
    rank0_printf("closure %.3f ms, loop of vxm and assign %.3f ms: %.2f times the closure\n",
                 of_closure, of_loop, of_loop / of_closure);
    if (by_loop != by_closure) {
        fprintf(stderr,
                "bench_dist_products: the loop visits %" PRIu64 " vertices, the closure %" PRIu64
                "\n",
                by_loop, by_closure);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    int rows = 0, cols = 0, runs = 5;
    unsigned scale = 12;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 1; k + 1 < argc; k += 2) {
        if (strcmp(argv[k], "--scale") == 0)
            scale = (unsigned)atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--runs") == 0)
            runs = atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--grid") != 0 || sscanf(argv[k + 1], "%dx%d", &rows, &cols) != 2)
            argc = 0;
    }
    if (argc % 2 == 0 || runs < 1 || runs > MOST_RUNS) {
        fprintf(stderr, "usage: bench_dist_products [--scale S] [--grid RxC] [--runs 1..%d]\n",
                MOST_RUNS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MUST(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_AUTO));
    MUST(ctx, sl_context_set_threads(ctx, 1));
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = scale, .seed = 1};
    MUST(ctx,
         sl_matrix_generate(&A, ctx, &model,
                            &(sl_read_options){.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS}));
    vertices = UINT64_C(1) << scale;
    sl_grid_info info;
    MUST(ctx, sl_grid_describe(&info, ctx));
    rank0_printf("grid %d x %d, scale %u\n", info.rows, info.cols, scale);
    compare_masks(runs);
    compare_searches(runs);
    sl_matrix_free(A);
    sl_context_free(ctx);
    MPI_Finalize();
    return 0;
}
