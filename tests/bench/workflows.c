/*
 * What a user's call of each algorithm costs, beside the times of other programs, in one run:
 *
 *     bench_workflows [--gpu | --host] [--runs N] [--no-check] [--only NAME,...] [MODEL...]
 *
 * MODEL is one of kronecker:SCALE, grid:SIDE, road:SIDE, lattice:SIDE, file:PATH and edges:PATH
 * (workflow_graphs.h). A time is that of the public function on a prepared matrix, its results
 * included; the matrix is converted and prepared before. Prints the first and the median of N runs
 * after it; searches and shortest paths start at another source in each run. label_loop and
 * distance_loop (workflow_loops.h) run only if --only names them. Every last result is
 * checked by code that shares nothing with the algorithm. Exits with status 1 if a check fails.
 */
#include <semla/checks.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workflow_loops.h"
#include "workflow_peers.h"

enum { MOST_RUNS = 101 };

/* The results of one call. */
typedef struct {
    sl_vector *a, *b;
    uint64_t source, count;
} result;

/* ---- the calls, and their checks ------------------------------------------------- */

/* Waits for a result: until it is in the caller's order in device memory, or on a host by reading one of its values. */
static void finish(const workflow_graph *g, const sl_vector *v)
{
    sl_vector_view view;
    sl_scalar value;
    if (sl_vector_lend(&view, v, SL_MEMORY_CUDA) != SL_OK)
        MUST(g->ctx, sl_vector_get(&value, v, g->sources[0]));
}

static void bfs(const workflow_graph *g, result *r)
{
    MUST(g->ctx, sl_bfs(&r->a, &r->b, g->A, r->source, NULL));
    finish(g, r->a);
}

static void check_bfs(const workflow_graph *g, const result *r, sl_check_result *check)
{
    int64_t *parent, *level;
    MUST(g->ctx, sl_search_array(&parent, r->a));
    MUST(g->ctx, sl_search_array(&level, r->b));
    MUST(g->ctx, sl_validate_search(check, &g->view, r->source, parent, level, -1));
    sl_free(parent);
    sl_free(level);
}

static void sssp(const workflow_graph *g, result *r)
{
    MUST(g->ctx, sl_sssp(&r->a, &r->b, g->lengths, r->source));
    finish(g, r->a);
}

static void check_sssp(const workflow_graph *g, const result *r, sl_check_result *check)
{
    void *distance;
    int64_t *parent;
    MUST(g->ctx, sl_distance_array(&distance, r->a));
    MUST(g->ctx, sl_search_array(&parent, r->b));
    MUST(g->ctx, sl_check_sssp(check, &g->rows, r->source, distance, parent));
    sl_free(distance);
    sl_free(parent);
}

static void components(const workflow_graph *g, result *r)
{
    MUST(g->ctx, sl_components(&r->a, g->A));
    finish(g, r->a);
}

static void check_components(const workflow_graph *g, const result *r, sl_check_result *check)
{
    int64_t *component;
    MUST(g->ctx, sl_search_array(&component, r->a));
    MUST(g->ctx, sl_check_components(check, &g->view, component));
    sl_free(component);
}

static void pagerank(const workflow_graph *g, result *r)
{
    MUST(g->ctx, sl_pagerank(&r->a, g->A, NULL, NULL));
    finish(g, r->a);
}

static void check_pagerank(const workflow_graph *g, const result *r, sl_check_result *check)
{
    sl_arrays rank;
    MUST(g->ctx, sl_vector_copy_out(&rank, r->a, SL_FORMAT_FULL));
    MUST(g->ctx, sl_arrays_expand(g->ctx, &rank));
    MUST(g->ctx, sl_check_pagerank(check, &g->view, rank.values, NULL, NULL, 1e-6));
    sl_arrays_free(&rank);
}

static void triangles(const workflow_graph *g, result *r)
{
    MUST(g->ctx, sl_triangles(&r->count, NULL, g->A));
}

static void check_triangles(const workflow_graph *g, const result *r, sl_check_result *check)
{
    MUST(g->ctx, sl_check_triangles(check, &g->view, r->count, NULL));
}

static void betweenness(const workflow_graph *g, result *r)
{
    MUST(g->ctx, sl_betweenness(&r->a, g->A, g->sources, WORKFLOW_SOURCES, NULL));
    finish(g, r->a);
}

static void check_betweenness(const workflow_graph *g, const result *r, sl_check_result *check)
{
    sl_arrays centrality;
    MUST(g->ctx, sl_vector_copy_out(&centrality, r->a, SL_FORMAT_FULL));
    MUST(g->ctx, sl_arrays_expand(g->ctx, &centrality));
    MUST(g->ctx, sl_check_betweenness(check, &g->view, g->sources, WORKFLOW_SOURCES, 0.5,
                                      centrality.values));
    sl_arrays_free(&centrality);
}

static void label_loop(const workflow_graph *g, result *r)
{
    r->a = workflow_labels(g);
    finish(g, r->a);
}

static void distance_loop(const workflow_graph *g, result *r)
{
    r->a = workflow_distances(g, r->source);
    finish(g, r->a);
}

/* The same distances as those of sl_sssp. */
static void check_distance_loop(const workflow_graph *g, const result *r, sl_check_result *check)
{
    sl_vector *paths;
    void *expected, *distance;
    MUST(g->ctx, sl_sssp(&paths, NULL, g->lengths, r->source));
    sl_vector *as_paths;
    MUST(g->ctx, sl_vector_new(&as_paths, g->ctx, sl_vector_type(paths), g->view.vertices));
    MUST(g->ctx, sl_vector_assign(as_paths, NULL, NULL, r->a, SL_ALL, 0, NULL));
    MUST(g->ctx, sl_distance_array(&expected, paths));
    MUST(g->ctx, sl_distance_array(&distance, as_paths));
    if (memcmp(expected, distance, g->view.vertices * sizeof(int64_t)) != 0)
        *check = (sl_check_result){.valid = false, .reason = "other distances than sl_sssp"};
    sl_free(expected);
    sl_free(distance);
    sl_vector_free(as_paths);
    sl_vector_free(paths);
}

static const struct {
    const char *name;
    void (*call)(const workflow_graph *g, result *r);
    void (*check)(const workflow_graph *g, const result *r, sl_check_result *check);
    bool if_named; /* measured only if --only names it */
} workflows[] = {
    {"bfs", bfs, check_bfs, false},
    {"sssp", sssp, check_sssp, false},
    {"components", components, check_components, false},
    {"pagerank", pagerank, check_pagerank, false},
    {"triangles", triangles, check_triangles, false},
    {"betweenness", betweenness, check_betweenness, false},
    {"label_loop", label_loop, check_components, true},
    {"distance_loop", distance_loop, check_distance_loop, true},
};

/* ---- the table ------------------------------------------------------------------- */

static const struct {
    const char *graph, *algorithm, *program;
    double ms;
} peers[] = {
#define PEER(graph, algorithm, program, ms) {graph, algorithm, program, ms},
    WORKFLOW_PEERS(PEER)
#undef PEER
};

static void print_peers(const char *model, const char *algorithm, double ms)
{
    for (size_t k = 0; k < sizeof peers / sizeof *peers; k++)
        if (strcmp(peers[k].graph, model) == 0 && strcmp(peers[k].algorithm, algorithm) == 0)
            printf("   %s %.1f (ratio %.2f)", peers[k].program, peers[k].ms, ms / peers[k].ms);
}

static void free_result(result *r)
{
    sl_vector_free(r->a);
    sl_vector_free(r->b);
    r->a = r->b = NULL;
}

/* Times one algorithm on one graph; returns false if its check fails. */
static bool measure(const workflow_graph *g, const char *model, size_t w, int runs, bool check)
{
    double first = 0, ms[MOST_RUNS];
    result r = {0};
    for (int k = 0; k <= runs; k++) {
        free_result(&r);
        r.source = g->sources[k % WORKFLOW_SOURCES];
        const double started = bench_now();
        workflows[w].call(g, &r);
        const double taken = 1e3 * (bench_now() - started);
        if (k == 0)
            first = taken;
        else
            ms[k - 1] = taken;
    }
    const double median = bench_median(ms, runs);
    sl_check_result verdict = {.valid = true};
    if (check)
        workflows[w].check(g, &r, &verdict);
    free_result(&r);
    printf("  %-13s first %10.3f ms   median %10.3f ms   %s", workflows[w].name, first, median,
           !check          ? "not checked"
           : verdict.valid ? "valid"
                           : verdict.reason);
    print_peers(model, workflows[w].name, median);
    printf("\n");
    fflush(stdout);
    return verdict.valid;
}

/* Whether a list of names, separated by commas, has the name. */
static bool is_named(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0))
            return true;
    return false;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: bench_workflows [--gpu | --host] [--runs 1..%d] [--no-check] "
            "[--only NAME,...] [MODEL...]\n",
            MOST_RUNS);
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"kronecker:16", "grid:512", "lattice:1024"};
    sl_engine_choice engine = SL_ENGINE_AUTO;
    const char *only = NULL;
    bool check = true, valid = true;
    int runs = 16, k = 1;
    for (; k < argc && argv[k][0] == '-'; k++)
        if (strcmp(argv[k], "--gpu") == 0)
            engine = SL_ENGINE_CUDA;
        else if (strcmp(argv[k], "--host") == 0)
            engine = SL_ENGINE_OPENMP;
        else if (strcmp(argv[k], "--no-check") == 0)
            check = false;
        else if (strcmp(argv[k], "--runs") == 0 && k + 1 < argc)
            runs = atoi(argv[++k]);
        else if (strcmp(argv[k], "--only") == 0 && k + 1 < argc)
            only = argv[++k];
        else
            return usage();
    if (runs < 1 || runs > MOST_RUNS)
        return usage();
    const int models = k < argc ? argc - k : (int)(sizeof usual / sizeof *usual);
    const char *const *model = k < argc ? (const char *const *)argv + k : usual;
    sl_context *ctx;
    bench_must(NULL, sl_context_create(&ctx, engine), "context");
    for (int m = 0; m < models; m++) {
        workflow_graph g;
        workflow_graph_make(&g, ctx, model[m]);
        printf("%s: %llu vertices, %llu entries, engine %s\n", model[m],
               (unsigned long long)g.view.vertices,
               (unsigned long long)g.rows.start[g.view.vertices], sl_context_engine(ctx, 0));
        for (size_t w = 0; w < sizeof workflows / sizeof *workflows; w++)
            if (only ? is_named(only, workflows[w].name) : !workflows[w].if_named)
                valid &= measure(&g, model[m], w, runs, check);
        workflow_graph_free(&g);
    }
    sl_context_free(ctx);
    return valid ? 0 : 1;
}
