/*
 * What small operations cost on each engine: the public calls on a random symmetric matrix of n rows
 * with about 16 entries each and on full vectors, all of fp64, and whole algorithms on that graph, for
 * a range of n. It shows where the host and where a GPU is faster, and that SL_ENGINE_AUTO is about
 * as fast as the faster of them:
 *
 *     bench_small_operations [--samples N] [--only WORD] [--engines NAME,...] [SIZE...]
 *
 *     --samples N   samples of each operation; default 41
 *     --only WORD   operations with names that contain WORD
 *     --engines     some of suitesparse, openmp, cuda, auto; default: all that the machine has
 *     SIZE          numbers of rows; default 16 1000 10000 100000 1000000
 *
 * A sample is the time of CALLS calls, or of fewer if they take more than a millisecond, and of one
 * read that waits for the last result, divided by the number of calls. Prints the median in
 * microseconds, and each engine's ratio to the fastest. Engines alternate, so that other load of
 * the machine affects all of them.
 */
#include <semla/algorithms.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

enum { CALLS = 16, MOST_SAMPLES = 1001, DEGREE = 8, LARGEST_PRODUCT = 100000 };

/* The objects of one engine. The calls read A, u, v, one and index, and write w and C. */
typedef struct {
    sl_context *ctx;
    uint64_t n;
    sl_matrix *A, *C;
    sl_vector *u, *v, *w, *one, *index;
} world;

/* ---- the operations -------------------------------------------------------------- */

static sl_status search(world *x)
{
    sl_vector *parent, *level;
    const sl_status status = sl_bfs(&parent, &level, x->A, 0, NULL);
    sl_vector_free(parent);
    sl_vector_free(level);
    return status;
}

static sl_status pagerank(world *x)
{
    sl_vector *rank;
    const sl_status status = sl_pagerank(&rank, x->A, NULL, NULL);
    sl_vector_free(rank);
    return status;
}

static sl_status components(world *x)
{
    sl_vector *component;
    const sl_status status = sl_components(&component, x->A);
    sl_vector_free(component);
    return status;
}

static sl_status shortest_paths(world *x)
{
    sl_vector *distance, *parent;
    const sl_status status = sl_sssp(&distance, &parent, x->A, 0);
    sl_vector_free(distance);
    sl_vector_free(parent);
    return status;
}

static sl_status set_and_count(world *x)
{
    uint64_t count;
    const sl_status status = sl_vector_set(x->w, x->n / 2, sl_scalar_fp64(1));
    return status == SL_OK ? sl_vector_nvals(&count, x->w) : status;
}

/* X(name, call) */
#define CASES(X)                                                                                   \
    X(ewise_add, sl_vector_ewise_add(x->w, NULL, NULL, SL_PLUS_FP64, x->u, x->v, NULL))            \
    X(ewise_mult_accum,                                                                            \
      sl_vector_ewise_mult(x->w, NULL, SL_PLUS_FP64, SL_TIMES_FP64, x->u, x->v, NULL))             \
    X(apply, sl_vector_apply(x->w, NULL, NULL, SL_ABS_FP64, x->u, NULL))                           \
    X(select,                                                                                      \
      sl_vector_select(x->w, NULL, NULL, SL_VALUEGT_FP64, x->u, sl_scalar_fp64(0.5), NULL))        \
    X(assign_scalar,                                                                               \
      sl_vector_assign_scalar(x->w, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL))               \
    X(gather, sl_vector_gather(x->w, NULL, NULL, x->u, x->index, NULL))                            \
    X(reduce, sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, x->u))                             \
    X(set_and_nvals, set_and_count(x))                                                             \
    X(vxm_one_entry, sl_vxm(x->w, NULL, NULL, SL_PLUS_TIMES_FP64, x->one, x->A, NULL))             \
    X(vxm_full, sl_vxm(x->w, NULL, NULL, SL_PLUS_TIMES_FP64, x->u, x->A, NULL))                    \
    X(search, search(x))                                                                           \
    X(pagerank, pagerank(x))                                                                       \
    X(components, components(x))                                                                   \
    X(sssp, shortest_paths(x))                                                                     \
    X(mxm, sl_mxm(x->C, NULL, NULL, SL_PLUS_TIMES_FP64, x->A, x->A, NULL))

#define X(name, call)                                                                              \
    static void run_##name(world *x)                                                               \
    {                                                                                              \
        sl_scalar sum;                                                                             \
        (void)sum;                                                                                 \
        MUST(x->ctx, call);                                                                        \
    }
CASES(X)
#undef X

static const struct {
    const char *name;
    void (*run)(world *x);
} cases[] = {
#define X(name, call) {#name, run_##name},
    CASES(X)
#undef X
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

/* ---- objects --------------------------------------------------------------------- */

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static void *array(uint64_t count)
{
    void *memory = malloc((count ? count : 1) * 8);
    if (!memory)
        abort();
    return memory;
}

static void make_matrix(world *x)
{
    const uint64_t count = 2 * DEGREE * x->n;
    uint64_t *rows = array(count), *cols = array(count), state = 1;
    double *values = array(count);
    for (uint64_t k = 0; k < count; k += 2) {
        rows[k] = cols[k + 1] = (uint64_t)(uniform(&state) * (double)x->n);
        cols[k] = rows[k + 1] = (uint64_t)(uniform(&state) * (double)x->n);
        values[k] = values[k + 1] = uniform(&state);
    }
    MUST(x->ctx, sl_matrix_new(&x->A, x->ctx, SL_FP64, x->n, x->n));
    MUST(x->ctx, sl_matrix_new(&x->C, x->ctx, SL_FP64, x->n, x->n));
    MUST(x->ctx, sl_matrix_build(x->A, rows, cols, values, count, SL_PLUS_FP64));
    MUST(x->ctx, sl_matrix_promise_symmetric(x->A));
    MUST(x->ctx, sl_matrix_optimize(x->A, SL_FOR_TRAVERSAL));
    free(rows);
    free(cols);
    free(values);
}

/* A vector of `count` random values, at the indices 0 to count - 1. */
static sl_vector *make_vector(const world *x, uint64_t count, uint64_t seed)
{
    uint64_t *indices = array(count), state = seed;
    double *values = array(count);
    sl_vector *made;
    for (uint64_t k = 0; k < count; k++) {
        indices[k] = k;
        values[k] = uniform(&state);
    }
    MUST(x->ctx, sl_vector_new(&made, x->ctx, SL_FP64, x->n));
    MUST(x->ctx, sl_vector_build(made, indices, values, count, NULL));
    free(indices);
    free(values);
    return made;
}

static sl_vector *make_indices(const world *x)
{
    uint64_t *indices = array(x->n), state = 5;
    int64_t *values = array(x->n);
    sl_vector *made;
    for (uint64_t k = 0; k < x->n; k++) {
        indices[k] = k;
        values[k] = (int64_t)(uniform(&state) * (double)x->n);
    }
    MUST(x->ctx, sl_vector_new(&made, x->ctx, SL_INT64, x->n));
    MUST(x->ctx, sl_vector_build(made, indices, values, x->n, NULL));
    free(indices);
    free(values);
    return made;
}

static void make_world(world *x, sl_context *ctx, uint64_t n)
{
    *x = (world){.ctx = ctx, .n = n};
    make_matrix(x);
    x->u = make_vector(x, n, 2);
    x->v = make_vector(x, n, 3);
    x->w = make_vector(x, n, 4);
    x->one = make_vector(x, 1, 4);
    x->index = make_indices(x);
}

static void free_world(world *x)
{
    sl_matrix_free(x->A);
    sl_matrix_free(x->C);
    sl_vector_free(x->u);
    sl_vector_free(x->v);
    sl_vector_free(x->w);
    sl_vector_free(x->one);
    sl_vector_free(x->index);
}

/* ---- times ------------------------------------------------------------------------- */

/* Waits for the results by reading one value. */
static void finish(const world *x)
{
    sl_scalar value;
    sl_status status = sl_vector_get(&value, x->w, 0);
    MUST(x->ctx, status == SL_NO_VALUE ? SL_OK : status);
}

/* Microseconds per call. */
static double sample(world *x, int which, int calls)
{
    const double started = bench_now();
    for (int k = 0; k < calls; k++)
        cases[which].run(x);
    finish(x);
    return 1e6 * (bench_now() - started) / calls;
}

static int choose_calls(world *x, int which)
{
    for (int k = 0; k < 3; k++) /* warm-up */
        sample(x, which, 1);
    return (int)fmax(1, fmin(CALLS, 1000 / sample(x, which, 1)));
}

enum { ENGINES = 4 };
static const struct {
    const char *name;
    sl_engine_choice choice;
} engines[ENGINES] = {{"suitesparse", SL_ENGINE_SUITESPARSE},
                      {"openmp", SL_ENGINE_OPENMP},
                      {"cuda", SL_ENGINE_CUDA},
                      {"auto", SL_ENGINE_AUTO}};

/* Prints the line of one operation; x[e].ctx NULL: engine e is not measured. */
static void measure(world *x, int which, int samples)
{
    static double us[ENGINES][MOST_SAMPLES];
    double median[ENGINES], best = INFINITY;
    int calls[ENGINES];
    for (int e = 0; e < ENGINES; e++)
        calls[e] = x[e].ctx ? choose_calls(&x[e], which) : 0;
    for (int k = 0; k < samples; k++)
        for (int e = 0; e < ENGINES; e++)
            if (x[e].ctx)
                us[e][k] = sample(&x[e], which, calls[e]);
    for (int e = 0; e < ENGINES; e++)
        if (x[e].ctx)
            best = fmin(best, median[e] = bench_median(us[e], samples));
    printf("  %-18s", cases[which].name);
    for (int e = 0; e < ENGINES; e++)
        if (x[e].ctx)
            printf(" %11.1f (%5.2f)", median[e], median[e] / best);
    printf("\n");
    fflush(stdout);
}

static void measure_size(sl_context *const *ctx, uint64_t n, int samples, const char *only)
{
    world x[ENGINES] = {0};
    printf("%llu rows\n  %-18s", (unsigned long long)n, "us (ratio)");
    for (int e = 0; e < ENGINES; e++)
        if (ctx[e]) {
            make_world(&x[e], ctx[e], n);
            printf(" %11s        ", engines[e].name);
        }
    printf("\n");
    for (int k = 0; k < CASE_COUNT; k++)
        if ((!only || strstr(cases[k].name, only)) &&
            (cases[k].run != run_mxm || n <= LARGEST_PRODUCT))
            measure(x, k, samples);
    for (int e = 0; e < ENGINES; e++)
        if (ctx[e])
            free_world(&x[e]);
}

static int usage(void)
{
    fprintf(stderr,
            "usage: bench_small_operations [--samples 1..%d] [--only WORD] [--engines NAME,...] "
            "[SIZE...]\n",
            MOST_SAMPLES);
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"16", "1000", "10000", "100000", "1000000"};
    const char *only = NULL, *names = NULL;
    int samples = 41, k = 1;
    for (; k + 1 < argc && argv[k][0] == '-'; k += 2)
        if (strcmp(argv[k], "--samples") == 0)
            samples = atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--only") == 0)
            only = argv[k + 1];
        else if (strcmp(argv[k], "--engines") == 0)
            names = argv[k + 1];
        else
            return usage();
    if (samples < 1 || samples > MOST_SAMPLES || (k < argc && argv[k][0] == '-'))
        return usage();
    sl_context *ctx[ENGINES] = {NULL};
    for (int e = 0; e < ENGINES; e++)
        if (!names || strstr(names, engines[e].name)) {
            const sl_status status = sl_context_create(&ctx[e], engines[e].choice);
            if (status != SL_UNSUPPORTED || names) /* a machine without a GPU */
                MUST(NULL, status);
        }
    const int sizes = k < argc ? argc - k : (int)(sizeof usual / sizeof *usual);
    const char *const *size = k < argc ? (const char *const *)argv + k : usual;
    for (int s = 0; s < sizes; s++) {
        const uint64_t n = strtoull(size[s], NULL, 10);
        if (n < 1 || n > UINT32_MAX)
            return usage();
        measure_size(ctx, n, samples, only);
    }
    for (int e = 0; e < ENGINES; e++)
        sl_context_free(ctx[e]);
    return 0;
}
