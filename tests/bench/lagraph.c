/*
 * LAGraph's algorithms over a GraphBLAS library, beside semla's own calls:
 *
 *     bench_lagraph [--runs N] [--only NAME,...] [--no-check] [MODEL...]
 *
 * MODEL is kronecker:SCALE or grid:SIDE. tests/lagraph/lagraph.py builds the program with LAGraph
 * (1.1 or 1.2) over semla's GraphBLAS library, where SEMLA_GRB chooses the engine, and over
 * SuiteSparse:GraphBLAS, where it has no calls of semla. A time is measured on a graph with cached
 * properties, and ends when the number of entries of the results is known. Prints the least and the
 * median of N runs after a first. Searches and paths start at another source in each run. The last
 * result of each algorithm is checked by a plain algorithm. Exits with status 1 if a check fails.
 */
#include <LAGraph.h>
#include <math.h>

#include "lagraph_graph.h"

enum { MOST_RUNS = 101, SOURCES = 16, BATCH = 4 };

static char message[LAGRAPH_MSG_LEN];

/* LAGraph and GraphBLAS return negative numbers on failure. */
static void must(int status, const char *what)
{
    if (status >= 0)
        return;
    fprintf(stderr, "bench_lagraph: %s: %d %s\n", what, status, message);
    exit(1);
}
#define MUST(call) must(call, #call)

typedef struct {
    plain_graph plain;
    LAGraph_Graph G;
    uint64_t sources[SOURCES];
} graph;

typedef struct {
    GrB_Vector a, b;
    uint64_t count, source;
} result;

static void make_graph(graph *g, const char *model)
{
    GrB_Matrix A = NULL;
    plain_graph *p = &g->plain;
    plain_graph_make(p, model);
    plain_graph_sources(p, g->sources, SOURCES);
    const double started = milliseconds();
    MUST(GrB_Matrix_import_INT32(&A, GrB_INT32, p->n, p->n, p->start, p->neighbour, p->length,
                                 p->n + 1, p->entries, p->entries, GrB_CSR_FORMAT));
    MUST(LAGraph_New(&g->G, &A, LAGraph_ADJACENCY_UNDIRECTED, message));
    MUST(LAGraph_Cached_OutDegree(g->G, message));
    MUST(LAGraph_Cached_NSelfEdges(g->G, message));
    printf("%s: %llu vertices, %llu entries, imported in %.0f ms\n", model,
           (unsigned long long)p->n, (unsigned long long)p->entries, milliseconds() - started);
}

/* ---- calls ------------------------------------------------------------------------------------ */

static void bfs(graph *g, result *r)
{
    MUST(LAGr_BreadthFirstSearch(&r->b, &r->a, g->G, r->source, message));
}

static void parents(graph *g, result *r)
{
    MUST(LAGr_BreadthFirstSearch(NULL, &r->a, g->G, r->source, message));
}

static void levels(graph *g, result *r)
{
    MUST(LAGr_BreadthFirstSearch(&r->b, NULL, g->G, r->source, message));
}

static void pagerank(graph *g, result *r)
{
    int iterations;
    MUST(LAGr_PageRank(&r->a, &iterations, g->G, 0.85f, 1e-6f, 100, message));
}

static void components(graph *g, result *r)
{
    MUST(LAGr_ConnectedComponents(&r->a, g->G, message));
}

static void triangles(graph *g, result *r)
{
    MUST(LAGraph_TriangleCount(&r->count, g->G, message));
}

static void paths(graph *g, result *r)
{
    GrB_Scalar delta = NULL;
    MUST(GrB_Scalar_new(&delta, GrB_INT32));
    MUST(GrB_Scalar_setElement_INT32(delta, 32));
    MUST(LAGr_SingleSourceShortestPath(&r->a, g->G, r->source, delta, message));
    GrB_Scalar_free(&delta);
}

static void betweenness(graph *g, result *r)
{
    MUST(LAGr_Betweenness(&r->a, g->G, g->sources, BATCH, message));
}

/* ---- checks -------------------------------------------------------------------------------------- */

/* The values of a vector; `missing` where it has no entry. */
static double *values_of(GrB_Vector v, uint64_t n, double missing)
{
    GrB_Index *indices = memory(n, sizeof *indices), count = n;
    double *found = memory(n, sizeof *found), *values = memory(n, sizeof *values);
    MUST(GrB_Vector_extractTuples_FP64(indices, found, &count, v));
    for (uint64_t k = 0; k < n; k++)
        values[k] = missing;
    for (uint64_t k = 0; k < count; k++)
        values[indices[k]] = found[k];
    free(indices);
    free(found);
    return values;
}

static bool has_edge(const plain_graph *g, uint64_t u, uint64_t v)
{
    for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
        if (g->neighbour[e] == v)
            return true;
    return false;
}

static bool check_search(const graph *g, const result *r)
{
    const plain_graph *p = &g->plain;
    int64_t *level = memory(p->n, sizeof *level);
    double *found = r->b ? values_of(r->b, p->n, -1) : NULL,
           *parent = r->a ? values_of(r->a, p->n, -1) : NULL;
    bool right = true;
    plain_levels(level, p, r->source);
    for (uint64_t v = 0; right && v < p->n; v++) {
        right = !found || (int64_t)found[v] == level[v];
        if (!right || !parent)
            continue;
        if (level[v] <= 0)
            right = (int64_t)parent[v] == (level[v] < 0 ? -1 : (int64_t)v);
        else
            right = parent[v] >= 0 && level[(uint64_t)parent[v]] + 1 == level[v] &&
                    has_edge(p, v, (uint64_t)parent[v]);
    }
    free(level);
    free(found);
    free(parent);
    return right;
}

static bool check_pagerank(const graph *g, const result *r)
{
    double *rank = memory(g->plain.n, sizeof *rank), *found = values_of(r->a, g->plain.n, 0),
           difference = 0;
    plain_pagerank(rank, &g->plain, 0.85, 1e-9);
    for (uint64_t v = 0; v < g->plain.n; v++)
        difference += fabs(rank[v] - found[v]);
    free(rank);
    free(found);
    return difference < 1e-4; /* LAGraph computes in single precision */
}

/* Two vertices have the same value if and only if they are in the same component. */
static bool check_components(const graph *g, const result *r)
{
    const uint64_t n = g->plain.n;
    uint64_t *component = memory(n, sizeof *component), *value_of = memory(n, sizeof *value_of);
    uint64_t *component_of = memory(n, sizeof *component_of);
    double *found = values_of(r->a, n, -1);
    bool right = true;
    plain_components(component, &g->plain);
    for (uint64_t v = 0; right && v < n; v++) {
        const uint64_t c = component[v], value = (uint64_t)found[v];
        right = found[v] >= 0 && value < n;
        if (right && value_of[c] == 0 && component_of[value] == 0) {
            value_of[c] = value + 1;
            component_of[value] = c + 1;
        }
        right = right && value_of[c] == value + 1 && component_of[value] == c + 1;
    }
    free(component);
    free(value_of);
    free(component_of);
    free(found);
    return right;
}

static bool check_triangles(const graph *g, const result *r)
{
    return r->count == plain_triangles(&g->plain);
}

/* LAGraph gives the greatest int32 to vertices that are not reached. */
static bool check_paths(const graph *g, const result *r)
{
    int64_t *distance = memory(g->plain.n, sizeof *distance);
    double *found = values_of(r->a, g->plain.n, INT32_MAX);
    bool right = true;
    plain_distances(distance, &g->plain, r->source);
    for (uint64_t v = 0; right && v < g->plain.n; v++)
        right = (int64_t)found[v] == (distance[v] < 0 ? INT32_MAX : distance[v]);
    free(distance);
    free(found);
    return right;
}

static bool check_betweenness(const graph *g, const result *r)
{
    double *centrality = memory(g->plain.n, sizeof *centrality),
           *found = values_of(r->a, g->plain.n, 0);
    bool right = true;
    plain_betweenness(centrality, &g->plain, g->sources, BATCH);
    for (uint64_t v = 0; right && v < g->plain.n; v++)
        right = fabs(centrality[v] - found[v]) <= 1e-3 * fmax(1, centrality[v]);
    free(centrality);
    free(found);
    return right;
}

/* ---- the benchmark ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*call)(graph *, result *);
    bool (*check)(const graph *, const result *);
    semla_call own;
} algorithms[] = {
    {"bfs", bfs, check_search, CALL_BFS},
    {"bfs-parents", parents, check_search, CALL_PARENTS},
    {"bfs-levels", levels, check_search, CALL_LEVELS},
    {"pagerank", pagerank, check_pagerank, CALL_PAGERANK},
    {"components", components, check_components, CALL_COMPONENTS},
    {"triangles", triangles, check_triangles, CALL_TRIANGLES},
    {"paths", paths, check_paths, CALL_PATHS},
    {"betweenness", betweenness, check_betweenness, CALL_BETWEENNESS},
};

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(double *times, int runs)
{
    qsort(times, (size_t)runs, sizeof *times, ascending);
    printf(" %10.3f %10.3f", times[0], times[runs / 2]);
}

/* Runs one algorithm and prints a line. Returns whether the last result is right. */
static bool measure(graph *g, size_t k, int runs, bool check)
{
    double times[MOST_RUNS], own[MOST_RUNS];
    result r = {0};
    GrB_Index nvals;
    printf("%-12s", algorithms[k].name);
    for (int run = -1; run < runs; run++) {
        GrB_Vector_free(&r.a);
        GrB_Vector_free(&r.b);
        r = (result){.source = g->sources[(run + SOURCES) % SOURCES]};
        const double started = milliseconds();
        algorithms[k].call(g, &r);
        if (r.a)
            MUST(GrB_Vector_nvals(&nvals, r.a));
        if (r.b)
            MUST(GrB_Vector_nvals(&nvals, r.b));
        if (run >= 0)
            times[run] = milliseconds() - started;
    }
    print_times(times, runs);
    bool measured = true;
    for (int run = -1; measured && run < runs; run++) {
        const double elapsed =
            semla_time(algorithms[k].own, g->sources + (run + SOURCES) % (SOURCES - BATCH), BATCH);
        measured = elapsed >= 0;
        if (run >= 0)
            own[run] = elapsed;
    }
    if (measured)
        print_times(own, runs);
    const bool right = !check || algorithms[k].check(g, &r);
    printf("%s\n", !check ? "" : right ? "  right" : "  WRONG");
    fflush(stdout);
    GrB_Vector_free(&r.a);
    GrB_Vector_free(&r.b);
    return right;
}

/* `list` is NULL or names separated by commas. */
static bool is_chosen(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return !list;
}

int main(int argc, char **argv)
{
    int runs = 5;
    bool check = true, right = true;
    const char *only = NULL, *models[64];
    int count = 0;
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--runs") == 0 && k + 1 < argc)
            runs = atoi(argv[++k]);
        else if (strcmp(argv[k], "--only") == 0 && k + 1 < argc)
            only = argv[++k];
        else if (strcmp(argv[k], "--no-check") == 0)
            check = false;
        else if (argv[k][0] != '-' && count < 64)
            models[count++] = argv[k];
        else
            runs = 0;
    if (runs < 1 || runs > MOST_RUNS) {
        fprintf(stderr,
                "usage: bench_lagraph [--runs N] [--only NAME,...] [--no-check] [MODEL...]\n");
        return 2;
    }
    if (count == 0)
        models[count++] = "kronecker:16";
    MUST(LAGraph_Init(message));
    for (int m = 0; m < count; m++) {
        graph g = {0};
        make_graph(&g, models[m]);
        semla_start(&g.plain);
        printf("milliseconds    LAGraph: least, median; semla's own call: least, median\n");
        for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++)
            if (is_chosen(only, algorithms[k].name))
                right = measure(&g, k, runs, check) && right;
        semla_stop();
        MUST(LAGraph_Delete(&g.G, message));
        plain_graph_free(&g.plain);
    }
    MUST(LAGraph_Finalize(message));
    return right ? 0 : 1;
}
