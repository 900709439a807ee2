/*
 * What the first, second, third and fourth call of searches and shortest paths cost on a matrix that
 * sl_matrix_optimize has prepared and on one that it has not:
 *
 *     bench_preparation [--gpu | --host] [MODEL...]
 *
 * MODEL as for bench_workflows. All calls start at the same vertex; results are included. A call
 * before on another matrix pays for what a process does once. The time of the preparation itself is
 * in the last column. Also what calls cost on a matrix of which nothing is known, not even that the
 * pattern is symmetric, and how many bytes of a device each entry then takes: searches, sums by columns, and
 * products by columns with the lengths.
 */
#include <semla/algorithms.h>

#include <stdio.h>
#include <string.h>

#include "workflow_graphs.h"

enum { CALLS = 4 };

static void finish(sl_context *ctx, sl_vector *a, sl_vector *b, uint64_t source)
{
    sl_scalar value;
    MUST(ctx, sl_vector_get(&value, a, source));
    sl_vector_free(a);
    sl_vector_free(b);
}

static void search(sl_context *ctx, const sl_matrix *A, uint64_t source)
{
    sl_vector *parent, *level;
    MUST(ctx, sl_bfs(&parent, &level, A, source, NULL));
    finish(ctx, parent, level, source);
}

static void shortest_paths(sl_context *ctx, const sl_matrix *A, uint64_t source)
{
    sl_vector *distance, *parent;
    MUST(ctx, sl_sssp(&distance, &parent, A, source));
    finish(ctx, distance, parent, source);
}

static double milliseconds(double started)
{
    return 1e3 * (bench_now() - started);
}

static void measure(const workflow_graph *g, const char *name, const sl_matrix *of,
                    void (*call)(sl_context *ctx, const sl_matrix *A, uint64_t source))
{
    call(g->ctx, of, g->sources[1]);
    for (int prepared = 0; prepared < 2; prepared++) {
        sl_matrix *A;
        double optimize = 0;
        MUST(g->ctx, sl_matrix_dup(&A, of));
        if (prepared) {
            const double started = bench_now();
            MUST(g->ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL | SL_FOR_PATHS));
            optimize = milliseconds(started);
        }
        printf("  %-5s %-11s", name, prepared ? "prepared" : "unprepared");
        for (int k = 0; k < CALLS; k++) {
            const double started = bench_now();
            call(g->ctx, A, g->sources[0]);
            printf(" %10.3f", milliseconds(started));
        }
        printf(" ms   prepare %.3f ms\n", optimize);
        fflush(stdout);
        sl_matrix_free(A);
    }
}

static void sum_columns(sl_context *ctx, const sl_matrix *A, uint64_t source)
{
    const sl_type type = sl_matrix_type(A) == SL_BOOL ? SL_FP64 : sl_matrix_type(A);
    const sl_semiring ring = sl_semiring_get(
        sl_matrix_type(A) == SL_BOOL ? SL_SEMIRING_PLUS_FIRST : SL_SEMIRING_PLUS_TIMES, type);
    sl_vector *u, *w;
    MUST(ctx, sl_vector_new(&u, ctx, type, sl_matrix_nrows(A)));
    MUST(ctx, sl_vector_new(&w, ctx, type, sl_matrix_ncols(A)));
    MUST(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
    MUST(ctx, sl_vxm(w, NULL, NULL, ring, u, A, NULL));
    finish(ctx, w, u, source);
}

/* The same calls on a copy that has lost what is known of `of`. */
static void measure_unknown(const workflow_graph *g, const char *name, const sl_matrix *of,
                            void (*call)(sl_context *ctx, const sl_matrix *A, uint64_t source))
{
    const uint64_t n = sl_matrix_nrows(of);
    uint64_t entries;
    sl_matrix *A;
    sl_placement placement;
    call(g->ctx, of, g->sources[1]);
    MUST(g->ctx, sl_matrix_new(&A, g->ctx, sl_matrix_type(of), n, n));
    MUST(g->ctx, sl_matrix_assign(A, NULL, NULL, of, SL_ALL, 0, SL_ALL, 0, NULL));
    MUST(g->ctx, sl_matrix_nvals(&entries, A));
    printf("  %-5s unknown    ", name);
    for (int k = 0; k < 2 * CALLS; k++) {
        const double started = bench_now();
        call(g->ctx, A, g->sources[0]);
        printf(" %10.3f", milliseconds(started));
    }
    MUST(g->ctx, sl_matrix_placement(&placement, A));
    printf(" ms   %.1f bytes an entry\n", (double)placement.device_bytes / (double)entries);
    fflush(stdout);
    sl_matrix_free(A);
}

/* The lengths in the type of the distances, for which SL_FOR_PATHS sorts. */
static sl_matrix *wide_lengths(const workflow_graph *g)
{
    const sl_type given = sl_matrix_type(g->lengths);
    const sl_type type = given == SL_FP32 || given == SL_FP64 ? SL_FP64 : SL_INT64;
    const uint64_t n = sl_matrix_nrows(g->lengths);
    sl_matrix *wide;
    MUST(g->ctx, sl_matrix_new(&wide, g->ctx, type, n, n));
    MUST(g->ctx, sl_matrix_apply(wide, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, type),
                                 g->lengths, NULL));
    return wide;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"kronecker:16", "grid:512"};
    sl_engine_choice engine = SL_ENGINE_AUTO;
    int k = 1;
    for (; k < argc && argv[k][0] == '-'; k++)
        if (strcmp(argv[k], "--gpu") == 0) {
            engine = SL_ENGINE_CUDA;
        } else if (strcmp(argv[k], "--host") == 0) {
            engine = SL_ENGINE_OPENMP;
        } else {
            fprintf(stderr, "usage: bench_preparation [--gpu | --host] [MODEL...]\n");
            return 2;
        }
    const int models = k < argc ? argc - k : (int)(sizeof usual / sizeof *usual);
    const char *const *model = k < argc ? (const char *const *)argv + k : usual;
    sl_context *ctx;
    bench_must(NULL, sl_context_create(&ctx, engine), "context");
    for (int m = 0; m < models; m++) {
        workflow_graph g;
        workflow_graph_make(&g, ctx, model[m]);
        printf("%s, engine %s: calls 1 to %d\n", model[m], sl_context_engine(ctx, 0), CALLS);
        measure(&g, "bfs", g.A, search);
        sl_matrix *lengths = wide_lengths(&g);
        measure(&g, "sssp", lengths, shortest_paths);
        measure_unknown(&g, "bfs", g.A, search);
        measure_unknown(&g, "sums", g.A, sum_columns);
        measure_unknown(&g, "vxm", lengths, sum_columns);
        sl_matrix_free(lengths);
        workflow_graph_free(&g);
    }
    sl_context_free(ctx);
    return 0;
}
