/* The part of bench_gpu that times searches, shortest paths and components on the GPU, and searches
 * on the host. */
#define _POSIX_C_SOURCE 200112L
#include "gpu.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of search: sl_bfs with any parents (WHOLE), with the least parents (LEAST) or with one
 * target (TARGET); the loop of vxm and assign (PLAIN) or of advance and assign (ADVANCES). */
typedef enum { WHOLE, LEAST, TARGET, PLAIN, ADVANCES } kind;

static void search_by_advance(sl_vector **parent, sl_vector **level, const sl_matrix *A,
                              uint64_t root)
{
    sl_context *ctx = sl_matrix_context(A);
    uint64_t reached = 1, n = sl_matrix_nrows(A);
    sl_vector *q;
    MUST(ctx, sl_vector_new(parent, ctx, SL_INT64, n));
    MUST(ctx, sl_vector_new(level, ctx, SL_INT64, n));
    MUST(ctx, sl_vector_new(&q, ctx, SL_INT64, n));
    MUST(ctx, sl_vector_set(*parent, root, sl_scalar_int64((int64_t)root)));
    MUST(ctx, sl_vector_set(q, root, sl_scalar_int64((int64_t)root)));
    MUST(ctx, sl_vector_set(*level, root, sl_scalar_int64(0)));
    for (int64_t depth = 1; reached > 0; depth++) {
        MUST(ctx, sl_advance(q, *parent, q, A, SL_ANY_SECONDI_INT64, SL_AUTO, NULL));
        MUST(ctx, sl_vector_nvals(&reached, q));
        if (reached > 0)
            MUST(ctx, sl_vector_assign_scalar(*level, q, NULL, sl_scalar_int64(depth), SL_ALL, 0,
                                              sl_descriptor_get(SL_STRUCTURE)));
    }
    sl_vector_free(q);
}

static void search_whole(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t root,
                         kind which)
{
    const uint64_t target = sl_matrix_nrows(A) - 1 - root;
    sl_bfs_options options = {
        .deterministic = which == LEAST, .targets = &target, .ntargets = which == TARGET};
    MUST(sl_matrix_context(A), sl_bfs(parent, level, A, root, &options));
}

/* Waits until the result is in device memory in the caller's order, or on a host by reading its value at `index`. */
static void wait_for(sl_context *ctx, const sl_vector *result, uint64_t index)
{
    sl_vector_view view;
    sl_scalar value;
    if (sl_vector_lend(&view, result, SL_MEMORY_CUDA) != SL_OK)
        MUST(ctx, sl_vector_get(&value, result, index));
}

/* Seconds of one search, its results included. */
static double search(sl_context *ctx, const sl_matrix *A, uint64_t root, kind which)
{
    sl_vector *parent, *level;
    double started = bench_now();
    if (which == ADVANCES)
        search_by_advance(&parent, &level, A, root);
    else if (which == PLAIN)
        MUST(ctx, sl_bfs_plain(&parent, &level, A, root, false));
    else
        search_whole(&parent, &level, A, root, which);
    wait_for(ctx, parent, root);
    wait_for(ctx, level, root);
    double seconds = bench_now() - started;
    sl_vector_free(parent);
    sl_vector_free(level);
    return seconds;
}

/* Chooses as roots vertices with edges that are far apart in the order of ids. */
static void choose_roots(uint64_t *root, const sl_csr *csr, int roots)
{
    uint64_t v = 0;
    for (int k = 0; k < roots; k++, v += 7919) {
        while (csr->start[v % csr->nrows] == csr->start[v % csr->nrows + 1])
            v++;
        root[k] = v % csr->nrows;
    }
}

/* A matrix with the same pattern as `rows`, with `values`, which it takes ownership of; NULL: all
 * true. */
static sl_matrix *same_rows(sl_context *ctx, const sl_csr *rows, sl_type type, void *values)
{
    sl_matrix *A;
    sl_csr copy = *rows;
    size_t starts = (rows->nrows + 1) * sizeof *copy.start;
    size_t indices = rows->start[rows->nrows] * sizeof *copy.index;
    copy.start = memcpy(sl_malloc(starts), rows->start, starts);
    copy.index = memcpy(sl_malloc(indices + 1), rows->index, indices);
    copy.type = type;
    copy.values = values;
    MUST(ctx, sl_matrix_take_csr(&A, ctx, &copy));
    return A;
}

/*
 * The median time of a search on one engine of the host, after a warm-up that prepares the matrix.
 */
static double on_host(sl_engine_choice engine, const sl_csr *csr, const uint64_t *root, int roots)
{
    sl_context *ctx;
    sl_matrix *A;
    double times[MOST];
    bench_must(NULL, sl_context_create(&ctx, engine), "a context of the host");
    A = same_rows(ctx, csr, SL_BOOL, NULL);
    MUST(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    search(ctx, A, root[0], WHOLE);
    for (int k = 0; k < roots; k++)
        times[k] = search(ctx, A, root[k], WHOLE);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return bench_median(times, roots);
}

/* The same edges with lengths 1 to 255, symmetric. */
static sl_matrix *with_lengths(sl_context *ctx, const sl_csr *csr)
{
    uint64_t n = csr->nrows, nnz = csr->start[n];
    int64_t *lengths = sl_malloc(nnz * sizeof *lengths);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t k = csr->start[u]; k < csr->start[u + 1]; k++) {
            uint64_t v = csr->index[k], x = (u ^ v) * 0x9e3779b97f4a7c15u + (u + v);
            lengths[k] = (int64_t)((x ^ x >> 29) % 255 + 1);
        }
    return same_rows(ctx, csr, SL_INT64, lengths);
}

static double paths(sl_context *ctx, const sl_matrix *A, const uint64_t *root, int roots)
{
    double times[MOST];
    for (int k = -1; k < roots; k++) {
        sl_vector *distance;
        double started = bench_now();
        MUST(ctx, sl_sssp(&distance, NULL, A, root[k < 0 ? 0 : k]));
        times[k < 0 ? 0 : k] = bench_now() - started;
        sl_vector_free(distance);
    }
    return bench_median(times, roots);
}

/* Shortest paths without delta-stepping, and with other values of delta. */
static void other_deltas(sl_context *ctx, const sl_matrix *A, const uint64_t *root, int roots)
{
    static const char *const words[] = {"nodelta", "delta=0.25", "delta=4"};
    printf(" ");
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        setenv("SEMLA_TRAVERSAL", words[w], 1);
        printf("%s sssp SEMLA_TRAVERSAL=%s %.3f ms", w ? "," : "", words[w],
               1e3 * paths(ctx, A, root, roots));
    }
    unsetenv("SEMLA_TRAVERSAL");
    printf("\n");
}

static double components(sl_context *ctx, const sl_matrix *A)
{
    double times[5];
    for (int k = -1; k < 5; k++) {
        sl_vector *component;
        sl_scalar first;
        double started = bench_now();
        MUST(ctx, sl_components(&component, A));
        MUST(ctx, sl_vector_get(&first, component, 0)); /* waits for the GPU */
        times[k < 0 ? 0 : k] = bench_now() - started;
        sl_vector_free(component);
    }
    return bench_median(times, 5);
}

/* p(v): a vector of n indices that are far from each other. */
static sl_vector *scattered_indices(sl_context *ctx, uint64_t n)
{
    uint64_t *values = sl_malloc((n + 1) * sizeof *values);
    sl_arrays arrays = {
        .format = SL_FORMAT_FULL, .type = SL_INT64, .nrows = n, .ncols = 1, .values = values};
    sl_vector *p;
    for (uint64_t v = 0; v < n; v++)
        values[v] = v * 0x9e3779b97f4a7c15u % n;
    MUST(ctx, sl_vector_take(&p, ctx, &arrays));
    return p;
}

/* Milliseconds of a gather w = p(p), or of a scatter w(p) min= p, of n indices; without the check of
 * their range, which is made once. */
static double index_vectors(sl_context *ctx, uint64_t n, bool scatters)
{
    enum { REPEATED = 20 };
    sl_vector *p = scattered_indices(ctx, n), *w;
    sl_scalar first;
    double started = 0;
    MUST(ctx, sl_vector_dup(&w, p));
    for (int k = -1; k < REPEATED; k++) {
        if (scatters)
            MUST(ctx, sl_vector_scatter(w, NULL, SL_MIN_INT64, SL_MIN_MONOID_INT64, p, p, NULL));
        else
            MUST(ctx, sl_vector_gather(w, NULL, NULL, p, p, NULL));
        if (k < 0) {
            MUST(ctx, sl_vector_get(&first, w, 0)); /* waits for the GPU */
            started = bench_now();
        }
    }
    MUST(ctx, sl_vector_get(&first, w, 0));
    const double seconds = (bench_now() - started) / REPEATED;
    sl_vector_free(p);
    sl_vector_free(w);
    return 1e3 * seconds;
}

/* Searches on both engines of the host; `gpu` is the time of a search on the GPU, in seconds. */
static void on_both_engines(const sl_csr *csr, const uint64_t *root, int roots, double gpu)
{
    double host = on_host(SL_ENGINE_SUITESPARSE, csr, root, roots);
    double openmp = on_host(SL_ENGINE_OPENMP, csr, root, roots);
    printf("  search on %d threads of the host: SuiteSparse %.1f ms, %.0f times the GPU's; "
           "openmp %.1f ms, %.0f times\n",
           omp_get_max_threads(), 1e3 * host, host / gpu, 1e3 * openmp, openmp / gpu);
    fflush(stdout);
}

static double median_of(sl_context *gpu, const sl_matrix *A, const uint64_t *root, int roots,
                        kind which)
{
    double times[MOST];
    search(gpu, A, root[0], which);
    for (int k = 0; k < roots; k++)
        times[k] = search(gpu, A, root[k], which);
    return bench_median(times, roots);
}

/* The loop of advance and assign. */
static void other_forms(sl_context *gpu, const sl_matrix *A, const uint64_t *root, int roots,
                        double fused)
{
    double b = median_of(gpu, A, root, roots, ADVANCES);
    printf("  advance + assign %.3f ms, ratio %.2f\n", 1e3 * b, b / fused);
}

void bench_searches(sl_context *gpu, const sl_matrix *A, int roots, bool host)
{
    double fused[MOST], plain[MOST];
    uint64_t root[MOST] = {0};
    sl_csr csr;
    MUST(gpu, sl_matrix_copy_csr(&csr, A));
    choose_roots(root, &csr, roots);
    for (int k = 0; k < roots; k++) {
        search(gpu, A, root[k], PLAIN);
        plain[k] = search(gpu, A, root[k], PLAIN);
        search(gpu, A, root[k], WHOLE);
        fused[k] = search(gpu, A, root[k], WHOLE);
    }
    double a = bench_median(fused, roots), b = bench_median(plain, roots);
    printf("  search: sl_bfs %.3f ms, vxm + assign %.3f ms, ratio %.2f\n", 1e3 * a, 1e3 * b, b / a);
    other_forms(gpu, A, root, roots, a);
    double least = median_of(gpu, A, root, roots, LEAST);
    double with_target = median_of(gpu, A, root, roots, TARGET);
    printf("  least parents %.3f ms, ratio %.2f; with a target %.3f ms, ratio %.2f\n", 1e3 * least,
           least / a, 1e3 * with_target, with_target / a);
    fflush(stdout);

    int fewer = roots < 8 ? roots : 8;
    if (host)
        on_both_engines(&csr, root, fewer, a);

    sl_matrix *lengths = with_lengths(gpu, &csr);
    double sssp = paths(gpu, lengths, root, fewer);
    other_deltas(gpu, lengths, root, fewer);
    sl_matrix_free(lengths);
    double labels = components(gpu, A);
    printf("  sssp %.3f ms, %.1f searches; components %.3f ms, %.1f searches\n", 1e3 * sssp,
           sssp / a, 1e3 * labels, labels / a);
    const uint64_t n = sl_matrix_nrows(A);
    printf("  gather %.3f ms, scatter %.3f ms of %d indices\n", index_vectors(gpu, n, false),
           index_vectors(gpu, n, true), (int)n);
    fflush(stdout);
    sl_free(csr.start);
    sl_free(csr.index);
    sl_free(csr.values);
}
