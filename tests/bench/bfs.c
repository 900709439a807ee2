/*
 * sl_bfs against the same loop written on SuiteSparse directly, in one run:
 *
 *     bench_bfs [--roots N] [MODEL...]     kronecker:SCALE | grid:SIDE | road:SIDE
 *
 * Prints, per graph, the median seconds of each form of the search over the
 * same roots, taken in turn, and the ratio to the loop.
 */
#include <semla/bfs.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "suitesparse_loop.h"

enum { FORMS = 4, MOST_ROOTS = 256 };
static const char *const form_names[FORMS] = {"loop on SuiteSparse", "sl_bfs",
                                              "sl_bfs, suitesparse", "vxm + assign, suitesparse"};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(sl_context *ctx, sl_status status, const char *what)
{
    if (status == SL_OK)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, sl_status_string(status), sl_context_message(ctx));
    exit(1);
}
#define MUST(ctx, call) must(ctx, call, #call)

static void generator_of(sl_generator *g, const char *model)
{
    const char *colon = strchr(model, ':');
    uint64_t size = colon ? strtoull(colon + 1, NULL, 10) : 0;
    *g = (sl_generator){.seed = 1, .scale = (unsigned)size, .side = {size, size, 0}};
    if (strncmp(model, "kronecker", 9) == 0)
        g->model = SL_MODEL_KRONECKER;
    else if (strncmp(model, "grid", 4) == 0)
        g->model = SL_MODEL_GRID;
    else if (strncmp(model, "road", 4) == 0)
        g->model = SL_MODEL_ROAD;
    else {
        fprintf(stderr, "there is no model %s\n", model);
        exit(2);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

/* One search in one form, its result freed outside the clock. */
static double search(int form, sl_matrix *fast, sl_matrix *plain, const loop_graph *loop,
                     uint64_t root)
{
    sl_vector *parent = NULL;
    GrB_Vector pi = NULL;
    sl_context *fast_ctx = sl_matrix_context(fast), *plain_ctx = sl_matrix_context(plain);
    double started = now();
    switch (form) {
    case 0:
        loop_search(&pi, loop, root);
        break;
    case 1:
        MUST(fast_ctx, sl_bfs(&parent, NULL, fast, root, NULL));
        break;
    case 2:
        MUST(plain_ctx, sl_bfs(&parent, NULL, plain, root, NULL));
        break;
    default:
        MUST(plain_ctx, sl_bfs_plain(&parent, NULL, plain, root, false));
        break;
    }
    double seconds = now() - started;
    sl_vector_free(parent);
    GrB_Vector_free(&pi);
    return seconds;
}

static void compare(const char *model, int roots)
{
    sl_generator generator;
    generator_of(&generator, model);
    sl_context *fast_ctx, *plain_ctx;
    must(NULL, sl_context_create(&fast_ctx, SL_ENGINE_AUTO), "auto context");
    must(NULL, sl_context_create(&plain_ctx, SL_ENGINE_SUITESPARSE), "suitesparse context");
    sl_edges edges;
    sl_read_options options = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    sl_matrix *fast, *plain;
    MUST(fast_ctx, sl_generate(&edges, fast_ctx, &generator));
    MUST(fast_ctx, sl_matrix_from_edges(&fast, fast_ctx, &edges, &options));
    MUST(plain_ctx, sl_matrix_from_edges(&plain, plain_ctx, &edges, &options));
    sl_edges_free(&edges);
    sl_csr csr;
    loop_graph loop;
    MUST(fast_ctx, sl_matrix_copy_csr(&csr, fast));
    loop_graph_make(&loop, csr.nrows, csr.start, csr.index);

    double seconds[FORMS][MOST_ROOTS];
    uint64_t root = 0, state = 12345;
    for (int r = -1; r < roots; r++) { /* the first is for warmth */
        do
            root = (state = state * 6364136223846793005u + 1442695040888963407u) % csr.nrows;
        while (csr.start[root + 1] == csr.start[root]);
        for (int form = 0; form < FORMS; form++) {
            double t = search(form, fast, plain, &loop, root);
            if (r >= 0)
                seconds[form][r] = t;
        }
    }
    printf("%s: %" PRIu64 " vertices, %" PRIu64 " entries, %d roots\n", model, csr.nrows,
           csr.start[csr.nrows], roots);
    double yardstick = 0;
    for (int form = 0; form < FORMS; form++) {
        double m = median(seconds[form], roots);
        yardstick = form == 0 ? m : yardstick;
        printf("  %-28s %10.3f ms   ratio %6.3f   %8.3f GTEPS\n", form_names[form], 1e3 * m,
               m / yardstick, 0.5e-9 * (double)csr.start[csr.nrows] / m);
    }
    fflush(stdout);
    loop_graph_free(&loop);
    sl_free(csr.start);
    sl_free(csr.index);
    sl_free(csr.values);
    sl_matrix_free(fast);
    sl_matrix_free(plain);
    sl_context_free(fast_ctx);
    sl_context_free(plain_ctx);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"kronecker:20", "kronecker:21", "grid:2048", "road:2048"};
    int roots = 8, first = 1;
    if (argc > 2 && strcmp(argv[1], "--roots") == 0) {
        roots = atoi(argv[2]);
        first = 3;
    }
    if (roots < 1 || roots > MOST_ROOTS) {
        fprintf(stderr, "--roots takes 1 to %d\n", MOST_ROOTS);
        return 2;
    }
    if (first < argc)
        for (int k = first; k < argc; k++)
            compare(argv[k], roots);
    else
        for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
            compare(usual[k], roots);
    return 0;
}
