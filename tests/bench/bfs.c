/*
 * Breadth-first search by sl_bfs, compared with a loop of GraphBLAS calls on SuiteSparse
 * (suitesparse_loop.c):
 *
 *     bench_bfs [--roots N] [MODEL...]     kronecker:SCALE | grid:SIDE | road:SIDE
 *
 * Prints for each graph the median time of each kind of search over the same roots (the better of
 * two runs of each root), and its ratio to the loop. The loop and sl_bfs alternate. The loop runs
 * in a process of its own, which calls GrB_init itself, so that neither side uses the allocator of
 * the other; the two processes never search at the same time.
 */
#include <semla/bfs.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "suitesparse_loop.h"

enum { KINDS = 5, MOST_ROOTS = 256 };
static const char *const kind_names[KINDS] = {"loop on SuiteSparse", "sl_bfs", "vxm + assign",
                                              "sl_bfs, suitesparse", "vxm + assign, suitesparse"};
/* The kinds of a pass alternate: first the context that chooses engines, then SuiteSparse alone. */
enum { OF_SUITESPARSE = 3 };
static const int passes[] = {0, OF_SUITESPARSE, KINDS};

/* ---- process of the loop: reads roots, writes seconds ---------------------------- */

static int serve_loop(const char *model, FILE *roots, FILE *answers)
{
    GrB_init(GrB_NONBLOCKING); /* before semla, which is used only to generate the graph */
    sl_context *ctx;
    bench_must(NULL, sl_context_create(&ctx, SL_ENGINE_SUITESPARSE), "context");
    sl_matrix *A = bench_graph(ctx, model);
    sl_csr csr;
    loop_graph loop;
    MUST(ctx, sl_matrix_copy_csr(&csr, A));
    sl_matrix_free(A);
    loop_graph_make(&loop, csr.nrows, csr.start, csr.index);
    sl_free(csr.start);
    sl_free(csr.index);
    for (uint64_t root; fscanf(roots, "%" SCNu64, &root) == 1;) {
        GrB_Vector pi;
        double started = bench_now();
        loop_search(&pi, &loop, root);
        double seconds = bench_now() - started;
        GrB_Vector_free(&pi);
        fprintf(answers, "%.9f\n", seconds);
        fflush(answers);
    }
    loop_graph_free(&loop);
    return 0;
}

typedef struct {
    pid_t pid;
    FILE *roots, *answers;
} loop_process;

static loop_process start_loop(const char *model)
{
    int down[2], up[2];
    if (pipe(down) != 0 || pipe(up) != 0)
        abort();
    loop_process p = {.pid = fork()};
    if (p.pid == 0) {
        dup2(down[0], 0);
        dup2(up[1], 1);
        close(down[1]);
        close(up[0]);
        execl("/proc/self/exe", "bench_bfs", "--loop", model, (char *)NULL);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    p.roots = fdopen(down[1], "w");
    p.answers = fdopen(up[0], "r");
    return p;
}

static double ask_loop(loop_process *p, uint64_t root)
{
    double seconds;
    fprintf(p->roots, "%" PRIu64 "\n", root);
    fflush(p->roots);
    if (fscanf(p->answers, "%lf", &seconds) != 1)
        bench_must(NULL, SL_ENGINE_FAULT, "the loop's process");
    return seconds;
}

static void end_loop(loop_process *p)
{
    fclose(p->roots);
    fclose(p->answers);
    waitpid(p->pid, NULL, 0);
}

/* ---- comparison ------------------------------------------------------------------ */

/* Seconds of one search by semla, without freeing the result. `prepared` has a reordered graph. */
static double search(int kind, sl_matrix *prepared, sl_matrix *plain, uint64_t root)
{
    sl_vector *parent;
    sl_matrix *A = kind < OF_SUITESPARSE ? prepared : plain;
    double started = bench_now();
    if (kind == 2 || kind == 4)
        MUST(sl_matrix_context(A), sl_bfs_plain(&parent, NULL, A, root, false));
    else
        MUST(sl_matrix_context(A), sl_bfs(&parent, NULL, A, root, NULL));
    double seconds = bench_now() - started;
    sl_vector_free(parent);
    return seconds;
}

static void compare(const char *model, int roots)
{
    loop_process loop = start_loop(model);
    sl_context *prepared_ctx, *plain_ctx;
    bench_must(NULL, sl_context_create(&prepared_ctx, SL_ENGINE_AUTO), "auto context");
    bench_must(NULL, sl_context_create(&plain_ctx, SL_ENGINE_SUITESPARSE), "suitesparse context");
    sl_matrix *prepared = bench_graph(prepared_ctx, model), *plain = bench_graph(plain_ctx, model);
    sl_csr csr;
    MUST(prepared_ctx, sl_matrix_copy_csr(&csr, prepared));
    MUST(prepared_ctx, sl_matrix_optimize(prepared, SL_FOR_TRAVERSAL));

    double seconds[KINDS][MOST_ROOTS];
    /* The kinds of a pass alternate; the other kinds, which would evict their caches, come later. */
    for (int pass = 0; passes[pass] < KINDS; pass++) {
        uint64_t root = 0, state = 12345;
        for (int r = -1; r < roots; r++) { /* -1: warm-up */
            do
                root = (state = state * 6364136223846793005u + 1442695040888963407u) % csr.nrows;
            while (csr.start[root + 1] == csr.start[root]);
            for (int kind = passes[pass]; kind < passes[pass + 1]; kind++) {
                /* The better of two, because another kind has evicted the caches. */
                double best = INFINITY;
                for (int twice = 0; twice < 2; twice++) {
                    double t =
                        kind == 0 ? ask_loop(&loop, root) : search(kind, prepared, plain, root);
                    best = t < best ? t : best;
                }
                if (r >= 0)
                    seconds[kind][r] = best;
            }
        }
    }
    printf("%s: %" PRIu64 " vertices, %" PRIu64 " entries, %d roots\n", model, csr.nrows,
           csr.start[csr.nrows], roots);
    double baseline = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        double m = bench_median(seconds[kind], roots);
        baseline = kind == 0 ? m : baseline;
        printf("  %-28s %10.3f ms   ratio %6.3f   %8.3f GTEPS\n", kind_names[kind], 1e3 * m,
               m / baseline, 0.5e-9 * (double)csr.start[csr.nrows] / m);
    }
    fflush(stdout);
    end_loop(&loop);
    sl_free(csr.start);
    sl_free(csr.index);
    sl_matrix_free(prepared);
    sl_matrix_free(plain);
    sl_context_free(prepared_ctx);
    sl_context_free(plain_ctx);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"kronecker:20", "kronecker:21", "grid:2048", "road:2048"};
    int roots = 8, first = 1;
    if (argc == 3 && strcmp(argv[1], "--loop") == 0)
        return serve_loop(argv[2], stdin, stdout);
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
