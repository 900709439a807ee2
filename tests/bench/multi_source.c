/*
 * Searches from several sources: one sl_multi_source_bfs against as many calls of sl_bfs, in one run:
 *
 *     bench_multi_source [--gpu | --host] [--sources N] [--runs N] [--parents] [--deterministic] [MODEL...]
 *
 * MODEL is as for bench_workflows. Prints, for each graph, the least time of both, measured alternately on
 * a prepared matrix with all results, their ratio (above 1: one call is faster), and the times of
 * sl_closeness of the same sources. The levels of both are compared; exits with status 1 if they differ.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workflow_graphs.h"

enum { MOST_SOURCES = 4096 };

typedef struct {
    uint64_t sources[MOST_SOURCES], count;
    int runs;
    bool parents, deterministic;
} settings;

static void search_together(const workflow_graph *g, const settings *s, sl_matrix **parent,
                            sl_matrix **level)
{
    const sl_multi_source_options o = {.deterministic = s->deterministic};
    uint64_t entries;
    MUST(g->ctx,
         sl_multi_source_bfs(s->parents ? parent : NULL, level, g->A, s->sources, s->count, &o));
    MUST(g->ctx, sl_matrix_nvals(&entries, *level));
}

static void search_singly(const workflow_graph *g, const settings *s, sl_vector **parent,
                          sl_vector **level)
{
    const sl_bfs_options o = {.deterministic = s->deterministic};
    uint64_t entries;
    for (uint64_t k = 0; k < s->count; k++) {
        MUST(g->ctx, sl_bfs(s->parents ? &parent[k] : NULL, &level[k], g->A, s->sources[k], &o));
        MUST(g->ctx, sl_vector_nvals(&entries, level[k]));
    }
}

/* True if row k of the levels is the k-th vector. */
static bool are_equal(const workflow_graph *g, const settings *s, const sl_matrix *levels,
                      sl_vector **level)
{
    bool equal = true;
    for (uint64_t k = 0; equal && k < s->count; k++) {
        sl_vector *row;
        MUST(g->ctx, sl_vector_new(&row, g->ctx, SL_INT64, g->view.vertices));
        MUST(g->ctx, sl_matrix_extract_column(row, NULL, NULL, levels, SL_ALL, 0, k,
                                              sl_descriptor_get(SL_TRANSPOSE_A)));
        MUST(g->ctx, sl_vector_equal(&equal, row, level[k]));
        sl_vector_free(row);
    }
    return equal;
}

static void free_vectors(sl_vector **vectors, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        sl_vector_free(vectors[k]);
        vectors[k] = NULL;
    }
}

static double closeness_ms(const workflow_graph *g, const settings *s, bool estimate)
{
    const sl_closeness_options o = {.estimate = estimate};
    double least = 0;
    for (int k = 0; k <= s->runs; k++) {
        sl_vector *closeness;
        sl_scalar value;
        const double started = bench_now();
        MUST(g->ctx, sl_closeness(&closeness, g->A, s->sources, s->count, &o));
        MUST(g->ctx, sl_vector_get(&value, closeness, s->sources[0]));
        const double ms = 1e3 * (bench_now() - started);
        least = k == 0 || ms < least ? ms : least;
        sl_vector_free(closeness);
    }
    return least;
}

/* Returns false if the levels differ. */
static bool measure(const workflow_graph *g, const settings *s, const char *model)
{
    sl_vector **parent = calloc(s->count, sizeof *parent),
              **level = calloc(s->count, sizeof *level);
    sl_matrix *parents = NULL, *levels = NULL;
    double together = 0, singly = 0;
    if (!parent || !level)
        exit(1);
    for (int k = 0; k <= s->runs; k++) {
        sl_matrix_free(parents);
        sl_matrix_free(levels);
        parents = levels = NULL;
        const double started = bench_now();
        search_together(g, s, &parents, &levels);
        const double between = bench_now();
        free_vectors(parent, s->count);
        free_vectors(level, s->count);
        const double resumed = bench_now();
        search_singly(g, s, parent, level);
        const double ended = bench_now();
        if (k == 0 || between - started < together)
            together = between - started;
        if (k == 0 || ended - resumed < singly)
            singly = ended - resumed;
    }
    const bool equal = are_equal(g, s, levels, level);
    sl_matrix_free(parents);
    sl_matrix_free(levels);
    free_vectors(parent, s->count);
    free_vectors(level, s->count);
    free(parent);
    free(level);
    printf("%s: %" PRIu64 " vertices, %" PRIu64
           " sources, engine %s\n  together %10.3f ms   singly "
           "%10.3f ms   ratio %6.2f   %s\n",
           model, g->view.vertices, s->count, sl_context_engine(g->ctx, 0), 1e3 * together,
           1e3 * singly, singly / together, equal ? "equal" : "the levels differ");
    printf("  closeness of the sources %10.3f ms   estimated of all %10.3f ms\n",
           closeness_ms(g, s, false), closeness_ms(g, s, true));
    fflush(stdout);
    return equal;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: bench_multi_source [--gpu | --host] [--sources 1..%d] [--runs N] [--parents] "
            "[--deterministic] [MODEL...]\n",
            MOST_SOURCES);
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"kronecker:16", "kronecker:18", "grid:512"};
    sl_engine_choice engine = SL_ENGINE_AUTO;
    static settings s = {.count = 64, .runs = 3};
    bool equal = true;
    int k = 1;
    for (; k < argc && argv[k][0] == '-'; k++)
        if (strcmp(argv[k], "--gpu") == 0)
            engine = SL_ENGINE_CUDA;
        else if (strcmp(argv[k], "--host") == 0)
            engine = SL_ENGINE_OPENMP;
        else if (strcmp(argv[k], "--parents") == 0)
            s.parents = true;
        else if (strcmp(argv[k], "--deterministic") == 0)
            s.deterministic = true;
        else if (strcmp(argv[k], "--sources") == 0 && k + 1 < argc)
            s.count = strtoull(argv[++k], NULL, 10);
        else if (strcmp(argv[k], "--runs") == 0 && k + 1 < argc)
            s.runs = atoi(argv[++k]);
        else
            return usage();
    if (s.count < 1 || s.count > MOST_SOURCES || s.runs < 1)
        return usage();
    const int models = k < argc ? argc - k : (int)(sizeof usual / sizeof *usual);
    const char *const *model = k < argc ? (const char *const *)argv + k : usual;
    sl_context *ctx;
    bench_must(NULL, sl_context_create(&ctx, engine), "context");
    for (int m = 0; m < models; m++) {
        workflow_graph g;
        workflow_graph_make(&g, ctx, model[m]);
        /* Vertices that have edges, spread over the graph. */
        const uint64_t n = g.view.vertices;
        for (uint64_t i = 0, v = 0; i < s.count; i++) {
            v = (v + UINT64_C(0x9e3779b97f4a7c15) % n + 1) % n;
            while (g.rows.start[v + 1] == g.rows.start[v])
                v = (v + 1) % n;
            s.sources[i] = v;
        }
        equal &= measure(&g, &s, model[m]);
        workflow_graph_free(&g);
    }
    sl_context_free(ctx);
    return equal ? 0 : 1;
}
